//! Transfers, pokes, packets (XFER).

use super::common::{SCRIPT_RULES, attempt, block, chunks, plain, raw};
use super::{Check, CheckError, Level};
use crate::cases::vring::{Run, RunCase};
use crate::generate::{mix, vring::runnable};
use crate::session::Session;
use crate::subject::vring::{Op, Packet, Transfer};
use crate::wire::Ring;

/// Rules that a run on the engine speaks for.
const RUN_RULES: &[&str] = &["XFER-1", "PACK-1", "DUMP-3", "BLDR-9"];

pub const CHECKS: &[Check] = &[
    Check {
        suite: "transfer",
        name: "sizes",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: sizes,
    },
    Check {
        suite: "transfer",
        name: "pokes",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: pokes,
    },
    Check {
        suite: "transfer",
        name: "packets",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: packets,
    },
    Check {
        suite: "transfer",
        name: "totals",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: totals,
    },
    Check {
        suite: "transfer",
        name: "executed",
        rules: RUN_RULES,
        level: Level::Heavy,
        run: executed,
    },
    Check {
        suite: "transfer",
        name: "many_executed",
        rules: RUN_RULES,
        level: Level::Deep,
        run: many_executed,
    },
];

/// Every size around a chunk's end, ordered or not, in both forms, on every architecture.
fn sizes(session: &mut Session) -> Result<(), CheckError> {
    let sizes = [
        0, 1, 4, 64, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 196_609, 1_000_000,
    ];
    for arch in 2..=4 {
        for ordered in [false, true] {
            for ex in [false, true] {
                let transfer = |size, src, dst| {
                    let transfer = Transfer {
                        src,
                        dst,
                        size,
                        ordered,
                    };
                    if ex {
                        Op::TransferEx(transfer)
                    } else {
                        Op::Transfer(transfer)
                    }
                };
                let ops = sizes.map(|size| transfer(size, 0x1234_5678, 0x9_8765_4321));
                attempt(session, "sizes", arch, ops.to_vec());
                // Addresses advance modulo 2^64.
                let end = u64::MAX - 0x1_0000;
                let ops = vec![
                    transfer(200_000, end, 0x1000),
                    transfer(200_000, 0x1000, end),
                ];
                attempt(session, "sizes at the end of addresses", arch, ops);
            }
        }
    }
    Ok(())
}

fn pokes(session: &mut Session) -> Result<(), CheckError> {
    for arch in 2..=4 {
        let poke = |event| Op::Poke {
            event,
            src: 0x4000,
            dst: 0x20_0000_1000,
        };
        let ops = vec![poke(true), plain(70_000), poke(false), poke(true)];
        attempt(session, "pokes", arch, ops);
    }
    Ok(())
}

/// Every count around the caps, every mode and flag; refused ones leave nothing behind.
fn packets(session: &mut Session) -> Result<(), CheckError> {
    for arch in 2..=4 {
        for mode in [0, 1, 2, 3, 4, -1] {
            for flags in 0..8 {
                let packet = |count: u64, size: u64| {
                    Op::Packet(Packet {
                        mode,
                        sow: flags & 1 != 0,
                        dst_int: flags & 2 != 0,
                        notify: flags & 4 != 0,
                        blocks: (0..count).map(|index| block(index, size)).collect(),
                    })
                };
                let counts = [0, 1, 2, 3, 65, 66, 128, 129];
                let mut ops = counts.map(|count| packet(count, 4096)).to_vec();
                ops.extend([packet(2, 65_536), packet(2, 0), packet(2, 65_537)]);
                attempt(session, "packets", arch, ops);
            }
        }
    }
    Ok(())
}

/// Totals past 2^32, and none for what is not a transfer.
fn totals(session: &mut Session) -> Result<(), CheckError> {
    let ops = vec![
        chunks(65_535),
        plain(65_535),
        plain(2),
        raw(Ring::Tx, 1),
        chunks(2),
    ];
    attempt(session, "totals", 3, ops);
    Ok(())
}

fn executed(session: &mut Session) -> Result<(), CheckError> {
    execute(session, session.options.cases / 200, 2);
    Ok(())
}

fn many_executed(session: &mut Session) -> Result<(), CheckError> {
    execute(session, session.options.cases / 2, 4);
    Ok(())
}

/// Every generated vring, unpacked and packed, on the weakest engine with some seeds.
fn execute(session: &mut Session, count: u64, seeds: u64) {
    let seed = mix(session.options.seed, 41);
    for number in 0..count {
        for script in runnable(seed, number) {
            for choice in 0..seeds {
                let case = RunCase {
                    script: script.clone(),
                    seed: mix(seed, number * seeds + choice),
                };
                session.try_case::<Run>(&|| format!("executed#{number}"), &case, None);
            }
        }
        if session.done() {
            return;
        }
    }
}
