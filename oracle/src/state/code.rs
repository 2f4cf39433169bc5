//! What the engine makes of a descriptor, in a byte.

use udma::Desc;
use udma::io::Side;

use super::driver::COMPLETION;
use super::{POSITIONS, SIZE};
use crate::law::word::{meta, word0};
use crate::model::Arch;

/// Phase in bits 1:0; what it is in bits 4:2; ordering bits above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Code(pub(super) u8);

/// What a descriptor is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Nothing that is to be executed: never written, or executed.
    Old,
    Data,
    /// The marker of a slot.
    Marker(usize),
}

const DATA: u8 = 1;
const MARKER: u8 = 2;
const WRITE_BARRIER: u8 = 1 << 5;
const DMB: u8 = 1 << 6;
const SOW: u8 = 1 << 7;

impl Code {
    /// Nothing, with the phase that is left in the slot.
    pub(super) const fn old(phase: u8) -> Self {
        Self(phase & 3)
    }

    /// A published descriptor.
    pub(super) fn of(side: Side, desc: &Desc, arch: Arch) -> Self {
        let phase = (desc.word0() & word0::RING_ID) >> 24;
        let at = desc.pointer().wrapping_sub(arch.host(COMPLETION));
        let word = match side {
            Side::Tx => 0, // MARK-1: from the source word to the poll word
            Side::Rx => 4,
        };
        let what = match at {
            0..24 if at % 8 == word => MARKER + (at / 8) as u8,
            _ => DATA,
        };
        let mut code = phase as u8 | what << 2;
        let bits = match side {
            Side::Tx => [
                (desc.word1() & meta::WRITE_BARRIER, WRITE_BARRIER),
                (desc.word0() & word0::DMB, DMB),
            ],
            Side::Rx => [(desc.word0() & word0::SOW, SOW), (0, 0)],
        };
        for (set, bit) in bits {
            if set != 0 {
                code |= bit;
            }
        }
        Self(code)
    }

    pub(super) const fn phase(self) -> u8 {
        self.0 & 3
    }

    pub(super) const fn what(self) -> What {
        match self.0 >> 2 & 7 {
            0 => What::Old,
            DATA => What::Data,
            marker => What::Marker((marker - MARKER) as usize),
        }
    }

    pub(super) const fn write_barrier(self) -> bool {
        self.0 & WRITE_BARRIER != 0
    }

    pub(super) const fn dmb(self) -> bool {
        self.0 & DMB != 0
    }

    pub(super) const fn sow(self) -> bool {
        self.0 & SOW != 0
    }
}

/// The slot of a position.
pub(super) const fn slot(position: u8) -> usize {
    (position % SIZE) as usize
}

/// Phase that the lap of a position carries (RING-4, MODL-2).
pub(super) const fn phase(position: u8) -> u8 {
    (position / SIZE + 1) & 3
}

/// The position `by` slots on.
pub(super) const fn on(position: u8, by: u8) -> u8 {
    (position + by) % POSITIONS
}

/// Slots from one position on to another.
pub(super) const fn distance(from: u8, to: u8) -> u8 {
    (to + POSITIONS - from) % POSITIONS
}
