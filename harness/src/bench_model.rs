//! `udma bench --model`: the ring cycle on the engine model, all of the model's checks on.

use std::hint::black_box;
use std::process::{Command, ExitCode};
use std::time::Instant;

use udma::cycle::{Batching, Platform, QueueConfig, Transfer, TransferQueue};
use udma::engine::Udma;
use udma::{Arch, DriverVersion};
use udma_oracle::model::{self, Config, Schedule};

use crate::cli::print;
use crate::failure::Failure;
use crate::trace::machine::{COMPLETION, Kept, Machine, PATTERN, SOURCE, TARGET};

const RING: u32 = 8192;
const QID: u32 = 0;
/// Data pairs of a full batch, one less than its doorbell's count (BTCH-2).
const DATA_PAIRS: u64 = 2032;
const SMALL: u32 = 64;
const LARGE: u32 = 65536;
const LARGE_BYTES: u64 = 64 << 20;
/// Rounds; the best one counts, so that other load on the machine weighs less.
const ROUNDS: u32 = 20;
const MIB: u64 = 1 << 20;

/// The cycle on a model, ready for copies from [`SOURCE`] to [`TARGET`].
struct Bench {
    machine: Machine,
    udma: Udma,
    queue: TransferQueue,
    size: u64,
}

impl Bench {
    fn new(schedule: Schedule, size: u64, chunk: u32, kept: Kept) -> Result<Self, Failure> {
        let config = Config::new(model::Arch::V3, schedule);
        let mut machine = Machine::new(config, RING, size, PATTERN, kept);
        let mut udma = Udma::initialised(DriverVersion::default(), 16, 0);
        let rings = machine.rings();
        udma.init_queue(&mut machine, QID, &rings).map_err(failed)?;
        let queue = TransferQueue::new(QueueConfig {
            arch: Arch::Cayman,
            platform: Platform::Hardware,
            qid: QID,
            core: 0,
            rings,
            completion: COMPLETION,
            batching: Batching {
                chunk,
                ..Batching::default()
            },
        });
        Ok(Self {
            machine,
            udma,
            queue,
            size,
        })
    }

    /// One copy; its seconds.
    fn copy(&mut self) -> Result<f64, Failure> {
        let transfer = Transfer::copy(SOURCE, TARGET, self.size);
        let start = Instant::now();
        self.queue
            .copy(&mut self.udma, &mut self.machine, &transfer)
            .map_err(failed)?;
        Ok(start.elapsed().as_secs_f64())
    }

    /// Whether all that was copied arrived, and nothing was found on the way.
    fn check(mut self) -> Result<(), Failure> {
        match self.machine.end(None, self.size, PATTERN) {
            (_, true) => Ok(()),
            (timeline, false) => Err(Failure::Input(timeline.text())),
        }
    }
}

fn failed(error: udma::Error) -> Failure {
    Failure::Input(format!("the copy failed: {error}"))
}

/// Seconds of the fastest of some copies.
fn fastest(schedule: Schedule, size: u64, chunk: u32) -> Result<f64, Failure> {
    let mut bench = Bench::new(schedule, size, chunk, Kept::Bytes)?;
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        best = best.min(bench.copy()?);
    }
    bench.check()?;
    Ok(best)
}

/// Seconds of the fastest of some copies of the same bytes by memcpy, in the same pieces.
fn memcpy() -> f64 {
    let source = vec![1u8; LARGE_BYTES as usize];
    let mut target = vec![2u8; LARGE_BYTES as usize];
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let parts = source.chunks_exact(LARGE as usize);
        for (from, to) in parts.zip(target.chunks_exact_mut(LARGE as usize)) {
            to.copy_from_slice(black_box(from));
        }
        black_box(&mut target);
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}

/// Runs the command.
///
/// # Errors
/// A copy that failed, a child that did not run, or standard output is gone.
pub fn run() -> Result<ExitCode, Failure> {
    let schedules = [
        ("in order", Schedule::Prompt),
        ("weakest", Schedule::Seeded(1)),
    ];
    let mut text = String::from("the ring cycle on the engine model, all checks on, one core\n");
    let size = 16 * DATA_PAIRS * u64::from(SMALL);
    for (name, schedule) in schedules {
        let descriptors = 2 * 16 * (DATA_PAIRS + 1);
        let rate = descriptors as f64 / fastest(schedule, size, SMALL)?;
        text += &format!(
            "  64-byte pairs, batches of 2033, {name:<9} {:>6.1} million descriptors/s\n",
            rate / 1e6
        );
    }
    let plain = LARGE_BYTES as f64 / memcpy();
    for (name, schedule) in schedules {
        let rate = LARGE_BYTES as f64 / fastest(schedule, LARGE_BYTES, LARGE)?;
        text += &format!(
            "  64 KiB pairs, {name:<9} {:>6.1} GiB/s, {:.2} of memcpy\n",
            rate / (MIB << 10) as f64,
            rate / plain
        );
    }
    let (little, much) = (child(MIB)?, child(MIB << 10)?);
    text += &format!(
        "  most memory: 1 MiB copied {:.1} MiB, 1 GiB copied {:.1} MiB, {:+.1} MiB\n",
        little as f64 / 1024.0,
        much as f64 / 1024.0,
        (much as f64 - little as f64) / 1024.0
    );
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// KiB that a process of its own takes at most to copy `bytes` bytes.
fn child(bytes: u64) -> Result<u64, Failure> {
    let program = std::env::current_exe().map_err(Failure::Output)?;
    let out = Command::new(program)
        .args(["bench", "--peak-of", &bytes.to_string()])
        .output()
        .map_err(Failure::Output)?;
    let printed = String::from_utf8_lossy(&out.stdout);
    printed.trim().parse().map_err(|_| {
        let said = String::from_utf8_lossy(&out.stderr);
        Failure::Input(format!("the copy of {bytes} bytes told no peak: {said}"))
    })
}

/// Copies `bytes` bytes as runs of a stream, in 64 KiB pairs, checks them, and prints the most
/// memory that this process had, in KiB.
///
/// # Errors
/// A copy that failed, a system that does not tell, or standard output is gone.
pub fn peak_of(bytes: u64) -> Result<ExitCode, Failure> {
    let mut bench = Bench::new(Schedule::Seeded(1), bytes, LARGE, Kept::Runs)?;
    bench.copy()?;
    bench.check()?;
    let file = std::path::PathBuf::from("/proc/self/status");
    let status = std::fs::read_to_string(&file).map_err(Failure::file(&file))?;
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"))
        .ok_or_else(|| Failure::Input("the system tells no peak".into()))?;
    print(&format!("{}\n", peak.trim()))?;
    Ok(ExitCode::SUCCESS)
}
