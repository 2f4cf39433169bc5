//! A field of an op word, and the macro that writes an op word down once: names, places, how sure
//! each name is.

use crate::fault::{COMPILED_IN, mutant};

/// How sure a statement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Confidence {
    /// A guess that fits; reported, never judged.
    Low,
    /// Likely.
    Medium,
    /// Read from a published disassembly.
    High,
    /// Observed.
    Certain,
}

impl Confidence {
    /// The letter that rules use: `c`, `h`, `m`, `l`.
    pub const fn letter(self) -> char {
        match self {
            Self::Certain => 'c',
            Self::High => 'h',
            Self::Medium => 'm',
            Self::Low => 'l',
        }
    }
}

/// One field of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Lowest bit.
    pub low: u32,
    /// Bits.
    pub width: u32,
    /// How sure the *name* is; the place of every field is at least high.
    pub confidence: Confidence,
}

impl Field {
    /// Highest bit.
    pub const fn high(&self) -> u32 {
        self.low + self.width - 1
    }

    /// The field's bits in its word.
    pub const fn mask(&self) -> u32 {
        (u32::MAX >> (32 - self.width)) << self.low
    }

    /// Its value in a word.
    pub const fn read(&self, word: u32) -> u32 {
        (word & self.mask()) >> self.low
    }
}

/// Lowest bit at which a field is written. Anything but `low` is a planted belief.
pub(super) fn place(op: &str, field: &str, low: u32) -> u32 {
    if !COMPILED_IN {
        return low;
    }
    match (op, field) {
        ("CceExt", "src_dtype") if mutant(311) => 16,
        ("CceExt", "dst_dtype") if mutant(311) => 12,
        ("Fma", "scale_dtype") if mutant(317) => 16,
        ("Fma", "accum_dtype") if mutant(317) => 12,
        ("MinMax", "use_const") if mutant(318) => 4,
        ("MinMax", "last") if mutant(318) => 5,
        ("Add", "last") if mutant(321) => 4,
        ("Add", "flag") if mutant(321) => 7,
        ("Gradient", "in_dtype") if mutant(322) => 12,
        ("Gradient", "scale_dtype") if mutant(322) => 8,
        _ => low,
    }
}

/// Bits that a field keeps of its value. Anything but `width` is a planted belief.
pub(super) fn kept(op: &str, field: &str, width: u32) -> u32 {
    if !COMPILED_IN {
        return width;
    }
    match (op, field) {
        ("Replication", "count") if mutant(312) => 8,
        ("TransposeWord", "elem_bytes") if mutant(339) => 3,
        ("MinMax", "const_dtype") if mutant(399) => 4,
        _ => width,
    }
}

/// Defines the operands of an op word with their places; `word` is the base OR the interior
/// (OPC-1), and `parse` accepts exactly the words that `word` gives.
macro_rules! op_word {
    (
        $(#[$doc:meta])*
        $name:ident, $base:literal {
            $($(#[$field_doc:meta])* $field:ident: $low:literal, $width:literal, $confidence:ident;)*
        } derived $derived:expr
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: u32,)*
        }

        impl $name {
            /// Base word.
            pub const BASE: u32 = $base;
            /// Every operand, low bits first.
            pub const LAYOUT: &'static [$crate::op::Field] = &[$($crate::op::Field {
                name: stringify!($field),
                low: $low,
                width: $width,
                confidence: $crate::op::Confidence::$confidence,
            },)*];

            /// The word.
            pub fn word(&self) -> u32 {
                let derived: fn(&Self) -> (Self, u32) = $derived;
                let (operands, bits) = derived(self);
                let (op, base) = (stringify!($name), Self::BASE);
                base | bits $(| $crate::op::field::shifted(
                    (op, stringify!($field)), operands.$field, ($low, $width),
                ))*
            }

            /// Operands by their places, whatever else the word holds.
            pub fn fields(word: u32) -> Self {
                Self { $($field: word >> $low & (u32::MAX >> (32 - $width)),)* }
            }

            /// The operands whose word is this one; none where there are no such operands.
            pub fn parse(word: u32) -> Option<Self> {
                let operands = Self::fields(word);
                (operands.word() == word).then_some(operands)
            }
        }
    };
}
pub(super) use op_word;

/// One operand at its place, cut to its field.
#[inline]
pub(super) fn shifted((op, field): (&str, &str), value: u32, (low, width): (u32, u32)) -> u32 {
    (value & (u32::MAX >> (32 - kept(op, field, width)))) << place(op, field, low)
}
