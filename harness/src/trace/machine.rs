//! The engine model as the cycle reaches it, with everything that happens on the timeline.

use udma::cycle::marker::MARKER;
use udma::engine::queue::QueueParams;
use udma::io::{Clock, Cursors, Memory, Mmio, Observer, RingMemory, Side, Space, UserPages};
use udma::{Desc, Error};
use udma_oracle::model::{self, Config, Engine, Event, Pattern};
use udma_oracle::wire::Ring;
use udma_report::text::count;
use udma_report::timeline::{Kind, Timeline};

const LANES: [&str; 4] = ["driver", "tx ring", "rx ring", "memory"];
const DRIVER: usize = 0;
const MEMORY: usize = 3;

/// CPU physical address of the completion buffers.
pub const COMPLETION: u64 = 0x1_0000_0000;
/// CPU physical address of the fill buffer.
pub const BUFFER: u64 = 0x1_0100_0000;
const TX_RING: u64 = 0x1_0200_0000;
const RX_RING: u64 = 0x1_0300_0000;
/// First page of the user buffer, by CPU physical address.
const PAGES: u64 = 0x10_0000_0000;
/// User address of the buffer: not at the start of a page.
pub const USER: u64 = 0x7000_0000_0300;
/// Device addresses of a copy.
pub const SOURCE: u64 = 0x40_0000_0000;
/// Where it goes.
pub const TARGET: u64 = 0x50_0000_0000;
/// What the source holds.
pub const PATTERN: Pattern = Pattern::stream(0x7564_6d61);
const PAGE: u64 = 4096;
/// Pages that lie together in memory before a gap of one.
const TOGETHER: u64 = 3;
/// A pair of size 0 moves this many bytes (BLDR-5).
const LEAST: u64 = 65536;

/// How the memory of a transfer is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// As bytes.
    Bytes,
    /// As runs of what is expected to be there: any size in next to no memory.
    Runs,
    /// The source as runs in the pages of a user buffer.
    Pages,
}

/// An engine with memory for one transfer, and what happened.
pub struct Machine {
    engine: Engine,
    arch: model::Arch,
    ring: u32,
    now: u64,
    timeline: Option<Timeline>,
    /// Looks at a poll word that found nothing, in a row.
    misses: u64,
}

fn lane(side: Side) -> usize {
    match side {
        Side::Tx => 1,
        Side::Rx => 2,
    }
}

fn name(side: Side) -> &'static str {
    match side {
        Side::Tx => "tx",
        Side::Rx => "rx",
    }
}

fn ring_lane(ring: Ring) -> usize {
    match ring {
        Ring::Tx => 1,
        Ring::Rx => 2,
    }
}

/// Where a page of the user buffer lies.
const fn frame(page: u64) -> u64 {
    PAGES + (page + page / TOGETHER) * PAGE
}

/// Adds the user buffer, filled from the offset in its first page on.
fn add_pages(memory: &mut model::Memory, arch: model::Arch, size: u64) {
    let room = "regions that are apart";
    let offset = USER % PAGE;
    let pages = (offset + size).div_ceil(PAGE);
    let bytes = frame(pages) - PAGES;
    memory
        .add_extents(arch.host(PAGES), bytes, Pattern::Repeat(0))
        .expect(room);
    for page in 0..pages {
        let (from, skip) = match page {
            0 => (offset, 0),
            _ => (0, page * PAGE - offset),
        };
        let at = arch.host(frame(page)) + from;
        memory
            .fill(at, PAGE - from, PATTERN.skip(skip))
            .expect(room);
    }
}

