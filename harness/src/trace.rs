//! `udma trace`: one transfer through the implementation's cycle on the weakest engine, as a
//! timeline.

pub(crate) mod machine;

use std::process::ExitCode;

use clap::ValueEnum;
use udma::cycle::zerocopy::Request;
use udma::cycle::{Batching, Handle, Platform, QueueConfig, Transfer, TransferQueue};
use udma::engine::Udma;
use udma::io::Side;
use udma::{DriverVersion, Error, PairRequest};
use udma_oracle::model::{Config, Pattern, Schedule};
use udma_report::text::{count, thousands};
use udma_report::timeline::Timeline;
use udma_report::writer::write_file;

use crate::cli::{TraceArgs, print};
use crate::failure::{FINDINGS, Failure};
use machine::{BUFFER, COMPLETION, Kept, Machine, SOURCE, TARGET, USER};

const QID: u32 = 0;
/// Rings of 2^5 to 2^16 descriptors.
const RINGS: std::ops::RangeInclusive<u32> = 32..=65536;
/// Smallest ring that two steps of zero-copy fit (ZC-1).
const ZERO_COPY_RING: u32 = 256;
/// Bytes that a run of the traced user buffer holds at least, but for its ends.
const ZERO_COPY_CHUNK: u32 = 3 * 4096;
/// Most data pairs of a traced transfer: its steps are kept until they are folded.
const MOST_PAIRS: u64 = 1 << 18;
/// Byte of a traced fill.
const FILL: u32 = 0xa5;

/// Architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Arch {
    /// SUNDA.
    V2,
    /// CAYMAN.
    V3,
    /// MARIANA.
    V4,
}

impl Arch {
    const fn driver(self) -> udma::Arch {
        match self {
            Self::V2 => udma::Arch::Sunda,
            Self::V3 => udma::Arch::Cayman,
            Self::V4 => udma::Arch::Mariana,
        }
    }

    const fn model(self) -> udma_oracle::model::Arch {
        match self {
            Self::V2 => udma_oracle::model::Arch::V2,
            Self::V3 => udma_oracle::model::Arch::V3,
            Self::V4 => udma_oracle::model::Arch::V4,
        }
    }
}

/// What is traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Operation {
    /// A synchronous copy.
    Copy,
    /// Two halves under two handles, both in flight.
    Async,
    /// A fill.
    Memset,
    /// From the pages of a user buffer.
    Zerocopy,
}

impl Operation {
    const fn name(self) -> &'static str {
        match self {
            Self::Copy => "copy",
            Self::Async => "async copy",
            Self::Memset => "fill",
            Self::Zerocopy => "zero-copy",
        }
    }

    /// Batches in flight at a time.
    const fn in_flight(self) -> u32 {
        match self {
            Self::Copy | Self::Memset => 1,
            Self::Async | Self::Zerocopy => 2,
        }
    }
}

/// Arguments that fit each other.
struct Plan {
    args: TraceArgs,
    version: DriverVersion,
    batching: Batching,
}

impl Plan {
    fn new(args: &TraceArgs) -> Result<Self, Failure> {
        let refuse = |text: String| Err(Failure::Input(text));
        let Some(version) = DriverVersion::ALL
            .into_iter()
            .find(|version| version.name() == args.driver)
        else {
            let known = DriverVersion::ALL.map(DriverVersion::name).join(", ");
            return refuse(format!("--driver {:?} is not known: {known}", args.driver));
        };
        let ring = args.ring;
        if !RINGS.contains(&ring) || !ring.is_power_of_two() {
            let (least, most) = (RINGS.start(), RINGS.end());
            return refuse(format!(
                "--ring {ring} is no power of two from {least} to {most}"
            ));
        }
        if args.kind == Operation::Zerocopy && ring < ZERO_COPY_RING {
            return refuse(format!(
                "--ring {ring} is too small for two steps of zero-copy: at least {ZERO_COPY_RING}"
            ));
        }
        if args.start >= 4 * ring {
            return refuse(format!(
                "--start {} is not below {}, four laps of the ring",
                args.start,
                4 * ring
            ));
        }
        let fitting = Batching::filling(ring, args.kind.in_flight()).threshold;
        let threshold = args
            .threshold
            .unwrap_or(fitting.min(Batching::default().threshold));
        if threshold > fitting {
            return refuse(format!(
                "--threshold {threshold} makes batches that do not fit a ring of {ring}: at most \
                 {fitting}"
            ));
        }
        let batching = Batching {
            chunk: args.chunk,
            threshold,
        };
        let chunk = match args.kind {
            // Runs of a few pages.
            Operation::Zerocopy => args.chunk.min(ZERO_COPY_CHUNK),
            _ => args.chunk,
        };
        let pairs = args.size.div_ceil(chunk.into());
        if pairs > MOST_PAIRS {
            return refuse(format!(
                "--size {} in chunks of {chunk} is {pairs} pairs: at most {MOST_PAIRS}",
                args.size
            ));
        }
        let most = 2 * u64::from(args.chunk) * (u64::from(threshold) + 1);
        if args.kind == Operation::Async && args.size > most {
            return refuse(format!(
                "--size {} does not fit two batches: at most {most}",
                args.size
            ));
        }
        Ok(Self {
            args: args.clone(),
            version,
            batching,
        })
    }

