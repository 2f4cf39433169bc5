//! The engine as a driver sees it: registers, memory, barriers.

use super::arch::Arch;
use super::memory::{Memory, Outside};
use super::queue::Queue;
use super::regs::{COUNT_MASK, File, QUEUE_RESET, QUEUES, QueueRegister, Register, register};
use super::ring::{Bell, Refused};
use super::schedule::{Mood, Order, Random, Schedule};
use super::stores::Stores;
use super::trace::{Cause, Event, Fault, Finding, Log};
use super::write::pick;
use crate::wire::Ring;

/// What an engine is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Decides the host window (HOST-1) and whether strong-ordered writes mean anything.
    pub arch: Arch,
    /// What happens next where the rules leave a choice.
    pub schedule: Schedule,
    /// Whether events are kept.
    pub trace: bool,
}

impl Config {
    /// Without a trace.
    pub const fn new(arch: Arch, schedule: Schedule) -> Self {
        Self {
            arch,
            schedule,
            trace: false,
        }
    }
}

/// How far one ring has come, in descriptors since its reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Progress {
    /// Rung by doorbells.
    pub rung: u64,
    /// Read from memory.
    pub fetched: u64,
    /// Started, or passed over for their phase.
    pub started: u64,
}

/// One engine of 16 queues, with the memory it may touch. See the [module](super).
#[derive(Clone, Debug)]
pub struct Engine {
    pub(super) config: Config,
    pub(super) memory: Memory,
    pub(super) stores: Stores,
    pub(super) queues: Vec<Queue>,
    pub(super) file: File,
    pub(super) random: Random,
    pub(super) log: Log,
    /// Queues that may have something to do, by bit.
    pub(super) active: u16,
    /// Things done the next time that time passes.
    pub(super) pace: u64,
    /// A store that is not published is seen once in so many things.
    pub(super) shyness: u64,
}

impl Engine {
    /// A fresh engine: nothing enabled, no abort armed.
    pub fn new(memory: Memory, config: Config) -> Self {
        let mut random = Random::new(match config.schedule {
            Schedule::Prompt => 0,
            Schedule::Seeded(seed) => seed,
        });
        let shyness = Mood::draw(&mut random, 0..0).shyness;
        Self {
            config,
            memory,
            stores: Stores::default(),
            queues: vec![Queue::default(); QUEUES],
            file: File::default(),
            random,
            log: Log {
                events: config.trace.then(Vec::new),
                ..Log::default()
            },
            active: 0,
            pace: 1,
            shyness,
        }
    }

    pub(super) fn prompt(&self) -> bool {
        self.config.schedule == Schedule::Prompt
    }

    /// The memory as the engine sees it: stores that are not published and writes that are not
    /// visible are missing.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The same, to set things up behind the back of the rules.
    pub fn memory_mut(&mut self) -> &mut Memory {
        for queue in &mut self.queues {
            for write in &mut queue.writes {
                write.keep(&self.memory);
            }
        }
        &mut self.memory
    }

    /// The CPU stores bytes to host memory at a plain address. Until a barrier, the engine may see
    /// any, none or part of it. A store to a slot that is rung and not started is a finding
    /// (MODL-6), and so is one outside the memory (MODL-7).
    pub fn store(&mut self, cpu: u64, bytes: &[u8]) -> Result<(), Outside> {
        let (address, length) = (self.config.arch.host(cpu), bytes.len() as u64);
        if !self.memory.contains(address, length) {
            let outside = Outside { address, length };
            self.log
                .finding("MODL-7", None, format!("cpu store: {outside}"));
            return Err(outside);
        }
        self.log.event(|| Event::Store { address, length });
        if self.active != 0 {
            self.find_edit(address, length);
        }
        if self.prompt() {
            self.memory.write(address, bytes)?;
        } else {
            self.stores.push(address, bytes);
        }
        Ok(())
    }

    /// MODL-6: an edit of a rung descriptor.
    fn find_edit(&mut self, address: u64, length: u64) {
        for (at, queue) in self.queues.iter().enumerate() {
            if self.active & 1 << at == 0 {
                continue;
            }
            for ring in Ring::BOTH {
                let state = queue.ring(ring);
                if let Some(slot) = state.touched(state.unstarted(), address, length) {
                    let text = format!("{} slot {slot} was edited while rung", ring.name());
                    self.log.finding("MODL-6", Some(at as u8), text);
                }
            }
        }
    }

    /// The CPU reads host memory at a plain address; it sees its own stores.
    pub fn load(&self, cpu: u64, out: &mut [u8]) -> Result<(), Outside> {
        self.stores
            .read(&self.memory, self.config.arch.host(cpu), out)
    }

    /// [`Engine::store`] of one little-endian word.
    pub fn store32(&mut self, cpu: u64, value: u32) -> Result<(), Outside> {
        self.store(cpu, &value.to_le_bytes())
    }

