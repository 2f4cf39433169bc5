//! What can be asked of an implementation's virtual rings: scripts of operations, one after
//! another, with the whole state to be seen in between; the documented layout; sets.
//!
//! The operations are those of `corpora/worked/README.md`, name for name.

use serde::{Deserialize, Serialize};

use crate::wire::{Block, Desc, Place, Ring};

pub use udma_reference::abi::udma_cache_stats as CacheStats;

/// No room in a half (XFER-4).
pub const QUEUE_FULL: i32 = udma_reference::abi::UDMA_VRING_QUEUE_FULL;
/// A variable above `max_var_id` (TMPL-2).
pub const VARIABLE_ABOVE: i32 = udma_reference::abi::UDMA_VRING_VARIABLE_ABOVE;
/// A variable without an address (TMPL-2).
pub const VARIABLE_MISSING: i32 = udma_reference::abi::UDMA_VRING_VARIABLE_MISSING;

/// What the memory of a script's prings holds at first.
pub const FRESH: Desc = Desc {
    word: [0xa5a5_a5a5; 4],
};

/// A copy of any length (XFER-1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Transfer {
    /// Source address.
    pub src: u64,
    /// Destination address.
    pub dst: u64,
    /// Bytes.
    pub size: u64,
    /// Whether the last chunk is ordered (XFER-2).
    pub ordered: bool,
}

/// A packet; its ring ids are always 1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packet {
    /// Ordering mode by number.
    pub mode: i32,
    /// Strong-ordered write.
    pub sow: bool,
    /// Interrupt on the destination's side.
    pub dst_int: bool,
    /// Notification mask.
    pub notify: bool,
    /// Source, destination and bytes of every block.
    pub blocks: Vec<Block>,
}

/// How a half is dumped (DUMP).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dump {
    /// Slots to fill; none for a plain dump.
    pub padded: Option<u32>,
    /// Address that the no-ops copy from and to.
    pub scratch: u64,
    /// Whether the half is freed afterwards.
    pub free: bool,
}

/// One operation of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// A transfer.
    Transfer(Transfer),
    /// The `_ex` form.
    TransferEx(Transfer),
    /// A poke (XFER-5).
    Poke {
        /// An event; else a semaphore.
        event: bool,
        /// Address of the constant.
        src: u64,
        /// Address of the target.
        dst: u64,
    },
    /// A packet (BLDR-9).
    Packet(Packet),
    /// One descriptor as it is into one half.
    Raw {
        /// Half.
        half: Ring,
        /// Descriptor.
        desc: Desc,
    },
    /// Packs; gives packets after − before, and the packets above the RX maximum.
    Pack {
        /// First index.
        start: u32,
        /// Index after the last.
        end: u32,
        /// Most bytes of a packet.
        max_bytes: u64,
    },
    /// EDIT-1; gives 1 where the barrier was set.
    DmbOnLastPacket,
    /// EDIT-2; gives the pointers moved.
    AddrRewrite {
        /// Start of the window.
        base: u64,
        /// Bytes of the window.
        size: u64,
        /// Where its start moves to.
        new_base: u64,
    },
    /// EDIT-3; gives 1 or 0.
    SemaphoreWanted {
        /// Whether it is enabled.
        enabled: bool,
    },
    /// EDIT-4; gives 1 where it was set.
    EmbedSemaphore {
        /// Whether it is enabled.
        enabled: bool,
        /// Strong-ordered write wanted.
        set_sow: bool,
        /// Index of the control register.
        csr_index: u8,
        /// Semaphore number.
        semaphore: u16,
    },
    /// Both halves become templates.
    Template {
        /// Largest variable.
        max_var_id: u32,
    },
    /// TMPL-2; gives the pointers resolved, or the variable at fault.
    Resolve {
        /// Addresses of variables 0, 1, and so on.
        addresses: Vec<u64>,
    },
    /// Goes on with a deep copy (VRNG-7).
    DeepCopy,
    /// Frees both halves (VRNG-7).
    Free,
    /// A pring whose memory holds [`FRESH`]; gives the descriptors allocated. One whose offset is
    /// no multiple of 256 is refused by every dump (PRNG-1).
    Pring {
        /// Half it is for.
        half: Ring,
        /// Descriptors wanted.
        descriptors: u32,
        /// Whether it wraps around.
        wrap: bool,
        /// Byte offset of slot 0.
        offset: u64,
    },
    /// PRNG-2; gives the descriptors that would be allocated.
    PringSize {
        /// Descriptors wanted.
        descriptors: u32,
        /// Whether it wraps around.
        wrap: bool,
    },
    /// Dumps a half; to a pring that was not made: invalid.
    Dump {
        /// Half.
        half: Ring,
        /// Pring.
        pring: Ring,
        /// How.
        dump: Dump,
    },
    /// Dumps both halves (DUMP-5).
    DumpBoth {
        /// Slots of TX; none for plain.
        tx_padded: Option<u32>,
        /// Slots of RX; none for plain.
        rx_padded: Option<u32>,
        /// Address that the no-ops copy from and to.
        scratch: u64,
        /// Whether the halves are freed afterwards.
        free: bool,
    },
    /// How many more pages are granted; none: any number.
    PageBudget {
        /// Pages.
        pages: Option<u32>,
    },
    /// A cache whose template is a copy of the vring (TMPL-3).
    Cache {
        /// Most entries.
        capacity: u32,
    },
    /// Gives the number of the holding, or the variable at fault; without a cache: invalid.
    Acquire {
        /// Addresses of variables 0, 1, and so on.
        addresses: Vec<u64>,
    },
    /// Gives a holding back; one that is not held: invalid.
    Release {
        /// Its number.
        holding: u32,
    },
}

