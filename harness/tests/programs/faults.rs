//! Every planted device fault is found by the corpus, and blamed on a rule of its set.

use std::path::Path;

use udma_harness::corpus;
use udma_harness::interpret::Interpretation;
use udma_harness::program::{Arch, Program};
use udma_harness::run::backend::{Backend, Ran, Settings};
use udma_harness::run::judge::{Difference, Judge, Verdict};
use udma_harness::vdev::Fault;

use super::{HERE, LARGE, interpreted, source};

/// Rounds that a fault of ordering may need.
const ROUNDS: u64 = 20;

/// Programs with what judges them.
struct Judged {
    program: Program,
    interpretation: Interpretation,
}

/// The first finding of a program under a fault.
fn first(fault: Fault, arch: Arch, programs: &[Judged]) -> Option<(String, Difference)> {
    let settings = Settings {
        arch,
        fault: Some(fault),
        ..Settings::default()
    };
    for round in 0..ROUNDS {
        for Judged {
            program,
            interpretation,
        } in programs
        {
            // Programs that name one of its rules are the ones to find it.
            let named = |rule: &str| fault.rules().contains(&rule);
            let leaves = fault.rules().contains(&"DEV-20");
            if !leaves && !program.named_rules().any(named) {
                continue;
            }
            let judge = Judge::new(program, interpretation, Path::new(HERE)).unwrap();
            let backend = Backend::Model { seed: 1 };
            let ran = backend.run(source(program), round, &settings);
            let Ok(Ran::Outcome(outcome, _)) = ran else {
                continue;
            };
            if let Verdict::Differs(differences) = judge.judge(&outcome)
                && let Some(found) = differences
                    .into_iter()
                    .find(|found| fault.rules().contains(&found.rule.as_str()))
            {
                return Some((program.name.clone(), found));
            }
        }
    }
    None
}

#[test]
fn every_fault_is_found() {
    assert!(Fault::ALL.len() >= 30);
    let arch = Arch::V3;
    let programs: Vec<Judged> = corpus::all()
        .into_iter()
        .filter(|program| program.suits(arch) && program.bytes() <= LARGE)
        .map(|program| Judged {
            interpretation: interpreted(&program, arch),
            program,
        })
        .collect();
    let mut missed = Vec::new();
    for fault in Fault::ALL.iter().copied() {
        match first(fault, arch, &programs) {
            Some((program, found)) => {
                println!(
                    "{:<20} {:<8} {program}: {}",
                    fault.id(),
                    found.rule,
                    found.summary
                );
            }
            None => missed.push(fault.id()),
        }
    }
    assert_eq!(missed, [""; 0], "not found");
}
