//! `meta_ctrl` and the bit helpers (META, BITS-2).

use proptest::prelude::*;

use super::{Check, CheckError, Level};
use crate::cases::bits::Bits;
use crate::cases::meta::Meta;
use crate::generate::{mix, sample, walking};
use crate::session::Session;
use crate::sweep;
use crate::wire::{BitCase, Desc};
use udma_reference::abi::UDMA_BIT_OPS;

pub const CHECKS: &[Check] = &[
    Check {
        suite: "meta",
        name: "fields",
        rules: &["META-1", "META-2", "META-3"],
        level: Level::Quick,
        run: fields,
    },
    Check {
        suite: "meta",
        name: "helpers",
        rules: &["BITS-2", "META-2", "META-3", "META-4"],
        level: Level::Quick,
        run: helpers,
    },
    Check {
        suite: "meta",
        name: "built",
        rules: &["META-1", "META-2"],
        level: Level::Quick,
        run: built,
    },
];

/// Every bit, every pair of bits, the plain-copy word with each bit turned, and random words.
fn fields(session: &mut Session) -> Result<(), CheckError> {
    let one = (0..32).map(|bit| 1u32 << bit);
    let two = (0..32).flat_map(|high| (0..high).map(move |low| 1u32 << high | 1 << low));
    let turned = (0..32).map(|bit| 0x0108_0003 ^ 1u32 << bit);
    let words: Vec<u32> = [0, u32::MAX, 0x0108_0003]
        .into_iter()
        .chain(one)
        .chain(two)
        .chain(turned)
        .collect();
    for (index, word) in words.into_iter().enumerate() {
        session.try_case::<Meta>(&|| format!("words#{index}"), &word, None);
    }
    let (seed, count) = (mix(session.options.seed, 3), session.options.cases);
    sample(seed, count, any::<u32>(), |index, word| {
        session.try_case::<Meta>(&|| format!("random#{index}"), &word, None);
    });
    Ok(())
}

/// Every helper on every single bit of words 0 and 1, set and cleared, and on random descriptors.
fn helpers(session: &mut Session) -> Result<(), CheckError> {
    for op in 0..UDMA_BIT_OPS {
        for bit in 0..64u32 {
            for invert in [false, true] {
                let mut desc = Desc::default();
                desc.word[(bit / 32) as usize] = 1 << (bit % 32);
                if invert {
                    desc = Desc {
                        word: desc.word.map(|word| !word),
                    };
                }
                let case = BitCase { desc, op, value: 0 };
                session.try_case::<Bits>(&|| format!("helper {op} bit#{bit}"), &case, None);
            }
        }
        // ssmae_op and op_type in every combination (META-4).
        for class in 0..64u32 {
            let desc = Desc {
                word: [0, class << 20, 0, 0],
            };
            let case = BitCase { desc, op, value: 0 };
            session.try_case::<Bits>(&|| format!("helper {op} class#{class}"), &case, None);
        }
    }
    let (seed, count) = (mix(session.options.seed, 4), session.options.cases);
    sample(
        seed,
        count,
        (any::<[u32; 4]>(), 0..UDMA_BIT_OPS),
        |index, (word, op)| {
            let case = BitCase {
                desc: Desc { word },
                op,
                value: 0,
            };
            session.try_case::<Bits>(&|| format!("random#{index}"), &case, None);
        },
    );
    Ok(())
}

fn built(session: &mut Session) -> Result<(), CheckError> {
    let cases = walking();
    sweep::list(session, "walking", &cases);
    Ok(())
}
