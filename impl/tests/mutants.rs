//! Each planted belief of this part is found, and under a rule that was named before it ran.
#![cfg(feature = "mutants")]

mod support;

use support::{EVERYTHING, Findings, repository};

/// Numbers, rules and places of the beliefs 301..399.
fn listed() -> Vec<(u32, String, Vec<String>)> {
    let path = repository("oracle/mutants.toml");
    let text = std::fs::read_to_string(path).expect("mutants.toml");
    let words = |line: &str| -> Vec<String> {
        line.split('"')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect()
    };
    let mut list = Vec::new();
    for entry in text.split("[[mutant]]").skip(1) {
        let line = |key: &str| {
            entry
                .lines()
                .find(|line| line.starts_with(key))
                .unwrap_or_else(|| panic!("{key} in {entry}"))
        };
        let number = line("number").rsplit(' ').next().expect("number");
        let number: u32 = number.parse().expect("number");
        let in_rust = words(line("planted")).iter().any(|place| place == "rust");
        if (301..400).contains(&number) && in_rust {
            list.push((number, words(line("id"))[0].clone(), words(line("rules"))));
        }
    }
    list
}

#[test]
fn every_planted_belief_is_found() {
    let list = listed();
    assert!(!list.is_empty());
    let mut missed = Vec::new();
    for (number, id, rules) in &list {
        udma::fault::choose(*number);
        let first = EVERYTHING.iter().find_map(|check| {
            let mut findings = Findings::default();
            check(&mut findings);
            findings.list.first().map(|finding| finding.rule)
        });
        if !first.is_some_and(|rule| rules.iter().any(|known| known == rule)) {
            missed.push(format!("{number} {id}: {first:?} instead of {rules:?}"));
        }
    }
    udma::fault::choose(0);
    for check in EVERYTHING {
        let mut findings = Findings::default();
        check(&mut findings);
        findings.done();
    }
    assert!(missed.is_empty(), "of {}: {missed:#?}", list.len());
}
