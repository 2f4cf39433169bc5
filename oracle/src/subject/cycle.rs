//! What can be asked of an implementation about ring cycles: transfers on a queue, and what the
//! HAL line has of them.

use super::RingMemory;
use crate::wire::{Desc, Ring};

use serde::{Deserialize, Serialize};

/// What a driver reaches the outside through; every call is one access (see "the ring cycle" in
/// `udma_oracle.h`). Host memory is addressed by CPU physical address.
pub trait Host {
    /// Register read.
    fn read32(&self, space: u32, offset: u64) -> u32;
    /// Register write.
    fn write32(&self, space: u32, offset: u64, value: u32);
    /// Full memory barrier.
    fn barrier(&self);
    /// Load of a word.
    fn load32(&self, address: u64) -> u32;
    /// Store of a word.
    fn store32(&self, address: u64, value: u32);
    /// Sets bytes.
    fn fill(&self, address: u64, byte: u8, length: u64);
    /// Microseconds since any moment.
    fn now(&self) -> u64;
    /// Waits, in microseconds.
    fn delay(&self, us: u64);
    /// Calls of [`Host::delay`] during which no word of memory changes if nothing else is done: what
    /// was loaded may be taken to be loaded again. 0 where that is not known.
    fn stays(&self) -> u64 {
        0
    }
    /// Whether what began at `started` began inside a reset window.
    fn in_reset_window(&self, started: u64) -> bool;
    /// A ring was acknowledged: producer index, consumer index and phase afterwards.
    fn acked(&self, ring: Ring, cursors: [u32; 3]);
    /// Pins user pages and gives the CPU address of each; pins none and gives false if it cannot.
    fn pin(&self, page: u64, frames: &mut [u64]) -> bool;
    /// Gives back what one call of [`Host::pin`] pinned.
    fn unpin(&self, page: u64, count: u32);
    /// Descriptor memory of the queue.
    fn rings(&self) -> &RingMemory;
}

/// A queue that carries host transfers, and the engine that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// Architecture number.
    pub arch: u8,
    /// Driver version by its number.
    pub driver: u8,
    /// `UDMA_PLATFORM_*`.
    pub platform: u32,
    /// Queues of the engine.
    pub num_queues: u32,
    /// Number of the engine.
    pub engine: u32,
    /// The queue.
    pub qid: u32,
    /// The core that it belongs to.
    pub core: u32,
    /// Descriptors of the TX and RX ring.
    pub size: [u32; 2],
    /// DMA addresses of the TX and RX ring.
    pub base: [u64; 2],
    /// CPU address of the completion buffers.
    pub completion: u64,
    /// Bytes of a chunk.
    pub chunk: u32,
    /// Compared before a chunk is staged.
    pub threshold: u32,
}

/// A transfer, by DMA addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transfer {
    /// Source.
    pub src: u64,
    /// Destination.
    pub dst: u64,
    /// Bytes.
    pub size: u64,
    /// Whether the source advances.
    pub src_moves: bool,
    /// Whether the destination advances.
    pub dst_moves: bool,
}

/// A fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fill {
    /// CPU address of the host buffer.
    pub buffer: u64,
    /// DMA address.
    pub dst: u64,
    /// Bytes.
    pub size: u64,
    /// Its low byte counts.
    pub value: u32,
}

/// A copy of user pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ZeroCopy {
    /// User address.
    pub user: u64,
    /// DMA address of the device's side.
    pub device: u64,
    /// Bytes.
    pub size: u64,
    /// CPU addresses of the two completion buffers.
    pub completion: [u64; 2],
    /// The core that asks.
    pub core: u32,
    /// Direction.
    pub to_device: bool,
}

/// A context queue (ZC-8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contexts {
    /// CPU address of 8 bytes a context.
    pub completion: u64,
    /// Pages that may be pinned.
    pub budget: u64,
    /// Contexts.
    pub capacity: u32,
    /// Entries of the completion ring.
    pub entries: u32,
}

/// Cursors and phase, TX and RX: producer, consumer, ring id.
pub type Cursors = [[u32; 3]; 2];

