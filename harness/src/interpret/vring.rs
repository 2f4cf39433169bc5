//! A `vring` step, descriptor by descriptor (file 07 of the specification).

use super::Machine;
use super::wire::{Desc, Part};
use crate::outcome::StepPath;
use crate::program::script::Authored;
use crate::program::step::Mode;
use crate::program::{Arch, At};

/// Bytes of the largest chunk (XFER-1).
const CHUNK: u64 = 0x1_0000;
/// Bytes of a poke and of a no-op (XFER-5, DUMP-3).
const WORD: u64 = 4;
/// Ring id of everything on a virtual ring (XFER-1).
const PHASE: u32 = 1;
/// A descriptor that is a packet of its own.
const ALONE: Part = Part {
    first: true,
    last: true,
};

/// The two halves.
#[derive(Default)]
struct Halves {
    tx: Vec<Desc>,
    rx: Vec<Desc>,
    variables: u64,
}

impl Halves {
    fn pair(&mut self, mode: Mode, src: u64, dst: u64, size: u64) {
        self.tx.push(Desc::tx(ALONE, mode, PHASE, src, size));
        self.rx.push(Desc::rx(mode, false, PHASE, dst, size));
    }

    /// XFER-1, XFER-2.
    fn transfer(&mut self, mode: Mode, src: u64, dst: u64, size: u64) {
        let mut done = 0;
        while done < size {
            let bytes = CHUNK.min(size - done);
            let last = done + bytes == size;
            let mode = if last { mode } else { Mode::None };
            self.pair(mode, src.wrapping_add(done), dst.wrapping_add(done), bytes);
            done += bytes;
        }
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
                self.tx[at].place(Part {
                    first: at == first,
                    last: at + 1 == end,
                });
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

impl Machine<'_> {
    fn author(&self, halves: &mut Halves, step: &Authored) -> Option<()> {
        let sow = self.arch != Arch::V2;
        let ordering = |ordered: bool, sow: bool| match (ordered, sow) {
            (false, _) => Mode::None,
            (true, true) => Mode::Sow,
            (true, false) => Mode::Dmb,
        };
        match step {
            Authored::Transfer {
                src,
                dst,
                size,
                ordered,
            } => {
                let mode = ordering(*ordered, sow);
                halves.transfer(mode, self.address(src), self.address(dst), size.0);
            }
            Authored::TransferEx {
                src,
                dst,
                size,
                ordered,
            } => {
                let mode = ordering(*ordered, false);
                halves.transfer(mode, self.address(src), self.address(dst), size.0);
            }
            Authored::Poke { src, dst } => {
                halves.pair(
                    ordering(true, sow),
                    self.address(src),
                    self.address(dst),
                    WORD,
                );
            }
            Authored::Packet { blocks, mode } => {
                for (index, block) in blocks.iter().enumerate() {
                    let part = Part {
                        first: index == 0,
                        last: index + 1 == blocks.len(),
                    };
                    let (src, dst) = (self.address(&block.src), self.address(&block.dst));
                    let size = block.size.0;
                    halves.tx.push(Desc::tx(part, *mode, PHASE, src, size));
                    halves.rx.push(Desc::rx(*mode, false, PHASE, dst, size));
                }
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
                Desc::tx(ALONE, Mode::None, PHASE, scratch, WORD),
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
