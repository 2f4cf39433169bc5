//! Faults of the engine itself. The model is a right engine: a wrong one is had by changing what it
//! finds in the rings at the doorbell. What a program reads back are its own descriptors.

use udma::io::Side;
use udma_oracle::wire::Ring;

use super::board::Board;
use super::fault::Fault;

const SLOT: u64 = 16;
const MARKER: [u8; 4] = 0xabcd_ef01u32.to_le_bytes();
const DMB: u32 = 1 << 30;
const SOW: u32 = 1 << 29;
const LAST: u32 = 1 << 27;
const FIRST: u32 = 1 << 26;
const CONCAT: u32 = 1 << 31;
const PHASE: u32 = 3 << 24;
const WRITE_BARRIER: u32 = 1 << 26;

/// A descriptor taken apart.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Desc {
    word0: u32,
    word1: u32,
    pointer: u64,
}

impl Desc {
    fn parse(bytes: [u8; 16]) -> Self {
        let all = u128::from_le_bytes(bytes);
        Self {
            word0: all as u32,
            word1: (all >> 32) as u32,
            pointer: (all >> 64) as u64,
        }
    }

    fn bytes(self) -> [u8; 16] {
        let all =
            u128::from(self.word0) | u128::from(self.word1) << 32 | u128::from(self.pointer) << 64;
        all.to_le_bytes()
    }

    fn length(self) -> u32 {
        match self.word0 & 0xffff {
            0 => 0x1_0000,
            length => length,
        }
    }

    fn set_length(&mut self, length: u32) {
        self.word0 = self.word0 & !0xffff | length & 0xffff;
    }
}

impl Board {
    /// Whether the planted fault is one of these.
    pub(super) fn tampers(&self) -> bool {
        matches!(
            self.config.fault,
            Some(
                Fault::LastByteDropped
                    | Fault::ZeroLength
                    | Fault::LowBitsDropped
                    | Fault::SwappedPointers
                    | Fault::BarrierIgnored
                    | Fault::MarkerEarly
                    | Fault::MarkerLost
                    | Fault::PhaseStuck
                    | Fault::PhaseIgnored
                    | Fault::JoinIgnored
            )
        )
    }

    /// Changes the descriptors that are about to be rung.
    pub(super) fn tamper(&mut self, device: usize, number: u32, qid: u32, counts: [u32; 2]) {
        let rings = self.with_unit(device, number, |unit, _| {
            [(Side::Tx, Ring::Tx), (Side::Rx, Ring::Rx)].map(|(side, ring)| {
                let queue = unit.udma.queue(qid, side);
                let (base, size) = queue.map_or((0, 0), |queue| (queue.base, queue.ring.size()));
                (
                    base,
                    u64::from(size),
                    unit.engine.progress(ring, qid as usize).rung,
                )
            })
        });
        let mut found = [Vec::new(), Vec::new()];
        for side in 0..2 {
            let (base, size, rung) = rings[side];
            for index in rung..rung + u64::from(counts[side]) {
                let address = base + index % size.max(1) * SLOT;
                let mut bytes = [0; 16];
                if self.memory().read(address, &mut bytes).is_ok() {
                    let wanted = (1 + index / size.max(1)) as u32 & 3;
                    found[side].push((address, Desc::parse(bytes), wanted));
                }
            }
        }
        let [left, right] = found;
        for (from, to) in left.into_iter().zip(right) {
            let (mut tx, mut rx) = (from.1, to.1);
            let wanted = [from.2, to.2];
            let is_marker = self.is_marker(tx, rx);
            self.change(&mut tx, &mut rx, is_marker, wanted);
            for ((address, old, _), new) in [(from, tx), (to, rx)] {
                if new != old && self.memory().write(address, &new.bytes()).is_ok() {
                    self.tampered.insert(address, (old.bytes(), new.bytes()));
                }
            }
        }
    }

    fn is_marker(&mut self, tx: Desc, rx: Desc) -> bool {
        let mut word = [0; 4];
        tx.length() == 4
            && rx.pointer == tx.pointer.wrapping_add(4)
            && self.memory().read(tx.pointer, &mut word).is_ok()
            && word == MARKER
    }

    fn change(&mut self, tx: &mut Desc, rx: &mut Desc, is_marker: bool, wanted: [u32; 2]) {
        let Some(fault) = self.config.fault else {
            return;
        };
        match fault {
            Fault::LastByteDropped if tx.length() > 4 && tx.length() == rx.length() => {
                let length = tx.length() - 1;
                tx.set_length(length);
                rx.set_length(length);
            }
            Fault::ZeroLength if tx.word0 & 0xffff == 0 && rx.word0 & 0xffff == 0 => {
                tx.set_length(1);
                rx.set_length(1);
                rx.pointer = tx.pointer;
            }
            Fault::LowBitsDropped if !is_marker => {
                tx.pointer &= !3;
                rx.pointer &= !3;
            }
            Fault::SwappedPointers if !is_marker => {
                std::mem::swap(&mut tx.pointer, &mut rx.pointer);
            }
            Fault::BarrierIgnored => {
                tx.word0 &= !DMB;
                tx.word1 &= !WRITE_BARRIER;
                rx.word0 &= !SOW;
            }
            Fault::MarkerEarly if is_marker => {
                let place = rx.pointer;
                if let Some(word) = self.memory().slice_mut(place, 4) {
                    word.copy_from_slice(&MARKER);
                }
            }
            Fault::MarkerLost if is_marker => rx.pointer = tx.pointer,
            Fault::PhaseStuck => {
                for (desc, wanted) in [(tx, wanted[0]), (rx, wanted[1])] {
                    if wanted != 1 {
                        desc.word0 ^= PHASE;
                    }
                }
            }
            Fault::PhaseIgnored => {
                tx.word0 = tx.word0 & !PHASE | wanted[0] << 24;
                rx.word0 = rx.word0 & !PHASE | wanted[1] << 24;
            }
            Fault::JoinIgnored if tx.word0 & CONCAT != 0 || tx.word0 & FIRST == 0 => {
                let first = tx.word0 & FIRST != 0;
                tx.word0 = tx.word0 & !CONCAT | FIRST | LAST;
                if !first {
                    rx.pointer = tx.pointer;
                }
            }
            _ => {}
        }
    }
}
