//! Queues and descriptors.

use std::mem::offset_of;

use udma::abi::dma::{
    DmaAckCompleted, DmaCopyDescriptors, DmaCopyDescriptors64, DmaDescriptorCopyout,
    DmaQueueCopyStart, DmaQueueGetState, DmaQueueInit, DmaQueueInitBatch, DmaQueueState,
};
use udma::engine::queue::QueueParams;
use udma::engine::state::{RingState, ring_state};
use udma::io::Side;

use super::{Caller, EACCES, EINVAL};
use crate::argument::{Argument, copied};
use crate::vdev::board::{Board, QUEUES};
use crate::vdev::fault::Fault;
use crate::vdev::host::Hands;
use crate::vdev::memory::Chunk;
use crate::vdev::user::User;

type Answer = Result<i64, i64>;

/// Descriptors that are validated and copied at a time (DEV-1).
const PIECE: u64 = 4096;
/// Bytes of a descriptor.
const SLOT: u64 = 16;
/// Entries of a batch that are too many (DEV-14).
const BATCH: u32 = 256;
/// Plain error of the driver.
const FAILED: i64 = -1;
/// -EALREADY.
const EALREADY: i64 = -114;
/// -E2BIG.
const E2BIG: i64 = -7;
/// -EFBIG.
const EFBIG: i64 = -27;

/// One queue initialisation.
struct Init {
    engine: u32,
    queue: u32,
    size: [u32; 2],
    handles: [u64; 3],
}

impl Init {
    fn of(arg: &Argument, base: usize) -> Self {
        let word = |offset: usize| arg.word(base + offset);
        let long = |offset: usize| arg.long(base + offset);
        Self {
            engine: word(offset_of!(DmaQueueInit, eng_id)),
            queue: word(offset_of!(DmaQueueInit, qid)),
            size: [
                word(offset_of!(DmaQueueInit, tx_desc_count)),
                word(offset_of!(DmaQueueInit, rx_desc_count)),
            ],
            handles: [
                long(offset_of!(DmaQueueInit, tx_handle)),
                long(offset_of!(DmaQueueInit, rx_handle)),
                long(offset_of!(DmaQueueInit, rxc_handle)),
            ],
        }
    }
}

impl Board {
    pub(super) fn queue_init(&mut self, caller: Caller, at: u64, user: &mut dyn User) -> Answer {
        let arg = Argument::read::<DmaQueueInit>(user, at).map_err(|_| EACCES)?; // DEV-13
        self.init_one(caller, &Init::of(&arg, 0))
    }

    /// DEV-14.
    pub(super) fn queue_init_batch(
        &mut self,
        caller: Caller,
        at: u64,
        user: &mut dyn User,
    ) -> Answer {
        let arg = Argument::read::<DmaQueueInitBatch>(user, at).map_err(|_| EACCES)?;
        let count = arg.word(offset_of!(DmaQueueInitBatch, count));
        let most = if self.has(Fault::BatchFull) {
            BATCH + 1
        } else {
            BATCH
        };
        if count >= most {
            return Err(E2BIG);
        }
        for index in 0..count as usize {
            let base = offset_of!(DmaQueueInitBatch, entries) + index * size_of::<DmaQueueInit>();
            // The planted fault takes a full batch for its first entry.
            if count == BATCH && index > 0 {
                break;
            }
            self.init_one(caller, &Init::of(&arg, base))?;
        }
        Ok(0)
    }

