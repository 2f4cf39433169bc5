//! The steps of a program as calls of a device.

use std::mem::offset_of;

use udma::abi::dma::{DmaEngSetState, DmaQueueInit, DmaQueueInitBatch};
use udma::abi::memory::{MemAllocV2MemType64, MemCopy64, MemCopyAsyncWait, Memset64};
use udma::abi::request;
use udma::packet::{Block, build_packet};
use udma::shadow::ShadowQueue;
use udma::{Desc, Line};

use super::client::{Client, MARKER};
use super::port::Port;
use super::reported::RingReport;
use super::vring::packet_request;
use crate::argument::Argument;
use crate::outcome::StepPath;
use crate::program::step::{Op, Side};
use crate::program::{At, Program};

/// Bytes of a block of arguments that a request without a known structure is given.
const UNKNOWN: usize = 4096;

impl<P: Port> Client<'_, P> {
    /// Takes one step; its code.
    pub(super) fn step(&mut self, op: &Op, at: &StepPath) -> i64 {
        match op {
            Op::Init {
                ring,
                tx,
                rx,
                queue,
                engine,
            } => {
                let own = self.program.ring(ring);
                let tx = tx.or(own.map(|ring| ring.tx)).unwrap_or(0);
                let rx = rx.or(own.map(|ring| ring.rx)).unwrap_or(0);
                self.init(ring, tx, rx, *engine, *queue)
            }
            Op::InitBatch { rings, count } => self.init_batch(rings, *count),
            Op::Copy {
                ring,
                src,
                dst,
                size,
                mode,
                interrupt,
            } => {
                let (src, dst) = (self.address(src), self.address(dst));
                self.pairs(ring, src, dst, size.0, *mode, *interrupt)
            }
            Op::Packet { ring, blocks, mode } => {
                let blocks: Vec<Block> = blocks.iter().map(|block| self.block(block)).collect();
                let packet = packet_request(*mode);
                let mut tx = vec![Desc::default(); blocks.len()];
                let mut rx = tx.clone();
                match build_packet(self.arch.into(), &packet, &blocks, &mut tx, &mut rx) {
                    Ok(()) => self.stage(ring, &tx, &rx, true),
                    Err(error) => error.code(Line::Hal).map_or(-22, i64::from),
                }
            }
            Op::Vring {
                ring,
                script,
                padded,
                scratch,
            } => self.vring(ring, script, *padded, scratch.as_ref()),
            Op::Raw { ring, tx, rx } => {
                let Some(queue) = self.queues.get(ring) else {
                    return -22;
                };
                let (mut left, mut right) = (queue.tx, queue.rx);
                let tx = self.raws(tx, &mut left);
                let rx = self.raws(rx, &mut right);
                self.stage(ring, &tx, &rx, false)
            }
            Op::Marker { ring, mode } => {
                let place = At::start(&format!("{ring}.marker"));
                let mut words = u64::from(MARKER).to_le_bytes();
                match self.copy_in(&place, &mut words) {
                    0 => {
                        let start = self.address(&place);
                        self.pairs(ring, start, start + 4, 4, *mode, false)
                    }
                    code => code,
                }
            }
            Op::Doorbell { ring, tx, rx } => self.doorbell(ring, *tx, *rx),
            Op::Wait { ring, .. } => {
                let came = self.wait(ring);
                self.outcome.wait(at, came);
                0
            }
            Op::Ack { ring, count } => self.ack(ring, *count),
            Op::Memset { at, value, size } => {
                let (handle, offset) = self.handle(at);
                let mut arg = Argument::new::<Memset64>();
                arg.set_long(offset_of!(Memset64, mem_handle), handle);
                arg.set_long(offset_of!(Memset64, offset), offset);
                arg.set_word(offset_of!(Memset64, value), *value);
                arg.set_long(offset_of!(Memset64, size), size.0);
                self.port.call(&request::MEMSET64, &mut arg, &mut [])
            }
            Op::DriverCopy { src, dst, size } => {
                let ((src, from), (dst, to)) = (self.handle(src), self.handle(dst));
                let mut arg = Argument::new::<MemCopy64>();
                arg.set_long(offset_of!(MemCopy64, src_mem_handle), src);
                arg.set_long(offset_of!(MemCopy64, dst_mem_handle), dst);
                arg.set_long(offset_of!(MemCopy64, size), size.0);
                arg.set_long(offset_of!(MemCopy64, src_offset), from);
                arg.set_long(offset_of!(MemCopy64, dst_offset), to);
                self.port.call(&request::MEM_COPY64, &mut arg, &mut [])
            }
            Op::AsyncCopy {
                src,
                dst,
                size,
                previous,
                handle,
            } => self.async_copy(src, dst, size.0, *previous, *handle),
            Op::AsyncWait { src, dst, handle } => {
                let ((src, _), (dst, _)) = (self.handle(src), self.handle(dst));
                let mut arg = Argument::new::<MemCopyAsyncWait>();
                arg.set_long(offset_of!(MemCopyAsyncWait, src_mem_handle), src);
                arg.set_long(offset_of!(MemCopyAsyncWait, dst_mem_handle), dst);
                arg.set_word(offset_of!(MemCopyAsyncWait, pwait_handle), *handle as u32);
                self.port
                    .call(&request::MEM_COPY_ASYNC_WAIT, &mut arg, &mut [])
            }
            Op::Write { at, fill, size } => {
                let mut bytes = vec![0; size.0 as usize];
                if fill.put(&mut bytes, self.folder()).is_err() {
                    return -22;
                }
                self.copy_in(at, &mut bytes)
            }
            Op::Read { at, size, r#as } => {
                let mut bytes = vec![0; size.0 as usize];
                let code = self.copy_out_bytes(at, &mut bytes);
                if code == 0 {
                    self.outcome.reads.insert(r#as.clone(), bytes);
                }
                code
            }
            Op::State { ring, r#as } => self.state(ring, r#as),
            Op::CopyOut {
                ring,
                side,
                start,
                count,
                r#as,
            } => self.copy_out(ring, *side, *start, *count, r#as),
            Op::EngineState { ring, r#as } => self.engine_state(ring, r#as),
            Op::SetState { ring, state } => {
                let mut arg = Argument::new::<DmaEngSetState>();
                let engine = self.queues.get(ring).map_or(0, |queue| queue.engine);
                arg.set_word(offset_of!(DmaEngSetState, eng_id), engine);
                arg.set_word(offset_of!(DmaEngSetState, state), *state);
                self.port
                    .call(&request::DMA_ENG_SET_STATE, &mut arg, &mut [])
            }
            Op::Info { buffer, r#as } => self.info(buffer, r#as),
            Op::Alloc {
                size,
                host,
                align,
                channel,
                core,
            } => {
                let mut arg = Argument::new::<MemAllocV2MemType64>();
                arg.set_long(offset_of!(MemAllocV2MemType64, size), size.0);
                arg.set_long(offset_of!(MemAllocV2MemType64, align), align.0);
                arg.set_word(offset_of!(MemAllocV2MemType64, host_memory), (*host).into());
                arg.set_word(offset_of!(MemAllocV2MemType64, dram_channel), *channel);
                arg.set_word(offset_of!(MemAllocV2MemType64, nc_id), *core);
                let place = offset_of!(MemAllocV2MemType64, mem_handle);
                let mut handle = [0; 8];
                let request = &request::MEM_ALLOC_V2MT64;
                let code = self
                    .port
                    .call(request, &mut arg, &mut [(place, &mut handle)]);
                if code == 0 {
                    self.free(u64::from_le_bytes(handle));
                }
                code
            }
            Op::BarWrite {
                ring,
                side,
                register,
                value,
            } => self.bar_write(ring, *side, register.0, value.0 as u32),
            Op::Request { number } => {
                let mut arg = Argument::new::<[u8; UNKNOWN]>();
                self.port.call_number(number.0 as u32, &mut arg, &mut [])
            }
            Op::CopyDescriptors {
                ring,
                side,
                slot,
                descriptors,
                times,
                last,
                queue_type,
            } => {
                let shadow = self.queues.get(ring).map(|queue| match side {
                    Side::Tx => queue.tx,
                    Side::Rx => queue.rx,
                });
                let mut shadow = shadow.unwrap_or_default();
                let once = self.raws(descriptors, &mut shadow);
                let mut all = once.repeat(*times as usize);
                all.extend(self.raws(last.as_slice(), &mut shadow));
                let mut all: Vec<u8> = all.iter().flat_map(Desc::to_bytes).collect();
                let name = format!("{ring}.{}", side.name());
                self.copy_descriptors(&name, slot.0, &mut all, queue_type.unwrap_or(*side as u32))
            }
            Op::Repeat { .. } => 0,
        }
    }

    /// The argument of a queue's initialisation.
    fn init_argument(&self, ring: &str, tx: u32, rx: u32) -> Argument {
        let mut arg = Argument::new::<DmaQueueInit>();
        if let Some(queue) = self.queues.get(ring) {
            arg.set_word(offset_of!(DmaQueueInit, eng_id), queue.engine);
            arg.set_word(offset_of!(DmaQueueInit, qid), queue.queue);
        }
        let handle = |side| self.handle(&At::start(&format!("{ring}.{side}"))).0;
        arg.set_word(offset_of!(DmaQueueInit, tx_desc_count), tx);
        arg.set_word(offset_of!(DmaQueueInit, rx_desc_count), rx);
        arg.set_long(offset_of!(DmaQueueInit, tx_handle), handle("tx"));
        arg.set_long(offset_of!(DmaQueueInit, rx_handle), handle("rx"));
        arg
    }

    pub(super) fn init(
        &mut self,
        ring: &str,
        tx: u32,
        rx: u32,
        engine: Option<u32>,
        queue: Option<u32>,
    ) -> i64 {
        let mut arg = self.init_argument(ring, tx, rx);
        if let Some(engine) = engine {
            arg.set_word(offset_of!(DmaQueueInit, eng_id), engine);
        }
        if let Some(queue) = queue {
            arg.set_word(offset_of!(DmaQueueInit, qid), queue);
        }
        let code = self.port.call(&request::DMA_QUEUE_INIT, &mut arg, &mut []);
        if code == 0 {
            self.begin(ring, tx, rx);
        }
        code
    }

    /// RING-1.
    fn begin(&mut self, ring: &str, tx: u32, rx: u32) {
        if let Some(queue) = self.queues.get_mut(ring) {
            queue.tx = ShadowQueue::new(tx);
            queue.rx = ShadowQueue::new(rx);
            queue.acked = [0; 2];
            queue.staged = [0; 2];
            queue.unacked = 0;
        }
    }

    /// Whether a queue has rings of these sizes and nothing was rung on it.
    fn is_fresh(&mut self, ring: &str, sizes: [u32; 2]) -> bool {
        let fresh = |states: [RingReport; 2]| {
            let of = |state: &RingReport| (state.length, state.tail, state.head);
            states.iter().map(of).eq(sizes.map(|size| (size, 0, 0)))
        };
        self.ring_states(ring).is_ok_and(fresh)
    }

    fn init_batch(&mut self, rings: &[String], count: Option<u32>) -> i64 {
        let mut arg = Argument::new::<DmaQueueInitBatch>();
        arg.set_word(
            offset_of!(DmaQueueInitBatch, count),
            count.unwrap_or(rings.len() as u32),
        );
        let size = size_of::<DmaQueueInit>();
        let sizes = |program: &Program, ring: &str| {
            program.ring(ring).map_or((0, 0), |ring| (ring.tx, ring.rx))
        };
        for (index, ring) in rings.iter().enumerate() {
            let (tx, rx) = sizes(self.program, ring);
            let mut entry = self.init_argument(ring, tx, rx);
            let base = offset_of!(DmaQueueInitBatch, entries) + index * size;
            arg.bytes_mut()[base..base + size].copy_from_slice(entry.bytes_mut());
        }
        let code = self
            .port
            .call(&request::DMA_QUEUE_INIT_BATCH, &mut arg, &mut []);
        if count.is_none() {
            for ring in rings {
                let (tx, rx) = sizes(self.program, ring);
                // DEV-14: queues before the one that failed stay, and no one says which it was.
                if code != 0 && !self.is_fresh(ring, [tx, rx]) {
                    break;
                }
                self.begin(ring, tx, rx);
            }
        }
        code
    }
}
