//! An operation is offered or it is not: "not offered" is no way around the rules.

use udma_oracle::catalogue::Catalogue;
use udma_oracle::line::Line;
use udma_oracle::run::{Quiet, run};
use udma_oracle::session::{Options, Session};
use udma_oracle::subject::Subject;
use udma_oracle::subjects::Rust;
use udma_oracle::wire::{PairIn, PairOut};
use udma_report::model::Report;

/// Right in all that it answers.
struct Partial {
    /// Ring sizes up to this are offered; none: no size is.
    sizes: Option<u32>,
    /// Pairs up to this many bytes are offered, and a batch where all of it is; none: no pair is.
    bytes: Option<u64>,
}

const RUST: Rust = Rust::new(Line::Kernel);

impl Subject for Partial {
    fn name(&self) -> &'static str {
        "partial"
    }

    fn line(&self) -> Line {
        Line::Kernel
    }

    fn ring_size(&self, want: &[u32], out: &mut [u32]) -> Option<()> {
        let offered = want.iter().all(|want| Some(*want) <= self.sizes);
        offered.then(|| RUST.ring_size(want, out))?
    }

    fn build_pairs(&self, cases: &[PairIn], out: &mut [PairOut]) -> Option<()> {
        let offered = cases.iter().all(|case| Some(case.size) <= self.bytes);
        offered.then(|| RUST.build_pairs(cases, out))?
    }
}

fn check(sizes: Option<u32>, bytes: Option<u64>) -> Report {
    let subjects: [Box<dyn Subject>; 1] = [Box::new(Partial { sizes, bytes })];
    let catalogue = Catalogue::load();
    let selected = catalogue.select(&[]).expect("every rule");
    let options = Options {
        cases: 2_000,
        ..Options::default()
    };
    let mut session = Session::new(&catalogue, &subjects, selected, options);
    let suites = ["ring", "builder"].map(String::from);
    run(&mut session, &suites, &mut Quiet, false).expect("a run")
}

#[test]
fn an_operation_that_is_not_offered_at_all_is_no_finding() {
    let report = check(None, None);
    assert!(report.findings.is_empty(), "{:#?}", report.findings);
    let report = check(Some(u32::MAX), Some(u64::MAX));
    assert!(report.findings.is_empty(), "{:#?}", report.findings);
}

#[test]
fn what_it_cannot_do_of_an_operation_is_a_finding() {
    let report = check(Some(1000), Some(u64::MAX));
    let [finding] = &report.findings[..] else {
        panic!("{:#?}", report.findings);
    };
    assert_eq!(finding.rule, "RING-9");
    assert!(finding.summary.contains("not offered"), "{finding:?}");
    // The smallest number of descriptors that it leaves out.
    assert!(finding.input.to_string().contains("1001"), "{finding:?}");
}

/// One pair takes a batch of a sweep along.
#[test]
fn a_refused_batch_is_looked_into() {
    let report = check(Some(u32::MAX), Some(0xffff));
    let told = |finding: &&udma_report::model::Finding| finding.rule.starts_with("BLDR");
    let finding = report.findings.iter().find(told).expect("a finding");
    assert!(
        finding.summary.starts_with("pair: not offered"),
        "{finding:?}"
    );
    // The smallest of those that are accepted, or of those that are too long.
    let size = finding.input["size"].as_u64();
    assert!(matches!(size, Some(0x1_0000 | 0x1_0001)), "{finding:?}");
}
