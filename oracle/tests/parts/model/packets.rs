//! Streams and packets: MODL-3, and what the model refuses.

use super::driver::{Driver, Modes, SOURCE, TARGET};
use udma_oracle::law::word::{meta, word0};
use udma_oracle::model::{Arch, Cause, Pattern, Schedule, StreamError};
use udma_oracle::wire::Ring;

const FIRST: u32 = word0::FIRST;
const LAST: u32 = word0::LAST;
const CONCAT: u32 = word0::CONCAT;

/// Flags and size of a TX descriptor.
type Tx = (u32, u32);
/// TX descriptors, and the sizes of the RX ones.
type Stream<'a> = (&'a [Tx], &'a [u32]);

/// Runs TX descriptors of `(flags, size)` into RX ones of a size, contiguous on either side.
fn run(schedule: Schedule, tx: &[Tx], rx: &[u32]) -> Driver {
    let mut driver = Driver::new(Arch::V3, schedule, 64);
    let host = |cpu| Arch::V3.host(cpu);
    let memory = driver.engine.memory_mut();
    memory
        .fill(host(SOURCE), 0x4_0000, Pattern::stream(5))
        .unwrap();
    let mut at = SOURCE;
    for (flags, size) in tx {
        let words = [flags | size, meta::PLAIN_COPY];
        driver.stage(Ring::Tx, words, host(at));
        at += u64::from(*size);
    }
    let mut at = TARGET;
    for size in rx {
        driver.stage(Ring::Rx, [*size, 0], host(at));
        at += u64::from(*size);
    }
    driver.ring(Ring::Rx, rx.len() as u32);
    driver.ring(Ring::Tx, tx.len() as u32);
    driver.engine.settle();
    driver
}

fn seeds() -> impl Iterator<Item = Schedule> {
    std::iter::once(Schedule::Prompt).chain((0..64).map(Schedule::Seeded))
}

#[test]
fn equal_totals_flow_whatever_the_cuts() {
    let cases: &[Stream] = &[
        (&[(FIRST | CONCAT, 100), (LAST, 28)], &[128]),
        (&[(FIRST | LAST, 128)], &[1, 126, 1]),
        (
            &[(FIRST | CONCAT, 60), (CONCAT, 1), (LAST, 67)],
            &[10, 110, 8],
        ),
        (
            &[
                (FIRST | CONCAT, 60),
                (LAST, 4),
                (FIRST | LAST, 32),
                (FIRST | CONCAT, 1),
                (LAST, 31),
            ],
            &[64, 16, 16, 8, 24],
        ),
    ];
    for schedule in seeds() {
        for (tx, rx) in cases {
            let driver = run(schedule, tx, rx);
            assert_eq!(driver.rules(), [""; 0]);
            let total: u32 = rx.iter().sum();
            let memory = driver.engine.memory();
            let target = Arch::V3.host(TARGET);
            let differs = memory.first_difference(target, u64::from(total), Pattern::stream(5));
            assert_eq!(differs, Ok(None));
        }
    }
}

#[test]
fn stream_errors() {
    let cases: &[(&[Tx], &[u32], StreamError)] = &[
        (&[(LAST, 64)], &[64], StreamError::NoFirst),
        (
            &[(FIRST | CONCAT, 32), (FIRST | LAST, 32)],
            &[64],
            StreamError::FirstInside,
        ),
        (&[(FIRST, 32), (LAST, 32)], &[64], StreamError::Unjoined),
        (
            &[(FIRST | LAST | CONCAT, 64)],
            &[64],
            StreamError::JoinedLast,
        ),
        (&[(FIRST | LAST, 64)], &[65], StreamError::Totals),
        (&[(FIRST | LAST, 64)], &[32, 33], StreamError::Totals),
        (
            &[(FIRST | CONCAT, 64), (LAST, 64)],
            &[100, 30],
            StreamError::Totals,
        ),
    ];
    for schedule in seeds() {
        for (tx, rx, error) in cases {
            let driver = run(schedule, tx, rx);
            let cause = Cause::Stream(*error);
            assert_eq!(driver.rules(), ["MODL-3"]);
            assert_eq!(driver.engine.faults()[0].cause, cause);
            assert_eq!(driver.engine.stopped(0), Some(cause));
            assert_eq!(driver.order(), [0; 0], "nothing of the packet is written");
        }
        // Too few RX bytes, and a packet without an end: the engine waits.
        for (tx, rx) in [
            (&[(FIRST | LAST, 64)][..], &[32][..]),
            (&[(FIRST | CONCAT, 64)], &[64]),
        ] {
            let driver = run(schedule, tx, rx);
            assert_eq!((driver.rules(), driver.order()), (vec!["MODL-4"], vec![]));
        }
    }
}

