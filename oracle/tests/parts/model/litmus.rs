//! MODL-5 by small programs: what it allows occurs, what it forbids does not.

use std::collections::BTreeMap;

use super::driver::{Driver, Modes, SOURCE, TARGET};
use udma_oracle::model::{Arch, Schedule};

/// One program: the modes of its pairs, and which two of them write to shared bytes.
struct Program<'a> {
    arch: Arch,
    modes: &'a [Modes],
    shared: Option<(usize, usize)>,
}

impl Program<'_> {
    /// Whether MODL-5 lets pair `late` become visible before `early`; written from its text alone.
    fn free(&self, early: usize, late: usize) -> bool {
        let barrier = self.modes[early..late]
            .iter()
            .any(|modes| modes.write_barrier);
        // What follows a data memory barrier comes out of the stream behind it (MODL-3).
        let stop = self.modes[early + 1..=late].iter().any(|modes| modes.dmb);
        let strong = self.modes[late].sow && self.arch != Arch::V2;
        !barrier && !stop && !strong && self.shared != Some((early, late))
    }

    /// Every order that the rules allow.
    fn allowed(&self) -> Vec<Vec<u64>> {
        let mut orders = vec![Vec::new()];
        for _ in self.modes {
            orders = orders
                .into_iter()
                .flat_map(|order| {
                    (0..self.modes.len() as u64)
                        .filter(|next| !order.contains(next))
                        .map(|next| [&order[..], &[next]].concat())
                        .collect::<Vec<_>>()
                })
                .collect();
        }
        orders.retain(|order| {
            (0..order.len()).all(|at| {
                order[at + 1..].iter().all(|later| {
                    *later > order[at] || self.free(*later as usize, order[at] as usize)
                })
            })
        });
        orders
    }

    /// The order that a seed gives.
    fn run(&self, seed: u64) -> Vec<u64> {
        let mut driver = Driver::new(self.arch, Schedule::Seeded(seed), 32);
        for (at, modes) in self.modes.iter().enumerate() {
            let place = match self.shared {
                Some((early, late)) if at == late => early * 256 + 32,
                _ => at * 256,
            };
            let source = SOURCE + at as u64 * 256;
            driver.pair(source, TARGET + place as u64, 64, *modes);
        }
        driver.start(self.modes.len() as u32);
        driver.engine.settle();
        assert_eq!(driver.rules(), [""; 0]);
        driver.order()
    }

    /// Orders seen over seeds: those allowed that never came, and runs of a forbidden order.
    fn compare(&self, seeds: u64, seen: &mut Seen) {
        let allowed = self.allowed();
        let mut counts: BTreeMap<Vec<u64>, u64> = BTreeMap::new();
        for seed in 0..seeds {
            *counts.entry(self.run(seed)).or_default() += 1;
        }
        seen.programs += 1;
        seen.runs += seeds;
        seen.allowed += allowed.len() as u64;
        seen.forbidden += factorial(self.modes.len()) - allowed.len() as u64;
        for order in &allowed {
            match counts.remove(order) {
                Some(_) => seen.occurred += 1,
                None => seen.missing.push(format!("{:?} {order:?}", self.modes)),
            }
        }
        seen.broken += counts.values().sum::<u64>();
    }
}

fn factorial(count: usize) -> u64 {
    (1..=count as u64).product()
}

#[derive(Debug, Default)]
struct Seen {
    programs: u64,
    runs: u64,
    /// Orders that the rules allow, over all programs.
    allowed: u64,
    /// Of these, those that occurred.
    occurred: u64,
    /// Orders that the rules forbid, over all programs.
    forbidden: u64,
    /// Runs that gave one of these.
    broken: u64,
    missing: Vec<String>,
}

impl Seen {
    fn judge(&self, what: &str) {
        println!(
            "{what}: {} programs, {} runs; allowed orders {}, occurred {}; forbidden orders {}, runs \
             that gave one {}",
            self.programs, self.runs, self.allowed, self.occurred, self.forbidden, self.broken
        );
        assert_eq!(self.missing, [""; 0], "allowed and never seen");
        assert_eq!(self.broken, 0, "forbidden and seen");
        assert_eq!(self.occurred, self.allowed);
        assert!(self.allowed > 0 && self.forbidden > 0);
    }
}

