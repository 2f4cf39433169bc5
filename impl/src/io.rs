//! What the layer reaches the outside through: registers, barriers, ring and host memory, time. The
//! same code runs on a model, on a recording and on a device.

use crate::desc::Desc;

/// Address space of a register offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Offset from the engine base.
    Engine,
    /// Offset from the separate top-level interrupt controller.
    Interrupt,
}

/// 32-bit registers and the full barrier that orders them with memory.
pub trait Mmio {
    /// Reads the register at a byte offset.
    fn read32(&mut self, space: Space, offset: u64) -> u32;
    /// Writes the register at a byte offset.
    fn write32(&mut self, space: Space, offset: u64, value: u32);
    /// Full memory barrier.
    fn barrier(&mut self);
}

/// Side of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Memory to stream: descriptors read the source.
    Tx,
    /// Stream to memory: descriptors write the destination.
    Rx,
}

/// Descriptor memory of the two rings of one queue.
pub trait RingMemory {
    /// Publishes a finished descriptor in a slot, in one 16-byte store (DESC-5).
    fn publish(&mut self, side: Side, slot: u32, desc: &Desc);
}

impl RingMemory for [alloc::vec::Vec<Desc>; 2] {
    fn publish(&mut self, side: Side, slot: u32, desc: &Desc) {
        self[side as usize][slot as usize] = *desc;
    }
}

/// Host memory as the CPU reaches it, by CPU physical address: the completion buffers and the fill
/// buffer.
pub trait Memory {
    /// Stores a 32-bit word, little-endian, once.
    fn store32(&mut self, address: u64, value: u32);
    /// Loads a 32-bit word, little-endian, once.
    fn load32(&mut self, address: u64) -> u32;
    /// Sets `len` bytes.
    fn fill(&mut self, address: u64, byte: u8, len: u64);
}

/// Time, so that waiting is virtual on a model.
pub trait Clock {
    /// Microseconds since any fixed moment.
    fn now(&mut self) -> u64;
    /// Waits `us` microseconds, in one call.
    fn delay(&mut self, us: u64);
    /// Whether what began at `start`, a value of [`Clock::now`], began inside a reset window of the
    /// core (RTRY-1).
    fn in_reset_window(&mut self, start: u64) -> bool;
}

/// Cursors and phase of one ring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursors {
    /// Producer index.
    pub next_desc: u32,
    /// Consumer index.
    pub next_cdesc: u32,
    /// Phase of the next descriptor.
    pub ring_id: u32,
}

/// What can be seen of software state while it changes. Nothing depends on an answer.
pub trait Observer {
    /// A ring was acknowledged; its cursors afterwards.
    fn acked(&mut self, qid: u32, side: Side, cursors: Cursors) {
        let _ = (qid, side, cursors);
    }
}

/// Everything that the ring cycle of one queue needs.
pub trait Host: Mmio + RingMemory + Memory + Clock + Observer {}

impl<T: Mmio + RingMemory + Memory + Clock + Observer> Host for T {}

/// The pages of a user buffer (ZC).
pub trait UserPages {
    /// Pins `frames.len()` pages from the page-aligned user address `page` on and gives the CPU
    /// physical address of each; pins none and gives false where that cannot be done.
    fn pin(&mut self, page: u64, frames: &mut [u64]) -> bool;
    /// Gives back `count` pages that one call of [`UserPages::pin`] pinned.
    fn unpin(&mut self, page: u64, count: usize);
}