#[test]
fn computations_are_refused() {
    let plain = meta::PLAIN_COPY;
    let cases = [
        (Ring::Tx, word0::META, plain),
        (Ring::Tx, 1 << 16, plain),
        (Ring::Tx, 0, plain ^ 1 << 23),
        (Ring::Tx, 0, plain | 1 << 20),
        (Ring::Tx, 0, plain | 1 << 16),
        (Ring::Tx, 0, 0),
        (Ring::Rx, word0::META, 0),
        (Ring::Rx, word0::CONCAT, 0),
        (Ring::Rx, 0, 0x1000),
    ];
    for schedule in seeds() {
        for (ring, flags, word1) in cases {
            let mut driver = Driver::new(Arch::V4, schedule, 32);
            let host = |cpu| Arch::V4.host(cpu);
            let (mut tx, mut rx) = ([FIRST | LAST | 64, plain], [64, 0]);
            let words = if ring == Ring::Tx { &mut tx } else { &mut rx };
            *words = [words[0] | flags, word1];
            driver.stage(Ring::Tx, tx, host(SOURCE));
            driver.stage(Ring::Rx, rx, host(TARGET));
            driver.pair(SOURCE, TARGET, 64, Modes::NONE);
            driver.start(2);
            driver.engine.settle();
            assert_eq!(driver.engine.stopped(0), Some(Cause::NotModelled));
            assert_eq!(driver.engine.faults()[0].ring, ring);
            assert_eq!(driver.order(), [0; 0], "never run as a copy");
            assert_eq!(driver.rules(), [""; 0], "no fault of the driver");
        }
    }
}

/// The bits that a plain copy may carry: notification, interrupts.
#[test]
fn notification_and_interrupts_are_plain() {
    let mut driver = Driver::new(Arch::V4, Schedule::Prompt, 32);
    let words = [
        FIRST | LAST | word0::INT_EN | 64,
        meta::PLAIN_COPY | meta::NOTIFICATION,
    ];
    driver.stage(Ring::Tx, words, Arch::V4.host(SOURCE));
    driver.stage(Ring::Rx, [word0::INT_EN | 64, 0], Arch::V4.host(TARGET));
    driver.start(1);
    driver.engine.settle();
    assert_eq!(driver.order(), [0]);
}

/// Orders in a packet: BLDR-10 puts DMB on the first TX and the write barrier on the last.
#[test]
fn a_packet_is_ordered_as_one() {
    for seed in 0..256 {
        for (dmb, barrier) in [(true, false), (false, true)] {
            let mut driver = Driver::new(Arch::V3, Schedule::Seeded(seed), 32);
            let host = |cpu| Arch::V3.host(cpu);
            driver.pair(SOURCE, TARGET, 64, Modes::NONE);
            let flags = if dmb { word0::DMB } else { 0 };
            let word1 = meta::PLAIN_COPY | if barrier { meta::WRITE_BARRIER } else { 0 };
            driver.stage(
                Ring::Tx,
                [flags | FIRST | CONCAT | 64, meta::PLAIN_COPY],
                host(SOURCE),
            );
            driver.stage(Ring::Tx, [LAST | 64, word1], host(SOURCE + 64));
            driver.stage(Ring::Rx, [32, 0], host(TARGET + 64));
            driver.stage(Ring::Rx, [96, 0], host(TARGET + 96));
            driver.pair(SOURCE, TARGET + 512, 64, Modes::NONE);
            driver.ring(Ring::Rx, 4);
            driver.ring(Ring::Tx, 4);
            driver.engine.settle();
            let order = driver.order();
            let place = |index: u64| order.iter().position(|at| *at == index).unwrap();
            if dmb {
                assert_eq!(place(0), 0, "{order:?}");
            } else {
                assert_eq!(place(3), 3, "{order:?}");
            }
        }
    }
}
