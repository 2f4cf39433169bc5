//! What no recording holds: the list of checks, each in the file of its subject.

use udma::cycle::Batching;

use super::machine::Machine;
use super::subject::{Rust, Setup, Subject};
use super::{Outcome, context_queue, hal, handles, rings, zerocopy};

/// A check and its name.
pub type Check = (&'static str, fn() -> Outcome);

/// Every check, on the Rust implementation.
pub const CHECKS: &[Check] = &[
    ("handles step", handles::handles_step::<Rust>),
    (
        "handles that do not exist",
        handles::unknown_handles::<Rust>,
    ),
    (
        "an async submit waits for the one before",
        handles::waits_for_previous::<Rust>,
    ),
    (
        "an async transfer fits one batch",
        handles::async_too_large::<Rust>,
    ),
    ("handles not in use", handles::not_in_use::<Rust>),
    (
        "a timeout keeps the slot",
        handles::timeout_keeps_slot::<Rust>,
    ),
    ("retries go on as windows do", handles::retries::<Rust>),
    (
        "a retry rings the newer batch too",
        handles::retry_of_two::<Rust>,
    ),
    ("codes of a timeout", rings::timeout_codes::<Rust>),
    ("small rings", rings::small_rings::<Rust>),
    (
        "two in flight on small rings",
        rings::small_rings_in_flight::<Rust>,
    ),
    ("a full ring", rings::full_ring::<Rust>),
    (
        "the estimates of the other versions",
        rings::other_versions::<Rust>,
    ),
    ("zero-copy of another core", zerocopy::other_core::<Rust>),
    (
        "zero-copy over scattered pages",
        zerocopy::scattered_pages::<Rust>,
    ),
    ("zero-copy with a step lost", zerocopy::lost_step::<Rust>),
    ("the newer poller", hal::new_poller),
    ("the HAL's start and poll", hal::start_and_poll),
    ("the shadow queue", hal::shadow_queue),
    ("where zero-copy is offered", hal::offered),
    ("context queue: as two contexts", context_queue::as_pair),
    ("context queue: full", context_queue::full),
    ("context queue: budget", context_queue::budget),
    ("context queue: tombstones", context_queue::tombstones),
    ("context queue: unread completions", context_queue::unread),
    ("context queue: blocked", context_queue::blocked_copy),
    (
        "context queue: longer than the queue",
        context_queue::long_copy,
    ),
];

/// Source of a transfer.
pub const SRC: u64 = 0x40_0000_0000;
/// Destination of a transfer.
pub const DST: u64 = 0x50_0000_0000;
/// Completion buffers, by CPU physical address.
pub const COMPLETION: u64 = 0x1_0000_0000;

/// A machine with a pattern at [`SRC`], and a subject on it.
pub fn open<S: Subject>(setup: &Setup) -> (Machine, S) {
    let mut machine = Machine::new(setup.arch, setup.size[0]);
    machine.arena.pattern(SRC, 1 << 32, 1, 0);
    let subject = S::open(&mut machine, setup);
    (machine, subject)
}

/// Chunks of 64 bytes, so that many batches cost little.
pub fn chunks_of_64(threshold: u32) -> Batching {
    Batching {
        chunk: 64,
        threshold,
    }
}
