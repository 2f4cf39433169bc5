//! A queue's run on the weakest engine in the order of a seed, with all that must hold of it: small
//! rings mostly, the driver's own ring (8192 descriptors) for one input in 96.

use udma_oracle::cases::cycle::{Seeded, SeededRun};
use udma_oracle::cycle::{PAGE, Run, Step, Warmup};
use udma_oracle::generate::cycle::{
    contexts, copies, fill, frames, of, pages, queue, transfer, zero_copy,
};
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
/// Data pairs of a batch on a small ring are fewer, which fills one of 32.
const SHORT: u32 = 24;
/// Most copies, and batches of one.
const MOST: usize = 3;
const BATCHES: u64 = 2;
/// Number of the driver version with the context queue (ZC-8), the last one.
const WITH_CONTEXTS: u8 = abi::UDMA_DRIVER_2_27_4 as u8;
/// One input in so many runs on the driver's own geometry, over more bytes.
pub(super) const REAL: u64 = 96;
/// One of those in so many begins near the end of the ring: seven copies go there.
pub(super) const FAR: u64 = 8;
/// Most bytes of a fill, and of a copy of user pages: beyond 65536 and the steps of zero-copy (ZC-2)
/// on the driver's own geometry alone.
const FILLED: [u64; 2] = [4_000, 140_000];
const PAGED: [u64; 2] = [20_000, 600_000];

/// A number of bytes below a bound: itself where that is not far, and all over the range.
fn spread(size: u16, bound: u64) -> u64 {
    let (size, all) = (u64::from(size), u64::from(u16::MAX) + 1);
    if bound < all {
        size % bound
    } else {
        size * bound / all
    }
}

impl Input {
    /// The queue, with batches as short as asked; `real` for the driver's own geometry.
    fn setup(&self, chunk: u32, in_flight: u32, real: bool) -> Setup {
        let size = if real { 8192 } else { 32 << (self.ring % 2) };
        let most = if real {
            u32::MAX
        } else {
            u32::from(self.batch) % SHORT
        };
        let setup = queue(2 + self.arch % 3, size, chunk, in_flight);
        Setup {
            driver: self.driver % 5,
            threshold: setup.threshold.min(most),
            ..setup
        }
    }

    /// The run; `real` for the driver's own geometry, `far` for a start anywhere in its ring.
    pub fn case(&self, real: bool, far: bool) -> SeededRun {
        let most = |setup: &Setup| u64::from(setup.chunk) * (u64::from(setup.threshold) + 1);
        let some = |sizes: &[u16], full: u64| -> Vec<u64> {
            let sizes = sizes.iter().take(MOST);
            // Not in multiples of a batch.
            sizes
                .map(|size| 1 + u64::from(*size) % (BATCHES * full))
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
                let size = spread(*size, FILLED[usize::from(real)]);
                of(setup, vec![fill(0, size, *value)])
            }
            Kind::ZeroCopy {
                offset,
                size,
                layout,
                to_device,
            } => {
                let setup = Setup {
                    driver: self.driver % WITH_CONTEXTS,
                    ..self.setup(65536, 1, real)
                };
                let (offset, size) = (
                    u64::from(*offset) % PAGE,
                    1 + spread(*size, PAGED[usize::from(real)]),
                );
                let copy = zero_copy(0, offset, size, *to_device);
                let frames = frames((offset + size).div_ceil(PAGE), (*layout).into());
                pages(setup, vec![Step::ZeroCopy(copy)], frames)
            }
            Kind::Contexts {
                capacity,
                size,
                rounds,
                to_device,
            } => {
                let setup = Setup {
                    driver: WITH_CONTEXTS,
                    ..self.setup(65536, 1, real)
                };
                let size = 1 + spread(*size, PAGED[usize::from(real)]);
                let copy = zero_copy(0, 7, size, *to_device);
                let steps = vec![
                    contexts(u32::from(capacity % 4) + 1, 1 << 20, 8),
                    Step::Enqueue(copy, 3),
                    Step::Advance((*rounds).into()),
                    Step::Pop,
                ];
                pages(setup, steps, frames((7 + size).div_ceil(PAGE), 2))
            }
        };
        // A few copies go before: the end of the ring is near in some runs.
        let (count, pairs) = if far {
            (7, 37 * u32::from(self.start & 31))
        } else {
            (u32::from(self.start >> 6), u32::from(self.start & 15))
        };
        run.warmup = Warmup {
            count,
            size: u64::from(run.setup.chunk.min(CHUNK)) * u64::from(pairs.max(1)),
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
        let hash = hash(bytes);
        let real = hash.is_multiple_of(REAL);
        let case = input.case(real, real && (hash / REAL).is_multiple_of(FAR));
        judge.hold::<Seeded>(&case);
    }
}

/// Runs it as the fuzzer does.
pub fn fuzz(bytes: &[u8]) {
    run(bytes, &mut Assert::all());
}
