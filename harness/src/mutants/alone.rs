//! Each rule by itself: with the checks of one rule alone, a belief against it must be caught.

use std::path::Path;

use udma_oracle::catalogue::Catalogue;
use udma_oracle::mutants::Mutant;

use super::{Scope, attempt};
use crate::cli::print;
use crate::failure::Failure;

/// Tries the rules that some belief may be blamed on; whether each caught one. Informative rules
/// stop no run and are left out.
pub(super) fn run(catalogue: &Catalogue, all: &[Mutant], corpora: &Path) -> Result<bool, Failure> {
    let (mut caught, mut missed) = (0, 0);
    for rule in catalogue.rules.iter().filter(|rule| !rule.informative()) {
        let id = rule.id.as_str();
        let own: Vec<_> = all
            .iter()
            .filter(|mutant| mutant.rules.iter().any(|rule| rule == id))
            .flat_map(|mutant| mutant.planted.iter().map(move |place| (mutant, place)))
            .collect();
        if own.is_empty() {
            continue;
        }
        let mut by = None;
        for (mutant, place) in &own {
            let trial = attempt(catalogue, mutant, place, Scope::Rule(id), corpora)?;
            if trial
                .found
                .as_ref()
                .is_some_and(|found| found.finding.rule == id)
            {
                by = Some(format!("caught    {} in {place}", mutant.id));
                break;
            }
        }
        let line = if let Some(by) = by {
            caught += 1;
            by
        } else {
            missed += 1;
            format!("MISSED    all {} of its beliefs", own.len())
        };
        print(&format!("{id:<8} {line}\n"))?;
    }
    print(&format!(
        "{caught} rules catch a belief alone, {missed} do not\n"
    ))?;
    Ok(missed == 0 && caught > 0)
}
