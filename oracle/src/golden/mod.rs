//! Recorded vectors: reading them, and replaying them on every subject of their line (on the other
//! line too where the domain is common).

pub mod reader;
mod replay;

use std::path::Path;

pub use reader::{GoldenError, Header};
pub use replay::script as ring_script;

use crate::session::Session;

/// What a replay of one file came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Suite named in the file.
    pub suite: String,
    /// Cases replayed.
    pub cases: u64,
    /// Cases of kinds that nothing here replays, by kind.
    pub left_out: Vec<(String, u64)>,
}

/// Suites that can be replayed.
pub const SUITES: [&str; 14] = [
    "copy_pair",
    "ring_cursor",
    "desc_count",
    "queue_init",
    "copy_start",
    "queue_state",
    "register_map",
    "iofic",
    "bar0_block",
    "ioctl_abi",
    "memcpy_trace",
    "memset_trace",
    "zerocopy_trace",
    "wait_time",
];

/// Replays one file on the subjects of a session.
///
/// # Errors
/// The file cannot be read, is cut short, is of another format or suite, or a case is not as its
/// suite has it: the error names file, place, case and field.
pub fn replay(session: &mut Session, path: &Path) -> Result<Replayed, GoldenError> {
    replayed(session, |each| reader::read(path, each))
}

/// The same with what a file holds; `path` is named in errors.
///
/// # Errors
/// As [`replay`].
pub fn replay_bytes(
    session: &mut Session,
    path: &Path,
    bytes: &[u8],
) -> Result<Replayed, GoldenError> {
    replayed(session, |each| reader::read_from(path, bytes, each))
}

fn replayed(
    session: &mut Session,
    read: impl FnOnce(&mut reader::EachCase) -> Result<Header, GoldenError>,
) -> Result<Replayed, GoldenError> {
    let mut counts = replay::Counts::default();
    let header = read(&mut |header, case| {
        let replay = replay::of_suite(&header.suite)
            .ok_or_else(|| reader::Refusal::Suite(format!("known are {}", SUITES.join(", "))))?;
        if !session.done() {
            replay(session, &header.suite, &case, &mut counts).map_err(reader::Refusal::Case)?;
        }
        Ok(())
    })?;
    Ok(Replayed {
        suite: header.suite,
        cases: counts.replayed,
        left_out: counts.left_out(),
    })
}
