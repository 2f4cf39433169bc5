//! The engine's state and steps.

use udma::io::Side;

use super::code::{Code, What, distance, on, phase, slot};
use super::{POSITIONS, SIZE};

/// What must not happen; a state after it has no steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fault {
    /// The driver saw a marker before all data of its batch were visible.
    MarkerEarly,
    /// A slot was written while its descriptor was rung and not executed.
    Overwritten,
    /// A descriptor of another lap was fetched (MODL-2).
    Phase,
    /// TX was rung for pairs that RX was not (MODL-4).
    Unarmed,
    /// After an ack, the free count is not what it was before the batch.
    Available,
    /// More was rung than the ring holds (MODL-1).
    TooMany,
    /// TX and RX descriptors of a pair are not of one kind (MODL-3).
    Stream,
}

/// Fetching and executing. Positions are slots of all four laps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Engine {
    /// Fetched next, of TX and RX.
    pub(super) next: [u8; 2],
    /// Rung and not fetched.
    pub(super) rung: [u8; 2],
    /// The oldest pair whose write is not visible.
    pub(super) base: u8,
    /// Fetched descriptors from `base` on.
    fetched: [[u8; SIZE as usize]; 2],
    /// Writes from `base` on that are visible, by bit.
    pub(super) visible: u32,
}

impl Engine {
    pub(super) const fn new(position: u8) -> Self {
        Self {
            next: [position; 2],
            rung: [0; 2],
            base: position,
            fetched: [[0; SIZE as usize]; 2],
            visible: 0,
        }
    }

    pub(super) fn code(&self, side: Side, at: u8) -> Code {
        Code(self.fetched[side as usize][at as usize])
    }

    /// Descriptors of a ring that were fetched, from `base` on.
    fn fetched(&self, side: Side) -> u8 {
        distance(self.base, self.next[side as usize])
    }

    /// Descriptors of a ring that were rung, from `base` on.
    pub(super) fn end(&self, side: Side) -> u8 {
        self.fetched(side) + self.rung[side as usize]
    }

    /// Pairs from `base` on that may be executed (MODL-4).
    fn started(&self) -> u8 {
        self.fetched(Side::Tx).min(self.fetched(Side::Rx))
    }

    pub(super) const fn is_visible(&self, at: u8) -> bool {
        self.visible & 1 << at != 0
    }

    /// Whether the write of the pair at a position, which was rung, is visible.
    pub(super) fn done(&self, position: u8) -> bool {
        let at = distance(self.base, position);
        // What is behind `base` is a long way ahead of it.
        at >= POSITIONS / 2 || at < SIZE && self.is_visible(at)
    }

    /// Whether a slot's descriptor is rung and not executed.
    pub(super) fn owns(&self, side: Side, index: usize) -> bool {
        (0..self.end(side)).any(|at| slot(on(self.base, at)) == index && !self.is_visible(at))
    }

    /// A doorbell (MODL-1, MODL-4).
    pub(super) fn ring(&mut self, side: Side, count: u8) -> Option<Fault> {
        let outstanding = self.end(side) - self.started();
        if outstanding + count > SIZE {
            return Some(Fault::TooMany);
        }
        self.rung[side as usize] += count;
        (side == Side::Tx && self.end(Side::Rx) < self.end(Side::Tx)).then_some(Fault::Unarmed)
    }

    /// Takes a descriptor out of its slot (MODL-2, MODL-6).
    pub(super) fn fetch(&mut self, side: Side, code: Code) -> Option<Fault> {
        let position = self.next[side as usize];
        let at = self.fetched(side);
        if code.phase() != phase(position) || code.what() == What::Old {
            return Some(Fault::Phase);
        }
        self.fetched[side as usize][at as usize] = code.0;
        self.next[side as usize] = on(position, 1);
        self.rung[side as usize] -= 1;
        let (tx, rx) = (self.code(Side::Tx, at), self.code(Side::Rx, at));
        let both = at < self.started();
        (both && tx.what() != rx.what()).then_some(Fault::Stream)
    }

    /// The pairs whose write may become visible now (MODL-5).
    pub(super) fn may_show(&self) -> impl Iterator<Item = u8> {
        let mut barred = false;
        (0..self.started()).filter(move |&at| {
            let (tx, rx) = (self.code(Side::Tx, at), self.code(Side::Rx, at));
            let before = (1 << at) - 1;
            let all_before = self.visible & before == before;
            let free = !barred && ((!tx.dmb() && !rx.sow()) || all_before);
            // A data memory barrier holds back what comes after it, too, until it starts.
            barred |= tx.dmb() && !all_before;
            barred |= tx.write_barrier() && !(all_before && self.is_visible(at));
            free && !self.is_visible(at)
        })
    }

    /// A write becomes visible. The positions and codes of pairs that are now behind.
    pub(super) fn show(&mut self, at: u8) -> Vec<(u8, [Code; 2])> {
        self.visible |= 1 << at;
        let mut gone = Vec::new();
        while self.visible & 1 != 0 {
            gone.push((self.base, [self.code(Side::Tx, 0), self.code(Side::Rx, 0)]));
            self.visible >>= 1;
            self.base = on(self.base, 1);
            for ring in &mut self.fetched {
                ring.copy_within(1.., 0);
                ring[SIZE as usize - 1] = 0;
            }
        }
        gone
    }
}
