//! Running programs: on the model, on a virtual device, on a real one.

pub mod backend;
pub mod client;
pub mod command;
pub mod conform;
pub mod device;
pub mod generate;
pub mod judge;
pub mod port;
mod reported;
mod rings;
pub mod rules;
mod steps;
mod vring;
mod wanted;
