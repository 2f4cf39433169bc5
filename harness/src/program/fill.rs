//! Contents of memory: what buffers are filled with, and what they must hold.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{At, Number};

/// What a buffer is filled with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Fill {
    /// One byte over and over.
    Byte(u8),
    /// The splitmix64 outputs from this state, each as 8 little-endian bytes.
    Stream(Number),
    /// These bytes over and over, as hex digits.
    Hex(String),
    /// The bytes of a file beside the program, then zeroes.
    File(String),
}

/// A piece of expected contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Piece {
    /// What a buffer held before the first step.
    Of {
        /// First byte.
        of: At,
        /// Bytes.
        size: Number,
    },
    /// A pattern.
    Fill {
        /// The pattern, from its first byte.
        fill: Fill,
        /// Bytes.
        size: Number,
    },
}

impl Piece {
    /// What a buffer held before the first step.
    pub fn of(at: impl Into<At>, size: u64) -> Self {
        Self::Of {
            of: at.into(),
            size: Number(size),
        }
    }

    /// A pattern.
    pub fn fill(fill: Fill, size: u64) -> Self {
        Self::Fill {
            fill,
            size: Number(size),
        }
    }

    /// Bytes.
    pub fn size(&self) -> u64 {
        match self {
            Self::Of { size, .. } | Self::Fill { size, .. } => size.0,
        }
    }
}

/// Bytes of hex digits.
///
/// # Errors
/// Text that is not pairs of hex digits, or none at all.
pub fn bytes_of_hex(text: &str) -> Result<Vec<u8>, String> {
    let bad = || format!("{text:?} is not one or more bytes of two hex digits");
    if text.is_empty() || !text.len().is_multiple_of(2) || !text.is_ascii() {
        return Err(bad());
    }
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| bad()))
        .collect()
}

/// One output of splitmix64.
const fn output(seed: u64, index: u64) -> u64 {
    let mut z = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Fill {
    /// Fills `out` from the pattern's first byte. Files lie in `folder`.
    ///
    /// # Errors
    /// Hex that is none, or a file that cannot be read.
    pub fn put(&self, out: &mut [u8], folder: &Path) -> Result<(), String> {
        match self {
            Self::Byte(byte) => out.fill(*byte),
            Self::Stream(Number(seed)) => {
                for (index, chunk) in out.chunks_mut(8).enumerate() {
                    let word = output(*seed, index as u64).to_le_bytes();
                    chunk.copy_from_slice(&word[..chunk.len()]);
                }
            }
            Self::Hex(text) => {
                let bytes = bytes_of_hex(text)?;
                for chunk in out.chunks_mut(bytes.len()) {
                    chunk.copy_from_slice(&bytes[..chunk.len()]);
                }
            }
            Self::File(name) => {
                let bytes = std::fs::read(folder.join(name))
                    .map_err(|error| format!("fill file {name:?}: {error}"))?;
                let length = bytes.len().min(out.len());
                out[..length].copy_from_slice(&bytes[..length]);
                out[length..].fill(0);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let fill = |fill: Fill, size| {
            let mut out = vec![0xee; size];
            fill.put(&mut out, Path::new(".")).map(|()| out)
        };
        assert_eq!(fill(Fill::Byte(7), 3), Ok(vec![7; 3]));
        assert_eq!(fill(Fill::Hex("0102".into()), 5), Ok(vec![1, 2, 1, 2, 1]));
        // First output of splitmix64 from state 1234567, as published with the generator.
        let stream = fill(Fill::Stream(Number(1_234_567)), 12).unwrap();
        assert_eq!(stream[..8], 6_457_827_717_110_365_317u64.to_le_bytes());
        assert_eq!(stream[8..], 3_203_168_211_198_807_973u64.to_le_bytes()[..4]);
        assert!(fill(Fill::Hex("012".into()), 4).is_err());
        assert!(fill(Fill::File("no-such-file".into()), 4).is_err());
    }
}
