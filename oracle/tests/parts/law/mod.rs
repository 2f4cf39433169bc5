//! The rules' own answers, on examples by hand.

mod pair;
mod ring;
mod template;
mod version;
mod vring;
