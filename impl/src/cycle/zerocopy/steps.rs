//! Steps: how much of a user buffer is pinned and rung at a time (ZC-1, ZC-2).

use crate::fault::mutant;

/// Bytes of a page.
pub const PAGE: u64 = 4096;
/// Bytes of the largest step.
pub const MAX_STEP: u64 = 262_144;

/// Bytes of a step for `span` bytes, which are the size and the offset in the first page (ZC-1).
pub fn step_size(span: u64) -> u64 {
    if span > 2 * MAX_STEP {
        MAX_STEP
    } else if span <= MAX_STEP {
        span
    } else if mutant(183) {
        MAX_STEP
    } else if mutant(184) {
        span / 2
    } else {
        (span / 2).next_multiple_of(PAGE)
    }
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// User address of its first byte.
    pub user: u64,
    /// Bytes.
    pub bytes: u64,
    /// Bytes of the copy before it.
    pub moved: u64,
    /// Ends the copy.
    pub is_last: bool,
}

impl Step {
    /// User address of its first page.
    pub const fn page(&self) -> u64 {
        self.user - self.offset()
    }

    /// Bytes of that page before its first byte.
    pub const fn offset(&self) -> u64 {
        self.user % PAGE
    }

    /// Pages that it touches.
    pub const fn pages(&self) -> usize {
        (self.offset() + self.bytes).div_ceil(PAGE) as usize
    }
}

/// The steps of a copy, in order (ZC-2): the first is shortened by the page offset, the others start
/// at a page, the last takes what remains. None for 0 bytes.
#[derive(Clone, Debug)]
pub struct Steps {
    user: u64,
    left: u64,
    moved: u64,
    /// Bytes of a step that starts at a page.
    size: u64,
}

impl Steps {
    /// The steps of `size` bytes at user address `user`.
    pub fn new(user: u64, size: u64) -> Self {
        Self {
            user,
            left: size,
            moved: 0,
            size: step_size(size.saturating_add(user % PAGE)),
        }
    }

    /// How many are left.
    pub fn remaining(&self) -> u64 {
        if self.left == 0 {
            0
        } else {
            self.left
                .saturating_add(self.user % PAGE)
                .div_ceil(self.size)
        }
    }
}

impl Iterator for Steps {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if self.left == 0 {
            return None;
        }
        let offset = if mutant(185) { 0 } else { self.user % PAGE };
        let bytes = self.left.min(self.size - offset);
        let step = Step {
            user: self.user,
            bytes,
            moved: self.moved,
            is_last: bytes == self.left,
        };
        self.user = self.user.wrapping_add(bytes);
        self.left -= bytes;
        self.moved += bytes;
        Some(step)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    #[test]
    fn sizes_of_a_step() {
        // Both sides of each bound of ZC-1.
        assert_eq!(step_size(524_289), 262_144);
        assert_eq!(step_size(524_288), 262_144);
        assert_eq!(step_size(524_287), 262_144); // 262143 rounded up
        assert_eq!(step_size(262_145), 131_072); // so that three steps are taken
        assert_eq!(step_size(262_144), 262_144);
        assert_eq!(step_size(1), 1);
    }

    // golden/zerocopy_trace, 267144 bytes at page offset 777.
    #[test]
    fn the_first_is_shortened() {
        let steps: Vec<Step> = Steps::new(777, 267_144).collect();
        let bytes: Vec<u64> = steps.iter().map(|step| step.bytes).collect();
        assert_eq!(bytes, [134_391, 132_753]);
        assert_eq!((steps[0].pages(), steps[1].offset()), (33, 0));
        assert_eq!(Steps::new(777, 267_144).remaining(), 2);
        assert_eq!(Steps::new(5, 0).count(), 0);
    }
}
