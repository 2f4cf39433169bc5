//! One half of a vring: pages of 65536 descriptors (VRNG-2..4).

use alloc::vec::Vec;
use core::ops::Range;

use super::error::Error;
use super::gate::PageGate;
use crate::desc::Desc;
use crate::fault::mutant;

/// Descriptors of one page (VRNG-3).
pub const PAGE_DESCS: usize = 1 << PAGE_SHIFT;
const PAGE_SHIFT: u32 = 16;
/// Most descriptors of a half, 2^24 - 16 (VRNG-4); also the largest queue of the engine (VRNG-5).
pub const CAP: u32 = 16_777_200;

/// VRNG-4.
fn cap() -> u32 {
    if mutant(205) { 1 << 24 } else { CAP }
}

/// Pages of descriptors and their counters (VRNG-2). A page is allocated whole when its first
/// descriptor comes and never moves.
#[derive(Debug, Default)]
pub struct Half {
    /// Pages in order. Outside an operation there are exactly as many as `used` needs, and all but
    /// the last are full.
    pages: Vec<Vec<Desc>>,
    /// Descriptors in them.
    used: u32,
    /// Whether pointers may be symbolic (TMPL-1).
    is_template: bool,
    /// Largest variable that a symbolic pointer may name (TMPL-2).
    max_var_id: u32,
}

impl Half {
    pub(crate) const fn new() -> Self {
        Self {
            pages: Vec::new(),
            used: 0,
            is_template: false,
            max_var_id: 0,
        }
    }

    /// Descriptors.
    #[inline]
    pub const fn used(&self) -> u32 {
        self.used
    }

    /// Pages.
    pub const fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// Whether it was marked as a template.
    pub const fn is_template(&self) -> bool {
        self.is_template
    }

    /// Largest variable that a symbolic pointer may name.
    pub const fn max_var_id(&self) -> u32 {
        self.max_var_id
    }

    pub(crate) fn set_template(&mut self, is_template: bool, max_var_id: u32) {
        self.is_template = is_template;
        self.max_var_id = max_var_id;
    }

    /// Descriptors that still fit (VRNG-4).
    #[inline]
    pub fn room(&self) -> u32 {
        cap().saturating_sub(self.used)
    }

    /// Whether the next descriptor fits without a new page.
    #[inline]
    pub(crate) fn has_slot(&self) -> bool {
        self.used as usize != self.pages.len() << PAGE_SHIFT && self.used < cap()
    }

    /// Appends a descriptor (VRNG-4).
    #[inline]
    pub(crate) fn push(&mut self, gate: &PageGate, desc: Desc) -> Result<(), Error> {
        if !self.has_slot() {
            if self.room() == 0 {
                return Err(Error::QueueFull);
            }
            self.grow(gate)?;
        }
        self.put(desc);
        Ok(())
    }

    /// Appends a descriptor to a page that was granted before.
    #[inline]
    pub(crate) fn put(&mut self, desc: Desc) {
        if let Some(page) = self.pages.get_mut(self.used as usize >> PAGE_SHIFT) {
            page.push(desc);
            self.used += 1;
        }
    }

    /// Appends descriptors to pages that were granted before: `model` with the pointer advancing
    /// by `step`.
    pub(crate) fn put_run(&mut self, count: u32, model: Desc, mut pointer: u64, step: u64) {
        let [word0, word1, ..] = model.words();
        let mut left = count as usize;
        for page in &mut self.pages[self.used as usize >> PAGE_SHIFT..] {
            let taken = left.min(PAGE_DESCS - page.len());
            page.extend((0..taken as u64).map(|index| {
                Desc::new(word0, word1, pointer.wrapping_add(index.wrapping_mul(step)))
            }));
            pointer = pointer.wrapping_add((taken as u64).wrapping_mul(step));
            left -= taken;
            if left == 0 {
                break;
            }
        }
        self.used += count - left as u32;
    }

    /// Allocates one page after the last (VRNG-4).
    #[cold]
    fn grow(&mut self, gate: &PageGate) -> Result<(), Error> {
        if !gate.grants() {
            return Err(Error::NoMemory);
        }
        let mut page = Vec::new();
        page.try_reserve_exact(PAGE_DESCS)
            .map_err(|_| Error::NoMemory)?;
        self.pages.try_reserve(1).map_err(|_| Error::NoMemory)?;
        self.pages.push(page);
        Ok(())
    }

    /// Allocates the pages that `count` more descriptors need. The caller [trims](Self::trim) what
    /// is left unused after a failure.
    pub(crate) fn reserve(&mut self, gate: &PageGate, count: u32) -> Result<(), Error> {
        let needed = (self.used as usize + count as usize).div_ceil(PAGE_DESCS);
        while self.pages.len() < needed {
            self.grow(gate)?;
        }
        Ok(())
    }

    /// Gives back pages without descriptors.
    pub(crate) fn trim(&mut self) {
        self.pages
            .truncate((self.used as usize).div_ceil(PAGE_DESCS));
    }

    /// Descriptors that fit the pages granted so far.
    pub(crate) fn granted(&self) -> u32 {
        ((self.pages.len() << PAGE_SHIFT) as u32)
            .min(cap())
            .saturating_sub(self.used)
    }

