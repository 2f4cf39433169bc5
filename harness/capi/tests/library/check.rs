//! The built library, loaded as any foreign one is, holds under every rule of its line.

use std::path::Path;

use udma_oracle::catalogue::Catalogue;
use udma_oracle::line::Line;
use udma_oracle::run::{Quiet, run};
use udma_oracle::session::{Options, Session};
use udma_oracle::subject::Subject;
use udma_oracle::subjects::Library;
use udma_reference::{Api, abi};
use udma_report::model::{Report, Status};

fn load() -> (libloading::Library, Api, Line) {
    let path = crate::built();
    // SAFETY: the library is this package's own; nothing runs when it is loaded.
    let library = unsafe { libloading::Library::new(&path) }
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    // SAFETY: its exports are held to the header's types where they are written; it is returned
    // with the table and dropped after it.
    let (api, info) = unsafe { Api::load(&library) }.expect("an oracle library");
    let line = match info.line {
        abi::UDMA_LINE_HAL => Line::Hal,
        _ => Line::Kernel,
    };
    (library, api, line)
}

/// What `udma check` does, with few generated cases.
fn check(subject: Library, suites: &[&str], cases: u64) -> Report {
    let subjects: [Box<dyn Subject>; 1] = [Box::new(subject)];
    let suites: Vec<String> = suites.iter().map(ToString::to_string).collect();
    let catalogue = Catalogue::load();
    let selected = catalogue.select(&[]).expect("every rule");
    let options = Options {
        cases,
        corpora: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora")),
        ..Options::default()
    };
    let mut session = Session::new(&catalogue, &subjects, selected, options);
    let report = run(&mut session, &suites, &mut Quiet, false).expect("a run");
    assert!(report.findings.is_empty(), "{:#?}", report.findings);
    assert!(report.ran());
    report
}

#[test]
fn the_line_is_the_one_built() {
    let (_library, api, line) = load();
    let hal = cfg!(feature = "hal");
    assert_eq!(line, if hal { Line::Hal } else { Line::Kernel });
    assert!(api.layout.is_some() && api.build_packet.is_some());
}

#[test]
fn every_rule_of_the_line_is_tried_and_holds() {
    let (_library, api, line) = load();
    let report = check(Library::new("rust-capi", line, api), &[], 500);
    for rule in &report.rules {
        let result = &rule.results[0];
        // The library exports the descriptor, ring and queue operations; the rules of others are
        // held by the Rust subjects directly.
        if OTHERS.contains(&rule.family.as_str())
            || ["REGS-3", "REGS-4", "REGS-5"].contains(&rule.id.as_str())
        {
            continue;
        }
        assert!(
            matches!(result.status, Status::Held | Status::NotApplicable),
            "{}: {:?} after {} cases",
            rule.id,
            result.status,
            result.cases
        );
    }
}

/// Families whose operations the library does not export.
const OTHERS: &[&str] = &[
    "EINI", "IOFC", "BAR0", "ABI", "SWQ", "MARK", "HOST", "BTCH", "POLL", "ACK", "ASYN", "RTRY",
    "MSET", "ZC", "MODL", "VRNG", "XFER", "PACK", "EDIT", "TMPL", "DUMP", "PRNG",
];

/// Suites without sweeps over millions of cases.
const SMALL: &[&str] = &["queue_init", "trigger", "meta"];

/// Small enough for a tool that watches every access; see the tests of `valgrind`.
#[test]
fn libraries_hold_in_a_small_run() {
    let (_library, api, line) = load();
    for library in [
        Library::new("rust-capi", line, api),
        Library::kernel(),
        Library::hal(),
    ] {
        check(library, SMALL, 20);
    }
}
