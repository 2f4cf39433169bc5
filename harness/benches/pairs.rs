//! Pair builders of both languages and lines in one group, and the rate of compared pairs.

#![allow(missing_docs)] // criterion's macro declares an undocumented function

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use udma_harness::bench::{BATCH, common_batch, slots};
use udma_oracle::catalogue::Catalogue;
use udma_oracle::generate::exhaustive;
use udma_oracle::session::{Options, Session};
use udma_oracle::subjects::{BUILT_IN, built_in};
use udma_oracle::sweep;

fn builders(criterion: &mut Criterion) {
    let cases = common_batch();
    let mut group = criterion.benchmark_group("pair builder");
    group.throughput(Throughput::Elements(BATCH as u64));
    for name in BUILT_IN {
        let subject = built_in(name).expect("built-in subject");
        let mut out = slots();
        group.bench_function(name, |bencher| {
            bencher.iter(|| subject.build_pairs(black_box(&cases), black_box(&mut out)));
        });
    }
    group.finish();
}

fn compared(criterion: &mut Criterion) {
    const PAIRS: u64 = 1 << 20;
    let catalogue = Catalogue::load();
    let subjects: Vec<_> = ["rust-kernel", "c-kernel", "c-hal"]
        .iter()
        .map(|name| built_in(name).expect("built-in subject"))
        .collect();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a pool");
    let mut group = criterion.benchmark_group("compared pairs");
    group
        .throughput(Throughput::Elements(PAIRS))
        .sample_size(10);
    group.bench_function("three subjects, one core", |bencher| {
        bencher.iter(|| {
            let selected = catalogue.select(&[]).expect("all rules");
            let mut session = Session::new(&catalogue, &subjects, selected, Options::default());
            pool.install(|| {
                sweep::pairs(&mut session, "bench", PAIRS, |at, batch| {
                    exhaustive(1, at, batch);
                })
            })
        });
    });
    group.finish();
}

criterion_group!(benches, builders, compared);
criterion_main!(benches);
