//! The machine that a driver runs on: the engine model behind the host's callbacks, and a log of
//! what the driver does. With a prompt schedule batches finish as the recordings' engine made them
//! (golden/README.md); with a seeded one the engine does no more than it must.

use std::cell::RefCell;
use std::collections::VecDeque;

use super::Run;
use super::trace::{Act, Aside, Bell, Descs, Trace};
use super::watch::Watch;
use crate::model::{Config, Engine, Memory, Pattern, Schedule};
use crate::subject::RingMemory;
use crate::subject::cycle::Host;
use crate::wire::{Desc, FILL, Ring};

/// The marker (MARK-1).
pub const MARKER: u32 = 0xabcd_ef01;
/// A driver that delays this often with nothing under way is let go: its poll word shows the marker.
pub const PATIENCE: u64 = 1_000_000;
/// While a driver waits, rings are looked at in one delay of so many.
const LOOKS: u64 = 16;

/// A doorbell's ring and the register in its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Register {
    Doorbell(Ring),
    Reset(Ring),
    Other,
}

fn register(offset: u64, qid: u32) -> Register {
    let of = |block: u64| offset.checked_sub(block + 0x1000 * u64::from(qid));
    match (of(0x1000), of(0x2_1000)) {
        (Some(0x38), _) => Register::Doorbell(Ring::Tx),
        (Some(0xb0), _) => Register::Reset(Ring::Tx),
        (_, Some(0x38)) => Register::Doorbell(Ring::Rx),
        (_, Some(0x64)) => Register::Reset(Ring::Rx),
        _ => Register::Other,
    }
}

/// The machine.
pub struct Machine {
    rings: RingMemory,
    inner: RefCell<Inner>,
}

struct Inner {
    run: Run,
    engine: Engine,
    prompt: bool,
    trace: Trace,
    /// Ring contents as the engine was shown them.
    shown: [Vec<Desc>; 2],
    /// Descriptors rung since the reset.
    rung: [u64; 2],
    /// Batches under way: RX index behind the last, delay calls until done.
    under_way: VecDeque<(u64, u64)>,
    lost: u64,
    /// Questions about the reset window so far; none before it is looked at, when the answer is no.
    asked: Option<u64>,
    now: u64,
    /// Delays with nothing under way.
    idle: u64,
    watch: Watch,
}

impl Machine {
    /// The machine of a run, with `memory` in it; seeded where a seed is given.
    pub fn new(run: &Run, memory: Memory, seed: Option<u64>) -> Self {
        let schedule = seed.map_or(Schedule::Prompt, Schedule::Seeded);
        let size = run.setup.size;
        Self {
            rings: RingMemory::new(size),
            inner: RefCell::new(Inner {
                run: run.clone(),
                engine: Engine::new(memory, Config::new(run.arch(), schedule)),
                prompt: seed.is_none(),
                trace: Trace::default(),
                shown: size.map(|size| vec![FILL; size as usize]),
                rung: [0; 2],
                under_way: VecDeque::new(),
                lost: 0,
                asked: None,
                now: 0,
                idle: 0,
                watch: Watch::new(size),
            }),
        }
    }

    /// From here on it is looked at: the log is empty, the engine behaves as the run says.
    pub fn begin(&self) {
        let mut inner = self.inner.borrow_mut();
        inner.trace = Trace::default();
        inner.lost = inner.run.engine.lost_batches;
        inner.asked = Some(0);
        inner.now = 0;
        inner.watch.begin();
    }

    /// Notes that a step is over.
    pub fn step_ends(&self) {
        let trace = &mut self.inner.borrow_mut().trace;
        trace.ends.push(trace.acts.len());
    }

    /// A batch's data must be visible when its marker is seen, or need not.
    pub fn ordered(&self, rule: Option<&'static str>) {
        self.inner.borrow_mut().watch.ordered = rule;
    }

    /// Notes that a call came back with success: everything that was rung is visible.
    pub fn all_visible(&self, rule: &'static str) {
        let inner = &mut *self.inner.borrow_mut();
        let seen = inner.engine.visible(inner.run.setup.qid as usize);
        inner
            .watch
            .all_visible(rule, seen, inner.rung[Ring::Rx as usize]);
    }