#[test]
fn every_pair_of_modes() {
    let mut seen = Seen::default();
    for arch in Arch::ALL {
        for first in Modes::all() {
            for second in Modes::all() {
                for shared in [None, Some((0, 1))] {
                    let modes = &[first, second];
                    Program {
                        arch,
                        modes,
                        shared,
                    }
                    .compare(200, &mut seen);
                }
            }
        }
    }
    // 64 combinations, 2 layouts, 3 architectures; two orders each.
    assert_eq!((seen.programs, seen.allowed + seen.forbidden), (384, 768));
    seen.judge("pairs");
}

#[test]
fn every_triple_of_modes() {
    let mut seen = Seen::default();
    let modes = Modes::BASIC;
    for at in 0..64 {
        let modes = &[modes[at % 4], modes[at / 4 % 4], modes[at / 16]];
        for shared in [None, Some((0, 1)), Some((1, 2)), Some((0, 2))] {
            let program = Program {
                arch: Arch::V3,
                modes,
                shared,
            };
            program.compare(300, &mut seen);
        }
    }
    assert_eq!((seen.programs, seen.allowed + seen.forbidden), (256, 1536));
    seen.judge("triples");
}

/// MODL-8: the marker is an ordinary copy; how far it overtakes data.
#[test]
fn a_marker_overtakes_by_any_distance() {
    let mut furthest = 0;
    for seed in 0..200 {
        let mut driver = Driver::new(Arch::V3, Schedule::Seeded(seed), 1024);
        for at in 0..500 {
            driver.pair(SOURCE + at * 64, TARGET + at * 64, 64, Modes::NONE);
        }
        driver.pair(SOURCE + 0x3_0000, TARGET + 0x3_0000, 4, Modes::NONE);
        driver.start(501);
        driver.engine.settle();
        let order = driver.order();
        let marker = order.iter().position(|index| *index == 500).unwrap();
        if let Some(first) = order[marker..].iter().min() {
            furthest = furthest.max(500 - first);
        }
    }
    println!("a marker came ahead of data up to {furthest} pairs before it");
    assert!(furthest > 400);
}

/// No order between queues: whichever is rung first may finish last.
#[test]
fn queues_are_not_ordered() {
    let mut first = [0; 2];
    for seed in 0..64 {
        let mut driver = Driver::new(Arch::V3, Schedule::Seeded(seed), 32);
        driver.pair(SOURCE, TARGET, 64, Modes::SOW);
        driver.start(1);
        // Another queue over the same rings finds the same pair in slot 0.
        driver.queue = 5;
        driver.init();
        driver.start(1);
        while driver.order().is_empty() && driver.engine.step() {}
        first[usize::from(driver.engine.visible(0) == 0)] += 1;
        driver.engine.settle();
        assert_eq!(driver.order().len(), 2);
    }
    assert!(first.iter().all(|count| *count > 0), "{first:?}");
}

#[test]
fn a_seed_gives_its_run_again() {
    let trace = |seed| {
        let mut driver = Driver::new(Arch::V4, Schedule::Seeded(seed), 64);
        for at in 0..24 {
            driver.pair(SOURCE + at * 64, TARGET + at * 64, 64, Modes::NONE);
        }
        driver.start(24);
        for _ in 0..100 {
            driver.engine.advance();
        }
        driver.engine.take_events()
    };
    let mut distinct: Vec<_> = (0..32).map(trace).collect();
    for (seed, events) in distinct.iter().enumerate() {
        assert_eq!(*events, trace(seed as u64));
        let visible = |event: &&udma_oracle::model::Event| event.to_string().contains("visible");
        assert_eq!(
            events.iter().filter(visible).count(),
            24,
            "all within 100 calls"
        );
    }
    distinct.dedup();
    assert!(distinct.len() > 30);
}
