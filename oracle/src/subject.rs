//! What can be asked of an implementation. Nothing that checks knows which one it talks to.

pub mod cycle;
pub mod ops;
pub mod vring;

use std::cell::RefCell;
use std::rc::Rc;

use cycle::Cycle;
use ops::Ops;
use serde::{Deserialize, Serialize};
use vring::Vrings;

use crate::cases::ring_script::Script;
use crate::cases::rings::Steps;
use crate::line::Line;
use crate::wire::{BitCase, Desc, Fields, MetaFields, PairIn, PairOut, Place, QueueSw, Ring};
use crate::wire::{Block, RingState};

/// An implementation under test. Every operation is `None` when it is not offered.
pub trait Subject: Send + Sync {
    /// Name as given to `--subject`.
    fn name(&self) -> &str;

    /// The line it follows.
    fn line(&self) -> Line;

    /// Whether the search of all states ([`crate::state`]) steps through this subject's own code.
    fn steps_of_the_search(&self) -> bool {
        false
    }

    /// Takes descriptors apart; `fields[i].view` says how.
    fn decode(&self, _descs: &[Desc], _fields: &mut [Fields]) -> Option<()> {
        None
    }

    /// Puts descriptors together.
    fn encode(&self, _fields: &[Fields], _descs: &mut [Desc]) -> Option<()> {
        None
    }

    /// Takes a `meta_ctrl` word apart.
    fn meta_decode(&self, _word: u32) -> Option<MetaFields> {
        None
    }

    /// Puts a `meta_ctrl` word together.
    fn meta_encode(&self, _fields: &MetaFields) -> Option<u32> {
        None
    }

    /// The bit helpers, in place.
    fn bits(&self, _cases: &mut [BitCase]) -> Option<()> {
        None
    }

    /// Printed fields of a descriptor: word, name, high bit, low bit, value; `view` as in the ABI.
    fn explain(&self, _view: u32, _desc: &Desc) -> Option<Vec<NamedField>> {
        None
    }

    /// Independent pairs, into slots that the caller filled.
    fn build_pairs(&self, _cases: &[PairIn], _out: &mut [PairOut]) -> Option<()> {
        None
    }

    /// One packet into `tx` and `rx`, which the caller filled; gives the builder's code.
    fn build_packet(&self, _case: &PacketIn, _tx: &mut [Desc], _rx: &mut [Desc]) -> Option<i32> {
        None
    }

    /// The meta descriptor in front of a CME packet.
    fn build_cme_meta(&self, _index: u32) -> Option<Desc> {
        None
    }

    /// A CRC copy: two TX descriptors and one RX one.
    fn build_crc_copy(
        &self,
        _case: &PairIn,
        _index: u32,
        _tx: &mut [Desc; 2],
        _rx: &mut Desc,
    ) -> Option<i32> {
        None
    }

    /// Ring sizes for wanted descriptor counts.
    fn ring_size(&self, _want: &[u32], _out: &mut [u32]) -> Option<()> {
        None
    }

    /// An engine right after its initialisation, working on `tape`.
    fn open(&self, _engine: &EngineCfg, _tape: &Tape) -> Option<Box<dyn Engine>> {
        None
    }

    /// Where something lies: kind, name and member as in the register map.
    fn layout(&self, _kind: &str, _name: &str, _field: &str) -> Option<Place> {
        None
    }

    /// A whole ring script in one go, from a fresh engine; none where its operations are asked one by
    /// one. Saves a subject behind a pipe a message an operation.
    fn ring_script(&self, _script: &Script) -> Option<Steps> {
        None
    }

    /// The side of a pipe that takes cases whole (see [`crate::whole`]); none where their operations
    /// are asked one by one.
    fn elsewhere(&self) -> Option<&dyn Elsewhere> {
        None
    }

    /// How the subject died while it was asked last, once; the next question goes to a fresh one.
    fn death(&self) -> Option<String> {
        None
    }

    /// Whether it leaves out cases of operations that it offers, as what it asks would stop at them.
    fn leaves_out(&self) -> bool {
        false
    }

    /// The one architecture that it works for; none where each case says.
    fn arch(&self) -> Option<u8> {
        None
    }

    /// What whoever reads a run should know of it, a line each.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Most cases of a sweep that it can be asked in reasonable time.
    fn patience(&self) -> u64 {
        u64::MAX
    }

    /// Cases of a check, put one by one, that it can be asked in reasonable time; of further ones some.
    fn patience_by_case(&self) -> u64 {
        u64::MAX
    }

    /// Compute descriptors, engine bring-up, interrupts, BAR0, the ioctl surface.
    fn ops(&self) -> Option<&dyn Ops> {
        None
    }

    /// Ring cycles.
    fn cycle(&self) -> Option<&dyn Cycle> {
        None
    }

    /// Virtual rings.
    fn vrings(&self) -> Option<&dyn Vrings> {
        None
    }
}

