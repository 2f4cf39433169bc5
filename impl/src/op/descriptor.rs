//! META descriptors of compute packets: the ones that stand in front of the data (CCE-1, CCE-2,
//! CCE-4, CCE-7, OPC-5), and the transpose descriptor (TRN-2).
//!
//! Bits 31:24 of word0 are one byte here, `front`: the meta index, into which a write barrier is
//! ORed as bit 2 ([`front`]). Once both are in, they cannot be told apart.

use super::words::TransposeWord;
use crate::copy::length_bits;
use crate::desc::{Desc, MAX_LENGTH, field};
use crate::fault::mutant;
use crate::meta::WRITE_BARRIER;

/// Flag in word1 of every descriptor in front of a packet except [`FmaDescriptor`], where this bit
/// is `more` (OPC-5, CCE-9).
pub const IN_FRONT: u32 = 1 << 26;
/// word1 of a seed-init descriptor that seeds (CCE-7).
pub const SEED_INIT: u32 = 0x0600_0000;
/// Base of word1 of a min/max descriptor with a constant (CCE-4).
pub const MIN_MAX_CONSTANT: u32 = 0x0600_0000;
/// Tag in word2 of a min/max descriptor (CCE-4).
pub const MIN_MAX_TAG: u32 = 0x0200_0000;
/// Base of word1 of a replication extension (OPC-5).
pub const REPLICATION_EXTENSION: u32 = 0x04a0_0000;
/// Base of word1 of a gradient descriptor (OPC-5).
pub const GRADIENT: u32 = 0x0650_0001;
/// Base of word1 of an FMA descriptor (CCE-2).
pub const FMA: u32 = 0x0210_0000;
/// `more` of an FMA descriptor (CCE-2).
pub const FMA_MORE: u32 = 1 << 26;
/// Lowest bit of the three-bit operand in word1 of FMA, replication and gradient descriptors.
pub const X_SHIFT: u32 = 29;
/// Lowest bit of a constant's dtype (CCE-4).
pub const CONST_DTYPE_SHIFT: u32 = 20;
/// Length in word2 of the FMA and min/max descriptors (CCE-2, CCE-4).
pub const META_LENGTH: u32 = 0x00ff_ffff;
/// Lowest bits of the FMA operand selectors in word2, two bits each (CCE-2).
pub const SELECT_A_SHIFT: u32 = 24;
/// See [`SELECT_A_SHIFT`].
pub const SELECT_B_SHIFT: u32 = 26;
/// See [`SELECT_A_SHIFT`].
pub const SELECT_C_SHIFT: u32 = 28;

/// The top byte of word0: the meta index with the write barrier ORed in (CCE-1).
pub fn front(index: u32, write_barrier: bool) -> u8 {
    let barrier = if write_barrier { WRITE_BARRIER } else { 0 };
    index as u8 | (barrier >> field::RING_ID_SHIFT) as u8
}

/// word0 of CCE-1.
fn word0(front: u8) -> u32 {
    let meta = if mutant(313) { 0 } else { field::META };
    let shift = if mutant(314) {
        16
    } else {
        field::RING_ID_SHIFT
    };
    meta | u32::from(front) << shift
}

fn top_byte(desc: &Desc) -> u8 {
    (desc.word0() >> field::RING_ID_SHIFT) as u8
}

/// An operand of an FMA (CCE-2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Select {
    /// The stored buffer: the accumulator.
    #[default]
    Stored = 0,
    /// The input.
    Input = 1,
    /// The scale.
    Scale = 2,
}

/// The FMA descriptor (CCE-2). Values are cut to their fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FmaDescriptor {
    /// Top byte of word0.
    pub front: u8,
    /// Sub-operation, 0..7.
    pub sub: u32,
    /// More descriptors follow.
    pub more: bool,
    /// Three bits without a known meaning.
    pub x: u32,
    /// Length, 24 bits.
    pub length: u32,
    /// Selectors of a, b, c: 0 stored buffer, 1 input, 2 scale; acc' = a * b + c.
    pub select: [u32; 3],
    /// The fp32 scale's bits.
    pub scale: u32,
}

impl Default for FmaDescriptor {
    /// acc' = input * scale + acc (CCE-2).
    fn default() -> Self {
        let [a, b] = if mutant(315) {
            [Select::Scale, Select::Input]
        } else {
            [Select::Input, Select::Scale]
        };
        Self {
            front: 0,
            sub: 0,
            more: false,
            x: 0,
            length: 0,
            select: [a as u32, b as u32, Select::Stored as u32],
            scale: 0,
        }
    }
}