impl Op {
    /// Names, in the order of the enumeration.
    pub const NAMES: [&'static str; 22] = [
        "transfer",
        "transfer_ex",
        "poke",
        "packet",
        "raw",
        "pack",
        "dmb_on_last_packet",
        "addr_rewrite",
        "semaphore_wanted",
        "embed_semaphore",
        "template",
        "resolve",
        "deep_copy",
        "free",
        "pring",
        "pring_size",
        "dump",
        "dump_both",
        "page_budget",
        "cache",
        "acquire",
        "release",
    ];

    /// Index of the kind in [`Op::NAMES`].
    pub const fn kind(&self) -> usize {
        match self {
            Self::Transfer(_) => 0,
            Self::TransferEx(_) => 1,
            Self::Poke { .. } => 2,
            Self::Packet(_) => 3,
            Self::Raw { .. } => 4,
            Self::Pack { .. } => 5,
            Self::DmbOnLastPacket => 6,
            Self::AddrRewrite { .. } => 7,
            Self::SemaphoreWanted { .. } => 8,
            Self::EmbedSemaphore { .. } => 9,
            Self::Template { .. } => 10,
            Self::Resolve { .. } => 11,
            Self::DeepCopy => 12,
            Self::Free => 13,
            Self::Pring { .. } => 14,
            Self::PringSize { .. } => 15,
            Self::Dump { .. } => 16,
            Self::DumpBoth { .. } => 17,
            Self::PageBudget { .. } => 18,
            Self::Cache { .. } => 19,
            Self::Acquire { .. } => 20,
            Self::Release { .. } => 21,
        }
    }

    /// Name of the kind.
    pub const fn name(&self) -> &'static str {
        Self::NAMES[self.kind()]
    }
}

/// What a step gave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// 0, -1 (refused), -12 (no page), -22 (invalid), or one of this module's codes.
    pub code: i32,
    /// The operation's own value; with a template error, the variable at fault.
    pub value: i64,
    /// Packets above the RX maximum, of a pack.
    pub over_rx: u32,
}

impl Outcome {
    /// Success with a value.
    pub const fn of(value: i64) -> Self {
        Self {
            code: 0,
            value,
            over_rx: 0,
        }
    }

    /// A code without a value.
    pub const fn refused(code: i32) -> Self {
        Self {
            code,
            value: 0,
            over_rx: 0,
        }
    }
}

/// A half without its descriptors (VRNG-2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HalfState {
    /// Descriptors.
    pub used: u32,
    /// Whether there is a first page, and whether there is a last.
    pub pages: [bool; 2],
    /// 0 or 1.
    pub is_template: u8,
    /// Largest variable.
    pub max_var_id: u32,
    /// Bytes of all transfers and packets (XFER-3).
    pub total: u64,
}

/// A vring without its descriptors (VRNG-1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Name without its NUL.
    #[serde(with = "text")]
    pub name: Vec<u8>,
    /// TX and RX.
    pub halves: [HalfState; 2],
    /// 0 or 1.
    pub stochastic_rounding: u8,
}

/// A pring without its memory (PRNG-1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PringState {
    /// Slots filled by the last dump.
    pub used: u32,
    /// Slots.
    pub allocated: u32,
    /// Descriptors that the whole memory holds, those before the offset too.
    pub memory: u64,
}

/// What a script works on: a vring named `v`, two prings, a cache, holdings. Operations are `None`
/// when not offered; what is read is `None` or 0 where it is not there.
pub trait Machine {
    /// Runs one operation.
    fn step(&mut self, op: &Op) -> Option<Outcome>;
    /// The vring without its descriptors.
    fn header(&self) -> Option<Header>;
    /// Descriptors of a half from an index on; how many there were.
    fn read(&self, half: Ring, first: u32, out: &mut [Desc]) -> u32;
    /// A pring without its memory; none before it is made.
    fn pring(&self, ring: Ring) -> Option<PringState>;
    /// Descriptors of a pring's memory from an index on, whatever the offset.
    fn read_pring(&self, ring: Ring, first: u64, out: &mut [Desc]);
    /// The cache's counts; none before it is made.
    fn cache(&self) -> Option<CacheStats>;
    /// Descriptors of a half of a ring that is held, from an index on; how many there were.
    fn read_held(&self, holding: u32, half: Ring, first: u32, out: &mut [Desc]) -> u32;
}

/// A vring of a set (VRNG-6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Name without its NUL.
    #[serde(with = "text")]
    pub name: Vec<u8>,
    /// 0 or 1.
    pub stochastic_rounding: u8,
}

/// Virtual rings of an implementation.
pub trait Vrings {
    /// An empty vring, no prings, no cache.
    fn machine(&self, arch: u8) -> Option<Box<dyn Machine + '_>>;
    /// Where a member lies in the documented layout: its offset and size; with an empty field, the
    /// size and the alignment (as `stride`) of the whole. None inside for an unknown name.
    fn place(&self, structure: &str, field: &str) -> Option<Option<Place>>;
    /// Adds vrings to a set until it is full, at most `most`: those that were added, and the code
    /// of the one that was refused.
    fn set(&self, name: &str, rounding: bool, most: usize) -> Option<(Vec<Member>, i32)>;
}

/// A name as text. Suites give printed ASCII alone: what is none is wrong as it is.
mod text {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(name: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&String::from_utf8_lossy(name))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        String::deserialize(from).map(String::into_bytes)
    }
}
