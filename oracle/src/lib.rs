//! The oracle of the UDMA conformance suite: the rule catalogue, the subjects that can be asked,
//! the checks, and the comparison of answers with the rules and with recorded vectors.
//!
//! A case goes one way whatever it is: a generator or a vector gives it, every subject answers,
//! the answer is compared with what the rules require ([`law`]), a difference is blamed on a rule,
//! shrunk, and becomes a finding of the report ([`session`]). As every subject is held against the
//! same requirement, subjects that hold agree with each other.

pub mod cases;
pub mod catalogue;
pub mod cycle;
pub mod family;
pub mod folder;
pub mod generate;
pub mod golden;
pub mod law;
pub mod line;
pub mod model;
pub mod mutants;
pub mod regressions;
pub mod run;
pub mod session;
pub mod state;
pub mod subject;
pub mod subjects;
pub mod suite;
pub mod sweep;
pub mod tally;
pub mod whole;
pub mod wire;
