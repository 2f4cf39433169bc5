//! A descriptor as the engine has fetched it.

use crate::law::word::{MOST_BYTES, meta, word0};
use crate::wire::Ring;

/// One fetched descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    word0: u32,
    word1: u32,
    /// Source or destination.
    pub(super) pointer: u64,
    /// Descriptors rung on this ring before it, since the reset.
    pub(super) index: u64,
    /// Whether it is one that the model runs.
    pub(super) plain: bool,
}

impl Slot {
    #[inline]
    pub(super) fn new(ring: Ring, bytes: [u8; 16], index: u64) -> Self {
        let raw = u128::from_le_bytes(bytes);
        let (word0, word1) = (raw as u32, (raw >> 32) as u32);
        let plain = match ring {
            // META-1: anything but a plain copy is a computation.
            Ring::Tx => {
                word0 & (word0::META | word0::RESERVED) == 0
                    && word1 & !(meta::WRITE_BARRIER | meta::NOTIFICATION) == meta::PLAIN_COPY
            }
            // A second buffer or MARIANA's semaphore fields.
            Ring::Rx => word0 & (word0::META | word0::RESERVED | word0::CONCAT) == 0 && word1 == 0,
        };
        Self {
            word0,
            word1,
            pointer: (raw >> 64) as u64,
            index,
            plain,
        }
    }

    /// Bytes (DESC-3).
    #[inline]
    pub(super) const fn length(&self) -> u32 {
        match self.word0 & word0::LENGTH {
            0 => MOST_BYTES as u32,
            length => length,
        }
    }

    #[inline]
    pub(super) const fn phase(&self) -> u8 {
        (self.word0 >> 24 & 3) as u8
    }

    pub(super) const fn first(&self) -> bool {
        self.word0 & word0::FIRST != 0
    }

    pub(super) const fn last(&self) -> bool {
        self.word0 & word0::LAST != 0
    }

    pub(super) const fn concat(&self) -> bool {
        self.word0 & word0::CONCAT != 0
    }

    /// Whether it is a packet of its own.
    #[inline]
    pub(super) const fn alone(&self) -> bool {
        self.word0 & (word0::FIRST | word0::LAST | word0::CONCAT) == word0::FIRST | word0::LAST
    }

    /// Data memory barrier, TX.
    pub(super) const fn dmb(&self) -> bool {
        self.word0 & word0::DMB != 0
    }

    /// Write barrier, TX.
    pub(super) const fn write_barrier(&self) -> bool {
        self.word1 & meta::WRITE_BARRIER != 0
    }

    /// Strong-ordered write, RX.
    pub(super) const fn sow(&self) -> bool {
        self.word0 & word0::SOW != 0
    }
}
