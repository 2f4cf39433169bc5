//! A descriptor in words: every field by word and name (BITS-1), what it does, what is unusual.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::desc::{Desc, View, field};
use crate::meta::{MetaCtrl, MetaFields, PLAIN_COPY};

/// A word of a descriptor under a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Word {
    /// `len_ctrl`.
    Word0,
    /// word1 of the TX and TX-meta views.
    MetaCtrl,
    /// word1 of the RX view.
    SecondPointer,
    /// Words 2 and 3 as one address.
    Pointer,
    /// word2 of the TX-meta view.
    Meta1,
    /// word3 of the TX-meta view.
    Meta2,
}

impl Word {
    /// The name that printed output uses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Word0 => "word0",
            Self::MetaCtrl => "meta_ctrl",
            Self::SecondPointer => "buf2_ptr_lo",
            Self::Pointer => "pointer",
            Self::Meta1 => "meta1",
            Self::Meta2 => "meta2",
        }
    }
}

/// One field with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The word it lies in.
    pub word: Word,
    /// Its name.
    pub name: &'static str,
    /// Highest bit in the word.
    pub high: u32,
    /// Lowest bit in the word.
    pub low: u32,
    /// Its value.
    pub value: u64,
}

/// Name and bits of the fields of word0, high bits first, where a view has a use for them.
const WORD0: [(&str, u32, u32); 10] = [
    ("CONCAT", 31, 31),
    ("DMB", 30, 30),
    ("SOW", 29, 29),
    ("INT_EN", 28, 28),
    ("LAST", 27, 27),
    ("FIRST", 26, 26),
    ("RING_ID", 25, 24),
    ("META", 23, 23),
    ("reserved", 22, 16),
    ("LENGTH", 15, 0),
];

/// Every field of a descriptor under a view, word by word, high bits first. The bits of the fields
/// cover the descriptor exactly once.
pub fn fields(view: View, desc: &Desc) -> Vec<Named> {
    let mut fields: Vec<Named> = WORD0
        .iter()
        .map(|&(name, high, low)| named(Word::Word0, name, high, low, desc.word0().into()))
        .collect();
    let pointer = |name| named(Word::Pointer, name, 63, 0, desc.pointer());
    match view {
        View::Rx => {
            fields.push(named(
                Word::SecondPointer,
                "buf2_ptr_lo",
                31,
                0,
                desc.word1().into(),
            ));
            fields.push(pointer("destination"));
        }
        View::Tx | View::TxMeta => {
            fields.extend(MetaFields::LAYOUT.iter().rev().map(|&(name, low, width)| {
                let name = if crate::fault::mutant(18) && name == "write_barrier" {
                    "FIRST"
                } else {
                    name
                };
                named(
                    Word::MetaCtrl,
                    name,
                    low + width - 1,
                    low,
                    desc.word1().into(),
                )
            }));
            if view == View::Tx {
                fields.push(pointer("source"));
            } else {
                fields.push(named(Word::Meta1, "meta1", 31, 0, desc.meta1().into()));
                fields.push(named(Word::Meta2, "meta2", 31, 0, desc.meta2().into()));
            }
        }
    }
    fields
}

fn named(word: Word, name: &'static str, high: u32, low: u32, value: u64) -> Named {
    let width = high - low + 1;
    let mask = if width == 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    };
    Named {
        word,
        name,
        high,
        low,
        value: (value >> low) & mask,
    }
}

/// What the engine would do with it, in one sentence.
pub fn effect(view: View, desc: &Desc) -> String {
    let length = desc.length();
    match view {
        View::Tx => {
            let place = match (desc.first(), desc.last()) {
                (true, true) => "a packet of its own",
                (true, false) => "first of a packet",
                (false, true) => "last of a packet",
                (false, false) => "inside a packet",
            };
            format!("reads {length} bytes from {:#x}, {place}", desc.pointer())
        }
        View::Rx => {
            let order = if desc.sow() {
                ", after all earlier writes of this ring are visible"
            } else {
                ""
            };
            let interrupt = if desc.int_en() {
                ", then raises an interrupt"
            } else {
                ""
            };
            format!(
                "writes {length} bytes to {:#x}{order}{interrupt}",
                desc.pointer()
            )
        }
        View::TxMeta => {
            format!(
                "carries the meta words {:#010x} and {:#010x}",
                desc.meta1(),
                desc.meta2()
            )
        }
    }
}

/// The operation of a descriptor, line by line, each field with how sure its name is
/// ([`crate::op::explain`]); empty in the RX view and where no operation gives these bits.
pub fn operation(view: View, desc: &Desc) -> Vec<String> {
    match view {
        View::Rx => Vec::new(),
        View::TxMeta => crate::op::explain::descriptor(desc),
        View::Tx => crate::op::explain::word(desc.word1()),
    }
}

