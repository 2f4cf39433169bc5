//! Memory as the engine addresses it, kept as extents of known content, so that a transfer of
//! hundreds of megabytes costs nothing but its hash.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

/// What an extent holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// The splitmix64 stream of a seed, from a byte offset on.
    Pattern(u64, u64),
    /// One byte over and over.
    Fill(u8),
    /// Bytes of a little-endian word, from one of them on.
    Word(u32, u64),
}

impl Content {
    /// The content `by` bytes further on.
    fn skip(self, by: u64) -> Self {
        match self {
            Self::Pattern(seed, offset) => Self::Pattern(seed, offset + by),
            Self::Fill(byte) => Self::Fill(byte),
            Self::Word(word, offset) => Self::Word(word, offset + by),
        }
    }

    fn write(self, out: &mut [u8]) {
        match self {
            Self::Fill(byte) => out.fill(byte),
            Self::Word(word, offset) => {
                for (number, byte) in out.iter_mut().enumerate() {
                    *byte = word.to_le_bytes()[offset as usize + number];
                }
            }
            Self::Pattern(seed, mut offset) => {
                let mut done = 0;
                while done < out.len() {
                    let bytes = splitmix(seed, offset / 8).to_le_bytes();
                    let from = (offset % 8) as usize;
                    let count = (8 - from).min(out.len() - done);
                    out[done..done + count].copy_from_slice(&bytes[from..from + count]);
                    done += count;
                    offset += count as u64;
                }
            }
        }
    }
}

/// Output `index` of the splitmix64 generator whose state begins at `seed`.
fn splitmix(seed: u64, index: u64) -> u64 {
    let state = seed.wrapping_add((index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// Extents by address; what is in none is untouched and reads as zeros.
#[derive(Default)]
pub struct Arena {
    extents: BTreeMap<u64, (u64, Content)>,
}

impl Arena {
    /// Puts the stream of a seed somewhere, from `offset` bytes into it on.
    pub fn pattern(&mut self, address: u64, len: u64, seed: u64, offset: u64) {
        self.put(address, len, Some(Content::Pattern(seed, offset)));
    }

    /// Sets bytes.
    pub fn fill(&mut self, address: u64, len: u64, byte: u8) {
        self.put(address, len, Some(Content::Fill(byte)));
    }

    /// Stores a word.
    pub fn store32(&mut self, address: u64, word: u32) {
        self.put(address, 4, Some(Content::Word(word, 0)));
    }

    /// Loads a word.
    pub fn load32(&self, address: u64) -> u32 {
        let mut bytes = [0; 4];
        self.read(address, &mut bytes);
        u32::from_le_bytes(bytes)
    }

    /// Copies.
    pub fn copy(&mut self, src: u64, dst: u64, len: u64) {
        let mut at = dst;
        for (len, content) in self.pieces(src, len) {
            self.put(at, len, content);
            at += len;
        }
    }

    /// Whether nothing was ever put there.
    pub fn is_untouched(&self, address: u64, len: u64) -> bool {
        self.pieces(address, len)
            .iter()
            .all(|(_, content)| content.is_none())
    }

    /// Whether every byte there is `byte`, by a fill.
    pub fn is_filled(&self, address: u64, len: u64, byte: u8) -> bool {
        self.pieces(address, len)
            .iter()
            .all(|(_, content)| *content == Some(Content::Fill(byte)))
    }

    /// Whether two places hold the same content.
    pub fn is_same(&self, left: u64, right: u64, len: u64) -> bool {
        let mut rights = self.pieces(right, len).into_iter();
        let mut right = (0, None::<Content>);
        for (mut len, mut content) in self.pieces(left, len) {
            while len != 0 {
                if right.0 == 0 {
                    right = rights.next().unwrap_or((len, None));
                }
                if content != right.1 {
                    return false;
                }
                let step = len.min(right.0);
                len -= step;
                content = content.map(|content| content.skip(step));
                right = (right.0 - step, right.1.map(|content| content.skip(step)));
            }
        }
        true
    }

    /// SHA-256 of bytes, in hex.
    pub fn sha256(&self, address: u64, len: u64) -> String {
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        for (mut len, mut content) in self.pieces(address, len) {
            while len != 0 {
                let step = len.min(buffer.len() as u64);
                let part = &mut buffer[..step as usize];
                content.unwrap_or(Content::Fill(0)).write(part);
                hash.update(part);
                len -= step;
                content = content.map(|content| content.skip(step));
            }
        }
        hex(&hash.finalize())
    }

    fn read(&self, address: u64, out: &mut [u8]) {
        let mut at = 0;
        for (len, content) in self.pieces(address, out.len() as u64) {
            let part = &mut out[at..at + len as usize];
            content.unwrap_or(Content::Fill(0)).write(part);
            at += len as usize;
        }
    }

    /// What lies in a range, in order, without gaps.
    fn pieces(&self, address: u64, len: u64) -> Vec<(u64, Option<Content>)> {
        let end = address + len;
        let first = self
            .extents
            .range(..=address)
            .next_back()
            .map_or(address, |(start, _)| *start);
        let mut pieces = Vec::new();
        let mut at = address;
        for (&start, &(len, content)) in self.extents.range(first..end) {
            let (from, to) = (start.max(at), (start + len).min(end));
            if from >= to {
                continue;
            }
            if from > at {
                pieces.push((from - at, None));
            }
            pieces.push((to - from, Some(content.skip(from - start))));
            at = to;
        }
        if at < end {
            pieces.push((end - at, None));
        }
        pieces
    }

    fn put(&mut self, address: u64, len: u64, content: Option<Content>) {
        let end = address + len;
        let mut overlapping: Vec<u64> = self
            .extents
            .range(address..end)
            .map(|(start, _)| *start)
            .collect();
        overlapping.extend(
            self.extents
                .range(..address)
                .next_back()
                .map(|(start, _)| *start),
        );
        for start in overlapping {
            let (len, old) = self.extents[&start];
            let old_end = start + len;
            if old_end <= address {
                continue;
            }
            self.extents.remove(&start);
            if start < address {
                self.extents.insert(start, (address - start, old));
            }
            if old_end > end {
                self.extents
                    .insert(end, (old_end - end, old.skip(end - start)));
            }
        }
        if let Some(content) = content.filter(|_| len != 0) {
            self.extents.insert(address, (len, content));
        }
    }
}

/// Lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes everything");
        text
    })
}

#[test]
fn the_stream_is_read_from_any_byte_and_kept_through_overwrites() {
    let mut arena = Arena::default();
    arena.pattern(100, 64, 7, 0);
    let mut whole = [0; 64];
    arena.read(100, &mut whole);
    arena.copy(103, 1000, 50);
    let mut part = [0; 50];
    arena.read(1000, &mut part);
    assert_eq!(part, whole[3..53]);
    arena.fill(1010, 5, 9);
    assert!(arena.is_same(1000, 103, 10) && !arena.is_same(1000, 103, 11));
    assert!(arena.is_same(1015, 118, 35) && arena.is_filled(1010, 5, 9));
    assert!(arena.is_untouched(1050, 10) && !arena.is_untouched(1049, 2));
}