    /// [`Engine::load`] of one little-endian word.
    pub fn load32(&self, cpu: u64) -> Result<u32, Outside> {
        let mut bytes = [0; 4];
        self.load(cpu, &mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    /// A full barrier of the CPU: all its stores are published.
    pub fn barrier(&mut self) {
        self.log.event(|| Event::Barrier);
        while let Some(store) = self.stores.pop() {
            self.publish(store);
        }
    }

    /// Reads a register at an offset from the engine base.
    pub fn read32(&self, offset: u64) -> u32 {
        let Register::Queue(ring, queue, which) = register(offset) else {
            return self.file.read(offset);
        };
        let state = self.queues[queue].ring(ring);
        match which {
            QueueRegister::Cfg => state.cfg,
            QueueRegister::BaseLow => state.base_low,
            QueueRegister::BaseHigh => state.base_high,
            QueueRegister::Length => state.length,
            QueueRegister::Head => state.head,
            QueueRegister::Tail => state.tail,
            QueueRegister::TailAdd | QueueRegister::Reset => 0,
        }
    }

    /// Writes a register at an offset from the engine base.
    pub fn write32(&mut self, offset: u64, value: u32) {
        let (ring, at, which) = match register(offset) {
            Register::Queue(ring, queue, which) => (ring, queue, which),
            Register::Group(base, which) => return self.file.write_group(base, which, value),
            Register::Plain => return self.file.write(offset, value),
        };
        let state = self.queues[at].ring_mut(ring);
        match which {
            QueueRegister::Cfg => {
                state.cfg = value;
                self.active |= 1 << at;
            }
            QueueRegister::BaseLow => state.base_low = value,
            QueueRegister::BaseHigh => state.base_high = value,
            QueueRegister::Length => state.length = value & COUNT_MASK,
            QueueRegister::TailAdd => self.ring(ring, at, value),
            QueueRegister::Tail => {
                let length = state.length.max(1);
                let count = (value & COUNT_MASK) % length + length - state.tail % length;
                self.ring(ring, at, count % length);
            }
            QueueRegister::Reset if value & QUEUE_RESET != 0 => self.reset(ring, at),
            // The head is the engine's own to move.
            QueueRegister::Head | QueueRegister::Reset => {}
        }
    }

    /// MODL-1.
    fn ring(&mut self, ring: Ring, at: usize, count: u32) {
        let (queue, number) = (&mut self.queues[at], Some(at as u8));
        let armed = queue.rx.rung;
        let state = queue.ring_mut(ring);
        let length = state.length;
        if let Err(refused) = state.ring(count) {
            let why = match refused {
                Refused::Disabled => "the queue is not enabled".into(),
                Refused::TooMany { outstanding } => {
                    format!("{outstanding} are outstanding in a ring of {length}")
                }
            };
            let text = format!("{} doorbell of {count}: {why}", ring.name());
            return self.log.finding("MODL-1", number, text);
        }
        let late = self
            .stores
            .addresses()
            .find_map(|address| state.touched(u64::from(count), address, 1));
        if let Some(slot) = late {
            let text = format!(
                "{} slot {slot} was rung before it was published",
                ring.name()
            );
            self.log.finding("MODL-6", number, text);
        }
        self.log.event(|| Event::Doorbell {
            queue: at as u8,
            ring,
            count,
        });
        self.active |= 1 << at;
        if ring == Ring::Tx {
            state.bells.push_back(Bell {
                end: state.rung,
                armed,
                told: false,
            });
            if !self.prompt() {
                let queue = &mut self.queues[at];
                let batch = armed.saturating_sub(u64::from(count))..armed;
                queue.mood = Mood::draw(&mut self.random, batch);
                self.pace = queue.mood.pace;
                self.shyness = queue.mood.shyness;
            }
        }
    }

    fn reset(&mut self, ring: Ring, at: usize) {
        self.log.event(|| Event::Reset {
            queue: at as u8,
            ring,
        });
        // What was under way ends here, one way or the other.
        while !self.random.chance(2)
            && let Some(next) = pick(&self.queues[at].writes, Order::Any, None, &mut self.random)
        {
            self.make_visible(at, next);
        }
        let queue = &mut self.queues[at];
        queue.writes.clear();
        queue.stopped = None;
        queue.barrier = 0;
        queue.ring_mut(ring).reset();
    }

    /// Drops what is rung and not started on both rings, as a device that swallows a batch does;
    /// the cursors move on.
    pub fn lose(&mut self, queue: usize) {
        for ring in Ring::BOTH {
            let state = self.queues[queue].ring_mut(ring);
            state.list.clear();
            state.bells.clear();
            while state.fetched < state.rung {
                state.step();
            }
        }
    }

    /// How far a ring of queue `queue` has come.
    pub fn progress(&self, ring: Ring, queue: usize) -> Progress {
        let state = self.queues[queue].ring(ring);
        Progress {
            rung: state.rung,
            fetched: state.fetched,
            started: state.started(),
        }
    }

    /// RX descriptors of a queue, from its reset on, whose writes are all visible.
    pub fn visible(&self, queue: usize) -> u64 {
        self.queues[queue].visible()
    }

    /// Why a queue stopped, if it did.
    pub fn stopped(&self, queue: usize) -> Option<Cause> {
        self.queues[queue].stopped
    }

    /// What a correct driver would not have brought about, in order.
    pub fn findings(&self) -> &[Finding] {
        &self.log.findings
    }

    /// Findings made after the list was full.
    pub fn findings_dropped(&self) -> u64 {
        self.log.dropped
    }

    /// Errors latched, in order.
    pub fn faults(&self) -> &[Fault] {
        &self.log.faults
    }

    /// Events since the start or the last [`Engine::take_events`]; empty without a trace.
    pub fn events(&self) -> &[Event] {
        self.log.events.as_deref().unwrap_or_default()
    }

    /// Takes the events.
    pub fn take_events(&mut self) -> Vec<Event> {
        self.log
            .events
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }
}
