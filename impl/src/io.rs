//! What the layer reaches the outside through: registers, barriers and ring memory. The same code
//! runs on a model, on a recording and on a device.

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
