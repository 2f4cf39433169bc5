//! Every planted wrong belief is caught by the checks, and the first finding names a rule of its
//! set. Builds with the `mutants` feature alone.
#![cfg(feature = "mutants")]

use std::path::Path;

use udma_harness::mutants::{Scope, attempt, first_finding};
use udma_oracle::catalogue::Catalogue;
use udma_oracle::mutants::all;

/// The choice of a belief is global: one test tries them in turn. Tests are processes of their
/// own, so that the shards run side by side.
fn shard(index: usize, of: usize) {
    let catalogue = Catalogue::load();
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora");
    let mut missed = Vec::new();
    let mut tried = 0;
    let mut mutants = all();
    // A plain run puts each to the families that may be blamed; a deep one to every check.
    let scope = if std::env::var_os("UDMA_DEEP").is_some() {
        Scope::Everything
    } else {
        Scope::Families
    };
    let wanted = wanted();
    mutants.retain(|mutant| {
        wanted
            .as_ref()
            .is_none_or(|numbers| numbers.contains(&mutant.number))
    });
    for mutant in mutants.iter().skip(index).step_by(of) {
        for place in &mutant.planted {
            tried += 1;
            let trial =
                attempt(&catalogue, mutant, place, scope, &corpora).expect("vectors can be read");
            if !trial.is_caught() {
                missed.push(trial.line());
            }
        }
    }
    assert!(tried > 0 || wanted.is_some());
    assert!(missed.is_empty(), "{}", missed.concat());
}

/// The numbers in `UDMA_MUTANTS`, as `101..199` (both ends are in it).
fn wanted() -> Option<std::ops::RangeInclusive<u32>> {
    let text = std::env::var("UDMA_MUTANTS").ok()?;
    let (first, last) = text.split_once("..").unwrap_or((&text, &text));
    let number = |text: &str| {
        text.parse()
            .expect("UDMA_MUTANTS is FIRST..LAST or one number")
    };
    Some(number(first)..=number(last))
}

#[test]
fn mutants_of_the_first_quarter_are_caught() {
    shard(0, 4);
}

#[test]
fn mutants_of_the_second_quarter_are_caught() {
    shard(1, 4);
}

#[test]
fn mutants_of_the_third_quarter_are_caught() {
    shard(2, 4);
}

#[test]
fn mutants_of_the_fourth_quarter_are_caught() {
    shard(3, 4);
}

/// With nothing planted the same run finds nothing.
#[test]
fn no_mutant_no_finding() {
    let catalogue = Catalogue::load();
    let mut nothing = all().swap_remove(0);
    nothing.number = 0;
    for place in ["rust", "c-kernel", "c-hal"] {
        let found =
            first_finding(&catalogue, &nothing, place, Scope::Everything, None).expect("a run");
        assert!(found.is_none(), "{place}: {found:?}");
    }
}
