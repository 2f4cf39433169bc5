//! The context queue of 2.27.4.0 (ZC-8).

use udma::cycle::zerocopy::Request;
use udma::cycle::zerocopy::completions::{Completion, CompletionRing};
use udma::cycle::zerocopy::contexts::{ContextQueue, PIN_BUDGET};
use udma::cycle::zerocopy::queue::ZeroCopyQueue;
use udma::io::Side;
use udma::{Arch, DriverVersion, Error};

use super::checks::DST;
use super::machine::Machine;
use super::subject::{Rust, Setup, Subject};
use super::zerocopy::USER;
use super::{Outcome, holds, same};

const COMPLETION: u64 = 0x1_0000_0000;
const FRAMES: u64 = 0x1_6000_0000;
const STEP: u64 = 262_144;

/// A machine, the engine with its queue, and a context queue.
struct Bench {
    machine: Machine,
    rust: Rust,
    queue: ZeroCopyQueue,
}

impl Bench {
    fn new(capacity: usize, budget: u64, entries: usize) -> Self {
        let setup = Setup {
            version: DriverVersion::V2_27_4,
            ..Setup::of(Arch::Cayman, 8192)
        };
        let mut machine = Machine::new(setup.arch, setup.size[0]);
        // Every second page, so that each is a run of its own.
        machine.user = (USER, (0..8192).map(|page| FRAMES + page * 8192).collect());
        for page in 0..8192 {
            let frame = machine.host(FRAMES + page * 8192);
            machine.arena.pattern(frame, 4096, 3, page * 4096);
        }
        let rust = Rust::open(&mut machine, &setup);
        Self {
            machine,
            rust,
            queue: ZeroCopyQueue::new(
                COMPLETION,
                ContextQueue::new(capacity, budget),
                CompletionRing::new(entries),
            ),
        }
    }

    fn submit(&mut self, size: u64, tag: u64) -> Result<(), Error> {
        self.queue.submit(&self.rust.queue, &write(size), tag)
    }

    fn copy(&mut self, size: u64) -> Result<(), Error> {
        self.queue.copy(
            &self.rust.queue,
            &mut self.rust.udma,
            &mut self.machine,
            &write(size),
        )
    }

    fn advance(&mut self) -> bool {
        self.queue
            .advance(&self.rust.queue, &mut self.rust.udma, &mut self.machine)
    }

    /// Advances until nothing is left to do, checking what must always hold.
    fn run(&mut self) -> Outcome {
        for _ in 0..100_000 {
            let going = self.advance();
            let cursors = self.queue.contexts().cursors();
            holds("cursors in order", cursors.is_sorted())?;
            if !going {
                return Ok(());
            }
        }
        Err("no end".into())
    }

    fn completions(&self) -> Vec<Completion> {
        std::iter::from_fn(|| self.queue.completions().pop()).collect()
    }

    fn is_copied(&mut self, size: u64) -> bool {
        let source = self.machine.host(0x9_0000_0000);
        self.machine.arena.pattern(source, size, 3, 0);
        self.machine.arena.is_same(source, DST, size)
    }

    fn all_given_back(&self) -> Outcome {
        same("pages pinned", self.machine.pinned, 0)?;
        same("pages counted", self.queue.contexts().pinned(), 0)?;
        let cursors = self.rust.cursors(Side::Tx);
        same("slots", cursors.next_cdesc, cursors.next_desc)?;
        same("faults", &self.machine.faults[..], &[])
    }
}

fn write(size: u64) -> Request {
    Request {
        user: USER,
        device: DST,
        size,
        to_device: true,
        core: 0,
    }
}

fn done(tag: u64) -> Completion {
    Completion { tag, result: 0 }
}

/// Descriptors are those of the two contexts but for the marker's place; every step is rung before
/// the first is waited for, as far as the rings go.
pub fn as_pair() -> Outcome {
    let size = 3 * STEP + 1000;
    let mut bench = Bench::new(1024, PIN_BUDGET, 1024);
    same("copy", bench.copy(size), Ok(()))?;
    let delays: Vec<usize> = bench.machine.rung.iter().map(|rung| rung.delays).collect();
    same("delays before each", &delays[..], &[0, 0, 0, 0])?;
    let mut pair = Bench::new(1, 0, 1);
    let ret = pair.rust.zero_copy(
        &mut pair.machine,
        &write(size),
        [COMPLETION, COMPLETION + 8],
    );
    same("pair", ret, 0)?;
    for (queued, paired) in bench.machine.rung.iter().zip(&pair.machine.rung) {
        for side in [0, 1] {
            let data = queued.descs[side].len() - 1;
            same(
                "data pairs",
                &queued.descs[side][..data],
                &paired.descs[side][..data],
            )?;
            let words = |rung: &super::machine::Rung| rung.descs[side][data].word0();
            same("marker", words(queued), words(paired))?;
        }
    }
    holds("copied", bench.is_copied(size))?;
    bench.all_given_back()
}