    /// Ends the run: what was seen; `results` and `cursors` come from the subject, `expected` is the
    /// memory that must be there.
    pub fn finish(
        self,
        results: Vec<Vec<i64>>,
        cursors: [[u32; 3]; 2],
        expected: &Memory,
    ) -> Trace {
        let mut inner = self.inner.into_inner();
        if !inner.prompt {
            inner.show(&self.rings);
            inner.engine.barrier();
            inner.engine.settle();
        }
        let mut trace = std::mem::take(&mut inner.trace);
        trace.results = results;
        trace.cursors = cursors;
        trace.wrong = inner
            .engine
            .memory()
            .differences(expected, |start| !inner.run.setup.base.contains(&start));
        let findings = inner.engine.findings().iter();
        trace
            .engine
            .extend(findings.map(|found| (found.rule, found.text.clone())));
        for (ring, index, _) in self.rings.written() {
            if index < 0 || index >= i64::from(inner.run.setup.size[ring as usize]) {
                let text = format!(
                    "slot {index} of {}, outside the ring, was written",
                    ring.name()
                );
                trace.engine.push(("MODL-7", text));
            }
        }
        if !inner.prompt {
            inner.watch.end(&cursors, inner.rung);
            trace.engine.extend(std::mem::take(&mut inner.watch.found));
        }
        trace
    }
}

impl Inner {
    /// Shows the engine what the CPU stored to the rings since the last time. Until a barrier it may
    /// not have seen it: it is looked for where something depends on it, and now and then.
    fn show(&mut self, rings: &RingMemory) {
        for ring in Ring::BOTH {
            let base = self.run.setup.base[ring as usize];
            let cpu = self.run.arch().cpu(base).unwrap_or(base);
            let Self {
                shown,
                watch,
                engine,
                ..
            } = self;
            rings.changes(ring, &mut shown[ring as usize], |slot, desc| {
                watch.stored(ring, slot);
                let stored = engine.store(cpu + 16 * u64::from(slot), &bytes(desc));
                debug_assert!(stored.is_ok(), "the ring is memory");
            });
        }
    }

    fn doorbell(&mut self, rings: &RingMemory, ring: Ring, count: u32) {
        let size = self.run.setup.size[ring as usize];
        let start = (self.rung[ring as usize] % u64::from(size)) as u32;
        // A count beyond the ring is the engine's to find.
        let slots = (0..count.min(size)).map(|at| (start + at) % size);
        let descs: Vec<Desc> = slots.clone().map(|slot| rings.slot(ring, slot)).collect();
        if self.prompt {
            let base = self.run.setup.base[ring as usize];
            let cpu = self.run.arch().cpu(base).unwrap_or(base);
            for (slot, desc) in slots.zip(&descs) {
                let stored = self.engine.store(cpu + 16 * u64::from(slot), &bytes(desc));
                debug_assert!(stored.is_ok(), "the ring is memory");
            }
        } else {
            self.watch.doorbell(ring, count, &descs);
        }
        if count <= size {
            self.rung[ring as usize] += u64::from(count);
        }
        self.trace.bells.push(Bell {
            ring,
            start,
            descs: Descs::All(descs),
        });
    }

    /// After the engine was told of a doorbell.
    fn rung(&mut self, ring: Ring) {
        self.idle = 0;
        if ring == Ring::Rx {
            return;
        }
        if self.lost != 0 {
            self.lost -= 1;
            self.engine.lose(self.run.setup.qid as usize);
        } else {
            let end = self.rung[Ring::Rx as usize];
            self.under_way.push_back((end, self.run.engine.delay_calls));
        }
    }

    /// One delay call of the prompt engine.
    fn work(&mut self) {
        let qid = self.run.setup.qid as usize;
        let engine = &mut self.engine;
        self.under_way.retain_mut(|(end, left)| {
            if *left != 0 {
                *left -= 1;
                return true;
            }
            while engine.visible(qid) < *end && engine.step() {}
            false
        });
    }

    fn act(&mut self, act: Act) {
        self.trace.acts.push(act);
    }

    fn aside(&mut self, aside: Aside) {
        self.trace.asides.push((self.trace.acts.len(), aside));
    }

    fn outside(&mut self, what: &str, address: u64) {
        self.trace.engine.push((
            "MODL-7",
            format!("{what} at {address:#x}, outside the memory"),
        ));
    }
}

