//! The checks, by suite. A check names its rules where it is written; one of them is blamed when it
//! finds something.

mod abi;
mod ack;
mod asynchronous;
mod bar0;
mod barrier;
mod batch;
mod builder;
mod cce;
mod cycle;
mod descriptor;
mod engine_init;
mod iofic;
mod marker;
mod memset;
mod meta;
mod opclass;
mod poll;
mod queue_init;
mod retry;
mod ring;
mod shadow;
mod state;
mod transpose;
mod trigger;
mod vring;
mod worked;
mod zerocopy;

use crate::golden::{self, GoldenError};
use crate::session::Session;

/// When a check runs, in the order of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Replays recorded vectors.
    Recorded,
    /// Takes no time worth speaking of.
    Quick,
    /// Takes seconds.
    Heavy,
    /// Takes longer than a plain run should; quicker checks cover the same to a lesser depth. Runs
    /// under `--deep` alone.
    Deep,
}

/// A check.
#[derive(Clone, Copy)]
pub struct Check {
    /// Suite.
    pub suite: &'static str,
    /// Name in its suite.
    pub name: &'static str,
    /// Rules it tries.
    pub rules: &'static [&'static str],
    /// When it runs.
    pub level: Level,
    /// Runs it.
    pub run: fn(&mut Session) -> Result<(), CheckError>,
}

/// Why a check could not run.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// Its vectors cannot be used.
    #[error(transparent)]
    Golden(#[from] GoldenError),
    /// A kept case cannot be used.
    #[error(transparent)]
    Regression(#[from] crate::regressions::RegressionError),
    /// Worked vectors cannot be used.
    #[error(transparent)]
    Worked(#[from] worked::WorkedError),
}

impl Check {
    /// `suite/name`.
    pub fn id(&self) -> String {
        format!("{}/{}", self.suite, self.name)
    }
}

/// Every check, suite by suite.
pub fn checks() -> Vec<Check> {
    [
        descriptor::CHECKS,
        meta::CHECKS,
        barrier::CHECKS,
        builder::CHECKS,
        opclass::CHECKS,
        cce::CHECKS,
        transpose::CHECKS,
        queue_init::CHECKS,
        ring::CHECKS,
        trigger::CHECKS,
        marker::CHECKS,
        batch::CHECKS,
        poll::CHECKS,
        ack::CHECKS,
        asynchronous::CHECKS,
        retry::CHECKS,
        memset::CHECKS,
        zerocopy::CHECKS,
        shadow::CHECKS,
        iofic::CHECKS,
        engine_init::CHECKS,
        state::CHECKS,
        bar0::CHECKS,
        abi::CHECKS,
        vring::CHECKS,
        vring::transfer::CHECKS,
        vring::pack::CHECKS,
        vring::edit::CHECKS,
        vring::template::CHECKS,
        vring::dump::CHECKS,
        vring::pring::CHECKS,
    ]
    .concat()
}

/// Suites in order.
pub fn suites() -> Vec<&'static str> {
    let mut suites: Vec<&str> = checks().iter().map(|check| check.suite).collect();
    suites.dedup();
    suites
}

/// Ids of the checks that try a rule.
pub fn checks_of(rule: &str) -> Vec<String> {
    checks()
        .iter()
        .filter(|check| check.rules.contains(&rule))
        .map(Check::id)
        .collect()
}

/// Replays a recorded suite; nothing where the run goes without vectors.
fn vectors(session: &mut Session, suite: &str) -> Result<(), CheckError> {
    if let Some(corpora) = session.options.corpora.clone() {
        golden::replay(
            session,
            &corpora.join("golden").join(format!("{suite}.json")),
        )?;
    }
    Ok(())
}