    /// DEV-15.
    fn init_one(&mut self, caller: Caller, init: &Init) -> Answer {
        let number = Self::engine_number(init.engine)?;
        if init.queue >= QUEUES {
            return if self.has(Fault::QueueAny) {
                Ok(0)
            } else {
                Err(EINVAL)
            };
        }
        let own = self.with_unit(caller.device, number, |unit, _| {
            unit.hosts.contains_key(&init.queue)
        });
        if own {
            return Err(EALREADY);
        }
        // DEV-10: an unknown handle counts as no ring.
        let [tx, rx, completion] = init.handles.map(|handle| self.chunks.get(&handle).copied());
        let needed = u64::from(init.size[1]) * SLOT;
        if completion.is_some_and(|chunk| chunk.size < needed) {
            return Err(EINVAL);
        }
        self.with_unit(caller.device, number, |unit, _| {
            unit.owners[init.queue as usize] = Some([caller.group, caller.opener]);
            unit.busy &= !(1 << init.queue);
        });
        let arch = self.config.arch;
        let base = |chunk: Option<Chunk>| chunk.map_or(0, |chunk| chunk.address(arch));
        let rounded = |size: u32| match size {
            0x0100_0000.. if self.has(Fault::RingTooLarge) => 0x00ff_fff0,
            size if self.has(Fault::RingOdd) => size & !15,
            size => size,
        };
        let params = QueueParams {
            size: init.size.map(rounded),
            base: [base(tx), base(rx)],
            has_memory: [tx.is_some(), rx.is_some()],
            allocatable: false,
            completion_ring: completion.is_some(),
        };
        self.settled(self.config.version, |board| {
            board.init_queue(caller.device, number, init.queue, &params)
        })
    }

    /// The code of a call of the implementation.
    fn settled(
        &mut self,
        version: udma::DriverVersion,
        act: impl FnOnce(&mut Self) -> Result<(), udma::Error>,
    ) -> Answer {
        match act(self) {
            Ok(()) => Ok(0),
            Err(error) => {
                let code = error.code(udma::Line::Kernel(version));
                if code.is_none() {
                    self.note(format!("a driver of this version would stop here: {error}"));
                }
                Err(code.map_or(EINVAL, i64::from))
            }
        }
    }

    /// DEV-4, TRIG.
    pub(super) fn copy_start(&mut self, caller: Caller, at: u64, user: &mut dyn User) -> Answer {
        let arg = Argument::read::<DmaQueueCopyStart>(user, at)?;
        let number = Self::engine_number(arg.word(offset_of!(DmaQueueCopyStart, eng_id)))?;
        let qid = arg.word(offset_of!(DmaQueueCopyStart, qid));
        let mut tx = arg.word(offset_of!(DmaQueueCopyStart, tx_desc_count));
        let rx = arg.word(offset_of!(DmaQueueCopyStart, rx_desc_count));
        match self.config.fault {
            Some(Fault::ZeroCountAccepted) if rx == 0 => return Ok(0),
            Some(Fault::PrefetchRefused) if tx == 0 => return Err(FAILED),
            Some(Fault::DoorbellTxLost) => tx = 0,
            _ => {}
        }
        let lost = self.has(Fault::DoorbellLost);
        let tampers = self.tampers();
        let checked = self.with_unit(caller.device, number, |unit, _| {
            let size = |side| {
                unit.udma
                    .queue(qid, side)
                    .map_or(0, |queue| queue.ring.size())
            };
            qid < QUEUES && tx <= size(Side::Tx) && rx <= size(Side::Rx) && rx > 0
        });
        if checked && lost {
            return Ok(0);
        }
        if checked && tampers {
            self.tamper(caller.device, number, qid, [tx, rx]);
        }
        let version = self.config.version;
        let code = self.settled(version, |board| {
            board.with_unit(caller.device, number, |unit, clock| {
                let mut hands = Hands {
                    engine: &mut unit.engine,
                    rings: [0; 2],
                    clock,
                    resets: true,
                };
                unit.udma.copy_start(&mut hands, qid, tx, rx)
            })
        });
        if code.is_ok() {
            self.with_unit(caller.device, number, |unit, _| {
                if let Some(rung) = unit.rung.get_mut(qid as usize) {
                    rung[0] += u64::from(tx);
                    rung[1] += u64::from(rx);
                }
            });
            self.rang(caller.device, number, qid);
        }
        match code {
            Err(FAILED) if self.has(Fault::CountCode) => Err(EINVAL),
            code => code,
        }
    }

    /// DEV-4, ACK-1.
    pub(super) fn ack(&mut self, caller: Caller, at: u64, user: &mut dyn User) -> Answer {
        let arg = Argument::read::<DmaAckCompleted>(user, at)?;
        let number = Self::engine_number(arg.word(offset_of!(DmaAckCompleted, eng_id)))?;
        let qid = arg.word(offset_of!(DmaAckCompleted, qid));
        let count = arg.word(offset_of!(DmaAckCompleted, count));
        if qid >= QUEUES {
            return Err(EINVAL);
        }
        if self.has(Fault::AckIgnored) {
            return Ok(0);
        }
        let version = self.config.version;
        self.settled(version, |board| {
            board.with_unit(caller.device, number, |unit, _| {
                for side in [Side::Rx, Side::Tx] {
                    if let Some(queue) = unit.udma.queue(qid, side) {
                        queue.ring.ack(count)?;
                    }
                }
                Ok(())
            })
        })
    }

