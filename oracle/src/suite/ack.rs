//! Acknowledges, over all laps of a ring (ACK).

use super::cycle::{programs, seeds};
use super::{Check, CheckError, Level};
use crate::generate::cycle::{ARCHES, begun_at, copies, queue};
use crate::session::Session;

const RULES: &[&str] = &[
    "TRIG-2", "TRIG-5", "MARK-1", "MARK-2", "MARK-3", "MARK-4", "HOST-1", "RING-2", "RING-3",
    "RING-4", "BLDR-2", "BTCH-1", "BTCH-2", "BTCH-3", "BTCH-4", "BTCH-5", "BTCH-6", "POLL-1",
    "POLL-2", "POLL-3", "POLL-5", "ACK-1", "ACK-2", "ACK-3",
];
const SEEDED: &[&str] = &[
    "TRIG-2", "TRIG-5", "MARK-1", "MARK-2", "MARK-3", "MARK-4", "HOST-1", "RING-2", "RING-3",
    "RING-4", "BLDR-2", "BTCH-1", "BTCH-2", "BTCH-3", "BTCH-4", "BTCH-5", "BTCH-6", "POLL-1",
    "POLL-2", "POLL-3", "POLL-5", "ACK-1", "ACK-2", "ACK-3", "MODL-1", "MODL-2", "MODL-3",
    "MODL-4", "MODL-5", "MODL-6", "MODL-7", "MODL-8", "ASYN-2", "MSET-1", "ZC-4", "ZC-5",
];

pub const CHECKS: &[Check] = &[
    Check {
        suite: "ack",
        name: "laps",
        rules: RULES,
        level: Level::Quick,
        run: laps,
    },
    Check {
        suite: "ack",
        name: "seeded",
        rules: SEEDED,
        level: Level::Heavy,
        run: seeded,
    },
];

/// From every even place of four laps on, copies that fill the ring between the guards.
fn laps(session: &mut Session) -> Result<(), CheckError> {
    for arch in ARCHES {
        for size in [32, 64] {
            let setup = queue(arch, size, 64, 1);
            let full = 64 * (u64::from(setup.threshold) + 1);
            let run = copies(setup, &[full, 64, full, 128, 3 * full], 0);
            let starts = (0..4 * size).step_by(2);
            programs(
                session,
                "laps",
                starts.map(|start| begun_at(run.clone(), start)),
            );
        }
    }
    Ok(())
}

/// Every kind of run.
fn seeded(session: &mut Session) -> Result<(), CheckError> {
    let count = session.options.cases / 80;
    seeds(session, "seeded", count, &[0, 1, 2, 3, 4]);
    Ok(())
}
