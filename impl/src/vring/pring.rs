//! Physical rings: fixed memory that a half is dumped to (PRNG).

use alloc::vec::Vec;

use super::Error;
use crate::desc::Desc;
use crate::fault::mutant;
use crate::io::Side;
use crate::ring::GUARD_GAP;

/// Bytes that the offset is a multiple of (PRNG-1).
pub const OFFSET_ALIGN: u64 = 256;
const DESC_BYTES: u64 = 16;
/// Rings for fewer descriptors than this hold [`SMALL_RING`] (PRNG-2).
const SMALLEST: u64 = 32;
const SMALL_RING: u64 = 64;

/// Type of a pring (PRNG-1). Other numbers are as good as invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PringType(pub u32);

impl PringType {
    /// Nothing may be dumped to it.
    pub const INVALID: Self = Self(0);
    /// For TX halves.
    pub const TX: Self = Self(1);
    /// For RX halves.
    pub const RX: Self = Self(2);

    /// The type for a side.
    pub const fn of(side: Side) -> Self {
        match side {
            Side::Tx => Self::TX,
            Side::Rx => Self::RX,
        }
    }
}

/// Descriptors that are allocated for `want` of them (PRNG-2): 64 below 32; else the smallest
/// power of two (a ring that wraps around) or multiple of 16 (a linear one) that also holds the 16
/// guard slots. The bytes are 16 times as many.
///
/// A full vring wants more than the engine takes of either kind; its linear ring is programmed
/// with the count that was dumped (VRNG-5).
pub fn pring_size(want: u32, wraps_around: bool) -> u64 {
    let want = u64::from(want);
    let smallest = if mutant(291) { SMALLEST - 1 } else { SMALLEST };
    if want < smallest {
        return SMALL_RING;
    }
    let guard = u64::from(GUARD_GAP);
    if wraps_around {
        let size = (want + if mutant(293) { 0 } else { guard }).next_power_of_two();
        return if mutant(207) {
            size.min(super::CAP.into())
        } else {
            size
        };
    }
    (want + if mutant(292) { 0 } else { guard }).next_multiple_of(16)
}

/// A physical ring over memory `M`: an owned vector, or a slice of mapped device memory.
#[derive(Clone, Debug)]
pub struct Pring<M> {
    /// TX or RX.
    ring_type: PringType,
    /// Memory that holds the ring.
    memory: M,
    /// Where in it slot 0 is, in bytes.
    offset: u64,
    /// Slots filled by the last dump.
    used: u32,
    /// Slots.
    allocated: u32,
}

impl Pring<Vec<Desc>> {
    /// A ring in memory of its own, all zero.
    ///
    /// # Errors
    /// [`Error::NoMemory`].
    pub fn allocate(side: Side, allocated: u32) -> Result<Self, Error> {
        let mut memory = Vec::new();
        memory
            .try_reserve_exact(allocated as usize)
            .map_err(|_| Error::NoMemory)?;
        memory.resize(allocated as usize, Desc::default());
        Self::new(PringType::of(side), memory, 0, allocated)
    }
}

impl<M: AsRef<[Desc]> + AsMut<[Desc]>> Pring<M> {
    /// A ring of `allocated` descriptors, `offset` bytes into `memory`.
    ///
    /// # Errors
    /// [`Error::Offset`] if the offset is not a multiple of 256, [`Error::Memory`] if the memory
    /// ends before the ring does.
    pub fn new(
        ring_type: PringType,
        memory: M,
        offset: u64,
        allocated: u32,
    ) -> Result<Self, Error> {
        if !offset.is_multiple_of(OFFSET_ALIGN) {
            return Err(Error::Offset { offset });
        }
        let end = (offset / DESC_BYTES).checked_add(allocated.into());
        if end.is_none_or(|end| end > memory.as_ref().len() as u64) {
            return Err(Error::Memory { offset, allocated });
        }
        Ok(Self {
            ring_type,
            memory,
            offset,
            used: 0,
            allocated,
        })
    }

    /// Type.
    pub const fn ring_type(&self) -> PringType {
        self.ring_type
    }

    /// Where slot 0 is, in bytes.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Slots filled by the last dump (DUMP-4).
    pub const fn used(&self) -> u32 {
        self.used
    }

    /// Sets what [`Self::used`] gives: of a ring that was filled before this value was made.
    pub fn set_used(&mut self, used: u32) {
        self.used = used;
    }

    /// Slots.
    pub const fn allocated(&self) -> u32 {
        self.allocated
    }

    /// All of the memory, whatever the offset.
    pub fn memory(&self) -> &[Desc] {
        self.memory.as_ref()
    }

    /// The slots, from the offset on.
    pub fn slots(&self) -> &[Desc] {
        let first = (self.offset / DESC_BYTES) as usize;
        &self.memory.as_ref()[first..first + self.allocated as usize]
    }

    /// The slots, to be changed.
    pub fn slots_mut(&mut self) -> &mut [Desc] {
        let first = if mutant(278) {
            0
        } else {
            (self.offset / DESC_BYTES) as usize
        };
        &mut self.memory.as_mut()[first..first + self.allocated as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_sizes() {
        // PRNG-2: want, linear, wrap-around.
        for (want, linear, wrap) in [
            (0, 64, 64),
            (31, 64, 64),
            (32, 48, 64),
            (33, 64, 64),
            (48, 64, 64),
            (49, 80, 128),
            (240, 256, 256),
            (241, 272, 512),
            (16_777_200, 16_777_216, 16_777_216),
            (16_777_201, 16_777_232, 33_554_432),
            (u32::MAX, 4_294_967_312, 8_589_934_592),
        ] {
            assert_eq!(pring_size(want, false), linear, "linear {want}");
            assert_eq!(pring_size(want, true), wrap, "wrap-around {want}");
        }
    }

    #[test]
    fn a_ring_lies_within_its_memory() {
        let new = |offset, allocated| {
            let memory = alloc::vec![Desc::default(); 80];
            Pring::new(PringType::TX, memory, offset, allocated).map(|_| ())
        };
        assert_eq!(new(256, 64), Ok(()));
        assert_eq!(new(128, 64), Err(Error::Offset { offset: 128 }));
        let beyond = Error::Memory {
            offset: 256,
            allocated: 65,
        };
        assert_eq!(new(256, 65), Err(beyond));
        assert!(new(u64::MAX - 255, 1).is_err());
    }
}
