//! The op-class words (word1 of a data TX descriptor): one structure an operation, one member an
//! operand. A value is cut to its field; flags are 0 or 1.

use super::field::op_word;
use crate::fault::mutant;
use crate::meta::{MetaCtrl, NOTIFICATION};
use crate::op::{Confidence, Field};

/// Bit 5 of the striding split and transpose words: the shape index is above 1.
pub const SHAPE_ABOVE_ONE: u32 = 1 << 5;

fn shape_flag(shape: u32) -> u32 {
    let least = if mutant(310) { 1 } else { 2 };
    if shape & 0xff >= least {
        SHAPE_ABOVE_ONE
    } else {
        0
    }
}

/// A plain copy: the whole word is a constant, with the notification mask beside it (META-1,
/// META-3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PlainCopy {
    /// Bit 28, MARIANA only.
    pub notification: u32,
}

impl PlainCopy {
    /// Its one operand.
    pub const LAYOUT: &'static [Field] = &[Field {
        name: "notification",
        low: 28,
        width: 1,
        confidence: Confidence::High,
    }];

    /// The word.
    pub fn word(&self) -> u32 {
        let word = MetaCtrl::plain_copy();
        if self.notification & 1 == 0 {
            word.0
        } else {
            word.with_notification().0
        }
    }

    /// The operands whose word is this one.
    pub fn parse(word: u32) -> Option<Self> {
        let operands = Self {
            notification: u32::from(word & NOTIFICATION != 0),
        };
        (operands.word() == word).then_some(operands)
    }
}

op_word! {
    /// Striding split.
    StridingSplit, 0x0080_0000 {
        /// Split count.
        split: 0, 3, High;
        /// Shape index, 0..255.
        shape: 8, 8, High;
        /// SDMA dtype.
        dtype: 16, 4, High;
    } derived |op| (*op, shape_flag(op.shape))
}

op_word! {
    /// Transpose (TRN-2).
    TransposeWord, 0x0090_0000 {
        /// Bytes of one element.
        elem_bytes: 0, 5, High;
        /// Output shape index, 0..255.
        shape: 8, 8, High;
        /// SDMA dtype.
        dtype: 16, 4, High;
    } derived |op| (*op, shape_flag(op.shape))
}

op_word! {
    /// Replication.
    Replication, 0x00a0_0000 {
        /// How many times.
        count: 0, 16, High;
    } derived |op| (*op, 0)
}

op_word! {
    /// Add (CCE-5). Shares its base word with [`MinMax`] (OPC-2).
    Add, 0x0200_0000 {
        /// Sub-operation.
        sub: 0, 3, High;
        /// A flag without a known meaning.
        flag: 4, 1, Low;
        /// Write barrier.
        write_barrier: 6, 1, Low;
        /// The last source of the reduction (CCE-8).
        last: 7, 1, Low;
        /// SDMA dtype of the output.
        out_dtype: 12, 4, High;
        /// SDMA dtype of the accumulator.
        accum_dtype: 16, 4, High;
    } derived |op| (*op, 0)
}

op_word! {
    /// Min or max (CCE-4). Without a constant, `out_dtype` and `const_dtype` are written as 0
    /// whatever they hold.
    MinMax, 0x0200_0000 {
        /// Sub-operation.
        sub: 0, 3, High;
        /// The last source of the reduction (CCE-8).
        last: 4, 1, Low;
        /// One operand is a constant (OPC-2, ERR-11).
        use_const: 5, 1, Low;
        /// Write barrier.
        write_barrier: 6, 1, Low;
        /// Notification.
        notification: 7, 1, Low;
        /// SDMA dtype of the input.
        in_dtype: 8, 4, High;
        /// SDMA dtype of the output.
        out_dtype: 12, 4, High;
        /// SDMA dtype of the accumulator.
        accum_dtype: 16, 4, High;
        /// Low three bits of the constant's SDMA dtype.
        const_dtype: 20, 3, High;
    } derived |op| {
        let mut op = *op;
        if op.use_const & 1 == 0 && !mutant(319) {
            op.out_dtype = 0;
            op.const_dtype = 0;
        }
        (op, 0)
    }
}

op_word! {
    /// Fused multiply and add (CCE-3). The names of the flags follow the same bits of [`Add`].
    Fma, 0x0210_0000 {
        /// Sub-operation.
        sub: 0, 3, High;
        /// Operand f6, without a known meaning.
        flag: 4, 1, Low;
        /// Operand f5: write barrier.
        write_barrier: 6, 1, Low;
        /// Operand f4: the last source of the reduction (CCE-8).
        last: 7, 1, Low;
        /// SDMA dtype of the input.
        in_dtype: 8, 4, High;
        /// SDMA dtype of the scale.
        scale_dtype: 12, 4, High;
        /// SDMA dtype of the accumulator.
        accum_dtype: 16, 4, High;
    } derived |op| (*op, 0)
}

op_word! {
    /// Extended operations.
    CceExt, 0x0240_0000 {
        /// Sub-operation.
        sub: 0, 3, High;
        /// SDMA dtype of the source.
        src_dtype: 12, 4, High;
        /// SDMA dtype of the destination.
        dst_dtype: 16, 4, High;
    } derived |op| (*op, 0)
}

op_word! {
    /// Gradient (CCE-6).
    Gradient, 0x0250_0000 {
        /// Sub-operation.
        sub: 0, 3, High;
        /// A flag without a known meaning.
        flag: 4, 1, Low;
        /// Write barrier.
        write_barrier: 6, 1, Low;
        /// The last source of the reduction (CCE-8).
        last: 7, 1, Low;
        /// SDMA dtype of the input.
        in_dtype: 8, 4, High;
        /// SDMA dtype of the scale.
        scale_dtype: 12, 4, High;
        /// SDMA dtype of the accumulator.
        accum_dtype: 16, 4, High;
    } derived |op| (*op, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Worked from file 03 by hand, one a word.
    #[test]
    fn worked_words() {
        let split = StridingSplit {
            split: 4,
            shape: 2,
            dtype: 10,
        };
        assert_eq!(split.word(), 0x008a_0224);
        let transpose = TransposeWord {
            elem_bytes: 4,
            shape: 1,
            dtype: 10,
        };
        assert_eq!(transpose.word(), 0x009a_0104);
        assert_eq!(Replication { count: 0x1234 }.word(), 0x00a0_1234);
        let fma = Fma {
            sub: 1,
            last: 1,
            in_dtype: 6,
            scale_dtype: 10,
            accum_dtype: 10,
            ..Fma::default()
        };
        assert_eq!(fma.word(), 0x021a_a681);
        let max = MinMax {
            use_const: 1,
            last: 1,
            in_dtype: 7,
            out_dtype: 7,
            accum_dtype: 10,
            const_dtype: 10,
            ..MinMax::default()
        };
        assert_eq!(max.word(), 0x022a_7730); // 10 & 7 = 2 in 22:20
        let ext = CceExt {
            sub: 3,
            src_dtype: 6,
            dst_dtype: 10,
        };
        assert_eq!(ext.word(), 0x024a_6003);
    }

    #[test]
    fn without_a_constant_two_dtypes_are_dropped() {
        let max = MinMax {
            in_dtype: 7,
            out_dtype: 7,
            accum_dtype: 10,
            const_dtype: 2,
            ..MinMax::default()
        };
        assert_eq!(max.word(), 0x020a_0700);
    }
}
