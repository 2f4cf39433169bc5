//! The user-space shadow of a queue, as the HAL line keeps it (SWQ): no guard, no consumer.

use crate::desc::{Desc, field};
use crate::error::Error;
use crate::fault::mutant;
use crate::ring::{FIRST_PHASE, PHASE_MASK};

/// Cursor and phase of one ring: 12 bytes.
///
/// ```
/// use udma::shadow::{ShadowQueue, reserve};
///
/// let (mut tx, mut rx) = (ShadowQueue::new(32), ShadowQueue::new(32));
/// assert_eq!(reserve(&mut tx, &mut rx, 30)?, (0, 0));
/// assert_eq!(reserve(&mut tx, &mut rx, 2)?, (30, 30)); // ends exactly at the count: SWQ-5
/// assert_eq!((tx.next_desc_idx, tx.desc_ring_id), (0, 2));
/// assert_eq!(tx.ring_id_at(30), 1);
/// # Ok::<(), udma::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct ShadowQueue {
    /// Slot that is reserved next.
    pub next_desc_idx: u32,
    /// Phase of that slot.
    pub desc_ring_id: u32,
    /// Descriptors of the ring.
    pub desc_count: u32,
}

impl ShadowQueue {
    /// The shadow of a fresh ring of `count` descriptors (SWQ-1).
    pub fn new(count: u32) -> Self {
        Self {
            next_desc_idx: 0,
            desc_ring_id: if mutant(198) { 0 } else { FIRST_PHASE },
            desc_count: count,
        }
    }

    fn check(&self, count: u32) -> Result<(), Error> {
        if count > self.desc_count {
            return Err(Error::Count {
                count,
                size: self.desc_count,
            });
        }
        Ok(())
    }

    /// Moves on by `count` checked slots (SWQ-2); gives the first of them.
    fn advance(&mut self, count: u32) -> u32 {
        let first = self.next_desc_idx;
        if count == 0 {
            return first;
        }
        let size = u64::from(self.desc_count);
        let end = u64::from(first) + u64::from(count);
        let wraps = if mutant(195) { end > size } else { end >= size };
        if wraps && !(mutant(196) && count == self.desc_count) {
            self.desc_ring_id = self.desc_ring_id.wrapping_add(1) & PHASE_MASK;
        }
        self.next_desc_idx = (end % size) as u32;
        first
    }

    /// Phase of the slot at `index`, which is taken modulo the count: that of the lap before for
    /// slots not yet reserved in this one (SWQ-3).
    pub fn ring_id_at(&self, index: u32) -> u32 {
        let slot = index.checked_rem(self.desc_count).unwrap_or(0);
        let before = if mutant(197) {
            slot > self.next_desc_idx
        } else {
            slot >= self.next_desc_idx
        };
        if before {
            self.desc_ring_id.wrapping_sub(1) & PHASE_MASK
        } else {
            self.desc_ring_id
        }
    }
}

/// Reserves `count` slots of both rings; gives the first of TX and of RX (SWQ-2). 0 changes nothing.
///
/// # Errors
/// [`Error::Count`] for more than either ring has; neither moves then.
pub fn reserve(
    tx: &mut ShadowQueue,
    rx: &mut ShadowQueue,
    count: u32,
) -> Result<(u32, u32), Error> {
    tx.check(count)?;
    if mutant(114) {
        let first = tx.advance(count);
        rx.check(count)?;
        return Ok((first, rx.advance(count)));
    }
    rx.check(count)?;
    Ok((tx.advance(count), rx.advance(count)))
}

/// Puts reserved descriptors into a ring, from slot `first` on, whose phase is `phase`
/// ([`ShadowQueue::ring_id_at`] after the reserve). The phase is ORed into word0, so `descs` must
/// carry ring id 0 (SWQ-4); it steps where the index meets the ring's length. `addresses` replace
/// the pointers. `copy` gets at most two runs: their first slot and their descriptors.
///
/// # Errors
/// [`Error::Count`] for more descriptors than the ring has, or for a number of addresses that is
/// not that of the descriptors; nothing is copied then.
pub fn commit(
    ring_count: u32,
    first: u32,
    phase: u32,
    descs: &mut [Desc],
    addresses: Option<&[u64]>,
    mut copy: impl FnMut(u32, &[Desc]),
) -> Result<(), Error> {
    let count = descs.len();
    let refused = Error::Count {
        count: count as u32,
        size: ring_count,
    };
    let fits = count <= ring_count as usize && (count == 0 || first < ring_count);
    if !fits || addresses.is_some_and(|addresses| addresses.len() != count) {
        return Err(refused);
    }
    let until_wrap = count.min((ring_count - first.min(ring_count)) as usize);
    for (number, desc) in descs.iter_mut().enumerate() {
        let laps = u32::from(number >= until_wrap && !mutant(199));
        let bits = phase.wrapping_add(laps) << field::RING_ID_SHIFT;
        desc.set(bits & field::RING_ID);
        if let Some(addresses) = addresses {
            *desc = Desc::new(desc.word0(), desc.word1(), addresses[number]);
        }
    }
    let (before, after) = descs.split_at(until_wrap);
    if !before.is_empty() {
        copy(first, before);
    }
    if !after.is_empty() {
        copy(0, after);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::vec::Vec;

    #[test]
    fn a_reserve_refused_by_either_ring_moves_neither() {
        let (mut tx, mut rx) = (ShadowQueue::new(64), ShadowQueue::new(32));
        let before = (tx, rx);
        assert!(reserve(&mut tx, &mut rx, 33).is_err());
        assert_eq!((tx, rx), before);
        assert_eq!(reserve(&mut tx, &mut rx, 0), Ok((0, 0)));
        assert_eq!((tx, rx), before);
        // A full ring from slot 0: back at 0, in the next phase (SWQ-5).
        assert_eq!(reserve(&mut tx, &mut rx, 32), Ok((0, 0)));
        assert_eq!((rx.next_desc_idx, rx.desc_ring_id), (0, 2));
        assert_eq!((rx.ring_id_at(0), rx.ring_id_at(31)), (1, 1));
    }

    #[test]
    fn a_commit_over_the_wrap_is_two_runs() {
        let mut descs = [Desc::new(0x0c00_0004, 0x0108_0003, 1); 5];
        let mut runs = Vec::new();
        let addresses = [10, 11, 12, 13, 14];
        commit(32, 30, 3, &mut descs, Some(&addresses), |slot, run| {
            runs.push((slot, run.to_vec()));
        })
        .unwrap();
        assert_eq!((runs[0].0, runs[0].1.len()), (30, 2));
        assert_eq!((runs[1].0, runs[1].1.len()), (0, 3));
        assert_eq!(runs[0].1[1], Desc::new(0x0f00_0004, 0x0108_0003, 11));
        assert_eq!(runs[1].1[0], Desc::new(0x0c00_0004, 0x0108_0003, 12)); // 3, then 0
    }
}
