//! Copies of user pages (ZC).

use super::cycle::{programs, seeds};
use super::{Check, CheckError, Level, vectors};
use crate::cycle::{PAGE, Step};
use crate::generate::cycle::{ARCHES, STEP, USER, contexts, frames, pages, queue, zero_copy};
use crate::generate::mix;
use crate::law::cycle::wait;
use crate::session::Session;
use crate::subject::cycle::ZeroCopy;
use udma_reference::abi;

const RULES: &[&str] = &[
    "ZC-1", "ZC-2", "ZC-3", "ZC-4", "ZC-5", "ZC-6", "ZC-7", "HOST-2", "TRIG-2", "TRIG-5", "MARK-1",
    "MARK-2", "MARK-3", "MARK-4", "HOST-1", "RING-2", "RING-3", "RING-4", "BLDR-2", "BTCH-1",
    "BTCH-2", "BTCH-3", "BTCH-4", "BTCH-5", "BTCH-6", "POLL-1", "POLL-2", "POLL-3", "POLL-5",
    "ACK-1", "ACK-2", "ACK-3",
];
const QUEUE: &[&str] = &[
    "ZC-1", "ZC-2", "ZC-3", "ZC-4", "ZC-5", "ZC-6", "ZC-7", "ZC-8", "TRIG-2", "TRIG-5", "MARK-1",
    "MARK-2", "MARK-3", "MARK-4", "HOST-1", "RING-2", "RING-3", "RING-4", "BLDR-2", "BTCH-1",
    "BTCH-2", "BTCH-3", "BTCH-4", "BTCH-5", "BTCH-6", "POLL-1", "POLL-2", "POLL-3", "POLL-5",
    "ACK-1", "ACK-2", "ACK-3",
];
const SEEDED: &[&str] = &[
    "ZC-4", "ZC-5", "TRIG-2", "TRIG-5", "MARK-1", "MARK-2", "MARK-3", "MARK-4", "HOST-1", "RING-2",
    "RING-3", "RING-4", "BLDR-2", "BTCH-1", "BTCH-2", "BTCH-3", "BTCH-4", "BTCH-5", "BTCH-6",
    "POLL-1", "POLL-2", "POLL-3", "POLL-5", "ACK-1", "ACK-2", "ACK-3", "MODL-1", "MODL-2",
    "MODL-3", "MODL-4", "MODL-5", "MODL-6", "MODL-7", "MODL-8",
];

pub const CHECKS: &[Check] = &[
    Check {
        suite: "zerocopy",
        name: "zerocopy_trace",
        rules: RULES,
        level: Level::Recorded,
        run: recorded,
    },
    Check {
        suite: "zerocopy",
        name: "pages",
        rules: RULES,
        level: Level::Quick,
        run: layouts,
    },
    Check {
        suite: "zerocopy",
        name: "refusals",
        rules: RULES,
        level: Level::Quick,
        run: refusals,
    },
    Check {
        suite: "zerocopy",
        name: "contexts",
        rules: QUEUE,
        level: Level::Quick,
        run: queues,
    },
    Check {
        suite: "zerocopy",
        name: "short-ring",
        rules: QUEUE,
        level: Level::Quick,
        run: short_ring,
    },
    Check {
        suite: "zerocopy",
        name: "seeded",
        rules: SEEDED,
        level: Level::Heavy,
        run: seeded,
    },
];

fn recorded(session: &mut Session) -> Result<(), CheckError> {
    vectors(session, "zerocopy_trace")
}

fn count(copy: &ZeroCopy) -> u64 {
    (copy.user % PAGE + copy.size).div_ceil(PAGE)
}

/// Both directions, sizes around every bound of the step, offsets in the first page, pages in one
/// run, alone, and in runs forwards and backwards.
fn layouts(session: &mut Session) -> Result<(), CheckError> {
    let sizes = [
        0, 1, 4096, 5000, 65536, 65537, 200_000, 262_143, 262_144, 262_145, 300_001, 524_287,
        524_288, 524_289, 800_000,
    ];
    for arch in ARCHES {
        let setup = queue(arch, 512, 65536, 1);
        for (at, size) in sizes.into_iter().enumerate() {
            for offset in [0, 1, 777, 4095] {
                let layout = (at as u64 * 4 + offset) % 7;
                for to_device in [true, false] {
                    let copy = zero_copy(0, offset, size, to_device);
                    let frames = frames(count(&copy), layout);
                    let run = pages(setup, vec![Step::ZeroCopy(copy)], frames);
                    programs(session, "pages", [run]);
                }
            }
        }
    }
    Ok(())
}

