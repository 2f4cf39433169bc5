//! The driver's hands on one engine: what the Rust implementation's cycle reaches the model through.

use udma::Desc;
use udma::io::{Clock, Memory, Mmio, Observer, RingMemory, Side, Space};
use udma_oracle::model::Engine;

/// Registers, ring memory, host memory and time of one engine.
pub struct Hands<'a> {
    /// The engine, with the memory.
    pub engine: &'a mut Engine,
    /// CPU physical addresses of the rings that descriptors are published in: TX, RX.
    pub rings: [u64; 2],
    /// Microseconds.
    pub clock: &'a mut u64,
    /// Whether queue resets reach the engine.
    pub resets: bool,
}

/// Registers that a queue reset is written to, by their places in the TX and RX block.
const RESETS: [(u64, u64); 2] = [(0x1000, 0xb0), (0x2_1000, 0x64)];
/// Bytes of the queue blocks of one side.
const BLOCKS: u64 = 0x1_0000;

impl Mmio for Hands<'_> {
    fn read32(&mut self, _: Space, offset: u64) -> u32 {
        self.engine.read32(offset)
    }

    fn write32(&mut self, _: Space, offset: u64, value: u32) {
        let is_reset = |(first, at): (u64, u64)| {
            offset >= first && offset - first < BLOCKS && offset & 0xfff == at
        };
        if self.resets || !RESETS.into_iter().any(is_reset) {
            self.engine.write32(offset, value);
        }
    }

    fn barrier(&mut self) {
        self.engine.barrier();
    }
}

impl RingMemory for Hands<'_> {
    fn publish(&mut self, side: Side, slot: u32, desc: &Desc) {
        let address = self.rings[side as usize] + u64::from(slot) * 16;
        self.engine
            .store(address, &desc.to_bytes())
            .expect("rings of the driver are in host memory");
    }
}

impl Memory for Hands<'_> {
    fn store32(&mut self, address: u64, value: u32) {
        self.engine
            .store32(address, value)
            .expect("completion buffers of the driver are in host memory");
    }

    fn load32(&mut self, address: u64) -> u32 {
        self.engine
            .load32(address)
            .expect("completion buffers of the driver are in host memory")
    }

    fn fill(&mut self, address: u64, byte: u8, len: u64) {
        let bytes = vec![byte; len as usize];
        self.engine
            .store(address, &bytes)
            .expect("fill buffers of the driver are in host memory");
    }
}

impl Clock for Hands<'_> {
    fn now(&mut self) -> u64 {
        *self.clock
    }

    fn delay(&mut self, us: u64) {
        *self.clock = self.clock.wrapping_add(us);
        self.engine.advance();
    }

    fn in_reset_window(&mut self, _: u64) -> bool {
        false
    }
}

impl Observer for Hands<'_> {}
