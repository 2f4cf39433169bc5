//! Stores of the CPU that no barrier has published yet.

use std::collections::VecDeque;

use super::memory::{Memory, Outside};
use super::schedule::Random;

/// How far from either end of the buffer the next store to be seen is picked.
const REACH: usize = 32;

/// At most eight bytes that do not cross an eight-byte border: a descriptor's store need not be
/// atomic (DESC-5), so its halves are seen one by one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Store {
    pub(super) address: u64,
    bytes: [u8; 8],
    length: u8,
}

impl Store {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }

    fn word(&self) -> u64 {
        self.address / 8
    }
}

/// The stores in program order.
#[derive(Clone, Debug, Default)]
pub(super) struct Stores {
    pending: VecDeque<Store>,
}

impl Stores {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    pub(super) fn push(&mut self, address: u64, bytes: &[u8]) {
        let mut done = 0;
        while done < bytes.len() {
            let address = address + done as u64;
            let length = (bytes.len() - done).min(8 - (address % 8) as usize);
            let mut store = Store {
                address,
                bytes: [0; 8],
                length: length as u8,
            };
            store.bytes[..length].copy_from_slice(&bytes[done..done + length]);
            self.pending.push_back(store);
            done += length;
        }
    }

    /// Reads as the CPU does, which sees its own stores at once.
    pub(super) fn read(&self, memory: &Memory, at: u64, out: &mut [u8]) -> Result<(), Outside> {
        memory.read(at, out)?;
        let end = at + out.len() as u64;
        for store in &self.pending {
            let from = at.max(store.address);
            let to = end.min(store.address + u64::from(store.length));
            if from < to {
                let bytes = &store.bytes()[(from - store.address) as usize..];
                let length = (to - from) as usize;
                let start = (from - at) as usize;
                out[start..start + length].copy_from_slice(&bytes[..length]);
            }
        }
        Ok(())
    }

    /// Whether a store to the range is not published.
    pub(super) fn touches(&self, address: u64, length: u64) -> bool {
        let inside = |store: &Store| {
            store.address < address + length && address < store.address + u64::from(store.length)
        };
        self.pending.iter().any(inside)
    }

    /// Addresses of the stores.
    pub(super) fn addresses(&self) -> impl Iterator<Item = u64> {
        self.pending.iter().map(|store| store.address)
    }

    /// The oldest store.
    pub(super) fn pop(&mut self) -> Option<Store> {
        self.pending.pop_front()
    }

    /// Some store that may be seen next: no earlier one to the same word is waiting.
    pub(super) fn pick(&mut self, random: &mut Random) -> Option<Store> {
        let last = self.pending.len().checked_sub(1)?;
        let by = random.below(REACH.min(last + 1) as u64) as usize;
        let at = if random.chance(2) { by } else { last - by };
        let word = self.pending[at].word();
        let at = self.pending.iter().position(|store| store.word() == word)?;
        self.pending.remove(at)
    }
}
