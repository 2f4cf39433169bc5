//! The programs of `corpora/programs/`, as they are written. Their outcomes follow from the
//! specification by hand: what is copied where, and RING, REGS and TRIG arithmetic.

mod copies;
mod errors;
mod litmus;
mod producers;
mod rings;
mod surface;
mod vrings;

use crate::program::build::{Author, stream};
use crate::program::{Arch, At, Program};

/// Every program, in the order of the files.
pub fn all() -> Vec<Program> {
    let mut programs = Vec::new();
    copies::add(&mut programs);
    rings::add(&mut programs);
    litmus::add(&mut programs);
    producers::add(&mut programs);
    errors::add(&mut programs);
    surface::add(&mut programs);
    vrings::add(&mut programs);
    programs
}

/// `by` bytes into something.
fn at(name: &str, by: u64) -> At {
    At::start(name).plus(by)
}

/// Architectures with strong-ordered writes.
const WITH_SOW: [Arch; 2] = [Arch::V3, Arch::V4];

/// Device buffers `src` and `dst` of `size` bytes, and ring `q` of 64 descriptors.
fn pair(name: &str, about: &str, rules: &[&str], size: u64) -> Author {
    let mut author = Author::new(name, about, rules);
    author
        .device("src", size, stream(11))
        .device("dst", size, stream(22))
        .ring("q", 64);
    author
}
