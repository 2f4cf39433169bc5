//! The reference interpreter: what a program gives, computed in the plainest sequential way.
//!
//! Every doorbell runs what it rang to the end, in ring order, before the next step. That is one of
//! the orders that MODL-5 allows, so its outcome is one of those that a program may state. It
//! shares nothing with the engine model, the virtual device or the implementation: descriptors are
//! encoded and decoded here from the specification, and so are the driver's answers.

mod driver;
mod engine;
mod vring;
mod wire;

use std::collections::BTreeMap;
use std::path::Path;

use crate::outcome::{Outcome, StepPath, Written};
use crate::program::{Arch, At, Cursor, Cursors, Op, Place, Program, Step, Tag};
use wire::Desc;

/// What the interpreter gives.
#[derive(Clone, Debug)]
pub struct Interpretation {
    /// The outcome.
    pub outcome: Outcome,
    /// Which step wrote what, in order.
    pub written: Vec<Written>,
}

/// Distance of the areas: they never touch.
const STRIDE: u64 = 1 << 34;
/// First area.
const FIRST: u64 = 1 << 35;
/// Bytes that allocations are rounded to (DEV-9).
const PAGE: u64 = 4096;

/// A named piece of memory.
struct Area {
    name: String,
    place: Place,
    /// Address as the engine sees it.
    start: u64,
    bytes: Vec<u8>,
}

/// One ring: the engine's side and the client's.
#[derive(Clone, Copy, Default)]
struct Half {
    /// Descriptors, as the queue was initialised; 0 before.
    size: u32,
    /// Slot that the engine takes next, and the phase it wants there.
    fetch: u32,
    wanted_phase: u32,
    /// Rung and not taken.
    rung: u32,
    /// Slot behind the last one rung.
    tail: u32,
    /// Slot that is staged next, its phase, the slot acknowledged next.
    next: u32,
    phase: u32,
    acked: u32,
    /// Staged and not rung.
    staged: u32,
}

/// One queue.
#[derive(Clone, Copy, Default)]
struct Queue {
    tx: Half,
    rx: Half,
    stopped: bool,
    /// Rung and not acknowledged.
    unacked: u32,
}

struct Machine<'a> {
    program: &'a Program,
    arch: Arch,
    folder: &'a Path,
    areas: Vec<Area>,
    queues: BTreeMap<String, Queue>,
    /// Steps that staged the slots of a ring's memory, by its area.
    owners: BTreeMap<usize, Vec<StepPath>>,
    /// Asynchronous handles in use.
    handles: [bool; 3],
    outcome: Outcome,
    written: Vec<Written>,
    /// The step that staged the first descriptor that an engine refused.
    refused: Option<StepPath>,
}

/// Runs a program.
///
/// # Errors
/// A fill that cannot be made; descriptors that an engine must refuse (MODL-2, MODL-3, MODL-7) in a
/// program that does not say so, as addresses outside of its memory may be those of others.
pub fn interpret(program: &Program, arch: Arch, folder: &Path) -> Result<Interpretation, String> {
    let mut machine = Machine {
        program,
        arch,
        folder,
        areas: Vec::new(),
        queues: BTreeMap::new(),
        owners: BTreeMap::new(),
        handles: [false; 3],
        outcome: Outcome::default(),
        written: Vec::new(),
        refused: None,
    };
    machine.lay_out()?;
    for ring in &program.rings {
        machine.queues.insert(ring.name.clone(), Queue::default());
        if ring.init {
            machine.init(&ring.name, ring.tx, ring.rx);
        }
    }
    machine.steps(&program.steps, &StepPath::default());
    machine.finish();
    if let Some(step) = machine.refused
        && !program.is(Tag::DisturbsDevice)
    {
        return Err(format!(
            "{step}: an engine must refuse its descriptors: the program needs the tag \"disturbs-device\""
        ));
    }
    Ok(Interpretation {
        outcome: machine.outcome,
        written: machine.written,
    })
}

