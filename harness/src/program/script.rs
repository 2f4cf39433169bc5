//! The script of a `vring` step: what is put on a virtual ring before it is dumped.

use serde::{Deserialize, Serialize};

use super::step::{Block, Mode};
use super::{At, Number, is_default};

/// A copy of any length.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transfer {
    /// Source.
    pub src: At,
    /// Destination.
    pub dst: At,
    /// Bytes; 0 adds nothing (XFER-6).
    pub size: Number,
    /// Whether the last chunk is ordered (XFER-2).
    #[serde(default, skip_serializing_if = "is_default")]
    pub ordered: bool,
}

/// One operation on a virtual ring. Places may be symbolic pointers by number (TMPL-1), such as
/// `0x2000001000000040`: byte 64 of variable 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum Authored {
    /// A copy in chunks of 65536 bytes (XFER-1), ordered by SOW where there is one, else DMB.
    Transfer(Transfer),
    /// The form that is always ordered by DMB (XFER-2).
    TransferEx(Transfer),
    /// A poke of an event or a semaphore: 4 bytes of a constant (XFER-5).
    Poke {
        /// Where the constant is.
        src: At,
        /// The target.
        dst: At,
    },
    /// A packet of several blocks (BLDR-9).
    Packet {
        /// Blocks, in order.
        blocks: Vec<Block>,
        /// Ordering mode.
        #[serde(default, skip_serializing_if = "is_default")]
        mode: Mode,
    },
    /// Joins what is there into packets (PACK-1).
    Pack {
        /// Most bytes of a packet.
        max_bytes: Number,
    },
    /// EDIT-1.
    DmbOnLastPacket,
    /// Moves a window of sources (EDIT-2).
    AddrRewrite {
        /// Its first byte.
        base: At,
        /// Its bytes.
        size: Number,
        /// Where its first byte is from now on.
        new_base: At,
    },
    /// Makes it a template of variables 0 to `max_var_id`.
    Template {
        /// Largest variable.
        max_var_id: u32,
    },
    /// Gives every variable an address: 0, 1, and so on (TMPL-2).
    Resolve {
        /// The addresses.
        addresses: Vec<At>,
    },
}

impl Authored {
    /// The places that it names, with the members they stand in.
    pub fn places(&self) -> Vec<(&'static str, &At)> {
        match self {
            Self::Transfer(Transfer { src, dst, .. })
            | Self::TransferEx(Transfer { src, dst, .. })
            | Self::Poke { src, dst } => vec![("src", src), ("dst", dst)],
            Self::Packet { blocks, .. } => {
                let places = blocks.iter().map(|block| (&block.src, &block.dst));
                places
                    .flat_map(|(src, dst)| [("blocks.src", src), ("blocks.dst", dst)])
                    .collect()
            }
            Self::AddrRewrite { base, new_base, .. } => {
                vec![("base", base), ("new_base", new_base)]
            }
            Self::Resolve { addresses } => addresses.iter().map(|at| ("addresses", at)).collect(),
            Self::Pack { .. } | Self::DmbOnLastPacket | Self::Template { .. } => Vec::new(),
        }
    }
}
