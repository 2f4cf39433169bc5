//! The `udma` command: checks implementations of the UDMA descriptor and ring layer.

pub mod bench;
pub mod bench_model;
pub mod check;
pub mod cli;
pub mod corpora;
pub mod explain;
pub mod failure;
#[cfg(feature = "mutants")]
pub mod mutants;
pub mod remote;
pub mod rules;
pub mod states;
pub mod stream;
pub mod trace;
pub mod vectors;
pub mod vring;
pub mod vring_bench;
