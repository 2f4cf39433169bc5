//! What can be asked of an implementation beyond copies and rings: compute descriptors, engine
//! bring-up and state, the interrupt controller, the BAR0 gate, the ioctl surface.

use serde::{Deserialize, Serialize};

use super::Tape;
use crate::wire::{Desc, PairOut};

pub use udma_reference::abi::{
    udma_bar0_case as Bar0, udma_desc_fma as FmaDesc, udma_desc_min_max as MinMaxDesc,
    udma_desc_payload as PayloadDesc, udma_dtype_case as DtypeCase,
    udma_engine_init_out as EngineSw, udma_engine_state as EngineReport, udma_flush_in as Flush,
    udma_op_add as Add, udma_op_cce_ext as CceExt, udma_op_fma as Fma, udma_op_min_max as MinMax,
    udma_op_replication as Replication, udma_op_split as Split, udma_op_transpose as TransposeWord,
    udma_remap_case as Remap, udma_transpose_in as Transpose, udma_window_case as Window,
};

/// An op-class word's operands (OPC-1, CCE-3 to CCE-6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// Striding split.
    Split(Split),
    /// Transpose (TRN-2).
    Transpose(TransposeWord),
    /// Replication.
    Replication(Replication),
    /// Add (CCE-5).
    Add(Add),
    /// Min or max (CCE-4).
    MinMax(MinMax),
    /// Fused multiply and add (CCE-3).
    Fma(Fma),
    /// Extended operations.
    CceExt(CceExt),
    /// Gradient (CCE-6).
    Gradient(Fma),
}

/// A META descriptor's operands (CCE-2, CCE-4, CCE-7, OPC-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Front {
    /// CCE-2.
    Fma(FmaDesc),
    /// CCE-4.
    MinMax(MinMaxDesc),
    /// CCE-7.
    SeedInit(PayloadDesc),
    /// Replication extension.
    Replication(PayloadDesc),
    /// Gradient.
    Gradient(PayloadDesc),
}

/// An engine to be initialised, counts as a caller passes them (EINI).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineInit {
    /// Architecture number.
    pub arch: u32,
    /// Queues.
    pub num_queues: u32,
    /// Most descriptors of a packet.
    pub max_desc: u32,
    /// The "reserve read id" option.
    pub reserve_read_id: bool,
}

/// A call of the interrupt controller; numbers as in the C ABI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Iofic {
    /// `UDMA_IOFIC_*`.
    pub call: u32,
    /// Engine revision.
    pub revision: u32,
    /// `UDMA_LEVEL_*`.
    pub level: u32,
    /// Group of the level.
    pub group: u32,
    /// Base of the group, where the call takes one.
    pub group_base: u64,
    /// Bits.
    pub bits: u32,
}

/// A reduction to be built (CCE-8 to CCE-13); members as in the C ABI.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // Each is documented in the header under the same name.
pub struct Reduction {
    pub sources: Vec<u64>,
    pub destinations: Vec<u64>,
    pub seed: Option<u64>,
    pub size: u64,
    pub arch: u32,
    pub op: u32,
    pub sub: u32,
    pub in_dtype: u32,
    pub out_dtype: u32,
    pub accum_dtype: u32,
    /// Dtype and bits.
    pub scale: Option<(u32, u32)>,
    /// Dtype and bits.
    pub constant: Option<(u32, u32)>,
    pub meta_index: u32,
    pub tx_ring_id: u32,
    pub rx_ring_id: u32,
}

/// A built reduction: code, TX and RX descriptors.
pub type Reduced = (i32, Vec<Desc>, Vec<Desc>);

/// A request of the ioctl surface taken apart (ABI-3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// All 32 bits.
    pub number: u32,
    /// Direction by name.
    pub dir: String,
    /// Type character.
    pub kind: u32,
    /// Call number.
    pub nr: u32,
    /// Encoded size.
    pub arg_size: u32,
}

/// An argument structure: size, alignment, members with offset and size by name; the size is 0 for
/// a trailing array of variable length.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Structure {
    /// Bytes.
    pub size: u64,
    /// Alignment.
    pub align: u64,
    /// Members in order of their names.
    pub members: std::collections::BTreeMap<String, [u64; 2]>,
}

/// Further operations of a subject. Each is `None` when it is not offered.
pub trait Ops {
    /// The `meta_ctrl` word of an operation.
    fn word(&self, _word: &Word) -> Option<u32> {
        None
    }

    /// The set of `UDMA_OP_*` that give a word.
    fn word_set(&self, _word: u32) -> Option<u32> {
        None
    }

    /// A META descriptor.
    fn front(&self, _front: &Front) -> Option<Desc> {
        None
    }

    /// The set of `UDMA_DESC_*` that give a descriptor.
    fn front_set(&self, _desc: &Desc) -> Option<u32> {
        None
    }

    /// A transpose descriptor into a slot; gives the code.
    fn transpose(&self, _case: &Transpose, _slot: &mut Desc) -> Option<i32> {
        None
    }

    /// The code for a transpose's name; nonzero for an unknown one.
    fn transpose_name(&self, _name: &str) -> Option<i32> {
        None
    }

    /// A state-buffer address taken apart, in place.
    fn window(&self, _case: &mut Window) -> Option<()> {
        None
    }

    /// The flush after a transpose, into a pair of slots.
    fn flush(&self, _case: &Flush, _out: &mut PairOut) -> Option<()> {
        None
    }

    /// Sizes and limits of a dtype, in place.
    fn dtype(&self, _case: &mut DtypeCase) -> Option<()> {
        None
    }

    /// A runtime number remapped, in place.
    fn remap(&self, _case: &mut Remap) -> Option<()> {
        None
    }

    /// Links the members of a combo.
    fn combo(&self, _members: &mut [Desc]) -> Option<()> {
        None
    }

    /// A reduction.
    fn reduction(&self, _case: &Reduction) -> Option<Reduced> {
        None
    }

    /// Runs the engine program.
    fn engine_init(&self, _case: &EngineInit, _tape: &Tape) -> Option<EngineSw> {
        None
    }

    /// State of an engine.
    fn engine_state(&self, _num_queues: u32, _tape: &Tape) -> Option<EngineReport> {
        None
    }

    /// Asks for a state; gives the device-level call's code.
    fn set_state(&self, _state: i32, _tape: &Tape) -> Option<i32> {
        None
    }

    /// A call of the interrupt controller; gives code and value.
    fn iofic(&self, _case: &Iofic, _tape: &Tape) -> Option<(i32, u32)> {
        None
    }

    /// Causes of a level in the iterator's order, as group << 8 | bit number.
    fn causes(&self, _revision: u32, _level: u32, _tape: &Tape) -> Option<Vec<u32>> {
        None
    }

    /// Codes of the BAR0 gate, in place.
    fn bar0(&self, _cases: &mut [Bar0]) -> Option<()> {
        None
    }

    /// A request by the driver's name; none inside for a name that is not known.
    fn request(&self, _name: &str) -> Option<Option<Request>> {
        None
    }

    /// The name of a request by its number; none inside for an unknown one.
    fn request_name(&self, _number: u32) -> Option<Option<String>> {
        None
    }

    /// The number that direction, size and call number make.
    fn compose(&self, _dir: u32, _size: u32, _nr: u32) -> Option<u32> {
        None
    }

    /// An argument structure by the driver's name.
    fn structure(&self, _name: &str) -> Option<Option<Structure>> {
        None
    }

    /// A constant of the surface by its description.
    fn constant(&self, _what: &str) -> Option<Option<i64>> {
        None
    }
}