    fn read_back(&mut self, caller: Caller, number: u32, qid: u32, side: Side) -> RingState {
        self.with_unit(caller.device, number, |unit, clock| {
            let mut hands = Hands {
                engine: &mut unit.engine,
                rings: [0; 2],
                clock,
                resets: true,
            };
            ring_state(&mut hands, side, qid)
        })
    }

    /// REGS-2.
    pub(super) fn queue_state(&mut self, caller: Caller, at: u64, user: &mut dyn User) -> Answer {
        let arg = Argument::read::<DmaQueueGetState>(user, at)?;
        self.pass_time(); // a look at the queue
        let number = Self::engine_number(arg.word(offset_of!(DmaQueueGetState, eng_id)))?;
        let qid = arg.word(offset_of!(DmaQueueGetState, qid));
        if qid >= QUEUES {
            return Err(EINVAL);
        }
        let places = [
            (Side::Tx, arg.long(offset_of!(DmaQueueGetState, tx))),
            (Side::Rx, arg.long(offset_of!(DmaQueueGetState, rx))),
        ];
        for (side, place) in places {
            let mut ring = self.read_back(caller, number, qid, side);
            let (status, rung) = self.with_unit(caller.device, number, |unit, _| {
                let status = unit
                    .udma
                    .queue(qid, side)
                    .map_or(0, |queue| queue.status as u32);
                (status, unit.rung[qid as usize][side as usize])
            });
            match self.config.fault {
                Some(Fault::HeadStale) if ring.head > 0 => ring.head -= 1,
                Some(Fault::TailTotal) => ring.tail = rung as u32,
                Some(Fault::LengthShort) => ring.length = ring.length.saturating_sub(1),
                Some(Fault::BasePlain) => {
                    let window = udma_oracle::model::Arch::from(self.config.arch).window();
                    ring.base &= !window;
                }
                _ => {}
            }
            let mut state = Argument::new::<DmaQueueState>();
            state.set_word(offset_of!(DmaQueueState, hw_status), ring.hw_status);
            state.set_word(offset_of!(DmaQueueState, sw_status), status);
            state.set_long(offset_of!(DmaQueueState, base_addr), ring.base);
            state.set_word(offset_of!(DmaQueueState, length), ring.length);
            state.set_word(offset_of!(DmaQueueState, head_pointer), ring.head);
            state.set_word(offset_of!(DmaQueueState, tail_pointer), ring.tail);
            let completion = offset_of!(DmaQueueState, completion_base_addr);
            state.set_long(completion, ring.completion_base);
            state.set_word(
                offset_of!(DmaQueueState, completion_head),
                ring.completion_head,
            );
            state.write(user, place)?;
        }
        Ok(0)
    }

