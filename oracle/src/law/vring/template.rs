//! TMPL.

use std::rc::Rc;

use super::{LawMachine, LawVring};
use crate::law::word::{EINVAL, ENOMEM, word0};
use crate::subject::vring::{CacheStats, Op, Outcome, VARIABLE_ABOVE, VARIABLE_MISSING};
use crate::wire::{Desc, Ring, pointer};

/// Variable and offset of a symbolic pointer (TMPL-1).
pub fn symbol(pointer: u64) -> Option<(u32, u64)> {
    let variable = (pointer >> 36) & 0x7_ffff;
    let offset = pointer & 0xf_ffff_ffff;
    (pointer >> 61 & 1 == 1).then_some((variable as u32, offset))
}

pub(super) fn set_pointer(desc: &mut Desc, pointer: u64) {
    (desc.word[2], desc.word[3]) = (pointer as u32, (pointer >> 32) as u32);
}

/// The symbol of a descriptor; META descriptors of TX hold no pointer (DESC-2).
fn symbol_of(ring: Ring, desc: &Desc) -> Option<(u32, u64)> {
    if ring == Ring::Tx && desc.word[0] & word0::META != 0 {
        None
    } else {
        symbol(pointer(desc))
    }
}

/// The first pointer's variable that cannot be resolved, and the code (TMPL-2).
pub fn variable_at_fault(vring: &LawVring, addresses: &[u64]) -> Option<(i32, u32)> {
    for ring in Ring::BOTH {
        let half = &vring.halves[ring as usize];
        for desc in &half.descs {
            match symbol_of(ring, desc) {
                Some((variable, _)) if variable > half.max_var_id => {
                    return Some((VARIABLE_ABOVE, variable));
                }
                Some((variable, _)) if variable as usize >= addresses.len() => {
                    return Some((VARIABLE_MISSING, variable));
                }
                _ => {}
            }
        }
    }
    None
}

pub(super) fn resolve(vring: &mut LawVring, addresses: &[u64]) -> Outcome {
    if let Some((code, variable)) = variable_at_fault(vring, addresses) {
        return Outcome {
            code,
            ..Outcome::of(variable.into())
        };
    }
    let mut resolved = 0;
    for ring in Ring::BOTH {
        let half = &mut vring.halves[ring as usize];
        half.is_template = false;
        for desc in &mut half.descs {
            if let Some((variable, offset)) = symbol_of(ring, desc) {
                set_pointer(desc, addresses[variable as usize].wrapping_add(offset));
                resolved += 1;
            }
        }
    }
    Outcome::of(resolved)
}

/// A resolved ring that is kept.
#[derive(Debug)]
struct Entry {
    addresses: Vec<u64>,
    ring: Rc<LawVring>,
    last_use: u64,
}

impl Entry {
    fn live(&self) -> u64 {
        Rc::strong_count(&self.ring) as u64 - 1
    }
}

/// TMPL-3, as the C ABI describes the cache.
#[derive(Debug)]
pub(super) struct Cache {
    template: LawVring,
    capacity: usize,
    entries: Vec<Entry>,
    clock: u64,
    stats: CacheStats,
}

impl Cache {
    pub(super) fn template(&self) -> &LawVring {
        &self.template
    }

    pub(super) fn stats(&self) -> CacheStats {
        CacheStats {
            entries: self.entries.len() as u64,
            live: self.entries.iter().map(Entry::live).sum(),
            ..self.stats
        }
    }

    fn acquire(&mut self, addresses: &[u64]) -> Result<Rc<LawVring>, Outcome> {
        self.clock += 1;
        let mut kept = self.entries.iter_mut();
        if let Some(entry) = kept.find(|entry| entry.addresses == addresses) {
            self.stats.hits += 1;
            entry.last_use = self.clock;
            return Ok(Rc::clone(&entry.ring));
        }
        self.stats.misses += 1;
        let copy = self.template.deep_copy();
        let mut copy = copy.ok_or(Outcome::refused(ENOMEM))?;
        let outcome = resolve(&mut copy, addresses);
        if outcome.code != 0 {
            return Err(outcome);
        }
        let ring = Rc::new(copy);
        if self.entries.len() >= self.capacity {
            let unheld = self.entries.iter().filter(|entry| entry.live() == 0);
            let Some(oldest) = unheld.map(|entry| entry.last_use).min() else {
                return Ok(ring);
            };
            self.entries.retain(|entry| entry.last_use != oldest);
            self.stats.evictions += 1;
        }
        self.entries.push(Entry {
            addresses: addresses.to_vec(),
            ring: Rc::clone(&ring),
            last_use: self.clock,
        });
        Ok(ring)
    }
}

impl LawMachine {
    pub(super) fn cached(&mut self, op: &Op) -> Outcome {
        match op {
            Op::Cache { capacity } => match self.vring.deep_copy() {
                Some(template) => {
                    self.cache = Some(Cache {
                        template,
                        capacity: *capacity as usize,
                        entries: Vec::new(),
                        clock: 0,
                        stats: CacheStats::default(),
                    });
                    Outcome::of(0)
                }
                None => Outcome::refused(ENOMEM),
            },
            Op::Acquire { addresses } => match self.cache.as_mut() {
                Some(cache) => match cache.acquire(addresses) {
                    Ok(ring) => {
                        self.holdings.push(Some(ring));
                        Outcome::of(self.holdings.len() as i64 - 1)
                    }
                    Err(outcome) => outcome,
                },
                None => Outcome::refused(EINVAL),
            },
            Op::Release { holding } => {
                let held = self.holdings.get_mut(*holding as usize);
                match held.and_then(Option::take) {
                    Some(_) => Outcome::of(0),
                    None => Outcome::refused(EINVAL),
                }
            }
            _ => Outcome::refused(EINVAL),
        }
    }
}
