//! Where registers are (REGS-1, IOFC-1), and those that only keep what was written.

use std::collections::BTreeMap;

use crate::wire::Ring;

/// Queues of an engine.
pub const QUEUES: usize = 16;
/// Bits of cfg that let a queue work: prefetch and scheduling.
pub(super) const ENABLED: u32 = 0x0003_0000;
/// What a queue reset writes.
pub(super) const QUEUE_RESET: u32 = 0x100;
/// Lengths, heads and tails have 24 bits (REGS-2).
pub(super) const COUNT_MASK: u32 = 0x00ff_ffff;

/// Registers of a queue block that the engine acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QueueRegister {
    Cfg,
    BaseLow,
    BaseHigh,
    Length,
    Head,
    TailAdd,
    Tail,
    Reset,
}

/// Registers of an interrupt group that are more than storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroupRegister {
    /// Clears the bits that are written as 0.
    Cause,
    CauseSet,
    /// Clears mask bits that are written as 0.
    MaskClear,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Register {
    Queue(Ring, usize, QueueRegister),
    /// Base of the group.
    Group(u64, GroupRegister),
    Plain,
}

const TX_QUEUES: u64 = 0x1000;
const RX_QUEUES: u64 = 0x2_1000;
const BLOCK: u64 = 0x1000;
const LEVELS: [u64; 2] = [0x3_8000, 0x3_a000];
const GROUP: u64 = 0x40;
const LEVEL_BYTES: u64 = 16 * GROUP;
const CAUSE: u64 = 0x00;
const MASK: u64 = 0x10;
const ABORT_MASK: u64 = 0x30;

/// What is at an offset from the engine base.
pub(super) fn register(offset: u64) -> Register {
    for (ring, base) in [(Ring::Tx, TX_QUEUES), (Ring::Rx, RX_QUEUES)] {
        let (queue, at) = (offset.wrapping_sub(base) / BLOCK, offset % BLOCK);
        if offset >= base && queue < QUEUES as u64 {
            return match queue_register(ring, at) {
                Some(register) => Register::Queue(ring, queue as usize, register),
                None => Register::Plain,
            };
        }
    }
    match group(offset) {
        Some((base, CAUSE)) => Register::Group(base, GroupRegister::Cause),
        Some((base, 0x08)) => Register::Group(base, GroupRegister::CauseSet),
        Some((base, 0x18)) => Register::Group(base, GroupRegister::MaskClear),
        _ => Register::Plain,
    }
}

fn queue_register(ring: Ring, at: u64) -> Option<QueueRegister> {
    let reset = match ring {
        Ring::Tx => 0xb0,
        Ring::Rx => 0x64,
    };
    Some(match at {
        0x20 => QueueRegister::Cfg,
        0x28 => QueueRegister::BaseLow,
        0x2c => QueueRegister::BaseHigh,
        0x30 => QueueRegister::Length,
        0x34 => QueueRegister::Head,
        0x38 => QueueRegister::TailAdd,
        0x3c => QueueRegister::Tail,
        at if at == reset => QueueRegister::Reset,
        _ => return None,
    })
}

/// Base of the interrupt group that an offset lies in, and the offset in it.
fn group(offset: u64) -> Option<(u64, u64)> {
    let level = LEVELS
        .iter()
        .find(|level| (**level..**level + LEVEL_BYTES).contains(&offset))?;
    let inside = (offset - level) % GROUP;
    Some((offset - inside, inside))
}

/// Register words by offset.
#[derive(Clone, Debug, Default)]
pub(super) struct File {
    words: BTreeMap<u64, u32>,
}

impl File {
    /// Masks start out all set: nothing is reported and no abort is armed before the driver asks.
    pub(super) fn read(&self, offset: u64) -> u32 {
        let unset = match group(offset) {
            Some((_, MASK | ABORT_MASK)) => u32::MAX,
            _ => 0,
        };
        self.words.get(&offset).copied().unwrap_or(unset)
    }

    pub(super) fn write(&mut self, offset: u64, value: u32) {
        self.words.insert(offset, value);
    }

    /// IOFC-4.
    pub(super) fn write_group(&mut self, base: u64, register: GroupRegister, value: u32) {
        let (at, word) = match register {
            GroupRegister::Cause => (base + CAUSE, self.read(base + CAUSE) & value),
            GroupRegister::CauseSet => (base + CAUSE, self.read(base + CAUSE) | value),
            GroupRegister::MaskClear => (base + MASK, self.read(base + MASK) & value),
        };
        self.write(at, word);
    }

    /// Latches the ring-id cause of a side (IOFC-12); whether abort is armed for it.
    pub(super) fn latch_ring_id(&mut self, ring: Ring) -> bool {
        let (base, bit) = match ring {
            Ring::Tx => (0x3_a000, 1 << 17),
            Ring::Rx => (0x3_a040, 1 << 11),
        };
        self.write_group(base, GroupRegister::CauseSet, bit);
        self.read(base + ABORT_MASK) & bit == 0
    }
}
