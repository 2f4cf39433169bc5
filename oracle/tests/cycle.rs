//! The ring cycle of the Rust implementation by the checks that take no time, on its own: what
//! changes to it (`.ci/mutants`) are put to.

use std::path::Path;

use udma_oracle::catalogue::Catalogue;
use udma_oracle::run::{Quiet, run};
use udma_oracle::session::{Options, Session};
use udma_oracle::subjects::built_in;
use udma_oracle::suite::suites;

const SUITES: [&str; 11] = [
    "ring", "trigger", "marker", "batch", "poll", "ack", "async", "retry", "memset", "zerocopy",
    "shadow",
];

#[test]
fn every_cycle_suite_holds() {
    let catalogue = Catalogue::load();
    let subjects = [built_in("rust-kernel").expect("a built-in subject")];
    let selected = catalogue.select(&[]).expect("all rules");
    let options = Options {
        cases: 2_000,
        corpora: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora")),
        ..Options::default()
    };
    let mut session = Session::new(&catalogue, &subjects, selected, options);
    let report = run(&mut session, &SUITES.map(String::from), &mut Quiet, false).expect("a run");
    let findings: Vec<_> = report.failures().collect();
    assert!(findings.is_empty(), "{findings:?}");
    for suite in SUITES {
        assert!(suites().contains(&suite), "{suite} is no suite");
    }
}
