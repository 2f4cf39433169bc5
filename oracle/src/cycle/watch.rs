//! What must hold of a driver whatever the engine's order is: looked at while it runs.

use super::machine::MARKER;
use crate::wire::{Desc, Ring, pointer};

/// A batch that was rung.
struct Batch {
    /// Where its marker goes, as the engine sees it.
    marker: u64,
    /// RX index behind its last descriptor.
    end: u64,
    pairs: u64,
}

/// Looks at one queue.
pub(super) struct Watch {
    size: [u64; 2],
    /// Rung and acknowledged since the reset.
    rung: [u64; 2],
    acked: [u64; 2],
    /// Pairs whose marker was seen.
    seen: u64,
    batches: Vec<Batch>,
    /// Barriers since the last doorbell.
    pub(super) barriers: u32,
    /// Rule under which a batch must be visible when its marker is seen.
    pub(super) ordered: Option<&'static str>,
    pub(super) found: Vec<(&'static str, String)>,
}

/// Findings kept; one mistake repeated says no more.
const MOST_FOUND: usize = 64;

impl Watch {
    pub(super) fn new(size: [u32; 2]) -> Self {
        Self {
            size: size.map(u64::from),
            rung: [0; 2],
            acked: [0; 2],
            seen: 0,
            batches: Vec::new(),
            barriers: 0,
            ordered: None,
            found: Vec::new(),
        }
    }

    pub(super) fn begin(&mut self) {
        self.found.clear();
        self.barriers = 0;
    }

    fn find(&mut self, rule: &'static str, text: String) {
        if self.found.len() < MOST_FOUND {
            self.found.push((rule, text));
        }
    }

    /// A slot was written: not one that is rung and not acknowledged.
    pub(super) fn stored(&mut self, ring: Ring, slot: u32) {
        let (side, size) = (ring as usize, self.size[ring as usize]);
        let ahead = (u64::from(slot) + size - self.acked[side] % size) % size;
        if ahead < self.rung[side] - self.acked[side] {
            let text = format!(
                "{} slot {slot} was written before it was acknowledged",
                ring.name()
            );
            self.find("RING-2", text);
        }
    }

    /// A doorbell: barrier (TRIG-5), order (TRIG-2), guard gap (RING-2).
    pub(super) fn doorbell(&mut self, ring: Ring, count: u32, descs: &[Desc]) {
        let barriers = std::mem::take(&mut self.barriers);
        if barriers != 1 {
            let text = format!("{barriers} barriers before a doorbell of {}", ring.name());
            self.find("TRIG-5", text);
        }
        let side = ring as usize;
        self.rung[side] += u64::from(count);
        let out = self.rung[side].saturating_sub(self.acked[side]);
        if out > self.size[side] - 16 {
            let text = format!(
                "{out} of {} slots of {} are out",
                self.size[side],
                ring.name()
            );
            self.find("RING-2", text);
        }
        if ring == Ring::Rx {
            let marker = descs.last().map_or(0, pointer);
            self.batches.push(Batch {
                marker,
                end: self.rung[side],
                pairs: count.into(),
            });
        } else if self.rung[0] > self.rung[1] {
            self.find("TRIG-2", format!("TX rung for {count} pairs before RX was"));
        }
    }

    /// The poll word at `marker` shows [`MARKER`] while `visible` RX descriptors are visible.
    pub(super) fn looked(&mut self, marker: u64, visible: u64) {
        debug_assert_eq!(MARKER, 0xabcd_ef01);
        let Some(at) = self.batches.iter().position(|batch| batch.marker == marker) else {
            self.find(
                "MARK-1",
                format!("a marker is seen at {marker:#x}, which no batch has"),
            );
            return;
        };
        let batch = self.batches.remove(at);
        self.seen += batch.pairs;
        if let Some(rule) = self.ordered
            && visible < batch.end
        {
            let text = format!(
                "marker seen while {} descriptors of the batch or before it are not visible",
                batch.end - visible
            );
            self.find(rule, text);
        }
    }

    /// A call was successful: nothing is left to become visible.
    pub(super) fn all_visible(&mut self, rule: &'static str, visible: u64, rung: u64) {
        if visible < rung {
            let text = format!(
                "the call is over and {} descriptors are not visible",
                rung - visible
            );
            self.find(rule, text);
        }
    }

    /// An acknowledge up to consumer index `consumer`: never more than was seen done.
    pub(super) fn acked(&mut self, ring: Ring, consumer: u32) {
        let (side, size) = (ring as usize, self.size[ring as usize]);
        let count = (u64::from(consumer) + size - self.acked[side] % size) % size;
        self.acked[side] += count;
        if self.acked[side] > self.seen {
            let text = format!(
                "{} descriptors of {} are acknowledged, the markers of {} were seen",
                self.acked[side],
                ring.name(),
                self.seen
            );
            self.find("ACK-1", text);
        }
        if self.acked[side] > self.rung[side] {
            let text = format!("{} acknowledges more than was rung", ring.name());
            self.find("ACK-2", text);
            self.acked[side] = self.rung[side];
        }
    }

    /// A queue reset: everything of that side begins anew.
    pub(super) fn reset(&mut self, ring: Ring) {
        self.rung[ring as usize] = 0;
        self.acked[ring as usize] = 0;
        self.batches.clear();
        self.seen = 0;
    }

    /// The end of a run in which everything was waited for: all slots are back (ACK-3).
    pub(super) fn end(&mut self, cursors: &[[u32; 3]; 2], rung: [u64; 2]) {
        if !self.batches.is_empty() {
            return;
        }
        for ring in Ring::BOTH {
            let [next, done, _] = cursors[ring as usize];
            let rung = (rung[ring as usize] % self.size[ring as usize]) as u32;
            if next != done || next != rung {
                let text = format!(
                    "{} ends with producer {next} and consumer {done}; {rung} were rung, modulo the ring",
                    ring.name()
                );
                self.find("ACK-3", text);
            }
        }
    }
}
