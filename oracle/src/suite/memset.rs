//! Fills (MSET).

use super::cycle::{programs, seeds};
use super::{Check, CheckError, Level, vectors};
use crate::generate::cycle::{ARCHES, fill, of, queue};
use crate::session::Session;

const RULES: &[&str] = &[
    "MSET-1", "RTRY-1", "HOST-2", "TRIG-2", "TRIG-5", "MARK-1", "MARK-2", "MARK-3", "MARK-4",
    "HOST-1", "RING-2", "RING-3", "RING-4", "BLDR-2", "BTCH-1", "BTCH-2", "BTCH-3", "BTCH-4",
    "BTCH-5", "BTCH-6", "POLL-1", "POLL-2", "POLL-3", "POLL-5", "ACK-1", "ACK-2", "ACK-3",
];
const SEEDED: &[&str] = &[
    "MSET-1", "TRIG-2", "TRIG-5", "MARK-1", "MARK-2", "MARK-3", "MARK-4", "HOST-1", "RING-2",
    "RING-3", "RING-4", "BLDR-2", "BTCH-1", "BTCH-2", "BTCH-3", "BTCH-4", "BTCH-5", "BTCH-6",
    "POLL-1", "POLL-2", "POLL-3", "POLL-5", "ACK-1", "ACK-2", "ACK-3", "MODL-1", "MODL-2",
    "MODL-3", "MODL-4", "MODL-5", "MODL-6", "MODL-7", "MODL-8",
];

pub const CHECKS: &[Check] = &[
    Check {
        suite: "memset",
        name: "memset_trace",
        rules: RULES,
        level: Level::Recorded,
        run: recorded,
    },
    Check {
        suite: "memset",
        name: "fills",
        rules: RULES,
        level: Level::Quick,
        run: fills,
    },
    Check {
        suite: "memset",
        name: "seeded",
        rules: SEEDED,
        level: Level::Heavy,
        run: seeded,
    },
];

fn recorded(session: &mut Session) -> Result<(), CheckError> {
    vectors(session, "memset_trace")
}

/// Sizes around the buffer's, chunks of several sizes, values whose low byte is one of four.
fn fills(session: &mut Session) -> Result<(), CheckError> {
    let sizes = [
        0, 1, 63, 64, 65, 4095, 4096, 65535, 65536, 65537, 131_072, 131_073, 200_000, 1_000_001,
    ];
    for (arch, value) in ARCHES
        .into_iter()
        .zip([0xdead_beef, 0x0000_0100, 0x1234_5678])
    {
        for chunk in [65536, 8192] {
            let setup = queue(arch, 64, chunk, 1);
            let runs = sizes.map(|size| of(setup, vec![fill(0, size, value)]));
            programs(session, "fills", runs);
            // What the buffer held before.
            let again = vec![fill(0, 5000, 0x77), fill(1, 0, 5), fill(2, 3, 0x1_00ff)];
            programs(session, "fills again", [of(setup, again)]);
        }
    }
    Ok(())
}

fn seeded(session: &mut Session) -> Result<(), CheckError> {
    let count = session.options.cases / 400;
    seeds(session, "seeded", count, &[3]);
    Ok(())
}
