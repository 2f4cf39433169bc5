//! Reading of descriptor differences: words, bits and fields of the two sides.

use crate::model::{DescriptorDiff, FieldDiff};

/// 32-bit words in a descriptor (DESC-1).
pub const WORDS: usize = 4;

/// The four little-endian words of 32 hex digits in memory order; none for any other text.
pub fn words(hex: &str) -> Option<[u32; WORDS]> {
    if hex.len() != 32 || !hex.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let mut words = [0; WORDS];
    for (at, word) in words.iter_mut().enumerate() {
        *word = u32::from_str_radix(&hex[at * 8..at * 8 + 8], 16)
            .ok()?
            .swap_bytes();
    }
    Some(words)
}

/// A value of `width` bits: small fields in decimal, wide ones in hex, those between in both.
pub fn value(number: u64, width: u8) -> String {
    match width {
        0..=4 => number.to_string(),
        5..=16 => format!(
            "0x{number:0digits$x} ({number})",
            digits = usize::from(width).div_ceil(4)
        ),
        _ => format!(
            "0x{number:0digits$x}",
            digits = usize::from(width).div_ceil(4)
        ),
    }
}

/// A run of bits of one 32-bit word: a field, the part of a wide field in this word, or bits that
/// no field names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell<'a> {
    /// The field, or none between fields.
    pub field: Option<&'a FieldDiff>,
    /// Number of the 32-bit word, 0 to 3.
    pub word: usize,
    /// Highest bit within the 32-bit word.
    pub high: u8,
    /// Lowest bit within the 32-bit word.
    pub low: u8,
}

impl Cell<'_> {
    /// Bits covered, 1 to 32.
    pub fn width(&self) -> u8 {
        self.high - self.low + 1
    }

    /// The bits of this cell set in a 32-bit word.
    pub fn mask(&self) -> u32 {
        (u32::MAX >> (32 - u32::from(self.width()))) << self.low
    }

    /// The cell's bits of a word, shifted down to bit 0.
    pub fn bits_of(&self, word: u32) -> u32 {
        (word & self.mask()) >> self.low
    }
}

/// How the two sides stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// Both wrote the descriptor.
    Both,
    /// The slot must be left as it was, but was written.
    MustBeLeft,
    /// The slot must be written, but was left as it was.
    NotWritten,
    /// Both left the slot as it was.
    Neither,
}

impl Sides {
    /// The difference in words, for a slot written by one side alone.
    pub fn complaint(self) -> Option<&'static str> {
        match self {
            Sides::MustBeLeft => Some("must be left as it was, but was written"),
            Sides::NotWritten => Some("must be written, but was left as it was"),
            Sides::Both | Sides::Neither => None,
        }
    }
}

impl DescriptorDiff {
    /// Which sides wrote the descriptor.
    pub fn sides(&self) -> Sides {
        match (&self.expected, &self.actual) {
            (Some(_), Some(_)) => Sides::Both,
            (None, Some(_)) => Sides::MustBeLeft,
            (Some(_), None) => Sides::NotWritten,
            (None, None) => Sides::Neither,
        }
    }

    /// Words that the rule requires, where any are and the hex is whole.
    pub fn expected_words(&self) -> Option<[u32; WORDS]> {
        self.expected.as_deref().and_then(words)
    }

    /// Words seen, where any were and the hex is whole.
    pub fn actual_words(&self) -> Option<[u32; WORDS]> {
        self.actual.as_deref().and_then(words)
    }

    /// Bits that differ, word by word; all 0 where one side has no words to compare.
    pub fn differing_bits(&self) -> [u32; WORDS] {
        match (self.expected_words(), self.actual_words()) {
            (Some(expected), Some(actual)) => std::array::from_fn(|at| expected[at] ^ actual[at]),
            _ => [0; WORDS],
        }
    }

    /// Name of the word that holds 32-bit word `index` (BITS-1: output always names the word).
    pub fn word_name(&self, index: usize) -> String {
        let inside = |field: &&FieldDiff| {
            let first = usize::from(field.index) + usize::from(field.low) / 32;
            let last = usize::from(field.index) + usize::from(field.high) / 32;
            (first..=last).contains(&index)
        };
        match self.fields.iter().find(inside) {
            Some(field) if usize::from(field.index) == index && field.high < 32 => {
                field.word.clone()
            }
            Some(field) if usize::from(field.index) == index => format!("{}, low half", field.word),
            Some(field) => format!("{}, high half", field.word),
            None => format!("word{index}"),
        }
    }