impl FmaDescriptor {
    /// The descriptor.
    pub fn emit(&self) -> Desc {
        let more = if self.more { FMA_MORE } else { 0 };
        let word1 = FMA | self.sub & 7 | more | self.x << X_SHIFT;
        let mut length = self.length & if mutant(316) { 0xffff } else { META_LENGTH };
        if mutant(417) && length == 65536 {
            length = 0;
        }
        let [a, b, c] = self.select.map(|select| select & 3);
        let word2 = length | a << SELECT_A_SHIFT | b << SELECT_B_SHIFT | c << SELECT_C_SHIFT;
        Desc::from_words([word0(self.front), word1, word2, self.scale])
    }

    fn fields(desc: &Desc) -> Self {
        let [_, word1, word2, scale] = desc.words();
        Self {
            front: top_byte(desc),
            sub: word1 & 7,
            more: word1 & FMA_MORE != 0,
            x: word1 >> X_SHIFT,
            length: word2 & META_LENGTH,
            select: [SELECT_A_SHIFT, SELECT_B_SHIFT, SELECT_C_SHIFT].map(|low| word2 >> low & 3),
            scale,
        }
    }
}

/// A min/max descriptor (CCE-4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MinMaxDescriptor {
    /// Top byte of word0.
    pub front: u8,
    /// Length, 24 bits.
    pub length: u32,
    /// Low three bits of the constant's dtype, and the constant; none without one.
    pub constant: Option<(u32, u32)>,
}

impl MinMaxDescriptor {
    /// The descriptor.
    pub fn emit(&self) -> Desc {
        let (word1, constant) = match self.constant {
            Some((dtype, constant)) => (
                (dtype & 7) << CONST_DTYPE_SHIFT | MIN_MAX_CONSTANT,
                constant,
            ),
            None => (0, 0),
        };
        let tag = if mutant(320) { 0 } else { MIN_MAX_TAG };
        let mut word2 = self.length & META_LENGTH | tag;
        if mutant(418) && self.length == 65536 {
            word2 = tag;
        }
        Desc::from_words([word0(self.front), word1, word2, constant])
    }

    fn fields(desc: &Desc) -> Self {
        let [_, word1, word2, constant] = desc.words();
        Self {
            front: top_byte(desc),
            length: word2 & META_LENGTH,
            constant: (word1 != 0).then_some((word1 >> CONST_DTYPE_SHIFT & 7, constant)),
        }
    }
}

/// A seed-init descriptor (CCE-7). It goes before the compute descriptors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SeedInit {
    /// Top byte of word0.
    pub front: u8,
    /// Whether it seeds.
    pub seeding: bool,
    /// The seed, words 2 and 3; where in the payload it lies is informative.
    pub seed: u64,
}

impl SeedInit {
    /// The descriptor.
    pub fn emit(&self) -> Desc {
        let word1 = match self.seeding {
            true if mutant(307) => SEED_INIT & !IN_FRONT,
            true => SEED_INIT,
            false => 0,
        };
        Desc::new(word0(self.front), word1, self.seed)
    }

    fn fields(desc: &Desc) -> Self {
        Self {
            front: top_byte(desc),
            seeding: desc.word1() != 0,
            seed: desc.pointer(),
        }
    }
}

/// A replication extension (OPC-5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ReplicationExtension {
    /// Top byte of word0.
    pub front: u8,
    /// Mode, three bits; 2 is the link of CCE-9.
    pub mode: u32,
    /// Words 2 and 3, informative.
    pub payload: u64,
}

impl ReplicationExtension {
    /// The descriptor.
    pub fn emit(&self) -> Desc {
        let shift = if mutant(308) { 28 } else { X_SHIFT };
        let word1 = self.mode << shift | REPLICATION_EXTENSION;
        Desc::new(word0(self.front), word1, self.payload)
    }

    fn fields(desc: &Desc) -> Self {
        Self {
            front: top_byte(desc),
            mode: desc.word1() >> X_SHIFT,
            payload: desc.pointer(),
        }
    }
}

/// A gradient descriptor (OPC-5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GradientDescriptor {
    /// Top byte of word0.
    pub front: u8,
    /// Three bits without a known meaning.
    pub x: u32,
    /// Words 2 and 3, informative.
    pub payload: u64,
}

impl GradientDescriptor {
    /// The descriptor.
    pub fn emit(&self) -> Desc {
        let base = if mutant(309) { GRADIENT & !1 } else { GRADIENT };
        let word1 = self.x << X_SHIFT | base;
        Desc::new(word0(self.front), word1, self.payload)
    }

