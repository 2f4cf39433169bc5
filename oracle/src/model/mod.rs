//! A software model of the engine: the *weakest* one that still satisfies MODL-1..8, so that a
//! driver that needs more than the rules give is found out.
//!
//! A driver drives it as it drives the device: it stores to host memory ([`Engine::store`]), makes
//! barriers ([`Engine::barrier`]), writes registers ([`Engine::write32`]), lets time pass
//! ([`Engine::advance`]) and reads memory again ([`Engine::load`]). In between, a scheduler picks
//! among all that the rules allow, by a seed: when a rung descriptor is fetched (MODL-6), when a
//! packet takes its source bytes, which write becomes visible next (MODL-5), when an unpublished
//! store is seen. The same seed and the same driver give the same run.
//!
//! It takes raw descriptor words and knows nothing of the implementations.
//!
//! ```
//! use udma_oracle::model::{Arch, Config, Engine, Memory, Pattern, Schedule};
//!
//! let arch = Arch::V3;
//! let (tx_ring, rx_ring, source, destination) = (0x1000, 0x2000, 0x10_0000, 0x20_0000);
//! let mut memory = Memory::new();
//! memory.add_bytes(arch.host(tx_ring), 64 * 16)?;
//! memory.add_bytes(arch.host(rx_ring), 64 * 16)?;
//! memory.add_extents(source, 4096, Pattern::stream(7))?; // device memory
//! memory.add_bytes(destination, 4096)?;
//! let mut engine = Engine::new(memory, Config::new(arch, Schedule::Seeded(1)));
//!
//! for (block, ring) in [(0x1000, tx_ring), (0x2_1000, rx_ring)] {
//!     let base = arch.host(ring);
//!     engine.write32(block + 0x28, base as u32);
//!     engine.write32(block + 0x2c, (base >> 32) as u32);
//!     engine.write32(block + 0x30, 64);
//!     engine.write32(block + 0x20, 0x0303_0000);
//! }
//! let descriptor = |word0: u32, word1: u32, address: u64| {
//!     let words = u128::from(word0) | u128::from(word1) << 32 | u128::from(address) << 64;
//!     words.to_le_bytes()
//! };
//! engine.store(tx_ring, &descriptor(0x0d00_1000, 0x0108_0003, source))?;
//! engine.store(rx_ring, &descriptor(0x0100_1000, 0, destination))?;
//! engine.barrier();
//! engine.write32(0x2_1038, 1); // RX before TX
//! engine.barrier();
//! engine.write32(0x1038, 1);
//! engine.settle();
//!
//! let memory = engine.memory();
//! assert_eq!(memory.first_difference(destination, 4096, Pattern::stream(7))?, None);
//! assert!(engine.findings().is_empty() && engine.faults().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How the rules are read
//! - Packets of a queue take their source bytes in ring order, as the stream is one (MODL-3);
//!   what may be reordered is when writes become visible. So a later read never sees less than the
//!   stream order gives, and what comes after a data memory barrier stays behind what came before.
//! - "Overlapping addresses keep ring order" holds between writes. A source that overlaps an
//!   earlier write that is not visible reads the old bytes, and that is a finding: ordering it is
//!   what a data memory barrier is for. A write of bytes onto themselves changes nothing, so reading
//!   there is none: the no-ops that fill up a dump (DUMP-3) need no barrier.
//! - Orders hold within a queue. Between queues there is none.
//! - Outstanding (MODL-1) are descriptors rung and not started: until then the engine may read them.
//! - A stream error, an AXI error and a refused descriptor stop the queue; a ring-id error only if
//!   abort is armed for it, and the descriptor is passed over.
//! - At a queue reset, started writes either become visible in an allowed order or are lost; none
//!   comes later.

mod arch;
mod engine;
pub mod extents;
mod memory;
mod pattern;
mod queue;
mod regs;
mod ring;
mod run;
mod schedule;
mod slot;
mod stores;
mod trace;
mod write;

pub use arch::Arch;
pub use engine::{Config, Engine, Progress};
pub use memory::{Memory, Outside, RegionError};
pub use pattern::Pattern;
pub use regs::QUEUES;
pub use schedule::Schedule;
pub use trace::{Access, Cause, Event, Fault, Finding, StreamError};
