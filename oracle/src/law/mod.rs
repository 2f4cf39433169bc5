//! What the rules require, written out from their text in the plainest way. Nothing here is shared
//! with an implementation: it is what the answers are held against, next to the vectors.

pub mod bar0;
pub mod compute;
pub mod cycle;
pub mod engine;
pub mod iofic;
pub mod names;
pub mod opclass;
pub mod pair;
pub mod program;
pub mod ring;
pub mod version;
pub mod vring;
pub mod word;
