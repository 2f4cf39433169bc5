//! SDMA data types, their sizes, and the two remaps from the runtime's numbers.

use super::error::OpError;
use crate::fault::mutant;

/// An SDMA data type by its number, 1..15.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)] // The names say it all.
pub enum Dtype {
    Uint64 = 1,
    Int8 = 2,
    Uint8 = 3,
    Int16 = 4,
    Uint16 = 5,
    Bfloat16 = 6,
    Fp16 = 7,
    Int32 = 8,
    Uint32 = 9,
    Fp32 = 10,
    Fp32r = 11,
    Int64 = 12,
    Fp8E3 = 13,
    Fp8E4 = 14,
    Fp8E5 = 15,
}

/// What the band of CCE-13 is made of.
pub const BAND: core::ops::RangeInclusive<u32> = 8..=11;

impl Dtype {
    /// Every type, in the order of the numbers.
    pub const ALL: [Self; 15] = [
        Self::Uint64,
        Self::Int8,
        Self::Uint8,
        Self::Int16,
        Self::Uint16,
        Self::Bfloat16,
        Self::Fp16,
        Self::Int32,
        Self::Uint32,
        Self::Fp32,
        Self::Fp32r,
        Self::Int64,
        Self::Fp8E3,
        Self::Fp8E4,
        Self::Fp8E5,
    ];

    /// The type of a number; 0 and numbers above 15 are invalid.
    ///
    /// # Errors
    /// [`OpError::Dtype`].
    pub fn from_number(dtype: u32) -> Result<Self, OpError> {
        (dtype as usize)
            .checked_sub(1)
            .and_then(|index| Self::ALL.get(index).copied())
            .ok_or(OpError::Dtype { dtype })
    }

    /// Its number.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uint64 => "uint64",
            Self::Int8 => "int8",
            Self::Uint8 => "uint8",
            Self::Int16 => "int16",
            Self::Uint16 => "uint16",
            Self::Bfloat16 => "bfloat16",
            Self::Fp16 => "fp16",
            Self::Int32 => "int32",
            Self::Uint32 => "uint32",
            Self::Fp32 => "fp32",
            Self::Fp32r => "fp32r",
            Self::Int64 => "int64",
            Self::Fp8E3 => "fp8_e3",
            Self::Fp8E4 => "fp8_e4",
            Self::Fp8E5 => "fp8_e5",
        }
    }

    /// Bytes of one element in the descriptor size tables.
    pub const fn bytes(self) -> u32 {
        match self {
            Self::Int8 | Self::Uint8 | Self::Fp8E3 | Self::Fp8E4 | Self::Fp8E5 => 1,
            Self::Int16 | Self::Uint16 | Self::Bfloat16 | Self::Fp16 => 2,
            Self::Int32 | Self::Uint32 | Self::Fp32 | Self::Fp32r => 4,
            Self::Uint64 | Self::Int64 => 8,
        }
    }

    /// Bytes of one element in the CCE packet-size table: 0 for fp32r, which makes it an error
    /// there (CCE-12, ERR-10).
    pub fn cce_bytes(self) -> u32 {
        if self == Self::Fp32r && !mutant(333) {
            0
        } else {
            self.bytes()
        }
    }

    /// The types whose number has these low three bits: what a constant's dtype field can mean.
    pub fn of_low_bits(bits: u32) -> impl Iterator<Item = Self> {
        Self::ALL
            .into_iter()
            .filter(move |dtype| dtype.number() & 7 == bits)
    }

    /// The type of a runtime number, 1..15.
    ///
    /// # Errors
    /// [`OpError::RuntimeDtype`].
    pub fn from_runtime(dtype: u32) -> Result<Self, OpError> {
        (dtype as usize)
            .checked_sub(1)
            .and_then(|index| RUNTIME.get(index).copied())
            .ok_or(OpError::RuntimeDtype { dtype })
    }
}

/// SDMA types of the runtime's numbers 1..15.
const RUNTIME: [Dtype; 15] = [
    Dtype::Fp8E3,
    Dtype::Fp8E4,
    Dtype::Fp8E5,
    Dtype::Fp16,
    Dtype::Fp32,
    Dtype::Fp32r,
    Dtype::Bfloat16,
    Dtype::Uint8,
    Dtype::Uint16,
    Dtype::Uint32,
    Dtype::Uint64,
    Dtype::Int8,
    Dtype::Int16,
    Dtype::Int32,
    Dtype::Int64,
];

/// A CCE operation by its SDMA number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum CceOp {
    /// Sum.
    Add = 0,
    /// input * scale + accumulator.
    Fma = 1,
    /// Largest.
    Max = 2,
    /// Smallest.
    Min = 3,
    /// Extended; no runtime operation leads here.
    Ext = 4,
    /// Gradient; no runtime operation leads here.
    Gce = 5,
}

impl CceOp {
    /// The operation of an SDMA number.
    ///
    /// # Errors
    /// [`OpError::CceOp`].
    pub fn from_number(op: u32) -> Result<Self, OpError> {
        match op {
            0 => Ok(Self::Add),
            1 => Ok(Self::Fma),
            2 => Ok(Self::Max),
            3 => Ok(Self::Min),
            4 => Ok(Self::Ext),
            5 => Ok(Self::Gce),
            _ => Err(OpError::CceOp { op }),
        }
    }

    /// Its SDMA number.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// The operation of a runtime number: fma 1, add 2, min 3, max 4. Copy (0), transpose (5) and
    /// the rest are not CCE operations.
    ///
    /// # Errors
    /// [`OpError::RuntimeOp`].
    pub fn from_runtime(op: u32) -> Result<Self, OpError> {
        match op {
            1 => Ok(Self::Fma),
            2 => Ok(Self::Add),
            3 => Ok(Self::Min),
            4 => Ok(Self::Max),
            _ if mutant(329) => Ok(Self::Add),
            _ => Err(OpError::RuntimeOp { op }),
        }
    }
}
