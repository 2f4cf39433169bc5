//! Replay of the recorded ring cycles, and checks of what no recording holds, against any subject.

pub mod arena;
pub mod checks;
pub mod context_queue;
pub mod hal;
pub mod handles;
pub mod machine;
pub mod replay;
pub mod rings;
pub mod subject;
pub mod vectors;
pub mod zerocopy;

/// What a check says: why it failed.
pub type Outcome = Result<(), String>;

/// Fails with a message unless both are equal.
pub fn same<T: PartialEq + std::fmt::Debug>(what: &str, actual: T, expected: T) -> Outcome {
    if actual == expected {
        Ok(())
    } else {
        Err(format!("{what}: {actual:x?}, expected {expected:x?}"))
    }
}

/// Fails with a message unless it holds.
pub fn holds(what: &str, condition: bool) -> Outcome {
    if condition { Ok(()) } else { Err(what.into()) }
}
