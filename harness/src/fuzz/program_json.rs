//! Any bytes as a program: an error that names a place, or a program. A program is written and read
//! again, and gives the same on the reference interpreter and on the engine model, which do
//! everything in order both.

use std::path::Path;
use std::time::Duration;

use udma_oracle::model::Schedule;

use super::Judge;
use crate::interpret::interpret;
use crate::program::{Op, Program, Step, Tag, read};
use crate::run::client::{self, Limits};
use crate::run::port::ModelPort;
use crate::vdev::BoardConfig;

/// Most bytes of a text, and of all buffers of a program that is run.
const MOST_BYTES: [u64; 2] = [1 << 16, 1 << 18];
/// Most steps that are taken, and descriptors of a ring.
const MOST_STEPS: u64 = 400;
const MOST_DESCRIPTORS: u32 = 1 << 12;

/// Steps that are taken, repeated ones as often as they are.
fn taken(steps: &[Step]) -> u64 {
    let of = |step: &Step| match &step.op {
        Op::Repeat { steps, times, .. } => u64::from(*times).saturating_mul(1 + taken(steps)),
        _ => 1,
    };
    steps.iter().map(of).fold(0, u64::saturating_add)
}

/// Whether a program is soon done, and one of which the rules say what comes of it: requests of any
/// number and raw registers are the virtual device's own, and where order is left open or a device
/// is disturbed there is more than one outcome.
fn suits(program: &Program) -> bool {
    let bytes = program.buffers.iter().map(|buffer| buffer.size.0);
    let rings = program.rings.iter().flat_map(|ring| [ring.tx, ring.rx]);
    bytes.fold(0, u64::saturating_add) <= MOST_BYTES[1]
        && rings.fold(0, u32::max) <= MOST_DESCRIPTORS
        && taken(&program.steps) <= MOST_STEPS
        && !program.is(Tag::DisturbsDevice)
        && !program.is(Tag::Litmus)
}

/// Runs the target.
///
/// # Panics
/// Where the two differ.
pub fn run<J: Judge>(bytes: &[u8], _judge: &mut J) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if text.len() as u64 > MOST_BYTES[0] {
        return;
    }
    let Ok(program) = read::parse(text, "input") else {
        return;
    };
    let again = read::parse(&read::render(&program), "again");
    assert_eq!(again.expect("what was written is read"), program);
    let folder = Path::new("/nonexistent");
    let arch = program.archs.first().copied().unwrap_or_default();
    if !suits(&program) {
        return;
    }
    let Ok(wanted) = interpret(&program, arch, folder) else {
        return;
    };
    let mut port = ModelPort::new(BoardConfig {
        arch,
        version: udma::DriverVersion::default(),
        devices: 1,
        schedule: Schedule::Prompt,
        fault: None,
    });
    let limits = Limits {
        bytes: 1 << 30,
        time: Duration::from_secs(20),
        ..Limits::default()
    };
    let seen = client::run(&mut port, &program, folder, limits);
    if let Ok(seen) = seen {
        assert_eq!(seen.codes, wanted.outcome.codes, "codes");
        assert_eq!(seen.waits, wanted.outcome.waits, "markers");
        assert!(seen.reads == wanted.outcome.reads, "reads");
        assert!(seen.memory == wanted.outcome.memory, "memory");
    }
}

/// Runs it as the fuzzer does.
pub fn fuzz(bytes: &[u8]) {
    run(bytes, &mut super::Assert::of(&[]));
}
