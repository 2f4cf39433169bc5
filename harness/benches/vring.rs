//! Virtual rings beside the C line, and a full dump beside `memcpy`.

#![allow(missing_docs)] // criterion's macro declares an undocumented function

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use udma::Arch;
use udma::vring::{CAP, Vring};
use udma_harness::vring_bench::{FullDump, JOINED, PAIRS, Reference, append};

fn appends(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("append of a 64 KiB copy");
    group.throughput(Throughput::Elements(PAIRS.into()));
    group.bench_function("rust", |bencher| {
        let fresh = || Vring::new("v");
        bencher.iter_batched_ref(fresh, |vring| append(vring, PAIRS), BatchSize::PerIteration);
    });
    group.bench_function("c", |bencher| {
        let work = |vring: &mut Reference| vring.append(PAIRS);
        bencher.iter_batched_ref(Reference::new, work, BatchSize::PerIteration);
    });
    group.finish();
}

fn packs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pack, joined and parted");
    group.throughput(Throughput::Elements(2 * u64::from(PAIRS)));
    let (mut vring, mut reference) = (Vring::new("v"), Reference::new());
    append(&mut vring, PAIRS);
    reference.append(PAIRS);
    group.bench_function("rust", |bencher| {
        bencher.iter(|| {
            for max_bytes in [JOINED, 1] {
                vring
                    .pack(Arch::Cayman, 0..PAIRS, max_bytes)
                    .expect("a pack");
            }
        });
    });
    group.bench_function("c", |bencher| {
        bencher.iter(|| {
            for max_bytes in [JOINED, 1] {
                reference.pack(PAIRS, max_bytes);
            }
        });
    });
    group.finish();
}

fn dumps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("16,777,200 descriptors");
    group.throughput(Throughput::Bytes(16 * u64::from(CAP)));
    group.sample_size(10);
    let mut full = FullDump::new();
    group.bench_function("dump", |bencher| bencher.iter(|| full.dump()));
    group.bench_function("memcpy", |bencher| bencher.iter(|| full.memcpy()));
    group.finish();
}

criterion_group!(benches, appends, packs, dumps);
criterion_main!(benches);
