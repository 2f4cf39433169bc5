//! The steps of a program as calls of a device.

use std::collections::BTreeMap;
use std::mem::offset_of;

use udma::abi::device::DeviceInfo;
use udma::abi::dma::{
    BarRw, DmaAckCompleted, DmaCopyDescriptors64, DmaDescriptorCopyout, DmaEngGetState,
    DmaEngSetState, DmaEngState, DmaQueueCopyStart, DmaQueueGetState, DmaQueueInit,
    DmaQueueInitBatch, DmaQueueState,
};
use udma::abi::memory::{
    MemAllocV2MemType64, MemCopy64, MemCopyAsync64, MemCopyAsyncWait, MemGetExtendedInfo, Memset64,
};
use udma::abi::{QueueType, request};
use udma::engine::{bar0, regs};
use udma::packet::{Block, build_packet};
use udma::shadow::ShadowQueue;
use udma::{Desc, Line, PairBuilder, PairRequest};

use super::client::{Client, MARKER, take};
use super::port::Port;
use super::vring::packet_request;
use crate::argument::Argument;
use crate::outcome::{SeenSlot, StepPath, WRONG_HANDLE};
use crate::program::step::{Mode, Op, Raw, Side};
use crate::program::{At, Number, Program, Value};

/// Bytes of the largest pair.
const PAIR: u64 = 0x1_0000;
/// Bytes of a block of arguments that a request without a known structure is given.
const UNKNOWN: usize = 4096;

/// What is reported of one ring.
#[derive(Clone, Copy, Debug)]
pub(super) struct RingReport {
    pub sw_status: u32,
    pub base: u64,
    pub length: u32,
    pub head: u32,
    pub tail: u32,
    pub completion_base: u64,
}

