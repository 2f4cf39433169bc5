//! The families of cases: input, answer, requirement, blame and JSON form of every operation.

pub mod abi;
pub mod bar0;
pub mod bits;
pub mod cce;
pub mod count;
pub mod crc;
pub mod cycle;
pub mod descriptor;
pub mod engine;
pub mod iofic;
pub mod json;
pub mod layout;
pub mod meta;
pub mod names;
pub mod operation;
pub mod opword;
pub mod packet;
pub mod pair;
pub mod queue;
pub mod ring_script;
pub mod rings;
pub mod start;
pub mod state;
pub mod states;
pub mod transpose;
pub mod vring;
