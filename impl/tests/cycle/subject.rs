//! What a replay asks of a subject, and the Rust implementation as one.

use udma::cycle::zerocopy::Request;
use udma::cycle::{Batching, Handle, Platform, QueueConfig, Transfer, TransferQueue, Wait, wait};
use udma::engine::Udma;
use udma::engine::queue::QueueParams;
use udma::io::{Cursors, Side};
use udma::{Arch, DriverVersion, Error};

use super::machine::Machine;

/// The queue that a run uses.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// Driver version.
    pub version: DriverVersion,
    /// Architecture.
    pub arch: Arch,
    /// Platform.
    pub platform: Platform,
    /// Queues of the engine.
    pub num_queues: u32,
    /// Number of the engine.
    pub engine: u32,
    /// The queue.
    pub qid: u32,
    /// The core that it belongs to.
    pub core: u32,
    /// Descriptors of the TX and RX ring.
    pub size: [u32; 2],
    /// DMA addresses of the TX and RX ring.
    pub base: [u64; 2],
    /// CPU physical address of the completion buffers.
    pub completion: u64,
    /// How transfers are cut.
    pub batching: Batching,
}

impl Setup {
    /// A queue of the recorded driver with rings of `size`.
    pub fn of(arch: Arch, size: u32) -> Self {
        Self {
            version: DriverVersion::V2_26_5,
            arch,
            platform: Platform::Hardware,
            num_queues: 16,
            engine: 0,
            qid: 0,
            core: 0,
            size: [size, size],
            base: [0x10_0000, 0x20_0000],
            completion: 0x1_0000_0000,
            batching: Batching::default(),
        }
    }
}

/// An implementation that runs ring cycles on a machine. Codes are the original's.
pub trait Subject: Sized {
    /// An engine with one queue initialised. What that does to the machine is not looked at.
    fn open(machine: &mut Machine, setup: &Setup) -> Self;
    /// A synchronous copy.
    fn copy(&mut self, machine: &mut Machine, src: u64, dst: u64, size: u64) -> i32;
    /// An asynchronous copy after handle `previous`: the new handle.
    fn submit(
        &mut self,
        machine: &mut Machine,
        transfer: [u64; 3],
        previous: i32,
    ) -> Result<i32, i32>;
    /// Waits for a handle.
    fn wait(&mut self, machine: &mut Machine, handle: i32) -> i32;
    /// A fill.
    fn memset(
        &mut self,
        machine: &mut Machine,
        buffer: u64,
        dst: u64,
        value: u32,
        size: u64,
    ) -> i32;
    /// A copy of user pages, two contexts in turn.
    fn zero_copy(&mut self, machine: &mut Machine, request: &Request, completions: [u64; 2])
    -> i32;
    /// Doorbells.
    fn copy_start(&mut self, machine: &mut Machine, qid: u32, tx: u32, rx: u32) -> i32;
    /// Cursors of one ring.
    fn cursors(&self, side: Side) -> Cursors;
    /// The architecture's estimate for `pairs` pairs, marker included.
    fn estimate(setup: &Setup, pairs: u32, is_async: bool) -> Wait;
}

/// The Rust implementation.
pub struct Rust {
    pub udma: Udma,
    pub queue: TransferQueue,
}

impl Rust {
    pub fn code(&self, result: Result<(), Error>) -> i32 {
        match result {
            Ok(()) => 0,
            Err(error) => error.code(self.udma.line()).expect("no version that stops"),
        }
    }
}

impl Subject for Rust {
    fn open(machine: &mut Machine, setup: &Setup) -> Self {
        let mut udma = Udma::initialised(setup.version, setup.num_queues, setup.engine);
        let rings = QueueParams {
            size: setup.size,
            base: setup.base,
            has_memory: [true, true],
            allocatable: true,
            completion_ring: false,
        };
        // A queue beyond the engine's is opened all the same: it is what some cases ask for.
        let _ = udma.init_queue(machine, setup.qid, &rings);
        machine.forget();
        let queue = TransferQueue::new(QueueConfig {
            arch: setup.arch,
            platform: setup.platform,
            qid: setup.qid,
            core: setup.core,
            rings,
            completion: setup.completion,
            batching: setup.batching,
        });
        Self { udma, queue }
    }

    fn copy(&mut self, machine: &mut Machine, src: u64, dst: u64, size: u64) -> i32 {
        let transfer = Transfer::copy(src, dst, size);
        let result = self.queue.copy(&mut self.udma, machine, &transfer);
        self.code(result)
    }

    fn submit(
        &mut self,
        machine: &mut Machine,
        [src, dst, size]: [u64; 3],
        previous: i32,
    ) -> Result<i32, i32> {
        let transfer = Transfer::copy(src, dst, size);
        Handle::from_number(previous)
            .and_then(|previous| {
                self.queue
                    .submit(&mut self.udma, machine, &transfer, previous)
            })
            .map(Handle::number)
            .map_err(|error| self.code(Err(error)))
    }

    fn wait(&mut self, machine: &mut Machine, handle: i32) -> i32 {
        let result = Handle::from_number(handle)
            .and_then(|handle| self.queue.wait(&mut self.udma, machine, handle));
        self.code(result)
    }

    fn memset(
        &mut self,
        machine: &mut Machine,
        buffer: u64,
        dst: u64,
        value: u32,
        size: u64,
    ) -> i32 {
        let result = self
            .queue
            .memset(&mut self.udma, machine, buffer, dst, value, size);
        self.code(result)
    }

    fn zero_copy(
        &mut self,
        machine: &mut Machine,
        request: &Request,
        completions: [u64; 2],
    ) -> i32 {
        let result = self
            .queue
            .zero_copy(&mut self.udma, machine, request, completions);
        self.code(result)
    }

    fn copy_start(&mut self, machine: &mut Machine, qid: u32, tx: u32, rx: u32) -> i32 {
        let result = self.udma.copy_start(machine, qid, tx, rx);
        self.code(result)
    }

    fn cursors(&self, side: Side) -> Cursors {
        let qid = self.queue.config().qid;
        let ring = &self.udma.queue(qid, side).expect("queue").ring;
        Cursors {
            next_desc: ring.next_desc_idx(),
            next_cdesc: ring.next_cdesc_idx(),
            ring_id: ring.ring_id(),
        }
    }

    fn estimate(setup: &Setup, pairs: u32, is_async: bool) -> Wait {
        wait::estimate(setup.version, setup.arch, setup.platform, pairs, is_async)
    }
}
