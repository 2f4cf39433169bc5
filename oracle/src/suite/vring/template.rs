//! Templates and the cache of resolved rings (TMPL).

use super::common::{SCRIPT_RULES, attempt, raw, words};
use super::{Check, CheckError, Level};
use crate::generate::mix;
use crate::law::word::{meta, word0};
use crate::session::Session;
use crate::subject::vring::{Op, Transfer};
use crate::wire::Ring;

pub const CHECKS: &[Check] = &[
    Check {
        suite: "template",
        name: "fields",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: fields,
    },
    Check {
        suite: "template",
        name: "many_variables",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: many_variables,
    },
    Check {
        suite: "template",
        name: "refused",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: refused,
    },
    Check {
        suite: "template",
        name: "cache",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: cache,
    },
];

/// A symbolic pointer, its ignored bits apart (TMPL-1).
const fn symbol(variable: u64, offset: u64) -> u64 {
    1 << 61 | variable << 36 | offset
}

fn template(max_var_id: u32) -> Op {
    Op::Template { max_var_id }
}

fn resolve(addresses: Vec<u64>) -> Op {
    Op::Resolve { addresses }
}

/// Every bit of a pointer in its turn, symbolic and not, in either half.
fn fields(session: &mut Session) -> Result<(), CheckError> {
    let addresses: Vec<u64> = (0..4u64).map(|variable| mix(9, variable)).collect();
    for half in Ring::BOTH {
        for bit in (0..64).filter(|bit| !(38..55).contains(bit)) {
            for rest in [symbol(1, 0x40), symbol(1, 0xf_ffff_ffff), 0x40] {
                let ops = vec![
                    raw(half, rest ^ 1 << bit),
                    template(3),
                    resolve(addresses.clone()),
                ];
                attempt(session, &format!("bit {bit}"), 3, ops);
            }
        }
    }
    // META descriptors of TX hold no pointer (DESC-2); nor does the RX half have any.
    let symbolic = symbol(9, 0);
    let ops = vec![
        words(Ring::Tx, word0::META | 0x0500_0040, 0x0400_0000, symbolic),
        words(Ring::Tx, 0x0d00_0040, 0x0210_0000, symbol(1, 4)),
        words(Ring::Rx, word0::META | 0x0100_0040, 0, symbol(0, 4)),
        resolve(vec![7]),
        template(3),
        resolve(addresses),
    ];
    attempt(session, "meta", 3, ops);
    Ok(())
}

/// Variables of all 19 bits.
fn many_variables(session: &mut Session) -> Result<(), CheckError> {
    let count = 0x1_0003u64;
    let addresses: Vec<u64> = (0..count).map(|variable| variable << 20 | 3).collect();
    let ops = vec![
        raw(Ring::Tx, symbol(0x1_0002, 0x10)),
        raw(Ring::Rx, symbol(0x1_0001, 0xf_0000_0000)),
        raw(Ring::Tx, symbol(2, 0x10)),
        template(0x1_0002),
        Op::Cache { capacity: 1 },
        resolve(addresses),
    ];
    attempt(session, "many variables", 3, ops);
    for variable in [0xffff, 0x1_0000, 0x3_ffff, 0x4_0000, 0x7_ffff] {
        let ops = vec![
            raw(Ring::Rx, symbol(variable, 0)),
            template(variable as u32 - 1),
            resolve(vec![1, 2]),
            template(variable as u32),
            resolve(vec![1, 2]),
            template(u32::MAX),
            resolve(vec![1, 2]),
        ];
        attempt(session, "wide variable", 3, ops);
    }
    Ok(())
}

/// Variables above the maximum, at it, without an address; first in either half, after others.
fn refused(session: &mut Session) -> Result<(), CheckError> {
    for bad in [2u64, 3, 5] {
        for half in Ring::BOTH {
            for before in 0..3 {
                let mut ops: Vec<Op> = Vec::new();
                for index in 0..before {
                    ops.push(raw(Ring::Tx, symbol(0, index)));
                    ops.push(raw(Ring::Rx, symbol(1, index)));
                }
                ops.extend([
                    raw(half, symbol(bad, 0x33)),
                    raw(Ring::Rx, symbol(1, 5)),
                    template(3),
                    resolve(vec![0x1_0000, 0x2_0000, 0x3_0000]),
                    resolve(Vec::new()),
                    template(bad as u32),
                    resolve(vec![0x1_0000; bad as usize]),
                    resolve(vec![0x1_0000; bad as usize + 1]),
                    resolve(Vec::new()),
                ]);
                attempt(session, "refused", 3, ops);
            }
        }
    }
    Ok(())
}

/// Hits, misses, evictions, live rings, failures, a second cache beside what is held of the first.
fn cache(session: &mut Session) -> Result<(), CheckError> {
    let author = [
        template(1),
        Op::Transfer(Transfer {
            src: symbol(1, 0),
            dst: symbol(0, 0x10),
            size: 100,
            ordered: true,
        }),
        words(Ring::Tx, 0x0d00_0004, meta::PLAIN_COPY, 0x77),
    ];
    let acquire = |list: &[u64]| Op::Acquire {
        addresses: list.to_vec(),
    };
    let release = |holding| Op::Release { holding };
    let (a, b, c) = ([1u64, 2], [1u64, 3], [4u64, 2]);
    for capacity in 0..4 {
        let mut ops = vec![acquire(&a), release(0)];
        ops.extend(author.clone());
        ops.push(Op::Cache { capacity });
        // Released at once: the one used last stays.
        for (number, list) in [a, b, a, c, a, b, a].iter().enumerate() {
            ops.extend([acquire(list), release(number as u32)]);
        }
        // Held: nothing of it may go.
        ops.extend([acquire(&a), acquire(&b), acquire(&c), acquire(&[5, 5])]);
        ops.extend([acquire(&a), release(7), acquire(&[6, 6]), release(11)]);
        ops.extend([acquire(&[5]), acquire(&[]), acquire(&[7, 7, 7])]);
        ops.extend([release(7), release(99), Op::Free, acquire(&a)]);
        ops.extend([
            Op::Cache { capacity: 1 },
            acquire(&a),
            release(8),
            release(9),
        ]);
        ops.extend([resolve(vec![1, 2]), Op::DeepCopy, acquire(&b)]);
        attempt(session, &format!("cache of {capacity}"), 3, ops);
    }
    Ok(())
}
