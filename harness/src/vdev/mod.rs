//! The virtual device: every call of `/dev/neuronN` with the driver's checks and codes, served by the
//! weakest engine.
//!
//! [`Board`] is the pure part: a machine with devices whose calls are function calls. The supervisor
//! puts it behind real system calls of an unmodified program.
//!
//! ```
//! use udma_harness::program::Arch;
//! use udma_harness::vdev::{Board, BoardConfig, Windows};
//! use udma_oracle::model::Schedule;
//!
//! let mut board = Board::new(BoardConfig {
//!     arch: Arch::V3,
//!     version: udma::DriverVersion::V2_26_5,
//!     devices: 1,
//!     schedule: Schedule::Seeded(1),
//!     fault: None,
//! });
//! let file = board.open(0, 4711)?;
//! let mut info = [0; 8];
//! let mut windows = Windows::new();
//! let argument = windows.add(&mut info);
//! let code = board.ioctl(file, 4711, 0x4008_4e64, argument, &mut windows);
//! assert_eq!((code, info[0]), (0, 3)); // DEVICE_BASIC_INFO: the architecture's number
//! # Ok::<(), i64>(())
//! ```

pub mod board;
mod calls;
pub mod fault;
mod host;
pub mod memory;
#[cfg(target_os = "linux")]
pub mod supervisor;
mod tamper;
pub mod user;

pub use board::{Board, BoardConfig, FileId};
pub use fault::Fault;
pub use user::{User, Windows};
