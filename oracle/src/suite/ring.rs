//! Ring cursors, phase, guard gap, count rounding, prepare (RING).

use proptest::prelude::*;

use super::{Check, CheckError, Level, vectors};
use crate::cases::count::Count;
use crate::cases::ring_script::{Op, Script};
use crate::cases::rings::Rings;
use crate::generate::{self, mix, sample};
use crate::line::DRIVERS;
use crate::session::Session;
use crate::wire::{PairIn, Ring};

const SCRIPT_RULES: &[&str] = &[
    "RING-1", "RING-2", "RING-3", "RING-4", "RING-5", "RING-6", "RING-7", "RING-8", "RING-10",
    "RING-11",
];

pub const CHECKS: &[Check] = &[
    Check {
        suite: "ring",
        name: "ring_cursor",
        rules: SCRIPT_RULES,
        level: Level::Recorded,
        run: ring_cursor,
    },
    Check {
        suite: "ring",
        name: "desc_count",
        rules: &["RING-9"],
        level: Level::Recorded,
        run: desc_count,
    },
    Check {
        suite: "ring",
        name: "laps",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: laps,
    },
    Check {
        suite: "ring",
        name: "refusals",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: refusals,
    },
    Check {
        suite: "ring",
        name: "scripts",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: scripts,
    },
    Check {
        suite: "ring",
        name: "rounding",
        rules: &["RING-9"],
        level: Level::Quick,
        run: rounding,
    },
];

fn ring_cursor(session: &mut Session) -> Result<(), CheckError> {
    vectors(session, "ring_cursor")
}

fn desc_count(session: &mut Session) -> Result<(), CheckError> {
    vectors(session, "desc_count")
}

fn script(size: [u32; 2], driver: u8, ops: Vec<Op>) -> Script {
    Script {
        driver,
        qid: 3,
        size,
        has_memory: [true; 2],
        allocatable: true,
        ops,
    }
}

/// Five laps in steps, every cursor and phase looked at, on every size and both rings; of the sizes
/// from 256 on none where very few cases are wanted, for a lap is as many operations.
fn laps(session: &mut Session) -> Result<(), CheckError> {
    let most = session.options.cases.saturating_mul(5);
    let mut number = 0;
    for bits in 5..=13 {
        let size = 1u32 << bits;
        if bits > 7 && u64::from(size) > most {
            break;
        }
        for ring in Ring::BOTH {
            for step in [1, 7, size - 16, size] {
                let mut ops = vec![Op::Available(ring)];
                let mut done = 0;
                while done < 5 * u64::from(size) && ops.len() < 50_000 {
                    ops.extend([Op::Get(ring), Op::RingId(ring)].repeat(step as usize));
                    ops.extend([
                        Op::Available(ring),
                        Op::Ack(ring, step),
                        Op::Available(ring),
                    ]);
                    done += u64::from(step);
                }
                number += 1;
                let case = script([size; 2], 0, ops);
                session.try_case::<Rings>(&|| format!("laps#{number}"), &case, None);
            }
        }
    }
    Ok(())
}

/// Refused and half-refused prepares, on rings of unlike sizes, of no power of two, without memory.
fn refusals(session: &mut Session) -> Result<(), CheckError> {
    let plain = PairIn {
        src: 0x1000,
        dst: 0x2000,
        size: 64,
        arch: 3,
        ..PairIn::default()
    };
    let requests = [
        plain,
        PairIn { size: 0, ..plain },
        PairIn {
            size: 65537,
            ..plain
        },
        PairIn {
            size: u64::MAX,
            ..plain
        },
        PairIn { mode: 4, ..plain },
        PairIn {
            mode: -1,
            size: 65537,
            ..plain
        },
        PairIn {
            mode: 3,
            dst_int: 1,
            ..plain
        },
    ];
    let sizes = [
        [32, 32],
        [32, 64],
        [64, 32],
        [48, 48],
        [32, 48],
        [48, 32],
        [512, 32],
    ];
    let memories = [
        ([true, true], true),
        ([false, true], true),
        ([true, false], true),
        ([false, false], true),
        ([true, true], false),
    ];
    let mut number = 0;
    for (driver, _) in DRIVERS {
        for size in sizes {
            for (has_memory, allocatable) in memories {
                for request in requests {
                    for qid in [3, 16, u32::MAX] {
                        // From empty, from nearly full, from full, and over the wrap.
                        for taken in [0usize, 15, 16, 17, 40] {
                            let mut ops = vec![Op::Prepare(3, plain); taken];
                            ops.extend([
                                Op::Prepare(qid, request),
                                Op::Available(Ring::Tx),
                                Op::Available(Ring::Rx),
                                Op::Ack(Ring::Rx, taken as u32),
                                Op::Ack(Ring::Tx, 1),
                                Op::Prepare(qid, request),
                                Op::Prepare(3, plain),
                            ]);
                            number += 1;
                            let case = Script {
                                driver,
                                qid: 3,
                                size,
                                has_memory,
                                allocatable,
                                ops,
                            };
                            session.try_case::<Rings>(
                                &|| format!("refusals#{number}"),
                                &case,
                                None,
                            );
                            if session.done() {
                                return Ok(());
                            }
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

fn scripts(session: &mut Session) -> Result<(), CheckError> {
    let (seed, count) = (mix(session.options.seed, 8), session.options.cases / 5);
    sample(seed, count, generate::script(), |index, case| {
        session.try_case::<Rings>(&|| format!("scripts#{index}"), &case, None);
    });
    Ok(())
}

/// Every count to 70,000, around every power of two, at the wrap, and random.
fn rounding(session: &mut Session) -> Result<(), CheckError> {
    let near = (0..32).flat_map(|bit| (-18i64..=18).map(move |off| (1i64 << bit) + off));
    let wrap = (0..64).map(|back| i64::from(u32::MAX) - back);
    let fixed = (0..70_000)
        .chain(near)
        .chain(wrap)
        .filter_map(|want| u32::try_from(want).ok());
    for want in fixed {
        session.try_case::<Count>(&|| format!("rounding#{want}"), &want, None);
    }
    let (seed, count) = (mix(session.options.seed, 9), session.options.cases);
    sample(seed, count, any::<u32>(), |index, want| {
        session.try_case::<Count>(&|| format!("random#{index}"), &want, None);
    });
    Ok(())
}