/// Another core, pages that cannot be pinned, a ring without room, steps that are late or lost.
fn refusals(session: &mut Session) -> Result<(), CheckError> {
    for arch in ARCHES {
        let setup = queue(arch, 512, 65536, 1);
        let copy = zero_copy(0, 10, 3 * STEP, true);
        let all = frames(count(&copy), 3);
        let other = ZeroCopy { core: 2, ..copy };
        let steps = vec![Step::ZeroCopy(other), Step::ZeroCopy(copy)];
        programs(session, "owner", [pages(setup, steps, all.clone())]);
        for pinned in [0, 30, 63, 64, 100, 130, 192] {
            let steps = vec![Step::ZeroCopy(copy)];
            programs(
                session,
                "pins",
                [pages(setup, steps, all[..pinned].to_vec())],
            );
        }
        let mut narrow = setup;
        narrow.size = [64; 2];
        let alone = frames(count(&copy), 1);
        programs(
            session,
            "no room",
            [pages(narrow, vec![Step::ZeroCopy(copy)], alone)],
        );
        let small = zero_copy(0, 10, 6 * 4096, false);
        let small_frames = frames(count(&small), 0);
        let [_, following] = wait::polled(arch, 0, 0, 2, true);
        for (late, lost) in [(1, 0), (following + 1, 0), (following + 2, 0), (0, 1)] {
            let mut run = pages(setup, vec![Step::ZeroCopy(small)], small_frames.clone());
            run.engine.delay_calls = late;
            run.engine.lost_batches = lost;
            // Zero-copy is not retried, whatever window there is.
            run.engine.in_reset_window = 1;
            programs(session, "late", [run]);
        }
    }
    Ok(())
}

