//! The queue of host transfers: synchronous copies and two asynchronous slots (BTCH-6, ASYN).

use super::batch::{Batch, Batching, Staged, Transfer};
use super::handle::Handle;
use super::marker::{CompletionBuffer, SLOTS};
use super::poll;
use super::wait::{self, Platform, Wait};
use crate::arch::Arch;
use crate::engine::Udma;
use crate::engine::queue::QueueParams;
use crate::error::Error;
use crate::fault::mutant;
use crate::io::Host;

/// Slot of the synchronous copy.
pub(super) const SYNC: usize = Handle::Sync as usize;

/// What a transfer queue is made of.
#[derive(Clone, Copy, Debug)]
pub struct QueueConfig {
    /// Architecture.
    pub arch: Arch,
    /// Platform; stretches the waits (POLL-3).
    pub platform: Platform,
    /// Queue of the engine.
    pub qid: u32,
    /// The core that the queue belongs to (HOST-2, ZC-7).
    pub core: u32,
    /// Its rings as they were handed to [`Udma::init_queue`]; a retry hands them over again
    /// (RTRY-1).
    pub rings: QueueParams,
    /// CPU physical address of its three completion buffers, 24 bytes (MARK-4).
    pub completion: u64,
    /// How transfers are cut.
    pub batching: Batching,
}

/// One slot: a transfer, and the batch of it that is out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// A batch was rung and not yet seen done.
    pub in_use: bool,
    /// The whole transfer.
    pub transfer: Transfer,
    /// Bytes moved by earlier batches.
    pub offset: u64,
    /// The batch that was rung last.
    pub batch: Staged,
    /// When the attempt began (RTRY-1).
    pub started: u64,
    /// Counts the transfers of the queue: the newer of two has the larger one.
    pub serial: u64,
}

/// A queue that carries host transfers. It does not own the engine: on v3 and v4 two such queues
/// share one (HOST-2).
///
/// ```
/// # use udma::io::*;
/// # use udma::{Arch, Desc, DriverVersion, engine::{Udma, queue::QueueParams}};
/// use udma::cycle::{Batching, Platform, QueueConfig, Transfer, TransferQueue, host};
///
/// // An engine that does everything at once: the poll word holds the marker at the first look.
/// # #[derive(Default)] struct Machine { rung: Vec<u32> }
/// # impl Mmio for Machine {
/// #     fn read32(&mut self, _: Space, _: u64) -> u32 { 0 }
/// #     fn write32(&mut self, _: Space, offset: u64, value: u32) {
/// #         if offset & 0xfff == 0x38 { self.rung.push(value) }
/// #     }
/// #     fn barrier(&mut self) {}
/// # }
/// # impl RingMemory for Machine { fn publish(&mut self, _: Side, _: u32, _: &Desc) {} }
/// # impl Memory for Machine {
/// #     fn store32(&mut self, _: u64, _: u32) {}
/// #     fn load32(&mut self, _: u64) -> u32 { 0xabcd_ef01 }
/// #     fn fill(&mut self, _: u64, _: u8, _: u64) {}
/// # }
/// # impl Clock for Machine {
/// #     fn now(&mut self) -> u64 { 0 }
/// #     fn delay(&mut self, _: u64) {}
/// #     fn in_reset_window(&mut self, _: u64) -> bool { false }
/// # }
/// # impl Observer for Machine {}
/// let mut machine = Machine::default();
/// let mut udma = Udma::initialised(DriverVersion::V2_26_5, 16, 128);
/// let size = host::host_ring_size(); // 8192
/// let rings = QueueParams {
///     size: [size, size],
///     has_memory: [true, true],
///     allocatable: true,
///     ..QueueParams::default()
/// };
/// udma.init_queue(&mut machine, 0, &rings)?;
/// let mut queue = TransferQueue::new(QueueConfig {
///     arch: Arch::Cayman,
///     platform: Platform::Hardware,
///     qid: 0,
///     core: 0,
///     rings,
///     completion: 0x1_0000_0000,
///     batching: Batching::default(),
/// });
/// // One byte more than a full batch.
/// let transfer = Transfer::copy(0x1000, 0x2000, 2032 * 65536 + 1);
/// queue.copy(&mut udma, &mut machine, &transfer)?;
/// assert_eq!(machine.rung, [2033, 2033, 2, 2]); // BTCH-2, TRIG-2
/// # Ok::<(), udma::Error>(())
/// ```
#[derive(Debug)]
pub struct TransferQueue {
    pub(super) config: QueueConfig,
    pub(super) slots: [Slot; SLOTS],
    /// Serial of the next transfer.
    serial: u64,
}

