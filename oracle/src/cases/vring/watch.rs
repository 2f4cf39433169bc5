//! The state of a machine between steps, as what changed in each.

use serde::{Deserialize, Serialize};

use super::Script;
use crate::law::vring::PAGE;
use crate::law::word::word0;
use crate::subject::vring::{
    CacheStats, FRESH, HalfState, Header, Machine, Op, Outcome, PringState,
};
use crate::wire::{Desc, Ring};

/// Lists up to this length are read whole; of longer ones, samples.
const WHOLE: u64 = 300_000;
/// Distance of the samples: a prime, so that they fall on every slot of a packet in time.
const STRIDE: u64 = 509;

/// Something that is not as it was before the step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// A half, its descriptors apart.
    Half(Ring, HalfState),
    /// Name and rounding flag.
    Vring(Vec<u8>, u8),
    /// Descriptors of a half from an index on.
    Descs(Ring, u64, Vec<Desc>),
    /// A descriptor that is another when it is read by itself (VRNG-3).
    Alone(Ring, u32, Desc),
    /// A pring, its memory apart.
    Pring(Ring, PringState),
    /// Descriptors of a pring's memory from an index on, counted from the start of the memory.
    Slots(Ring, u64, Vec<Desc>),
    /// The cache's counts.
    Cache(CacheStats),
    /// Descriptors of a half of the ring just acquired.
    Held(Ring, Vec<Desc>),
}

/// A list of descriptors as it was seen last: all of it, or the same places of it.
#[derive(Debug, Default)]
struct Seen {
    length: u64,
    descs: Vec<Desc>,
}

/// Places that are looked at in a list: first index and count, in order.
fn places(length: u64) -> Vec<(u64, u64)> {
    if length <= WHOLE {
        return vec![(0, length)];
    }
    let around = |at: u64| (at - 2, 4);
    let mut firsts: Vec<(u64, u64)> = (0..length - 4)
        .step_by(STRIDE as usize)
        .map(|at| (at, 2))
        .collect();
    firsts.extend((1..length / PAGE).map(|page| around(page * PAGE)));
    firsts.push((length - 4, 4));
    firsts.sort_unstable();
    firsts
}

impl Seen {
    /// Looks again; gives what is new, from an index on.
    fn look(
        &mut self,
        length: u64,
        mut read: impl FnMut(u64, &mut [Desc]),
    ) -> Vec<(u64, Vec<Desc>)> {
        let places = places(length);
        let count: u64 = places.iter().map(|(_, count)| count).sum();
        let mut descs = vec![Desc::default(); count as usize];
        let mut done = 0;
        for (first, count) in &places {
            let end = done + *count as usize;
            read(*first, &mut descs[done..end]);
            done = end;
        }
        let sampled = length > WHOLE;
        let comparable = !sampled && self.length <= WHOLE || self.length == length;
        let old: &[Desc] = if comparable { &self.descs } else { &[] };
        let mut changes = Vec::new();
        if sampled && old.is_empty() {
            let mut rest = &descs[..];
            for (first, count) in places {
                let (part, left) = rest.split_at(count as usize);
                changes.push((first, part.to_vec()));
                rest = left;
            }
        } else {
            let mut at = 0;
            for (first, count) in places {
                let end = at + count as usize;
                let old = &old[at.min(old.len())..end.min(old.len())];
                differing(first, old, &descs[at..end], &mut changes);
                at = end;
            }
        }
        self.length = length;
        self.descs = descs;
        changes
    }
}

/// Runs of `new` that `old` does not hold.
fn differing(first: u64, old: &[Desc], new: &[Desc], changes: &mut Vec<(u64, Vec<Desc>)>) {
    const BLOCK: usize = 1024;
    let common = old.len().min(new.len());
    let mut run: Option<usize> = None;
    let mut close = |run: &mut Option<usize>, end: usize| {
        if let Some(start) = run.take() {
            changes.push((first + start as u64, new[start..end].to_vec()));
        }
    };
    let mut at = 0;
    while at < common {
        let end = common.min(at + BLOCK);
        if old[at..end] == new[at..end] {
            close(&mut run, at);
        } else {
            for index in at..end {
                if old[index] == new[index] {
                    close(&mut run, index);
                } else if run.is_none() {
                    run = Some(index);
                }
            }
        }
        at = end;
    }
    if new.len() > common && run.is_none() {
        run = Some(common);
    }
    close(&mut run, new.len());
}

/// What was seen of a machine so far.
#[derive(Debug)]
pub struct Watch {
    header: Header,
    halves: [Seen; 2],
    prings: [(Option<PringState>, Seen); 2],
    cache: Option<CacheStats>,
    /// Whether semaphores are embedded: where their fields go is not judged (EDIT-4).
    embeds: bool,
}

/// Bits of an RX word0 with an embedded semaphore that are judged: all but 30, 29 and 22:16.
const JUDGED: u32 = !(word0::DMB | word0::SOW | word0::RESERVED);

