//! Doorbells (TRIG).

use proptest::prelude::*;

use super::{Check, CheckError, Level, vectors};
use crate::cases::cycle::bare::{Bare, Call};
use crate::cases::start::{Start, StartCase};
use crate::generate::{mix, sample};
use crate::line::DRIVERS;
use crate::session::Session;

const RULES: &[&str] = &[
    "TRIG-1", "TRIG-2", "TRIG-3", "TRIG-4", "TRIG-5", "TRIG-6", "TRIG-7", "REGS-1",
];

pub const CHECKS: &[Check] = &[
    Check {
        suite: "trigger",
        name: "copy_start",
        rules: RULES,
        level: Level::Recorded,
        run: recorded,
    },
    Check {
        suite: "trigger",
        name: "edges",
        rules: RULES,
        level: Level::Quick,
        run: edges,
    },
    Check {
        suite: "trigger",
        name: "random",
        rules: RULES,
        level: Level::Quick,
        run: random,
    },
    Check {
        suite: "trigger",
        name: "bare",
        rules: &["TRIG-2", "TRIG-5", "REGS-1"],
        level: Level::Quick,
        run: bare,
    },
];

fn recorded(session: &mut Session) -> Result<(), CheckError> {
    vectors(session, "copy_start")
}

/// Counts around both rings' sizes, on every version, and queue ids around the end.
fn edges(session: &mut Session) -> Result<(), CheckError> {
    let mut number = 0;
    let mut attempt = |session: &mut Session, case: StartCase| {
        number += 1;
        session.try_case::<Start>(&|| format!("edges#{number}"), &case, None);
    };
    let around = |size: u32| [0, 1, size - 1, size, size + 1, 2 * size, u32::MAX];
    for (driver, _) in DRIVERS {
        for size in [[32, 32], [32, 64], [64, 32], [48, 80]] {
            for m2s in around(size[0]).into_iter().chain(around(size[1])) {
                for s2m in around(size[1]).into_iter().chain(around(size[0])) {
                    let case = StartCase {
                        driver,
                        num_queues: 16,
                        qid: 5,
                        size,
                        count: [m2s, s2m],
                    };
                    attempt(session, case);
                }
            }
        }
        for num_queues in [1, 4, 16] {
            for qid in (0..=17).chain([u32::MAX]) {
                let case = StartCase {
                    driver,
                    num_queues,
                    qid,
                    size: [32, 32],
                    count: [4, 4],
                };
                attempt(session, case);
            }
        }
    }
    Ok(())
}

fn random(session: &mut Session) -> Result<(), CheckError> {
    let size = || (2u32..1000).prop_map(|n| n * 16);
    let count = || prop_oneof![3 => 0u32..20_000, 1 => any::<u32>()];
    let (seed, cases) = (mix(session.options.seed, 12), session.options.cases / 4);
    let strategy = (
        0u8..5,
        1u32..=16,
        0u32..18,
        (size(), size()),
        (count(), count()),
    );
    sample(
        seed,
        cases,
        strategy,
        |index, (driver, num_queues, qid, size, count)| {
            let case = StartCase {
                driver,
                num_queues,
                qid,
                size: [size.0, size.1],
                count: [count.0, count.1],
            };
            session.try_case::<Start>(&|| format!("random#{index}"), &case, None);
        },
    );
    Ok(())
}

/// The HAL line's start, which keeps no ring: every queue, small counts and large.
fn bare(session: &mut Session) -> Result<(), CheckError> {
    let counts = [0, 1, 2, 3, 31, 32, 2033, 8192, 0x00ff_ffff, u32::MAX];
    for qid in (0..=17).chain([255, u32::MAX]) {
        for m2s_count in counts {
            for s2m_count in counts {
                let call = Call::Start {
                    qid,
                    m2s_count,
                    s2m_count,
                };
                let origin = || format!("bare#{qid}.{m2s_count}.{s2m_count}");
                session.try_case::<Bare>(&origin, &call, None);
            }
        }
    }
    Ok(())
}
