//! The ring through which asynchronous completions reach the runtime (ZC-8).

use alloc::boxed::Box;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use crate::fault::mutant;

/// Entries of the ring.
pub const ENTRIES: usize = 1024;

/// A copy that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What the copy was submitted under.
    pub tag: u64,
    /// 0, or the code of its error.
    pub result: i32,
}

#[derive(Debug, Default)]
struct Entry {
    tag: AtomicU64,
    result: AtomicU32,
}

/// One writer, the driver; one reader, the runtime. Cursors count up without end, in 32 bits.
#[derive(Debug)]
pub struct CompletionRing {
    entries: Box<[Entry]>,
    /// Next to be read; the reader alone stores it.
    head: AtomicU32,
    /// Next to be written; the writer alone stores it, with release order, after the entry.
    tail: AtomicU32,
}

impl Default for CompletionRing {
    /// The driver's: 1024 entries.
    fn default() -> Self {
        Self::new(ENTRIES)
    }
}

impl CompletionRing {
    /// A ring of `capacity` entries, rounded up to a power of two so that the cursors may wrap.
    pub fn new(capacity: usize) -> Self {
        let capacity = capacity.max(1).next_power_of_two();
        Self {
            entries: (0..capacity).map(|_| Entry::default()).collect(),
            head: AtomicU32::new(0),
            tail: AtomicU32::new(0),
        }
    }

    fn entry(&self, cursor: u32) -> &Entry {
        &self.entries[cursor as usize & (self.entries.len() - 1)]
    }

    /// Writes a completion; false when the runtime has not read enough. For the one writer.
    pub fn push(&self, completion: Completion) -> bool {
        let tail = self.tail.load(Ordering::Relaxed);
        let head = self.head.load(Ordering::Acquire);
        if tail.wrapping_sub(head) as usize >= self.entries.len() && !mutant(180) {
            return false;
        }
        let entry = self.entry(tail);
        entry.tag.store(completion.tag, Ordering::Relaxed);
        entry
            .result
            .store(completion.result as u32, Ordering::Relaxed);
        self.tail.store(tail.wrapping_add(1), Ordering::Release);
        true
    }

    /// Reads the oldest completion. For the one reader.
    pub fn pop(&self) -> Option<Completion> {
        let head = self.head.load(Ordering::Relaxed);
        if head == self.tail.load(Ordering::Acquire) {
            return None;
        }
        let entry = self.entry(head);
        let completion = Completion {
            tag: entry.tag.load(Ordering::Relaxed),
            result: entry.result.load(Ordering::Relaxed) as i32,
        };
        self.head.store(head.wrapping_add(1), Ordering::Release);
        Some(completion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_ring_takes_nothing_until_it_is_read() {
        let ring = CompletionRing::new(2);
        let of = |tag| Completion { tag, result: -110 };
        assert!(ring.push(of(1)) && ring.push(of(2)));
        assert!(!ring.push(of(3)));
        assert_eq!(ring.pop(), Some(of(1)));
        assert!(ring.push(of(3)));
        assert_eq!(
            [ring.pop(), ring.pop(), ring.pop()],
            [Some(of(2)), Some(of(3)), None]
        );
    }
}
