//! The recorded runs' surroundings: logs what the driver does, and a small engine that makes copies
//! finish, as golden/README.md describes it.

use udma::cycle::host::host_window;
use udma::io::{Clock, Cursors, Memory, Mmio, Observer, RingMemory, Side, Space, UserPages};
use udma::{Arch, Desc};

use super::arena::Arena;

/// One thing that the driver did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// 32-bit store to host memory.
    Store(u64, u32),
    /// Full barrier.
    Barrier,
    /// Register write: side, offset in the queue block, offset from the engine base, value.
    Write(Side, u64, u64, u32),
    /// Register read, by offset from the engine base.
    Read(u64),
    /// A delay in microseconds.
    Delay(u64),
    /// Loads of the poll word.
    Poll(u64),
    /// Times a load was followed by a delay of one microsecond.
    PollDelay(u64),
    /// Acknowledge: the consumer index after.
    Ack(Side, u32),
}

/// What the engine took at one doorbell of TX, with what RX was rung for it.
#[derive(Clone, Debug)]
pub struct Rung {
    /// Slots of the first TX and RX descriptor.
    pub start: [u32; 2],
    /// TX and RX descriptors.
    pub descs: [Vec<Desc>; 2],
    /// Cursors of TX and RX after the acknowledge of this batch.
    pub acked: [Option<Cursors>; 2],
    /// Delay calls that were made before.
    pub delays: usize,
}

/// How the engine behaves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Model {
    /// Delay calls that go by before a batch is done.
    pub delay_calls: u64,
    /// Batches that are swallowed.
    pub lost_batches: u64,
    /// How often the driver is told that its copy began inside a reset window.
    pub in_reset_window: u64,
}

/// One ring as the engine sees it.
#[derive(Default)]
struct Tail {
    /// Descriptors of the ring, as programmed.
    length: u32,
    /// Descriptors taken since the reset.
    taken: u64,
}

/// The machine under a driver.
pub struct Machine {
    /// Memory by DMA address.
    pub arena: Arena,
    /// What the driver did.
    pub events: Vec<Event>,
    /// Batches rung.
    pub rung: Vec<Rung>,
    /// Every delay call.
    pub delays: Vec<u64>,
    /// What must not have happened.
    pub faults: Vec<String>,
    /// How the engine behaves.
    pub model: Model,
    /// Frame of each page of the user buffer, and the buffer's first page address.
    pub user: (u64, Vec<u64>),
    /// Pages pinned now.
    pub pinned: u64,
    /// Most pages pinned at a time.
    pub most_pinned: u64,
    /// Reset windows asked for: the start that was given.
    pub windows_asked: Vec<u64>,
    /// The two rings.
    pub rings: [Vec<Desc>; 2],
    window: u64,
    tails: [Tail; 2],
    received: Option<(u32, Vec<Desc>)>,
    /// Batches out: index in `rung`, delay calls until done.
    out: Vec<(usize, u64)>,
    /// Batches that were acknowledged on each side.
    acks: [usize; 2],
    now: u64,
}

impl Machine {
    /// A machine whose queue has rings of `size` descriptors.
    pub fn new(arch: Arch, size: u32) -> Self {
        let ring = || vec![Desc::default(); size as usize];
        Self {
            arena: Arena::default(),
            events: Vec::new(),
            rung: Vec::new(),
            delays: Vec::new(),
            faults: Vec::new(),
            model: Model::default(),
            user: (0, Vec::new()),
            pinned: 0,
            most_pinned: 0,
            windows_asked: Vec::new(),
            rings: [ring(), ring()],
            window: match arch {
                Arch::Sunda => 0x1000_0000_0000,
                _ => 0x4000_0000_0000,
            },
            tails: Default::default(),
            received: None,
            out: Vec::new(),
            acks: [0; 2],
            now: 0,
        }
    }

    /// Forgets what was seen, as after a warm-up that is not recorded.
    pub fn forget(&mut self) {
        self.events.clear();
        self.rung.clear();
        self.delays.clear();
        self.acks = [0; 2];
        self.out.clear();
    }

    /// Host memory by CPU address, as the engine addresses it (HOST-1).
    pub fn host(&self, cpu: u64) -> u64 {
        cpu | self.window
    }

    fn log_write(&mut self, offset: u64, value: u32) {
        let (side, block) = if offset < 0x2_0000 {
            (Side::Tx, 0)
        } else {
            (Side::Rx, 0x2_0000)
        };
        let in_block = (offset - block) % 0x1000;
        self.events
            .push(Event::Write(side, in_block, offset, value));
        let tail = &mut self.tails[side as usize];
        match (side, in_block) {
            (Side::Tx, 0xb0) | (Side::Rx, 0x64) if value == 0x100 => {
                tail.taken = 0;
                self.received = None;
                self.out.clear();
                self.acks = [self.rung.len(); 2];
            }
            (_, 0x30) => tail.length = value,
            (_, 0x38) => self.doorbell(side, value),
            _ => {}
        }
    }

