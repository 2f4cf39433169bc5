//! Open engines.

use core::ffi::c_void;
use core::ptr;

use udma::engine::QUEUES;
use udma::io::{Mmio, Space};
use udma_oracle::line::Line;
use udma_oracle::subject::{EngineCfg, QueueCfg};
use udma_oracle::subjects::RustEngine;
use udma_oracle::wire::{PairIn, Ring};
use udma_reference::abi;

use crate::call::narrow;
use crate::handles::Table;
use crate::host::{Hooks, Outside, Registers, Slots};

/// The open ones.
pub static ENGINES: Table<Opened> = Table::new();

/// An open engine.
pub struct Opened {
    /// The implementation.
    pub engine: RustEngine,
    /// The caller's registers.
    pub host: Registers,
    /// All of the caller's hooks; none where one is missing.
    hooks: Option<Hooks>,
    /// The rings of every queue.
    rings: [Slots; QUEUES],
}

// SAFETY: the hooks and the rings are the caller's, who calls from a thread of its choice and
// answers for their use on that thread; nothing here touches them outside of such a call.
unsafe impl Send for Opened {}

/// The host, watched for writes.
struct Watched<'h> {
    host: &'h mut Registers,
    written: bool,
}

impl Mmio for Watched<'_> {
    fn read32(&mut self, space: Space, offset: u64) -> u32 {
        self.host.read32(space, offset)
    }

    fn write32(&mut self, space: Space, offset: u64, value: u32) {
        self.written = true;
        self.host.write32(space, offset, value);
    }

    fn barrier(&mut self) {
        self.host.barrier();
    }
}

impl Opened {
    /// Initialises a queue.
    ///
    /// # Safety
    /// The rings are null or hold as many slots as the configuration says, until the queue gets
    /// others or the engine is closed.
    pub unsafe fn queue_init(&mut self, qid: u32, cfg: &abi::udma_queue_cfg) -> Option<i32> {
        let rings = [cfg.tx_mem, cfg.rx_mem];
        if !rings.iter().all(|ring| ring.is_aligned()) {
            return None;
        }
        let cfg = QueueCfg {
            size: [cfg.tx_size, cfg.rx_size],
            base: [cfg.tx_base, cfg.rx_base],
            has_memory: rings.map(|ring| !ring.is_null()),
            allocatable: cfg.allocatable != 0,
            completion_ring: cfg.completion_ring != 0,
        };
        let mut host = Watched {
            host: &mut self.host,
            written: false,
        };
        let code = self.engine.queue_init(&mut host, qid, &cfg);
        let written = host.written;
        if let Some(slots) = self.rings.get_mut(qid as usize) {
            // A side keeps its ring unless it was programmed; a refusal after the first write comes
            // on the RX side, with TX programmed in full (QINI-1, QINI-7).
            if written {
                slots.0[0] = rings[0];
            }
            if code == 0 {
                slots.0[1] = rings[1];
            }
        }
        Some(code)
    }

    /// One pair into the rings of a queue.
    pub fn prepare(&mut self, qid: u32, pair: &PairIn) -> i32 {
        let mut none = Slots([ptr::null_mut(); 2]);
        let memory = self.rings.get_mut(qid as usize).unwrap_or(&mut none);
        self.engine.prepare(memory, qid, pair)
    }
}

/// Works on a queue that carries transfers, or is to; none without all of the hooks.
pub fn on_queue<T>(
    engine: *mut c_void,
    qid: u32,
    work: impl FnOnce(&mut RustEngine, &mut Outside) -> Option<T>,
) -> Option<T> {
    ENGINES.on(engine, |opened| {
        let mut outside = Outside {
            hooks: opened.hooks?,
            slots: *opened.rings.get(qid as usize)?,
        };
        work(&mut opened.engine, &mut outside)
    })
}

/// A handle of a new engine; none where the line has no engines or a hook that all need is missing.
///
/// # Safety
/// The hooks may be called with the ctx until the engine is closed.
pub unsafe fn open(line: Line, cfg: &abi::udma_engine_cfg) -> Option<*mut c_void> {
    let engine_cfg = EngineCfg {
        arch: narrow(cfg.arch),
        driver: narrow(cfg.driver),
        num_queues: cfg.num_queues,
        engine_id: cfg.engine_id,
    };
    // SAFETY: the same is asked of this function's caller.
    let (host, hooks) = unsafe { (Registers::new(&cfg.host)?, Hooks::new(&cfg.host)) };
    Some(ENGINES.open(Opened {
        engine: RustEngine::open(line, &engine_cfg)?,
        host,
        hooks,
        rings: [Slots([ptr::null_mut(); 2]); QUEUES],
    }))
}

/// The side of a number.
pub fn ring(number: u32) -> Option<Ring> {
    Ring::BOTH.into_iter().find(|ring| *ring as u32 == number)
}