    /// DEV-1, DEV-2.
    pub(super) fn copy_descriptors(&mut self, name: &str, at: u64, user: &mut dyn User) -> Answer {
        let (handle, buffer, count, offset, kind);
        if name == "DMA_COPY_DESCRIPTORS" {
            let arg = Argument::read::<DmaCopyDescriptors>(user, at)?;
            handle = arg.long(offset_of!(DmaCopyDescriptors, mem_handle));
            buffer = arg.long(offset_of!(DmaCopyDescriptors, buffer));
            count = u64::from(arg.word(offset_of!(DmaCopyDescriptors, num_descs)));
            offset = arg.word(offset_of!(DmaCopyDescriptors, offset)).into();
            kind = arg.word(offset_of!(DmaCopyDescriptors, queue_type));
        } else {
            let arg = Argument::read::<DmaCopyDescriptors64>(user, at)?;
            handle = arg.long(offset_of!(DmaCopyDescriptors64, mem_handle));
            buffer = arg.long(offset_of!(DmaCopyDescriptors64, buffer));
            count = u64::from(arg.word(offset_of!(DmaCopyDescriptors64, num_descs)));
            offset = arg.long(offset_of!(DmaCopyDescriptors64, offset));
            kind = arg.word(offset_of!(DmaCopyDescriptors64, queue_type));
        }
        let chunk = self.chunks.get(&handle).copied().ok_or(EINVAL)?;
        if !chunk.holds(offset, count * SLOT) {
            // The planted fault takes what hangs over, and drops it.
            let over =
                self.has(Fault::RangeLoose) && chunk.holds(offset, count.saturating_sub(1) * SLOT);
            return if over { Ok(0) } else { Err(EINVAL) };
        }
        let address = chunk.address(self.config.arch) + offset;
        let at_once = if self.has(Fault::PiecesAtOnce) {
            count.max(1)
        } else {
            PIECE
        };
        let mut done = 0;
        while done < count {
            if kind > 1 && !self.has(Fault::TypeAny) {
                return Err(FAILED);
            }
            let here = at_once.min(count - done);
            let mut bytes = vec![0; (here * SLOT) as usize];
            copied(user.read(buffer.wrapping_add(done * SLOT), &mut bytes))?;
            let valid = |board: &Self, slot: &[u8]| {
                let mut pointer = [0; 8];
                pointer.copy_from_slice(&slot[8..16]);
                board.is_valid(u64::from_le_bytes(pointer))
            };
            if !bytes
                .chunks_exact(SLOT as usize)
                .all(|slot| valid(self, slot))
            {
                return Err(EINVAL);
            }
            let written = self.memory().write(address + done * SLOT, &bytes);
            written.map_err(|_| EINVAL)?;
            done += here;
        }
        Ok(0)
    }

    /// DEV-2.
    fn is_valid(&self, pointer: u64) -> bool {
        let window = udma_oracle::model::Arch::from(self.config.arch).window();
        pointer & window == 0
            || self.is_allocated_host(pointer)
            || self.has(Fault::AddressUnchecked)
    }

    /// DEV-3.
    pub(super) fn copy_out(&mut self, caller: Caller, at: u64, user: &mut dyn User) -> Answer {
        let arg = Argument::read::<DmaDescriptorCopyout>(user, at)?;
        let number = Self::engine_number(arg.word(offset_of!(DmaDescriptorCopyout, eng_id)))?;
        let qid = arg.word(offset_of!(DmaDescriptorCopyout, qid));
        let mut kind = arg.word(offset_of!(DmaDescriptorCopyout, r#type));
        let mut start = u64::from(arg.word(offset_of!(DmaDescriptorCopyout, start_index)));
        let count = u64::from(arg.word(offset_of!(DmaDescriptorCopyout, count)));
        let buffer = arg.long(offset_of!(DmaDescriptorCopyout, buffer));
        if qid >= QUEUES || kind > 1 {
            return Err(EINVAL);
        }
        if count == 0 {
            return if self.has(Fault::CopyOutNothing) {
                Ok(0)
            } else {
                Err(EINVAL)
            };
        }
        if self.has(Fault::CopyOutSwapped) {
            kind = 1 - kind;
        }
        let side = if kind == 0 { Side::Tx } else { Side::Rx };
        let ring = self.read_back(caller, number, qid, side);
        if start + count > u64::from(ring.raw_length) {
            let code = if self.has(Fault::CopyOutCode) {
                EINVAL
            } else {
                EFBIG
            };
            return Err(code);
        }
        if self.has(Fault::CopyOutLate) && start + count < u64::from(ring.raw_length) {
            start += 1;
        }
        let address = ring.raw_base.wrapping_add(start * SLOT);
        if !self.memory().contains(address, count * SLOT) {
            return Err(EINVAL);
        }
        let mut bytes = vec![0; (count * SLOT) as usize];
        self.memory()
            .read(address, &mut bytes)
            .map_err(|_| EINVAL)?;
        for (index, slot) in bytes.chunks_exact_mut(SLOT as usize).enumerate() {
            if let Some((was, is)) = self.tampered.get(&(address + index as u64 * SLOT))
                && slot == is
            {
                slot.copy_from_slice(was);
            }
        }
        copied(user.write(buffer, &bytes))
    }
}
