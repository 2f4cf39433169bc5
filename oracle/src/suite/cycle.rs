//! What the suites of the ring cycle share: trying runs, and seeds.

use crate::cases::cycle::{Program, Seeded, SeededRun};
use crate::cycle::Run;
use crate::generate::cycle::{ARCHES, seeded};
use crate::generate::mix;
use crate::session::Session;

/// Tries runs on the prompt engine, access by access.
pub fn programs(session: &mut Session, name: &str, runs: impl IntoIterator<Item = Run>) {
    for (number, run) in runs.into_iter().enumerate() {
        if session.done() {
            return;
        }
        session.try_case::<Program>(&|| format!("{name}#{number}"), &run, None);
    }
}

/// Tries `count` small runs, each on an engine of its own seed. `kind` picks among the kinds of
/// [`seeded`]: those with that number modulo 5, or all.
pub fn seeds(session: &mut Session, name: &str, count: u64, kinds: &[u64]) {
    let seed = session.options.seed;
    for number in 0..count {
        if session.done() {
            return;
        }
        let arch = ARCHES[(number % 3) as usize];
        let kind = kinds[(number / 3) as usize % kinds.len()];
        let case = SeededRun {
            seed: mix(seed, number),
            run: seeded(arch, number * 5 + kind),
        };
        session.try_case::<Seeded>(&|| format!("{name}#{number}"), &case, None);
    }
}
