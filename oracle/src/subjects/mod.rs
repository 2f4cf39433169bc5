//! The subjects that are built in: the Rust implementation in both lines, and the two C lines.

mod library;
mod library_cycle;
mod library_ops;
mod library_vring;
mod rust;
mod rust_abi;
mod rust_cycle;
mod rust_engine;
mod rust_ops;
mod rust_outside;
mod rust_vring;

pub use library::Library;
pub use rust::{Rust, arch};
pub use rust_engine::RustEngine;

use crate::subject::Subject;

/// Names of the built-in subjects, in the order they are asked by default.
pub const BUILT_IN: [&str; 4] = ["rust-kernel", "c-kernel", "rust-hal", "c-hal"];

/// A built-in subject by its name.
pub fn built_in(name: &str) -> Option<Box<dyn Subject>> {
    use crate::line::Line;
    Some(match name {
        "rust-kernel" => Box::new(Rust::new(Line::Kernel)),
        "rust-hal" => Box::new(Rust::new(Line::Hal)),
        "c-kernel" => Box::new(Library::kernel()),
        "c-hal" => Box::new(Library::hal()),
        _ => return None,
    })
}
