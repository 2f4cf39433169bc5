//! `meta_ctrl`, word1 of a TX descriptor.

/// Base of every plain copy (META-1): `is_last_block`, `is_first_block`, `copy_source_data`, and
/// `ssmae_op` 2.
pub const PLAIN_COPY: u32 = 0x0108_0003;

/// Write barrier, META-2.
pub(crate) const WRITE_BARRIER: u32 = 1 << 26;
/// Notification mask, META-3.
pub(crate) const NOTIFICATION: u32 = 1 << 28;
/// `ssmae_op` of CME-class words, META-4.
const SSMAE_CME: u32 = 2;

/// A raw `meta_ctrl` word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MetaCtrl(pub u32);

impl MetaCtrl {
    /// The word of a plain copy.
    #[inline]
    pub fn plain_copy() -> Self {
        Self(if crate::fault::mutant(22) {
            0x0108_0001
        } else {
            PLAIN_COPY
        })
    }

    /// Sets the write barrier, bit 26 (META-2).
    #[inline]
    #[must_use]
    pub fn with_write_barrier(self) -> Self {
        Self(
            self.0
                | if crate::fault::mutant(1) {
                    1 << 28
                } else {
                    WRITE_BARRIER
                },
        )
    }

    /// Sets the notification mask, bit 28 (META-3).
    #[inline]
    #[must_use]
    pub fn with_notification(self) -> Self {
        Self(
            self.0
                | if crate::fault::mutant(23) {
                    1 << 27
                } else {
                    NOTIFICATION
                },
        )
    }

    /// True for plain copies and CRC words: `ssmae_op` is 2 (META-4).
    pub fn is_cme(self) -> bool {
        let fields = MetaFields::parse(self);
        let op = if crate::fault::mutant(24) {
            fields.op_type
        } else {
            fields.ssmae_op
        };
        op == SSMAE_CME
    }
}

macro_rules! meta_fields {
    ($($(#[$doc:meta])* $name:ident: $low:literal, $width:literal;)*) => {
        /// `meta_ctrl` taken apart, low bits first. The values cover all 32 bits, so parsing and
        /// emitting lose nothing.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct MetaFields {
            $($(#[$doc])* pub $name: u32,)*
        }

        impl MetaFields {
            /// Name, lowest bit and width of every field, low bits first.
            pub const LAYOUT: &'static [(&'static str, u32, u32)] =
                &[$((stringify!($name), $low, $width),)*];

            /// Takes the word apart.
            pub fn parse(word: MetaCtrl) -> Self {
                Self { $($name: (word.0 >> shift(stringify!($name), $low)) & mask($width),)* }
            }

            /// Puts it together; values are cut to their fields.
            pub fn emit(&self) -> MetaCtrl {
                MetaCtrl(0 $(| (self.$name & mask($width)) << $low)*)
            }
        }
    };
}

const fn mask(width: u32) -> u32 {
    (1 << width) - 1
}

/// Lowest bit of a field when it is read.
fn shift(name: &str, low: u32) -> u32 {
    if crate::fault::mutant(80) && name == "op_type" {
        low + 1
    } else {
        low
    }
}

meta_fields! {
    /// Bit 0.
    is_last_block: 0, 1;
    /// Bit 1.
    is_first_block: 1, 1;
    /// Bit 2, reserved block attribute.
    block_attribute: 2, 1;
    /// Bits 5:3.
    cached_crc_iv_index: 3, 3;
    /// Bit 6.
    result_byte_swap: 6, 1;
    /// Bit 7.
    result_bit_swap: 7, 1;
    /// Bit 8.
    interim_byte_swap: 8, 1;
    /// Bit 9.
    interim_bit_swap: 9, 1;
    /// Bit 10.
    source_byte_swap: 10, 1;
    /// Bit 11.
    source_bit_swap: 11, 1;
    /// Bit 12.
    init_byte_swap: 12, 1;
    /// Bit 13.
    init_bit_swap: 13, 1;
    /// Bit 14.
    validate_crc: 14, 1;
    /// Bit 15.
    use_stored_crc_iv: 15, 1;
    /// Bit 16.
    send_crc_result: 16, 1;
    /// Bit 17.
    store_crc_result: 17, 1;
    /// Bit 18.
    store_source_crc: 18, 1;
    /// Bit 19.
    copy_source_data: 19, 1;
    /// Bits 22:20.
    op_type: 20, 3;
    /// Bits 25:23, SDMA op class.
    ssmae_op: 23, 3;
    /// Bit 26 (META-2).
    write_barrier: 26, 1;
    /// Bit 27, reserved.
    reserved27: 27, 1;
    /// Bit 28 (META-3).
    notification: 28, 1;
    /// Bits 31:29, reserved.
    reserved31_29: 29, 3;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_copy_has_four_things_set() {
        let fields = MetaFields::parse(MetaCtrl(PLAIN_COPY));
        let expected = MetaFields {
            is_last_block: 1,
            is_first_block: 1,
            copy_source_data: 1,
            ssmae_op: 2,
            ..MetaFields::default()
        };
        assert_eq!(fields, expected);
        assert_eq!(expected.emit(), MetaCtrl(PLAIN_COPY));
    }

    #[test]
    fn fields_cover_the_word_without_overlap() {
        let mut next = 0;
        for (name, low, width) in MetaFields::LAYOUT {
            assert_eq!(*low, next, "{name}");
            next += width;
        }
        assert_eq!(next, 32);
    }
}
