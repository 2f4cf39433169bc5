//! The parts of the oracle, each by itself. They stand outside the crate, so that it is compiled
//! once.

mod blame;
mod content;
mod generate;
#[path = "../inputs/mod.rs"]
mod inputs;
mod law;
mod lists;
mod measure;
mod memory;
mod model;
mod pace;
mod shrink;
mod state;
mod unanswered;
