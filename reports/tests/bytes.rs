//! Equal reports give equal bytes in every format.

mod common;

use std::path::Path;

use rstest::rstest;
use udma_report::json;
use udma_report::writer::Format;

#[rstest]
fn equal_reports_give_equal_bytes(
    #[values(Format::Json, Format::Junit, Format::Html, Format::Terminal)] format: Format,
) {
    let first = format.render(&common::sample());
    assert_eq!(first, format.render(&common::sample()));
    // Through the file and back it is the same report still.
    let text = json::render(&common::sample());
    let again = json::parse(text.as_bytes(), Path::new("report.json"))
        .expect("what is written can be read");
    assert_eq!(first, format.render(&again));
    assert_ne!(first, format.render(&common::held()));
}

#[rstest]
fn the_width_of_the_terminal_is_not_asked(#[values("20", "400")] columns: &str) {
    // A child, since the environment of a test is shared with its neighbours.
    let child = std::process::Command::new(std::env::current_exe().expect("a test has a path"))
        .args(["--exact", "prints_the_sample", "--ignored", "--nocapture"])
        .env("COLUMNS", columns)
        .output()
        .expect("a test can start itself");
    assert!(child.status.success());
    let printed = String::from_utf8(child.stdout).expect("a report is text");
    assert!(
        printed.contains(&Format::Terminal.render(&common::sample())),
        "{printed}"
    );
}

#[test]
#[ignore = "started by the_width_of_the_terminal_is_not_asked"]
fn prints_the_sample() {
    println!("{}", Format::Terminal.render(&common::sample()));
}
