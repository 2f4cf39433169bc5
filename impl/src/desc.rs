//! The descriptor as it lies in memory: raw words, one accessor a field, no judgement.
//!
//! [`crate::typed`] holds the values that can only be valid.

/// Bit positions and masks. A number means different things in different words (BITS-1), so the
/// constants of `meta_ctrl` live in [`crate::meta`].
pub(crate) mod field {
    /// Length, DESC-3.
    pub const LENGTH: u32 = 0x0000_ffff;
    /// Bits 22:16, DESC-4.
    pub const RESERVED: u32 = 0x007f_0000;
    pub const RESERVED_SHIFT: u32 = 16;
    pub const META: u32 = 1 << 23;
    pub const RING_ID: u32 = 0x0300_0000;
    pub const RING_ID_SHIFT: u32 = 24;
    pub const FIRST: u32 = 1 << 26;
    pub const LAST: u32 = 1 << 27;
    pub const INT_EN: u32 = 1 << 28;
    pub const SOW: u32 = 1 << 29;
    pub const DMB: u32 = 1 << 30;
    pub const CONCAT: u32 = 1 << 31;
}

/// Bytes of the largest transfer of one descriptor, encoded as length 0 (DESC-3).
pub const MAX_LENGTH: u32 = 0x1_0000;

/// One descriptor: 16 bytes, 16-byte aligned (DESC-1). Words are kept in the host's order;
/// [`Desc::to_bytes`] and [`Desc::from_bytes`] are the memory form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C, align(16))]
pub struct Desc {
    /// word0 below, word1 above: two 64-bit halves are published in two stores, not four.
    head: u64,
    pointer: u64,
}

impl Desc {
    /// A descriptor of four words.
    #[inline]
    pub const fn from_words(words: [u32; 4]) -> Self {
        let [word0, word1, low, high] = words;
        Self::new(word0, word1, low as u64 | (high as u64) << 32)
    }

    /// A TX or RX descriptor: word0, word1, pointer (DESC-1).
    #[inline]
    pub const fn new(word0: u32, word1: u32, pointer: u64) -> Self {
        Self {
            head: word0 as u64 | (word1 as u64) << 32,
            pointer,
        }
    }

    /// A descriptor of word0 and word1 in one, word0 below, and a pointer.
    #[inline]
    pub(crate) const fn from_halves(head: u64, pointer: u64) -> Self {
        Self { head, pointer }
    }

    /// The four words.
    #[inline]
    pub const fn words(&self) -> [u32; 4] {
        [self.word0(), self.word1(), self.meta1(), self.meta2()]
    }

    /// From 16 bytes of memory, little-endian (DESC-1).
    pub fn from_bytes(bytes: [u8; 16]) -> Self {
        let all = u128::from_le_bytes(bytes);
        Self {
            head: all as u64,
            pointer: (all >> 64) as u64,
        }
    }

    /// The 16 bytes in memory order (DESC-1).
    pub fn to_bytes(&self) -> [u8; 16] {
        (u128::from(self.head) | u128::from(self.pointer) << 64).to_le_bytes()
    }

    /// word0, `len_ctrl`.
    #[inline]
    pub const fn word0(&self) -> u32 {
        self.head as u32
    }

    /// word1: `meta_ctrl` of a TX descriptor, `buf2_ptr_lo` of an RX one (DESC-2).
    #[inline]
    pub const fn word1(&self) -> u32 {
        (self.head >> 32) as u32
    }

    /// Source (TX) or destination (RX) address.
    #[inline]
    pub const fn pointer(&self) -> u64 {
        self.pointer
    }

    /// word2 of the TX-meta view.
    #[inline]
    pub const fn meta1(&self) -> u32 {
        self.pointer as u32
    }

    /// word3 of the TX-meta view.
    #[inline]
    pub const fn meta2(&self) -> u32 {
        (self.pointer >> 32) as u32
    }

    /// Length field as it stands, 0..65535.
    pub const fn length_field(&self) -> u32 {
        self.word0() & field::LENGTH
    }

    /// Length in bytes, 1..65536 (DESC-3).
    pub fn length(&self) -> u32 {
        let length = match self.length_field() {
            0 if crate::fault::mutant(14) => 0,
            0 => MAX_LENGTH,
            0xffff if crate::fault::mutant(404) => MAX_LENGTH,
            length => length,
        };
        if crate::fault::mutant(15) {
            return match self.word0() & (field::LENGTH | field::RESERVED) {
                0 => MAX_LENGTH,
                length => length,
            };
        }
        length
    }

    /// word0 bits 22:16; 0 in every descriptor of a copy builder (DESC-4).
    pub const fn reserved(&self) -> u32 {
        (self.word0() & field::RESERVED) >> field::RESERVED_SHIFT
    }

    /// Phase, 0..3.
    pub const fn ring_id(&self) -> u32 {
        (self.word0() & field::RING_ID) >> field::RING_ID_SHIFT
    }

    /// Bit 23: carries a meta or compute word.
    pub const fn meta(&self) -> bool {
        self.word0() & field::META != 0
    }

    /// Bit 26 of word0.
    pub fn first(&self) -> bool {
        let bit = if crate::fault::mutant(79) {
            field::LAST
        } else {
            field::FIRST
        };
        self.word0() & bit != 0
    }

    /// Bit 27 of word0.
    pub fn last(&self) -> bool {
        let bit = if crate::fault::mutant(79) {
            field::FIRST
        } else {
            field::LAST
        };
        self.word0() & bit != 0
    }

    /// Bit 28 of word0.
    pub const fn int_en(&self) -> bool {
        self.word0() & field::INT_EN != 0
    }

    /// Bit 29 of word0; means strong-ordered write in an RX descriptor.
    pub const fn sow(&self) -> bool {
        self.word0() & field::SOW != 0
    }

