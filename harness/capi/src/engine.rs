//! Open engines. A handle is a number that is looked up, never followed: a stale or foreign one is
//! refused.

use core::ffi::c_void;
use core::ptr;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use udma::engine::QUEUES;
use udma::io::{Mmio, RingMemory, Side, Space};
use udma_oracle::line::Line;
use udma_oracle::subject::{EngineCfg, QueueCfg};
use udma_oracle::subjects::RustEngine;
use udma_oracle::wire::{Desc, PairIn, Ring};
use udma_reference::abi;

/// An open engine.
pub struct Opened {
    /// The implementation.
    pub engine: RustEngine,
    /// The caller's hooks.
    pub host: Host,
    /// Slot 0 of the TX and RX ring of every queue; null where there is none.
    rings: [Slots; QUEUES],
}

// SAFETY: the hooks and the rings are the caller's, who calls from a thread of its choice and
// answers for their use on that thread; nothing here touches them outside of such a call.
unsafe impl Send for Opened {}

/// The caller's registers and barrier.
pub struct Host {
    ctx: *mut c_void,
    read32: unsafe extern "C" fn(*mut c_void, u32, u64) -> u32,
    write32: unsafe extern "C" fn(*mut c_void, u32, u64, u32),
    barrier: unsafe extern "C" fn(*mut c_void),
}

impl Mmio for Host {
    fn read32(&mut self, space: Space, offset: u64) -> u32 {
        // SAFETY: a hook of the caller with the caller's ctx, as `open` was promised.
        unsafe { (self.read32)(self.ctx, space as u32, offset) }
    }

    fn write32(&mut self, space: Space, offset: u64, value: u32) {
        // SAFETY: as above.
        unsafe { (self.write32)(self.ctx, space as u32, offset, value) }
    }

    fn barrier(&mut self) {
        // SAFETY: as above.
        unsafe { (self.barrier)(self.ctx) }
    }
}

/// The host, watched for writes.
struct Watched<'h> {
    host: &'h mut Host,
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

/// Slot 0 of the two rings of a queue.
#[derive(Clone, Copy)]
struct Slots([*mut Desc; 2]);

impl RingMemory for Slots {
    fn publish(&mut self, side: Side, slot: u32, desc: &udma::Desc) {
        let base = self.0[side as usize];
        let word = desc.words();
        // SAFETY: a ring hands out slots below its size, and none without memory (RING-7); the
        // caller of `queue_init` promised that many.
        unsafe { base.add(slot as usize).write(Desc { word }) }
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

#[derive(Default)]
struct Engines {
    last: usize,
    open: BTreeMap<usize, Arc<Mutex<Opened>>>,
}

static ENGINES: Mutex<Engines> = Mutex::new(Engines {
    last: 0,
    open: BTreeMap::new(),
});

fn engines() -> MutexGuard<'static, Engines> {
    // Nothing panics between two changes of the table.
    ENGINES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A handle of a new engine; none where the line has no engines or a hook is missing.
///
/// # Safety
/// The hooks may be called with the ctx until the engine is closed.
pub unsafe fn open(line: Line, cfg: &abi::udma_engine_cfg) -> Option<*mut c_void> {
    // Numbers that do not fit are unknown ones.
    let narrow = |number: u32| u8::try_from(number).unwrap_or(u8::MAX);
    let engine_cfg = EngineCfg {
        arch: narrow(cfg.arch),
        driver: narrow(cfg.driver),
        num_queues: cfg.num_queues,
        engine_id: cfg.engine_id,
    };
    let opened = Opened {
        engine: RustEngine::open(line, &engine_cfg)?,
        host: Host {
            ctx: cfg.host.ctx,
            read32: cfg.host.read32?,
            write32: cfg.host.write32?,
            barrier: cfg.host.barrier?,
        },
        rings: [Slots([ptr::null_mut(); 2]); QUEUES],
    };
    let mut engines = engines();
    engines.last += 1;
    let number = engines.last;
    engines.open.insert(number, Arc::new(Mutex::new(opened)));
    Some(ptr::without_provenance_mut(number))
}

/// Ends an engine; none for a handle that is not open.
pub fn close(handle: *mut c_void) -> Option<()> {
    let mut engines = engines();
    let closed = engines.open.remove(&handle.addr());
    if engines.open.is_empty() {
        // An emptied map keeps a node, which would be lost when the library is unloaded.
        engines.open = BTreeMap::new();
    }
    drop(engines);
    closed.map(drop)
}

/// Works on an open engine; none for a handle that is not open or is in use.
pub fn on<T>(handle: *mut c_void, work: impl FnOnce(&mut Opened) -> Option<T>) -> Option<T> {
    let opened = engines().open.get(&handle.addr()).cloned()?;
    let mut opened = opened.try_lock().ok()?;
    work(&mut opened)
}

/// The side of a number.
pub fn ring(number: u32) -> Option<Ring> {
    Ring::BOTH.into_iter().find(|ring| *ring as u32 == number)
}
