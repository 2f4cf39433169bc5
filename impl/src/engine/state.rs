//! What is reported of a queue from its registers (REGS-2).

use super::regs::{self, ring};
use crate::fault::mutant;
use crate::io::{Mmio, Side, Space};

/// Pointers and lengths are 24 bits wide.
const POINTER_MASK: u32 = 0x00ff_ffff;
/// The reported base is 64-byte aligned.
const BASE_MASK: u64 = !0x3f;

/// One ring, decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RingState {
    /// The status register.
    pub hw_status: u32,
    /// Ring base without its low six bits.
    pub base: u64,
    /// Descriptors, 24 bits.
    pub length: u32,
    /// Head, 24 bits.
    pub head: u32,
    /// Tail, 24 bits.
    pub tail: u32,
    /// Completion ring base, unmasked.
    pub completion_base: u64,
    /// Completion ring head, 24 bits.
    pub completion_head: u32,
    /// Base as the copy-out path takes it, unmasked.
    pub raw_base: u64,
    /// Length register as the copy-out path takes it, unmasked.
    pub raw_length: u32,
}

/// Reads one ring back (REGS-2).
pub fn ring_state(mmio: &mut impl Mmio, side: Side, qid: u32) -> RingState {
    let block = regs::queue_block(side, qid);
    let mut read = |offset| mmio.read32(Space::Engine, block + offset);
    let raw_base = wide(read(ring::BASE_LOW), read(ring::BASE_HIGH));
    let raw_length = read(ring::LENGTH);
    RingState {
        hw_status: read(ring::STATUS),
        base: if mutant(69) {
            raw_base
        } else {
            raw_base & BASE_MASK
        },
        length: raw_length & POINTER_MASK,
        head: read(ring::HEAD) & if mutant(70) { 0xffff } else { POINTER_MASK },
        tail: read(ring::TAIL) & POINTER_MASK,
        completion_base: wide(read(ring::COMPLETION_LOW), read(ring::COMPLETION_HIGH)),
        completion_head: read(ring::COMPLETION_HEAD) & POINTER_MASK,
        raw_base,
        raw_length,
    }
}

fn wide(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}
