//! A `vring` step, descriptor by descriptor (file 07 of the specification).

use super::Machine;
use super::wire::{Desc, Part, chunks};
use crate::outcome::StepPath;
use crate::program::script::{Authored, Transfer};
use crate::program::step::Mode;
use crate::program::{Arch, At};

/// Bytes of a poke and of a no-op (XFER-5, DUMP-3).
const WORD: u64 = 4;
/// Ring id of everything on a virtual ring (XFER-1).
const PHASE: u32 = 1;
/// The two halves.
#[derive(Default)]
struct Halves {
    tx: Vec<Desc>,
    rx: Vec<Desc>,
    variables: u64,
}

impl Halves {
    fn pair(&mut self, mode: Mode, src: u64, dst: u64, size: u64) {
        self.tx.push(Desc::tx(Part::ALONE, mode, PHASE, src, size));
        self.rx.push(Desc::rx(mode, false, PHASE, dst, size));
    }

    /// PACK-1: from left to right, a packet as long as limits allow.
    fn pack(&mut self, most: usize, max_bytes: u64) {
        let mut first = 0;
        while first < self.tx.len() {
            let mut end = first + 1;
            let mut bytes = self.tx[first].length();
            while end < self.tx.len()
                && end - first < most
                && bytes + self.tx[end].length() <= max_bytes
            {
                bytes += self.tx[end].length();
                end += 1;
            }
            for at in first..end {
                self.tx[at].place(Part::of(at - first, end - first));
            }
            first = end;
        }
    }

    /// TMPL-2; nothing changes where a variable has no address.
    fn resolve(&mut self, addresses: &[u64]) -> Option<()> {
        let mut all = Vec::new();
        for desc in self.tx.iter().chain(&self.rx) {
            let pointer = desc.pointer;
            if pointer >> 61 & 1 == 0 {
                all.push(pointer);
                continue;
            }
            let variable = pointer >> 36 & 0x7_ffff;
            if variable > self.variables {
                return None;
            }
            let base = addresses.get(variable as usize)?;
            all.push(base.wrapping_add(pointer & 0xf_ffff_ffff));
        }
        for (desc, pointer) in self.tx.iter_mut().chain(&mut self.rx).zip(all) {
            desc.pointer = pointer;
        }
        Some(())
    }
}

/// What orders a write (XFER-2).
fn order(sow: bool) -> Mode {
    if sow { Mode::Sow } else { Mode::Dmb }
}

impl Machine<'_> {
    /// XFER-1, XFER-2.
    fn transfer(&self, halves: &mut Halves, transfer: &Transfer, sow: bool) {
        let (src, dst) = (self.address(&transfer.src), self.address(&transfer.dst));
        for (done, bytes, is_last) in chunks(transfer.size.0) {
            let mode = if is_last && transfer.ordered {
                order(sow)
            } else {
                Mode::None
            };
            halves.pair(mode, src.wrapping_add(done), dst.wrapping_add(done), bytes);
        }
    }

    fn author(&self, halves: &mut Halves, step: &Authored) -> Option<()> {
        let sow = self.arch != Arch::V2;
        match step {
            Authored::Transfer(transfer) => self.transfer(halves, transfer, sow),
            Authored::TransferEx(transfer) => self.transfer(halves, transfer, false),
            Authored::Poke { src, dst } => {
                halves.pair(order(sow), self.address(src), self.address(dst), WORD);
            }
            Authored::Packet { blocks, mode } => {
                let (tx, rx) = self.pairs(blocks, *mode, || (PHASE, PHASE));
                halves.tx.extend(tx);
                halves.rx.extend(rx);
            }
            Authored::Pack { max_bytes } => {
                let most = if self.arch == Arch::V2 { 128 } else { 65 };
                halves.pack(most, max_bytes.0);
            }
            Authored::DmbOnLastPacket => {
                // EDIT-1.
                if !sow && let Some(first) = halves.tx.iter_mut().rfind(|desc| desc.first()) {
                    first.set_write_barrier();
                }
            }
            Authored::AddrRewrite {
                base,
                size,
                new_base,
            } => {
                // EDIT-2.
                let (base, new_base) = (self.address(base), self.address(new_base));
                for desc in &mut halves.tx {
                    let offset = desc.pointer.wrapping_sub(base);
                    if offset < size.0 {
                        desc.pointer = new_base.wrapping_add(offset);
                    }
                }
            }
            Authored::Template { max_var_id } => halves.variables = (*max_var_id).into(),
            Authored::Resolve { addresses } => {
                let addresses: Vec<u64> = addresses.iter().map(|at| self.address(at)).collect();
                halves.resolve(&addresses)?;
            }
        }
        Some(())
    }

    /// Authors a virtual ring and dumps it to the start of a ring.
    pub(super) fn vring(
        &mut self,
        ring: &str,
        script: &[Authored],
        padded: Option<u32>,
        scratch: Option<&At>,
        at: &StepPath,
    ) -> i64 {
        let mut halves = Halves::default();
        let authored = script
            .iter()
            .try_for_each(|step| self.author(&mut halves, step));
        let queue = self.queues.get(ring).copied().unwrap_or_default();
        // XFER-1: the ring id of what is dumped is that of the first lap.
        let begins = |half: &super::Half| (half.next, half.phase) == (0, PHASE);
        if authored.is_none() || !begins(&queue.tx) || !begins(&queue.rx) {
            return -22;
        }
        // DUMP-1, DUMP-3.
        let scratch = scratch.map_or(0, |at| self.address(at));
        let Halves { mut tx, mut rx, .. } = halves;
        for (list, size, no_op) in [
            (
                &mut tx,
                queue.tx.size,
                Desc::tx(Part::ALONE, Mode::None, PHASE, scratch, WORD),
            ),
            (
                &mut rx,
                queue.rx.size,
                Desc::rx(Mode::None, false, PHASE, scratch, WORD),
            ),
        ] {
            let slots = padded.map_or(list.len(), |padded| padded as usize);
            if list.len() > slots || slots > size as usize {
                return -22;
            }
            list.resize(slots, no_op);
        }
        self.stage(ring, &tx, &rx, at)
    }
}
