//! What steps do with a ring: stage, doorbell, wait, ack.

use std::mem::offset_of;

use udma::abi::dma::{DmaAckCompleted, DmaCopyDescriptors64, DmaQueueCopyStart};
use udma::abi::memory::MemCopyAsync64;
use udma::abi::request;
use udma::shadow::ShadowQueue;
use udma::{Desc, Line, PairBuilder, PairRequest};

use super::client::{Client, MARKER, take};
use super::port::Port;
use crate::argument::Argument;
use crate::outcome::WRONG_HANDLE;
use crate::program::At;
use crate::program::step::{Mode, Raw};

/// Bytes of the largest pair.
const PAIR: u64 = 0x1_0000;

impl<P: Port> Client<'_, P> {
    pub(super) fn pairs(
        &mut self,
        ring: &str,
        src: u64,
        dst: u64,
        size: u64,
        mode: Mode,
        interrupt: bool,
    ) -> i64 {
        let builder = PairBuilder::new(Line::default(), self.arch.into());
        let (mut tx, mut rx) = (Vec::new(), Vec::new());
        let mut done = 0;
        while done < size {
            let bytes = PAIR.min(size - done);
            let mode = if done + bytes == size {
                mode
            } else {
                Mode::None
            };
            let request = PairRequest {
                src: src.wrapping_add(done),
                dst: dst.wrapping_add(done),
                size: bytes,
                mode: mode.number(),
                dst_int: interrupt,
                ..PairRequest::default()
            };
            match builder.pair(&request) {
                Ok((left, right)) => {
                    tx.push(left);
                    rx.push(right);
                }
                Err(error) => return error.code(Line::default()).map_or(-22, i64::from),
            }
            done += bytes;
        }
        self.stage(ring, &tx, &rx, true)
    }

    /// Descriptors with their phases.
    pub(super) fn raws(&self, list: &[Raw], shadow: &mut ShadowQueue) -> Vec<Desc> {
        list.iter()
            .map(|raw| {
                let own = take(shadow).1;
                let word0 = raw.word0.0 as u32 | raw.phase.unwrap_or(own) << 24;
                Desc::new(word0, raw.word1.0 as u32, self.address(&raw.pointer))
            })
            .collect()
    }

    pub(super) fn copy_descriptors(
        &mut self,
        name: &str,
        slot: u64,
        bytes: &mut [u8],
        kind: u32,
    ) -> i64 {
        let (handle, _) = self.handle(&At::start(name));
        let mut arg = Argument::new::<DmaCopyDescriptors64>();
        arg.set_long(offset_of!(DmaCopyDescriptors64, mem_handle), handle);
        arg.set_word(
            offset_of!(DmaCopyDescriptors64, num_descs),
            bytes.len() as u32 / 16,
        );
        let offset = slot.wrapping_mul(16);
        arg.set_long(offset_of!(DmaCopyDescriptors64, offset), offset);
        arg.set_word(offset_of!(DmaCopyDescriptors64, queue_type), kind);
        let buffer = offset_of!(DmaCopyDescriptors64, buffer);
        let request = &request::DMA_COPY_DESCRIPTORS64;
        self.port.call(request, &mut arg, &mut [(buffer, bytes)])
    }

    pub(super) fn doorbell(&mut self, ring: &str, tx: Option<u32>, rx: Option<u32>) -> i64 {
        let Some(queue) = self.queues.get(ring).cloned() else {
            return -22;
        };
        let counts = [tx.unwrap_or(queue.staged[0]), rx.unwrap_or(queue.staged[1])];
        let mut arg = Argument::new::<DmaQueueCopyStart>();
        arg.set_word(offset_of!(DmaQueueCopyStart, eng_id), queue.engine);
        arg.set_word(offset_of!(DmaQueueCopyStart, qid), queue.queue);
        arg.set_word(offset_of!(DmaQueueCopyStart, tx_desc_count), counts[0]);
        arg.set_word(offset_of!(DmaQueueCopyStart, rx_desc_count), counts[1]);
        let code = self
            .port
            .call(&request::DMA_QUEUE_COPY_START, &mut arg, &mut []);
        if code == 0
            && let Some(queue) = self.queues.get_mut(ring)
        {
            queue.unacked += counts[1];
            for (staged, rung) in queue.staged.iter_mut().zip(counts) {
                *staged = staged.saturating_sub(rung);
            }
        }
        code
    }

    /// Looks at the poll word until the marker is there, then clears it (MARK-3).
    pub(super) fn wait(&mut self, ring: &str) -> bool {
        let source = At::start(&format!("{ring}.marker"));
        let poll = source.plus(4);
        let patience = self.port.patience();
        for _ in 0..patience.looks {
            let mut word = [0; 4];
            if self.copy_out_bytes(&poll, &mut word) != 0 {
                return false;
            }
            if u32::from_le_bytes(word) == MARKER {
                let cleared = self.copy_in(&poll, &mut [0; 4]);
                let armed = self.copy_in(&source, &mut MARKER.to_le_bytes());
                return cleared == 0 && armed == 0;
            }
            if !patience.pause.is_zero() {
                std::thread::sleep(patience.pause);
            }
        }
        false
    }

    pub(super) fn ack(&mut self, ring: &str, count: Option<u32>) -> i64 {
        let Some(queue) = self.queues.get_mut(ring) else {
            return -22;
        };
        let count = count.unwrap_or(queue.unacked);
        let mut arg = Argument::new::<DmaAckCompleted>();
        arg.set_word(offset_of!(DmaAckCompleted, eng_id), queue.engine);
        arg.set_word(offset_of!(DmaAckCompleted, qid), queue.queue);
        arg.set_word(offset_of!(DmaAckCompleted, count), count);
        let code = self
            .port
            .call(&request::DMA_ACK_COMPLETED, &mut arg, &mut []);
        if code == 0 {
            queue.unacked = queue.unacked.saturating_sub(count);
            let sizes = [queue.tx.desc_count, queue.rx.desc_count];
            for (acked, size) in queue.acked.iter_mut().zip(sizes) {
                *acked = (*acked + count) % size.max(1);
            }
        }
        code
    }

    pub(super) fn async_copy(
        &mut self,
        src: &At,
        dst: &At,
        size: u64,
        previous: i32,
        wanted: i32,
    ) -> i64 {
        let ((src, from), (dst, to)) = (self.handle(src), self.handle(dst));
        let mut arg = Argument::new::<MemCopyAsync64>();
        arg.set_long(offset_of!(MemCopyAsync64, src_mem_handle), src);
        arg.set_long(offset_of!(MemCopyAsync64, dst_mem_handle), dst);
        arg.set_long(offset_of!(MemCopyAsync64, size), size);
        arg.set_long(offset_of!(MemCopyAsync64, src_offset), from);
        arg.set_long(offset_of!(MemCopyAsync64, dst_offset), to);
        arg.set_word(offset_of!(MemCopyAsync64, pwait_handle), previous as u32);
        let code = self
            .port
            .call(&request::MEM_COPY_ASYNC64, &mut arg, &mut []);
        let given = arg.word(offset_of!(MemCopyAsync64, wait_handle)) as i32;
        if code == 0 && given != wanted {
            // A call that succeeds with another handle than ASYN-1 gives: no code of the driver's.
            return i64::from(given) + WRONG_HANDLE;
        }
        code
    }
}