    /// Bit 30 of word0; means data memory barrier in a TX descriptor.
    pub const fn dmb(&self) -> bool {
        self.word0() & field::DMB != 0
    }

    /// Bit 31 of word0.
    pub const fn concat(&self) -> bool {
        self.word0() & field::CONCAT != 0
    }

    /// ORs bits into word0; nothing else changes (BITS-2).
    #[inline]
    pub(crate) fn set(&mut self, bits: u32) {
        self.head |= u64::from(bits);
    }

    /// Clears bits of word0; nothing else changes (BITS-2).
    #[inline]
    pub(crate) fn clear(&mut self, bits: u32) {
        self.head &= !u64::from(bits);
    }

    /// word0 and word1 in one, word0 below.
    #[inline]
    pub(crate) const fn head(&self) -> u64 {
        self.head
    }

    /// Replaces word0 and word1.
    #[inline]
    pub(crate) fn set_head(&mut self, head: u64) {
        self.head = head;
    }

    /// Replaces word1.
    #[inline]
    pub fn set_word1(&mut self, word1: u32) {
        self.head = u64::from(self.word0()) | u64::from(word1) << 32;
    }
}

/// A view of a descriptor (DESC-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum View {
    /// word1 is `meta_ctrl`, the pointer is the source.
    Tx,
    /// word1 is `buf2_ptr_lo`, the pointer is the destination.
    Rx,
    /// word1 is `meta_ctrl`, words 2 and 3 are `meta1` and `meta2`.
    TxMeta,
}

/// A descriptor taken apart under a view, raw: any 16 bytes have fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fields {
    /// The view.
    pub view: View,
    /// Bytes, 1..65536 (DESC-3).
    pub length: u32,
    /// Phase, 0..3.
    pub ring_id: u32,
    /// word0 bits 22:16.
    pub reserved: u32,
    /// word0 bit 31.
    pub concat: bool,
    /// word0 bit 30.
    pub dmb: bool,
    /// word0 bit 29.
    pub sow: bool,
    /// word0 bit 28.
    pub int_en: bool,
    /// word0 bit 27.
    pub last: bool,
    /// word0 bit 26.
    pub first: bool,
    /// word0 bit 23.
    pub meta: bool,
    /// `meta_ctrl` or `buf2_ptr_lo`.
    pub word1: u32,
    /// word2 of the TX-meta view, else 0.
    pub meta1: u32,
    /// word3 of the TX-meta view, else 0.
    pub meta2: u32,
    /// Address in the TX and RX views, else 0.
    pub pointer: u64,
}

impl Fields {
    /// Takes a descriptor apart.
    pub fn parse(view: View, desc: &Desc) -> Self {
        let meta_view = view == View::TxMeta;
        Self {
            view,
            length: desc.length(),
            ring_id: desc.ring_id(),
            reserved: desc.reserved(),
            concat: desc.concat(),
            dmb: desc.dmb(),
            sow: desc.sow(),
            int_en: desc.int_en(),
            last: desc.last(),
            first: desc.first(),
            meta: desc.meta(),
            word1: desc.word1(),
            meta1: if meta_view { desc.meta1() } else { 0 },
            meta2: if meta_view { desc.meta2() } else { 0 },
            pointer: if meta_view { 0 } else { desc.pointer() },
        }
    }

    /// Puts it together again: the exact inverse of [`Fields::parse`].
    pub fn emit(&self) -> Desc {
        let flag = |set: bool, bit: u32| if set { bit } else { 0 };
        let word0 = (self.length & field::LENGTH)
            | (self.reserved << field::RESERVED_SHIFT) & field::RESERVED
            | flag(self.meta, field::META)
            | (self.ring_id << field::RING_ID_SHIFT) & field::RING_ID
            | flag(self.first, field::FIRST)
            | flag(self.last, field::LAST)
            | flag(self.int_en, field::INT_EN)
            | flag(self.sow, field::SOW)
            | flag(self.dmb, field::DMB)
            | flag(self.concat, field::CONCAT);
        let desc = match self.view {
            View::TxMeta => Desc::from_words([word0, self.word1, self.meta1, self.meta2]),
            View::Tx | View::Rx => Desc::new(word0, self.word1, self.pointer),
        };
        if crate::fault::mutant(12) {
            return Desc::from_words(desc.words().map(u32::swap_bytes));
        }
        desc
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // golden/copy_pair case 0: source 0xb65e7b6bf24d1b4a, 65536 bytes, phase 0.
    const TX: [u8; 16] = [
        0x00, 0x00, 0x00, 0x0c, 0x03, 0x00, 0x08, 0x01, 0x4a, 0x1b, 0x4d, 0xf2, 0x6b, 0x7b, 0x5e,
        0xb6,
    ];

    #[test]
    fn recorded_bytes_read_as_recorded() {
        let desc = Desc::from_bytes(TX);
        assert_eq!(desc.word0(), 0x0c00_0000);
        assert_eq!(desc.word1(), 0x0108_0003);
        assert_eq!(desc.pointer(), 0xb65e_7b6b_f24d_1b4a);
        assert_eq!((desc.length(), desc.ring_id()), (65536, 0));
        assert!(desc.first() && desc.last() && !desc.concat() && !desc.dmb());
        assert_eq!(desc.to_bytes(), TX);
    }

    #[test]
    fn every_bit_survives_every_view() {
        for view in [View::Tx, View::Rx, View::TxMeta] {
            for bit in 0..128 {
                let desc = Desc::from_bytes((1u128 << bit).to_le_bytes());
                assert_eq!(
                    Fields::parse(view, &desc).emit(),
                    desc,
                    "{view:?} bit {bit}"
                );
            }
        }
    }
}
