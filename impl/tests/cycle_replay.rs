//! Every recorded case of the ring cycle, replayed event for event.

mod cycle;

use cycle::subject::Rust;
use cycle::{Outcome, checks, replay, vectors, zerocopy};
use serde_json::Value;

/// Replays every case of a suite; `count` is how many it must have.
fn suite(name: &str, count: usize, replay: fn(&Value) -> Outcome) {
    let cases = vectors::cases(name);
    assert_eq!(cases.len(), count, "{name}");
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let error = replay(case).err()?;
            Some(format!("{name} case {}: {error}", case["id"]))
        })
        .collect();
    assert!(
        failed.is_empty(),
        "{} of {count}\n{}",
        failed.len(),
        failed.join("\n")
    );
}

#[test]
fn memcpy_trace() {
    suite("memcpy_trace", 90, replay::memcpy::<Rust>);
}

#[test]
fn memset_trace() {
    suite("memset_trace", 48, replay::memset::<Rust>);
}

#[test]
fn zerocopy_trace() {
    suite("zerocopy_trace", 36, zerocopy::zero_copy::<Rust>);
}

#[test]
fn wait_time() {
    suite("wait_time", 1332, replay::wait_time::<Rust>);
}

#[test]
fn copy_start() {
    suite("copy_start", 316, replay::copy_start::<Rust>);
}

#[test]
fn what_no_recording_holds() {
    for (name, check) in checks::CHECKS {
        if let Err(error) = check() {
            panic!("{name}: {error}");
        }
    }
}
