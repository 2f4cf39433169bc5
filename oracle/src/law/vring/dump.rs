//! VRNG-7, PRNG, DUMP.

use std::cell::Cell;
use std::rc::Rc;

use super::{Gate, LawMachine, LawPring, PRING_ALIGN, pring_size};
use crate::law::pair::desc;
use crate::law::word::{EINVAL, ENOMEM, meta};
use crate::subject::vring::{Dump, FRESH, Op, Outcome};
use crate::wire::Ring;

impl LawMachine {
    /// VRNG-7, PRNG, DUMP, TMPL-3.
    pub(super) fn laid_out(&mut self, op: &Op) -> Outcome {
        match op {
            Op::DeepCopy => match self.vring.deep_copy() {
                Some(copy) => {
                    self.vring = copy;
                    Outcome::of(0)
                }
                None => Outcome::refused(ENOMEM),
            },
            Op::Free => {
                for half in &mut self.vring.halves {
                    half.descs = Vec::new();
                }
                Outcome::of(0)
            }
            Op::PageBudget { pages } => {
                self.vring.gate = Gate(Rc::new(Cell::new(pages.map(u64::from))));
                Outcome::of(0)
            }
            Op::PringSize { descriptors, wrap } => {
                Outcome::of(pring_size(*descriptors, *wrap) as i64)
            }
            Op::Pring {
                half,
                descriptors,
                wrap,
                offset,
            } => {
                let allocated = pring_size(*descriptors, *wrap);
                self.prings[*half as usize] = Some(LawPring {
                    offset: *offset,
                    used: 0,
                    allocated: allocated as u32,
                    memory: vec![FRESH; (offset.div_ceil(16) + allocated) as usize],
                });
                Outcome::of(allocated as i64)
            }
            Op::Dump { half, pring, dump } => self.dump(*half, *pring, dump),
            Op::DumpBoth {
                tx_padded,
                rx_padded,
                scratch,
                free,
            } => {
                let dump = |padded: &Option<u32>| Dump {
                    padded: *padded,
                    scratch: *scratch,
                    free: *free,
                };
                if self.prings.iter().any(Option::is_none) {
                    return Outcome::refused(EINVAL);
                }
                // DUMP-5
                let sent = self.dump(Ring::Tx, Ring::Tx, &dump(tx_padded));
                if sent.code != 0 {
                    return sent;
                }
                self.dump(Ring::Rx, Ring::Rx, &dump(rx_padded))
            }
            _ => self.cached(op),
        }
    }

    /// DUMP-1 to DUMP-4. A pring has the type of the half that it was made for.
    fn dump(&mut self, half: Ring, pring: Ring, dump: &Dump) -> Outcome {
        let from = &mut self.vring.halves[half as usize];
        let Some(to) = &mut self.prings[pring as usize] else {
            return Outcome::refused(EINVAL);
        };
        let used = from.descs.len();
        let padded = dump.padded.map_or(used, |padded| padded as usize);
        let fits = used <= padded && padded <= to.allocated as usize;
        if half != pring || !fits || to.offset % PRING_ALIGN != 0 {
            return Outcome::refused(EINVAL);
        }
        let no_op = match half {
            Ring::Tx => desc(0x0d00_0004, meta::PLAIN_COPY, dump.scratch),
            Ring::Rx => desc(0x0100_0004, 0, dump.scratch),
        };
        let first = (to.offset / 16) as usize;
        let slots = &mut to.memory[first..first + padded];
        slots[..used].copy_from_slice(&from.descs);
        slots[used..].fill(no_op);
        to.used = padded as u32;
        if dump.free {
            from.descs = Vec::new();
        }
        Outcome::of(0)
    }
}