    /// 32-bit word `index` cut into fields and the gaps between them, high bits first; the cells
    /// always add up to 32 bits.
    pub fn cells(&self, index: usize) -> Vec<Cell<'_>> {
        let owner = |bit: u8| {
            self.fields.iter().find(|field| {
                let base = usize::from(field.index) * 32;
                let at = index * 32 + usize::from(bit);
                (base + usize::from(field.low)..=base + usize::from(field.high)).contains(&at)
            })
        };
        let mut cells: Vec<Cell<'_>> = Vec::new();
        for bit in (0..32).rev() {
            let field = owner(bit);
            match cells.last_mut() {
                // The same field, not an equal one: two fields may look alike.
                Some(cell)
                    if cell.field.map(std::ptr::from_ref) == field.map(std::ptr::from_ref) =>
                {
                    cell.low = bit;
                }
                _ => cells.push(Cell {
                    field,
                    word: index,
                    high: bit,
                    low: bit,
                }),
            }
        }
        cells
    }

    /// The differences one by one, as in `word0 bit 27 LAST: expected 1, got 0`; empty where one
    /// side wrote nothing, since then [`Sides::complaint`] says it all.
    pub fn differences(&self) -> Vec<String> {
        if self.sides() != Sides::Both {
            return Vec::new();
        }
        let named = self
            .fields
            .iter()
            .filter(|field| field.differs())
            .map(FieldDiff::difference);
        named.chain(self.unnamed_differences()).collect()
    }

    // Bits that no field names must not differ unseen.
    fn unnamed_differences(&self) -> Vec<String> {
        let (Some(expected), Some(actual)) = (self.expected_words(), self.actual_words()) else {
            return Vec::new();
        };
        let mut out = Vec::new();
        for (index, differing) in self.differing_bits().into_iter().enumerate() {
            for cell in self.cells(index) {
                if cell.field.is_none() && differing & cell.mask() != 0 {
                    out.push(format!(
                        "{} {} (unnamed): expected {}, got {}",
                        self.word_name(index),
                        bits(cell.high, cell.low),
                        value(cell.bits_of(expected[index]).into(), cell.width()),
                        value(cell.bits_of(actual[index]).into(), cell.width()),
                    ));
                }
            }
        }
        out
    }
}

/// `bit 27` or `bits 25:24`.
pub fn bits(high: u8, low: u8) -> String {
    if high == low {
        format!("bit {low}")
    } else {
        format!("bits {high}:{low}")
    }
}

impl FieldDiff {
    /// Bits of the field.
    pub fn width(&self) -> u8 {
        self.high.saturating_sub(self.low).saturating_add(1)
    }

    /// Word, bits and name: `word0 bit 27 LAST`.
    pub fn place(&self) -> String {
        format!("{} {} {}", self.word, bits(self.high, self.low), self.name)
    }

    /// Place and both values: `word0 bit 27 LAST: expected 1, got 0`.
    pub fn difference(&self) -> String {
        let show =
            |side: Option<u64>| side.map_or("nothing".into(), |number| value(number, self.width()));
        format!(
            "{}: expected {}, got {}",
            self.place(),
            show(self.expected),
            show(self.actual)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common;

    #[test]
    fn words_are_little_endian() {
        let hex = "4000000c03000801000010000f000000";
        assert_eq!(
            words(hex),
            Some([0x0c00_0040, 0x0108_0003, 0x0010_0000, 0x0000_000f])
        );
        assert_eq!(words(&hex[1..]), None);
        assert_eq!(words(&hex.replace('4', "g")), None);
    }

    #[test]
    fn cells_fill_every_word() {
        for diff in [common::tx_diff(), common::rx_diff()] {
            for index in 0..WORDS {
                let cells = diff.cells(index);
                assert_eq!(
                    cells
                        .iter()
                        .map(|cell| u32::from(cell.width()))
                        .sum::<u32>(),
                    32
                );
                assert_eq!(
                    cells.iter().fold(0, |all, cell| all | cell.mask()),
                    u32::MAX
                );
            }
        }
    }

    #[test]
    fn a_pointer_is_cut_in_two() {
        let diff = common::tx_diff();
        assert_eq!(diff.cells(3).len(), 1);
        assert_eq!(diff.word_name(2), "pointer, low half");
        assert_eq!(diff.word_name(3), "pointer, high half");
        assert_eq!(diff.word_name(1), "meta_ctrl");
    }

    #[test]
    fn names_what_differs() {
        assert_eq!(
            common::tx_diff().differences(),
            [
                "word0 bit 27 LAST: expected 1, got 0",
                "word0 bits 25:24 RING_ID: expected 2, got 1",
                "meta_ctrl bit 26 write_barrier: expected 0, got 1",
            ]
        );
    }

    #[test]
    fn unnamed_bits_are_named_by_number() {
        let mut diff = common::tx_diff();
        diff.fields.retain(|field| field.name != "LAST");
        assert!(
            diff.differences()
                .contains(&"word0 bit 27 (unnamed): expected 1, got 0".to_owned())
        );
    }

    #[test]
    fn one_sided_descriptors_have_a_complaint_only() {
        let diff = DescriptorDiff {
            expected: None,
            ..common::tx_diff()
        };
        assert_eq!(diff.sides(), Sides::MustBeLeft);
        assert!(diff.sides().complaint().is_some());
        assert_eq!(diff.differing_bits(), [0; WORDS]);
        assert!(diff.differences().is_empty());
    }

    #[test]
    fn values_fit_their_width() {
        assert_eq!(value(1, 1), "1");
        assert_eq!(value(64, 16), "0x0040 (64)");
        assert_eq!(value(0x1000, 64), "0x0000000000001000");
    }
}
