//! Cursors and phase of one ring of the kernel line, and the rounding of ring sizes.

use crate::consumer::Consumer;
use crate::error::Error;
use crate::fault::mutant;
use crate::line::DriverVersion;

/// Slots that are never handed out (RING-2).
pub const GUARD_GAP: u32 = 16;
/// Phase of the first lap (RING-1).
pub const FIRST_PHASE: u32 = 1;
/// The phase counts modulo 4 (RING-4).
pub const PHASE_MASK: u32 = 3;
/// Fewer wanted descriptors than this give 64 (RING-9).
pub const SMALLEST_RING: u32 = 32;
const SMALL_RING: u32 = 64;

/// One ring. A clone has cursors of its own.
#[derive(Clone, Debug)]
pub struct Ring {
    /// Descriptors; any number, but only a power of two works (RING-6).
    size: u32,
    /// `size - 1`, also when that is no mask.
    size_mask: u32,
    /// Producer: the slot that is handed out next.
    next_desc_idx: u32,
    /// Consumer: software only, moved by acks (RING-10).
    next_cdesc_idx: Consumer,
    /// Phase that the next descriptor gets.
    ring_id: u32,
    /// Whether there is memory to hand out slots of (RING-7).
    has_slots: bool,
    version: DriverVersion,
    #[cfg(feature = "mutants")]
    asked_at_zero: bool,
}

impl Ring {
    /// A ring as it is before any queue initialisation: nothing in it.
    pub fn unset(version: DriverVersion) -> Self {
        Self {
            size: 0,
            size_mask: 0,
            next_desc_idx: 0,
            next_cdesc_idx: Consumer::at(0),
            ring_id: 0,
            has_slots: false,
            version,
            #[cfg(feature = "mutants")]
            asked_at_zero: false,
        }
    }

    /// A fresh ring of `size` descriptors (RING-1). `has_slots` is false for a ring without memory
    /// or not allocatable (RING-7).
    pub fn new(size: u32, has_slots: bool, version: DriverVersion) -> Self {
        Self {
            size,
            size_mask: size.wrapping_sub(1),
            ring_id: if mutant(7) { 0 } else { FIRST_PHASE },
            has_slots,
            ..Self::unset(version)
        }
    }

    /// Descriptors.
    pub const fn size(&self) -> u32 {
        self.size
    }

    /// `size - 1`.
    pub const fn size_mask(&self) -> u32 {
        self.size_mask
    }

    /// Producer index.
    pub const fn next_desc_idx(&self) -> u32 {
        self.next_desc_idx
    }

    /// Consumer index.
    pub fn next_cdesc_idx(&self) -> u32 {
        self.next_cdesc_idx.get()
    }

    /// Phase that the next descriptor gets.
    pub const fn ring_id(&self) -> u32 {
        self.ring_id
    }

    /// RING-6: what the version does about a size that is not a power of two.
    fn check_size(&self) -> Result<(), Error> {
        if self.size.is_power_of_two() {
            Ok(())
        } else if self.version.stops_on_bad_count() && !mutant(91) {
            Err(Error::Bug)
        } else {
            Err(Error::OddSize { size: self.size })
        }
    }

    /// Free slots (RING-2); 0 on a ring that is not a power of two (RING-6).
    ///
    /// # Errors
    /// [`Error::Bug`] in versions that stop.
    pub fn available(&self) -> Result<u32, Error> {
        match self.check_size() {
            Err(Error::OddSize { .. }) if !mutant(52) => return Ok(0),
            Err(Error::Bug) => return Err(Error::Bug),
            _ => {}
        }
        let guard = if mutant(8) { 15 } else { GUARD_GAP };
        let producer = self.next_desc_idx.wrapping_add(guard);
        Ok(self.next_cdesc_idx.free(producer, self.size_mask))
    }

    /// Hands out the next slot and moves on (RING-3), without a look at the free count; none on a
    /// ring of RING-6 or RING-7.
    ///
    /// # Errors
    /// [`Error::Bug`] in versions that stop.
    pub fn take(&mut self) -> Result<Option<u32>, Error> {
        match self.check_size() {
            Err(Error::Bug) => return Err(Error::Bug),
            Err(_) => return Ok(None),
            Ok(()) => {}
        }
        if !self.has_slots && !mutant(53) {
            return Ok(None);
        }
        let slot = self.next_desc_idx;
        let wraps_early = mutant(51) && slot + 1 == self.size_mask;
        self.next_desc_idx = if wraps_early {
            0
        } else {
            (slot + 1) & self.size_mask
        };
        if mutant(82) {
            self.next_cdesc_idx = Consumer::at(self.next_desc_idx);
        }
        #[cfg(feature = "mutants")]
        {
            self.asked_at_zero = false;
        }
        Ok(Some(slot))
    }

    /// Phase of the slot just handed out; steps for the next call when that slot was the last of
    /// its lap, that is while the producer is at 0 (RING-4).
    pub fn take_phase(&mut self) -> u32 {
        let phase = self.ring_id;
        if self.next_desc_idx == 0 && self.steps() {
            let next = phase.wrapping_add(1);
            self.ring_id = if mutant(6) { next } else { next & PHASE_MASK };
            if mutant(106) {
                return self.ring_id;
            }
        }
        phase
    }

    #[cfg(not(feature = "mutants"))]
    #[allow(clippy::unused_self)]
    const fn steps(&self) -> bool {
        true
    }

    #[cfg(feature = "mutants")]
    fn steps(&mut self) -> bool {
        let again = core::mem::replace(&mut self.asked_at_zero, true);
        let stuck = !self.size.is_power_of_two() || !self.has_slots;
        !(mutant(81) && again && !stuck || mutant(98) && stuck)
    }

