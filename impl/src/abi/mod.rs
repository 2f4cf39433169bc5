//! The `/dev/neuronN` surface: request numbers and arguments (ABI).
//!
//! ```
//! use udma::abi::{self, request};
//!
//! // ABI-1: a pointer's size is encoded although the argument has 16 bytes.
//! assert_eq!(request::DMA_QUEUE_COPY_START.number(), 0x8008_4e23);
//! assert_eq!(size_of::<abi::dma::DmaQueueCopyStart>(), 16);
//! ```

pub mod device;
pub mod dma;
pub mod layout;
pub mod memory;
pub mod other;
pub mod request;

use crate::fault::mutant;
use layout::Layout;

/// Most queues of one batch initialisation.
pub const BATCH: usize = 256;

/// Asynchronous copy handles.
pub mod async_handle {
    /// No copy to wait for.
    pub const NONE: i32 = -1;
    /// A copy that is waited for at once.
    pub const SYNC: i32 = 0;
    /// First handle that can be waited for (DEV-16).
    pub const FIRST: i32 = 1;
    /// Second handle that can be waited for (DEV-16).
    pub const SECOND: i32 = 2;
}

/// A queue type in the driver's calls (ABI-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QueueType {
    /// TX ring.
    Tx,
    /// RX ring.
    Rx,
    /// Completion ring.
    Completion,
}

impl QueueType {
    /// Its number in an ioctl (ABI-4). A pring counts differently: TX 1, RX 2.
    pub fn number(self) -> u32 {
        match self {
            Self::Tx if mutant(398) => 1,
            Self::Rx if mutant(398) => 2,
            Self::Tx => 0,
            Self::Rx => 1,
            Self::Completion => 2,
        }
    }
}

/// Layouts of all arguments.
pub fn layouts() -> impl Iterator<Item = &'static Layout> {
    [
        device::LAYOUTS,
        dma::LAYOUTS,
        memory::LAYOUTS,
        other::LAYOUTS,
    ]
    .into_iter()
    .flatten()
}
