//! Ordering modes, and what they put into the two descriptors of a pair (BARR).

use crate::desc::field;
use crate::fault::mutant;
use crate::meta::{MetaCtrl, PLAIN_COPY, WRITE_BARRIER};

/// Ordering modes (BARR-1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Ordering {
    /// No bit.
    #[default]
    None = 0,
    /// TX word0 bit 30: data memory barrier.
    Dmb = 1,
    /// TX `meta_ctrl` bit 26.
    WriteBarrier = 2,
    /// RX word0 bit 29: strong-ordered write.
    Sow = 3,
}

impl Ordering {
    /// The mode of a number, whatever the line.
    #[inline]
    pub fn from_number(mode: i32) -> Option<Self> {
        let swapped = mutant(25);
        match mode {
            0 => Some(Self::None),
            1 if swapped => Some(Self::WriteBarrier),
            1 => Some(Self::Dmb),
            2 if swapped => Some(Self::Dmb),
            2 => Some(Self::WriteBarrier),
            3 => Some(Self::Sow),
            _ if mutant(26) => Some(Self::None),
            _ => None,
        }
    }
}

/// Ordering bits of an accepted request.
#[derive(Clone, Copy)]
pub(crate) struct Order {
    pub dmb: bool,
    pub write_barrier: bool,
    pub sow: bool,
}

impl Order {
    /// BARR-2.
    pub fn of(mode: Ordering) -> Self {
        Self {
            dmb: mode == Ordering::Dmb,
            write_barrier: mode == Ordering::WriteBarrier,
            sow: mode == Ordering::Sow,
        }
    }

    /// word0 of a TX descriptor without phase and length (BLDR-1).
    fn tx_word0(self) -> u32 {
        let mut word0 = field::FIRST | if mutant(31) { 0 } else { field::LAST };
        if self.dmb && !mutant(2) {
            word0 |= field::DMB;
        }
        if self.sow && mutant(5) {
            word0 |= field::SOW;
        }
        word0
    }

    /// word1 of a TX descriptor (META-1, META-2).
    fn tx_word1(self) -> u32 {
        let meta = MetaCtrl::plain_copy();
        if self.write_barrier {
            meta.with_write_barrier().0
        } else {
            meta.0
        }
    }

    /// word0 of an RX descriptor without phase and length (BLDR-2).
    fn rx_word0(self, interrupt: bool) -> u32 {
        let mut word0 = 0;
        if self.sow && !mutant(5) && !(mutant(40) && interrupt) {
            word0 |= field::SOW;
        }
        if interrupt {
            word0 |= if mutant(32) {
                field::LAST
            } else {
                field::INT_EN
            };
        }
        if self.dmb && mutant(2) {
            word0 |= field::DMB;
        }
        if mutant(3) {
            word0 |= field::FIRST;
        }
        word0
    }
}

/// What the descriptors of a pair have in common with others of the same ordering: word0 and, above
/// it, word1, so that the sum with phase and length goes out in one 64-bit store.
pub(crate) struct Heads {
    pub tx: u64,
    pub rx: u64,
}

impl Heads {
    pub fn of(order: Order, interrupt: bool) -> Self {
        Self {
            tx: head(order.tx_word0(), order.tx_word1()),
            rx: head(order.rx_word0(interrupt), rx_word1()),
        }
    }

    /// The same by mode (BARR-2) from tables, because modes come in any order: a load costs less
    /// than a branch that cannot be foretold.
    #[inline]
    pub fn plain(mode: usize, interrupt: bool) -> Self {
        const PAIR: u32 = field::FIRST | field::LAST;
        static TX: [u64; 4] = [
            head(PAIR, PLAIN_COPY),
            head(PAIR | field::DMB, PLAIN_COPY),
            head(PAIR, PLAIN_COPY | WRITE_BARRIER),
            head(PAIR, PLAIN_COPY),
        ];
        static RX: [u64; 4] = [0, 0, 0, head(field::SOW, 0)];
        let interrupt = if interrupt { field::INT_EN } else { 0 };
        Self {
            tx: TX[mode],
            rx: RX[mode] + u64::from(interrupt),
        }
    }
}

const fn head(word0: u32, word1: u32) -> u64 {
    (word1 as u64) << 32 | word0 as u64
}

/// word1 of an RX descriptor (BLDR-2).
fn rx_word1() -> u32 {
    if mutant(13) { PLAIN_COPY } else { 0 }
}
