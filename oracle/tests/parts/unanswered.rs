//! A case that gets no answer: a subject that dies is told with the case that it died of, and the run goes on;
//! one that leaves a case out is told unless it may.

use std::sync::atomic::{AtomicBool, Ordering};

use udma_oracle::cases::count::Count;
use udma_oracle::catalogue::Catalogue;
use udma_oracle::line::Line;
use udma_oracle::session::{Options, Session};
use udma_oracle::subject::Subject;
use udma_oracle::subjects::Rust;

const RUST: Rust = Rust::new(Line::Kernel);

/// Dies of ring sizes from 1000 on, and says so once.
#[derive(Default)]
struct Mortal(AtomicBool);

impl Subject for Mortal {
    fn name(&self) -> &'static str {
        "mortal"
    }

    fn line(&self) -> Line {
        Line::Kernel
    }

    fn ring_size(&self, want: &[u32], out: &mut [u32]) -> Option<()> {
        if want.iter().any(|want| *want >= 1000) {
            self.0.store(true, Ordering::Relaxed);
            return None;
        }
        RUST.ring_size(want, out)
    }

    fn death(&self) -> Option<String> {
        self.0
            .swap(false, Ordering::Relaxed)
            .then(|| "killed by a signal".into())
    }
}

/// Every death is counted; one is told, with what it died of.
#[test]
fn deaths_are_counted_and_told() {
    let subjects: [Box<dyn Subject>; 1] = [Box::new(Mortal::default())];
    let catalogue = Catalogue::load();
    let selected = catalogue.select(&["RING-9".into()]).expect("a rule");
    let mut session = Session::new(&catalogue, &subjects, selected, Options::default());
    for descs in [10, 999, 1000, 5, 20_000, 1001] {
        session.try_case::<Count>(&|| format!("{descs}"), &descs, None);
    }
    assert_eq!(session.deaths(), 3);
    let [finding] = session.findings() else {
        panic!("{:#?}", session.findings());
    };
    assert_eq!(
        (&*finding.rule, &*finding.origin, &*finding.actual[0]),
        ("RING-9", "1000", "killed by a signal")
    );
    let report = session.report(true, false);
    let result = &report.rules[0].results[0];
    assert_eq!((result.cases, result.failed), (6, 3));
}

/// Offers ring sizes below 1000 alone.
struct Partial {
    line: Line,
    may: bool,
}

impl Subject for Partial {
    fn name(&self) -> &'static str {
        "partial"
    }

    fn line(&self) -> Line {
        self.line
    }

    fn leaves_out(&self) -> bool {
        self.may
    }

    fn ring_size(&self, want: &[u32], out: &mut [u32]) -> Option<()> {
        let is_offered = want.iter().all(|want| *want < 1000);
        is_offered.then(|| RUST.ring_size(want, out))?
    }
}

/// Whether one case that is answered and one that is not make a finding.
fn is_told(partial: Partial) -> bool {
    let subjects: [Box<dyn Subject>; 1] = [Box::new(partial)];
    let catalogue = Catalogue::load();
    let selected = catalogue.select(&[]).expect("all rules");
    let mut session = Session::new(&catalogue, &subjects, selected, Options::default());
    for descs in [10, 1000] {
        session.try_case::<Count>(&|| format!("{descs}"), &descs, None);
    }
    !session.findings().is_empty()
}

#[test]
fn what_is_left_out_is_told_unless_it_may_be() {
    let of = |line, may| is_told(Partial { line, may });
    assert!(of(Line::Kernel, false));
    assert!(!of(Line::Kernel, true));
    // The rules say nothing of ring sizes there.
    assert!(!of(Line::Hal, false));
}
