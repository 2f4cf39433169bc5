//! `udma mutants`: every planted wrong belief must be caught, with a rule of its set named first.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use udma_oracle::catalogue::{Catalogue, family};
use udma_oracle::mutants::{Mutant, all};
use udma_oracle::run::{Quiet, run as run_plan};
use udma_oracle::session::{Options, Session};
use udma_report::model::Finding;

use crate::check::subjects;
use crate::cli::{MutantsArgs, print};
use crate::corpora;
use crate::failure::{FINDINGS, Failure};
use crate::remote::Settings;

/// Chooses a belief in every implementation of this build; 0 for none.
pub fn choose(number: u32) {
    udma::fault::choose(number);
    udma_reference::mutants::choose_hal(number);
    udma_reference::mutants::choose_kernel(number);
}

/// Subjects that a belief planted in `place` shows in.
pub fn shown_by(place: &str) -> &'static [&'static str] {
    match place {
        "rust" => &["rust-kernel", "rust-hal"],
        "c-kernel" => &["c-kernel"],
        "c-hal" => &["c-hal"],
        _ => &[],
    }
}

/// Which checks a belief is put to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All of them.
    Everything,
    /// Those of the families that may be blamed.
    Families,
}

impl Scope {
    fn globs(self, mutant: &Mutant) -> Vec<String> {
        match self {
            Self::Everything => Vec::new(),
            Self::Families => mutant
                .rules
                .iter()
                .map(|rule| format!("{}-*", family(rule)))
                .collect(),
        }
    }
}

/// First finding with a belief chosen, on the subjects of one place.
///
/// # Errors
/// Bad input of the run.
pub fn first_finding(
    catalogue: &Catalogue,
    mutant: &Mutant,
    place: &str,
    scope: Scope,
    corpora: Option<&Path>,
) -> Result<Option<Finding>, Failure> {
    let names: Vec<String> = shown_by(place)
        .iter()
        .map(|name| (*name).to_string())
        .collect();
    let subjects = subjects(&names, &Settings::default())?;
    choose(mutant.number);
    let options = Options {
        stop_at_first: true,
        // Fewer than a plain check has: what is caught here is caught there.
        cases: 2_000,
        corpora: corpora.map(PathBuf::from),
        ..Options::default()
    };
    let selected = catalogue.select(&scope.globs(mutant))?;
    let mut session = Session::new(catalogue, &subjects, selected, options);
    let result = run_plan(&mut session, &[], &mut Quiet, false);
    choose(0);
    Ok(result?.failures().next().cloned())
}

/// Runs the command.
///
/// # Errors
/// Bad input of a run, or a number that is not known.
pub fn run(args: &MutantsArgs) -> Result<ExitCode, Failure> {
    let catalogue = Catalogue::load();
    let corpora = corpora::find(args.corpora.as_deref())?;
    let all = all();
    for number in &args.numbers {
        if !all.iter().any(|mutant| mutant.number == *number) {
            return Err(Failure::Input(format!("mutant {number} is not known")));
        }
    }
    let scope = if args.families {
        Scope::Families
    } else {
        Scope::Everything
    };
    let (mut caught, mut missed) = (0, 0);
    for mutant in all
        .iter()
        .filter(|m| args.numbers.is_empty() || args.numbers.contains(&m.number))
    {
        for place in &mutant.planted {
            let start = Instant::now();
            let found = first_finding(&catalogue, mutant, place, scope, Some(&corpora))?;
            let millis = start.elapsed().as_millis();
            let (verdict, detail) = match &found {
                Some(finding) if mutant.rules.contains(&finding.rule) => {
                    caught += 1;
                    ("caught", format!("{} by {}", finding.rule, finding.check))
                }
                Some(finding) => {
                    missed += 1;
                    (
                        "MISBLAMED",
                        format!(
                            "{} by {}, not {}",
                            finding.rule,
                            finding.check,
                            mutant.rules.join(" or ")
                        ),
                    )
                }
                None => {
                    missed += 1;
                    ("SURVIVED", mutant.belief.clone())
                }
            };
            print(&format!(
                "{:>3} {:<28} {place:<9} {verdict:<9} {detail} ({millis} ms)\n",
                mutant.number, mutant.id
            ))?;
        }
    }
    print(&format!("{caught} caught, {missed} not\n"))?;
    Ok(if missed == 0 && caught > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FINDINGS)
    })
}
