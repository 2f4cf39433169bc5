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
    /// The pattern, whose file lies in `folder`.
    ///
    /// # Errors
    /// Hex that is none, or a file that cannot be read.
    pub fn load(&self, folder: &Path) -> Result<Pattern, String> {
        Ok(match self {
            Self::Byte(byte) => Pattern::Byte(*byte),
            Self::Stream(Number(seed)) => Pattern::Stream(*seed),
            Self::Hex(text) => Pattern::Again(bytes_of_hex(text)?),
            Self::File(name) => Pattern::Once(
                std::fs::read(folder.join(name))
                    .map_err(|error| format!("fill file {name:?}: {error}"))?,
            ),
        })
    }

    /// Fills `out` from the pattern's first byte.
    ///
    /// # Errors
    /// Those of [`Fill::load`].
    pub fn put(&self, out: &mut [u8], folder: &Path) -> Result<(), String> {
        self.load(folder)?.put(out, 0);
        Ok(())
    }
}

/// A fill that is at hand: any part of it can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// One byte over and over.
    Byte(u8),
    /// Outputs of splitmix64.
    Stream(u64),
    /// Bytes over and over.
    Again(Vec<u8>),
    /// Bytes, then zeroes.
    Once(Vec<u8>),
}

impl Pattern {
    /// Writes the part of the pattern that begins at its byte `from`.
    pub fn put(&self, mut out: &mut [u8], mut from: u64) {
        match self {
            Self::Byte(byte) => out.fill(*byte),
            Self::Stream(seed) => {
                while !out.is_empty() {
                    let word = output(*seed, from / 8).to_le_bytes();
                    out = take(out, &word[(from % 8) as usize..], &mut from);
                }
            }
            Self::Again(bytes) => {
                while !out.is_empty() {
                    let at = from % bytes.len() as u64;
                    out = take(out, &bytes[at as usize..], &mut from);
                }
            }
            Self::Once(bytes) => {
                let rest = bytes.get(from as usize..).unwrap_or_default();
                take(out, rest, &mut from).fill(0);
            }
        }
    }
}

/// Writes the start of `bytes`; what of `out` is left.
fn take<'a>(out: &'a mut [u8], bytes: &[u8], from: &mut u64) -> &'a mut [u8] {
    let length = bytes.len().min(out.len());
    let (now, left) = out.split_at_mut(length);
    now.copy_from_slice(&bytes[..length]);
    *from += length as u64;
    left
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
        for pattern in [
            Pattern::Stream(9),
            Pattern::Again(vec![1, 2, 3]),
            Pattern::Once(vec![4, 5, 6, 7, 8]),
            Pattern::Byte(6),
        ] {
            let (mut whole, mut part) = ([0xee; 40], [0xee; 17]);
            pattern.put(&mut whole, 0);
            for from in 0..23 {
                pattern.put(&mut part, from as u64);
                assert_eq!(part, whole[from..from + 17], "{pattern:?} from {from}");
            }
        }
        assert!(fill(Fill::Hex("012".into()), 4).is_err());
        assert!(fill(Fill::File("no-such-file".into()), 4).is_err());
    }
}
