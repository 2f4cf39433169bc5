//! Descriptors that can only be valid: [`TxDesc`], [`RxDesc`], [`TxMetaDesc`].
//!
//! `parse` takes a raw [`Desc`] apart and refuses what no builder may emit; `emit` gives the raw
//! one back, bit for bit.

use crate::desc::{Desc, MAX_LENGTH, field};
use crate::meta::{MetaCtrl, MetaFields};

/// Bits that must be clear in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// Bits of word0 that this view has no field for.
    #[error("word0 {word0:#010x} sets {bits:#010x}, which a {view} descriptor must leave clear")]
    Bits {
        /// `TX`, `RX` or `TX meta`.
        view: &'static str,
        /// The word.
        word0: u32,
        /// The bits at fault.
        bits: u32,
    },
    /// word1 of an RX descriptor (DESC-2).
    #[error("buf2_ptr_lo of an RX descriptor is {0:#010x}, not 0")]
    SecondPointer(u32),
    /// META is missing in a TX-meta descriptor.
    #[error("word0 {0:#010x} lacks META (bit 23)")]
    NotMeta(u32),
}

/// A length in bytes, 1..65536; there is no descriptor of 0 bytes (DESC-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Length(u32);

impl Length {
    /// None unless 1..65536.
    pub const fn new(bytes: u32) -> Option<Self> {
        if bytes == 0 || bytes > MAX_LENGTH {
            None
        } else {
            Some(Self(bytes))
        }
    }

    /// Bytes.
    pub const fn bytes(self) -> u32 {
        self.0
    }

    const fn bits(self) -> u32 {
        self.0 & field::LENGTH
    }

    fn of(desc: &Desc) -> Self {
        Self(match desc.length_field() {
            0 => MAX_LENGTH,
            length => length,
        })
    }
}

/// A two-bit lap counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Phase(u32);

impl Phase {
    /// Phase of the first lap (RING-1).
    pub const FIRST_LAP: Self = Self(1);

    /// None unless 0..3.
    pub const fn new(id: u32) -> Option<Self> {
        if id > 3 { None } else { Some(Self(id)) }
    }

    /// 0..3.
    pub const fn id(self) -> u32 {
        self.0
    }

    /// Phase of the next lap: 1, 2, 3, 0, 1, … (RING-4).
    #[must_use]
    pub const fn next(self) -> Self {
        Self((self.0 + 1) & 3)
    }
}

/// Place of a TX descriptor in its packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// FIRST.
    pub first: bool,
    /// LAST.
    pub last: bool,
    /// CONCAT: joined to the next descriptor.
    pub concat: bool,
}

impl Place {
    /// The only descriptor of its packet.
    pub const ALONE: Self = Self {
        first: true,
        last: true,
        concat: false,
    };

    fn of(desc: &Desc) -> Self {
        let bit = |bit| desc.word0() & bit != 0;
        Self {
            first: bit(field::FIRST),
            last: bit(field::LAST),
            concat: bit(field::CONCAT),
        }
    }

    fn bits(self) -> u32 {
        flag(self.first, field::FIRST)
            | flag(self.last, field::LAST)
            | flag(self.concat, field::CONCAT)
    }
}

const fn flag(set: bool, bit: u32) -> u32 {
    if set { bit } else { 0 }
}

fn refuse(view: &'static str, desc: &Desc, bits: u32) -> Result<(), ParseError> {
    match desc.word0() & bits {
        0 => Ok(()),
        bits => Err(ParseError::Bits {
            view,
            word0: desc.word0(),
            bits,
        }),
    }
}

/// A data TX descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TxDesc {
    /// Bytes.
    pub length: Length,
    /// Phase.
    pub phase: Phase,
    /// Place in the packet.
    pub place: Place,
    /// Data memory barrier.
    pub dmb: bool,
    /// Interrupt on completion.
    pub int_en: bool,
    /// `meta_ctrl`, field by field.
    pub meta: MetaFields,
    /// Source address.
    pub src: u64,
}

impl TxDesc {
    /// Reads a descriptor as data TX.
    ///
    /// # Errors
    /// [`ParseError::Bits`] if bits 22:16, META or bit 29 are set.
    pub fn parse(desc: &Desc) -> Result<Self, ParseError> {
        refuse("TX", desc, field::RESERVED | field::META | field::SOW)?;
        Ok(Self {
            length: Length::of(desc),
            phase: Phase(desc.ring_id()),
            place: Place::of(desc),
            dmb: desc.dmb(),
            int_en: desc.int_en(),
            meta: MetaFields::parse(MetaCtrl(desc.word1())),
            src: desc.pointer(),
        })
    }

    /// The raw descriptor (DESC-1, DESC-2).
    pub fn emit(&self) -> Desc {
        let word0 = self.length.bits()
            | self.phase.0 << field::RING_ID_SHIFT
            | self.place.bits()
            | flag(self.dmb, field::DMB)
            | flag(self.int_en, field::INT_EN);
        Desc::new(word0, self.meta.emit().0, self.src)
    }
}

/// An RX descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RxDesc {
    /// Bytes.
    pub length: Length,
    /// Phase.
    pub phase: Phase,
    /// FIRST and LAST bits; CONCAT means embedded-semaphore fields here (MARIANA, EDIT-4).
    pub place: Place,
    /// Strong-ordered write.
    pub sow: bool,
    /// Interrupt on completion.
    pub int_en: bool,
    /// Destination address.
    pub dst: u64,
}

