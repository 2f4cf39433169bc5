//! The kernel line under one driver version: both implementations hold under each, and recorded answers are not
//! taken for those of another version.

use std::path::Path;

use rstest::rstest;
use udma_oracle::catalogue::Catalogue;
use udma_oracle::line::driver_number;
use udma_oracle::run::{Quiet, run};
use udma_oracle::session::{Options, Session};
use udma_oracle::subject::Subject;
use udma_oracle::subjects::built_in;
use udma_report::model::{Report, Status};

/// Suites in which a version makes a difference.
const SUITES: [&str; 6] = ["barrier", "ring", "trigger", "poll", "zerocopy", "batch"];

fn check(names: &[&str], rules: &[&str], driver: Option<&str>) -> Report {
    let subjects: Vec<Box<dyn Subject>> = names
        .iter()
        .map(|name| built_in(name).expect("built in"))
        .collect();
    let catalogue = Catalogue::load();
    let rules: Vec<String> = rules.iter().map(ToString::to_string).collect();
    let options = Options {
        cases: 500,
        corpora: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora")),
        driver: driver.map(|name| driver_number(name).expect("known")),
        ..Options::default()
    };
    let selected = catalogue.select(&rules).expect("rules");
    let mut session = Session::new(&catalogue, &subjects, selected, options);
    let suites = SUITES.map(String::from);
    run(&mut session, &suites, &mut Quiet, false).expect("a run")
}

/// Rules that ask something of a version, and what is recorded of them.
const RULES: [&str; 8] = [
    "BARR-*", "RING-6", "RING-8", "RING-11", "TRIG-*", "POLL-*", "ZC-*", "BTCH-*",
];

#[rstest]
#[case::first("2.15.9.0")]
#[case::without_sow("2.24.7.0")]
#[case::stops("2.25.4.0")]
#[case::recorded("2.26.5.0")]
#[case::described("2.27.4.0")]
fn both_implementations_hold_as_every_version(#[case] driver: &str) {
    let report = check(&["rust-kernel", "c-kernel"], &RULES, Some(driver));
    assert!(report.findings.is_empty(), "{:#?}", report.findings);
    for rule in &report.rules {
        for result in &rule.results {
            // What a version does not have is skipped: the other form of zero-copy, the stops.
            let tried = matches!(result.status, Status::Held | Status::Skipped);
            assert!(tried, "{}: {result:?}", rule.id);
        }
    }
    let told = report.subjects[0]
        .notes
        .iter()
        .any(|note| note.contains("recorded answers are those of 2.26.5.0"));
    assert_eq!(told, driver != "2.26.5.0");
    assert!(
        report.subjects[0]
            .driver
            .as_deref()
            .is_some_and(|name| name.contains(driver))
    );
}

/// Without a version, cases of all are put; the HAL line has none.
#[test]
fn the_hal_line_has_no_version() {
    let report = check(
        &["rust-hal", "rust-kernel"],
        &["BARR-2", "BARR-5"],
        Some("2.15.9.0"),
    );
    assert!(report.findings.is_empty(), "{:#?}", report.findings);
    assert_eq!(report.subjects[0].driver, None);
    assert!(report.subjects[0].notes.is_empty());
}