fn bytes(desc: &Desc) -> [u8; 16] {
    let mut bytes = [0; 16];
    for (part, word) in bytes.chunks_exact_mut(4).zip(desc.word) {
        part.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

impl Host for Machine {
    fn read32(&self, _space: u32, offset: u64) -> u32 {
        let mut inner = self.inner.borrow_mut();
        inner.act(Act::Read(offset));
        inner.engine.read32(offset)
    }

    fn write32(&self, _space: u32, offset: u64, value: u32) {
        let inner = &mut *self.inner.borrow_mut();
        inner.act(Act::Write(offset, value));
        if !inner.prompt {
            inner.show(&self.rings);
        }
        let register = register(offset, inner.run.setup.qid);
        if let Register::Doorbell(ring) = register {
            inner.doorbell(&self.rings, ring, value);
        }
        inner.engine.write32(offset, value);
        match register {
            Register::Doorbell(ring) => inner.rung(ring),
            Register::Reset(ring) if value == 0x100 => {
                inner.rung[ring as usize] = 0;
                inner.under_way.clear();
                inner.watch.reset(ring);
            }
            _ => {}
        }
    }

    fn barrier(&self) {
        let inner = &mut *self.inner.borrow_mut();
        inner.act(Act::Barrier);
        inner.watch.barriers += 1;
        if !inner.prompt {
            inner.show(&self.rings);
            inner.engine.barrier();
        }
    }

    fn load32(&self, address: u64) -> u32 {
        let inner = &mut *self.inner.borrow_mut();
        match inner.trace.acts.last_mut() {
            Some(Act::Poll(at, count)) if *at == address => *count += 1,
            _ => inner.act(Act::Poll(address, 1)),
        }
        let Ok(value) = inner.engine.load32(address) else {
            inner.outside("load", address);
            return MARKER;
        };
        if inner.idle > PATIENCE && value != MARKER {
            inner
                .trace
                .engine
                .push(("POLL-1", "waits without end".into()));
            return MARKER;
        }
        if value == MARKER && !inner.prompt {
            let seen = inner.engine.visible(inner.run.setup.qid as usize);
            inner.watch.looked(inner.run.arch().host(address), seen);
        }
        value
    }

    fn store32(&self, address: u64, value: u32) {
        let inner = &mut *self.inner.borrow_mut();
        inner.act(Act::Store(address, value));
        if inner.engine.store32(address, value).is_err() {
            inner.outside("store", address);
        }
    }

    fn fill(&self, address: u64, byte: u8, length: u64) {
        let inner = &mut *self.inner.borrow_mut();
        if length == 0 {
            return;
        }
        inner.aside(Aside::Fill(address, byte, length));
        let filled = if inner.prompt {
            let at = inner.run.arch().host(address);
            let pattern = Pattern::Repeat(byte);
            inner.engine.memory_mut().fill(at, length, pattern)
        } else {
            // Longer than its buffer is outside anyway.
            let length = length.min(1 << 17) as usize;
            inner.engine.store(address, &vec![byte; length])
        };
        if filled.is_err() {
            inner.outside("fill", address);
        }
    }

    fn now(&self) -> u64 {
        self.inner.borrow().now
    }

    fn delay(&self, us: u64) {
        let inner = &mut *self.inner.borrow_mut();
        inner.now = inner.now.wrapping_add(us);
        match inner.trace.acts[..] {
            [.., Act::PollDelay(at, ref mut count), Act::Poll(again, 1)]
                if us == 1 && at == again =>
            {
                *count += 1;
                inner.trace.acts.pop();
            }
            [.., Act::Poll(at, 1)] if us == 1 => {
                inner.trace.acts.pop();
                inner.act(Act::PollDelay(at, 1));
            }
            _ => inner.act(Act::Delay(us)),
        }
        if inner.prompt {
            inner.idle += u64::from(inner.under_way.is_empty());
            inner.work();
        } else {
            if inner.idle.is_multiple_of(LOOKS) {
                inner.show(&self.rings);
            }
            inner.idle += 1;
            inner.engine.advance();
        }
    }

    fn stays(&self) -> u64 {
        let inner = self.inner.borrow();
        let under_way = inner.under_way.iter().map(|(_, left)| *left);
        // Nothing is done but in delays, and after too many with nothing under way the marker shows.
        let stays = under_way
            .min()
            .unwrap_or(PATIENCE.saturating_sub(inner.idle));
        if inner.prompt { stays } else { 0 }
    }

    fn in_reset_window(&self, started: u64) -> bool {
        let mut inner = self.inner.borrow_mut();
        inner.aside(Aside::Window(started));
        let Some(asked) = inner.asked else {
            return false;
        };
        inner.asked = Some(asked + 1);
        inner.run.engine.began_in_window(asked)
    }

    fn acked(&self, ring: Ring, cursors: [u32; 3]) {
        let inner = &mut *self.inner.borrow_mut();
        inner.act(Act::Ack(ring, cursors));
        if !inner.prompt {
            inner.show(&self.rings);
            inner.watch.acked(ring, cursors[1]);
        }
    }

    fn pin(&self, page: u64, frames: &mut [u64]) -> bool {
        let inner = &mut *self.inner.borrow_mut();
        let user = &inner.run.user;
        let first = page.wrapping_sub(user.page) / super::PAGE;
        let known = usize::try_from(first)
            .ok()
            .and_then(|first| user.frames.get(first..first.checked_add(frames.len())?));
        if let Some(known) = known {
            frames.copy_from_slice(known);
        }
        let (count, pinned) = (frames.len() as u32, known.is_some());
        inner.aside(Aside::Pin(page, count, pinned));
        pinned
    }

    fn unpin(&self, page: u64, count: u32) {
        self.inner.borrow_mut().aside(Aside::Unpin(page, count));
    }

    fn rings(&self) -> &RingMemory {
        &self.rings
    }
}
