//! Time: what the engine does, one thing after another.

use super::engine::Engine;
use super::queue::Front;
use super::ring::SLOT_BYTES;
use super::slot::Slot;
use super::stores::Store;
use super::trace::{Access, Cause, Event, Fault};
use super::write::{overlap, pick};
use crate::wire::Ring;

/// Most descriptors fetched at once.
const BURST: u64 = 8;

/// What came of letting a queue do one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Did {
    Something,
    /// The last write rung became visible before an earlier one: a good moment for a driver to look.
    Overtook,
    /// Nothing but the held write is left.
    OnlyHeld,
    Nothing,
}

impl Engine {
    /// Lets time pass, as one delay call does. In a prompt schedule all that was rung is done; in a
    /// seeded one some of it, and all of it within a few dozen calls.
    pub fn advance(&mut self) {
        if self.prompt() {
            while self.step() {}
            return;
        }
        let mut left = self.pace;
        self.pace = self.pace.saturating_mul(2);
        let mut able = self.active;
        for at in 0..self.queues.len() {
            let delay = &mut self.queues[at].mood.delay;
            if *delay > 0 {
                *delay -= 1;
                able &= !(1 << at);
            }
        }
        while left > 0 && (able != 0 || !self.stores.is_empty()) {
            left -= 1;
            if self.see_store(able == 0) || able == 0 {
                continue;
            }
            let at = self.any(able);
            match self.act(at) {
                Did::Something => {}
                Did::Overtook => return,
                Did::OnlyHeld => {
                    able &= !(1 << at);
                    let mood = &mut self.queues[at].mood;
                    match mood.patience.checked_sub(1) {
                        Some(patience) => mood.patience = patience,
                        None => mood.held = None,
                    }
                }
                Did::Nothing => able &= !(1 << at),
            }
        }
    }

    /// Does one thing of those that are allowed now; false when there is none.
    pub fn step(&mut self) -> bool {
        if self.see_store(self.active == 0) {
            return true;
        }
        let mut able = self.active;
        while able != 0 {
            let at = self.any(able);
            match self.act(at) {
                Did::Something | Did::Overtook => return true,
                Did::OnlyHeld => self.queues[at].mood.held = None,
                Did::Nothing => able &= !(1 << at),
            }
        }
        self.see_store(true)
    }

    /// Runs until nothing more can happen. TX descriptors that still wait for RX ones are a finding
    /// (MODL-4).
    pub fn settle(&mut self) {
        while self.step() {}
        for at in 0..self.queues.len() {
            let queue = &self.queues[at];
            if queue.stopped.is_none() && queue.tx.unstarted() > 0 && queue.tx.enabled() {
                let text = format!("{} TX descriptors wait", queue.tx.unstarted());
                self.log.finding("MODL-4", Some(at as u8), text);
            }
        }
    }

    /// One of the queues in a set that is not empty.
    #[inline]
    fn any(&mut self, able: u16) -> usize {
        let count = able.count_ones();
        if count == 1 || self.prompt() {
            return able.trailing_zeros() as usize;
        }
        let mut rest = able;
        for _ in 0..self.random.below(u64::from(count)) {
            rest &= rest - 1;
        }
        rest.trailing_zeros() as usize
    }

    /// Sometimes, or in any case, lets the engine see a store that no barrier has published.
    fn see_store(&mut self, surely: bool) -> bool {
        if self.stores.is_empty() || !surely && !self.random.chance(self.shyness) {
            return false;
        }
        let Some(store) = self.stores.pick(&mut self.random) else {
            return false;
        };
        let address = store.address;
        self.log.event(|| Event::Published { address });
        self.publish(store);
        true
    }

    /// A store reaches memory.
    pub(super) fn publish(&mut self, store: Store) {
        self.keep_sources(store.address, store.bytes().len() as u32);
        self.memory
            .write(store.address, store.bytes())
            .expect("a store was checked when it was made");
    }