pub fn full() -> Outcome {
    let mut bench = Bench::new(4, PIN_BUDGET, 8);
    same("first", bench.submit(3 * STEP, 1), Ok(()))?;
    let refused = bench.submit(2 * STEP, 2);
    let code = refused.map_err(|error| error.code(bench.rust.udma.line()));
    same("too many steps", code, Err(Some(-16)))?;
    same("one step", bench.submit(STEP, 3), Ok(()))?;
    same("events", &bench.machine.events[..], &[])?;
    bench.run()?;
    same("completions", &bench.completions()[..], &[done(1), done(3)])?;
    same("again", bench.submit(3 * STEP, 4), Ok(()))?;
    bench.run()?;
    same("completions", &bench.completions()[..], &[done(4)])?;
    bench.all_given_back()
}

pub fn budget() -> Outcome {
    // Pages of two steps and a half.
    let mut bench = Bench::new(64, 160, 64);
    for tag in 0..5 {
        same("submit", bench.submit(2 * STEP, tag), Ok(()))?;
    }
    bench.run()?;
    let all: Vec<Completion> = (0..5).map(done).collect();
    same("completions", bench.completions(), all)?;
    same("most pinned", bench.machine.most_pinned, 128)?;
    bench.all_given_back()
}

/// A copy whose third step cannot be pinned fails whole; what was behind it goes on.
pub fn tombstones() -> Outcome {
    let mut bench = Bench::new(16, PIN_BUDGET, 64);
    bench.machine.user.1.truncate(140); // a step has 64 pages
    same("first", bench.submit(STEP, 1), Ok(()))?;
    same("second", bench.submit(4 * STEP, 2), Ok(()))?;
    same("third", bench.submit(2 * STEP, 3), Ok(()))?;
    bench.run()?;
    let failed = Completion {
        tag: 2,
        result: -14,
    };
    same(
        "completions",
        &bench.completions()[..],
        &[failed, done(1), done(3)],
    )?;
    // What was behind did not wait for what was before.
    let delays: Vec<usize> = bench.machine.rung.iter().map(|rung| rung.delays).collect();
    same("delays before each step", &delays[..], &[0, 0, 0])?;
    bench.all_given_back()?;

    // A lost batch fails its copy; its own slots stay taken and its pages pinned.
    let mut bench = Bench::new(16, PIN_BUDGET, 64);
    bench.machine.model.lost_batches = 1;
    same("first", bench.submit(STEP, 1), Ok(()))?;
    same("second", bench.submit(STEP, 2), Ok(()))?;
    bench.run()?;
    let failed = Completion {
        tag: 1,
        result: -110,
    };
    same("completions", &bench.completions()[..], &[failed, done(2)])?;
    same("pages pinned", bench.machine.pinned, 64)
}

pub fn unread() -> Outcome {
    let mut bench = Bench::new(8, PIN_BUDGET, 2);
    for tag in 1..=5 {
        same("submit", bench.submit(STEP, tag), Ok(()))?;
    }
    bench.run()?;
    // Two written, the others wait for the runtime to read.
    same("free", bench.queue.contexts().free(), 8 - 3)?;
    same("read", &bench.completions()[..], &[done(1), done(2)])?;
    bench.run()?;
    same("read", &bench.completions()[..], &[done(3), done(4)])?;
    bench.run()?;
    same("read", &bench.completions()[..], &[done(5)])?;
    bench.all_given_back()
}

/// A synchronous copy is over when its steps are, whoever reads completions; more steps than places
/// cannot go past what nobody reads.
pub fn blocked_copy() -> Outcome {
    let mut bench = Bench::new(4, PIN_BUDGET, 1);
    same("first", bench.submit(STEP, 1), Ok(()))?;
    same("second", bench.submit(STEP, 2), Ok(()))?;
    same("two steps fit", bench.copy(2 * STEP), Ok(()))?;
    let blocked = bench
        .copy(4 * STEP)
        .map_err(|error| error.code(bench.rust.udma.line()));
    same("four do not", blocked, Err(Some(-16)))?;
    same("completions", &bench.completions()[..], &[done(1)])?;
    bench.run()?;
    same("completions", &bench.completions()[..], &[done(2)])?;
    bench.run()?;
    bench.all_given_back()
}

pub fn long_copy() -> Outcome {
    let mut bench = Bench::new(4, PIN_BUDGET, 4);
    same("asynchronous", bench.submit(STEP, 1), Ok(()))?;
    let size = 21 * STEP + 77;
    same("copy", bench.copy(size), Ok(()))?;
    same("completions", &bench.completions()[..], &[done(1)])?;
    holds("copied", bench.is_copied(size))?;
    same("steps", bench.machine.rung.len(), 23)?;
    bench.machine.model.lost_batches = 1;
    same("lost", bench.copy(10 * STEP), Err(Error::Timeout))?;
    same(
        "nothing of it is left",
        bench.queue.contexts().oldest(),
        None,
    )
}
