//! `udma bench`: the builders side by side in one run, and the rate of compared pairs.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

use udma_oracle::catalogue::Catalogue;
use udma_oracle::generate::{EXHAUSTIVE, exhaustive, mix};
use udma_oracle::session::{Options, Session};
use udma_oracle::subject::Subject;
use udma_oracle::sweep;
use udma_oracle::wire::{FILL, PairIn, PairOut};

use crate::check::subjects;
use crate::cli::{BenchArgs, print};
use crate::failure::Failure;
use crate::remote::Settings;

/// Pairs per call: inputs and outputs stay in the cache.
pub const BATCH: usize = 1024;
/// Rounds; the best one counts, so that other load on the machine weighs less.
const ROUNDS: usize = 5;

/// A batch inside the common domain of both lines (BLDR-7).
pub fn common_batch() -> Vec<PairIn> {
    (0..BATCH as u64)
        .map(|index| {
            let random = mix(11, index);
            PairIn {
                src: random,
                dst: random.rotate_left(17),
                size: 1 + (random >> 13) % 65536,
                rx_ring_id: (random >> 3 & 3) as u32,
                tx_ring_id: (random >> 5 & 3) as u32,
                mode: (random >> 7 & 3) as i32,
                dst_int: (random >> 9 & 1) as u8,
                sow: 0,
                arch: 3,
                driver: 0,
            }
        })
        .collect()
}

/// Slots for a batch.
pub fn slots() -> Vec<PairOut> {
    vec![
        PairOut {
            tx: FILL,
            rx: FILL,
            ret: 0,
            unused: 0
        };
        BATCH
    ]
}

/// Pairs per second of a subject, best of the rounds, taken in turns by the caller.
fn rate(subject: &dyn Subject, cases: &[PairIn], out: &mut [PairOut], batches: u64) -> f64 {
    let start = Instant::now();
    for _ in 0..batches {
        subject.build_pairs(black_box(cases), black_box(out));
    }
    (batches * BATCH as u64) as f64 / start.elapsed().as_secs_f64()
}

/// Runs the command.
///
/// # Errors
/// Standard output is gone.
pub fn run(args: &BenchArgs) -> Result<ExitCode, Failure> {
    let subjects = subjects(&[], &Settings::default())?;
    let cases = common_batch();
    let mut out = slots();
    let batches = args.millions * 1_000_000 / BATCH as u64;
    let mut best = vec![0f64; subjects.len()];
    // In turns, so that a change of the machine's speed meets everyone.
    for _ in 0..ROUNDS {
        for (best, subject) in best.iter_mut().zip(&subjects) {
            *best = best.max(rate(
                subject.as_ref(),
                &cases,
                &mut out,
                batches / ROUNDS as u64,
            ));
        }
    }
    let fastest_c = subjects
        .iter()
        .zip(&best)
        .filter(|(subject, _)| subject.name().starts_with("c-"))
        .map(|(_, rate)| *rate)
        .fold(0f64, f64::max);
    let mut text = String::from("pair builder, common domain, one core, best of 5\n");
    for (subject, rate) in subjects.iter().zip(&best) {
        text += &format!(
            "  {:<12} {:>7.1} million pairs/s   {:.2} of the fastest C line\n",
            subject.name(),
            rate / 1e6,
            rate / fastest_c
        );
    }
    text += &compared(args.millions)?;
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Compared pairs per second and core: each built by three subjects through `Subject`, each answer
/// compared with what the rules require.
fn compared(millions: u64) -> Result<String, Failure> {
    let catalogue = Catalogue::load();
    let three = subjects(
        &["rust-kernel", "c-kernel", "c-hal"].map(String::from),
        &Settings::default(),
    )?;
    let selected = catalogue.select(&[])?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .map_err(|error| Failure::Input(error.to_string()))?;
    let count = (millions * 1_000_000).min(EXHAUSTIVE);
    let mut best = 0f64;
    for _ in 0..3 {
        let mut session = Session::new(&catalogue, &three, selected.clone(), Options::default());
        let start = Instant::now();
        let tried = pool.install(|| {
            sweep::pairs(&mut session, "bench", count, |first, batch| {
                exhaustive(1, first, batch);
            })
        });
        best = best.max(tried as f64 / start.elapsed().as_secs_f64());
        if !session.findings().is_empty() {
            return Err(Failure::Input(
                "the subjects disagree: run udma check".into(),
            ));
        }
    }
    Ok(format!(
        "compared pairs, rust-kernel + c-kernel + c-hal, one core, best of 3\n  {:>20.1} million \
         pairs/s\n",
        best / 1e6
    ))
}