impl Watch {
    /// Nothing was done yet.
    pub fn new(script: &Script) -> Self {
        Self {
            header: Header {
                name: b"v".to_vec(),
                ..Header::default()
            },
            halves: Default::default(),
            prings: Default::default(),
            cache: None,
            embeds: script
                .ops
                .iter()
                .any(|op| matches!(op, Op::EmbedSemaphore { .. })),
        }
    }

    fn judged(&self, ring: Ring, descs: &mut [Desc]) {
        if !self.embeds || ring == Ring::Tx {
            return;
        }
        for desc in descs {
            if desc.word[0] & word0::CONCAT != 0 {
                desc.word[0] &= JUDGED;
                desc.word[1] = 0;
            }
        }
    }

    /// Looks at a machine after a step; none where it cannot be seen.
    pub fn look(
        &mut self,
        machine: &dyn Machine,
        op: &Op,
        outcome: &Outcome,
    ) -> Option<Vec<Change>> {
        let mut changes = Vec::new();
        let header = machine.header()?;
        if header.name != self.header.name
            || header.stochastic_rounding != self.header.stochastic_rounding
        {
            let name = header.name.clone();
            changes.push(Change::Vring(name, header.stochastic_rounding));
        }
        for ring in Ring::BOTH {
            let at = ring as usize;
            if header.halves[at] != self.header.halves[at] {
                changes.push(Change::Half(ring, header.halves[at]));
            }
            self.look_at_half(machine, ring, header.halves[at].used, &mut changes);
        }
        for ring in Ring::BOTH {
            let made = matches!(op, Op::Pring { half, .. } if *half == ring);
            self.look_at_pring(machine, ring, made, &mut changes);
        }
        let cache = machine.cache();
        if cache != self.cache {
            changes.push(Change::Cache(cache.unwrap_or_default()));
        }
        if matches!(op, Op::Acquire { .. }) && outcome.code == 0 {
            self.look_at_held(machine, outcome.value as u32, &header, &mut changes);
        }
        self.header = header;
        self.cache = cache;
        Some(changes)
    }

    fn look_at_half(
        &mut self,
        machine: &dyn Machine,
        ring: Ring,
        used: u32,
        changes: &mut Vec<Change>,
    ) {
        let mut seen = std::mem::take(&mut self.halves[ring as usize]);
        let new = seen.look(used.into(), |first, out| {
            machine.read(ring, first as u32, out);
            self.judged(ring, out);
        });
        let changed = |(first, descs)| Change::Descs(ring, first, descs);
        changes.extend(new.into_iter().map(changed));
        if u64::from(used) <= WHOLE {
            let edges = [0, 1, 32_767, 32_768, 65_535, 65_536, used.saturating_sub(1)];
            for index in edges.into_iter().filter(|index| *index < used) {
                let mut alone = [Desc::default()];
                machine.read(ring, index, &mut alone);
                self.judged(ring, &mut alone);
                if alone[0] != seen.descs[index as usize] {
                    changes.push(Change::Alone(ring, index, alone[0]));
                }
            }
        }
        self.halves[ring as usize] = seen;
    }

    fn look_at_pring(
        &mut self,
        machine: &dyn Machine,
        ring: Ring,
        made: bool,
        changes: &mut Vec<Change>,
    ) {
        let state = machine.pring(ring);
        let (old, mut seen) = std::mem::take(&mut self.prings[ring as usize]);
        if state != old || made {
            changes.push(Change::Pring(ring, state.unwrap_or_default()));
        }
        if let Some(state) = state {
            let read = |watch: &Self, first, out: &mut [Desc]| {
                machine.read_pring(ring, first, out);
                watch.judged(ring, out);
            };
            if made {
                // It holds nothing but the fill; what does not shows as changed.
                let mut fresh = [FRESH];
                self.judged(ring, &mut fresh);
                seen = Seen::default();
                seen.look(state.memory, |_, out| out.fill(fresh[0]));
            }
            let new = seen.look(state.memory, |first, out| read(self, first, out));
            let changed = |(first, descs)| Change::Slots(ring, first, descs);
            changes.extend(new.into_iter().map(changed));
        }
        self.prings[ring as usize] = (state, seen);
    }

    fn look_at_held(
        &self,
        machine: &dyn Machine,
        holding: u32,
        header: &Header,
        changes: &mut Vec<Change>,
    ) {
        // The ring is as long as its template, which may be longer than the vring is now.
        let longest = header.halves.iter().map(|half| half.used).max();
        for ring in Ring::BOTH {
            let mut descs = vec![Desc::default(); (longest.unwrap_or(0) as usize).max(4096)];
            let count = machine.read_held(holding, ring, 0, &mut descs);
            descs.truncate(count as usize);
            self.judged(ring, &mut descs);
            changes.push(Change::Held(ring, descs));
        }
    }
}
