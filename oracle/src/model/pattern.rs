//! Byte patterns that stand for any number of bytes without storing them.

/// Step of the splitmix64 sequence.
const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// An endless run of bytes that can be entered anywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// The splitmix64 outputs from state `seed`, each as 8 little-endian bytes, first output first,
    /// entered at byte `offset`; the fill of the recorded traces.
    Stream {
        /// State before the first output.
        seed: u64,
        /// Bytes of the sequence that lie before this run.
        offset: u64,
    },
    /// One byte over and over.
    Repeat(u8),
}

/// Output `index` of the sequence from `seed`.
#[inline]
fn output(seed: u64, index: u64) -> u64 {
    let state = seed.wrapping_add(index.wrapping_add(1).wrapping_mul(GAMMA));
    let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Pattern {
    /// The splitmix64 stream of `seed` from its first byte.
    pub const fn stream(seed: u64) -> Self {
        Self::Stream { seed, offset: 0 }
    }

    /// The same run without its first `bytes` bytes.
    #[must_use]
    pub const fn skip(self, bytes: u64) -> Self {
        match self {
            Self::Stream { seed, offset } => Self::Stream {
                seed,
                offset: offset.wrapping_add(bytes),
            },
            Self::Repeat(byte) => Self::Repeat(byte),
        }
    }

    /// Fills `out` with the first bytes of the run.
    pub fn fill(self, out: &mut [u8]) {
        let (seed, offset) = match self {
            Self::Repeat(byte) => return out.fill(byte),
            Self::Stream { seed, offset } => (seed, offset),
        };
        let inside = (offset % 8) as usize;
        let mut index = offset / 8;
        let head = ((8 - inside) % 8).min(out.len());
        let (first, rest) = out.split_at_mut(head);
        if head > 0 {
            first.copy_from_slice(&output(seed, index).to_le_bytes()[inside..inside + head]);
            index += 1;
        }
        let mut words = rest.chunks_exact_mut(8);
        for word in &mut words {
            word.copy_from_slice(&output(seed, index).to_le_bytes());
            index += 1;
        }
        let tail = words.into_remainder();
        let length = tail.len();
        tail.copy_from_slice(&output(seed, index).to_le_bytes()[..length]);
    }

    /// Position of the first byte of `bytes` that differs from the run.
    pub fn first_difference(self, bytes: &[u8]) -> Option<usize> {
        let mut block = [0; 256];
        let mut done = 0;
        for part in bytes.chunks(block.len()) {
            let want = &mut block[..part.len()];
            self.skip(done as u64).fill(want);
            if want != part {
                let at = want.iter().zip(part).position(|(a, b)| a != b);
                return at.map(|at| done + at);
            }
            done += part.len();
        }
        None
    }
}
