//! Compute descriptors of the HAL line: op-class words, the META descriptors that stand in front,
//! transposition, reductions (OPC, CCE, TRN).
//!
//! Places and constants are known with high confidence, the names of single operand bits less so;
//! every field says how sure its name is ([`Field::confidence`]). The CRC and CME forms are in
//! [`crate::packet`] (CRC-1, BLDR-11).
//!
//! ```
//! use udma::op::{self, Add, Op};
//!
//! let add = Op::Add(Add { last: 1, out_dtype: 10, accum_dtype: 10, ..Add::default() });
//! let word = op::word(udma::Arch::Cayman, &add);
//! assert_eq!(word, 0x020a_a080); // CCE-5
//! let set = op::decode(word);
//! assert!(set.iter().any(|member| member.op == add));
//! assert_eq!(op::name(word).as_deref(), Some("add or min/max")); // OPC-2
//! ```

pub mod combo;
pub mod decode;
pub mod descriptor;
pub mod dtype;
pub mod error;
pub mod explain;
pub mod field;
pub mod limits;
pub mod reduce;
pub mod transpose;
pub mod words;

pub use decode::{Decoded, decode, decode_descriptor, name};
pub use descriptor::{
    DescriptorOp, FmaDescriptor, GradientDescriptor, MinMaxDescriptor, ReplicationExtension,
    SeedInit, TransposeDescriptor,
};
pub use dtype::{CceOp, Dtype};
pub use error::OpError;
pub use field::{Confidence, Field};
pub use words::{
    Add, CceExt, Fma, Gradient, MinMax, PlainCopy, Replication, StridingSplit, TransposeWord,
};

use crate::Arch;
use crate::fault::mutant;

/// An operation of a TX descriptor's `meta_ctrl`, with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// META-1.
    PlainCopy(PlainCopy),
    /// Splits a stride.
    StridingSplit(StridingSplit),
    /// TRN-2.
    Transpose(TransposeWord),
    /// Writes the source several times.
    Replication(Replication),
    /// CCE-5.
    Add(Add),
    /// CCE-4.
    MinMax(MinMax),
    /// CCE-3.
    Fma(Fma),
    /// Operations beyond the first four.
    CceExt(CceExt),
    /// CCE-6.
    Gradient(Gradient),
}

impl Op {
    /// Its name in printed output.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::PlainCopy(_) => "plain copy",
            Self::StridingSplit(_) => "striding split",
            Self::Transpose(_) => "transpose",
            Self::Replication(_) => "replication",
            Self::Add(_) => "add",
            Self::MinMax(_) => "min/max",
            Self::Fma(_) => "fma",
            Self::CceExt(_) => "cce_ext",
            Self::Gradient(_) => "gradient",
        }
    }

    /// Fields of its word, low bits first.
    pub const fn layout(&self) -> &'static [Field] {
        match self {
            Self::PlainCopy(_) => PlainCopy::LAYOUT,
            Self::StridingSplit(_) => StridingSplit::LAYOUT,
            Self::Transpose(_) => TransposeWord::LAYOUT,
            Self::Replication(_) => Replication::LAYOUT,
            Self::Add(_) => Add::LAYOUT,
            Self::MinMax(_) => MinMax::LAYOUT,
            Self::Fma(_) => Fma::LAYOUT,
            Self::CceExt(_) => CceExt::LAYOUT,
            Self::Gradient(_) => Gradient::LAYOUT,
        }
    }

    /// The word, without a write barrier on top.
    fn word(&self) -> u32 {
        let word = match self {
            Self::PlainCopy(op) => return op.word(),
            Self::StridingSplit(op) => op.word(),
            Self::Transpose(op) => op.word(),
            Self::Replication(op) => op.word(),
            Self::Add(op) => op.word(),
            Self::MinMax(op) => op.word(),
            Self::Fma(op) => op.word(),
            Self::CceExt(op) => op.word(),
            Self::Gradient(op) => op.word(),
        };
        if mutant(301) {
            word | crate::meta::PLAIN_COPY
        } else {
            word
        }
    }
}

/// The `meta_ctrl` word of an operation: its base word OR its interior (OPC-1). Values are cut to
/// their fields. The architecture does not move a bit (OPC-4).
pub fn word(arch: Arch, op: &Op) -> u32 {
    let word = op.word();
    if mutant(306) && arch == Arch::Mariana && matches!(op, Op::StridingSplit(_)) {
        return word | 1 << 27;
    }
    word
}
