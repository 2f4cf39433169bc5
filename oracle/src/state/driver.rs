//! The driver's side: the implementation's own calls, with what they ask of the outside recorded.

use udma::cycle::batch::{Batch, Batching, Transfer};
use udma::cycle::marker::{COMPLETION_BYTES, CompletionBuffer, MARKER, SLOTS};
use udma::cycle::poll;
use udma::cycle::wait::Wait;
use udma::engine::{Udma, regs};
use udma::io::{Clock, Memory, Mmio, Observer, RingMemory, Side, Space};
use udma::ring::Ring;
use udma::{Desc, DriverVersion, Error, ring::FIRST_PHASE};

use super::belief::Belief;
use super::code::Code;
use super::{POSITIONS, SIZE};
use crate::model::Arch;

/// CPU physical address of the three completion buffers.
pub(super) const COMPLETION: u64 = 0x1_0000_0000;
/// Device addresses that the transfers of a slot begin at.
const SOURCE: u64 = 0x10_0000;
const TARGET: u64 = 0x20_0000;
const APART: u64 = 0x1_0000;
/// Bytes of a data pair.
const CHUNK: u32 = 64;
const QID: u32 = 0;
const VERSION: DriverVersion = DriverVersion::V2_26_5;
const ARCH: (Arch, udma::Arch) = (Arch::V3, udma::Arch::Cayman);

/// What a call asks of the outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Effect {
    /// A descriptor into a slot.
    Publish { side: Side, slot: u8, code: u8 },
    /// A word of the completion buffer of a slot: its source or its poll word, set or cleared.
    Word { slot: u8, poll: bool, set: bool },
    /// A full barrier.
    Barrier,
    /// A doorbell.
    Doorbell { side: Side, count: u8 },
    /// Slots are given back, by a belief alone: else the poll does it.
    Ack { count: u8 },
}

impl Effect {
    /// Whether it waits for a barrier to be seen for certain.
    pub(super) const fn is_store(self) -> bool {
        matches!(self, Self::Publish { .. } | Self::Word { .. })
    }
}

/// Records effects; every look finds the marker.
struct Recorder {
    effects: Vec<Effect>,
    belief: Option<Belief>,
}

impl Recorder {
    fn new(belief: Option<Belief>) -> Self {
        Self {
            effects: Vec::with_capacity(64),
            belief,
        }
    }

    fn believes(&self, belief: Belief) -> bool {
        self.belief == Some(belief)
    }
}

impl RingMemory for Recorder {
    fn publish(&mut self, side: Side, slot: u32, desc: &Desc) {
        let mut desc = *desc;
        if self.believes(Belief::NoWriteBarrier) && side == Side::Tx {
            let bit = crate::law::word::meta::WRITE_BARRIER;
            desc = Desc::new(desc.word0(), desc.word1() & !bit, desc.pointer());
        }
        let mut code = Code::of(side, &desc, ARCH.0);
        if self.believes(Belief::PhaseEarly) && slot == u32::from(SIZE) - 1 {
            code = Code(code.0 & !3 | (code.phase() + 1) & 3);
        }
        self.effects.push(Effect::Publish {
            side,
            slot: slot as u8,
            code: code.0,
        });
    }
}

impl Memory for Recorder {
    fn store32(&mut self, address: u64, value: u32) {
        let at = address - COMPLETION;
        let word = Effect::Word {
            slot: (at / COMPLETION_BYTES) as u8,
            poll: !at.is_multiple_of(COMPLETION_BYTES),
            set: value == MARKER,
        };
        if !(self.believes(Belief::PollWordKept) && value == 0) {
            self.effects.push(word);
        }
    }

    fn load32(&mut self, _: u64) -> u32 {
        MARKER
    }

    fn fill(&mut self, _: u64, _: u8, _: u64) {}
}

impl Mmio for Recorder {
    fn read32(&mut self, _: Space, _: u64) -> u32 {
        0
    }

    fn write32(&mut self, _: Space, offset: u64, value: u32) {
        let side = if offset == regs::doorbell(Side::Tx, QID) {
            Side::Tx
        } else {
            Side::Rx
        };
        let count = value as u8;
        self.effects.push(Effect::Doorbell { side, count });
    }

    fn barrier(&mut self) {
        if !self.believes(Belief::NoDoorbellBarrier) {
            self.effects.push(Effect::Barrier);
        }
    }
}

impl Clock for Recorder {
    fn now(&mut self) -> u64 {
        0
    }

    fn delay(&mut self, _: u64) {}

    fn in_reset_window(&mut self, _: u64) -> bool {
        false
    }
}

impl Observer for Recorder {}

