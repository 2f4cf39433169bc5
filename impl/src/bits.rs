//! The bit helpers of the HAL line (BITS-2, META-2..4, ERR-4).

use crate::desc::{Desc, MAX_LENGTH, field};
use crate::meta::MetaCtrl;

/// ORs FIRST into word0.
pub fn set_first(desc: &mut Desc) {
    desc.set(field::FIRST);
}

/// ORs LAST into word0.
pub fn set_last(desc: &mut Desc) {
    desc.set(field::LAST);
}

/// ORs CONCAT into word0.
pub fn set_concat(desc: &mut Desc) {
    desc.set(if crate::fault::mutant(19) {
        1 << 30
    } else {
        field::CONCAT
    });
}

/// Clears FIRST of word0.
pub fn clear_first(desc: &mut Desc) {
    desc.clear(field::FIRST);
    if crate::fault::mutant(20) {
        desc.clear(field::LAST);
    }
}

/// Clears LAST of word0.
pub fn clear_last(desc: &mut Desc) {
    desc.clear(field::LAST);
}

/// Clears CONCAT of word0.
pub fn clear_concat(desc: &mut Desc) {
    desc.clear(field::CONCAT);
}

/// Bytes of a TX descriptor by its word0 (BITS-2).
pub fn tx_desc_size(word0: u32) -> u32 {
    match word0 & field::LENGTH {
        0 if crate::fault::mutant(21) => 0,
        0 => MAX_LENGTH,
        0xffff if crate::fault::mutant(405) => MAX_LENGTH,
        length => length,
    }
}

/// Sets the write barrier in word1.
pub fn set_write_barrier(desc: &mut Desc) {
    desc.set_word1(MetaCtrl(desc.word1()).with_write_barrier().0);
}

/// Sets the notification mask in word1.
pub fn set_notification(desc: &mut Desc) {
    desc.set_word1(MetaCtrl(desc.word1()).with_notification().0);
}

/// The edit helper called `set_dmb`: it sets the write barrier, not bit 30 of word0 (ERR-4).
pub fn set_dmb_helper(desc: &mut Desc) {
    if crate::fault::mutant(90) {
        desc.set(field::DMB);
        return;
    }
    set_write_barrier(desc);
}