impl TransferQueue {
    /// A queue with nothing out.
    pub const fn new(config: QueueConfig) -> Self {
        let unused = Slot {
            in_use: false,
            transfer: Transfer::copy(0, 0, 0),
            offset: 0,
            batch: Staged { pairs: 0, bytes: 0 },
            started: 0,
            serial: 0,
        };
        Self {
            config,
            slots: [unused; SLOTS],
            serial: 0,
        }
    }

    /// What it is made of.
    pub const fn config(&self) -> &QueueConfig {
        &self.config
    }

    /// Whether the batch of a handle is out.
    pub fn in_use(&self, handle: Handle) -> bool {
        handle.slot().is_some_and(|slot| self.slots[slot].in_use)
    }

    /// Copies and waits, batch by batch (BTCH-6).
    ///
    /// # Errors
    /// Those of [`Batch::send`] and [`poll::complete`]. After a timeout the slots of the batch stay
    /// taken.
    pub fn copy(
        &mut self,
        udma: &mut Udma,
        host: &mut impl Host,
        transfer: &Transfer,
    ) -> Result<(), Error> {
        self.carry_out(udma, host, transfer, Handle::Sync, Handle::Sync)
            .map(drop)
    }

    /// Stages and rings a transfer under the handle that follows `previous`, then waits for what
    /// `previous` names: nothing for [`Handle::None`], its own batches for [`Handle::Sync`]
    /// (ASYN-2). Gives the transfer's handle.
    ///
    /// # Errors
    /// [`Error::NotInUse`] where `previous` is asynchronous and not in use, with nothing staged
    /// (ASYN-4); [`Error::AsyncTooLarge`] after the first batch was rung, which stays in use
    /// (ASYN-3); those of [`Batch::send`], after which the slot is free; those of the wait.
    pub fn submit(
        &mut self,
        udma: &mut Udma,
        host: &mut impl Host,
        transfer: &Transfer,
        previous: Handle,
    ) -> Result<Handle, Error> {
        self.carry_out(udma, host, transfer, previous, previous.next())
    }

    /// [`Self::submit`] under a handle.
    fn carry_out(
        &mut self,
        udma: &mut Udma,
        host: &mut impl Host,
        transfer: &Transfer,
        previous: Handle,
        handle: Handle,
    ) -> Result<Handle, Error> {
        let own = handle.slot().unwrap_or_default();
        let is_async = handle != Handle::Sync;
        let mut awaited = previous.slot();
        if is_async && awaited.is_some() && !self.in_use(previous) {
            if !mutant(163) {
                return Err(Error::NotInUse {
                    handle: previous.number(),
                });
            }
            awaited = None;
        }
        if mutant(162) && is_async {
            self.fits_one_batch(transfer)?;
        }
        let waits_first = awaited.filter(|_| mutant(160) && is_async);
        if let Some(slot) = waits_first {
            self.settle(udma, host, slot, None)?;
            awaited = None;
        }
        self.serial += 1;
        self.slots[own] = Slot {
            in_use: false,
            transfer: *transfer,
            offset: 0,
            batch: Staged::default(),
            started: host.now(),
            serial: self.serial,
        };
        loop {
            self.send(udma, host, own)?;
            let slot = self.slots[own];
            if is_async && slot.batch.bytes < transfer.size && !mutant(161) {
                return Err(Error::AsyncTooLarge {
                    size: transfer.size,
                    batch: slot.batch.bytes,
                });
            }
            let Some(mut awaited) = awaited else {
                return Ok(handle);
            };
            if mutant(159) {
                awaited = own;
            }
            let newer = (awaited != own).then_some(own);
            self.settle(udma, host, awaited, newer)?;
            let slot = &mut self.slots[own];
            slot.offset += slot.batch.bytes;
            if is_async || slot.offset >= transfer.size {
                return Ok(handle);
            }
            if mutant(136) {
                let moved = slot.batch.bytes;
                slot.transfer.src = slot.transfer.src.wrapping_sub(moved);
                slot.transfer.dst = slot.transfer.dst.wrapping_sub(moved);
            }
        }
    }

