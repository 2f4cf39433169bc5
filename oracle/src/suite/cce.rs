//! dtypes, combos, reductions and CRC copies (CCE-8 to CCE-13, CRC-1).

use proptest::prelude::*;

use super::{Check, CheckError, Level};
use crate::cases::cce::{Combo, Dtype, Reduction, Remap, addresses, call};
use crate::cases::crc::{Crc, CrcCase};
use crate::cases::operation::Call;
use crate::generate::{any_width, mix, pair, sample};
use crate::session::Session;
use crate::subject::ops::Reduction as Case;

const REDUCTION_RULES: &[&str] = &[
    "CCE-1", "CCE-2", "CCE-3", "CCE-4", "CCE-5", "CCE-7", "CCE-8", "CCE-9", "CCE-10", "CCE-11",
    "CCE-12", "CCE-13",
];

pub const CHECKS: &[Check] = &[
    Check {
        suite: "cce",
        name: "tables",
        rules: &["CCE-10", "CCE-12"],
        level: Level::Quick,
        run: tables,
    },
    Check {
        suite: "cce",
        name: "combo",
        rules: &["CCE-9"],
        level: Level::Quick,
        run: combo,
    },
    Check {
        suite: "cce",
        name: "reductions",
        rules: REDUCTION_RULES,
        level: Level::Quick,
        run: reductions,
    },
    Check {
        suite: "cce",
        name: "random",
        rules: REDUCTION_RULES,
        level: Level::Quick,
        run: random,
    },
    Check {
        suite: "cce",
        name: "crc",
        rules: &["CRC-1"],
        level: Level::Quick,
        run: crc,
    },
];

/// Every dtype with packet sizes around the limits, and both remaps.
fn tables(session: &mut Session) -> Result<(), CheckError> {
    let numbers = (0..18).chain([255, 256 + 10, u32::MAX]);
    for value in numbers {
        for kind in 0..2 {
            let call = Call::of([kind, value.into()]);
            session.try_case::<Remap>(&|| format!("remap {kind} {value}"), &call, None);
        }
        for arch in 2..=4 {
            let around = (5..=17).flat_map(|bit| {
                let power = 1u64 << bit;
                [power - 32, power - 1, power, power + 1, power + 31]
            });
            for cap in (0..100).chain(around).chain([1 << 32, u64::MAX]) {
                let call = Call::of([arch, value.into(), cap]);
                let origin = || format!("v{arch} dtype {value} cap {cap}");
                session.try_case::<Dtype>(&origin, &call, None);
            }
        }
    }
    Ok(())
}

fn combo(session: &mut Session) -> Result<(), CheckError> {
    for count in (0..20).chain([64, 255]) {
        for word1 in [0, 0x00a0_0000, 0x04a0_0000, 0x4000_0000, u32::MAX] {
            let call = Call::of([count, 0x0080_0000, word1.into()]);
            let origin = || format!("{count} members of {word1:#x}");
            session.try_case::<Combo>(&origin, &call, None);
        }
    }
    Ok(())
}

/// A sum of `sources` of fp32.
fn sum(arch: u32, sources: u32) -> Case {
    Case {
        sources: addresses(0x1_0000_0000, sources),
        destinations: addresses(0x9_0000_0000, 1),
        size: 64,
        arch,
        in_dtype: 10,
        out_dtype: 10,
        accum_dtype: 10,
        meta_index: 3,
        tx_ring_id: 1,
        rx_ring_id: 2,
        ..Case::default()
    }
}