impl Machine<'_> {
    fn lay_out(&mut self) -> Result<(), String> {
        let program = self.program;
        for buffer in &program.buffers {
            let mut bytes = vec![0; buffer.size.0 as usize];
            buffer.fill.put(&mut bytes, self.folder)?;
            self.area(&buffer.name, buffer.place, bytes);
        }
        for ring in &program.rings {
            let zeroes =
                |count: u32| vec![0; (u64::from(count) * 16).next_multiple_of(PAGE) as usize];
            self.area(&format!("{}.tx", ring.name), ring.place, zeroes(ring.tx));
            self.area(&format!("{}.rx", ring.name), ring.place, zeroes(ring.rx));
            self.area(&format!("{}.marker", ring.name), Place::Host, vec![0; 8]);
        }
        Ok(())
    }

    fn area(&mut self, name: &str, place: Place, bytes: Vec<u8>) {
        let start = FIRST + self.areas.len() as u64 * STRIDE;
        // HOST-1.
        let window = match (place, self.arch) {
            (Place::Device, _) => 0,
            (Place::Host, Arch::V2) => 0x1000_0000_0000,
            (Place::Host, _) => 0x4000_0000_0000,
        };
        self.areas.push(Area {
            name: name.into(),
            place,
            start: start | window,
            bytes,
        });
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.areas.iter().position(|area| area.name == name)
    }

    /// The address of a place.
    fn address(&self, at: &At) -> u64 {
        match at {
            At::Address(address) => *address,
            At::Named(name, offset) => {
                let start = self.find(name).map_or(0, |area| self.areas[area].start);
                start.wrapping_add(*offset as u64)
            }
        }
    }

    /// The place of an address.
    fn place(&self, address: u64) -> At {
        let inside = |area: &&Area| address.wrapping_sub(area.start) < area.bytes.len() as u64;
        match self.areas.iter().find(inside) {
            Some(area) => At::Named(area.name.clone(), (address - area.start) as i64),
            None => At::Address(address),
        }
    }

    /// The area and offset that hold a whole range.
    fn range(&self, address: u64, length: u64) -> Option<(usize, usize)> {
        let holds = |area: &Area| {
            let offset = address.wrapping_sub(area.start);
            offset
                .checked_add(length)
                .is_some_and(|end| end <= area.bytes.len() as u64)
        };
        let area = self.areas.iter().position(holds)?;
        Some((area, (address - self.areas[area].start) as usize))
    }

    fn steps(&mut self, list: &[Step], path: &StepPath) {
        for (index, step) in list.iter().enumerate() {
            let at = path.inner(index);
            if let Op::Repeat { times, steps } = &step.op {
                for _ in 0..*times {
                    self.steps(steps, &at);
                }
                continue;
            }
            let code = self.step(&step.op, &at);
            self.outcome.code(&at, code);
        }
    }

    fn write(&mut self, area: usize, offset: usize, bytes: &[u8], step: &StepPath) {
        self.areas[area].bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        self.written.push(Written {
            buffer: self.areas[area].name.clone(),
            start: offset as u64,
            length: bytes.len() as u64,
            step: step.clone(),
        });
    }

    /// Stages descriptors on both sides; what is refused on one is not staged on the other.
    fn stage(&mut self, ring: &str, tx: &[Desc], rx: &[Desc], step: &StepPath) -> i64 {
        for (side, list) in [("tx", tx), ("rx", rx)] {
            let checked = list.iter().find(|desc| !self.valid(desc.pointer));
            if checked.is_some() {
                return -22; // DEV-2
            }
            let Some(area) = self.find(&format!("{ring}.{side}")) else {
                return -22;
            };
            let half = self.half(ring, side);
            let (mut next, size) = (half.next, half.size);
            for desc in list {
                let offset = next as usize * 16;
                self.areas[area].bytes[offset..offset + 16].copy_from_slice(&desc.bytes());
                self.own(area, next as usize, step);
                next = (next + 1) % size.max(1);
            }
        }
        for (side, count) in [("tx", tx.len()), ("rx", rx.len())] {
            for _ in 0..count {
                self.half(ring, side).take();
            }
        }
        0
    }

    /// Notes which step staged a slot.
    fn own(&mut self, area: usize, slot: usize, step: &StepPath) {
        let slots = self.areas[area].bytes.len() / 16;
        let owners = self
            .owners
            .entry(area)
            .or_insert_with(|| vec![StepPath::default(); slots]);
        owners[slot] = step.clone();
    }

    fn half(&mut self, ring: &str, side: &str) -> &mut Half {
        if !self.queues.contains_key(ring) {
            self.queues.insert(ring.into(), Queue::default());
        }
        let queue = self.queues.get_mut(ring).expect("it was just put there");
        if side == "tx" {
            &mut queue.tx
        } else {
            &mut queue.rx
        }
    }

    /// DEV-2: an address of host form must be host memory that was allocated.
    fn valid(&self, pointer: u64) -> bool {
        let window = match self.arch {
            Arch::V2 => 0x1000_0000_0000u64,
            _ => 0x4000_0000_0000,
        };
        if pointer & window == 0 {
            return true;
        }
        self.areas.iter().any(|area| {
            // The whole pages of its allocation count.
            let length = area.bytes.len() as u64;
            let before = length.next_multiple_of(PAGE) - length;
            let first = area.start - before;
            area.place == Place::Host && pointer.wrapping_sub(first) < length + before
        })
    }

    fn finish(&mut self) {
        for buffer in &self.program.buffers {
            let area = self.find(&buffer.name).unwrap_or_default();
            let bytes = std::mem::take(&mut self.areas[area].bytes);
            self.outcome.memory.insert(buffer.name.clone(), bytes);
        }
        for (name, queue) in &self.queues {
            let cursor = |half: &Half| Cursor {
                next: Some(half.next),
                acked: Some(half.acked),
                phase: Some(half.phase),
                tail: Some(half.tail),
                head: Some(half.fetch),
            };
            let cursors = Cursors {
                tx: cursor(&queue.tx),
                rx: cursor(&queue.rx),
            };
            self.outcome.rings.insert(name.clone(), cursors);
        }
    }
}

impl Half {
    /// RING-3, RING-4: the next slot and its phase.
    fn take(&mut self) -> (u32, u32) {
        let taken = (self.next, self.phase);
        self.staged += 1;
        self.next += 1;
        if self.next == self.size {
            self.next = 0;
            self.phase = (self.phase + 1) % 4;
        }
        taken
    }

    /// RING-1, and the engine back at slot 0 of lap 1.
    fn reset(&mut self, size: u32) {
        *self = Self {
            size,
            phase: 1,
            wanted_phase: 1,
            ..Self::default()
        };
    }
}