    /// Waits for the batch of an asynchronous handle. A retry rings the batch of the other one
    /// again too, if it is in use and was submitted later.
    ///
    /// # Errors
    /// [`Error::NotInUse`] (ASYN-4), always for [`Handle::None`] and [`Handle::Sync`]; [`Error::Timeout`], after which the handle stays in use.
    pub fn wait(
        &mut self,
        udma: &mut Udma,
        host: &mut impl Host,
        handle: Handle,
    ) -> Result<(), Error> {
        // The batch of a synchronous copy is nobody's to wait for once the copy has returned.
        let slot = handle
            .slot()
            .filter(|&slot| slot != SYNC && self.slots[slot].in_use);
        let Some(slot) = slot else {
            return if mutant(164) {
                Ok(())
            } else {
                Err(Error::NotInUse {
                    handle: handle.number(),
                })
            };
        };
        let serial = self.slots[slot].serial;
        let newer = (SYNC + 1..SLOTS).find(|&other| {
            let other = &self.slots[other];
            other.in_use && other.serial > serial
        });
        self.settle(udma, host, slot, newer)
    }

    /// Stages and rings the batch of a slot.
    pub(super) fn send(
        &mut self,
        udma: &mut Udma,
        host: &mut impl Host,
        slot: usize,
    ) -> Result<(), Error> {
        let state = &self.slots[slot];
        let batch = Batch {
            qid: self.config.qid,
            arch: self.config.arch,
            batching: self.config.batching,
            transfer: &state.transfer,
            offset: state.offset,
            completion: self.completion(slot),
        };
        let sent = batch.send(udma, host);
        let state = &mut self.slots[slot];
        state.in_use = sent.is_ok();
        state.batch = sent?;
        Ok(())
    }

    /// Waits once for the batch of a slot.
    pub(super) fn await_once(
        &mut self,
        udma: &mut Udma,
        host: &mut impl Host,
        slot: usize,
        is_async: bool,
    ) -> Result<(), Error> {
        let pairs = self.slots[slot].batch.pairs;
        let wait = self.wait_of(udma, pairs, is_async);
        let completion = self.completion(slot);
        let result = poll::complete(udma, host, self.config.qid, &completion, pairs, wait);
        let freed = result.is_ok() || mutant(165) && result == Err(Error::Timeout);
        if freed {
            self.slots[slot].in_use = false;
        }
        result
    }

    /// How long this queue waits for a batch of `pairs` pairs.
    pub(super) fn wait_of(&self, udma: &Udma, pairs: u32, is_async: bool) -> Wait {
        let QueueConfig { arch, platform, .. } = self.config;
        let wait = wait::estimate(udma.version, arch, platform, pairs, is_async);
        wait::stretched(udma.version, platform, wait)
    }

    fn completion(&self, slot: usize) -> CompletionBuffer {
        CompletionBuffer::of_slot(self.config.arch, self.config.completion, slot)
    }

    /// The belief of ASYN-3's mutant: the size is looked at before anything is staged.
    fn fits_one_batch(&self, transfer: &Transfer) -> Result<(), Error> {
        let Batching { chunk, threshold } = self.config.batching;
        let batch = u64::from(chunk) * (u64::from(threshold) + 1);
        if transfer.size > batch {
            return Err(Error::AsyncTooLarge {
                size: transfer.size,
                batch,
            });
        }
        Ok(())
    }
}
