//! The built library, loaded as any foreign one is, holds under every rule of its line.

use std::path::Path;

use udma_oracle::catalogue::Catalogue;
use udma_oracle::line::Line;
use udma_oracle::run::{Quiet, run};
use udma_oracle::session::{Options, Session};
use udma_oracle::subject::Subject;
use udma_oracle::subjects::{Library, Rust};
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
fn check(subjects: &[Box<dyn Subject>], suites: &[&str], cases: u64) -> Report {
    let suites: Vec<String> = suites.iter().map(ToString::to_string).collect();
    let catalogue = Catalogue::load();
    let selected = catalogue.select(&[]).expect("every rule");
    let options = Options {
        cases,
        corpora: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpora")),
        ..Options::default()
    };
    let mut session = Session::new(&catalogue, subjects, selected, options);
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

/// As many rules as in the implementation itself, but for the driver's calls, which have no function
/// in the header.
#[test]
fn every_rule_of_the_line_is_tried_and_holds() {
    let (_library, api, line) = load();
    let itself = Rust::new(line);
    let subjects: [Box<dyn Subject>; 2] = [
        Box::new(Library::new("rust-capi", line, api)),
        Box::new(itself),
    ];
    let report = check(&subjects, &[], 500);
    let mut held = 0;
    for rule in report.rules.iter().filter(|rule| rule.family != "ABI") {
        let [library, itself] = &rule.results[..] else {
            panic!("{}: two subjects", rule.id);
        };
        let told = (&rule.id, library.status);
        assert_eq!(told, (&rule.id, itself.status), "{} cases", library.cases);
        held += u32::from(library.status == Status::Held);
    }
    assert!(held > 90, "{held}");
}

/// Suites without sweeps over millions of cases.
const SMALL: &[&str] = &["queue_init", "trigger", "meta", "memset", "template"];

/// Small enough for a tool that watches every access; see the tests of `valgrind`.
#[test]
fn libraries_hold_in_a_small_run() {
    let (_library, api, line) = load();
    let mut libraries = vec![Library::new("rust-capi", line, api)];
    // Once is enough: not again with the other line's library.
    if line == Line::Kernel {
        libraries.extend([Library::kernel(), Library::hal()]);
    }
    for library in libraries {
        let library: Box<dyn Subject> = Box::new(library);
        check(&[library], SMALL, 20);
    }
}
