//! Any bytes as a vector file: an error that names a place, or cases, and never a panic.

use std::path::Path;
use std::sync::OnceLock;

use udma_oracle::catalogue::Catalogue;
use udma_oracle::golden;
use udma_oracle::session::{Options, Session};

use super::Judge;

/// Most bytes of a file: its cases are taken apart in full.
const MOST_BYTES: usize = 1 << 16;

/// Runs the target. Nobody is asked: a vector of any bytes has wrong answers at will.
pub fn run<J: Judge>(bytes: &[u8], _judge: &mut J) {
    static CATALOGUE: OnceLock<Catalogue> = OnceLock::new();
    if bytes.len() > MOST_BYTES {
        return;
    }
    let catalogue = CATALOGUE.get_or_init(Catalogue::load);
    let selected = vec![true; catalogue.rules.len()];
    let mut session = Session::new(catalogue, &[], selected, Options::default());
    if let Ok(replayed) = golden::replay_bytes(&mut session, Path::new("input"), bytes) {
        assert!(golden::SUITES.contains(&replayed.suite.as_str()));
    }
}

/// Runs it as the fuzzer does.
pub fn fuzz(bytes: &[u8]) {
    run(bytes, &mut super::Assert::of(&[]));
}