    fn doorbell(&mut self, side: Side, count: u32) {
        let tail = &mut self.tails[side as usize];
        let size = u64::from(tail.length);
        if size == 0 || u64::from(count) > size {
            self.faults
                .push(format!("{side:?} rung with {count} of {size}"));
            return;
        }
        let start = (tail.taken % size) as u32;
        let mut taken = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let (lap, slot) = (tail.taken / size, tail.taken % size);
            let desc = self.rings[side as usize][slot as usize];
            if u64::from(desc.ring_id()) != (lap + 1) % 4 {
                self.faults
                    .push(format!("{side:?} slot {slot} of lap {lap}: phase"));
            }
            tail.taken += 1;
            taken.push(desc);
        }
        if side == Side::Rx {
            if self.received.replace((start, taken)).is_some() {
                self.faults.push("RX rung twice".into());
            }
            return;
        }
        let Some((rx_start, received)) = self.received.take() else {
            self.faults.push("TX rung before RX".into());
            return;
        };
        if received.len() != taken.len() {
            self.faults
                .push("TX and RX rung for different counts".into());
        }
        if self.model.lost_batches != 0 {
            self.model.lost_batches -= 1;
        } else {
            self.out.push((self.rung.len(), self.model.delay_calls));
        }
        self.rung.push(Rung {
            start: [start, rx_start],
            descs: [taken, received],
            acked: [None; 2],
            delays: self.delays.len(),
        });
    }

    fn work(&mut self) {
        let mut out = std::mem::take(&mut self.out);
        out.retain_mut(|(batch, left)| {
            if *left != 0 {
                *left -= 1;
                return true;
            }
            let [tx, rx] = &self.rung[*batch].descs;
            for (tx, rx) in tx.iter().zip(rx) {
                if tx.length() != rx.length() {
                    self.faults.push("TX and RX lengths differ".into());
                }
                self.arena
                    .copy(tx.pointer(), rx.pointer(), tx.length().into());
            }
            false
        });
        self.out = out;
    }
}

impl Mmio for Machine {
    fn read32(&mut self, _: Space, offset: u64) -> u32 {
        self.events.push(Event::Read(offset));
        0
    }

    fn write32(&mut self, _: Space, offset: u64, value: u32) {
        self.log_write(offset, value);
    }

    fn barrier(&mut self) {
        self.events.push(Event::Barrier);
    }
}

impl RingMemory for Machine {
    fn publish(&mut self, side: Side, slot: u32, desc: &Desc) {
        self.rings[side as usize][slot as usize] = *desc;
    }
}

impl Memory for Machine {
    fn store32(&mut self, address: u64, value: u32) {
        self.events.push(Event::Store(address, value));
        self.arena.store32(address | self.window, value);
    }

    fn load32(&mut self, address: u64) -> u32 {
        match self.events.last_mut() {
            Some(Event::Poll(count)) => *count += 1,
            _ => self.events.push(Event::Poll(1)),
        }
        self.arena.load32(address | self.window)
    }

    fn fill(&mut self, address: u64, byte: u8, len: u64) {
        self.arena.fill(address | self.window, len, byte);
    }
}

impl Clock for Machine {
    fn now(&mut self) -> u64 {
        self.now
    }

    fn delay(&mut self, us: u64) {
        self.now = self.now.wrapping_add(us);
        self.delays.push(us);
        match self.events.last() {
            Some(Event::Poll(1)) if us == 1 => {
                self.events.pop();
                match self.events.last_mut() {
                    Some(Event::PollDelay(count)) => *count += 1,
                    _ => self.events.push(Event::PollDelay(1)),
                }
            }
            _ => self.events.push(Event::Delay(us)),
        }
        self.work();
    }

    fn in_reset_window(&mut self, start: u64) -> bool {
        self.windows_asked.push(start);
        let told = self.model.in_reset_window != 0;
        self.model.in_reset_window -= u64::from(told);
        told
    }
}

impl Observer for Machine {
    fn acked(&mut self, _: u32, side: Side, cursors: Cursors) {
        self.events.push(Event::Ack(side, cursors.next_cdesc));
        let batch = self.acks[side as usize];
        self.acks[side as usize] += 1;
        match self.rung.get_mut(batch) {
            Some(rung) => rung.acked[side as usize] = Some(cursors),
            None => self
                .faults
                .push(format!("{side:?} acknowledged, nothing out")),
        }
    }
}

impl UserPages for Machine {
    fn pin(&mut self, page: u64, frames: &mut [u64]) -> bool {
        let first = (page.wrapping_sub(self.user.0) / 4096) as usize;
        let Some(known) = self.user.1.get(first..first + frames.len()) else {
            return false;
        };
        frames.copy_from_slice(known);
        self.pinned += frames.len() as u64;
        self.most_pinned = self.most_pinned.max(self.pinned);
        true
    }

    fn unpin(&mut self, _: u64, count: usize) {
        self.pinned -= count as u64;
    }
}

/// The window of the subject is the one that the machine has by itself.
pub fn window_agrees(arch: Arch, recorded: u64) -> bool {
    host_window(arch) == recorded && Machine::new(arch, 32).window == recorded
}
