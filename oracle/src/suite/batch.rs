//! Copies, batch by batch (BTCH).

use super::cycle::{programs, seeds};
use super::{Check, CheckError, Level, vectors};
use crate::generate::cycle::{ARCHES, begun_at, copies, queue, sizes};
use crate::session::Session;

const RULES: &[&str] = &[
    "TRIG-2", "TRIG-5", "MARK-1", "MARK-2", "MARK-3", "MARK-4", "HOST-1", "RING-2", "RING-3",
    "RING-4", "BLDR-2", "BTCH-1", "BTCH-2", "BTCH-3", "BTCH-4", "BTCH-5", "BTCH-6", "POLL-1",
    "POLL-2", "POLL-3", "POLL-5", "ACK-1", "ACK-2", "ACK-3", "RTRY-1", "HOST-2",
];
const SEEDED: &[&str] = &[
    "TRIG-2", "TRIG-5", "MARK-1", "MARK-2", "MARK-3", "MARK-4", "HOST-1", "RING-2", "RING-3",
    "RING-4", "BLDR-2", "BTCH-1", "BTCH-2", "BTCH-3", "BTCH-4", "BTCH-5", "BTCH-6", "POLL-1",
    "POLL-2", "POLL-3", "POLL-5", "ACK-1", "ACK-2", "ACK-3", "MODL-1", "MODL-2", "MODL-3",
    "MODL-4", "MODL-5", "MODL-6", "MODL-7", "MODL-8",
];

pub const CHECKS: &[Check] = &[
    Check {
        suite: "batch",
        name: "memcpy_trace",
        rules: RULES,
        level: Level::Recorded,
        run: recorded,
    },
    Check {
        suite: "batch",
        name: "sizes",
        rules: RULES,
        level: Level::Quick,
        run: around,
    },
    Check {
        suite: "batch",
        name: "large_rings",
        rules: RULES,
        level: Level::Heavy,
        run: large,
    },
    Check {
        suite: "batch",
        name: "seeded",
        rules: SEEDED,
        level: Level::Heavy,
        run: seeded,
    },
    Check {
        suite: "batch",
        name: "many_seeds",
        rules: SEEDED,
        level: Level::Deep,
        run: many_seeds,
    },
];

fn recorded(session: &mut Session) -> Result<(), CheckError> {
    vectors(session, "memcpy_trace")
}

/// Sizes around every boundary on small rings, with chunk and threshold as parameters.
fn around(session: &mut Session) -> Result<(), CheckError> {
    for arch in ARCHES {
        for (size, chunk, threshold) in [
            (32, 64, 14),
            (32, 64, 3),
            (32, 64, 0),
            (64, 64, 46),
            (64, 4096, 1),
            (64, 65536, 5),
            (64, 65535, 2),
            (128, 1, 40),
        ] {
            let mut setup = queue(arch, size, chunk, 1);
            setup.threshold = threshold;
            let sizes = sizes(&setup);
            // Alone, and one after the other from some place in the ring on.
            let alone = sizes.iter().map(|size| copies(setup, &[*size], 0));
            programs(session, "sizes", alone);
            let start = 2 * (threshold + chunk % 7);
            programs(
                session,
                "sizes in a row",
                [begun_at(copies(setup, &sizes, 1), start)],
            );
        }
        // A batch that the ring has no room for (RING-8): nothing is rung, slots are lost.
        let mut setup = queue(arch, 32, 64, 1);
        setup.threshold = 30;
        programs(
            session,
            "no room",
            [copies(setup, &[64 * 15, 64 * 20, 64], 0)],
        );
    }
    Ok(())
}

/// The driver's own rings, chunks and threshold: full batches, several of them, from places around
/// the ring's end on.
fn large(session: &mut Session) -> Result<(), CheckError> {
    for (arch, start) in ARCHES.into_iter().zip([0, 8190, 4 * 8192 - 4000]) {
        for chunk in [64, 65536] {
            let mut setup = queue(arch, 8192, chunk, 1);
            setup.threshold = 2031;
            let full = 2032 * u64::from(chunk);
            let run = copies(setup, &[full - 1, full, full + 1, 3 * full + 5], 0);
            programs(session, "large", [begun_at(run, start)]);
        }
    }
    Ok(())
}

fn seeded(session: &mut Session) -> Result<(), CheckError> {
    let count = session.options.cases / 50;
    seeds(session, "seeded", count, &[0, 1]);
    Ok(())
}

/// Every kind of run, many times.
fn many_seeds(session: &mut Session) -> Result<(), CheckError> {
    seeds(session, "many", 100_000, &[0, 1, 2, 3, 4]);
    Ok(())
}