/// Each condition alone, around where its verdict changes.
fn reductions(session: &mut Session) -> Result<(), CheckError> {
    let mut tried = 0;
    let mut attempt = |session: &mut Session, case: &Case| {
        tried += 1;
        session.try_case::<Reduction>(&|| format!("reductions#{tried}"), &call(case), None);
    };
    for arch in 2..=4 {
        for count in (0..=33).chain([64]) {
            attempt(session, &sum(arch, count));
        }
        for op in (0..8).chain([255, 256, u32::MAX]) {
            for scale in [None, Some((10, 0x3f80_0000)), Some((7, 1)), Some((11, 1))] {
                for constant in [None, Some((10, 7)), Some((1, u32::MAX)), Some((15, 0))] {
                    for seed in [None, Some(0x0123_4567_89ab_cdef)] {
                        for sources in 1..=3 {
                            let mut case = sum(arch, sources);
                            case.op = op;
                            case.sub = sources;
                            (case.scale, case.constant, case.seed) = (scale, constant, seed);
                            attempt(session, &case);
                        }
                    }
                }
            }
        }
        for destinations in [0, 1, 2, 3, 8] {
            for sources in 1..=2 {
                let mut case = sum(arch, sources);
                case.destinations = addresses(0x9_0000_0000, destinations);
                attempt(session, &case);
            }
        }
        for input in 0..17 {
            for output in 0..17 {
                for (sources, op) in [(1, 0), (2, 0), (1, 2), (2, 3)] {
                    let mut case = sum(arch, sources);
                    (case.in_dtype, case.out_dtype, case.op) = (input, output, op);
                    attempt(session, &case);
                }
            }
            let most = u64::from(crate::law::compute::bytes(input)) * 1024;
            for size in [
                0,
                1,
                31,
                32,
                most,
                most + 1,
                2 * most,
                2 * most + 1,
                4 * most,
            ] {
                for sources in 1..=2 {
                    let mut case = sum(arch, sources);
                    (case.in_dtype, case.out_dtype, case.size) = (input, input, size);
                    attempt(session, &case);
                }
            }
        }
    }
    Ok(())
}

fn random(session: &mut Session) -> Result<(), CheckError> {
    let dtype = 1u32..=15;
    let dtypes = (dtype.clone(), dtype.clone(), dtype.clone());
    let counts = prop_oneof![
        3 => (1u32..=4, Just(1u32)),
        1 => (1u32..=32, 1u32..=3),
    ];
    let scale = prop::option::of((prop_oneof![4 => Just(10u32), 1 => 0u32..17], any::<u32>()));
    let constant = prop::option::of((dtype, any::<u32>()));
    let op = prop_oneof![8 => 0u32..4, 1 => any::<u32>()];
    let sizes = prop_oneof![4 => (1u64..129).prop_map(|n| n * 32), 1 => any_width()];
    let front = (
        prop::option::of(any::<u64>()),
        any::<u32>(),
        any::<[u32; 2]>(),
    );
    let ends = (any::<u64>(), any::<u64>(), sizes, 2u32..=4);
    let strategy = (
        dtypes,
        counts,
        scale,
        constant,
        (op, any::<u32>()),
        front,
        ends,
    );
    let (seed, count) = (mix(session.options.seed, 62), session.options.cases / 4);
    sample(
        seed,
        count,
        strategy,
        |index, (dtypes, counts, scale, constant, (op, sub), front, ends)| {
            let (seed, meta_index, [tx_ring_id, rx_ring_id]) = front;
            let (source, destination, size, arch) = ends;
            let case = Case {
                sources: addresses(source, counts.0),
                destinations: addresses(destination, counts.1),
                seed,
                size,
                arch,
                op,
                sub,
                in_dtype: dtypes.0,
                out_dtype: dtypes.1,
                accum_dtype: dtypes.2,
                scale,
                constant,
                meta_index,
                tx_ring_id,
                rx_ring_id,
            };
            session.try_case::<Reduction>(&|| format!("random#{index}"), &call(&case), None);
        },
    );
    Ok(())
}

fn crc(session: &mut Session) -> Result<(), CheckError> {
    let (seed, count) = (mix(session.options.seed, 63), session.options.cases / 10);
    sample(seed, count, (any::<u8>(), pair()), |at, (index, copy)| {
        let case = CrcCase {
            index: index.into(),
            copy: Some(copy),
        };
        session.try_case::<Crc>(&|| format!("crc#{at}"), &case, None);
    });
    Ok(())
}
