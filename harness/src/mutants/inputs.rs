//! The input that tells a belief, for each: what `oracle/tests/beliefs.rs` puts again.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};
use udma_oracle::cases::cycle;
use udma_oracle::catalogue::Catalogue;
use udma_oracle::family::Family;
use udma_oracle::mutants::{Mutant, put};
use udma_oracle::session::Regression;

use super::{Found, Scope, attempt};
use crate::check::subjects;
use crate::cli::print;
use crate::failure::Failure;
use crate::remote::Settings;

/// Puts every belief to the checks of the families that may be blamed, and what told it once more by
/// itself. Writes a line of JSON for each: `belief`, `place`, `subject`, and the kept case with `found`
/// beside `in`, and `also` beside `rule`; a second one for a copy or fill that tells it at the engine's own
/// pace, too. Beliefs told by what is no case by itself have no line. Whether each was caught, and again.
pub(super) fn run(
    catalogue: &Catalogue,
    all: &[Mutant],
    corpora: &Path,
    file: &Path,
) -> Result<bool, Failure> {
    let error = Failure::file(file);
    let partial = file.with_extension("partial");
    let mut out = BufWriter::new(File::create(&partial).map_err(error)?);
    let (mut caught, mut missed, mut written) = (0, 0, 0);
    for mutant in all {
        for place in &mutant.planted {
            let trial = attempt(catalogue, mutant, place, Scope::Families, corpora)?;
            print(&trial.line())?;
            if !trial.is_caught() {
                missed += 1;
                continue;
            }
            caught += 1;
            let Some(Found {
                finding,
                case: Some(case),
            }) = trial.found
            else {
                continue;
            };
            let mut cases = vec![json!({
                "format": case.content["format"],
                "family": case.content["family"],
                "in": case.found,
            })];
            // What the engine does at its own pace is another family of the same cases.
            if case.family == cycle::Program::NAME && place == "rust" {
                let mut paced = cases[0].clone();
                paced["family"] = cycle::Seeded::NAME.into();
                paced["in"]["seed"] = 1.into();
                cases.push(paced);
            }
            for (at, kept) in cases.iter().enumerate() {
                let Some(case) = again(catalogue, mutant, place, &finding.subject, kept)? else {
                    if at == 0 {
                        missed += 1;
                        print("  not caught by its input alone\n")?;
                    }
                    continue;
                };
                let row = json!({
                    "belief": mutant.number,
                    "place": place,
                    "subject": finding.subject,
                    "format": kept["format"],
                    "family": kept["family"],
                    "rule": case.rule,
                    "also": case.also,
                    "found": kept["in"],
                    "in": case.content["in"],
                });
                writeln!(out, "{row}").map_err(error)?;
                written += 1;
            }
        }
    }
    out.flush().map_err(error)?;
    std::fs::rename(&partial, file).map_err(error)?;
    print(&format!(
        "{caught} caught, {missed} not; inputs of {written}: {}\n",
        file.display()
    ))?;
    Ok(missed == 0 && caught > 0)
}

/// What a case is kept as if it alone is put to a subject of which a belief is wrong, whichever rules are
/// asked; none where it tells nothing, or of a right one, too.
fn again(
    catalogue: &Catalogue,
    mutant: &Mutant,
    place: &str,
    subject: &str,
    kept: &Value,
) -> Result<Option<Regression>, Failure> {
    let subjects = subjects(&[subject.into()], &Settings::default())?;
    let kept_with = |number| {
        let session = put(catalogue, &subjects, (number, place), kept).map_err(Failure::Input)?;
        Ok::<_, Failure>(session.regressions().first().cloned())
    };
    if kept_with(0)?.is_some() {
        return Ok(None);
    }
    let case = kept_with(mutant.number)?;
    Ok(case.filter(|case| mutant.rules.contains(&case.rule)))
}