impl RxDesc {
    /// Reads a descriptor as RX.
    ///
    /// # Errors
    /// [`ParseError::Bits`] if bits 22:16, META or bit 30 are set; [`ParseError::SecondPointer`]
    /// if word1 is not 0 (DESC-2).
    pub fn parse(desc: &Desc) -> Result<Self, ParseError> {
        refuse("RX", desc, field::RESERVED | field::META | field::DMB)?;
        if desc.word1() != 0 {
            return Err(ParseError::SecondPointer(desc.word1()));
        }
        Ok(Self {
            length: Length::of(desc),
            phase: Phase(desc.ring_id()),
            place: Place::of(desc),
            sow: desc.sow(),
            int_en: desc.int_en(),
            dst: desc.pointer(),
        })
    }

    /// The raw descriptor.
    pub fn emit(&self) -> Desc {
        let word0 = self.length.bits()
            | self.phase.0 << field::RING_ID_SHIFT
            | self.place.bits()
            | flag(self.sow, field::SOW)
            | flag(self.int_en, field::INT_EN);
        Desc::new(word0, 0, self.dst)
    }
}

/// A TX descriptor that carries a meta or compute word instead of data. Its word0 holds more than
/// the fields named here (an index shares the phase's bits, BLDR-11), so it is kept whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TxMetaDesc {
    word0: u32,
    /// `meta_ctrl`.
    pub meta: MetaCtrl,
    /// word2.
    pub meta1: u32,
    /// word3.
    pub meta2: u32,
}

impl TxMetaDesc {
    /// Reads a descriptor as TX meta.
    ///
    /// # Errors
    /// [`ParseError::NotMeta`] if bit 23 is clear.
    pub fn parse(desc: &Desc) -> Result<Self, ParseError> {
        if !desc.meta() {
            return Err(ParseError::NotMeta(desc.word0()));
        }
        Ok(Self {
            word0: desc.word0(),
            meta: MetaCtrl(desc.word1()),
            meta1: desc.meta1(),
            meta2: desc.meta2(),
        })
    }

    /// word0 bits 31:24, the index of BLDR-11 together with the flags that share them.
    pub const fn index_bits(&self) -> u32 {
        self.word0 >> field::RING_ID_SHIFT
    }

    /// The raw descriptor.
    pub fn emit(&self) -> Desc {
        Desc::from_words([self.word0, self.meta.0, self.meta1, self.meta2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_parses_is_emitted_bit_for_bit() {
        for word0 in [
            0x0d00_0000u32,
            0x4f00_ffff,
            0x9600_0001,
            0x2100_0004,
            0x0480_0000,
        ] {
            let desc = Desc::new(word0, 0, 0x0123_4567_89ab_cdef);
            if let Ok(tx) = TxDesc::parse(&desc) {
                assert_eq!(tx.emit(), desc);
            }
            if let Ok(rx) = RxDesc::parse(&desc) {
                assert_eq!(rx.emit(), desc);
            }
            if let Ok(meta) = TxMetaDesc::parse(&desc) {
                assert_eq!(meta.emit(), desc);
            }
        }
    }

    #[test]
    fn fields_are_where_they_are_seen() {
        let tx = TxDesc::parse(&Desc::new(0x4f00_ffff, 0, 7)).unwrap();
        assert_eq!((tx.length.bytes(), tx.phase.id()), (65535, 3));
        assert_eq!(tx.place, Place::ALONE);
        // DESC-3: a field of 0 is 65536 bytes.
        let rx = RxDesc::parse(&Desc::new(0x2500_0000, 0, 7)).unwrap();
        assert_eq!((rx.length.bytes(), rx.phase.id()), (65536, 1));
        assert!(rx.sow && rx.place.first && !rx.place.last);
        let lengths = [0, 1, 65536, 65537].map(|bytes| Length::new(bytes).map(Length::bytes));
        assert_eq!(lengths, [None, Some(1), Some(65536), None]);
    }

    #[test]
    fn bits_of_the_other_view_are_refused_by_name() {
        let tx = TxDesc::parse(&Desc::new(0x2000_0001, 0, 0)).unwrap_err();
        assert_eq!(
            tx,
            ParseError::Bits {
                view: "TX",
                word0: 0x2000_0001,
                bits: 0x2000_0000
            }
        );
        assert!(RxDesc::parse(&Desc::new(0x4000_0001, 0, 0)).is_err());
        assert_eq!(
            RxDesc::parse(&Desc::new(1, 7, 0)),
            Err(ParseError::SecondPointer(7))
        );
        assert_eq!(
            TxMetaDesc::parse(&Desc::new(1, 0, 0)),
            Err(ParseError::NotMeta(1))
        );
    }

    #[test]
    fn phases_go_1_2_3_0() {
        let mut phase = Phase::FIRST_LAP;
        let laps: alloc::vec::Vec<u32> = core::iter::repeat_with(|| {
            let id = phase.id();
            phase = phase.next();
            id
        })
        .take(5)
        .collect();
        assert_eq!(laps, [1, 2, 3, 0, 1]);
    }
}
