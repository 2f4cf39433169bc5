//! `udma mutants`: every planted wrong belief must be caught, with a rule of its set named first.

mod alone;
mod fuzzed;
mod inputs;
mod matrix;
mod rarity;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use udma_oracle::catalogue::{Catalogue, family};
use udma_oracle::mutants::{Mutant, all, choose, shown_by};
use udma_oracle::run::{Quiet, run as run_plan};
use udma_oracle::session::{Options, Regression, Session};
use udma_report::model::Finding;

use crate::check::subjects;
use crate::cli::{MutantsArgs, print};
use crate::corpora;
use crate::failure::{FINDINGS, Failure};
use crate::remote::Settings;

/// Which checks a belief is put to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope<'a> {
    /// All of them.
    Everything,
    /// Those of the families that may be blamed.
    Families,
    /// Those of one rule.
    Rule(&'a str),
    /// Those of one suite.
    Suite(&'a str),
}

impl Scope<'_> {
    fn globs(self, mutant: &Mutant) -> Vec<String> {
        match self {
            Self::Everything | Self::Suite(_) => Vec::new(),
            Self::Families => mutant
                .rules
                .iter()
                .map(|rule| format!("{}-*", family(rule)))
                .collect(),
            Self::Rule(rule) => vec![rule.into()],
        }
    }

    fn suites(self) -> Vec<String> {
        match self {
            Self::Suite(suite) => vec![suite.into()],
            _ => Vec::new(),
        }
    }
}

/// What a belief was told by.
#[derive(Debug)]
pub struct Found {
    /// The first finding.
    pub finding: Finding,
    /// Its case; none for one that the rules alone do not judge.
    pub case: Option<Regression>,
}

/// First finding with a belief chosen, on the subjects of one place.
///
/// # Errors
/// Bad input of the run.
pub fn first_finding(
    catalogue: &Catalogue,
    mutant: &Mutant,
    place: &str,
    scope: Scope<'_>,
    corpora: Option<&Path>,
) -> Result<Option<Found>, Failure> {
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
    let result = run_plan(&mut session, &scope.suites(), &mut Quiet, false);
    choose(0);
    let kept = session.regressions();
    Ok(result?.failures().next().map(|finding| Found {
        finding: finding.clone(),
        case: kept.iter().find(|case| case.rule == finding.rule).cloned(),
    }))
}

/// What became of a belief in one place.
pub struct Trial<'a> {
    mutant: &'a Mutant,
    place: &'a str,
    found: Option<Found>,
    millis: u64,
}

impl Trial<'_> {
    /// Whether the first finding names a rule of the belief's set.
    pub fn is_caught(&self) -> bool {
        self.found
            .as_ref()
            .is_some_and(|found| self.mutant.rules.contains(&found.finding.rule))
    }

    /// What is printed of it, a line.
    pub fn line(&self) -> String {
        let (verdict, detail) = match &self.found {
            Some(Found { finding, .. }) if self.is_caught() => {
                ("caught", format!("{} by {}", finding.rule, finding.check))
            }
            Some(Found { finding, .. }) => (
                "MISBLAMED",
                format!(
                    "{} by {}, not {}",
                    finding.rule,
                    finding.check,
                    self.mutant.rules.join(" or ")
                ),
            ),
            None => ("SURVIVED", self.mutant.belief.clone()),
        };
        let (number, id) = (self.mutant.number, &self.mutant.id);
        let (place, millis) = (self.place, self.millis);
        format!("{number:>3} {id:<28} {place:<9} {verdict:<9} {detail} ({millis} ms)\n")
    }
}

/// Puts a belief in one place to the checks of a scope.
///
/// # Errors
/// Bad input of the run.
pub fn attempt<'a>(
    catalogue: &Catalogue,
    mutant: &'a Mutant,
    place: &'a str,
    scope: Scope<'_>,
    corpora: &Path,
) -> Result<Trial<'a>, Failure> {
    let start = Instant::now();
    let found = first_finding(catalogue, mutant, place, scope, Some(corpora))?;
    Ok(Trial {
        mutant,
        place,
        found,
        millis: start.elapsed().as_millis() as u64,
    })
}

/// Runs the command.
///
/// # Errors
/// Bad input of a run, a number that is not known, or a table that cannot be written.
pub fn run(args: &MutantsArgs) -> Result<ExitCode, Failure> {
    let catalogue = Catalogue::load();
    let corpora = corpora::find(args.corpora.as_deref())?;
    let mut all = all();
    for number in &args.numbers {
        if !all.iter().any(|mutant| mutant.number == *number) {
            return Err(Failure::Input(format!("mutant {number} is not known")));
        }
    }
    all.retain(|mutant| args.numbers.is_empty() || args.numbers.contains(&mutant.number));
    let holds = if let Some(inputs) = args.rarity {
        rarity::run(&catalogue, &all, &corpora, inputs)?
    } else if let Some(programs) = &args.fuzz {
        fuzzed::run(&all, programs)?
    } else if let Some(file) = &args.inputs {
        inputs::run(&catalogue, &all, &corpora, file)?
    } else if let Some(file) = &args.matrix {
        matrix::run(&catalogue, &all, &corpora, file)?
    } else if args.each_rule {
        alone::run(&catalogue, &all, &corpora)?
    } else {
        each(&catalogue, &all, &corpora, args.families)?
    };
    Ok(if holds {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FINDINGS)
    })
}

/// Every belief in every place, until its first finding; whether all were caught.
fn each(
    catalogue: &Catalogue,
    all: &[Mutant],
    corpora: &Path,
    families: bool,
) -> Result<bool, Failure> {
    let scope = if families {
        Scope::Families
    } else {
        Scope::Everything
    };
    let (mut caught, mut missed) = (0, 0);
    let mut times = Vec::new();
    for mutant in all {
        for place in &mutant.planted {
            let trial = attempt(catalogue, mutant, place, scope, corpora)?;
            if trial.is_caught() {
                caught += 1;
            } else {
                missed += 1;
            }
            times.push(trial.millis);
            print(&trial.line())?;
        }
    }
    times.sort_unstable();
    let (median, most) = (
        times.get(times.len() / 2).copied().unwrap_or_default(),
        times.last().copied().unwrap_or_default(),
    );
    print(&format!(
        "{caught} caught, {missed} not; until the first finding: median {median} ms, most {most} ms\n"
    ))?;
    Ok(missed == 0 && caught > 0)
}
