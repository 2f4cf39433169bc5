//! The Rust implementation by the checks that take no time, on its own, in parts that end soon: what
//! changes to it and to the rules' answers (`.ci/mutants`) are put to.

use std::collections::BTreeSet;
use std::path::Path;

use rstest::rstest;
use udma_oracle::catalogue::Catalogue;
use udma_oracle::run::plan;
use udma_oracle::session::{Options, Session};
use udma_oracle::subjects::built_in;
use udma_oracle::suite::{Level, suites};

const DESCRIPTORS: &[&str] = &["descriptor", "meta", "barrier", "builder"];
const OPERATIONS: &[&str] = &["opclass", "cce", "transpose"];
const CYCLE: &[&str] = &[
    "ring", "trigger", "marker", "batch", "poll", "ack", "async", "retry", "memset", "zerocopy",
    "shadow",
];
const ENGINE: &[&str] = &[
    "queue_init",
    "iofic",
    "engine_init",
    "state",
    "bar0",
    "abi",
    "states",
];
const VRINGS: &[&str] = &[
    "vring", "transfer", "pack", "edit", "template", "dump", "pring",
];

#[rstest]
#[case::descriptors(DESCRIPTORS)]
#[case::operations(OPERATIONS)]
#[case::cycle(CYCLE)]
#[case::engine(ENGINE)]
#[case::vrings(VRINGS)]
fn every_quick_check_holds(#[case] part: &[&str]) {
    let catalogue = Catalogue::load();
    let subjects = ["rust-kernel", "rust-hal"].map(|name| built_in(name).expect("built in"));
    let selected = catalogue.select(&[]).expect("all rules");
    let options = Options {
        cases: 1_000,
        corpora: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora")),
        ..Options::default()
    };
    let mut session = Session::new(&catalogue, &subjects, selected, options);
    let names: Vec<String> = part.iter().map(ToString::to_string).collect();
    for check in plan(&session, &names) {
        if check.level <= Level::Quick {
            session.enter(check);
            (check.run)(&mut session).expect("a check that runs");
        }
    }
    let report = session.report(true, false);
    let findings: Vec<_> = report.failures().collect();
    assert!(findings.is_empty(), "{findings:?}");
    let results = report.rules.iter().flat_map(|rule| &rule.results);
    assert!(results.map(|result| result.cases).sum::<u64>() > 1_000);
}

#[test]
fn every_suite_is_in_one_part() {
    let parts = [DESCRIPTORS, OPERATIONS, CYCLE, ENGINE, VRINGS].concat();
    let names: BTreeSet<&str> = parts.iter().copied().collect();
    assert_eq!(names, suites().into_iter().collect());
    assert_eq!(names.len(), parts.len());
}
