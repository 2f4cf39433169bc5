//! The Rust implementation by the checks that take no time, on its own, in parts that end soon: what
//! changes to it and to the rules' answers (`.ci/mutants`) are put to. Cases that are put whole come
//! back from a subject elsewhere as they are seen of it here.

use std::collections::BTreeSet;
use std::path::Path;

use rstest::rstest;
use serde_json::Value;
use udma_oracle::catalogue::Catalogue;
use udma_oracle::line::Line;
use udma_oracle::run::plan;
use udma_oracle::session::{Options, Session};
use udma_oracle::subject::{Elsewhere, Subject};
use udma_oracle::subjects::built_in;
use udma_oracle::suite::{Level, suites};
use udma_oracle::whole;
use udma_report::model::Report;

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

/// Cases of all rules on all subjects.
fn tried(report: &Report) -> u64 {
    let results = report.rules.iter().flat_map(|rule| &rule.results);
    results.map(|result| result.cases).sum()
}

/// What the checks of some suites that take no time say of subjects: nothing is wrong. Each of them tries
/// at least so many cases.
fn held(subjects: &[Box<dyn Subject>], suites: &[&str], cases: u64, least: u64) -> Report {
    let catalogue = Catalogue::load();
    let selected = catalogue.select(&[]).expect("all rules");
    let options = Options {
        cases,
        corpora: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora")),
        ..Options::default()
    };
    let mut session = Session::new(&catalogue, subjects, selected, options);
    let names: Vec<String> = suites.iter().map(ToString::to_string).collect();
    let mut before = 0;
    for check in plan(&session, &names) {
        if check.level <= Level::Quick {
            session.enter(check);
            (check.run)(&mut session).expect("a check that runs");
            let after = tried(&session.report(false, false));
            assert!(
                after - before >= least,
                "{}: {}",
                check.id(),
                after - before
            );
            before = after;
        }
    }
    let report = session.report(true, false);
    let findings: Vec<_> = report.failures().collect();
    assert!(findings.is_empty(), "{findings:?}");
    report
}

#[rstest]
#[case::descriptors(DESCRIPTORS)]
#[case::operations(OPERATIONS)]
#[case::cycle(CYCLE)]
#[case::engine(ENGINE)]
#[case::vrings(VRINGS)]
fn every_quick_check_holds(#[case] part: &[&str]) {
    let subjects = ["rust-kernel", "rust-hal"].map(|name| built_in(name).expect("built in"));
    let report = held(&subjects, part, 1_000, 1);
    assert!(tried(&report) > 1_000);
}

#[test]
fn every_suite_is_in_one_part() {
    let parts = [DESCRIPTORS, OPERATIONS, CYCLE, ENGINE, VRINGS].concat();
    let names: BTreeSet<&str> = parts.iter().copied().collect();
    assert_eq!(names, suites().into_iter().collect());
    assert_eq!(names.len(), parts.len());
}

/// A subject on the other side of a pipe without the pipe.
struct Far(Box<dyn Subject>);

impl Subject for Far {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn line(&self) -> Line {
        self.0.line()
    }

    fn elsewhere(&self) -> Option<&dyn Elsewhere> {
        Some(self)
    }
}

impl Elsewhere for Far {
    fn whole(
        &self,
        family: &str,
        case: Value,
        take: &mut dyn FnMut(&[u8]) -> Result<(), String>,
    ) -> Option<()> {
        let seen = whole::answer(self.0.as_ref(), family, &case).expect("a case");
        take(&seen?).expect("what was seen");
        Some(())
    }
}

#[rstest]
#[case::cycles("rust-kernel", &["marker", "batch", "poll", "ack", "async", "memset", "zerocopy"], 20)]
#[case::starts("rust-hal", &["trigger", "poll"], 2)]
#[case::vrings("rust-hal", &["vring", "transfer", "pack", "edit", "template", "dump", "pring"], 30)]
fn what_is_put_whole_is_seen_as_it_is_here(
    #[case] subject: &str,
    #[case] suites: &[&str],
    #[case] rules: usize,
) {
    let subjects: Vec<Box<dyn Subject>> = vec![Box::new(Far(built_in(subject).expect("built in")))];
    let report = held(&subjects, suites, 20, 0);
    let tried = report
        .rules
        .iter()
        .filter(|rule| rule.results.iter().any(|result| result.cases > 0));
    assert!(tried.count() >= rules);
}
