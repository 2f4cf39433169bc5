//! Dumps to physical rings (DUMP).

use super::common::{SCRIPT_RULES, attempt, chunks, plain, raw};
use super::{Check, CheckError, Level};
use crate::session::Session;
use crate::subject::vring::{Dump, Op};
use crate::wire::Ring;

pub const CHECKS: &[Check] = &[
    Check {
        suite: "dump",
        name: "halves",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: halves,
    },
    Check {
        suite: "dump",
        name: "both",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: both,
    },
    Check {
        suite: "dump",
        name: "pages",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: pages,
    },
];

fn pring(half: Ring, descriptors: u32, offset: u64) -> Op {
    Op::Pring {
        half,
        descriptors,
        wrap: true,
        offset,
    }
}

fn dump(half: Ring, pring: Ring, padded: Option<u32>, free: bool) -> Op {
    Op::Dump {
        half,
        pring,
        dump: Dump {
            padded,
            scratch: 0xabc0_1234_5678,
            free,
        },
    }
}

/// Every padding around the borders, to either pring, at offsets good and bad, freed or not.
fn halves(session: &mut Session) -> Result<(), CheckError> {
    let paddings = [
        None,
        Some(0),
        Some(2),
        Some(3),
        Some(4),
        Some(7),
        Some(63),
        Some(64),
        Some(65),
    ];
    for half in Ring::BOTH {
        for offset in [0, 256, 4096, 16, 255, 257] {
            for padded in paddings {
                for free in [false, true] {
                    let ops = vec![
                        dump(half, half, padded, free),
                        plain(150_000),
                        pring(half, 5, offset),
                        dump(half, half, padded, free),
                        plain(9),
                        dump(half, half, None, free),
                    ];
                    attempt(session, "halves", 3, ops);
                }
            }
        }
        let other = Ring::BOTH[1 - half as usize];
        let ops = vec![
            plain(150_000),
            pring(Ring::Tx, 5, 0),
            pring(Ring::Rx, 5, 0),
            dump(half, other, None, true),
            dump(half, other, Some(6), true),
            dump(half, half, None, true),
            dump(half, half, None, true),
            dump(half, half, Some(5), false),
        ];
        attempt(session, "other pring", 3, ops);
    }
    Ok(())
}

/// Each half with its own padding; a refusal of either.
fn both(session: &mut Session) -> Result<(), CheckError> {
    let paddings = [None, Some(2), Some(3), Some(5), Some(9), Some(64), Some(65)];
    for tx_padded in paddings {
        for rx_padded in paddings {
            for (more, free) in [
                (None, false),
                (Some(Ring::Tx), true),
                (Some(Ring::Rx), false),
            ] {
                let both = Op::DumpBoth {
                    tx_padded,
                    rx_padded,
                    scratch: 0x1234_0000_4321,
                    free,
                };
                let mut ops = vec![both.clone(), plain(150_000)];
                ops.extend(more.map(|half| raw(half, 0x99)));
                ops.extend([pring(Ring::Tx, 5, 0), both.clone()]);
                ops.extend([pring(Ring::Rx, 5, 256), both.clone()]);
                ops.extend([pring(Ring::Rx, 5, 16), both]);
                attempt(session, "both", 3, ops);
            }
        }
    }
    Ok(())
}

/// Runs over the end of a page stay in order.
fn pages(session: &mut Session) -> Result<(), CheckError> {
    for count in [65_535, 65_536, 65_537] {
        let mut ops = vec![chunks(count)];
        for half in Ring::BOTH {
            let padded = count as u32 + 3;
            ops.extend([
                pring(half, padded, 256),
                dump(half, half, Some(padded), false),
            ]);
        }
        attempt(session, &format!("pages {count}"), 3, ops);
    }
    Ok(())
}