    /// Copies aside what started writes read from a range that is about to change.
    #[inline]
    fn keep_sources(&mut self, address: u64, length: u32) {
        let mut rest = self.active;
        while rest != 0 {
            let queue = &mut self.queues[rest.trailing_zeros() as usize];
            rest &= rest - 1;
            for write in &mut queue.writes {
                if write.reads(address, length) {
                    write.keep(&self.memory);
                }
            }
        }
    }

    /// Lets a queue do one thing.
    fn act(&mut self, at: usize) -> Did {
        let queue = &self.queues[at];
        let running = queue.stopped.is_none();
        let front = if running {
            queue.front()
        } else {
            Front::NeedsTx
        };
        if let Front::Broken(cause, ring, place) = front {
            let index = queue.ring(ring).list[place].index;
            self.fault(at, ring, index, cause, true);
            return Did::Something;
        }
        let mood = queue.mood;
        let fetch = |ring, needed| {
            let state = queue.ring(ring);
            running && state.can_fetch() && (needed || state.list.len() < mood.ahead)
        };
        let tx = fetch(Ring::Tx, front == Front::NeedsTx);
        let rx = fetch(Ring::Rx, front == Front::NeedsRx);
        let is_held = |held| queue.writes.iter().any(|write| write.index == held);
        let held = mood.held.is_some_and(is_held);
        let room = queue.writes.len() < mood.window + usize::from(held);
        let starts = match front {
            Front::Packet(tx, rx) if room => Some((tx, rx)),
            _ => None,
        };
        let waiting = !queue.writes.is_empty();

        if tx || rx {
            let wanted = starts.is_none() && !waiting;
            if wanted || !self.prompt() && self.random.chance(2) {
                let ring = match (tx, rx) {
                    (true, true) if self.prompt() || self.random.chance(2) => Ring::Tx,
                    (true, false) => Ring::Tx,
                    _ => Ring::Rx,
                };
                self.fetch_some(at, ring);
                return Did::Something;
            }
        }
        if let Some(packet) = starts
            && (!waiting || self.random.below(8) < mood.hurry)
        {
            self.start(at, packet);
            return Did::Something;
        }
        if waiting
            && let Some(next) = pick(
                &self.queues[at].writes,
                mood.order,
                mood.held,
                &mut self.random,
            )
        {
            let queue = &self.queues[at];
            let last = queue.writes[next].index + 1 == queue.rx.rung;
            self.make_visible(at, next);
            return if last && next > 0 {
                Did::Overtook
            } else {
                Did::Something
            };
        }
        if let Some(packet) = starts {
            self.start(at, packet);
            return Did::Something;
        }
        if tx || rx {
            self.fetch_some(at, if tx { Ring::Tx } else { Ring::Rx });
            return Did::Something;
        }
        if waiting {
            return Did::OnlyHeld;
        }
        if self.queues[at].idle() {
            self.active &= !(1 << at);
        }
        Did::Nothing
    }

    fn fetch_some(&mut self, at: usize, ring: Ring) {
        let ahead = self.queues[at].mood.ahead;
        let most = if ahead > 1 {
            self.random.below(BURST) + 1
        } else {
            1
        };
        for _ in 0..most {
            let state = self.queues[at].ring(ring);
            if self.queues[at].stopped.is_some() || !state.can_fetch() {
                return;
            }
            self.fetch(at, ring);
            if self.queues[at].ring(ring).list.len() >= ahead {
                return;
            }
        }
    }

    /// Reads one descriptor from memory and looks at its phase (MODL-2, MODL-6).
    #[inline]
    fn fetch(&mut self, at: usize, ring: Ring) {
        let state = self.queues[at].ring_mut(ring);
        let (slot, index, phase) = state.step();
        let mut bytes = [0; SLOT_BYTES as usize];
        let read = self.memory.read(state.address(slot), &mut bytes);
        self.log.event(|| Event::Fetch {
            queue: at as u8,
            ring,
            index,
            slot,
        });
        if read.is_err() {
            return self.fault(at, ring, index, Cause::Axi(Access::Fetch), true);
        }
        let fetched = Slot::new(ring, bytes, index);
        if fetched.phase() == phase {
            return state.list.push_back(fetched);
        }
        let armed = self.file.latch_ring_id(ring);
        self.fault(at, ring, index, Cause::RingId, armed);
    }