    fn title(&self) -> String {
        let Self { args, version, .. } = self;
        format!(
            "{} of {}, {:?}, driver {}, ring of {} from slot {}, seed {}",
            args.kind.name(),
            count(args.size, "byte"),
            args.arch,
            version.name(),
            thousands(args.ring.into()),
            args.start % args.ring,
            args.seed
        )
    }

    /// Runs it: the timeline, and whether all went as it should.
    fn run(&self) -> Result<(Timeline, bool), Error> {
        let args = &self.args;
        let config = Config {
            trace: true,
            ..Config::new(args.arch.model(), Schedule::Seeded(args.seed))
        };
        let (want, kept) = match args.kind {
            Operation::Memset => (Pattern::Repeat(FILL as u8), Kept::Runs),
            Operation::Zerocopy => (machine::PATTERN, Kept::Pages),
            Operation::Copy | Operation::Async => (machine::PATTERN, Kept::Runs),
        };
        let mut machine = Machine::new(config, args.ring, args.size, want, kept);
        let mut udma = Udma::initialised(self.version, 16, 0);
        let rings = machine.rings();
        udma.init_queue(&mut machine, QID, &rings)?;
        advance(&mut udma, &mut machine, args.start)?;
        machine.begin(self.title());

        let mut queue = TransferQueue::new(QueueConfig {
            arch: args.arch.driver(),
            platform: Platform::Hardware,
            qid: QID,
            core: 0,
            rings,
            completion: COMPLETION,
            batching: self.batching,
        });
        let result = self.transfer(&mut queue, &mut udma, &mut machine);
        Ok(machine.end(result.err(), args.size, want))
    }

    fn transfer(
        &self,
        queue: &mut TransferQueue,
        udma: &mut Udma,
        machine: &mut Machine,
    ) -> Result<(), Error> {
        let size = self.args.size;
        match self.args.kind {
            Operation::Copy => queue.copy(udma, machine, &Transfer::copy(SOURCE, TARGET, size)),
            Operation::Async => {
                // The first half ends at a chunk, so that both fit a batch.
                let chunk = u64::from(self.batching.chunk);
                let half = (size.div_ceil(chunk).div_ceil(2) * chunk).min(size);
                let first = Transfer::copy(SOURCE, TARGET, half);
                let second = Transfer::copy(SOURCE + half, TARGET + half, size - half);
                let before = queue.submit(udma, machine, &first, Handle::None)?;
                if size == half {
                    return queue.wait(udma, machine, before);
                }
                let last = queue.submit(udma, machine, &second, before)?;
                queue.wait(udma, machine, last)
            }
            Operation::Memset => queue.memset(udma, machine, BUFFER, TARGET, FILL, size),
            Operation::Zerocopy => {
                let request = Request {
                    user: USER,
                    device: TARGET,
                    size,
                    to_device: true,
                    core: 0,
                };
                queue.zero_copy(udma, machine, &request, [COMPLETION, COMPLETION + 8])
            }
        }
    }
}

/// Takes both rings on by `slots` finished pairs.
fn advance(udma: &mut Udma, machine: &mut Machine, slots: u32) -> Result<(), Error> {
    let request = PairRequest {
        src: machine.host(COMPLETION),
        dst: machine.host(COMPLETION) + 4,
        size: 4,
        ..PairRequest::default()
    };
    for _ in 0..slots {
        udma.prepare(machine, QID, &request)?;
        udma.copy_start(machine, QID, 1, 1)?;
        machine.settle();
        for side in [Side::Rx, Side::Tx] {
            if let Some(queue) = udma.queue(QID, side) {
                queue.ring.ack(1)?;
            }
        }
    }
    Ok(())
}

/// Runs the command.
///
/// # Errors
/// Arguments out of bounds; a file that cannot be written; standard output is gone.
pub fn run(args: &TraceArgs) -> Result<ExitCode, Failure> {
    let plan = Plan::new(args)?;
    let (timeline, held) = plan
        .run()
        .map_err(|error| Failure::Input(format!("the queue cannot be set up: {error}")))?;
    let timeline = timeline.folded(args.rows.into());
    if let Some(file) = &args.svg {
        write_file(file, timeline.svg().as_bytes())?;
    }
    if let Some(file) = &args.text {
        write_file(file, timeline.text().as_bytes())?;
    }
    if args.svg.is_none() && args.text.is_none() {
        print(&timeline.text())?;
    }
    Ok(if held {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FINDINGS)
    })
}
