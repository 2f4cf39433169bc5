//! The engine's side of one ring: registers, doorbells, the fetch cursor, fetched descriptors.

use std::collections::VecDeque;

use super::regs::{COUNT_MASK, ENABLED};
use super::slot::Slot;

/// Bytes of a descriptor (DESC-1).
pub(super) const SLOT_BYTES: u64 = 16;
/// Phase of the first lap (MODL-2).
const FIRST_PHASE: u8 = 1;

/// One TX doorbell and what it found on the other side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bell {
    /// TX descriptors rung with it and before it.
    pub(super) end: u64,
    /// RX descriptors rung before it.
    pub(super) armed: u64,
    /// Whether a finding was made of it.
    pub(super) told: bool,
}

/// Why a doorbell is not obeyed (MODL-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refused {
    Disabled,
    TooMany { outstanding: u64 },
}

#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) cfg: u32,
    pub(super) base_low: u32,
    pub(super) base_high: u32,
    /// Descriptors of the ring.
    pub(super) length: u32,
    /// Slot behind the last one rung.
    pub(super) tail: u32,
    /// Slot that is fetched next.
    pub(super) head: u32,
    /// Phase that the lap of `head` must carry.
    pub(super) phase: u8,
    /// Descriptors rung since the reset.
    pub(super) rung: u64,
    /// Descriptors fetched since the reset.
    pub(super) fetched: u64,
    /// Fetched and not started, in ring order.
    pub(super) list: VecDeque<Slot>,
    /// TX doorbells whose descriptors are not all started.
    pub(super) bells: VecDeque<Bell>,
}

impl Default for State {
    fn default() -> Self {
        Self {
            cfg: 0,
            base_low: 0,
            base_high: 0,
            length: 0,
            tail: 0,
            head: 0,
            phase: FIRST_PHASE,
            rung: 0,
            fetched: 0,
            list: VecDeque::new(),
            bells: VecDeque::new(),
        }
    }
}

impl State {
    /// Back to slot 0 of lap 1; what the driver programmed stays (MODL-1).
    pub(super) fn reset(&mut self) {
        *self = Self {
            cfg: self.cfg,
            base_low: self.base_low,
            base_high: self.base_high,
            length: self.length,
            ..Self::default()
        };
    }

    pub(super) fn enabled(&self) -> bool {
        self.cfg & ENABLED == ENABLED
    }

    /// REGS-2.
    pub(super) fn base(&self) -> u64 {
        (u64::from(self.base_high) << 32 | u64::from(self.base_low)) & !0x3f
    }

    /// Descriptors started since the reset. One that was fetched may still be fetched again or
    /// later, as far as a driver can know, until it is started.
    pub(super) fn started(&self) -> u64 {
        self.list.front().map_or(self.fetched, |slot| slot.index)
    }

    /// MODL-1.
    pub(super) fn ring(&mut self, count: u32) -> Result<(), Refused> {
        if !self.enabled() {
            return Err(Refused::Disabled);
        }
        let outstanding = self.rung - self.started();
        if outstanding + u64::from(count) > u64::from(self.length) {
            return Err(Refused::TooMany { outstanding });
        }
        self.rung += u64::from(count);
        self.tail = (self.tail + count) % self.length.max(1);
        Ok(())
    }

    #[inline]
    pub(super) fn can_fetch(&self) -> bool {
        self.fetched < self.rung && self.enabled()
    }

    /// Moves the fetch cursor on; the slot, index and phase of the descriptor it stood on.
    #[inline]
    pub(super) fn step(&mut self) -> (u32, u64, u8) {
        let was = (self.head, self.fetched, self.phase);
        self.fetched += 1;
        self.head += 1;
        if self.head >= self.length {
            self.head = 0;
            self.phase = (self.phase + 1) & 3;
        }
        was
    }

    #[inline]
    pub(super) fn address(&self, slot: u32) -> u64 {
        self.base().wrapping_add(u64::from(slot) * SLOT_BYTES)
    }

    /// The first of the `count` slots that end at the tail which the range shares bytes with.
    pub(super) fn touched(&self, count: u64, address: u64, length: u64) -> Option<u32> {
        let size = u64::from(self.length & COUNT_MASK);
        let end = address.saturating_add(length);
        let base = self.base();
        if size == 0
            || count == 0
            || end <= base
            || address >= base.saturating_add(size * SLOT_BYTES)
        {
            return None;
        }
        let first = address.saturating_sub(base) / SLOT_BYTES;
        let last = ((end - base).div_ceil(SLOT_BYTES)).min(size);
        let start = (u64::from(self.tail) + 2 * size - count) % size;
        (first..last)
            .find(|slot| (slot + size - start) % size < count)
            .map(|slot| slot as u32)
    }

    /// Descriptors rung and not started.
    pub(super) fn unstarted(&self) -> u64 {
        self.rung - self.started()
    }
}
