//! What the compute builders refuse, and the code they return.

use crate::Arch;
use crate::error::{EINVAL, FAILED};

/// A refused compute request. Nothing was written. Where a rule does not give the code, the code
/// is informative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpError {
    /// TRN-1.
    #[error("SDMA dtype {dtype}: 1 to 15")]
    Dtype {
        /// The number.
        dtype: u32,
    },
    /// The runtime's dtype remap.
    #[error("runtime dtype {dtype}: 1 to 15")]
    RuntimeDtype {
        /// The number.
        dtype: u32,
    },
    /// CCE-10.
    #[error("SDMA CCE operation {op} is not known")]
    CceOp {
        /// The number.
        op: u32,
    },
    /// The runtime's operation remap.
    #[error("runtime operation {op} is not a CCE operation")]
    RuntimeOp {
        /// The number.
        op: u32,
    },
    /// TRN-1.
    #[error("dimensions {dims:?}: none may be 0")]
    ZeroDimension {
        /// w, x, y, z.
        dims: [u32; 4],
    },
    /// TRN-3.
    #[error("not a permutation of W, X, Y, Z")]
    TransposeName,
    /// TRN-4.
    #[error("destination {dst:#x} lies in no state-buffer window")]
    Window {
        /// The address.
        dst: u64,
    },
    /// TRN-6.
    #[error("transpose flush does not exist on {}", arch.short())]
    NoFlush {
        /// The architecture.
        arch: Arch,
    },
    /// CCE-8.
    #[error("{count} sources: 1 to {max}")]
    Sources {
        /// Sources asked for.
        count: usize,
        /// Most sources.
        max: usize,
    },
    /// CCE-9.
    #[error("{count} destinations on {}", arch.short())]
    Destinations {
        /// Destinations asked for.
        count: usize,
        /// The architecture.
        arch: Arch,
    },
    /// CCE-10.
    #[error("fma without its information block")]
    NoFmaInfo,
    /// CCE-10.
    #[error("fma scale of dtype {dtype}: fp32 (10) only")]
    ScaleDtype {
        /// The dtype.
        dtype: u32,
    },
    /// CCE-13.
    #[error("dtypes {input} and {output} are on different sides of the band 8 to 11")]
    Band {
        /// Input.
        input: u32,
        /// Output.
        output: u32,
    },
    /// CCE-12.
    #[error("dtype {dtype} has no size in the CCE table")]
    NoCceSize {
        /// The dtype.
        dtype: u32,
    },
    /// CCE-12, BLDR-4.
    #[error("{size} bytes: 1 to {max}")]
    Size {
        /// Bytes of one source.
        size: u64,
        /// Most bytes.
        max: u64,
    },
}

impl OpError {
    /// The code that the HAL line returns.
    pub const fn code(self) -> i32 {
        match self {
            Self::Dtype { .. }
            | Self::ZeroDimension { .. }
            | Self::TransposeName
            | Self::Window { .. } => EINVAL,
            _ => FAILED,
        }
    }
}