fn number(value: impl Into<u64>) -> Value {
    Value::Number(Number(value.into()))
}

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

    fn pairs(
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
    fn raws(&self, list: &[Raw], shadow: &mut ShadowQueue) -> Vec<Desc> {
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

    fn doorbell(&mut self, ring: &str, tx: Option<u32>, rx: Option<u32>) -> i64 {
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
    fn wait(&mut self, ring: &str) -> bool {
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

    fn ack(&mut self, ring: &str, count: Option<u32>) -> i64 {
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

    fn async_copy(&mut self, src: &At, dst: &At, size: u64, previous: i32, wanted: i32) -> i64 {
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

    pub(super) fn ring_states(&mut self, ring: &str) -> Result<[RingReport; 2], String> {
        let place = self
            .queues
            .get(ring)
            .map(|queue| (queue.engine, queue.queue));
        let (engine, queue) = place.unwrap_or_default();
        self.states_of(engine, queue)
    }

    fn states_of(&mut self, engine: u32, queue: u32) -> Result<[RingReport; 2], String> {
        let mut arg = Argument::new::<DmaQueueGetState>();
        arg.set_word(offset_of!(DmaQueueGetState, eng_id), engine);
        arg.set_word(offset_of!(DmaQueueGetState, qid), queue);
        let mut states = [
            Argument::new::<DmaQueueState>(),
            Argument::new::<DmaQueueState>(),
        ];
        let [tx, rx] = &mut states;
        let data = &mut [
            (offset_of!(DmaQueueGetState, tx), tx.bytes_mut()),
            (offset_of!(DmaQueueGetState, rx), rx.bytes_mut()),
        ];
        let code = self
            .port
            .call(&request::DMA_QUEUE_GET_STATE, &mut arg, data);
        if code != 0 {
            return Err(format!(
                "DMA_QUEUE_GET_STATE of {engine}.{queue} gives {code}"
            ));
        }
        Ok(states.map(|state| RingReport {
            sw_status: state.word(offset_of!(DmaQueueState, sw_status)),
            base: state.long(offset_of!(DmaQueueState, base_addr)),
            length: state.word(offset_of!(DmaQueueState, length)),
            head: state.word(offset_of!(DmaQueueState, head_pointer)),
            tail: state.word(offset_of!(DmaQueueState, tail_pointer)),
            completion_base: state.long(offset_of!(DmaQueueState, completion_base_addr)),
        }))
    }

    /// Whether no one seems to use a queue.
    pub(super) fn is_free(&mut self, engine: u32, queue: u32) -> Result<bool, String> {
        let states = self.states_of(engine, queue)?;
        let idle = |state: &RingReport| [0, 64].contains(&state.length) && state.head == state.tail;
        Ok(states.iter().all(idle))
    }

    fn state(&mut self, ring: &str, name: &str) -> i64 {
        let Ok(states) = self.ring_states(ring) else {
            return -22;
        };
        let mut fields = BTreeMap::new();
        for (side, state) in ["tx", "rx"].into_iter().zip(states) {
            let mut put = |field: &str, value| fields.insert(format!("{side}.{field}"), value);
            put("length", number(state.length));
            put("tail", number(state.tail));
            put("head", number(state.head));
            put("base", Value::Place(self.named(state.base)));
            put("sw_status", number(state.sw_status));
            put("completion_base", number(state.completion_base));
        }
        self.outcome.states.insert(name.into(), fields);
        0
    }

    fn copy_out(&mut self, ring: &str, side: Side, start: u32, count: u32, name: &str) -> i64 {
        let Some(queue) = self.queues.get(ring) else {
            return -22;
        };
        let kind = match side {
            Side::Tx => QueueType::Tx,
            Side::Rx => QueueType::Rx,
        };
        let mut arg = Argument::new::<DmaDescriptorCopyout>();
        arg.set_word(offset_of!(DmaDescriptorCopyout, eng_id), queue.engine);
        arg.set_word(offset_of!(DmaDescriptorCopyout, qid), queue.queue);
        arg.set_word(offset_of!(DmaDescriptorCopyout, r#type), kind.number());
        arg.set_word(offset_of!(DmaDescriptorCopyout, start_index), start);
        arg.set_word(offset_of!(DmaDescriptorCopyout, count), count);
        let mut bytes = vec![0; count as usize * 16];
        let buffer = offset_of!(DmaDescriptorCopyout, buffer);
        let request = &request::DMA_DESCRIPTOR_COPYOUT;
        let code = self
            .port
            .call(request, &mut arg, &mut [(buffer, &mut bytes)]);
        if code == 0 {
            let slots = bytes.chunks_exact(16).map(|slot| {
                let mut raw = [0; 16];
                raw.copy_from_slice(slot);
                let desc = Desc::from_bytes(raw);
                SeenSlot {
                    word0: desc.word0(),
                    word1: desc.word1(),
                    raw: desc.pointer(),
                    pointer: self.named(desc.pointer()),
                }
            });
            let slots = slots.collect();
            self.outcome.copied.insert(name.into(), slots);
        }
        code
    }

    fn engine_state(&mut self, ring: &str, name: &str) -> i64 {
        let engine = self.queues.get(ring).map_or(0, |queue| queue.engine);
        let mut arg = Argument::new::<DmaEngGetState>();
        arg.set_word(offset_of!(DmaEngGetState, eng_id), engine);
        let mut state = Argument::new::<DmaEngState>();
        let place = offset_of!(DmaEngGetState, state);
        let data = &mut [(place, state.bytes_mut())];
        let code = self.port.call(&request::DMA_ENG_GET_STATE, &mut arg, data);
        if code == 0 {
            let fields = [
                ("revision", offset_of!(DmaEngState, revision_id)),
                ("max_queues", offset_of!(DmaEngState, max_queues)),
                ("num_queues", offset_of!(DmaEngState, num_queues)),
            ];
            let fields = fields.map(|(field, at)| (field.to_string(), number(state.word(at))));
            self.outcome.states.insert(name.into(), fields.into());
        }
        code
    }

    fn info(&mut self, buffer: &str, name: &str) -> i64 {
        let Some(place) = self.place(buffer).cloned() else {
            return -22;
        };
        let mut info = Argument::new::<MemGetExtendedInfo>();
        info.set_long(offset_of!(MemGetExtendedInfo, mem_handle), place.handle);
        let code = self
            .port
            .call(&request::MEM_GET_EXTENDED_INFO, &mut info, &mut []);
        if code == 0 {
            let address = info.long(offset_of!(MemGetExtendedInfo, pa));
            let named = if address == place.address - place.before {
                At::Named(buffer.into(), -(place.before as i64))
            } else {
                At::Address(address)
            };
            let fields = [
                (
                    "size",
                    number(info.long(offset_of!(MemGetExtendedInfo, size))),
                ),
                (
                    "host_memory",
                    number(info.word(offset_of!(MemGetExtendedInfo, host_memory))),
                ),
                ("pa", Value::Place(named)),
            ];
            let fields = fields.map(|(field, value)| (field.to_string(), value));
            self.outcome.states.insert(name.into(), fields.into());
        }
        code
    }

    fn bar_write(&mut self, ring: &str, side: Side, register: u64, value: u32) -> i64 {
        let mut info = Argument::new::<DeviceInfo>();
        let code = self.port.call(&request::DEVICE_INFO, &mut info, &mut []);
        if code != 0 {
            return code;
        }
        let Some(queue) = self.queues.get(ring) else {
            return -22;
        };
        let (engine, qid) = (queue.engine as usize, queue.queue);
        let base = bar0::engine_bases(self.arch.into())
            .nth(engine)
            .unwrap_or(0);
        let side = match side {
            Side::Tx => udma::io::Side::Tx,
            Side::Rx => udma::io::Side::Rx,
        };
        let bar = info.long(offset_of!(DeviceInfo, bar_address));
        let mut address = (bar + base + regs::queue_block(side, qid) + register).to_le_bytes();
        let mut data = value.to_le_bytes();
        let mut arg = Argument::new::<BarRw>();
        arg.set_word(offset_of!(BarRw, count), 1);
        let places = &mut [
            (offset_of!(BarRw, address), &mut address[..]),
            (offset_of!(BarRw, data), &mut data[..]),
        ];
        self.port.call(&request::BAR_WRITE, &mut arg, places)
    }
}