/// Transfers on one queue. Codes are the original's; `None` is "not offered".
pub trait Transfers {
    /// Copies and waits.
    fn copy(&mut self, transfer: &Transfer) -> Option<i32>;
    /// Submits after a handle: code, and the new handle where the code is 0.
    fn submit(&mut self, transfer: &Transfer, previous: i32) -> Option<(i32, i32)>;
    /// Waits for a handle.
    fn wait(&mut self, handle: i32) -> Option<i32>;
    /// Fills.
    fn memset(&mut self, fill: &Fill) -> Option<i32>;
    /// Copies user pages with two contexts.
    fn zero_copy(&mut self, copy: &ZeroCopy) -> Option<i32>;
    /// Opens a context queue.
    fn contexts_open(&mut self, contexts: &Contexts) -> Option<()>;
    /// Takes an asynchronous copy in.
    fn contexts_submit(&mut self, copy: &ZeroCopy, tag: u64) -> Option<i32>;
    /// A synchronous copy through the context queue.
    fn contexts_copy(&mut self, copy: &ZeroCopy) -> Option<i32>;
    /// One round; whether anything moved.
    fn contexts_advance(&mut self) -> Option<bool>;
    /// Head, first pinned-unsubmitted, first unpinned, tail, pinned pages.
    fn contexts_state(&self) -> Option<[u64; 5]>;
    /// State of the context with an index.
    fn contexts_at(&self, index: u32) -> Option<u32>;
    /// The oldest unread completion: tag and code.
    fn completion_pop(&mut self) -> Option<Option<(u64, i32)>>;
    /// Cursors of both rings.
    fn cursors(&self) -> Option<Cursors>;
}

/// Where the host transfers of a core go (HOST-1, HOST-2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostPlace {
    /// Host window.
    pub window: u64,
    /// Engine.
    pub engine: u32,
    /// Queue.
    pub queue: u32,
    /// Descriptors of each ring.
    pub ring_size: u32,
}

/// What is asked about a wait (POLL-2, POLL-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitCase {
    /// Architecture number.
    pub arch: u8,
    /// Driver version.
    pub driver: u8,
    /// Platform.
    pub platform: u32,
    /// Pairs, marker included.
    pub count: u32,
    /// Asynchronous form.
    pub is_async: bool,
}

/// A shadow queue (SWQ).
pub use udma_reference::abi::udma_shadow as Shadow;

/// Descriptors on their way into a ring (SWQ-4).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    /// With ring id 0.
    pub descs: Vec<Desc>,
    /// Pointers that replace the descriptors' own.
    pub addresses: Option<Vec<u64>>,
    /// Slot of the first.
    pub first: u32,
    /// Phase of that slot.
    pub phase: u32,
}

/// Ring cycles of a subject. Each is `None` when it is not offered.
pub trait Cycle {
    /// An engine with one queue initialised and opened for host transfers.
    fn transfers<'a>(
        &self,
        _setup: &Setup,
        _host: &'a dyn Host,
    ) -> Option<Box<dyn Transfers + 'a>> {
        None
    }

    /// First and following wait.
    fn wait_estimate(&self, _case: &WaitCase) -> Option<[u64; 2]> {
        None
    }

    /// Place of a core; none inside for a core that the architecture does not have.
    fn host_place(&self, _arch: u8, _core: u32) -> Option<Option<HostPlace>> {
        None
    }

    /// Whether zero-copy is offered on an architecture.
    fn zerocopy_offered(&self, _arch: u8, _overridden: bool) -> Option<bool> {
        None
    }

    /// A fresh shadow queue.
    fn shadow(&self, _count: u32) -> Option<Shadow> {
        None
    }

    /// Reserves; gives the code and the first slots of TX and RX where the code is 0.
    fn shadow_reserve(
        &self,
        _tx: &mut Shadow,
        _rx: &mut Shadow,
        _count: u32,
    ) -> Option<(i32, [u32; 2])> {
        None
    }

    /// Phase of a slot.
    fn shadow_ring_id_at(&self, _queue: &Shadow, _index: u32) -> Option<u32> {
        None
    }

    /// Commits into `ring`; gives the code and the runs copied.
    fn shadow_commit(&self, _commit: &Commit, _ring: &mut [Desc]) -> Option<(i32, u32)> {
        None
    }

    /// The HAL line's start.
    fn bare_copy_start(&self, _qid: u32, _m2s: u32, _s2m: u32, _host: &dyn Host) -> Option<i32> {
        None
    }

    /// The HAL line's poll.
    fn software_poll(&self, _word: u64, _looks: u64, _host: &dyn Host) -> Option<i32> {
        None
    }
}
