//! The pair builder, packets, CME and CRC forms (BLDR, and what pairs show of other families).

use proptest::prelude::*;

use super::{Check, CheckError, Level, vectors};
use crate::cases::crc::{Crc, CrcCase};
use crate::cases::packet::Packet;
use crate::generate::{self, EXHAUSTIVE, exhaustive, mix, modes, sample, walking};
use crate::session::Session;
use crate::subject::PacketIn;
use crate::sweep;
use crate::wire::{Block, PairIn};

/// Rules that a pair can break.
const PAIR_RULES: &[&str] = &[
    "BLDR-1", "BLDR-2", "BLDR-3", "BLDR-4", "BLDR-5", "BLDR-6", "BLDR-7", "BLDR-8", "BLDR-12",
    "DESC-2", "DESC-3", "DESC-4", "DESC-5", "META-1", "META-2", "BARR-1", "BARR-2", "BARR-3",
    "BARR-4", "BARR-5",
];

pub const CHECKS: &[Check] = &[
    Check {
        suite: "builder",
        name: "copy_pair",
        rules: PAIR_RULES,
        level: Level::Recorded,
        run: copy_pair,
    },
    Check {
        suite: "builder",
        name: "walking",
        rules: PAIR_RULES,
        level: Level::Quick,
        run: walking_bits,
    },
    Check {
        suite: "builder",
        name: "edges",
        rules: PAIR_RULES,
        level: Level::Quick,
        run: edges,
    },
    Check {
        suite: "builder",
        name: "random",
        rules: PAIR_RULES,
        level: Level::Quick,
        run: random,
    },
    Check {
        suite: "builder",
        name: "exhaustive",
        rules: PAIR_RULES,
        level: Level::Heavy,
        run: every_length,
    },
    Check {
        suite: "builder",
        name: "packets",
        rules: &["BLDR-9", "BLDR-10", "BLDR-12"],
        level: Level::Quick,
        run: packets,
    },
    Check {
        suite: "builder",
        name: "crc",
        rules: &["BLDR-11"],
        level: Level::Quick,
        run: crc,
    },
];

fn copy_pair(session: &mut Session) -> Result<(), CheckError> {
    vectors(session, "copy_pair")
}

fn walking_bits(session: &mut Session) -> Result<(), CheckError> {
    let cases = walking();
    sweep::list(session, "walking", &cases);
    Ok(())
}

/// The sizes and modes where verdicts change, on every architecture and version.
fn edges(session: &mut Session) -> Result<(), CheckError> {
    let cases = modes();
    sweep::list(session, "modes", &cases);
    Ok(())
}

/// The whole input space, by proptest.
fn random(session: &mut Session) -> Result<(), CheckError> {
    let (seed, count) = (mix(session.options.seed, 5), session.options.cases);
    let mut cases: Vec<PairIn> = Vec::with_capacity(count as usize);
    sample(seed, count, generate::pair(), |_, case| cases.push(case));
    sweep::list(session, "random", &cases);
    Ok(())
}

fn every_length(session: &mut Session) -> Result<(), CheckError> {
    let seed = session.options.seed;
    sweep::pairs(session, "exhaustive", EXHAUSTIVE, |first, batch| {
        exhaustive(seed, first, batch);
    });
    Ok(())
}

fn block(seed: u64, index: u64) -> Block {
    let random = mix(seed, index);
    let sizes = [1, 4, 64, 4096, 65535, 65536];
    Block {
        src: random,
        dst: random.rotate_left(29),
        size: sizes[(random >> 20) as usize % sizes.len()],
    }
}

/// Every count around the caps, every mode and flag on every architecture; then one bad block at
/// every place; then random packets.
fn packets(session: &mut Session) -> Result<(), CheckError> {
    let seed = mix(session.options.seed, 6);
    let mut number = 0u64;
    let mut attempt = |session: &mut Session, case: PacketIn| {
        number += 1;
        session.try_case::<Packet>(&|| format!("packets#{number}"), &case, None);
    };
    for count in [0u64, 1, 2, 3, 60, 64, 65, 66, 127, 128, 129, 200] {
        for arch in 2..=4 {
            for mode in [0, 1, 2, 3, 4, -1] {
                for flags in 0..8 {
                    let case = PacketIn {
                        blocks: (0..count).map(|index| block(seed, index)).collect(),
                        rx_ring_id: flags & 3,
                        tx_ring_id: (flags + 1) & 7,
                        mode,
                        dst_int: flags & 1 != 0,
                        sow: flags & 2 != 0,
                        notify: flags & 4 != 0,
                        arch,
                    };
                    attempt(session, case);
                }
            }
        }
    }
    for count in 1..6usize {
        for bad in 0..count {
            for size in [0, 65537, 1 << 32, u64::MAX] {
                let mut blocks: Vec<Block> =
                    (0..count as u64).map(|index| block(seed, index)).collect();
                blocks[bad].size = size;
                attempt(
                    session,
                    PacketIn {
                        blocks,
                        arch: 3,
                        ..PacketIn::default()
                    },
                );
            }
        }
    }
    let blocks = prop::collection::vec((any::<u64>(), any::<u64>(), 1u64..=65536), 1..70);
    let strategy = (
        blocks,
        any::<(u32, u32, bool, bool, bool)>(),
        0i32..4,
        2u8..=4,
    );
    let count = session.options.cases / 10;
    sample(
        mix(seed, 1),
        count,
        strategy,
        |index, (blocks, (rx, tx, int, sow, notify), mode, arch)| {
            let case = PacketIn {
                blocks: blocks
                    .iter()
                    .map(|&(src, dst, size)| Block { src, dst, size })
                    .collect(),
                rx_ring_id: rx,
                tx_ring_id: tx,
                mode,
                dst_int: int,
                sow,
                notify,
                arch,
            };
            session.try_case::<Packet>(&|| format!("random packets#{index}"), &case, None);
        },
    );
    Ok(())
}

/// Every index of the meta descriptor; CRC copies over it and over random pairs.
fn crc(session: &mut Session) -> Result<(), CheckError> {
    let edges = (0..=256).chain([1 << 16, 1 << 24, u32::MAX]);
    for index in edges {
        let copy = PairIn {
            src: 0x1000,
            dst: 0x2000,
            size: 64,
            arch: 3,
            ..PairIn::default()
        };
        for copy in [None, Some(copy)] {
            let case = CrcCase { index, copy };
            session.try_case::<Crc>(&|| format!("index#{index}"), &case, None);
        }
    }
    let (seed, count) = (mix(session.options.seed, 7), session.options.cases / 10);
    sample(
        seed,
        count,
        (any::<u32>(), generate::pair()),
        |number, (index, copy)| {
            let case = CrcCase {
                index,
                copy: Some(copy),
            };
            session.try_case::<Crc>(&|| format!("random#{number}"), &case, None);
        },
    );
    Ok(())
}
