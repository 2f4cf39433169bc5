//! The engine model beside memcpy: descriptors a second with 64-byte pairs, bytes a second with
//! 64 KiB pairs. Staging, barriers and doorbells are part of every batch.

// The macros of criterion make public functions without a word about them.
#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use udma_oracle::model::{Arch, Config, Engine, Memory, Schedule};

const ARCH: Arch = Arch::V3;
const RING: u64 = 8192;
const TX_RING: u64 = 0x10_0000;
const RX_RING: u64 = 0x20_0000;
/// Device memory: far beyond the caches, so that 64 KiB pairs are bound by memory as memcpy is.
const SOURCE: u64 = 0x1_0000_0000;
const TARGET: u64 = 0x2_0000_0000;
const BYTES: u64 = 64 << 20;
const SCHEDULES: [(&str, Schedule); 2] = [
    ("prompt", Schedule::Prompt),
    ("seeded", Schedule::Seeded(1)),
];

struct Driver {
    engine: Engine,
    staged: u64,
}

impl Driver {
    fn new(schedule: Schedule) -> Self {
        let mut memory = Memory::new();
        for (base, length) in [
            (ARCH.host(TX_RING), RING * 16),
            (ARCH.host(RX_RING), RING * 16),
            (SOURCE, BYTES),
            (TARGET, BYTES),
        ] {
            memory.add_bytes(base, length).expect("room");
        }
        // Pages that were never touched would make the first batches slower.
        for base in [SOURCE, TARGET] {
            let ones = udma_oracle::model::Pattern::Repeat(1);
            memory.fill(base, BYTES, ones).expect("inside");
        }
        let mut engine = Engine::new(memory, Config::new(ARCH, schedule));
        for (block, ring) in [(0x1000, TX_RING), (0x2_1000, RX_RING)] {
            let base = ARCH.host(ring);
            engine.write32(block + 0x28, base as u32);
            engine.write32(block + 0x2c, (base >> 32) as u32);
            engine.write32(block + 0x30, RING as u32);
            engine.write32(block + 0x20, 0x0303_0000);
        }
        Self { engine, staged: 0 }
    }

    /// Stages, rings and finishes a batch; a write barrier on the last pair but one.
    fn batch(&mut self, pairs: u64, size: u64) {
        for at in 0..pairs {
            let slot = self.staged % RING;
            let phase = ((self.staged / RING + 1) & 3) << 24;
            self.staged += 1;
            let barrier = if at + 2 == pairs { 0x0400_0000 } else { 0 };
            let length = size & 0xffff;
            let tx = 0x0c00_0000 | phase | length | (0x0108_0003 | barrier) << 32;
            for (ring, words, address) in [
                (TX_RING, tx, SOURCE + at * size),
                (RX_RING, phase | length, TARGET + at * size),
            ] {
                let raw = (u128::from(words) | u128::from(address) << 64).to_le_bytes();
                self.engine.store(ring + slot * 16, &raw).expect("inside");
            }
        }
        for doorbell in [0x2_1038, 0x1038] {
            self.engine.barrier();
            self.engine.write32(doorbell, pairs as u32);
        }
        self.engine.settle();
        assert_eq!(self.engine.visible(0), self.staged);
        assert!(self.engine.findings().is_empty());
    }
}

fn small(criterion: &mut Criterion) {
    const PAIRS: u64 = 2033;
    let mut group = criterion.benchmark_group("model, 64-byte pairs, descriptors");
    group.throughput(Throughput::Elements(2 * PAIRS));
    for (name, schedule) in SCHEDULES {
        let mut driver = Driver::new(schedule);
        group.bench_function(name, |bencher| bencher.iter(|| driver.batch(PAIRS, 64)));
    }
    group.finish();
}

fn large(criterion: &mut Criterion) {
    const CHUNK: u64 = 1 << 16;
    let mut group = criterion.benchmark_group("model, 64 KiB pairs, bytes");
    group.throughput(Throughput::Bytes(BYTES)).sample_size(30);
    for (name, schedule) in SCHEDULES {
        let mut driver = Driver::new(schedule);
        group.bench_function(name, |bencher| {
            bencher.iter(|| driver.batch(BYTES / CHUNK, CHUNK));
        });
    }
    let source = vec![1u8; BYTES as usize];
    let mut target = vec![2u8; BYTES as usize];
    group.bench_function("memcpy", |bencher| {
        bencher.iter(|| {
            let parts = source.chunks_exact(CHUNK as usize);
            for (from, to) in parts.zip(target.chunks_exact_mut(CHUNK as usize)) {
                to.copy_from_slice(black_box(from));
            }
            black_box(&mut target);
        });
    });
    group.finish();
}

criterion_group!(benches, small, large);
criterion_main!(benches);
