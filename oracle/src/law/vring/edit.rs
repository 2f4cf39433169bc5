//! EDIT, and PACK as an operation.

use udma_reference::abi;

use super::pack::pack;
use super::template::{resolve, set_pointer};
use super::{LawMachine, has_sow};
use crate::law::word::{EINVAL, meta, word0};
use crate::subject::vring::{Op, Outcome};
use crate::wire::{Ring, pointer};

impl LawMachine {
    pub(super) fn edited(&mut self, op: &Op) -> Option<Outcome> {
        let [tx, rx] = &mut self.vring.halves;
        Some(match op {
            Op::Pack {
                start,
                end,
                max_bytes,
            } => {
                // PACK-4
                let range = (*start as usize, *end as usize);
                if range.1 > tx.descs.len() || range.0 > range.1 {
                    return Some(Outcome::refused(EINVAL));
                }
                let (delta, over_rx) =
                    pack(&mut tx.descs, range, rx.descs.len(), self.arch, *max_bytes);
                Outcome {
                    over_rx,
                    ..Outcome::of(delta)
                }
            }
            Op::DmbOnLastPacket => {
                if has_sow(self.arch) || tx.descs.is_empty() {
                    return Some(Outcome::of(0));
                }
                let mut back = tx.descs.iter_mut().rev();
                match back.find(|desc| desc.word[0] & word0::FIRST != 0) {
                    Some(desc) => {
                        desc.word[1] |= meta::WRITE_BARRIER;
                        Outcome::of(1)
                    }
                    None => Outcome::refused(EINVAL),
                }
            }
            Op::AddrRewrite {
                base,
                size,
                new_base,
            } => {
                let mut moved = 0;
                for desc in &mut tx.descs {
                    let from = pointer(desc);
                    let has_pointer = desc.word[0] & word0::META == 0;
                    if has_pointer && from.wrapping_sub(*base) < *size {
                        set_pointer(desc, from.wrapping_add(new_base.wrapping_sub(*base)));
                        moved += 1;
                    }
                }
                Outcome::of(moved)
            }
            Op::SemaphoreWanted { enabled } => Outcome::of(self.wants(*enabled).into()),
            Op::EmbedSemaphore { enabled, .. } => {
                let wanted = self.wants(*enabled);
                if wanted && let Some(last) = self.vring.halves[1].descs.last_mut() {
                    last.word[0] |= word0::CONCAT;
                }
                Outcome::of(wanted.into())
            }
            Op::Template { max_var_id } => {
                for half in [tx, rx] {
                    (half.is_template, half.max_var_id) = (true, *max_var_id);
                }
                Outcome::of(0)
            }
            Op::Resolve { addresses } => resolve(&mut self.vring, addresses),
            _ => return None,
        })
    }

    /// EDIT-3.
    fn wants(&self, enabled: bool) -> bool {
        let last = self.vring.halves[Ring::Rx as usize].descs.last();
        u32::from(self.arch) == abi::UDMA_ARCH_MARIANA
            && enabled
            && last.is_some_and(|desc| desc.word[0] & word0::CONCAT == 0)
    }
}
