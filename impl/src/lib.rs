//! The descriptor and ring layer of the UDMA memory-to-memory engine of AWS Neuron devices.
//!
//! Bit for bit what the originals do, under the rule numbers of the specification. The two
//! original lines, the kernel driver's and the HAL's, differ in a handful of places; which one is
//! followed is a [`Line`] value handed to the builder.
//!
//! ```
//! use udma::{Arch, Desc, DriverVersion, Line, PairBuilder, PairRequest};
//!
//! let builder = PairBuilder::new(Line::Kernel(DriverVersion::V2_26_5), Arch::Cayman);
//! let request = PairRequest {
//!     src: 0x1000,
//!     dst: 0x2000,
//!     size: 65536,
//!     rx_ring_id: 1,
//!     tx_ring_id: 1,
//!     ..PairRequest::default()
//! };
//! let (mut tx, mut rx) = (Desc::default(), Desc::default());
//! builder.build(&request, &mut tx, &mut rx)?;
//! assert_eq!(tx.word0(), 0x0d00_0000); // FIRST, LAST, phase 1, length 0 = 65536 (DESC-3)
//! assert_eq!(tx.word1(), 0x0108_0003); // META-1
//! assert_eq!(rx.word0(), 0x0100_0000); // BLDR-2
//! # Ok::<(), udma::Error>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]

extern crate alloc;

pub mod abi;
pub mod arch;
pub mod bits;
pub mod constants;
mod consumer;
pub mod copy;
pub mod cycle;
pub mod desc;
pub mod engine;
pub mod error;
pub mod explain;
pub mod fault;
pub mod io;
pub mod line;
pub mod meta;
pub mod op;
pub mod ordering;
pub mod packet;
pub mod ring;
pub mod shadow;
pub mod typed;
pub mod vring;

pub use arch::Arch;
pub use copy::{PairBuilder, PairRequest};
pub use desc::Desc;
pub use error::Error;
pub use line::{DriverVersion, Line};
pub use meta::MetaCtrl;
pub use ordering::Ordering;