impl Machine {
    /// A machine whose rings hold `ring` descriptors, for a transfer of `size` bytes that leaves
    /// `want` at [`TARGET`]. `trace`: its steps can be told.
    pub fn new(config: Config, ring: u32, size: u64, want: Pattern, kept: Kept) -> Self {
        let mut memory = model::Memory::new();
        let (arch, length) = (config.arch, size.max(LEAST));
        let room = "regions that are apart";
        for (base, bytes) in [
            (COMPLETION, 24),
            (BUFFER, LEAST),
            (TX_RING, u64::from(ring) * 16),
            (RX_RING, u64::from(ring) * 16),
        ] {
            memory.add_bytes(arch.host(base), bytes).expect(room);
        }
        let zero = Pattern::Repeat(0);
        if kept == Kept::Bytes {
            memory.add_bytes(SOURCE, length).expect(room);
            memory.add_bytes(TARGET, length).expect(room);
            memory.fill(SOURCE, length, PATTERN).expect(room);
            // Pages that were never touched would make the first batches slower.
            memory.fill(TARGET, length, Pattern::Repeat(1)).expect(room);
        } else {
            memory.add_extents(SOURCE, length, PATTERN).expect(room);
            memory.add_extents(TARGET, length, zero).expect(room);
            memory.expect(TARGET, want).expect(room);
        }
        if kept == Kept::Pages {
            add_pages(&mut memory, arch, size);
        }
        Self {
            engine: Engine::new(memory, config),
            arch,
            ring,
            now: 0,
            timeline: None,
            misses: 0,
        }
    }

    /// Host memory as the engine sees it (HOST-1).
    pub const fn host(&self, cpu: u64) -> u64 {
        self.arch.host(cpu)
    }

    /// Its rings as queue initialisation takes them.
    pub fn rings(&self) -> QueueParams {
        QueueParams {
            size: [self.ring; 2],
            base: [self.host(TX_RING), self.host(RX_RING)],
            has_memory: [true; 2],
            allocatable: true,
            ..QueueParams::default()
        }
    }

    /// Lets the engine finish.
    pub fn settle(&mut self) {
        self.engine.settle();
        self.tell();
    }

    /// What happens from now on is told.
    pub fn begin(&mut self, title: String) {
        self.engine.take_events();
        self.timeline = Some(Timeline::new(title, &LANES));
    }

    /// Lets the engine finish and looks at what came of it: the timeline, and whether `size` bytes
    /// of `want` arrived and nothing was found on the way.
    pub fn end(&mut self, error: Option<Error>, size: u64, want: Pattern) -> (Timeline, bool) {
        self.settle();
        self.tell_misses();
        let mut wrong = Vec::new();
        wrong.extend(error.map(|error| format!("the driver gave up: {error}")));
        wrong.extend(self.engine.findings().iter().map(ToString::to_string));
        let memory = self.engine.memory();
        match memory.first_difference(TARGET, size, want) {
            Ok(None) => {}
            Ok(Some(at)) => wrong.push(format!("the byte at {at:#x} is not the source's")),
            Err(outside) => wrong.push(outside.to_string()),
        }
        let mut timeline = self.timeline.take().unwrap_or_default();
        let held = wrong.is_empty();
        for text in wrong {
            timeline.push(DRIVER, Kind::Wrong, text);
        }
        (timeline, held)
    }

    fn row(&mut self, lane: usize, to: Option<usize>, kind: Kind, text: impl FnOnce() -> String) {
        match (&mut self.timeline, to) {
            (None, _) => {}
            (Some(timeline), Some(to)) => timeline.send(lane, to, kind, text()),
            (Some(timeline), None) => timeline.push(lane, kind, text()),
        }
    }

    fn tell_misses(&mut self) {
        let misses = std::mem::take(&mut self.misses);
        if misses != 0 {
            let text = || format!("poll: nothing, {}", count(misses, "look"));
            self.row(DRIVER, Some(MEMORY), Kind::Poll, text);
        }
    }

    /// Tells what the engine did.
    fn tell(&mut self) {
        for event in self.engine.take_events() {
            self.event(event);
        }
    }

