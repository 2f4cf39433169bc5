//! A vring, or the image of a ring, as rows: for printing and for comparing.

use alloc::vec::Vec;
use core::fmt;

use super::Vring;
use crate::desc::{Desc, View};
use crate::explain::{self, Word};
use crate::io::Side;

/// One descriptor with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// Half.
    pub side: Side,
    /// Index in the half.
    pub index: u32,
    /// The descriptor.
    pub desc: Desc,
}

impl Row {
    /// The view that fits the descriptor: META has its own (DESC-2).
    pub const fn view(&self) -> View {
        match self.side {
            Side::Rx => View::Rx,
            Side::Tx if self.desc.meta() => View::TxMeta,
            Side::Tx => View::Tx,
        }
    }
}

/// The heading that goes with rows.
pub const HEADING: &str =
    "half    index  word0     word1     pointer             id  length  flags of word0";

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { side, index, desc } = self;
        let half = match side {
            Side::Tx => "tx",
            Side::Rx => "rx",
        };
        write!(
            f,
            "{half} {index:>10}  {:08x}  {:08x}  0x{:016x}  {:>2}  {:>6} ",
            desc.word0(),
            desc.word1(),
            desc.pointer(),
            desc.ring_id(),
            desc.length()
        )?;
        let flags = [
            (desc.first(), "FIRST"),
            (desc.last(), "LAST"),
            (desc.concat(), "CONCAT"),
            (desc.dmb(), "DMB"),
            (desc.sow(), "SOW"),
            (desc.int_en(), "INT_EN"),
            (desc.meta(), "META"),
        ];
        for (_, name) in flags.iter().filter(|(is_set, _)| *is_set) {
            write!(f, " {name}")?;
        }
        Ok(())
    }
}

/// One place where two rings differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Difference {
    /// Half.
    pub side: Side,
    /// Index in the half.
    pub index: u32,
    /// Left descriptor; none where the left ring ends before.
    pub left: Option<Desc>,
    /// Right descriptor; none where the right ring ends before.
    pub right: Option<Desc>,
}

/// A field that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FieldDifference {
    /// Word that it lies in (BITS-1).
    pub word: Word,
    /// Name.
    pub name: &'static str,
    /// Left value.
    pub left: u64,
    /// Right value.
    pub right: u64,
}

impl Difference {
    /// The fields that differ, under the left descriptor's view; none where a side is missing.
    pub fn fields(&self) -> Vec<FieldDifference> {
        let (Some(left), Some(right)) = (self.left, self.right) else {
            return Vec::new();
        };
        let view = Row {
            side: self.side,
            index: self.index,
            desc: left,
        }
        .view();
        let pairs = explain::fields(view, &left)
            .into_iter()
            .zip(explain::fields(view, &right));
        pairs
            .filter(|(left, right)| left.value != right.value)
            .map(|(left, right)| FieldDifference {
                word: left.word,
                name: left.name,
                left: left.value,
                right: right.value,
            })
            .collect()
    }
}

/// Where two lists of descriptors differ, index by index.
pub fn diff<'d>(
    side: Side,
    left: impl IntoIterator<Item = &'d Desc>,
    right: impl IntoIterator<Item = &'d Desc>,
) -> impl Iterator<Item = Difference> {
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    let pairs = core::iter::from_fn(move || match (left.next(), right.next()) {
        (None, None) => None,
        (left, right) => Some((left.copied(), right.copied())),
    });
    (0..)
        .zip(pairs)
        .filter(|(_, (left, right))| left != right)
        .map(move |(index, (left, right))| Difference {
            side,
            index,
            left,
            right,
        })
}

impl Vring {
    /// Every descriptor of a half as a row.
    pub fn rows(&self, side: Side) -> impl Iterator<Item = Row> {
        (0..)
            .zip(self.half(side).iter())
            .map(move |(index, desc)| Row {
                side,
                index,
                desc: *desc,
            })
    }

    /// Where the descriptors of two vrings differ, TX before RX.
    pub fn diff<'v>(&'v self, other: &'v Self) -> impl Iterator<Item = Difference> + use<'v> {
        [Side::Tx, Side::Rx]
            .into_iter()
            .flat_map(move |side| diff(side, self.half(side).iter(), other.half(side).iter()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn rows_and_differences_name_their_fields() {
        let mut left = Vring::new("l");
        let desc = Desc::new(0x0d00_0040, 0x0108_0003, 0x1000);
        left.add_raw(Side::Tx, desc).unwrap();
        let mut right = left.deep_copy().unwrap();
        let row = left.rows(Side::Tx).next().unwrap();
        assert_eq!(
            row.to_string(),
            "tx          0  0d000040  01080003  0x0000000000001000   1      64  FIRST LAST"
        );
        right.add_raw(Side::Rx, Desc::default()).unwrap();
        right.free();
        right
            .add_raw(Side::Tx, Desc::new(0x0d00_0040, 0x0508_0003, 0x1000))
            .unwrap();
        right.add_raw(Side::Rx, Desc::default()).unwrap();
        let found: Vec<Difference> = left.diff(&right).collect();
        assert_eq!(found.len(), 2);
        assert_eq!(
            found[0].fields(),
            [FieldDifference {
                word: Word::MetaCtrl,
                name: "write_barrier",
                left: 0,
                right: 1
            }]
        );
        assert_eq!((found[1].side, found[1].left), (Side::Rx, None));
        assert!(found[1].fields().is_empty());
    }
}