    /// A packet takes its source bytes.
    #[inline]
    fn start(&mut self, at: usize, packet: (usize, usize)) {
        let queue = &self.queues[at];
        let outside = |slot: &&Slot| !self.memory.contains(slot.pointer, u64::from(slot.length()));
        // MODL-7
        if let Some(slot) = queue.tx.list.range(..packet.0).find(outside) {
            let index = slot.index;
            return self.fault(at, Ring::Tx, index, Cause::Axi(Access::Read), true);
        }
        if let Some(slot) = queue.rx.list.range(..packet.1).find(outside) {
            let index = slot.index;
            return self.fault(at, Ring::Rx, index, Cause::Axi(Access::Write), true);
        }
        self.find_unready_source(at, packet.0);
        let strong = self.config.arch.strong_ordered_writes();
        let queue = &mut self.queues[at];
        let (tx, rx) = (queue.tx.list[0].index, queue.rx.list[0].index);
        let mut bells = std::mem::take(&mut queue.tx.bells);
        let log = &mut self.log;
        queue.take(packet, strong, |tx, rx| {
            while bells.front().is_some_and(|bell| bell.end <= tx) {
                bells.pop_front();
            }
            // MODL-4
            if let Some(bell) = bells.front_mut()
                && rx >= bell.armed
                && !bell.told
            {
                bell.told = true;
                let text = format!(
                    "source read before destination armed: tx #{tx} was rung before rx #{rx}"
                );
                log.finding("MODL-4", Some(at as u8), text);
            }
        });
        queue.tx.bells = bells;
        self.log.event(|| Event::Start {
            queue: at as u8,
            tx,
            rx,
        });
    }

    /// Findings about source bytes that are not there yet: those of an earlier write that is not
    /// visible (MODL-5), and stores that are not published (MODL-6).
    #[inline]
    fn find_unready_source(&mut self, at: usize, count: usize) {
        let queue = &self.queues[at];
        if queue.writes.is_empty() && self.stores.is_empty() {
            return;
        }
        for tx in queue.tx.list.range(..count) {
            let (from, length, index) = (tx.pointer, tx.length(), tx.index);
            let unseen = |write: &&super::write::Write| {
                !write.in_place && overlap(from, length, write.address, write.length)
            };
            if let Some(write) = queue.writes.iter().find(unseen) {
                let earlier = write.index;
                let text = format!("tx #{index} reads what rx #{earlier} writes, not visible yet");
                self.log.finding("MODL-5", Some(at as u8), text);
            }
            if self.stores.touches(from, u64::from(length)) {
                let text = format!("tx #{index} reads a store that is not published");
                self.log.finding("MODL-6", Some(at as u8), text);
            }
        }
    }

    /// A started write becomes visible.
    pub(super) fn make_visible(&mut self, at: usize, next: usize) {
        let Some(mut write) = self.queues[at].writes.remove(next) else {
            return;
        };
        self.keep_sources(write.address, write.length);
        write.perform(&mut self.memory);
        self.log.event(|| Event::Visible {
            queue: at as u8,
            index: write.index,
            address: write.address,
            length: write.length,
            overtook: next as u32,
        });
    }

    /// Latches an error; a finding where the driver is to blame.
    #[cold]
    fn fault(&mut self, at: usize, ring: Ring, index: u64, cause: Cause, stopped: bool) {
        let fault = Fault {
            queue: at as u8,
            ring,
            index,
            cause,
            stopped,
        };
        self.log.faults.push(fault);
        self.log.event(|| Event::Fault(fault));
        let rule = match cause {
            Cause::RingId => Some("MODL-2"),
            Cause::Stream(_) => Some("MODL-3"),
            Cause::Axi(_) => Some("MODL-7"),
            Cause::NotModelled => None,
        };
        if let Some(rule) = rule {
            let text = format!("{} #{index}: {cause}", ring.name());
            self.log.finding(rule, Some(at as u8), text);
        }
        if stopped {
            self.queues[at].stopped = Some(cause);
        }
    }
}
