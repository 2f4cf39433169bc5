//! The `udma` command: checks implementations of the UDMA descriptor and ring layer.

pub mod argument;
pub mod bench;
pub mod check;
pub mod cli;
pub mod corpora;
pub mod explain;
pub mod failure;
#[cfg(feature = "mutants")]
pub mod mutants;
pub mod rules;
pub mod vectors;
pub mod program;
pub mod interpret;
pub mod outcome;
pub mod vdev;
pub mod run;
pub mod corpus;
