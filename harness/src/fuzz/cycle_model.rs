//! A queue's run on the weakest engine in the order of a seed, with all that must hold of it: small
//! rings mostly, the driver's own ring (8192 descriptors) for one input in 64.

use udma_oracle::cases::cycle::{Seeded, SeededRun};
use udma_oracle::cycle::{Run, Step, Warmup};
use udma_oracle::generate::cycle::{
    contexts, copies, fill, frames, of, pages, queue, transfer, zero_copy,
};
use udma_oracle::law::version::knows_sow;
use udma_oracle::subject::cycle::Setup;
use udma_reference::abi;

use super::input::{self, input};
use super::{Assert, Judge, hash};

input! {
    /// A run.
    struct Input {
        /// Seed of the engine's choices.
        seed: u32,
        /// Architecture.
        arch: u8,
        /// Driver version.
        driver: u8,
        /// Ring size.
        ring: u8,
        /// Data pairs of a batch.
        batch: u8,
        /// Slots used before.
        start: u8,
        /// What is asked.
        kind: Kind,
    }
}

input! {
    /// What is asked of the queue.
    enum Kind {
        /// Copies, one after the other.
        Copies { sizes: Vec<u16>, skew: u8 },
        /// Asynchronous copies, each after the one before.
        Async { sizes: Vec<u16>, skew: u8 },
        /// A fill.
        Fill { size: u16, value: u32 },
        /// A copy of user pages.
        ZeroCopy { offset: u16, size: u16, layout: u8, to_device: bool },
        /// Copies of user pages through the context queue.
        Contexts { capacity: u8, size: u16, rounds: u8, to_device: bool },
    }
}

/// Bytes of a chunk of the runs that copy.
const CHUNK: u32 = 64;
/// Most copies.
const MOST: usize = 4;
/// Number of the driver version with the context queue (ZC-8), the last one.
const WITH_CONTEXTS: u8 = abi::UDMA_DRIVER_2_27_4 as u8;
/// One input in so many runs on the driver's own geometry.
const REAL: u64 = 64;

impl Input {
    /// The queue, with batches as short as asked; `real` for the driver's own geometry.
    fn setup(&self, chunk: u32, in_flight: u32, real: bool) -> Setup {
        let size = if real { 8192 } else { 32 << (self.ring % 3) };
        let most = if real { u32::MAX } else { self.batch.into() };
        let setup = queue(2 + self.arch % 3, size, chunk, in_flight);
        Setup {
            driver: self.driver % 5,
            threshold: setup.threshold.min(most),
            ..setup
        }
    }

    /// One on which a step of zero-copy has room, whatever its pages: it is one batch (ZC-6).
    fn steps(&self, real: bool) -> Setup {
        let size = if real { 8192 } else { 64 << (self.ring % 2) };
        queue(2 + self.arch % 3, size, 65536, 1)
    }

    /// The run; `real` for the driver's own geometry.
    pub fn case(&self, real: bool) -> SeededRun {
        let most = |setup: &Setup| u64::from(setup.chunk) * (u64::from(setup.threshold) + 1);
        let some = |sizes: &[u16], full: u64| -> Vec<u64> {
            let sizes = sizes.iter().take(MOST);
            // Over three batches at most, and not in multiples.
            sizes
                .map(|size| 1 + u64::from(*size) % (3 * full))
                .collect()
        };
        let mut run: Run = match &self.kind {
            Kind::Copies { sizes, skew } => {
                let setup = self.setup(CHUNK, 1, real);
                copies(setup, &some(sizes, most(&setup)), (skew % 3).into())
            }
            Kind::Async { sizes, skew } => {
                let setup = self.setup(CHUNK, 2, real);
                let mut previous = -1;
                let mut steps = Vec::new();
                for (at, size) in (0..).zip(some(sizes, most(&setup))) {
                    let size = 1 + size % most(&setup);
                    let copy = transfer(at, size, (skew % 3).into());
                    steps.push(Step::Submit(copy, previous));
                    previous = if previous == 1 { 2 } else { 1 };
                }
                if !steps.is_empty() {
                    steps.push(Step::Wait(previous));
                }
                of(setup, steps)
            }
            Kind::Fill { size, value } => {
                let setup = self.setup(1024, 1, real);
                of(setup, vec![fill(0, (*size).into(), *value)])
            }
            Kind::ZeroCopy {
                offset,
                size,
                layout,
                to_device,
            } => {
                // A write's marker has mode 3 (ZC-5), which earlier versions refuse (BARR-5).
                let driver = self.driver % WITH_CONTEXTS;
                let setup = Setup {
                    driver: if knows_sow(driver) { driver } else { 0 },
                    ..self.steps(real)
                };
                let copy = zero_copy(
                    0,
                    u64::from(*offset) % 4096,
                    1 + u64::from(*size),
                    *to_device,
                );
                pages(
                    setup,
                    vec![Step::ZeroCopy(copy)],
                    frames(18, (*layout).into()),
                )
            }
            Kind::Contexts {
                capacity,
                size,
                rounds,
                to_device,
            } => {
                let setup = Setup {
                    driver: WITH_CONTEXTS,
                    ..self.steps(real)
                };
                let copy = zero_copy(0, 7, 1 + u64::from(*size), *to_device);
                let steps = vec![
                    contexts(u32::from(capacity % 4) + 1, 1 << 20, 8),
                    Step::Enqueue(copy, 3),
                    Step::Advance((*rounds).into()),
                    Step::Pop,
                ];
                pages(setup, steps, frames(18, 2))
            }
        };
        // A few copies, each of up to a batch: the end of the ring is near in some runs.
        let pairs = u64::from(self.start & 31) * if real { 60 } else { 1 };
        run.warmup = Warmup {
            count: u32::from(self.start >> 5),
            size: u64::from(run.setup.chunk.min(CHUNK)) * pairs.max(1),
        };
        SeededRun {
            seed: self.seed.into(),
            run,
        }
    }
}

/// Runs the target.
pub fn run<J: Judge>(bytes: &[u8], judge: &mut J) {
    if let Some(input) = input::read::<Input>(bytes) {
        let case = input.case(hash(bytes).is_multiple_of(REAL));
        judge.hold::<Seeded>(&case);
    }
}

/// Runs it as the fuzzer does.
pub fn fuzz(bytes: &[u8]) {
    run(bytes, &mut Assert::all());
}
