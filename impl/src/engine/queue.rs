//! Queue initialisation: refusals, the register program, the state afterwards (QINI).

use super::{Udma, regs};
use crate::error::Error;
use crate::fault::mutant;
use crate::io::{Mmio, Side, Space};
use crate::line::DriverVersion;
use crate::ring::Ring;

/// Smallest ring that can be programmed, in descriptors (QINI-4).
pub const MIN_LENGTH: u32 = 32;
/// Largest ring that can be programmed: 2^24 - 16 descriptors (QINI-4).
pub const MAX_LENGTH: u32 = 0x00ff_fff0;
/// Ring bases are aligned to this many bytes (QINI-1).
pub const BASE_ALIGN: u64 = 256;
/// Ring sizes are multiples of this many descriptors (QINI-1).
pub const LENGTH_STEP: u32 = 16;

/// Scheduling and prefetch off (QINI-5 step 2).
const CFG_OFF: u32 = 0x0300_0000;
/// Scheduling (bit 17) and prefetch (bit 16) on (QINI-5 step 8).
const CFG_ON: u32 = 0x0303_0000;
const QUEUE_RESET: u32 = 0x100;
/// Software rate-limit mask of a TX queue; the register gets it without the DMB pause.
const RATE_LIMIT: u32 = 7;
const RATE_LIMIT_DMB_PAUSE: u32 = 1 << 2;

/// Whether a queue is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Status {
    /// Not used.
    Disabled = 1,
    /// In use.
    Enabled = 2,
}

/// One side of a queue.
#[derive(Debug)]
pub struct Queue {
    /// Cursors and phase.
    pub ring: Ring,
    /// DMA address of the ring, as programmed.
    pub base: u64,
    /// Software status.
    pub status: Status,
    /// Queue id, once initialised.
    pub qid: u32,
    /// Side, once initialised; TX before.
    pub side: Side,
    /// Value of the block's cfg register.
    pub cfg: u32,
    /// Software copy of the rate-limit mask.
    pub rate_limit: u32,
    /// Whether slots may be handed out.
    pub allocatable: bool,
    /// Bit 1: no completion ring.
    pub flags: u32,
    /// Bytes of a completion descriptor: 0, there is no completion ring (RING-10).
    pub completion_size: u32,
    /// Phase of the completion ring.
    pub completion_phase: u32,
    /// Engine id; TX only (QINI-8).
    pub engine_id: u32,
}

/// A queue's two rings as they are handed to queue initialisation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueParams {
    /// Descriptors of the TX and RX ring.
    pub size: [u32; 2],
    /// DMA address of the TX and RX ring; 0 where there is none.
    pub base: [u64; 2],
    /// Whether there is memory behind the TX and RX ring (RING-7).
    pub has_memory: [bool; 2],
    /// Whether slots may be handed out.
    pub allocatable: bool,
    /// A completion ring is asked for (QINI-2).
    pub completion_ring: bool,
}

impl Queue {
    /// The state that engine initialisation leaves (QINI-6).
    pub fn after_engine_init(side: Side, version: DriverVersion) -> Self {
        Self {
            ring: Ring::unset(version),
            base: 0,
            status: Status::Enabled,
            qid: 0,
            side: Side::Tx,
            cfg: CFG_OFF,
            rate_limit: if side == Side::Tx { RATE_LIMIT } else { 0 },
            allocatable: false,
            flags: 0,
            completion_size: 0,
            completion_phase: 0,
            engine_id: 0,
        }
    }
}

impl Udma {
    /// Initialises queue `qid`: TX whole, then RX (QINI-5). A refusal on the RX side comes after TX
    /// was programmed in full (QINI-7).
    ///
    /// # Errors
    /// QINI-1 in its order ([`Error::Misaligned`], [`Error::OddLength`], …,
    /// [`Error::CompletionRing`]), then per side [`Error::NoQueueToInit`] and [`Error::Length`].
    pub fn init_queue(
        &mut self,
        mmio: &mut impl Mmio,
        qid: u32,
        params: &QueueParams,
    ) -> Result<(), Error> {
        check_rings(params)?;
        if mutant(60) {
            check_length(params.size[1])?;
        }
        for side in [Side::Tx, Side::Rx] {
            self.init_side(mmio, qid, side, params)?;
        }
        Ok(())
    }