/// What runs whole cases of a subject somewhere else.
pub trait Elsewhere {
    /// Puts a case of a family; `take` is given the answer, and says what is wrong with it. None
    /// when it is not offered or the subject died.
    fn whole(
        &self,
        family: &str,
        case: serde_json::Value,
        take: &mut dyn FnMut(&[u8]) -> Result<(), String>,
    ) -> Option<()>;
}

/// A printed field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedField {
    /// The word as printed.
    pub word: String,
    /// The name as printed.
    pub name: String,
    /// Highest bit.
    pub high: u32,
    /// Lowest bit.
    pub low: u32,
    /// Value.
    pub value: u64,
}

/// A packet request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketIn {
    /// Source, destination and bytes of every block.
    pub blocks: Vec<Block>,
    /// Phase of the RX ring.
    pub rx_ring_id: u32,
    /// Phase of the TX ring.
    pub tx_ring_id: u32,
    /// Ordering mode by number.
    pub mode: i32,
    /// Interrupt on the destination's side.
    pub dst_int: bool,
    /// Strong-ordered write.
    pub sow: bool,
    /// Notification mask.
    pub notify: bool,
    /// Architecture number.
    pub arch: u8,
}

/// An engine to be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineCfg {
    /// Architecture number.
    pub arch: u8,
    /// Driver version by its number in the ABI.
    pub driver: u8,
    /// Queues that may be used.
    pub num_queues: u32,
    /// Engine id.
    pub engine_id: u32,
}

/// A queue to be initialised, TX first in every pair of values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueCfg {
    /// Descriptors.
    pub size: [u32; 2],
    /// DMA addresses of the rings.
    pub base: [u64; 2],
    /// Whether there is a ring at all.
    pub has_memory: [bool; 2],
    /// Whether slots may be handed out.
    pub allocatable: bool,
    /// A completion ring is asked for.
    pub completion_ring: bool,
}

/// An engine of a subject. Operations are `None` when not offered; codes are the original's, or
/// [`crate::wire::BUG`].
pub trait Engine {
    /// Initialises queue `qid`.
    fn queue_init(&mut self, qid: u32, cfg: &QueueCfg) -> Option<i32>;
    /// Software state of one side.
    fn queue_sw(&self, qid: u32, ring: Ring) -> Option<QueueSw>;
    /// Takes a slot: its index, -1 for none.
    fn get(&mut self, qid: u32, ring: Ring) -> Option<i64>;
    /// Asks the ring id of the slot just taken.
    fn ring_id(&mut self, qid: u32, ring: Ring) -> Option<u32>;
    /// Acknowledges `count` descriptors.
    fn ack(&mut self, qid: u32, ring: Ring, count: u32) -> Option<i32>;
    /// Free slots.
    fn available(&mut self, qid: u32, ring: Ring) -> Option<i64>;
    /// One pair into both rings.
    fn prepare(&mut self, qid: u32, pair: &PairIn) -> Option<i32>;
    /// Rings both doorbells.
    fn copy_start(&mut self, qid: u32, m2s_count: u32, s2m_count: u32) -> Option<i32>;
    /// State of both rings from the registers.
    fn queue_state(&mut self, qid: u32, sw_status: [u32; 2]) -> Option<[RingState; 2]>;
    /// Descriptor memory of the rings last handed to [`Engine::queue_init`].
    fn memory(&self) -> &RingMemory;
}

/// One access that a subject made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Register read: space, offset, value returned.
    Read(u32, u64, u32),
    /// Register write: space, offset, value.
    Write(u32, u64, u32),
    /// Full memory barrier.
    Barrier,
}

/// Contents of registers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents {
    /// Space, offset, value.
    pub registers: crate::wire::Registers,
    /// Space and offset of those that keep their value whatever is written.
    #[serde(default)]
    pub held: Vec<(u32, u64)>,
}

/// Registers that a subject works on and the accesses it made, shared with the suite.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    inner: Rc<RefCell<Recording>>,
}

#[derive(Debug, Default)]
struct Recording {
    registers: std::collections::HashMap<(u32, u64), u32>,
    held: std::collections::HashSet<(u32, u64)>,
    events: Vec<Event>,
}

impl Tape {
    /// Sets a register without an event.
    pub fn set(&self, space: u32, offset: u64, value: u32) {
        self.inner
            .borrow_mut()
            .registers
            .insert((space, offset), value);
    }

    /// Makes a register keep its value whatever is written.
    pub fn hold(&self, space: u32, offset: u64) {
        self.inner.borrow_mut().held.insert((space, offset));
    }

    /// A register read; registers never written read 0.
    pub fn read(&self, space: u32, offset: u64) -> u32 {
        let mut inner = self.inner.borrow_mut();
        let value = inner.registers.get(&(space, offset)).copied().unwrap_or(0);
        inner.events.push(Event::Read(space, offset, value));
        value
    }

    /// A register write.
    pub fn write(&self, space: u32, offset: u64, value: u32) {
        let mut inner = self.inner.borrow_mut();
        if !inner.held.contains(&(space, offset)) {
            inner.registers.insert((space, offset), value);
        }
        inner.events.push(Event::Write(space, offset, value));
    }

    /// A barrier.
    pub fn barrier(&self) {
        self.inner.borrow_mut().events.push(Event::Barrier);
    }

