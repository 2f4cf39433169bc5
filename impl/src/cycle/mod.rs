//! The ring cycle: stage a batch, mark its end, ring, wait, acknowledge.
//!
//! ```text
//! batch ── stage data pairs ── marker ── doorbell ── poll ── ack
//!            BTCH               MARK       TRIG      POLL    ACK
//! ```
//!
//! [`TransferQueue`] runs it for copies and fills, synchronous and with two handles in flight;
//! [`zerocopy`] runs it over the pages of a user buffer.

pub mod batch;
pub mod doorbell;
pub mod handle;
pub mod host;
pub mod marker;
pub mod memset;
pub mod poll;
mod retry;
pub mod transfer;
pub mod wait;
pub mod zerocopy;

pub use batch::{Batching, Staged, Transfer};
pub use handle::Handle;
pub use marker::CompletionBuffer;
pub use transfer::{QueueConfig, TransferQueue};
pub use wait::{Platform, Wait};
