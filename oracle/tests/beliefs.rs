//! Each planted wrong belief by the one input that told it (`corpora/beliefs.jsonl`, written by
//! `udma mutants --inputs`): which rule is blamed, how small the input becomes, what is shown of it. Only
//! wrong subjects get there, so that this is what changes to it (`.ci/mutants`) are put to.
#![cfg(feature = "mutants")]

mod inputs;

use std::collections::BTreeSet;

use rstest::rstest;
use serde::Deserialize;
use serde_json::Value;
use udma_oracle::catalogue::{Catalogue, family};
use udma_oracle::mutants::{Mutant, all, put};
use udma_oracle::subjects::built_in;

use inputs::ROWS;

/// A line of the file; what else it holds is read as a kept case.
#[derive(Deserialize)]
struct Row {
    belief: u32,
    place: String,
    subject: String,
    also: Vec<String>,
    found: Value,
    #[serde(rename = "in")]
    smallest: Value,
}

/// How much there is to read in a case.
fn size(case: &Value) -> usize {
    case.to_string().len()
}

/// What is wrong with how a belief is told by its input.
fn told(catalogue: &Catalogue, mutant: &Mutant, row: &Row, kept: &mut Value) -> Result<(), String> {
    let subjects = [built_in(&row.subject).ok_or("a subject that is not built in")?];
    // As it was found: what is made of it must be no larger than what was made of it before.
    kept["in"] = row.found.clone();
    let right = put(catalogue, &subjects, (0, &row.place), kept)?;
    if !right.findings().is_empty() {
        return Err("a finding without the belief".into());
    }
    let wrong = put(catalogue, &subjects, (row.belief, &row.place), kept)?;
    let [finding] = wrong.findings() else {
        return Err(format!("{} findings", wrong.findings().len()));
    };
    if !mutant.rules.contains(&finding.rule) {
        return Err(format!("blamed on {}", finding.rule));
    }
    let report = wrong.report(true, false);
    let results = report.rules.iter().map(|rule| (&rule.id, &rule.results[0]));
    for (id, result) in results {
        let is_blamed = *id == finding.rule || row.also.contains(id);
        if result.failed != u64::from(is_blamed) || result.failed > result.cases {
            return Err(format!("{} of {} break {id}", result.failed, result.cases));
        }
    }
    let [case] = wrong.regressions() else {
        return Err("not one case kept".into());
    };
    if case.also != row.also {
        return Err(format!("breaks {:?}, too", case.also));
    }
    if case.found != row.found {
        return Err(format!("read as {}", case.found));
    }
    let smallest = &case.content["in"];
    if *smallest != finding.input || size(smallest) > size(&row.smallest) {
        return Err(format!("made no smaller than {smallest}"));
    }
    if finding.expected == finding.actual {
        return Err(format!("the same is shown of both: {:?}", finding.actual));
    }
    let lines = || finding.expected.iter().chain(&finding.actual);
    if finding.expected.is_empty() || lines().any(|line| line.trim().is_empty()) {
        return Err(format!("nothing is shown in {:?}", finding.expected));
    }
    Ok(())
}

/// Whether a line's input takes long to be made smaller.
fn is_large(row: &Value) -> bool {
    let large = [178, 179, 182, 205, 222, 279].map(Value::from);
    large.contains(&row["belief"]) || row["family"] == "cycle_seeded"
}

/// Puts each of the inputs of some beliefs in one of several parts, at least so many.
fn all_told(part: usize, of: usize, least: usize, is_asked: impl Fn(&Value) -> bool) {
    let catalogue = Catalogue::load();
    let mutants = all();
    let mut wrong = Vec::new();
    let mut tried = 0;
    let rows = ROWS.iter().cloned();
    let asked = rows.filter(|row| is_asked(row));
    for mut kept in asked.skip(part).step_by(of) {
        let row: Row = serde_json::from_value(kept.clone()).expect("a line of the file");
        let mutant = mutants.iter().find(|mutant| mutant.number == row.belief);
        let mutant = mutant.expect("a belief that is known");
        tried += 1;
        if let Err(reason) = told(&catalogue, mutant, &row, &mut kept) {
            let (belief, subject) = (row.belief, &row.subject);
            wrong.push(format!("{belief} in {subject}: {reason}"));
        }
    }
    assert!(tried >= least, "{tried}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[rstest]
fn each_is_told_by_its_input(#[values(0, 1)] part: usize) {
    all_told(part, 2, 300, |row| !is_large(row));
}

#[rstest]
fn each_is_told_by_its_large_input(#[values(0, 1)] part: usize) {
    all_told(part, 2, 5, is_large);
}

/// A belief that is added has its input here; of the driver's calls only the vectors can tell.
#[test]
fn every_belief_has_an_input() {
    let told: BTreeSet<(u32, String)> = ROWS
        .iter()
        .cloned()
        .map(|row| serde_json::from_value(row).expect("a line of the file"))
        .map(|row: Row| (row.belief, row.place))
        .collect();
    for mutant in all() {
        let of_calls = mutant.rules.iter().all(|rule| family(rule) == "ABI");
        for place in mutant.planted {
            let is_told = told.contains(&(mutant.number, place.clone()));
            assert!(is_told || of_calls, "{} in {place}", mutant.number);
        }
    }
}
