//! Names of the fields of each word (BITS-1): for printed findings, and to hold printed decodings
//! against.

use udma_report::model::{DescriptorDiff, FieldDiff};

use crate::wire::{Desc, hex};
use udma_reference::abi;

/// A field of a word: name, highest bit, lowest bit.
pub type Named = (&'static str, u8, u8);

/// word0, the same positions in TX and RX.
pub const WORD0: [Named; 10] = [
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

/// `meta_ctrl`.
pub const META_CTRL: [Named; 24] = [
    ("reserved31_29", 31, 29),
    ("notification", 28, 28),
    ("reserved27", 27, 27),
    ("write_barrier", 26, 26),
    ("ssmae_op", 25, 23),
    ("op_type", 22, 20),
    ("copy_source_data", 19, 19),
    ("store_source_crc", 18, 18),
    ("store_crc_result", 17, 17),
    ("send_crc_result", 16, 16),
    ("use_stored_crc_iv", 15, 15),
    ("validate_crc", 14, 14),
    ("init_bit_swap", 13, 13),
    ("init_byte_swap", 12, 12),
    ("source_bit_swap", 11, 11),
    ("source_byte_swap", 10, 10),
    ("interim_bit_swap", 9, 9),
    ("interim_byte_swap", 8, 8),
    ("result_bit_swap", 7, 7),
    ("result_byte_swap", 6, 6),
    ("cached_crc_iv_index", 5, 3),
    ("block_attribute", 2, 2),
    ("is_first_block", 1, 1),
    ("is_last_block", 0, 0),
];

/// Words of a view: name, index of the first 32-bit word, fields.
pub fn words(view: u32) -> Vec<(&'static str, u8, &'static [Named])> {
    const SECOND: &[Named] = &[("buf2_ptr_lo", 31, 0)];
    const DESTINATION: &[Named] = &[("destination", 63, 0)];
    const SOURCE: &[Named] = &[("source", 63, 0)];
    const META1: &[Named] = &[("meta1", 31, 0)];
    const META2: &[Named] = &[("meta2", 31, 0)];
    let mut words: Vec<(&str, u8, &[Named])> = vec![("word0", 0, &WORD0)];
    match view {
        abi::UDMA_VIEW_RX => {
            words.push(("buf2_ptr_lo", 1, SECOND));
            words.push(("pointer", 2, DESTINATION));
        }
        abi::UDMA_VIEW_TX_META => {
            words.push(("meta_ctrl", 1, &META_CTRL));
            words.push(("meta1", 2, META1));
            words.push(("meta2", 3, META2));
        }
        _ => {
            words.push(("meta_ctrl", 1, &META_CTRL));
            words.push(("pointer", 2, SOURCE));
        }
    }
    words
}

/// Value of bits of a word of a descriptor; 64-bit fields take two words.
pub fn value(desc: &Desc, index: u8, high: u8, low: u8) -> u64 {
    let word = desc.word[index as usize];
    if high > 31 {
        return crate::wire::pointer(desc);
    }
    let width = high - low + 1;
    (u64::from(word) >> low) & ((1u64 << width) - 1)
}

/// Expected and actual descriptor side by side, field by field; `None` for a slot that is left as
/// it was.
pub fn diff(label: &str, view: u32, want: Option<&Desc>, got: Option<&Desc>) -> DescriptorDiff {
    let fields = words(view)
        .into_iter()
        .flat_map(|(word, index, fields)| {
            fields.iter().map(move |&(name, high, low)| FieldDiff {
                word: word.into(),
                index,
                name: name.into(),
                high,
                low,
                expected: want.map(|desc| value(desc, index, high, low)),
                actual: got.map(|desc| value(desc, index, high, low)),
            })
        })
        .collect();
    DescriptorDiff {
        label: label.into(),
        expected: want.map(hex),
        actual: got.map(hex),
        fields,
    }
}
