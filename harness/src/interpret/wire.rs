//! Descriptors byte by byte (file 02 of the specification).

use crate::program::step::Mode;

/// One descriptor, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Desc {
    pub word0: u32,
    pub word1: u32,
    pub pointer: u64,
}

/// Bytes of the largest pair.
pub const CHUNK: u64 = 0x1_0000;
const CONCAT: u32 = 0x8000_0000;
const DMB: u32 = 0x4000_0000;
const SOW: u32 = 0x2000_0000;
const INTERRUPT: u32 = 0x1000_0000;
const LAST: u32 = 0x0800_0000;
const FIRST: u32 = 0x0400_0000;
const PLAIN_COPY: u32 = 0x0108_0003;
const WRITE_BARRIER: u32 = 0x0400_0000;

/// Where a descriptor stands in its packet.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub first: bool,
    pub last: bool,
}

impl Part {
    /// Of a descriptor that is a packet of its own.
    pub const ALONE: Self = Self {
        first: true,
        last: true,
    };

    /// Of the `index`th of `count`.
    pub const fn of(index: usize, count: usize) -> Self {
        Self {
            first: index == 0,
            last: index + 1 == count,
        }
    }
}

/// The chunks of a copy: bytes before, bytes, and whether it is the last (BLDR-1, XFER-1).
pub fn chunks(size: u64) -> impl Iterator<Item = (u64, u64, bool)> {
    (0..size).step_by(CHUNK as usize).map(move |done| {
        let bytes = CHUNK.min(size - done);
        (done, bytes, done + bytes == size)
    })
}

impl Desc {
    pub fn parse(bytes: &[u8]) -> Self {
        let word = |at: usize| {
            u32::from(bytes[at])
                | u32::from(bytes[at + 1]) << 8
                | u32::from(bytes[at + 2]) << 16
                | u32::from(bytes[at + 3]) << 24
        };
        Self {
            word0: word(0),
            word1: word(4),
            pointer: u64::from(word(8)) | u64::from(word(12)) << 32,
        }
    }

    pub fn bytes(&self) -> [u8; 16] {
        let mut out = [0; 16];
        out[..4].copy_from_slice(&self.word0.to_le_bytes());
        out[4..8].copy_from_slice(&self.word1.to_le_bytes());
        out[8..].copy_from_slice(&self.pointer.to_le_bytes());
        out
    }

    /// BLDR-1, BLDR-9, BLDR-10.
    pub fn tx(part: Part, mode: Mode, phase: u32, pointer: u64, size: u64) -> Self {
        let mut word0 = (size % 0x1_0000) as u32 | phase << 24;
        let mut word1 = PLAIN_COPY;
        if part.first {
            word0 |= FIRST;
        }
        if part.last {
            word0 |= LAST;
        } else {
            word0 |= CONCAT;
        }
        if mode == Mode::Dmb && part.first {
            word0 |= DMB;
        }
        if mode == Mode::WriteBarrier && part.last {
            word1 |= WRITE_BARRIER;
        }
        Self {
            word0,
            word1,
            pointer,
        }
    }

    /// BLDR-2.
    pub fn rx(mode: Mode, interrupt: bool, phase: u32, pointer: u64, size: u64) -> Self {
        let mut word0 = (size % 0x1_0000) as u32 | phase << 24;
        if mode == Mode::Sow {
            word0 |= SOW;
        }
        if interrupt {
            word0 |= INTERRUPT;
        }
        Self {
            word0,
            word1: 0,
            pointer,
        }
    }

    /// Its place in a packet, whatever it was (PACK-5).
    pub fn place(&mut self, part: Part) {
        self.word0 &= !(FIRST | LAST | CONCAT);
        if part.first {
            self.word0 |= FIRST;
        }
        self.word0 |= if part.last { LAST } else { CONCAT };
    }

    /// `meta_ctrl` bit 26 (ERR-4).
    pub fn set_write_barrier(&mut self) {
        self.word1 |= WRITE_BARRIER;
    }

    /// DESC-3.
    pub fn length(&self) -> u64 {
        match self.word0 & 0xffff {
            0 => 0x1_0000,
            length => length.into(),
        }
    }

    pub fn phase(&self) -> u32 {
        self.word0 >> 24 & 3
    }

    pub fn first(&self) -> bool {
        self.word0 & FIRST != 0
    }

    pub fn last(&self) -> bool {
        self.word0 & LAST != 0
    }

    pub fn concat(&self) -> bool {
        self.word0 & CONCAT != 0
    }
}
