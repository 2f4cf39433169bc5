//! The pages of one step as data pairs: joined into runs, runs cut (ZC-3).

use super::steps::PAGE;
use crate::desc::MAX_LENGTH;
use crate::fault::mutant;

/// The data pairs of a step: CPU physical address and bytes of each.
#[derive(Clone, Debug)]
pub struct Cuts<'a> {
    /// Pages not yet in a run.
    frames: &'a [u64],
    /// Bytes of the first of them that are not part of the step.
    offset: u64,
    /// Bytes of the step that are in no run yet.
    left: u64,
    /// Address and bytes of what is left of the run that is being cut.
    run: (u64, u64),
}

impl<'a> Cuts<'a> {
    /// Cuts of `bytes` bytes from `offset` in the first page of `frames` on.
    pub const fn new(frames: &'a [u64], offset: u64, bytes: u64) -> Self {
        Self {
            frames,
            offset,
            left: bytes,
            run: (0, 0),
        }
    }

    /// The next run: physically adjacent pages, from the offset on, no further than the step goes.
    fn next_run(&mut self) -> Option<(u64, u64)> {
        if self.left == 0 {
            return None;
        }
        let first = *self.frames.first()?;
        let pages = 1 + self
            .frames
            .windows(2)
            .take_while(|pair| adjacent(pair[0], pair[1]))
            .count();
        let whole = pages as u64 * PAGE - self.offset;
        let bytes = whole.min(self.left);
        self.left -= bytes;
        let run = (
            first + self.offset,
            if mutant(187) {
                whole.min((bytes + self.offset).next_multiple_of(PAGE) - self.offset)
            } else {
                bytes
            },
        );
        self.frames = &self.frames[pages..];
        self.offset = 0;
        Some(run)
    }
}

fn adjacent(frame: u64, next: u64) -> bool {
    next == frame.wrapping_add(PAGE) || mutant(186) && next.abs_diff(frame) == 2 * PAGE
}

impl Iterator for Cuts<'_> {
    type Item = (u64, u64);

    fn next(&mut self) -> Option<(u64, u64)> {
        if self.run.1 == 0 {
            self.run = self.next_run()?;
        }
        let (address, left) = self.run;
        let most = u64::from(MAX_LENGTH);
        let most = if mutant(188) {
            most - address % most
        } else {
            most
        };
        let bytes = left.min(most);
        self.run = (address + bytes, left - bytes);
        Some((address, bytes))
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    fn cuts(frames: &[u64], offset: u64, bytes: u64) -> Vec<(u64, u64)> {
        Cuts::new(frames, offset, bytes).collect()
    }

    #[test]
    fn adjacent_pages_are_joined_and_gaps_are_not() {
        let frames = [0x5000, 0x6000, 0x8000, 0x7000];
        assert_eq!(
            cuts(&frames, 100, 4 * 4096 - 200),
            [(0x5064, 8092), (0x8000, 4096), (0x7000, 3996)]
        );
    }

    #[test]
    fn a_run_is_cut_from_its_own_start() {
        // 17 pages from 0xf000 + 1 on: 65536 bytes, then the rest, whatever 64 KiB boundaries say.
        let frames: Vec<u64> = (0..17).map(|page| 0xf000 + page * 4096).collect();
        assert_eq!(
            cuts(&frames, 1, 17 * 4096 - 2),
            [(0xf001, 65536), (0x1_f001, 4094)]
        );
    }
}
