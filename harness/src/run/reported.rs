//! What the driver and the registers tell of rings, engines and buffers.

use std::collections::BTreeMap;
use std::mem::offset_of;

use udma::Desc;
use udma::abi::device::DeviceInfo;
use udma::abi::dma::{
    BarRw, DmaDescriptorCopyout, DmaEngGetState, DmaEngState, DmaQueueGetState, DmaQueueState,
};
use udma::abi::memory::MemGetExtendedInfo;
use udma::abi::{QueueType, request};
use udma::engine::{bar0, regs};

use super::client::Client;
use super::port::Port;
use crate::argument::Argument;
use crate::outcome::SeenSlot;
use crate::program::step::Side;
use crate::program::{At, Number, Value};

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
    pub(super) fn ring_states(&mut self, ring: &str) -> Result<[RingReport; 2], String> {
        let place = self
            .queues
            .get(ring)
            .map(|queue| (queue.engine, queue.queue));
        let (engine, queue) = place.unwrap_or_default();
        self.states_of(engine, queue)
    }

    pub(super) fn states_of(&mut self, engine: u32, queue: u32) -> Result<[RingReport; 2], String> {
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

    pub(super) fn state(&mut self, ring: &str, name: &str) -> i64 {
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

    pub(super) fn copy_out(
        &mut self,
        ring: &str,
        side: Side,
        start: u32,
        count: u32,
        name: &str,
    ) -> i64 {
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

    pub(super) fn engine_state(&mut self, ring: &str, name: &str) -> i64 {
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

    pub(super) fn info(&mut self, buffer: &str, name: &str) -> i64 {
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

    pub(super) fn bar_write(&mut self, ring: &str, side: Side, register: u64, value: u32) -> i64 {
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
