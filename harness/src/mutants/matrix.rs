//! The table of beliefs and suites: which suites catch a belief, and with which rule.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use udma_oracle::catalogue::{Catalogue, family};
use udma_oracle::mutants::Mutant;
use udma_oracle::suite::checks;

use super::{Scope, attempt};
use crate::cli::print;
use crate::failure::Failure;

/// Suites that try a rule of a family that the belief may be blamed on, in order.
fn suites_of(mutant: &Mutant) -> Vec<&'static str> {
    let blamed: Vec<&str> = mutant.rules.iter().map(|rule| family(rule)).collect();
    let checks = checks().into_iter();
    let mut suites: Vec<&str> = checks
        .filter(|check| {
            check
                .rules
                .iter()
                .any(|rule| blamed.contains(&family(rule)))
        })
        .map(|check| check.suite)
        .collect();
    suites.dedup();
    suites
}

/// Puts every belief to each suite by itself and writes a line of tab-separated values for each, as
/// they come: number, name, place, suite, first rule (`-` for none), milliseconds. Whether each
/// belief was caught by some suite with a rule of its set.
pub(super) fn run(
    catalogue: &Catalogue,
    all: &[Mutant],
    corpora: &Path,
    file: &Path,
) -> Result<bool, Failure> {
    let error = Failure::file(file);
    let mut table = BufWriter::new(File::create(file).map_err(error)?);
    writeln!(table, "number\tbelief\tplace\tsuite\trule\tms").map_err(error)?;
    let (mut caught, mut missed, mut cells) = (0, 0, 0);
    for mutant in all {
        let suites = suites_of(mutant);
        for place in &mutant.planted {
            let mut catching = Vec::new();
            for &suite in &suites {
                let trial = attempt(catalogue, mutant, place, Scope::Suite(suite), corpora)?;
                let rule = trial
                    .found
                    .as_ref()
                    .map_or("-", |found| &found.finding.rule);
                let (number, id, millis) = (mutant.number, &mutant.id, trial.millis);
                writeln!(table, "{number}\t{id}\t{place}\t{suite}\t{rule}\t{millis}")
                    .map_err(error)?;
                cells += 1;
                if trial.is_caught() {
                    catching.push(format!("{suite} ({rule})"));
                }
            }
            table.flush().map_err(error)?;
            let verdict = if catching.is_empty() {
                missed += 1;
                "SURVIVED".into()
            } else {
                caught += 1;
                catching.join(", ")
            };
            print(&format!(
                "{:>3} {:<28} {place:<9} {verdict}\n",
                mutant.number, mutant.id
            ))?;
        }
    }
    print(&format!(
        "{caught} caught, {missed} not, in {cells} runs of a suite; table: {}\n",
        file.display()
    ))?;
    Ok(missed == 0 && caught > 0)
}
