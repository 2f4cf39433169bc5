//! A driver of one queue, as small as it can be: raw words, no checks, every step its own call.

use udma_oracle::law::word::{meta, word0};
use udma_oracle::model::{Arch, Config, Engine, Event, Memory, Schedule};
use udma_oracle::wire::Ring;

pub const TX_RING: u64 = 0x1_0000;
pub const RX_RING: u64 = 0x8_0000;
/// Host memory for data and markers.
pub const DATA: u64 = 0x10_0000;
pub const DATA_BYTES: u64 = 0x8_0000;
pub const SOURCE: u64 = DATA;
pub const TARGET: u64 = DATA + 0x4_0000;

/// Offset of a queue's block.
pub fn block(ring: Ring, queue: u64) -> u64 {
    let base = match ring {
        Ring::Tx => 0x1000,
        Ring::Rx => 0x2_1000,
    };
    base + queue * 0x1000
}

/// Words of a TX descriptor: flags of word0, flags of word1.
pub const PACKET: u32 = word0::FIRST | word0::LAST;

pub struct Driver {
    pub engine: Engine,
    pub arch: Arch,
    pub queue: u64,
    pub size: u32,
    /// Slots handed out on TX and RX since the reset.
    pub staged: [u64; 2],
}

impl Driver {
    pub fn new(arch: Arch, schedule: Schedule, size: u32) -> Self {
        let mut memory = Memory::new();
        let host = |cpu| arch.host(cpu);
        memory
            .add_bytes(host(TX_RING), u64::from(size) * 16)
            .unwrap();
        memory
            .add_bytes(host(RX_RING), u64::from(size) * 16)
            .unwrap();
        memory.add_bytes(host(DATA), DATA_BYTES).unwrap();
        let config = Config {
            trace: true,
            ..Config::new(arch, schedule)
        };
        let mut driver = Self {
            engine: Engine::new(memory, config),
            arch,
            queue: 0,
            size,
            staged: [0; 2],
        };
        driver.init();
        driver
    }

    pub fn write(&mut self, ring: Ring, register: u64, value: u32) {
        self.engine
            .write32(block(ring, self.queue) + register, value);
    }

    pub fn read(&self, ring: Ring, register: u64) -> u32 {
        self.engine.read32(block(ring, self.queue) + register)
    }

    /// Steps 2 to 8 of QINI-5 on both rings.
    pub fn init(&mut self) {
        for (ring, base, reset) in [(Ring::Tx, TX_RING, 0xb0), (Ring::Rx, RX_RING, 0x64)] {
            let base = self.arch.host(base);
            self.write(ring, 0x20, 0x0300_0000);
            self.write(ring, reset, 0x100);
            self.write(ring, 0x28, base as u32);
            self.write(ring, 0x2c, (base >> 32) as u32);
            self.write(ring, 0x30, self.size);
            self.write(ring, 0x20, 0x0303_0000);
        }
        self.staged = [0; 2];
    }

    /// Phase of the lap that slot number `index` since the reset lies in.
    pub fn phase(&self, index: u64) -> u32 {
        ((index / u64::from(self.size) + 1) & 3) as u32
    }

    pub fn raw(&mut self, ring: Ring, index: u64, words: [u32; 2], pointer: u64) {
        let base = match ring {
            Ring::Tx => TX_RING,
            Ring::Rx => RX_RING,
        };
        let value = u128::from(words[0]) | u128::from(words[1]) << 32 | u128::from(pointer) << 64;
        let slot = base + index % u64::from(self.size) * 16;
        self.engine.store(slot, &value.to_le_bytes()).unwrap();
    }

    /// Stages a descriptor with the right phase.
    pub fn stage(&mut self, ring: Ring, words: [u32; 2], pointer: u64) {
        let index = self.staged[ring as usize];
        self.staged[ring as usize] += 1;
        let phase = self.phase(index) << 24;
        self.raw(ring, index, [words[0] | phase, words[1]], pointer);
    }

    /// Stages one pair of host addresses; `dmb`, write barrier and `sow` as asked.
    pub fn pair(&mut self, source: u64, target: u64, size: u32, modes: Modes) {
        let size = size & 0xffff;
        let dmb = if modes.dmb { word0::DMB } else { 0 };
        let barrier = if modes.write_barrier {
            meta::WRITE_BARRIER
        } else {
            0
        };
        let sow = if modes.sow { word0::SOW } else { 0 };
        let tx = [PACKET | dmb | size, meta::PLAIN_COPY | barrier];
        self.stage(Ring::Tx, tx, self.arch.host(source));
        self.stage(Ring::Rx, [sow | size, 0], self.arch.host(target));
    }

    pub fn ring(&mut self, ring: Ring, count: u32) {
        self.engine.barrier();
        self.write(ring, 0x38, count);
    }

    /// RX, then TX.
    pub fn start(&mut self, count: u32) {
        self.ring(Ring::Rx, count);
        self.ring(Ring::Tx, count);
    }

    /// RX indices in the order in which they became visible.
    pub fn order(&self) -> Vec<u64> {
        let index = |event: &Event| match event {
            Event::Visible { index, .. } => Some(*index),
            _ => None,
        };
        self.engine.events().iter().filter_map(index).collect()
    }

    pub fn rules(&self) -> Vec<&'static str> {
        self.engine
            .findings()
            .iter()
            .map(|finding| finding.rule)
            .collect()
    }
}

/// Ordering bits of a pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modes {
    pub dmb: bool,
    pub write_barrier: bool,
    pub sow: bool,
}

impl Modes {
    pub const NONE: Self = Self {
        dmb: false,
        write_barrier: false,
        sow: false,
    };
    pub const DMB: Self = Self {
        dmb: true,
        ..Self::NONE
    };
    pub const WRITE_BARRIER: Self = Self {
        write_barrier: true,
        ..Self::NONE
    };
    pub const SOW: Self = Self {
        sow: true,
        ..Self::NONE
    };
    pub const BASIC: [Self; 4] = [Self::NONE, Self::DMB, Self::WRITE_BARRIER, Self::SOW];

    /// Every combination.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        (0..8).map(|bits| Self {
            dmb: bits & 1 != 0,
            write_barrier: bits & 2 != 0,
            sow: bits & 4 != 0,
        })
    }
}
