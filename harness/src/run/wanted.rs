//! Contents of memory as they are required, and where others differ from them.

use std::borrow::Cow;

use crate::program::fill::Pattern;

/// Bytes of a line of a hexdump.
const LINE: usize = 16;
/// Lines shown from the first differing one on.
const LINES: usize = 3;
/// Bytes that are compared at once: what is required is never held as a whole.
const WINDOW: usize = 1 << 13;

/// A part of what is required.
#[derive(Clone, Debug)]
pub(super) struct Segment<'a> {
    /// Its first byte.
    pub start: u64,
    /// Bytes.
    pub size: u64,
    pub pattern: Cow<'a, Pattern>,
    /// Byte of the pattern at its start.
    pub from: u64,
}

/// What is required; later segments lie over earlier ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted<'a> {
    /// Bytes.
    pub size: u64,
    pub segments: Vec<Segment<'a>>,
}

impl Wanted<'_> {
    /// Writes the part from byte `start` on; gives how much of `out` there is.
    fn put(&self, out: &mut [u8], start: u64) -> usize {
        let end = self.size.min(start + out.len() as u64);
        for segment in &self.segments {
            let low = segment.start.max(start);
            let high = (segment.start + segment.size).min(end);
            if low < high {
                let part = &mut out[(low - start) as usize..(high - start) as usize];
                segment
                    .pattern
                    .put(part, segment.from + (low - segment.start));
            }
        }
        end.saturating_sub(start) as usize
    }

    /// The bytes around the first difference.
    pub fn line(&self, range: &Differing) -> Vec<u8> {
        let mut bytes = vec![0; LINE * LINES];
        let length = self.put(&mut bytes, range.line() as u64);
        bytes.truncate(length);
        bytes
    }
}

/// The range in which bytes differ from what is required.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Differing {
    pub first: usize,
    last: usize,
    count: usize,
    want: Option<u8>,
    got: Option<u8>,
}

impl Differing {
    pub fn of(want: &Wanted, got: &[u8]) -> Option<Self> {
        let mut found: Option<Self> = None;
        let mut window = [0; WINDOW];
        let both = got.len().max(want.size as usize);
        for start in (0..both).step_by(WINDOW) {
            let length = want.put(&mut window, start as u64);
            let want = &window[..length];
            let got = got.get(start..).unwrap_or_default();
            let got = &got[..got.len().min(WINDOW)];
            if want == got {
                continue;
            }
            for at in 0..want.len().max(got.len()) {
                let (want, got) = (want.get(at).copied(), got.get(at).copied());
                if want != got {
                    let seen = found.get_or_insert(Self {
                        first: start + at,
                        last: 0,
                        count: 0,
                        want,
                        got,
                    });
                    seen.last = start + at;
                    seen.count += 1;
                }
            }
        }
        found
    }

    pub fn say(&self, name: &str) -> String {
        let byte = |byte: Option<u8>| byte.map_or("nothing".into(), |byte| format!("{byte:#04x}"));
        format!(
            "first differing byte {name}+{:#x}: {}, required {}; {} bytes differ up to {name}+{:#x}",
            self.first,
            byte(self.got),
            byte(self.want),
            self.count,
            self.last
        )
    }

    /// First byte of the line of the first difference.
    const fn line(&self) -> usize {
        self.first / LINE * LINE
    }

    /// The same lines of other bytes.
    pub fn lines<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        let rest = bytes.get(self.line()..).unwrap_or_default();
        &rest[..rest.len().min(LINE * LINES)]
    }

    /// The lines around the first difference, as text.
    pub fn dump(&self, bytes: &[u8]) -> Vec<String> {
        let lines = bytes.chunks(LINE).enumerate();
        lines
            .map(|(index, line)| {
                let hex: Vec<String> = line.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("{:06x}  {}", self.line() + index * LINE, hex.join(" "))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(start: u64, size: u64, byte: u8) -> Segment<'static> {
        Segment {
            start,
            size,
            pattern: Cow::Owned(Pattern::Byte(byte)),
            from: 0,
        }
    }

    #[test]
    fn differences_across_windows() {
        let size = 3 * WINDOW + 10;
        let want = Wanted {
            size: size as u64,
            segments: vec![segment(0, size as u64, 1), segment(WINDOW as u64 - 2, 4, 2)],
        };
        let mut got = vec![1; size];
        got[WINDOW - 2..WINDOW + 2].fill(2);
        assert_eq!(Differing::of(&want, &got), None);
        got[WINDOW - 1] = 1;
        got[3 * WINDOW + 9] = 7;
        let range = Differing::of(&want, &got).unwrap();
        assert_eq!(
            (range.first, range.last, range.count),
            (WINDOW - 1, size - 1, 2)
        );
        assert_eq!((range.want, range.got), (Some(2), Some(1)));
        let line = want.line(&range);
        assert_eq!(line[13..19], [1, 2, 2, 2, 2, 1]);
        assert!(range.dump(&line)[0].starts_with(&format!("{:06x}  ", WINDOW - LINE)));
        // Bytes that are missing, and bytes too many.
        got.truncate(size - 1);
        assert_eq!(Differing::of(&want, &got).unwrap().last, size - 1);
        let short = Wanted {
            size: 2,
            segments: vec![segment(0, 2, 1)],
        };
        let range = Differing::of(&short, &[1, 1, 1]).unwrap();
        assert_eq!((range.first, range.want, range.got), (2, None, Some(1)));
    }
}
