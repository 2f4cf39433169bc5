//! Staged copies and fills (BTCH, ASYN, RTRY, MSET).

use super::super::word::EINVAL;
use super::{Batch, Driver, Slot};
use crate::cycle::trace::Aside;
use crate::model::{Outside, Pattern};
use crate::subject::cycle::{Fill, Transfer};

const SYNC: usize = 0;
/// BARR-1.
const WRITE_BARRIER: i32 = 2;

impl Driver<'_> {
    /// BTCH-6.
    pub(super) fn copy(&mut self, transfer: &Transfer) -> Result<i32, Outside> {
        self.begin(SYNC, transfer);
        loop {
            let code = self.send(SYNC)?;
            if code != 0 {
                return Ok(code);
            }
            let code = self.settle(SYNC, None)?;
            if code != 0 {
                return Ok(code);
            }
            let slot = &mut self.slots[SYNC];
            slot.offset += slot.batch.bytes;
            if slot.offset >= transfer.size {
                return Ok(0);
            }
        }
    }

    /// ASYN-1 to ASYN-4: code, and the handle where it is 0.
    pub(super) fn submit(
        &mut self,
        transfer: &Transfer,
        previous: i32,
    ) -> Result<(i32, i32), Outside> {
        let handle = match previous {
            -1 | 2 => 1,
            0 => return Ok((self.copy(transfer)?, 0)),
            1 => 2,
            _ => return Ok((EINVAL, 0)),
        };
        let awaited = (previous > 0).then_some(previous as usize);
        if awaited.is_some_and(|slot| !self.slots[slot].in_use) {
            return Ok((EINVAL, 0));
        }
        let own = handle as usize;
        self.begin(own, transfer);
        let code = self.send(own)?;
        if code != 0 {
            return Ok((code, 0));
        }
        if self.slots[own].batch.bytes < transfer.size {
            return Ok((EINVAL, 0)); // ASYN-3
        }
        let code = match awaited {
            Some(slot) => self.settle(slot, Some(own))?,
            None => 0,
        };
        Ok((code, if code == 0 { handle } else { 0 }))
    }

    /// ASYN-4.
    pub(super) fn wait(&mut self, handle: i32) -> Result<i32, Outside> {
        if !matches!(handle, 1 | 2) || !self.slots[handle as usize].in_use {
            return Ok(EINVAL);
        }
        let own = handle as usize;
        let other = 3 - own;
        let is_newer =
            self.slots[other].in_use && self.slots[other].serial > self.slots[own].serial;
        self.settle(own, is_newer.then_some(other))
    }

    /// MSET-1.
    pub(super) fn memset(&mut self, fill: &Fill) -> Result<i32, Outside> {
        let first = fill.size.min(65536);
        let source = self.host(fill.buffer);
        if first != 0 {
            let byte = fill.value.to_le_bytes()[0];
            self.aside(Aside::Fill(fill.buffer, byte, first));
            self.memory.fill(source, first, Pattern::Repeat(byte))?;
        }
        let code = self.copy(&moving(source, fill.dst, first))?;
        if code != 0 || fill.size == first {
            return Ok(code);
        }
        self.copy(&Transfer {
            src_moves: false,
            ..moving(fill.dst, fill.dst + first, fill.size - first)
        })
    }

    fn begin(&mut self, slot: usize, transfer: &Transfer) {
        self.serial += 1;
        self.slots[slot] = Slot {
            in_use: false,
            transfer: *transfer,
            offset: 0,
            batch: Batch::default(),
            started: self.now,
            serial: self.serial,
        };
    }

    /// Completion buffer of a slot (MARK-4).
    fn completion(&self, slot: usize) -> u64 {
        self.run.setup.completion + 8 * slot as u64
    }

    /// Stages the next batch of a slot's transfer and rings it (BTCH-1 to BTCH-5, MARK-2).
    fn send(&mut self, slot: usize) -> Result<i32, Outside> {
        let setup = &self.run.setup;
        let (chunk, most) = (u64::from(setup.chunk), u64::from(setup.threshold) + 1);
        let Slot {
            transfer, offset, ..
        } = self.slots[slot];
        self.slots[slot].in_use = false;
        let rest = transfer.size - offset;
        let pairs = rest.div_ceil(chunk).clamp(1, most);
        for pair in 0..pairs {
            let at = offset + pair * chunk;
            let moved =
                |address: u64, moves: bool| address.wrapping_add(if moves { at } else { 0 });
            let code = self.stage(
                moved(transfer.src, transfer.src_moves),
                moved(transfer.dst, transfer.dst_moves),
                chunk.min(rest - pair * chunk),
                if pair + 1 == pairs { WRITE_BARRIER } else { 0 },
            );
            if code != 0 {
                return Ok(code);
            }
        }
        let code = self.stage_marker(self.completion(slot), 0)?;
        if code != 0 {
            return Ok(code);
        }
        let code = self.ring(pairs as u32 + 1);
        if code == 0 {
            self.slots[slot].in_use = true;
            self.slots[slot].batch = Batch {
                pairs: pairs as u32 + 1,
                bytes: rest.min(pairs * chunk),
            };
        }
        Ok(code)
    }

    /// Waits for a slot's batch, with the retry of v2 (RTRY-1).
    fn settle(&mut self, slot: usize, newer: Option<usize>) -> Result<i32, Outside> {
        let mut is_async = slot != SYNC;
        loop {
            let pairs = self.slots[slot].batch.pairs;
            if self.await_marker(self.completion(slot), pairs, is_async)? {
                self.slots[slot].in_use = false;
                return Ok(0);
            }
            if !self.is_v2() {
                return Ok(self.timeout());
            }
            self.aside(Aside::Window(self.slots[slot].started));
            self.asked += 1;
            if !self.run.engine.began_in_window(self.asked - 1) {
                return Ok(self.timeout());
            }
            let again: Vec<usize> = [Some(slot), newer].into_iter().flatten().collect();
            for slot in &again {
                self.slots[*slot].started = self.now;
            }
            self.init_again();
            for slot in again {
                let code = self.send(slot)?;
                if code != 0 {
                    return Ok(code);
                }
            }
            is_async = false;
        }
    }
}

fn moving(src: u64, dst: u64, size: u64) -> Transfer {
    Transfer {
        src,
        dst,
        size,
        src_moves: true,
        dst_moves: true,
    }
}