    /// What the registers hold and which of them keep it: what a subject elsewhere must be told.
    pub fn contents(&self) -> Contents {
        let inner = self.inner.borrow();
        let mut contents = Contents {
            registers: inner
                .registers
                .iter()
                .map(|((space, offset), value)| (*space, *offset, *value))
                .collect(),
            held: inner.held.iter().copied().collect(),
        };
        contents.registers.sort_unstable();
        contents.held.sort_unstable();
        contents
    }

    /// A tape that starts with these contents.
    pub fn holding(contents: &Contents) -> Self {
        let tape = Self::default();
        tape.load(contents);
        tape
    }

    /// Sets registers without an event.
    pub fn load(&self, contents: &Contents) {
        for (space, offset, value) in &contents.registers {
            self.set(*space, *offset, *value);
        }
        for (space, offset) in &contents.held {
            self.hold(*space, *offset);
        }
    }

    /// Makes the accesses that a subject made elsewhere.
    pub fn replay(&self, events: &[Event]) {
        for event in events {
            match event {
                Event::Read(space, offset, value) => {
                    let mut inner = self.inner.borrow_mut();
                    inner.events.push(Event::Read(*space, *offset, *value));
                }
                Event::Write(space, offset, value) => self.write(*space, *offset, *value),
                Event::Barrier => self.barrier(),
            }
        }
    }

    /// The accesses since the last call.
    pub fn take_events(&self) -> Vec<Event> {
        std::mem::take(&mut self.inner.borrow_mut().events)
    }
}

/// Slots in front of and behind a ring that nobody may touch.
const FENCE: usize = 4;
/// Larger rings are programmed but never filled: their memory is cut to this many slots.
const MOST_SLOTS: u32 = 1 << 16;

/// Descriptor memory of a queue's two rings with a fence around each. A subject may hold pointers
/// into it between calls, so that it is only ever read and written through raw cells.
#[derive(Debug, Default)]
pub struct RingMemory {
    rings: [Vec<std::cell::Cell<Desc>>; 2],
}

impl RingMemory {
    /// Memory for two rings of these sizes, filled with [`crate::wire::FILL`].
    pub fn new(size: [u32; 2]) -> Self {
        let rings = size.map(|size| {
            let slots = size.min(MOST_SLOTS) as usize + 2 * FENCE;
            vec![std::cell::Cell::new(crate::wire::FILL); slots]
        });
        Self { rings }
    }

    /// Pointer to slot 0, valid as long as the value lives.
    pub fn base(&self, ring: Ring) -> *mut Desc {
        self.rings[ring as usize][FENCE].as_ptr()
    }

    /// What a slot holds.
    pub fn slot(&self, ring: Ring, index: u32) -> Desc {
        self.rings[ring as usize][FENCE + index as usize].get()
    }

    /// Calls `each` with the slots of a ring that hold something else than `known`, which is made
    /// equal to them. Most often there are none: they are looked at in blocks.
    pub fn changes(&self, ring: Ring, known: &mut [Desc], mut each: impl FnMut(u32, &Desc)) {
        const BLOCK: usize = 16;
        let slots = self.rings[ring as usize].get(FENCE..).unwrap_or_default();
        let blocks = slots.chunks(BLOCK).zip(known.chunks_mut(BLOCK));
        for (first, (slots, known)) in (0..).step_by(BLOCK).zip(blocks) {
            let mut differ = [0; 4];
            for (slot, known) in slots.iter().zip(&*known) {
                let (slot, known) = (slot.get().word, known.word);
                for (at, differ) in differ.iter_mut().enumerate() {
                    *differ |= slot[at] ^ known[at];
                }
            }
            if differ == [0; 4] {
                continue;
            }
            for (index, (slot, known)) in (first..).zip(slots.iter().zip(known)) {
                if *known != slot.get() {
                    *known = slot.get();
                    each(index, known);
                }
            }
        }
    }

    /// Fills a slot.
    pub fn set(&self, ring: Ring, index: u32, desc: Desc) {
        self.rings[ring as usize][FENCE + index as usize].set(desc);
    }

    /// Fills a slot or one of the fences; false where there is neither.
    pub fn put(&self, ring: Ring, index: i64, desc: Desc) -> bool {
        let at = usize::try_from(index.saturating_add(FENCE as i64)).ok();
        let cell = at.and_then(|at| self.rings[ring as usize].get(at));
        cell.is_some_and(|cell| {
            cell.set(desc);
            true
        })
    }

    /// Slots whose content is not the fill, fences included: ring, index (negative in front of
    /// slot 0), content.
    pub fn written(&self) -> Vec<(Ring, i64, Desc)> {
        Ring::BOTH
            .into_iter()
            .flat_map(|ring| {
                self.rings[ring as usize]
                    .iter()
                    .enumerate()
                    .filter_map(move |(index, cell)| {
                        let desc = cell.get();
                        let index = index as i64 - FENCE as i64;
                        (desc != crate::wire::FILL).then_some((ring, index, desc))
                    })
            })
            .collect()
    }
}
