//! How rarely a belief is met by chance: the share of inputs without a preference that it spoils.

use std::path::Path;

use serde_json::Value;
use udma_oracle::catalogue::Catalogue;
use udma_oracle::generate::uniform::{Measure, Share};
use udma_oracle::mutants::{Mutant, choose, shown_by};

use super::{Scope, attempt};
use crate::check::subjects;
use crate::cli::print;
use crate::failure::Failure;
use crate::remote::Settings;

/// A belief is rare if it spoils fewer than one in so many.
const ONE_IN: u64 = 10_000;
/// Of the families of cases that a rule it may be blamed on speaks of, the one that it spoils most;
/// none where no single call of them shows it.
fn share(
    mutant: &Mutant,
    place: &str,
    inputs: u64,
    known: &Value,
) -> Result<Option<Share>, Failure> {
    let (mut most, mut shown): (Option<Share>, bool) = (None, false);
    for name in shown_by(place) {
        let subjects = subjects(&[(*name).to_string()], &Settings::default())?;
        for subject in &subjects {
            let mut plant = |planted: bool| choose(if planted { mutant.number } else { 0 });
            let rules = mutant.rules.iter().map(String::as_str).collect();
            let (subject, line) = (subject.as_ref(), subject.line());
            let measure = Measure::new(subject, line, rules, inputs, known, &mut plant);
            for share in measure.all() {
                shown |= share.shown || share.wrong > 0;
                let better = |most: &Share| {
                    let (new, old) = (share.wrong * most.inputs, most.wrong * share.inputs);
                    new > old || new == old && share.shown && !most.shown
                };
                if most.as_ref().is_none_or(better) {
                    most = Some(share);
                }
            }
        }
    }
    Ok(most.filter(|_| shown))
}

/// Measures each belief in the first place it is planted in; whether each of those that are rare is
/// caught, and there are some.
pub(super) fn run(
    catalogue: &Catalogue,
    all: &[Mutant],
    corpora: &Path,
    inputs: u64,
) -> Result<bool, Failure> {
    if inputs < ONE_IN {
        let what = format!("--rarity {inputs}: at least {ONE_IN} inputs tell one in {ONE_IN}");
        return Err(Failure::Input(what));
    }
    let (mut measured, mut rare, mut missed) = (0, 0, 0);
    for mutant in all {
        let Some(place) = mutant.planted.first() else {
            continue;
        };
        let trial = attempt(catalogue, mutant, place, Scope::Families, corpora)?;
        let nothing = Value::Null;
        let known = trial
            .found
            .as_ref()
            .map_or(&nothing, |found| &found.finding.input);
        let Some(share) = share(mutant, place, inputs, known)? else {
            continue;
        };
        measured += 1;
        let is_rare = share.wrong * ONE_IN < share.inputs;
        if is_rare {
            rare += 1;
            missed += u64::from(!trial.is_caught());
        }
        let word = if is_rare { "rare" } else { "" };
        print(&format!(
            "{word:<4} {:>9} of {} {:<16} {}",
            share.wrong,
            share.inputs,
            share.family,
            trial.line()
        ))?;
    }
    print(&format!(
        "{measured} beliefs that single calls show; {rare} of them spoil fewer than 1 in {ONE_IN} \
         inputs without a preference, of which {missed} are not caught\n"
    ))?;
    Ok(missed == 0 && rare > 0)
}
