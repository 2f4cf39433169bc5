//! The Rust implementation's engine asked in the terms of the C ABI, on whatever registers and ring
//! memory it is handed: the suite's own, or those of a caller of the exported library.

mod transfers;

use std::collections::BTreeMap;

use udma::Arch;
use udma::engine::queue::QueueParams;
use udma::engine::{QUEUES, Udma, state};
use udma::io::{Mmio, RingMemory, Side};

use self::transfers::Carrying;
use super::rust::{arch, code, request, version};
use crate::line::Line;
use crate::subject::{EngineCfg, QueueCfg};
use crate::wire::{BUG, PairIn, QueueSw, Ring, RingState};

/// An engine right after its initialisation, and its queues from then on. Codes are the original's,
/// or [`BUG`]; an operation on a queue that does not exist is not offered.
pub struct RustEngine {
    udma: Udma,
    arch: Arch,
    /// What each queue was initialised with last.
    rings: BTreeMap<u32, QueueParams>,
    /// The queues that carry host transfers.
    carrying: BTreeMap<u32, Carrying>,
}

fn side(ring: Ring) -> Side {
    match ring {
        Ring::Tx => Side::Tx,
        Ring::Rx => Side::Rx,
    }
}

impl RustEngine {
    /// An engine of the kernel line; the HAL line has none.
    pub fn open(line: Line, cfg: &EngineCfg) -> Option<Self> {
        (line == Line::Kernel).then(|| Self {
            udma: Udma::initialised(version(cfg.driver), cfg.num_queues, cfg.engine_id),
            arch: arch(cfg.arch),
            rings: BTreeMap::new(),
            carrying: BTreeMap::new(),
        })
    }

    /// Initialises queue `qid`.
    pub fn queue_init(&mut self, host: &mut impl Mmio, qid: u32, cfg: &QueueCfg) -> i32 {
        let params = QueueParams {
            size: cfg.size,
            base: cfg.base,
            has_memory: cfg.has_memory,
            allocatable: cfg.allocatable,
            completion_ring: cfg.completion_ring,
        };
        let result = self.udma.init_queue(host, qid, &params);
        if result.is_ok() {
            self.rings.insert(qid, params);
            self.carrying.remove(&qid);
        }
        code(result, self.udma.line())
    }

    /// Software state of one side.
    pub fn queue_sw(&self, qid: u32, ring: Ring) -> Option<QueueSw> {
        let queue = self.udma.queue(qid, side(ring))?;
        Some(QueueSw {
            desc_phy_base: queue.base,
            size_mask: queue.ring.size_mask(),
            next_desc_idx: queue.ring.next_desc_idx(),
            desc_ring_id: queue.ring.ring_id(),
            next_cdesc_idx: queue.ring.next_cdesc_idx(),
            size: queue.ring.size(),
            status: queue.status as u32,
            qid: queue.qid,
            type_: queue.side as u32,
            cfg: queue.cfg,
            rlimit_mask: queue.rate_limit,
            is_allocatable: queue.allocatable.into(),
            flags: queue.flags,
            cdesc_size: queue.completion_size,
            comp_ring_id: queue.completion_phase,
            engine_id: queue.engine_id,
            unused: 0,
        })
    }

    /// Takes a slot: its index, -1 for none.
    pub fn get(&mut self, qid: u32, ring: Ring) -> Option<i64> {
        Some(match self.udma.queue_mut(qid, side(ring))?.ring.take() {
            Ok(Some(slot)) => slot.into(),
            Ok(None) => -1,
            Err(_) => BUG.into(),
        })
    }

    /// Asks the ring id of the slot just taken.
    pub fn ring_id(&mut self, qid: u32, ring: Ring) -> Option<u32> {
        Some(self.udma.queue_mut(qid, side(ring))?.ring.take_phase())
    }

    /// Acknowledges `count` descriptors.
    pub fn ack(&mut self, qid: u32, ring: Ring, count: u32) -> Option<i32> {
        let result = self.udma.queue(qid, side(ring))?.ring.ack(count);
        Some(code(result, self.udma.line()))
    }

    /// Free slots.
    pub fn available(&self, qid: u32, ring: Ring) -> Option<i64> {
        let free = self.udma.queue(qid, side(ring))?.ring.available();
        Some(free.map_or(BUG.into(), i64::from))
    }

    /// One pair into both rings of `memory`, that of queue `qid`.
    pub fn prepare(&mut self, memory: &mut impl RingMemory, qid: u32, pair: &PairIn) -> i32 {
        let result = self.udma.prepare(memory, qid, &request(pair));
        code(result, self.udma.line())
    }

    /// Rings both doorbells.
    pub fn copy_start(
        &mut self,
        host: &mut impl Mmio,
        qid: u32,
        m2s_count: u32,
        s2m_count: u32,
    ) -> i32 {
        let result = self.udma.copy_start(host, qid, m2s_count, s2m_count);
        code(result, self.udma.line())
    }

    /// State of both rings from the registers.
    pub fn queue_state(
        host: &mut impl Mmio,
        qid: u32,
        sw_status: [u32; 2],
    ) -> Option<[RingState; 2]> {
        if qid as usize >= QUEUES {
            return None;
        }
        Some(Ring::BOTH.map(|ring| {
            let seen = state::ring_state(host, side(ring), qid);
            RingState {
                base_addr: seen.base,
                completion_base_addr: seen.completion_base,
                raw_base: seen.raw_base,
                hw_status: seen.hw_status,
                sw_status: sw_status[ring as usize],
                length: seen.length,
                head_pointer: seen.head,
                tail_pointer: seen.tail,
                completion_head: seen.completion_head,
                raw_length: seen.raw_length,
                unused: 0,
            }
        }))
    }
}
