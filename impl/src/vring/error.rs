//! What an operation on a vring is refused for.

/// No room in a half (XFER-4).
pub const QUEUE_FULL: i32 = -1_000_011;
/// A variable above `max_var_id` (TMPL-2).
pub const VARIABLE_ABOVE: i32 = -1_000_012;
/// A variable without an address (TMPL-2).
pub const VARIABLE_MISSING: i32 = -1_000_013;

/// A refused operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// VRNG-4, XFER-4.
    #[error("a half of the vring holds 16777200 descriptors and has no room")]
    QueueFull,
    /// VRNG-4.
    #[error("no memory for a page")]
    NoMemory,
    /// PACK-4.
    #[error("descriptors {start}..{end} of {used}")]
    Range {
        /// First index asked for.
        start: u32,
        /// Index after the last one.
        end: u32,
        /// Descriptors of the half.
        used: u32,
    },
    /// EDIT-1: nothing carries FIRST.
    #[error("no TX descriptor carries FIRST")]
    NoPacket,
    /// TMPL-2.
    #[error("variable {variable} is above {max}")]
    VariableAbove {
        /// The variable.
        variable: u32,
        /// `max_var_id` of the half.
        max: u32,
    },
    /// TMPL-2.
    #[error("variable {variable} has no address")]
    VariableMissing {
        /// The variable.
        variable: u32,
    },
    /// DUMP-1.
    #[error("a pring of type {found}, not {wanted}")]
    PringType {
        /// Type of the pring.
        found: u32,
        /// Type of the half.
        wanted: u32,
    },
    /// DUMP-1.
    #[error("{used} descriptors do not fit {padded} slots")]
    TooFew {
        /// Descriptors of the half.
        used: u32,
        /// Slots asked for.
        padded: u32,
    },
    /// DUMP-1.
    #[error("{padded} slots asked of {allocated}")]
    TooMany {
        /// Slots asked for.
        padded: u32,
        /// Slots of the pring.
        allocated: u32,
    },
    /// PRNG-1.
    #[error("pring offset {offset} is not a multiple of 256 bytes")]
    Offset {
        /// Byte offset.
        offset: u64,
    },
    /// PRNG-1: the memory handed over ends before the ring does.
    #[error("{allocated} descriptors from byte {offset} do not fit the pring's memory")]
    Memory {
        /// Byte offset.
        offset: u64,
        /// Descriptors of the ring.
        allocated: u32,
    },
    /// VRNG-6.
    #[error("a set holds 16 vrings")]
    SetFull,
    /// The packet builder's refusal.
    #[error(transparent)]
    Refused(#[from] crate::Error),
}

impl Error {
    /// The code of the C ABI.
    pub const fn code(self) -> i32 {
        match self {
            Self::QueueFull => QUEUE_FULL,
            Self::NoMemory => crate::error::ENOMEM,
            Self::VariableAbove { .. } => VARIABLE_ABOVE,
            Self::VariableMissing { .. } => VARIABLE_MISSING,
            // BLDR-12: only that it is refused is judged.
            Self::Refused(_) => crate::error::FAILED,
            Self::Range { .. }
            | Self::NoPacket
            | Self::PringType { .. }
            | Self::TooFew { .. }
            | Self::TooMany { .. }
            | Self::Offset { .. }
            | Self::Memory { .. }
            | Self::SetFull => crate::error::EINVAL,
        }
    }

    /// The variable at fault, or 0.
    pub const fn variable(self) -> u32 {
        match self {
            Self::VariableAbove { variable, .. } | Self::VariableMissing { variable } => variable,
            _ => 0,
        }
    }
}
