//! Rings as the rules describe them, by counting: how many slots were handed out and
//! acknowledged, not by the cursor formulas of an implementation.

use super::pair;
use super::version::Version;
use super::word::{EINVAL, ENOMEM, MOST_BYTES};
use crate::line::Line;
use crate::wire::{BUG, PairIn, PairOut, Ring};

/// Slots that are never handed out (RING-2).
const GUARD: u64 = 16;

/// One ring.
#[derive(Clone, Debug)]
pub struct LawRing {
    size: u64,
    hands_out: bool,
    stops: bool,
    taken: u64,
    acked: u64,
    phase: u32,
}

impl LawRing {
    /// A fresh ring (RING-1).
    pub fn new(size: u32, hands_out: bool, version: &Version) -> Self {
        Self {
            size: size.into(),
            hands_out,
            stops: version.bad_count == BUG,
            taken: 0,
            acked: 0,
            phase: 1,
        }
    }

    fn even(&self) -> bool {
        self.size.is_power_of_two()
    }

    /// Producer index.
    pub fn next(&self) -> u32 {
        if self.even() {
            (self.taken % self.size) as u32
        } else {
            0
        }
    }

    /// Consumer index.
    pub fn completed(&self) -> u32 {
        if self.even() {
            (self.acked % self.size) as u32
        } else {
            0
        }
    }

    /// Phase of the next descriptor.
    pub fn phase(&self) -> u32 {
        self.phase
    }

    /// RING-2, RING-6: slots from the producer, past the guard, up to the consumer, modulo the
    /// ring.
    pub fn available(&self) -> i64 {
        if !self.even() {
            return if self.stops { BUG.into() } else { 0 };
        }
        // One lap more than everything that can be taken from it.
        let lead = self.taken % self.size + GUARD;
        let laps = lead.div_ceil(self.size) + 1;
        ((self.acked % self.size + laps * self.size - lead) % self.size) as i64
    }

    /// RING-3, RING-6, RING-7.
    pub fn take(&mut self) -> i64 {
        if !self.even() {
            return if self.stops { BUG.into() } else { -1 };
        }
        if !self.hands_out {
            return -1;
        }
        let slot = self.next();
        self.taken += 1;
        slot.into()
    }

    /// RING-4.
    pub fn ask_phase(&mut self) -> u32 {
        let phase = self.phase;
        if self.next() == 0 {
            self.phase = if phase == 3 { 0 } else { phase + 1 };
        }
        phase
    }

    /// RING-5, RING-6.
    pub fn ack(&mut self, count: u32) -> i32 {
        if !self.even() {
            return if self.stops { BUG } else { -1 };
        }
        self.acked += u64::from(count);
        0
    }
}

/// Both rings of a queue.
#[derive(Clone, Debug)]
pub struct LawQueue {
    /// TX, RX.
    pub rings: [LawRing; 2],
    /// What the driver version does.
    pub version: Version,
    /// Queues of the engine.
    pub queues: u32,
}

impl LawQueue {
    /// One pair into both rings (RING-8, RING-11): code and, where it was accepted, the pair with
    /// the slots it goes to (TX, RX).
    pub fn prepare(&mut self, qid: u32, case: &PairIn) -> (i32, Option<(PairOut, [u32; 2])>) {
        if qid >= self.queues {
            return (-1, None);
        }
        if case.size > MOST_BYTES {
            return (self.version.oversize, None);
        }
        for ring in Ring::BOTH {
            match self.rings[ring as usize].available() {
                bug if bug == i64::from(BUG) => return (BUG, None),
                free if free < 1 => return (ENOMEM, None),
                _ => {}
            }
        }
        let [tx, rx] = &mut self.rings;
        let (rx_slot, tx_slot) = (rx.take(), tx.take());
        if rx_slot < 0 || tx_slot < 0 {
            return (EINVAL, None);
        }
        let case = PairIn {
            rx_ring_id: rx.ask_phase(),
            tx_ring_id: tx.ask_phase(),
            driver: self.version.number,
            sow: 0,
            ..*case
        };
        let kind = pair::kind_where(Line::Kernel, &case, self.version.knows_sow);
        let out = pair::required(Line::Kernel, &case, kind, &PairOut::default());
        let built = (out.ret == 0).then_some((out, [tx_slot as u32, rx_slot as u32]));
        (out.ret, built)
    }
}

/// RING-9, step by step in 32 bits.
pub fn ring_size(want: u32) -> u32 {
    if want < 32 {
        return 64;
    }
    let sum = want.wrapping_add(16);
    if sum == 0 {
        return 0;
    }
    let mut size: u32 = 1;
    while size < sum {
        match size.checked_mul(2) {
            Some(next) => size = next,
            None => return 0,
        }
    }
    size
}