    /// A copy of every page and all counters (VRNG-7).
    pub(crate) fn deep_copy(&self, gate: &PageGate) -> Result<Self, Error> {
        let mut copy = Self {
            pages: Vec::new(),
            used: self.used,
            ..*self
        };
        for page in &self.pages {
            copy.grow(gate)?;
            if let Some(last) = copy.pages.last_mut() {
                last.extend_from_slice(page);
            }
        }
        Ok(copy)
    }

    /// Gives all pages back (VRNG-7).
    pub(crate) fn free(&mut self) {
        self.pages = Vec::new();
        if !mutant(213) {
            self.used = 0;
        }
    }

    /// Descriptor `index`: page `index >> 16`, slot `index & 0xffff` (VRNG-3).
    #[inline]
    pub fn get(&self, index: u32) -> Option<&Desc> {
        let mask = if mutant(204) { 0x7fff } else { PAGE_DESCS - 1 };
        self.pages
            .get(index as usize >> PAGE_SHIFT)?
            .get(index as usize & mask)
    }

    /// [`Self::get`], to be changed.
    pub(crate) fn get_mut(&mut self, index: u32) -> Option<&mut Desc> {
        self.pages
            .get_mut(index as usize >> PAGE_SHIFT)?
            .get_mut(index as usize & (PAGE_DESCS - 1))
    }

    /// Descriptors of a range in order, in runs that never cross a page (DUMP-2).
    pub fn runs(&self, range: Range<u32>) -> impl DoubleEndedIterator<Item = &[Desc]> {
        let (start, end) = (range.start as usize, range.end.min(self.used) as usize);
        self.pages
            .iter()
            .enumerate()
            .take(end.div_ceil(PAGE_DESCS))
            .skip(start >> PAGE_SHIFT)
            .filter_map(move |(number, page)| page.get(part(number, start, end)))
    }

    /// [`Self::runs`], to be changed.
    pub(crate) fn runs_mut(&mut self, range: Range<u32>) -> impl Iterator<Item = &mut [Desc]> {
        let (start, end) = (range.start as usize, range.end.min(self.used) as usize);
        self.pages
            .iter_mut()
            .enumerate()
            .take(end.div_ceil(PAGE_DESCS))
            .skip(start >> PAGE_SHIFT)
            .filter_map(move |(number, page)| page.get_mut(part(number, start, end)))
    }

    /// Every descriptor in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Desc> {
        self.runs(0..self.used).flatten()
    }

    /// Copies descriptors from `first` on; how many there were.
    pub fn read(&self, first: u32, out: &mut [Desc]) -> usize {
        if let [only] = out {
            return self.get(first).map_or(0, |desc| {
                *only = *desc;
                1
            });
        }
        let end = u64::from(first) + out.len() as u64;
        let mut copied = 0;
        for run in self.runs(first..u32::try_from(end).unwrap_or(u32::MAX)) {
            out[copied..copied + run.len()].copy_from_slice(run);
            copied += run.len();
        }
        copied
    }
}

/// The part of `start..end` that lies in a page, as slots of it.
fn part(number: usize, start: usize, end: usize) -> Range<usize> {
    let first = number << PAGE_SHIFT;
    start.saturating_sub(first)..(end - first).min(PAGE_DESCS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half_of(count: u32) -> Half {
        let mut half = Half::new();
        half.reserve(&PageGate::open(), count).unwrap();
        half.put_run(count, Desc::default(), 0, 1);
        half
    }

    #[test]
    fn indices_at_page_edges() {
        for used in [65535, 65536, 65537, 131_073] {
            let half = half_of(used);
            assert_eq!(half.page_count(), (used as usize).div_ceil(65536));
            for index in [0, 65534, 65535, 65536, used - 1, used] {
                let pointer = half.get(index).map(Desc::pointer);
                assert_eq!(
                    pointer,
                    (index < used).then_some(index.into()),
                    "{index} of {used}"
                );
            }
            assert!(half.iter().map(Desc::pointer).eq(0..used.into()));
        }
    }

    #[test]
    fn runs_never_cross_a_page() {
        let half = half_of(140_000);
        let lengths = |range| half.runs(range).map(<[Desc]>::len).collect::<Vec<_>>();
        assert_eq!(lengths(0..140_000), [65536, 65536, 8928]);
        assert_eq!(lengths(65535..65537), [1, 1]);
        assert_eq!(lengths(65536..131_072), [65536]);
        assert_eq!(lengths(5..5), [0]);
        assert_eq!(lengths(131_072..200_000), [8928]);
        let mut out = [Desc::default(); 3];
        assert_eq!(half.read(131_071, &mut out), 3);
        assert_eq!(out.map(|desc| desc.pointer()), [131_071, 131_072, 131_073]);
        assert_eq!(half.read(139_999, &mut out), 1);
        assert_eq!(half.read(140_000, &mut out), 0);
        assert_eq!(half.read(u32::MAX, &mut out), 0);
    }

    #[test]
    fn a_refused_page_changes_nothing() {
        let gate = PageGate::budget(1);
        let mut half = Half::new();
        for _ in 0..65536 {
            half.push(&gate, Desc::default()).unwrap();
        }
        assert_eq!(half.push(&gate, Desc::default()), Err(Error::NoMemory));
        assert_eq!((half.used(), half.page_count()), (65536, 1));
        assert_eq!(half.push(&PageGate::open(), Desc::default()), Ok(()));
        assert_eq!((half.used(), half.page_count()), (65537, 2));
    }
}
