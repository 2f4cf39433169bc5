//! Writes that have taken their data and are not visible yet, and MODL-5 over them.

use std::collections::VecDeque;

use super::memory::Memory;
use super::schedule::{Order, Random};

/// Where the bytes of a write come from. They are those of the moment it started: the source is
/// only copied aside when something is about to change it.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// One range, unchanged since the start.
    Range(u64),
    /// Several ranges with their lengths, unchanged since the start.
    Ranges(Box<[(u64, u32)]>),
    /// The bytes themselves.
    Bytes(Box<[u8]>),
}

/// One write of one RX descriptor.
#[derive(Clone, Debug)]
pub(super) struct Write {
    /// Index of its RX descriptor: its place in ring order.
    pub(super) index: u64,
    /// Writes with a lower index than this are visible before it.
    pub(super) after: u64,
    pub(super) address: u64,
    pub(super) length: u32,
    pub(super) source: Source,
    /// Its source is where it writes: whether it is visible or not is no matter to who reads there.
    pub(super) in_place: bool,
}

#[inline]
pub(super) fn overlap(a: u64, a_length: u32, b: u64, b_length: u32) -> bool {
    a < b.saturating_add(u64::from(b_length)) && b < a.saturating_add(u64::from(a_length))
}

impl Write {
    /// Whether a write to the range would change the source.
    #[inline]
    pub(super) fn reads(&self, address: u64, length: u32) -> bool {
        match &self.source {
            Source::Range(source) => overlap(*source, self.length, address, length),
            Source::Ranges(ranges) => ranges
                .iter()
                .any(|(source, part)| overlap(*source, *part, address, length)),
            Source::Bytes(_) => false,
        }
    }

    /// Copies the source aside.
    pub(super) fn keep(&mut self, memory: &Memory) {
        let mut bytes = vec![0; self.length as usize];
        let checked = "ranges of a write were checked when it started";
        match &self.source {
            Source::Range(source) => memory.read(*source, &mut bytes).expect(checked),
            Source::Ranges(ranges) => {
                let mut done = 0;
                for (source, part) in ranges {
                    let end = done + *part as usize;
                    memory.read(*source, &mut bytes[done..end]).expect(checked);
                    done = end;
                }
            }
            Source::Bytes(_) => return,
        }
        self.source = Source::Bytes(bytes.into());
    }

    /// Does the write.
    pub(super) fn perform(&mut self, memory: &mut Memory) {
        if matches!(self.source, Source::Ranges(_)) {
            // All is read before any is written, though the ranges may overlap the destination.
            self.keep(memory);
        }
        let done = match &self.source {
            Source::Range(source) => memory.copy(*source, self.address, u64::from(self.length)),
            Source::Bytes(bytes) => memory.write(self.address, bytes),
            Source::Ranges(_) => Ok(()),
        };
        done.expect("ranges of a write were checked when it started");
    }
}

/// Whether MODL-5 lets the write at `at` become visible now.
#[inline]
pub(super) fn may(writes: &VecDeque<Write>, at: usize) -> bool {
    let write = &writes[at];
    at == 0
        || write.after <= writes[0].index
            && !writes
                .range(..at)
                .any(|w| overlap(w.address, w.length, write.address, write.length))
}

/// The write that becomes visible next; none when the held one alone may.
pub(super) fn pick(
    writes: &VecDeque<Write>,
    order: Order,
    held: Option<u64>,
    random: &mut Random,
) -> Option<usize> {
    let count = writes.len();
    let free = |at: &usize| Some(writes[*at].index) != held && may(writes, *at);
    match order {
        Order::Oldest => (0..count).find(free),
        Order::Newest => (0..count).rev().find(free),
        Order::Any => {
            let start = if count == 0 {
                0
            } else {
                random.below(count as u64) as usize
            };
            (start..count).chain(0..start).find(free)
        }
    }
}
