//! Waits (POLL).

use super::cycle::programs;
use super::{Check, CheckError, Level, vectors};
use crate::cases::cycle::bare::{Bare, Call};
use crate::cases::cycle::question::{Estimate, Of};
use crate::generate::cycle::{ARCHES, copies, queue};
use crate::generate::mix;
use crate::law::cycle::wait;
use crate::line::DRIVERS;
use crate::session::Session;

const RULES: &[&str] = &[
    "TRIG-2", "TRIG-5", "MARK-1", "MARK-2", "MARK-3", "MARK-4", "HOST-1", "RING-2", "RING-3",
    "RING-4", "BLDR-2", "BTCH-1", "BTCH-2", "BTCH-3", "BTCH-4", "BTCH-5", "BTCH-6", "POLL-1",
    "POLL-2", "POLL-3", "POLL-5", "ACK-1", "ACK-2", "ACK-3", "RTRY-1",
];

pub const CHECKS: &[Check] = &[
    Check {
        suite: "poll",
        name: "wait_time",
        rules: &["POLL-2", "POLL-3"],
        level: Level::Recorded,
        run: recorded,
    },
    Check {
        suite: "poll",
        name: "estimates",
        rules: &["POLL-2", "POLL-3"],
        level: Level::Quick,
        run: estimates,
    },
    Check {
        suite: "poll",
        name: "looks",
        rules: RULES,
        level: Level::Quick,
        run: looks,
    },
    Check {
        suite: "poll",
        name: "software_poll",
        rules: &["POLL-4", "POLL-5"],
        level: Level::Quick,
        run: software,
    },
];

fn recorded(session: &mut Session) -> Result<(), CheckError> {
    vectors(session, "wait_time")
}

/// Every version, architecture, platform and form, at counts around the bounds of 32 bits.
fn estimates(session: &mut Session) -> Result<(), CheckError> {
    let mut counts: Vec<u64> = (0..=20)
        .chain([100, 2032, 2033, 2034, 8191, 8192])
        .collect();
    counts.extend((13..32).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 1]));
    counts.extend([u64::from(u32::MAX) - 1, u32::MAX.into()]);
    counts.extend((0..20).map(|index| mix(session.options.seed, index) >> 32));
    for (driver, _) in DRIVERS {
        for arch in ARCHES {
            for platform in 0..3 {
                for is_async in 0..2 {
                    for count in &counts {
                        let case = vec![arch.into(), driver.into(), platform, *count, is_async];
                        session.try_case::<Of<Estimate>>(&|| "estimates".into(), &case, None);
                    }
                }
            }
        }
    }
    Ok(())
}

/// Batches that are done at the first look, at one of the next, at the last one, and too late; what
/// a timeout is called in every version.
fn looks(session: &mut Session) -> Result<(), CheckError> {
    for arch in ARCHES {
        let setup = queue(arch, 64, 64, 1);
        let [_, following] = wait::polled(arch, 0, 0, 2, false);
        for late in [0, 1, 2, 37, following + 1, following + 2] {
            let mut run = copies(setup, &[60, 10], 0);
            run.engine.delay_calls = late;
            programs(session, "looks", [run]);
        }
    }
    for (driver, _) in DRIVERS {
        let mut setup = queue(2, 64, 64, 1);
        setup.driver = driver;
        let [_, following] = wait::polled(2, driver, 0, 2, false);
        for (platform, late) in [(0, following + 2), (1, following + 9), (2, following + 9)] {
            // Virtual platforms wait longer, and find it as soon.
            setup.platform = platform;
            let mut run = copies(setup, &[60], 0);
            run.engine.delay_calls = late;
            programs(session, "versions", [run]);
        }
    }
    Ok(())
}

fn software(session: &mut Session) -> Result<(), CheckError> {
    for looks in [0, 1, 2, 3, 10] {
        for misses in 0..=looks + 1 {
            let word = 0x1_0000_0004 + 8 * misses;
            let call = Call::Poll {
                word,
                looks,
                misses,
            };
            session.try_case::<Bare>(&|| format!("poll#{looks}.{misses}"), &call, None);
        }
    }
    Ok(())
}