    fn event(&mut self, event: Event) {
        let (lane, to, kind, text) = match event {
            // Told where the driver asked for it; a source read is no step of the cycle.
            Event::Store { .. } | Event::Start { .. } | Event::Reset { .. } => return,
            Event::Published { address } => {
                let text = format!("store {address:#x} seen before a barrier");
                (MEMORY, None, Kind::Other, text)
            }
            Event::Barrier => (DRIVER, None, Kind::Barrier, "barrier".into()),
            Event::Doorbell { ring, count, .. } => {
                let text = format!("{} doorbell {count}", ring.name());
                (DRIVER, Some(ring_lane(ring)), Kind::Doorbell, text)
            }
            Event::Fetch { ring, slot, .. } => (
                ring_lane(ring),
                None,
                Kind::Fetch,
                format!("fetch slot {slot}"),
            ),
            Event::Visible {
                index,
                address,
                length,
                overtook,
                ..
            } => {
                let slot = index % u64::from(self.ring);
                let completion = self.host(COMPLETION);
                let (kind, what) = if (completion..completion + 24).contains(&address) {
                    (Kind::Marker, "marker".into())
                } else {
                    (Kind::Data, count(length.into(), "byte"))
                };
                let mut text = format!("{what} of slot {slot} visible");
                if overtook != 0 {
                    text += &format!(", ahead of {overtook} earlier");
                }
                (MEMORY, None, kind, text)
            }
            Event::Fault(fault) => {
                let text = format!("#{}: {}", fault.index, fault.cause);
                (ring_lane(fault.ring), None, Kind::Wrong, text)
            }
        };
        self.tell_misses();
        self.row(lane, to, kind, || text);
    }
}

impl Mmio for Machine {
    fn read32(&mut self, _: Space, offset: u64) -> u32 {
        self.engine.read32(offset)
    }

    fn write32(&mut self, _: Space, offset: u64, value: u32) {
        self.engine.write32(offset, value);
        self.tell();
    }

    fn barrier(&mut self) {
        self.engine.barrier();
        self.tell();
    }
}

impl RingMemory for Machine {
    fn publish(&mut self, side: Side, slot: u32, desc: &Desc) {
        let base = match side {
            Side::Tx => TX_RING,
            Side::Rx => RX_RING,
        };
        // A store outside is a finding of the engine's.
        let _ = self
            .engine
            .store(base + u64::from(slot) * 16, &desc.to_bytes());
        self.tell();
        let text = || {
            let bytes = count(desc.length().into(), "byte");
            format!(
                "stage {} slot {slot}: {bytes}, phase {}",
                name(side),
                desc.ring_id()
            )
        };
        self.row(DRIVER, Some(lane(side)), Kind::Stage, text);
    }
}

impl Memory for Machine {
    fn store32(&mut self, address: u64, value: u32) {
        let _ = self.engine.store32(address, value);
        self.tell();
        let text = || format!("store {value:#010x} to {address:#x}");
        self.tell_misses();
        self.row(DRIVER, Some(MEMORY), Kind::Stage, text);
    }

    fn load32(&mut self, address: u64) -> u32 {
        let value = self.engine.load32(address).unwrap_or_default();
        if value == MARKER {
            self.tell_misses();
            self.row(DRIVER, Some(MEMORY), Kind::Poll, || {
                "poll: the marker".into()
            });
        } else {
            self.misses += 1;
        }
        value
    }

    fn fill(&mut self, address: u64, byte: u8, len: u64) {
        let _ = self.engine.store(address, &vec![byte; len as usize]);
        self.tell();
        let text = || format!("fill {} with {byte:#04x}", count(len, "byte"));
        self.row(DRIVER, Some(MEMORY), Kind::Stage, text);
    }
}

impl Clock for Machine {
    fn now(&mut self) -> u64 {
        self.now
    }

    fn delay(&mut self, us: u64) {
        self.now = self.now.wrapping_add(us);
        self.engine.advance();
        self.tell();
    }

    fn in_reset_window(&mut self, _: u64) -> bool {
        false
    }
}

impl Observer for Machine {
    fn acked(&mut self, _: u32, side: Side, cursors: Cursors) {
        let text = || format!("ack {} up to slot {}", name(side), cursors.next_cdesc);
        self.row(DRIVER, Some(lane(side)), Kind::Ack, text);
    }
}

impl UserPages for Machine {
    fn pin(&mut self, page: u64, frames: &mut [u64]) -> bool {
        let first = (page - USER / PAGE * PAGE) / PAGE;
        for (number, address) in (first..).zip(frames.iter_mut()) {
            *address = frame(number);
        }
        let text = || format!("pin {}", count(frames.len() as u64, "page"));
        self.row(DRIVER, None, Kind::Other, text);
        true
    }

    fn unpin(&mut self, _: u64, pages: usize) {
        let text = || format!("unpin {}", count(pages as u64, "page"));
        self.row(DRIVER, None, Kind::Other, text);
    }
}