    fn fields(desc: &Desc) -> Self {
        Self {
            front: top_byte(desc),
            x: desc.word1() >> X_SHIFT,
            payload: desc.pointer(),
        }
    }
}

/// A transpose descriptor: META in word0, the transpose word in word1 (TRN-2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TransposeDescriptor {
    /// Top byte of word0: the ring byte.
    pub ring_byte: u8,
    /// Bytes, 1..65536; 65536 is put as 0 (DESC-3).
    pub length: u32,
    /// word1.
    pub word: TransposeWord,
    /// Words 2 and 3: the source address.
    pub source: u64,
}

impl TransposeDescriptor {
    /// The descriptor.
    pub fn emit(&self) -> Desc {
        let word0 = word0(self.ring_byte) | length_bits(self.length.into());
        Desc::new(word0, self.word.word(), self.source)
    }

    fn fields(desc: &Desc) -> Self {
        Self {
            ring_byte: top_byte(desc),
            length: match desc.length_field() {
                0 => MAX_LENGTH,
                length => length,
            },
            word: TransposeWord::fields(desc.word1()),
            source: desc.pointer(),
        }
    }
}

/// A META descriptor of a compute packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DescriptorOp {
    /// CCE-2.
    Fma(FmaDescriptor),
    /// CCE-4.
    MinMax(MinMaxDescriptor),
    /// CCE-7.
    SeedInit(SeedInit),
    /// OPC-5.
    Replication(ReplicationExtension),
    /// OPC-5.
    Gradient(GradientDescriptor),
    /// TRN-2.
    Transpose(TransposeDescriptor),
}

impl DescriptorOp {
    /// Its name in printed output.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Fma(_) => "fma descriptor",
            Self::MinMax(_) => "min/max descriptor",
            Self::SeedInit(_) => "seed init",
            Self::Replication(_) => "replication extension",
            Self::Gradient(_) => "gradient descriptor",
            Self::Transpose(_) => "transpose descriptor",
        }
    }

    /// The descriptor.
    pub fn emit(&self) -> Desc {
        match self {
            Self::Fma(op) => op.emit(),
            Self::MinMax(op) => op.emit(),
            Self::SeedInit(op) => op.emit(),
            Self::Replication(op) => op.emit(),
            Self::Gradient(op) => op.emit(),
            Self::Transpose(op) => op.emit(),
        }
    }

    /// What the descriptor would be as each operation, whatever else it holds.
    pub(super) fn candidates(desc: &Desc) -> [Self; 6] {
        [
            Self::Fma(FmaDescriptor::fields(desc)),
            Self::MinMax(MinMaxDescriptor::fields(desc)),
            Self::SeedInit(SeedInit::fields(desc)),
            Self::Replication(ReplicationExtension::fields(desc)),
            Self::Gradient(GradientDescriptor::fields(desc)),
            Self::Transpose(TransposeDescriptor::fields(desc)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Worked from CCE-1, CCE-2, CCE-4, CCE-7 and OPC-5 by hand.
    #[test]
    fn worked_descriptors() {
        let fma = FmaDescriptor {
            front: front(3, false),
            length: 0x1000,
            scale: 0x3f80_0000,
            ..FmaDescriptor::default()
        };
        assert_eq!(
            fma.emit().words(),
            [0x0380_0000, 0x0210_0000, 0x0900_1000, 0x3f80_0000]
        );
        let max = MinMaxDescriptor {
            length: 64,
            constant: Some((10, 7)),
            ..MinMaxDescriptor::default()
        };
        assert_eq!(
            max.emit().words(),
            [0x0080_0000, 0x0620_0000, 0x0200_0040, 7]
        );
        let seed = SeedInit {
            front: front(0, true),
            seeding: true,
            seed: 0x1_0000_0002,
        };
        assert_eq!(seed.emit().words(), [0x0480_0000, 0x0600_0000, 2, 1]);
        let copies = ReplicationExtension {
            mode: 2,
            ..ReplicationExtension::default()
        };
        assert_eq!(copies.emit().word1(), 0x44a0_0000);
        let gradient = GradientDescriptor {
            x: 1,
            ..GradientDescriptor::default()
        };
        assert_eq!(gradient.emit().word1(), 0x2650_0001);
        let transpose = TransposeDescriptor {
            ring_byte: 0x0d,
            length: 65536,
            word: TransposeWord {
                elem_bytes: 2,
                shape: 3,
                dtype: 6,
            },
            source: 0x1000,
        };
        assert_eq!(
            transpose.emit().words(),
            [0x0d80_0000, 0x0096_0322, 0x1000, 0]
        );
    }
}
