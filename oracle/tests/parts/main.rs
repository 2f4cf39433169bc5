//! The parts of the oracle, each by itself. They stand outside the crate, so that it is compiled
//! once.

mod content;
mod deaths;
mod generate;
mod law;
mod lists;
mod model;
mod state;
