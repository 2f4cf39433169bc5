//! A whole run: regressions, then every selected check, suite by suite.

use std::time::Instant;

use udma_report::model::Report;

use crate::regressions;
use crate::session::{CaseNumber, Session};
use crate::suite::{Check, CheckError, Level, checks};

/// Told how a run goes on.
pub trait Progress {
    /// A check begins: its number from 0, of how many.
    fn check(&mut self, number: usize, of: usize, check: &Check);
    /// A suite ended; the report so far, with the case of each of its findings.
    ///
    /// # Errors
    /// Whatever keeps the report from being written ends the run.
    fn suite(
        &mut self,
        report: &Report,
        order: &[CaseNumber],
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;
}

/// Nobody is told.
pub struct Quiet;

impl Progress for Quiet {
    fn check(&mut self, _number: usize, _of: usize, _check: &Check) {}
    fn suite(
        &mut self,
        _report: &Report,
        _order: &[CaseNumber],
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        Ok(())
    }
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A check's input is bad.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// The report cannot be written.
    #[error(transparent)]
    Report(Box<dyn std::error::Error + Send + Sync>),
}

/// Checks of the given suites (all for none) that try a selected rule.
pub fn plan(session: &Session, suites: &[String]) -> Vec<Check> {
    let mut plan: Vec<Check> = checks()
        .into_iter()
        .filter(|check| suites.is_empty() || suites.iter().any(|suite| suite == check.suite))
        .filter(|check| {
            check
                .rules
                .iter()
                .any(|rule| session.wanted(rule).is_some())
        })
        .collect();
    plan.retain(|check| session.options.deep || check.level != Level::Deep);
    plan.sort_by_key(|check| check.level);
    plan
}

/// Runs the regressions and the planned checks.
///
/// # Errors
/// Bad input of a check, or a report that cannot be written.
pub fn run(
    session: &mut Session,
    suites: &[String],
    progress: &mut dyn Progress,
    timings: bool,
) -> Result<Report, RunError> {
    let plan = plan(session, suites);
    if let Some(corpora) = session.options.corpora.clone() {
        let folder = corpora.join("regressions");
        if suites.is_empty() && folder.is_dir() {
            regressions::replay(session, &folder).map_err(CheckError::from)?;
        }
    }
    let mut started = Instant::now();
    for (number, check) in plan.iter().enumerate() {
        if session.done() {
            break;
        }
        progress.check(number, plan.len(), check);
        session.enter(*check);
        (check.run)(session)?;
        let ends = plan
            .get(number + 1)
            .is_none_or(|next| next.suite != check.suite);
        if ends {
            session.timed(check.suite, started.elapsed().as_millis() as u64);
            started = Instant::now();
            progress
                .suite(&session.report(false, timings), session.order())
                .map_err(RunError::Report)?;
        }
    }
    let report = session.report(true, timings);
    progress
        .suite(&report, session.order())
        .map_err(RunError::Report)?;
    Ok(report)
}
