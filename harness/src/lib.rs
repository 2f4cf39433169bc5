//! The `udma` command: checks implementations of the UDMA descriptor and ring layer.

pub mod argument;
pub mod bench;
pub mod bench_model;
pub mod check;
pub mod cli;
pub mod corpora;
pub mod corpus;
pub mod explain;
pub mod failure;
pub mod interpret;
#[cfg(feature = "mutants")]
pub mod mutants;
pub mod outcome;
pub mod program;
pub mod prove;
pub mod remote;
pub mod rules;
pub mod run;
pub mod states;
pub mod stream;
pub mod trace;
pub mod vdev;
pub mod vectors;
pub mod vring;
pub mod vring_bench;
