//! What a request is refused for, and the code the originals return for it.

use crate::arch::Arch;
use crate::line::{DriverVersion, Line};

/// -EINVAL.
pub const EINVAL: i32 = -22;
/// -ENOMEM.
pub const ENOMEM: i32 = -12;
/// The originals' plain error.
pub const FAILED: i32 = -1;
/// -ENOENT.
pub const ENOENT: i32 = -2;
/// -EFAULT.
pub const EFAULT: i32 = -14;
/// -EBUSY.
pub const EBUSY: i32 = -16;
/// -ETIMEDOUT.
pub const ETIMEDOUT: i32 = -110;

/// A refused request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// BARR-3, BARR-5.
    #[error("ordering mode {mode} is not known to this line")]
    UnknownMode {
        /// The mode asked for.
        mode: i32,
    },
    /// BARR-4.
    #[error("strong-ordered write does not exist on {}", arch.short())]
    NoSow {
        /// The architecture.
        arch: Arch,
    },
    /// BLDR-4.
    #[error("size {size} is above 65536 bytes")]
    Oversize {
        /// Bytes asked for.
        size: u64,
    },
    /// BLDR-5, HAL line.
    #[error("size 0 is refused by the HAL line")]
    SizeZero,
    /// BLDR-9.
    #[error("a packet of {count} blocks: 1 to {cap} on {}", arch.short())]
    BlockCount {
        /// Blocks asked for.
        count: usize,
        /// Most blocks.
        cap: usize,
        /// The architecture.
        arch: Arch,
    },
    /// BLDR-9.
    #[error("the notification mask does not exist on {}", arch.short())]
    NoNotification {
        /// The architecture.
        arch: Arch,
    },
    /// TRIG-1, RING-8.
    #[error("queue {qid} is beyond the engine's {queues} queues")]
    NoQueue {
        /// Queue asked for.
        qid: u32,
        /// Queues of the engine.
        queues: u32,
    },
    /// QINI-3: the same as [`Error::NoQueue`], found by queue initialisation.
    #[error("queue {qid} cannot be initialised: the engine has {queues} queues")]
    NoQueueToInit {
        /// Queue asked for.
        qid: u32,
        /// Queues of the engine.
        queues: u32,
    },
    /// RING-8.
    #[error("no free slot")]
    RingFull,
    /// RING-7, RING-11.
    #[error("a ring without memory or not allocatable hands out no slot")]
    NoSlot,
    /// RING-6.
    #[error("ring size {size} is not a power of two")]
    OddSize {
        /// Descriptors of the ring.
        size: u32,
    },
    /// TRIG-1, TRIG-4.
    #[error("count {count}: 1 to {size} on this ring")]
    Count {
        /// Descriptors to be rung.
        count: u32,
        /// Descriptors of the ring.
        size: u32,
    },
    /// QINI-1.
    #[error("ring base {base:#x} is not aligned to 256 bytes")]
    Misaligned {
        /// The base.
        base: u64,
    },
    /// QINI-1.
    #[error("ring size {size} is not a multiple of 16 descriptors")]
    OddLength {
        /// Descriptors asked for.
        size: u32,
    },
    /// QINI-2.
    #[error("a completion ring is not offered")]
    CompletionRing,
    /// QINI-4.
    #[error("ring size {size}: 32 to 16777200 descriptors")]
    Length {
        /// Descriptors asked for.
        size: u32,
    },
    /// POLL-1.
    #[error("the marker did not arrive in time")]
    Timeout,
    /// ASYN-1.
    #[error("handle {handle} does not exist: -1 to 2")]
    NoHandle {
        /// The handle by number.
        handle: i32,
    },
    /// ASYN-4.
    #[error("handle {handle} is not in use")]
    NotInUse {
        /// The handle by number.
        handle: i32,
    },
    /// ASYN-3.
    #[error("an asynchronous transfer of {size} bytes needs more than its one batch of {batch}")]
    AsyncTooLarge {
        /// Bytes asked for.
        size: u64,
        /// Bytes of its first batch, which was rung.
        batch: u64,
    },
    /// ZC-7.
    #[error("the queue belongs to core {owner}, not to core {core}")]
    NotOwner {
        /// The core that asks.
        core: u32,
        /// The core that the queue belongs to.
        owner: u32,
    },
    /// Pages of a user buffer could not be pinned. No rule gives the code.
    #[error("{count} pages from {page:#x} cannot be pinned")]
    NotPinned {
        /// User address of the first page.
        page: u64,
        /// Pages.
        count: usize,
    },
    /// ZC-8.
    #[error("the context queue holds {free} more contexts, {wanted} are needed")]
    Busy {
        /// Contexts that are free.
        free: usize,
        /// Contexts that the request takes.
        wanted: u64,
    },
    /// The original stops here on an assertion (ERR-7).
    #[error("the driver stops on an assertion (BUG)")]
    Bug,
}

impl Error {
    /// The code that `line` returns; none where it does not return ([`Error::Bug`]).
    pub fn code(self, line: Line) -> Option<i32> {
        Some(match self {
            Self::UnknownMode { .. }
            | Self::BlockCount { .. }
            | Self::NoNotification { .. }
            | Self::NoSlot
            | Self::NoQueueToInit { .. }
            | Self::NoHandle { .. }
            | Self::NotInUse { .. }
            | Self::AsyncTooLarge { .. }
            | Self::Length { .. } => EINVAL,
            Self::Timeout => timeout_code(line),
            Self::NotOwner { .. } => ENOENT,
            Self::NotPinned { .. } => EFAULT,
            Self::Busy { .. } if crate::fault::mutant(182) => ENOMEM,
            Self::Busy { .. } => EBUSY,
            Self::Oversize { .. } => match line {
                // BLDR-4, ERR-6
                Line::Kernel(version) => oversize_code(version),
                Line::Hal => FAILED,
            },
            Self::RingFull if crate::fault::mutant(83) => FAILED,
            Self::RingFull => ENOMEM,
            Self::NoSow { .. }
            | Self::SizeZero
            | Self::NoQueue { .. }
            | Self::OddSize { .. }
            | Self::Count { .. }
            | Self::Misaligned { .. }
            | Self::OddLength { .. }
            | Self::CompletionRing => FAILED,
            Self::Bug => return None,
        })
    }
}

/// POLL-1, ERR-12.
fn timeout_code(line: Line) -> i32 {
    let named = line
        .driver()
        .is_some_and(|version| version >= DriverVersion::V2_27_4);
    if named || crate::fault::mutant(154) {
        ETIMEDOUT
    } else {
        FAILED
    }
}

fn oversize_code(version: DriverVersion) -> i32 {
    if crate::fault::mutant(35) {
        return EINVAL;
    }
    if version >= DriverVersion::V2_27_4 && !crate::fault::mutant(92) {
        EINVAL
    } else {
        FAILED
    }
}