/// Rings whose cursors stand at a position, with nothing out.
pub(super) fn rings(position: u8, belief: Option<Belief>) -> [Ring; 2] {
    let mut ring = Ring::new(u32::from(SIZE), true, VERSION);
    for _ in 0..position {
        ring.take().expect("a ring of 32");
        ring.take_phase();
    }
    // A slot more of the ring than there is: what 15 slots of guard gap come to.
    let extra = u32::from(belief == Some(Belief::Guard15));
    ring.ack(u32::from(position) + extra).expect("a ring of 32");
    [ring.clone(), ring]
}

/// The position that a ring's producer stands at.
pub(super) fn position(ring: &Ring) -> u8 {
    let lap = ring.ring_id().wrapping_sub(FIRST_PHASE) as u8 % (POSITIONS / SIZE);
    lap * SIZE + ring.next_desc_idx() as u8
}

/// Free slots of the rings; of the fuller one where they differ.
pub(super) fn free(rings: &[Ring; 2]) -> u8 {
    let free = |ring: &Ring| ring.available().expect("a ring of 32") as u8;
    free(&rings[0]).min(free(&rings[1]))
}

/// Calls the implementation with an engine that has the rings as its queue 0.
fn with<T>(rings: &mut [Ring; 2], call: impl FnOnce(&mut Udma) -> T) -> T {
    let mut udma = Udma::initialised(VERSION, 1, 0);
    let swap = |udma: &mut Udma, rings: &mut [Ring; 2]| {
        for (side, ring) in [Side::Tx, Side::Rx].into_iter().zip(rings) {
            let queue = udma.queue_mut(QID, side).expect("queue 0");
            std::mem::swap(&mut queue.ring, ring);
        }
    };
    swap(&mut udma, rings);
    let result = call(&mut udma);
    swap(&mut udma, rings);
    result
}

fn completion(slot: usize) -> CompletionBuffer {
    CompletionBuffer::new(ARCH.1, COMPLETION + COMPLETION_BYTES * slot as u64)
}

/// Stages and rings a batch of `pairs` data pairs and the marker of a slot.
pub(super) fn submit(
    rings: &mut [Ring; 2],
    slot: usize,
    pairs: u8,
    belief: Option<Belief>,
) -> Vec<Effect> {
    let apart = APART * slot as u64;
    let size = u64::from(CHUNK) * u64::from(pairs);
    let batch = Batch {
        qid: QID,
        arch: ARCH.1,
        batching: Batching {
            chunk: CHUNK,
            ..Batching::default()
        },
        transfer: &Transfer::copy(SOURCE + apart, TARGET + apart, size),
        offset: 0,
        completion: completion(slot),
    };
    let mut host = Recorder::new(belief);
    let staged = with(rings, |udma| batch.send(udma, &mut host)).expect("the batch fits");
    let mut effects = host.effects;
    match belief {
        Some(Belief::TxFirst) => {
            let is_bell = |effect: &Effect| matches!(effect, Effect::Doorbell { .. });
            let bells: Vec<_> = (0..effects.len())
                .filter(|&at| is_bell(&effects[at]))
                .collect();
            effects.swap(bells[0], bells[1]);
        }
        Some(Belief::AckBeforePoll) => effects.push(Effect::Ack {
            count: staged.pairs as u8,
        }),
        _ => {}
    }
    effects
}

/// Sees the marker of a slot's batch of `pairs` pairs, marker included: the stores that re-arm it.
/// The rings are acknowledged.
pub(super) fn complete(
    rings: &mut [Ring; 2],
    slot: usize,
    pairs: u8,
    belief: Option<Belief>,
) -> Vec<Effect> {
    let mut host = Recorder::new(belief);
    if belief == Some(Belief::AckBeforePoll) {
        completion(slot).rearm(&mut host);
        return host.effects;
    }
    let count = u32::from(pairs) - u32::from(belief == Some(Belief::AckShort));
    let wait = Wait {
        first: 0,
        following: 0,
    };
    let completed: Result<(), Error> = with(rings, |udma| {
        poll::complete(udma, &mut host, QID, &completion(slot), count, wait)
    });
    completed.expect("every look finds the marker");
    host.effects
}

/// Gives slots back without a look.
pub(super) fn ack(rings: &[Ring; 2], count: u8) {
    for ring in rings {
        ring.ack(count.into()).expect("a ring of 32");
    }
}

/// Number of completion buffers.
pub(super) const BATCHES: usize = SLOTS;
/// What the slots are called, in order.
pub(super) const NAMES: [&str; BATCHES] = ["SYNC", "ASYNC1", "ASYNC2"];
