//! Packing (PACK).

use super::common::{SCRIPT_RULES, attempt, chunks, plain, raw, words};
use super::{Check, CheckError, Level};
use crate::generate::vring::Draw;
use crate::law::word::{meta, word0};
use crate::session::Session;
use crate::subject::vring::{Op, Transfer};
use crate::wire::Ring;

pub const CHECKS: &[Check] = &[
    Check {
        suite: "pack",
        name: "limits",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: limits,
    },
    Check {
        suite: "pack",
        name: "bytes",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: bytes,
    },
    Check {
        suite: "pack",
        name: "classes",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: classes,
    },
    Check {
        suite: "pack",
        name: "ranges",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: ranges,
    },
    Check {
        suite: "pack",
        name: "mixed",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: mixed,
    },
];

fn pack(start: u32, end: u32, max_bytes: u64) -> Op {
    Op::Pack {
        start,
        end,
        max_bytes,
    }
}

/// Every count around the limits of either half, on every architecture.
fn limits(session: &mut Session) -> Result<(), CheckError> {
    for arch in 2..=4 {
        for count in [
            1u32, 2, 59, 60, 61, 64, 65, 66, 127, 128, 129, 130, 195, 260,
        ] {
            let all = pack(0, count, u64::MAX);
            let ops = vec![chunks(count.into()), all.clone(), all];
            attempt(session, "limits", arch, ops);
            // RX has fewer descriptors than TX: only those that are there count.
            let mut ops = vec![chunks(count.saturating_sub(3).into())];
            ops.extend((0..3).map(|index| raw(Ring::Tx, index << 16)));
            ops.push(pack(0, (count + 3).min(count.max(3)), u64::MAX));
            attempt(session, "limits of rx", arch, ops);
        }
    }
    Ok(())
}

/// Limits in bytes: met exactly, by one, never, and below a single descriptor.
fn bytes(session: &mut Session) -> Result<(), CheckError> {
    let limits = [
        0,
        1,
        999,
        1000,
        1001,
        2000,
        65_535,
        65_536,
        65_537,
        66_536,
        131_071,
        131_072,
        131_073,
        u64::MAX,
    ];
    for max in limits {
        let mut ops: Vec<Op> = [1000, 1000, 65_536, 1, 131_072, 64, 1000]
            .map(plain)
            .to_vec();
        ops.extend([
            pack(0, 8, max),
            pack(0, 8, max),
            pack(0, 8, 1),
            pack(0, 8, max),
        ]);
        attempt(session, "bytes", 3, ops);
    }
    Ok(())
}

/// What is no plain copy closes a packet and stays as it is; barriers close none.
fn classes(session: &mut Session) -> Result<(), CheckError> {
    let whole = word0::FIRST | word0::LAST | 1 << 24 | 64;
    let meta_descriptor = words(Ring::Tx, whole | word0::META, 0x0400_0000, 0);
    let others = [
        words(Ring::Tx, whole, 0x0210_0000, 0x5000),
        words(Ring::Tx, whole, 0x0080_0000, 0x5000),
        words(
            Ring::Tx,
            whole & !word0::LAST | word0::CONCAT,
            0x0210_0000,
            0x5000,
        ),
        words(Ring::Tx, whole | word0::META, meta::PLAIN_COPY, 0),
        meta_descriptor,
    ];
    for other in others {
        let ops = vec![
            plain(64),
            plain(64),
            other.clone(),
            plain(64),
            other.clone(),
            other,
            plain(64),
            plain(64),
            pack(0, 8, u64::MAX),
            pack(0, 8, u64::MAX),
        ];
        attempt(session, "classes", 4, ops);
    }
    let dmb = words(Ring::Tx, whole | word0::DMB, meta::PLAIN_COPY, 0x6000);
    let barrier = words(
        Ring::Tx,
        whole | word0::INT_EN,
        meta::PLAIN_COPY | meta::WRITE_BARRIER,
        0x7000,
    );
    let ops = vec![
        plain(64),
        dmb.clone(),
        plain(64),
        barrier,
        dmb,
        plain(64),
        pack(0, 6, u64::MAX),
    ];
    attempt(session, "barriers", 3, ops);
    Ok(())
}

/// Inner ranges, empty ones, and those that go beyond or backwards.
fn ranges(session: &mut Session) -> Result<(), CheckError> {
    let count = 6;
    for start in 0..count + 3 {
        for end in 0..count + 3 {
            let ops = vec![
                chunks(count.into()),
                pack(start, end, u64::MAX),
                pack(0, count, 1 << 17),
                pack(start, end, 1),
            ];
            attempt(session, "ranges", 3, ops);
        }
    }
    for (start, end) in [(0, u32::MAX), (u32::MAX, u32::MAX), (u32::MAX, 0)] {
        let ops = vec![
            chunks(4),
            pack(start, end, u64::MAX),
            Op::Free,
            pack(0, 0, 1),
            pack(0, 1, 1),
        ];
        attempt(session, "ranges far", 3, ops);
    }
    Ok(())
}

/// Packets of any flags before, under limits that change, each twice.
fn mixed(session: &mut Session) -> Result<(), CheckError> {
    for number in 0..40 {
        let mut draw = Draw::new(crate::generate::mix(session.options.seed, 50 + number));
        let count = 1 + draw.below(300) as u32;
        let mut ops: Vec<Op> = Vec::new();
        for _ in 0..count {
            let flags = draw.any() as u32 & (word0::FIRST | word0::LAST | word0::CONCAT);
            let word1 = draw.of(&[
                meta::PLAIN_COPY,
                meta::PLAIN_COPY,
                meta::PLAIN_COPY,
                0x0200_0000,
            ]);
            let length = draw.any() as u32 & draw.of(&[0, 0xff, 0xffff]);
            ops.push(words(Ring::Tx, flags | 1 << 24 | length, word1, 0x1000));
        }
        ops.push(Op::Transfer(Transfer::default()));
        for _ in 0..3 {
            let start = draw.below(count.into()) as u32;
            let pack = pack(
                if draw.one_in(2) { 0 } else { start },
                count,
                draw.any() >> draw.below(64),
            );
            ops.extend([pack.clone(), pack]);
        }
        attempt(session, "mixed", 2 + (number % 3) as u8, ops);
    }
    Ok(())
}