/// What no copy builder would emit, or what is easily misread; empty for a plain descriptor.
pub fn unusual(view: View, desc: &Desc) -> Vec<String> {
    let mut notes = Vec::new();
    if desc.reserved() != 0 {
        notes.push(format!(
            "word0 bits 22:16 are {:#x}; a copy builder leaves them 0 (DESC-4)",
            desc.reserved()
        ));
    }
    if desc.length_field() == 0 && view != View::TxMeta {
        notes.push("length 0 means 65536 bytes (DESC-3)".into());
    }
    if desc.ring_id() == 0 && view != View::TxMeta {
        notes.push("phase 0: the fourth lap, never the first (RING-4)".into());
    }
    match view {
        View::Tx => unusual_tx(desc, &mut notes),
        View::Rx => unusual_rx(desc, &mut notes),
        View::TxMeta => {
            if !desc.meta() {
                notes.push("META (word0 bit 23) is clear in a TX-meta descriptor".into());
            }
        }
    }
    notes
}

fn unusual_tx(desc: &Desc, notes: &mut Vec<String>) {
    if desc.sow() {
        notes
            .push("word0 bit 29 has no meaning in a TX descriptor; SOW goes on RX (BARR-2)".into());
    }
    if desc.meta() {
        notes.push("META is set: look at this one in the TX-meta view".into());
    }
    let meta = MetaFields::parse(MetaCtrl(desc.word1()));
    if !MetaCtrl(desc.word1()).is_cme() {
        let op = crate::op::name(desc.word1()).map_or(String::new(), |op| format!(", but {op}"));
        notes.push(format!(
            "ssmae_op is {}: not a plain copy{op} (META-4)",
            meta.ssmae_op
        ));
    } else if (MetaFields {
        write_barrier: 0,
        notification: 0,
        ..meta
    })
    .emit()
    .0 != PLAIN_COPY
    {
        notes.push("meta_ctrl is not that of a plain copy, 0x01080003 (META-1)".into());
    }
    if meta.write_barrier != 0 {
        notes.push(
            "meta_ctrl bit 26 is the write barrier; bit 26 of word0 is FIRST (BITS-1)".into(),
        );
    }
    if meta.notification != 0 {
        notes.push(
            "meta_ctrl bit 28 is the notification mask, MARIANA only; bit 28 of word0 is INT_EN \
             (BITS-1)"
                .into(),
        );
    }
    if desc.concat() && desc.last() {
        notes.push("CONCAT together with LAST".into());
    }
}

fn unusual_rx(desc: &Desc, notes: &mut Vec<String>) {
    let stray = desc.word0() & (field::FIRST | field::LAST | field::DMB | field::META);
    if stray != 0 {
        notes.push(format!(
            "word0 sets {stray:#010x}, which a copy builder leaves clear in RX (BLDR-2); a ring id \
             above 3 spills there (BLDR-6)"
        ));
    }
    if desc.concat() {
        notes.push("word0 bit 31 in RX: embedded-semaphore fields, MARIANA only (EDIT-4)".into());
    }
    if desc.word1() != 0 {
        notes.push("buf2_ptr_lo is not 0 (DESC-2)".into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_cover_the_descriptor_once() {
        for view in [View::Tx, View::Rx, View::TxMeta] {
            for ones in [Desc::from_words([u32::MAX; 4]), Desc::default()] {
                let bits: u32 = fields(view, &ones).iter().map(|f| f.high - f.low + 1).sum();
                assert_eq!(bits, 128, "{view:?}");
            }
        }
    }

    #[test]
    fn a_compute_word_is_named() {
        let sum = Desc::new(0x0c00_0040, 0x020a_a080, 0x1000);
        assert_eq!(
            unusual(View::Tx, &sum)[1],
            "ssmae_op is 4: not a plain copy, but add or min/max (META-4)"
        );
        assert_eq!(
            operation(View::Tx, &sum)[0],
            "meta_ctrl 0x020aa080: add or min/max"
        );
        assert!(operation(View::Rx, &sum).is_empty());
    }

    #[test]
    fn a_plain_pair_is_not_unusual() {
        let tx = Desc::new(0x0d00_0040, PLAIN_COPY, 0x1000);
        assert_eq!(unusual(View::Tx, &tx), [""; 0]);
        assert_eq!(
            effect(View::Tx, &tx),
            "reads 64 bytes from 0x1000, a packet of its own"
        );
        assert_eq!(
            unusual(View::Rx, &Desc::new(0x0100_0040, 0, 0x2000)),
            [""; 0]
        );
    }
}
