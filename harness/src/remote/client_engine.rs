//! Engines behind pipes.

use udma_oracle::subject::{Engine, QueueCfg, RingMemory, Tape};
use udma_oracle::wire::{PairIn, QueueSw, Ring, RingState};

use super::call::typed;
use super::client_steps::Held;

pub(super) struct RemoteEngine {
    pub held: Held,
    pub tape: Tape,
    pub memory: RingMemory,
}

impl Drop for RemoteEngine {
    fn drop(&mut self) {
        let engine = self.held.number;
        self.held.call(typed::EngineClose { engine });
    }
}

impl Engine for RemoteEngine {
    fn queue_init(&mut self, qid: u32, cfg: &QueueCfg) -> Option<i32> {
        self.memory = RingMemory::new(cfg.size);
        let call = typed::QueueInit {
            engine: self.held.number,
            qid,
            cfg: *cfg,
            host: self.tape.contents(),
        };
        self.held.on_tape(&self.tape, call)
    }

    fn queue_sw(&self, qid: u32, ring: Ring) -> Option<QueueSw> {
        let engine = self.held.number;
        self.held.call(typed::QueueSw { engine, qid, ring })
    }

    fn get(&mut self, qid: u32, ring: Ring) -> Option<i64> {
        let engine = self.held.number;
        self.held.call(typed::RingGet { engine, qid, ring })
    }

    fn ring_id(&mut self, qid: u32, ring: Ring) -> Option<u32> {
        let engine = self.held.number;
        self.held.call(typed::RingId { engine, qid, ring })
    }

    fn ack(&mut self, qid: u32, ring: Ring, count: u32) -> Option<i32> {
        self.held.call(typed::RingAck {
            engine: self.held.number,
            qid,
            ring,
            count,
        })
    }

    fn available(&mut self, qid: u32, ring: Ring) -> Option<i64> {
        let engine = self.held.number;
        self.held.call(typed::RingAvailable { engine, qid, ring })
    }

    fn prepare(&mut self, qid: u32, pair: &PairIn) -> Option<i32> {
        let call = typed::Prepare {
            engine: self.held.number,
            qid,
            pair: *pair,
        };
        let (ret, written) = self.held.call(call)?;
        for (ring, index, desc) in written {
            if !self.memory.put(ring, index, desc) {
                let name = ring.name();
                return self
                    .held
                    .shared
                    .refuse(&format!("{name} has no slot {index}"));
            }
        }
        Some(ret)
    }

    fn copy_start(&mut self, qid: u32, m2s_count: u32, s2m_count: u32) -> Option<i32> {
        let call = typed::CopyStart {
            engine: self.held.number,
            qid,
            m2s_count,
            s2m_count,
            host: self.tape.contents(),
        };
        self.held.on_tape(&self.tape, call)
    }

    fn queue_state(&mut self, qid: u32, sw_status: [u32; 2]) -> Option<[RingState; 2]> {
        let call = typed::QueueState {
            engine: self.held.number,
            qid,
            sw_status,
            host: self.tape.contents(),
        };
        self.held.on_tape(&self.tape, call)
    }

    fn memory(&self) -> &RingMemory {
        &self.memory
    }
}
