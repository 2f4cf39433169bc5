//! Timeouts, and the retry of v2 (RTRY).

use super::cycle::programs;
use super::{Check, CheckError, Level};
use crate::cases::cycle::question::{Of, Offered};
use crate::cycle::Step;
use crate::generate::cycle::{ARCHES, begun_at, copies, of, queue, transfer};
use crate::session::Session;

const RULES: &[&str] = &[
    "RTRY-1", "ASYN-2", "TRIG-2", "TRIG-5", "MARK-1", "MARK-2", "MARK-3", "MARK-4", "HOST-1",
    "RING-2", "RING-3", "RING-4", "BLDR-2", "BTCH-1", "BTCH-2", "BTCH-3", "BTCH-4", "BTCH-5",
    "BTCH-6", "POLL-1", "POLL-2", "POLL-3", "POLL-5", "ACK-1", "ACK-2", "ACK-3",
];

pub const CHECKS: &[Check] = &[
    Check {
        suite: "retry",
        name: "offered",
        rules: &["RTRY-2"],
        level: Level::Quick,
        run: offered,
    },
    Check {
        suite: "retry",
        name: "windows",
        rules: RULES,
        level: Level::Quick,
        run: windows,
    },
    Check {
        suite: "retry",
        name: "two-out",
        rules: RULES,
        level: Level::Quick,
        run: two_out,
    },
];

fn offered(session: &mut Session) -> Result<(), CheckError> {
    for arch in ARCHES {
        for overridden in [0, 1] {
            let case = vec![arch.into(), overridden];
            session.try_case::<Of<Offered>>(
                &|| format!("offered#{arch}.{overridden}"),
                &case,
                None,
            );
        }
    }
    Ok(())
}

/// Batches withheld, and as many reset windows or fewer or more, for copies and for waits with a
/// newer batch out, from several places in the ring.
fn windows(session: &mut Session) -> Result<(), CheckError> {
    for arch in ARCHES {
        let setup = queue(arch, 64, 64, 2);
        let submit = |at, size, previous| Step::Submit(transfer(at, size, 0), previous);
        let two = vec![
            submit(0, 100, -1),
            submit(1, 60, 1),
            Step::Wait(2),
            submit(2, 64, -1),
        ];
        let waits = vec![
            submit(0, 100, -1),
            submit(1, 60, -1),
            Step::Wait(1),
            submit(2, 10, -1),
            submit(3, 130, 1),
            Step::Wait(1),
            Step::Wait(2),
        ];
        // Only v2 has more to tell than that there is no retry.
        let most = if arch == 2 { 3 } else { 1 };
        for (lost, windows) in (1..=most).flat_map(|lost| (0..=most).map(move |told| (lost, told)))
        {
            let places = [(0, &two), (62, &two), (130, &waits)];
            let places = &places[..if lost == 1 { 3 } else { 1 }];
            for (start, steps) in places {
                let mut run = begun_at(of(setup, (*steps).clone()), *start);
                run.engine.lost_batches = lost;
                run.engine.in_reset_window = windows;
                programs(session, "handles", [run]);
            }
            let mut run = begun_at(copies(setup, &[60, 64], 0), 2 * (lost + 40) as u32);
            run.engine.lost_batches = lost;
            run.engine.in_reset_window = windows;
            programs(session, "copies", [run]);
        }
    }
    Ok(())
}

/// A wait that is retried while another batch is out: one that was submitted later is rung again
/// behind it, and an earlier one or that of a copy is not. The first timeout, outside of a window,
/// leaves both in use (ASYN-2).
fn two_out(session: &mut Session) -> Result<(), CheckError> {
    let setup = queue(2, 64, 64, 2);
    let submit = |at, size, previous| Step::Submit(transfer(at, size, 0), previous);
    let (older, newer) = (submit(0, 100, -1), submit(1, 60, 1));
    let copy = Step::Copy(transfer(1, 60, 0));
    for steps in [
        vec![older, newer, Step::Wait(1), Step::Wait(2)],
        vec![older, newer, Step::Wait(2), Step::Wait(1)],
        vec![older, copy, Step::Wait(1)],
    ] {
        for start in [0, 61, 130] {
            let mut run = begun_at(of(setup, steps.clone()), start);
            run.engine.lost_batches = 2;
            run.engine.out_of_window = 1;
            run.engine.in_reset_window = 1;
            programs(session, "handles", [run]);
        }
    }
    Ok(())
}
