//! Descriptors of the sample with their fields.

use udma_report::model::{DescriptorDiff, FieldDiff};

/// Fields of word0, high bits first.
const WORD0: [(&str, u8, u8); 9] = [
    ("CONCAT", 31, 31),
    ("DMB", 30, 30),
    ("SOW", 29, 29),
    ("INT_EN", 28, 28),
    ("LAST", 27, 27),
    ("FIRST", 26, 26),
    ("RING_ID", 25, 24),
    ("META", 23, 23),
    ("LENGTH", 15, 0),
];

/// Fields of `meta_ctrl`, high bits first.
const META_CTRL: [(&str, u8, u8); 24] = [
    ("reserved", 31, 29),
    ("notification_mask", 28, 28),
    ("reserved", 27, 27),
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

// Memory order: the lowest byte of a word comes first.
fn hex(words: [u32; 4]) -> String {
    let [a, b, c, d] = words.map(u32::swap_bytes);
    format!("{a:08x}{b:08x}{c:08x}{d:08x}")
}

/// A descriptor difference with its fields; `tx` chooses the view (DESC-2).
pub fn diff(
    label: &str,
    tx: bool,
    expected: Option<[u32; 4]>,
    actual: Option<[u32; 4]>,
) -> DescriptorDiff {
    let mut fields = Vec::new();
    let mut add = |word: &str, index: u8, name: &str, high: u8, low: u8| {
        let read = |words: [u32; 4]| {
            let at = usize::from(index);
            let all = u64::from(words[at]) | u64::from(*words.get(at + 1).unwrap_or(&0)) << 32;
            (all >> low) & (u64::MAX >> (63 - (high - low)))
        };
        fields.push(FieldDiff {
            word: word.into(),
            index,
            name: name.into(),
            high,
            low,
            expected: expected.map(read),
            actual: actual.map(read),
        });
    };
    for (name, high, low) in WORD0 {
        add("word0", 0, name, high, low);
    }
    if tx {
        for (name, high, low) in META_CTRL {
            add("meta_ctrl", 1, name, high, low);
        }
    } else {
        add("buf2_ptr_lo", 1, "buf2_ptr_lo", 31, 0);
    }
    add(
        "pointer",
        2,
        if tx { "source" } else { "destination" },
        63,
        0,
    );
    DescriptorDiff {
        label: label.into(),
        expected: expected.map(hex),
        actual: actual.map(hex),
        fields,
    }
}

/// LAST, RING_ID and the write barrier are wrong.
pub fn tx_diff() -> DescriptorDiff {
    diff(
        "TX",
        true,
        Some([0x0e00_0040, 0x0108_0003, 0x8000_1000, 0x0000_000f]),
        Some([0x0500_0040, 0x0508_0003, 0x8000_1000, 0x0000_000f]),
    )
}

/// The length and both halves of the pointer are wrong.
pub fn rx_diff() -> DescriptorDiff {
    diff(
        "RX",
        false,
        Some([0x1100_0040, 0, 0x0000_2000, 0x0000_0010]),
        Some([0x1100_0041, 0, 0x0000_2004, 0x8000_0010]),
    )
}