    fn init_side(
        &mut self,
        mmio: &mut impl Mmio,
        qid: u32,
        side: Side,
        params: &QueueParams,
    ) -> Result<(), Error> {
        let (version, engine_id, queues) = (self.version, self.engine_id, self.num_queues());
        let pair = self
            .pair(qid)
            .map_err(|_| Error::NoQueueToInit { qid, queues })?;
        let (size, base) = (params.size[side as usize], params.base[side as usize]);
        check_length(size)?;
        let has_slots = params.allocatable && params.has_memory[side as usize];
        let queue = &mut pair[side as usize];

        #[cfg(feature = "mutants")]
        let before = queue.ring.save();
        #[cfg(feature = "mutants")]
        let again = queue.ring.size() == size;
        queue.ring = Ring::new(size, has_slots, version);
        #[cfg(feature = "mutants")]
        if mutant(66) && again {
            queue.ring.restore(before);
        }

        queue.base = base;
        queue.status = Status::Enabled;
        queue.qid = qid;
        queue.side = side;
        queue.allocatable = params.allocatable;
        queue.flags = 2;
        queue.completion_size = 0;
        queue.completion_phase = 1;
        if side == Side::Tx || mutant(67) {
            queue.engine_id = engine_id;
        }
        queue.program(mmio);
        Ok(())
    }
}

/// QINI-1, QINI-2: looked at for both sides before anything else.
fn check_rings(params: &QueueParams) -> Result<(), Error> {
    let align = if mutant(59) { 64 } else { BASE_ALIGN };
    for side in [0, 1] {
        let (base, size) = (params.base[side], params.size[side]);
        if base % align != 0 {
            return Err(Error::Misaligned { base });
        }
        if size % LENGTH_STEP != 0 && !(mutant(68) && side == 1) {
            return Err(Error::OddLength { size });
        }
    }
    if params.completion_ring && !mutant(58) {
        return Err(Error::CompletionRing);
    }
    Ok(())
}

/// QINI-4.
fn check_length(size: u32) -> Result<(), Error> {
    let max = if mutant(62) { 1 << 24 } else { MAX_LENGTH };
    if (MIN_LENGTH..=max).contains(&size) && !(mutant(408) && size == MIN_LENGTH) {
        Ok(())
    } else {
        Err(Error::Length { size })
    }
}

impl Queue {
    /// QINI-5, steps 1 to 8; step 1 on TX alone.
    fn program(&mut self, mmio: &mut impl Mmio) {
        let block = regs::queue_block(self.side, self.qid);
        let mut write = |offset, value| mmio.write32(Space::Engine, block + offset, value);
        if self.side == Side::Tx {
            // The software copy keeps the DMB pause.
            let value = RATE_LIMIT & !RATE_LIMIT_DMB_PAUSE;
            self.rate_limit = if mutant(65) { value } else { RATE_LIMIT };
            if !mutant(64) {
                write(regs::RATE_LIMIT_MASK, value);
            }
        }
        write(regs::ring::CFG, CFG_OFF);
        write(regs::reset(self.side), QUEUE_RESET);
        write(regs::ring::BASE_LOW, self.base as u32);
        if self.base >> 32 != 0 || !mutant(409) {
            write(regs::ring::BASE_HIGH, (self.base >> 32) as u32);
        }
        let length = self.ring.size();
        write(
            regs::ring::LENGTH,
            if mutant(97) { length & 0xffff } else { length },
        );
        write(regs::completion_cfg(self.side), 0);
        self.cfg = CFG_ON;
        write(regs::ring::CFG, CFG_ON);
    }
}