    /// Acknowledges `count` descriptors (RING-5), so that concurrent acks never lose a count.
    ///
    /// # Errors
    /// [`Error::OddSize`], or [`Error::Bug`] in versions that stop; the cursor stays.
    pub fn ack(&self, count: u32) -> Result<(), Error> {
        self.check_size()?;
        let mask = if mutant(9) { u32::MAX } else { self.size_mask };
        self.next_cdesc_idx.ack(count, mask);
        Ok(())
    }

    /// Cursors and phase as one value, to be put back by [`Ring::restore`].
    #[cfg(feature = "mutants")]
    pub(crate) fn save(&self) -> (u32, u32) {
        (self.next_desc_idx, self.ring_id)
    }

    /// Puts saved cursors back.
    #[cfg(feature = "mutants")]
    pub(crate) fn restore(&mut self, (index, ring_id): (u32, u32)) {
        self.next_desc_idx = index;
        self.ring_id = ring_id;
    }
}

/// Descriptors of a ring for `want` of them, in 32 bits throughout (RING-9): 64 below 32, else the
/// smallest power of two that holds `want` and the guard gap; 0 where that is 2^32.
pub fn ring_size(want: u32) -> u32 {
    if want < SMALLEST_RING {
        return SMALL_RING;
    }
    if mutant(57) {
        return (u64::from(want) + u64::from(GUARD_GAP)).next_power_of_two() as u32;
    }
    let guard = if mutant(56) { 0 } else { GUARD_GAP };
    match want.wrapping_add(guard) {
        0 => 0,
        sum if mutant(406) && sum.is_power_of_two() => sum.wrapping_mul(2),
        0x8000_0000 if mutant(407) => 0,
        sum => sum.checked_next_power_of_two().unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_sizes() {
        // RING-9's own examples.
        let worked = [
            (0, 64),
            (31, 64),
            (32, 64),
            (48, 64),
            (49, 128),
            (4096, 8192),
            (4_294_967_279, 0),
            (4_294_967_280, 0),
            (4_294_967_281, 1),
            (4_294_967_295, 16),
        ];
        for (want, size) in worked {
            assert_eq!(ring_size(want), size, "{want}");
        }
    }

    // RING-6, ERR-7.
    #[test]
    fn a_size_that_is_no_power_of_two() {
        for size in [0, 48, 8191] {
            for version in DriverVersion::ALL {
                let mut ring = Ring::new(size, true, version);
                assert_eq!(ring.size_mask(), size.wrapping_sub(1));
                let refused = if version <= DriverVersion::V2_25_4 {
                    assert_eq!(ring.available(), Err(Error::Bug));
                    assert_eq!(ring.take(), Err(Error::Bug));
                    Error::Bug
                } else {
                    assert_eq!(ring.available(), Ok(0));
                    assert_eq!(ring.take(), Ok(None));
                    Error::OddSize { size }
                };
                assert_eq!(ring.ack(1), Err(refused));
                assert_eq!((ring.next_desc_idx(), ring.next_cdesc_idx()), (0, 0));
                // The phase steps on every call, as the producer stays at 0.
                assert_eq!([1, 2, 3, 0, 1].map(|_| ring.take_phase()), [1, 2, 3, 0, 1]);
            }
        }
    }

    // RING-7.
    #[test]
    fn a_ring_without_slots() {
        let mut ring = Ring::new(64, false, DriverVersion::V2_26_5);
        assert_eq!((ring.take(), ring.next_desc_idx()), (Ok(None), 0));
        assert_eq!([0; 3].map(|_| ring.take_phase()), [1, 2, 3]);
        assert_eq!(ring.available(), Ok(48));
        assert_eq!(ring.ack(70), Ok(()));
        assert_eq!((ring.next_cdesc_idx(), ring.available()), (6, Ok(54)));
    }

    #[test]
    fn a_clone_has_cursors_of_its_own() {
        let mut ring = Ring::new(32, true, DriverVersion::V2_26_5);
        assert_eq!(ring.take(), Ok(Some(0)));
        ring.ack(1).unwrap();
        let copy = ring.clone();
        ring.ack(2).unwrap();
        assert_eq!((copy.next_desc_idx(), copy.next_cdesc_idx()), (1, 1));
        assert_eq!(ring.next_cdesc_idx(), 3);
    }

    // RING-2: what is left of the ring, at every fill and in every lap.
    #[test]
    fn available_counts_down_to_the_guard_gap() {
        let mut ring = Ring::new(32, true, DriverVersion::V2_26_5);
        for _ in 0..9 {
            for taken in 0..16 {
                assert_eq!(ring.available(), Ok(16 - taken));
                ring.take().unwrap();
                ring.take_phase();
            }
            assert_eq!(ring.available(), Ok(0));
            ring.ack(16).unwrap();
        }
        assert_eq!((ring.next_desc_idx(), ring.ring_id()), (16, 1));
    }

    #[test]
    fn a_lap_of_32() {
        let mut ring = Ring::new(32, true, DriverVersion::V2_26_5);
        assert_eq!(ring.available(), Ok(16));
        for slot in 0..32 {
            assert_eq!(ring.take(), Ok(Some(slot)));
            assert_eq!(ring.take_phase(), 1);
        }
        assert_eq!((ring.next_desc_idx(), ring.ring_id()), (0, 2));
        ring.ack(32).unwrap();
        assert_eq!((ring.next_cdesc_idx(), ring.available()), (0, Ok(16)));
    }
}
