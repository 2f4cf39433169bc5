//! Physical rings (PRNG).

use super::common::{SCRIPT_RULES, attempt};
use super::{Check, CheckError, Level};
use crate::session::Session;
use crate::subject::vring::Op;
use crate::wire::Ring;

pub const CHECKS: &[Check] = &[
    Check {
        suite: "pring",
        name: "sizes",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: sizes,
    },
    Check {
        suite: "pring",
        name: "made",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: made,
    },
];

/// Every count to 600, and around every power of two.
fn sizes(session: &mut Session) -> Result<(), CheckError> {
    let near = (0..=32).flat_map(|bit| (-18i64..=18).map(move |off| (1i64 << bit) + off));
    let counts: Vec<u32> = (0..600)
        .chain(near)
        .filter_map(|count| u32::try_from(count).ok())
        .collect();
    for part in counts.chunks(100) {
        let sizes = part.iter().flat_map(|descriptors| {
            [false, true].map(|wrap| Op::PringSize {
                descriptors: *descriptors,
                wrap,
            })
        });
        attempt(session, "sizes", 3, sizes.collect());
    }
    Ok(())
}

/// What is made has the size that was told, and starts out unused.
fn made(session: &mut Session) -> Result<(), CheckError> {
    let mut ops = Vec::new();
    for half in Ring::BOTH {
        for descriptors in [0, 31, 32, 47, 48, 49, 1000] {
            for (wrap, offset) in [(false, 0), (true, 256), (true, 1024)] {
                ops.push(Op::Pring {
                    half,
                    descriptors,
                    wrap,
                    offset,
                });
            }
        }
    }
    attempt(session, "made", 3, ops);
    Ok(())
}
