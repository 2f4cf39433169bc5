//! Two transfers in flight (ASYN).

use super::cycle::{programs, seeds};
use super::{Check, CheckError, Level};
use crate::cycle::{Run, Step};
use crate::generate::cycle::{ARCHES, begun_at, of, queue, transfer};
use crate::law::cycle::wait;
use crate::session::Session;

const RULES: &[&str] = &[
    "ASYN-1", "ASYN-2", "ASYN-3", "ASYN-4", "RTRY-1", "TRIG-2", "TRIG-5", "MARK-1", "MARK-2",
    "MARK-3", "MARK-4", "HOST-1", "RING-2", "RING-3", "RING-4", "BLDR-2", "BTCH-1", "BTCH-2",
    "BTCH-3", "BTCH-4", "BTCH-5", "BTCH-6", "POLL-1", "POLL-2", "POLL-3", "POLL-5", "ACK-1",
    "ACK-2", "ACK-3",
];
const SEEDED: &[&str] = &[
    "ASYN-2", "TRIG-2", "TRIG-5", "MARK-1", "MARK-2", "MARK-3", "MARK-4", "HOST-1", "RING-2",
    "RING-3", "RING-4", "BLDR-2", "BTCH-1", "BTCH-2", "BTCH-3", "BTCH-4", "BTCH-5", "BTCH-6",
    "POLL-1", "POLL-2", "POLL-3", "POLL-5", "ACK-1", "ACK-2", "ACK-3", "MODL-1", "MODL-2",
    "MODL-3", "MODL-4", "MODL-5", "MODL-6", "MODL-7", "MODL-8",
];

pub const CHECKS: &[Check] = &[
    Check {
        suite: "async",
        name: "interleavings",
        rules: RULES,
        level: Level::Quick,
        run: interleavings,
    },
    Check {
        suite: "async",
        name: "laps",
        rules: RULES,
        level: Level::Quick,
        run: laps,
    },
    Check {
        suite: "async",
        name: "late",
        rules: RULES,
        level: Level::Quick,
        run: late,
    },
    Check {
        suite: "async",
        name: "seeded",
        rules: SEEDED,
        level: Level::Heavy,
        run: seeded,
    },
];

/// Bytes that step `at` copies: another number of pairs each time.
fn bytes(at: u64) -> u64 {
    [100, 30, 200, 64, 1][at as usize % 5]
}

/// One of the calls that can be made, by its number.
fn call(number: u64, at: u64) -> Step {
    let previous = [-1, 0, 1, 2, 3, -2, i32::MAX, i32::MIN];
    match number {
        0..=7 => Step::Submit(transfer(at, bytes(at), 0), previous[number as usize]),
        8..=15 => Step::Wait(previous[number as usize - 8]),
        16 => Step::Copy(transfer(at, bytes(at), 0)),
        // One byte more than a batch.
        _ => Step::Submit(
            transfer(at, 64 * 9 + 1, 0),
            if number == 17 { -1 } else { 1 },
        ),
    }
}

/// Every sequence of three calls after a first submit, known handles and others.
fn interleavings(session: &mut Session) -> Result<(), CheckError> {
    const CALLS: u64 = 19;
    for sequence in 0..CALLS * CALLS * CALLS {
        let arch = ARCHES[(sequence % 3) as usize];
        let mut setup = queue(arch, 64, 64, 2);
        setup.threshold = 8;
        let (first, second, third) = (
            sequence / CALLS / CALLS,
            sequence / CALLS % CALLS,
            sequence % CALLS,
        );
        // Beyond two unknown handles one more says nothing.
        let unknown = |number: &u64| matches!(number, 5..=7 | 13..=15);
        if [first, second, third]
            .iter()
            .filter(|number| unknown(number))
            .count()
            > 1
        {
            continue;
        }
        let steps = vec![call(0, 0), call(first, 1), call(second, 2), call(third, 3)];
        let run = of(setup, steps);
        programs(session, "interleavings", [run]);
        if session.done() {
            break;
        }
    }
    Ok(())
}

/// Submits one after the other, over four laps of small rings.
fn chain(arch: u8, size: u32, count: u64) -> Run {
    let setup = queue(arch, size, 64, 2);
    let full = 64 * (u64::from(setup.threshold) + 1);
    let mut previous = -1;
    let mut steps = Vec::new();
    for at in 0..count {
        let transfer = transfer(at, full - at % 64, at % 3);
        steps.push(Step::Submit(transfer, previous));
        previous = if previous == 1 { 2 } else { 1 };
    }
    steps.push(Step::Wait(previous));
    of(setup, steps)
}

fn laps(session: &mut Session) -> Result<(), CheckError> {
    for arch in ARCHES {
        for size in [32, 64] {
            let runs = (0..2 * size).step_by(6);
            programs(
                session,
                "laps",
                runs.map(|start| begun_at(chain(arch, size, 24), start)),
            );
        }
    }
    Ok(())
}

/// A wait that times out keeps the handle in use; the batch is there later, or never.
fn late(session: &mut Session) -> Result<(), CheckError> {
    for arch in [2, 3] {
        let setup = queue(arch, 64, 64, 2);
        let [_, following] = wait::polled(arch, 0, 0, 2, true);
        let submit = |at, previous| Step::Submit(transfer(at, 60, 0), previous);
        let waits = [1, 1, 2].map(Step::Wait);
        let two = [&[submit(0, -1), submit(1, 1)][..], &waits].concat();
        let one = [&[submit(0, -1)][..], &waits, &[submit(1, 1), submit(2, -1)]].concat();
        for (late, lost) in [(0, 1), (following + 2, 0)] {
            for steps in [&one, &two] {
                let mut run = of(setup, steps.clone());
                run.engine.delay_calls = late;
                run.engine.lost_batches = lost;
                programs(session, "late", [run]);
            }
        }
    }
    Ok(())
}

fn seeded(session: &mut Session) -> Result<(), CheckError> {
    let count = session.options.cases / 80;
    seeds(session, "seeded", count, &[2]);
    Ok(())
}
