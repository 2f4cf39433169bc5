//! Completion buffers, markers, and where host transfers go (MARK, HOST).

use super::cycle::programs;
use super::{Check, CheckError, Level};
use crate::cases::cycle::question::{Of, Place};
use crate::cycle::Step;
use crate::generate::cycle::{ARCHES, copies, fill, of, queue, transfer};
use crate::session::Session;

const RULES: &[&str] = &[
    "TRIG-2", "TRIG-5", "MARK-1", "MARK-2", "MARK-3", "MARK-4", "HOST-1", "RING-2", "RING-3",
    "RING-4", "BLDR-2", "BTCH-1", "BTCH-2", "BTCH-3", "BTCH-4", "BTCH-5", "BTCH-6", "POLL-1",
    "POLL-2", "POLL-3", "POLL-5", "ACK-1", "ACK-2", "ACK-3", "ASYN-1", "ASYN-2", "MSET-1",
];

pub const CHECKS: &[Check] = &[
    Check {
        suite: "marker",
        name: "places",
        rules: &["HOST-1", "HOST-2"],
        level: Level::Quick,
        run: places,
    },
    Check {
        suite: "marker",
        name: "slots",
        rules: RULES,
        level: Level::Quick,
        run: slots,
    },
];

/// Every core that there is, and some that there are not.
fn places(session: &mut Session) -> Result<(), CheckError> {
    for arch in ARCHES {
        for core in (0..=20).chain([255, 1 << 16, u64::from(u32::MAX)]) {
            let case = vec![arch.into(), core];
            session.try_case::<Of<Place>>(&|| format!("places#{arch}.{core}"), &case, None);
        }
    }
    Ok(())
}

/// A marker of each slot, and again after each; addresses with and without the window.
fn slots(session: &mut Session) -> Result<(), CheckError> {
    let runs = ARCHES.into_iter().flat_map(|arch| {
        let setup = queue(arch, 64, 64, 2);
        let submit = |at, previous| Step::Submit(transfer(at, 100, 0), previous);
        let all = vec![
            Step::Copy(transfer(0, 64, 0)),
            submit(1, -1),
            submit(2, 1),
            Step::Copy(transfer(3, 1, 0)),
            submit(4, 2),
            Step::Wait(1),
            fill(5, 100, 7),
        ];
        let mut high = setup;
        high.completion = 0x0fff_ffff_f000;
        [of(setup, all), copies(high, &[1, 64, 65], 0)]
    });
    programs(session, "slots", runs);
    Ok(())
}
