//! The right cycle holds at whatever pace the engine goes.

use udma_oracle::cases::cycle::{Seeded, SeededRun};
use udma_oracle::catalogue::Catalogue;
use udma_oracle::generate::cycle::seeded;
use udma_oracle::session::{Options, Session};
use udma_oracle::subjects::built_in;

#[test]
fn small_runs_hold_at_any_pace() {
    let catalogue = Catalogue::load();
    let subjects = [built_in("rust-kernel").expect("built in")];
    let selected = catalogue.select(&[]).expect("all rules");
    let mut session = Session::new(&catalogue, &subjects, selected, Options::default());
    for number in 0..60 {
        let run = seeded(2 + (number % 3) as u8, number);
        let case = SeededRun { run, seed: number };
        session.try_case::<Seeded>(&|| format!("{number}"), &case, None);
    }
    assert!(session.findings().is_empty(), "{:#?}", session.findings());
    let report = session.report(true, false);
    let cases = |rule: &str| {
        let found = report.rules.iter().find(|found| found.id == rule);
        found.expect("a rule").results[0].cases
    };
    // Markers are polled, pairs acknowledged, and the engine's own rules looked at, in each.
    for rule in ["MODL-1", "RING-2"] {
        assert_eq!(cases(rule), 60, "{rule}");
    }
    assert!(cases("ACK-1") > 30);
}
