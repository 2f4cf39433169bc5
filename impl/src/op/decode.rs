//! From bits to operations. The answer is a *set*: every operation, with operands, that gives
//! these bits. It has one member except where a rule says that bits cannot be told apart.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::descriptor::{DescriptorOp, IN_FRONT};
use super::words::{
    Add, CceExt, Fma, Gradient, MinMax, PlainCopy, Replication, StridingSplit, TransposeWord,
};
use super::{Field, Op};
use crate::desc::Desc;
use crate::fault::mutant;
use crate::meta::WRITE_BARRIER;

/// Min/max with a constant: bit 5 together with bit 25 (OPC-2).
const USE_CONST: u32 = 1 << 5;
const CCE_CLASS: u32 = 1 << 25;
/// Bits 25:23 and 22:20, by which op words differ.
const CLASS: u32 = 0x03f0_0000;

/// A member of the set that decodes a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decoded {
    /// The operation and its operands.
    pub op: Op,
    /// The write barrier on top, bit 26 (OPC-3).
    pub write_barrier: bool,
    /// Bits of the word that this operation has no field for: 0, except in the second member of
    /// the set of OPC-2, where the names of the fields do not decide between the two.
    pub stray: u32,
}

/// The operations of a data TX descriptor's word1. Empty where no operation gives these bits.
pub fn decode(word: u32) -> Vec<Decoded> {
    let word = if mutant(422) && word == 0 {
        PlainCopy::default().word()
    } else {
        word
    };
    let write_barrier = word & WRITE_BARRIER != 0;
    let bare = if mutant(304) {
        word
    } else {
        word & !WRITE_BARRIER // OPC-3
    };
    let member = |op: Op| Decoded {
        op,
        write_barrier,
        stray: 0,
    };
    // OPC-2: bit 5 comes first, since 22:20 is then the constant's dtype.
    let constant = bare & (USE_CONST | CCE_CLASS) == USE_CONST | CCE_CLASS && !mutant(302);
    let op = match bare & CLASS {
        _ if constant => MinMax::parse(bare).map(Op::MinMax),
        0x0100_0000 => PlainCopy::parse(bare).map(Op::PlainCopy),
        StridingSplit::BASE => StridingSplit::parse(bare).map(Op::StridingSplit),
        TransposeWord::BASE => TransposeWord::parse(bare).map(Op::Transpose),
        Replication::BASE => Replication::parse(bare).map(Op::Replication),
        Fma::BASE => Fma::parse(bare).map(Op::Fma),
        CceExt::BASE => CceExt::parse(bare).map(Op::CceExt),
        Gradient::BASE => Gradient::parse(bare).map(Op::Gradient),
        Add::BASE => return add_or_min_max(bare, write_barrier),
        _ => None,
    };
    op.map(member).into_iter().collect()
}

/// OPC-2: without a constant the two cannot be told apart. Both are given if the word is that of
/// either; the one that it is not exactly carries the bits it has no field for.
fn add_or_min_max(word: u32, write_barrier: bool) -> Vec<Decoded> {
    let (add, min_max) = (Add::fields(word), MinMax::fields(word));
    let strays = [add.word() ^ word, min_max.word() ^ word];
    if !strays.contains(&0) {
        return Vec::new();
    }
    let mut set: Vec<Decoded> = [Op::Add(add), Op::MinMax(min_max)]
        .into_iter()
        .zip(strays)
        .map(|(op, stray)| Decoded {
            op,
            write_barrier,
            stray,
        })
        .collect();
    if mutant(303) {
        set.truncate(1);
    }
    set
}

/// The operations of a META descriptor. Bit 26 of its word1 belongs to the operation (OPC-3).
/// Empty without META, and where no operation gives these bits.
pub fn decode_descriptor(desc: &Desc) -> Vec<DescriptorOp> {
    if !desc.meta() {
        return Vec::new();
    }
    let mut seen = *desc;
    if mutant(305) {
        seen.set_word1(desc.word1() & !IN_FRONT);
    }
    let mut set: Vec<DescriptorOp> = DescriptorOp::candidates(&seen).into();
    set.retain(|op| op.emit() == seen);
    set
}

/// What printed output calls the operation of a word: `add or min/max` where two are possible;
/// none where there is no such operation.
pub fn name(word: u32) -> Option<String> {
    let names: Vec<&str> = decode(word).iter().map(|member| member.op.name()).collect();
    (!names.is_empty()).then(|| names.join(" or "))
}

/// The same for a META descriptor.
pub fn descriptor_name(desc: &Desc) -> Option<String> {
    let set = decode_descriptor(desc);
    let names: Vec<&str> = set.iter().map(DescriptorOp::name).collect();
    (!names.is_empty()).then(|| names.join(" or "))
}

/// `name 3:0 = 0xa (name h)` for one field of a word.
pub(super) fn field_line(field: &Field, word: u32) -> String {
    let bits = if field.width == 1 {
        format!("{}", field.low)
    } else {
        format!("{}:{}", field.high(), field.low)
    };
    format!(
        "{bits:>5} {} = {:#x} (name {})",
        field.name,
        field.read(word),
        field.confidence.letter()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(word: u32) -> Op {
        let set = decode(word);
        assert_eq!(set.len(), 1, "{word:#010x}");
        set[0].op
    }

    #[test]
    fn the_constant_comes_before_the_class() {
        // const_dtype 1 puts 22:20 where fma has its own; bit 5 decides (OPC-2).
        let op = one(0x021a_7720);
        assert!(
            matches!(
                op,
                Op::MinMax(MinMax {
                    use_const: 1,
                    const_dtype: 1,
                    ..
                })
            ),
            "{op:?}"
        );
        assert_eq!(one(0x0210_0000), Op::Fma(Fma::default()));
    }

    #[test]
    fn add_and_min_max_share_their_words() {
        for word in [0x0200_0000, 0x020a_a080, 0x020a_0700] {
            let names: Vec<&str> = decode(word).iter().map(|member| member.op.name()).collect();
            assert_eq!(names, ["add", "min/max"], "{word:#010x}");
        }
        // Bit 3 belongs to neither.
        assert!(decode(0x0200_0008).is_empty());
    }

    #[test]
    fn the_barrier_is_on_top_of_words_but_part_of_descriptors() {
        let set = decode(0x0500_0000 | 0x0008_0003);
        assert!(set[0].write_barrier && matches!(set[0].op, Op::PlainCopy(_)));
        let seed = Desc::from_words([0x0080_0000, 0x0600_0000, 0, 0]);
        assert_eq!(descriptor_name(&seed).as_deref(), Some("seed init"));
        let either = Desc::from_words([0x0080_0000, 0x0600_0000, 0x0200_0040, 7]);
        assert_eq!(
            descriptor_name(&either).as_deref(),
            Some("min/max descriptor or seed init")
        );
    }

    #[test]
    fn bits_of_no_operation() {
        for word in [
            0,
            0x0088_0000 | 1 << 30,
            0x0080_0200,
            0x0220_0000,
            0x0108_0001,
        ] {
            assert!(decode(word).is_empty(), "{word:#010x}");
        }
    }
}