/// Copies through the context queue: full queues, budgets, tombstones, unread completions.
fn queues(session: &mut Session) -> Result<(), CheckError> {
    for arch in ARCHES {
        let mut setup = queue(arch, 512, 65536, 1);
        setup.driver = abi::UDMA_DRIVER_2_27_4 as u8;
        // Steps of 65536 bytes, 16 pages; a copy of n is n steps of 262144.
        let steps = |at: u64, number: u64| {
            let offset = at % 3 * 100;
            ZeroCopy {
                user: USER + offset,
                ..zero_copy(at, 0, number * STEP - offset, true)
            }
        };
        let enqueue = |at, number| Step::Enqueue(steps(at, number), 100 + at);
        let other = ZeroCopy {
            core: 0,
            ..steps(1, 1)
        };
        let fixed = [
            // Full, and again.
            (
                4,
                10_000,
                8,
                300,
                vec![
                    enqueue(0, 3),
                    enqueue(1, 2),
                    enqueue(2, 1),
                    Step::Advance(1),
                    Step::Advance(99),
                    Step::Pop,
                    enqueue(3, 3),
                    Step::Advance(99),
                    Step::Pop,
                ],
            ),
            // The budget holds two steps and a half.
            (
                16,
                160,
                16,
                300,
                vec![
                    enqueue(0, 2),
                    enqueue(1, 2),
                    Step::Advance(1),
                    enqueue(2, 2),
                    Step::Advance(99),
                    Step::Pop,
                ],
            ),
            // The third step of the second copy cannot be pinned.
            (
                16,
                10_000,
                16,
                140,
                vec![
                    enqueue(0, 1),
                    enqueue(1, 4),
                    enqueue(2, 2),
                    Step::Advance(1),
                    Step::Advance(99),
                    Step::Pop,
                    enqueue(3, 2),
                    Step::Advance(99),
                    Step::Pop,
                ],
            ),
            // Completions that nobody reads.
            (
                8,
                10_000,
                2,
                300,
                vec![
                    enqueue(0, 1),
                    enqueue(1, 1),
                    enqueue(2, 1),
                    enqueue(3, 1),
                    enqueue(4, 1),
                    Step::Advance(99),
                    Step::Pop,
                    Step::Advance(99),
                    Step::Pop,
                    Step::Advance(99),
                    Step::Pop,
                ],
            ),
            // A synchronous copy behind them, and one that cannot go past.
            (
                4,
                10_000,
                1,
                300,
                vec![
                    enqueue(0, 1),
                    enqueue(1, 1),
                    Step::ContextsCopy(steps(2, 2)),
                    Step::ContextsCopy(steps(3, 4)),
                    Step::Pop,
                    Step::Advance(99),
                    Step::Pop,
                    Step::Advance(99),
                ],
            ),
            // Longer than the queue.
            (
                4,
                10_000,
                4,
                600,
                vec![enqueue(0, 1), Step::ContextsCopy(steps(1, 9)), Step::Pop],
            ),
            // Nothing at all, and another core.
            (
                4,
                10_000,
                1,
                4,
                vec![
                    Step::Enqueue(zero_copy(0, 5, 0, true), 7),
                    Step::Enqueue(zero_copy(0, 5, 0, true), 8),
                    Step::Enqueue(other, 9),
                    Step::ContextsCopy(other),
                    Step::ContextsCopy(zero_copy(0, 5, 0, false)),
                    Step::Pop,
                ],
            ),
        ];
        for (capacity, budget, entries, known, steps) in fixed {
            let open = contexts(capacity, budget, entries);
            let steps: Vec<Step> = std::iter::once(open).chain(steps).collect();
            let lost = u64::from(arch == 2);
            for (layout, lost) in [(0, 0), (5, 0), (0, lost)] {
                let mut run = pages(setup, steps.clone(), frames(known, layout));
                run.engine.lost_batches = lost;
                programs(session, "contexts", [run]);
            }
        }
        // Seeded scripts.
        for script in 0..session.options.cases / 1000 {
            let random = |index: u64| mix(script ^ u64::from(arch) << 32, index);
            let mut steps = vec![contexts(
                2 + (random(0) % 7) as u32,
                64 + random(1) % 300,
                1 << (random(2) % 4),
            )];
            for at in 0..8 {
                let pick = random(10 + at);
                let parts = ZeroCopy {
                    to_device: true,
                    ..zero_copy(at, pick >> 8 & 0xfff, 1 + (pick >> 24) % (2 * STEP), true)
                };
                steps.push(match pick % 6 {
                    0..=2 => Step::Enqueue(parts, at),
                    3 => Step::Advance(1 + (pick >> 4) as u32 % 3),
                    4 => Step::Pop,
                    _ => Step::ContextsCopy(parts),
                });
            }
            steps.extend([Step::Advance(99), Step::Pop, Step::Advance(99), Step::Pop]);
            let run = pages(setup, steps, frames(100 + random(3) % 60, random(4) % 6));
            programs(session, "scripts", [run]);
        }
    }
    Ok(())
}

fn seeded(session: &mut Session) -> Result<(), CheckError> {
    let count = session.options.cases / 100;
    seeds(session, "seeded", count, &[4]);
    Ok(())
}

/// Two copies that a ring of 64 holds at a time, just holds, or does not hold: the second waits for
/// room. One that it never holds is refused, and the next goes on.
fn short_ring(session: &mut Session) -> Result<(), CheckError> {
    for arch in ARCHES {
        let mut setup = queue(arch, 64, 65536, 1);
        setup.driver = abi::UDMA_DRIVER_2_27_4 as u8;
        let of_pages = |at: u64, count: u64| {
            let copy = zero_copy(at, 0, count * PAGE, true);
            Step::Enqueue(copy, 100 + at)
        };
        let open = contexts(4, 10_000, 4);
        // Every page alone: a pair each, and the marker.
        let alone = frames(64, 1);
        let beside = (22..=30).map(|second| ("beside", 20, second));
        let by_itself = (44..=50).map(|first| ("alone", first, 3));
        for (name, first, second) in beside.chain(by_itself) {
            let steps = vec![
                open,
                of_pages(0, first),
                of_pages(1, second),
                Step::Advance(1),
                Step::Advance(99),
                Step::Pop,
            ];
            programs(session, name, [pages(setup, steps, alone.clone())]);
        }
    }
    Ok(())
}
