//! The structures of the C ABI under the suite's own names, with the little that is done to them.

use serde::{Deserialize, Serialize};

pub use udma_reference::abi::{
    udma_bit_case as BitCase, udma_block as Block, udma_desc as Desc, udma_fields as Fields,
    udma_meta_fields as MetaFields, udma_pair_in as PairIn, udma_pair_out as PairOut,
    udma_place as Place, udma_queue_sw as QueueSw, udma_ring_state as RingState,
};

/// Code that stands for an assertion that ends the call.
pub const BUG: i32 = udma_reference::abi::UDMA_BUG;

/// The side of a queue, by its number in the ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ring {
    /// Memory to stream.
    Tx = 0,
    /// Stream to memory.
    Rx = 1,
}

impl Ring {
    /// Both, TX first.
    pub const BOTH: [Self; 2] = [Self::Tx, Self::Rx];

    /// `tx` or `rx`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tx => "tx",
            Self::Rx => "rx",
        }
    }
}

/// The pattern that fills a slot before a request; one that no builder emits.
pub const FILL: Desc = Desc {
    word: [0x5aa5_3cc3, 0xa55a_c33c, 0x1bad_b002, 0xdead_c0de],
};
/// A second pattern, its complement: a byte that equals the fill twice was not written.
pub const OTHER_FILL: Desc = Desc {
    word: [!FILL.word[0], !FILL.word[1], !FILL.word[2], !FILL.word[3]],
};

/// 32 hex digits in memory order.
pub fn hex(desc: &Desc) -> String {
    desc.hex()
}

/// The inverse of [`hex`]; none unless 32 hex digits.
pub fn from_hex(text: &str) -> Option<Desc> {
    Desc::from_hex(text)
}

/// Words 2 and 3 as one address.
pub const fn pointer(desc: &Desc) -> u64 {
    desc.word[2] as u64 | (desc.word[3] as u64) << 32
}

/// Contents of registers: space, offset, value.
pub type Registers = Vec<(u32, u64, u32)>;

/// Value of a register; 0 where nothing is known of it.
pub fn register(registers: &Registers, space: u32, offset: u64) -> u32 {
    registers
        .iter()
        .rev()
        .find(|(at, place, _)| (*at, *place) == (space, offset))
        .map_or(0, |(_, _, value)| *value)
}
