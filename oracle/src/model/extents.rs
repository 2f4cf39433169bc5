//! A region whose contents are runs of patterns and bytes, so that what was never a byte never
//! becomes one.

use std::collections::BTreeMap;

use super::pattern::Pattern;

/// What a run holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The first bytes of a pattern.
    Pattern(Pattern),
    /// Bytes as they are; as many as the run is long.
    Bytes(Box<[u8]>),
}

impl Content {
    /// `length` bytes from byte `skip` of a run.
    fn part(&self, skip: u64, length: u64) -> Self {
        match self {
            Self::Pattern(pattern) => Self::Pattern(pattern.skip(skip)),
            Self::Bytes(bytes) => {
                Self::Bytes(bytes[skip as usize..(skip + length) as usize].into())
            }
        }
    }
}

#[derive(Clone, Debug)]
struct Run {
    length: u64,
    content: Content,
}

/// Runs by the offset where they start; they cover the region without a gap.
#[derive(Clone, Debug)]
pub struct Extents {
    runs: BTreeMap<u64, Run>,
    /// What the region is expected to hold in the end: bytes written that equal it are kept as it.
    expected: Option<Pattern>,
}

impl Extents {
    /// A region of `length` bytes that holds a pattern.
    pub fn new(length: u64, pattern: Pattern) -> Self {
        let content = Content::Pattern(pattern);
        Self {
            runs: BTreeMap::from([(0, Run { length, content })]),
            expected: None,
        }
    }

    /// Says what the region will hold in the end.
    pub fn expect(&mut self, pattern: Pattern) {
        self.expected = Some(pattern);
    }

    /// Number of runs: what the region costs.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    /// Calls `each` with the position in the range, length and content of each piece of a range.
    fn pieces(&self, offset: u64, length: u64, mut each: impl FnMut(u64, u64, &Content, u64)) {
        let end = offset + length;
        let first = self
            .runs
            .range(..=offset)
            .next_back()
            .map_or(0, |(at, _)| *at);
        for (start, run) in self.runs.range(first..end) {
            let from = offset.max(*start);
            let to = end.min(start + run.length);
            each(from - offset, to - from, &run.content, from - start);
        }
    }

    /// The bytes from `offset` on.
    pub fn read(&self, offset: u64, out: &mut [u8]) {
        self.pieces(offset, out.len() as u64, |at, length, content, skip| {
            let part = &mut out[at as usize..(at + length) as usize];
            match content {
                Content::Pattern(pattern) => pattern.skip(skip).fill(part),
                Content::Bytes(bytes) => {
                    part.copy_from_slice(&bytes[skip as usize..(skip + length) as usize]);
                }
            }
        });
    }

    /// The pieces of a range as they are kept.
    pub fn take(&self, offset: u64, length: u64) -> Vec<(u64, Content)> {
        let mut parts = Vec::with_capacity(1);
        self.pieces(offset, length, |_, length, content, skip| {
            parts.push((length, content.part(skip, length)));
        });
        parts
    }

    /// Offset within the range of the first byte that is not the pattern's.
    pub fn first_difference(&self, offset: u64, length: u64, want: Pattern) -> Option<u64> {
        let mut found = None;
        self.pieces(offset, length, |at, length, content, skip| {
            if found.is_some() {
                return;
            }
            let want = want.skip(at);
            found = match content {
                Content::Pattern(got) if got.skip(skip) == want => None,
                Content::Pattern(got) => differing(got.skip(skip), want, length).map(|by| at + by),
                Content::Bytes(bytes) => want
                    .first_difference(&bytes[skip as usize..(skip + length) as usize])
                    .map(|by| at + by as u64),
            };
        });
        found
    }

    /// Offset of the first byte that is not as in `other`, which is as long.
    pub fn unlike(&self, other: &Self) -> Option<u64> {
        for (start, run) in &other.runs {
            let found = match &run.content {
                Content::Pattern(pattern) => self.first_difference(*start, run.length, *pattern),
                Content::Bytes(bytes) => {
                    let mut own = vec![0; bytes.len()];
                    self.read(*start, &mut own);
                    let differing = own.iter().zip(bytes).position(|(one, other)| one != other);
                    differing.map(|at| at as u64)
                }
            };
            if let Some(by) = found {
                return Some(start + by);
            }
        }
        None
    }

    /// Puts bytes at `offset`.
    pub fn write(&mut self, offset: u64, bytes: &[u8]) {
        let length = bytes.len() as u64;
        let expected = self.expected.map(|pattern| pattern.skip(offset));
        let content = match expected {
            Some(pattern) if pattern.first_difference(bytes).is_none() => Content::Pattern(pattern),
            _ => Content::Bytes(bytes.into()),
        };
        self.put(offset, length, content);
    }

    /// Puts `length` bytes of a content at `offset`.
    pub fn put(&mut self, offset: u64, length: u64, content: Content) {
        if length == 0 {
            return;
        }
        self.cut(offset);
        self.cut(offset + length);
        // One run to replace is the rule, and not to search twice for it pays.
        while let Some(at) = self
            .runs
            .range(offset..offset + length)
            .next()
            .map(|run| *run.0)
        {
            self.runs.remove(&at);
        }
        self.runs.insert(offset, Run { length, content });
        self.join(offset + length);
        self.join(offset);
    }

    /// Makes a run start at `offset`.
    fn cut(&mut self, offset: u64) {
        let Some((start, run)) = self.runs.range_mut(..offset).next_back() else {
            return;
        };
        let before = offset - start;
        if before >= run.length {
            return;
        }
        let after = Run {
            length: run.length - before,
            content: run.content.part(before, run.length - before),
        };
        run.content = run.content.part(0, before);
        run.length = before;
        self.runs.insert(offset, after);
    }

    /// Joins the run that starts at `offset` to the one before it where one pattern runs through.
    fn join(&mut self, offset: u64) {
        let Some(Content::Pattern(right)) = self.runs.get(&offset).map(|run| &run.content) else {
            return;
        };
        let right = *right;
        let more = self.runs[&offset].length;
        let Some((_, left)) = self.runs.range_mut(..offset).next_back() else {
            return;
        };
        if matches!(left.content, Content::Pattern(pattern) if pattern.skip(left.length) == right) {
            left.length += more;
            self.runs.remove(&offset);
        }
    }
}

/// First position below `length` where two patterns differ.
fn differing(left: Pattern, right: Pattern, length: u64) -> Option<u64> {
    let mut block = [0; 256];
    let mut done = 0;
    while done < length {
        let part = &mut block[..(length - done).min(256) as usize];
        left.skip(done).fill(part);
        if let Some(at) = right.skip(done).first_difference(part) {
            return Some(done + at as u64);
        }
        done += part.len() as u64;
    }
    None
}
