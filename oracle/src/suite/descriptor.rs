//! The descriptor itself (DESC, BITS-1).

use proptest::prelude::*;

use super::{Check, CheckError, Level, vectors};
use crate::cases::descriptor::{DescCase, Descriptor, VIEWS};
use crate::cases::names::Names;
use crate::generate::{mix, sample, walking};
use crate::session::Session;
use crate::sweep;
use crate::wire::Desc;

pub const CHECKS: &[Check] = &[
    Check {
        suite: "descriptor",
        name: "register_map",
        rules: &["DESC-1", "REGS-1"],
        level: Level::Recorded,
        run: register_map,
    },
    Check {
        suite: "descriptor",
        name: "fields",
        rules: &["DESC-1", "DESC-2", "DESC-3", "BITS-1"],
        level: Level::Quick,
        run: fields,
    },
    Check {
        suite: "descriptor",
        name: "printed",
        rules: &["BITS-1"],
        level: Level::Quick,
        run: printed,
    },
    Check {
        suite: "descriptor",
        name: "built",
        rules: &["DESC-2", "DESC-3", "DESC-4", "DESC-5"],
        level: Level::Quick,
        run: built,
    },
];

/// Offsets and sizes as compiled into the driver, words of the descriptor among them.
fn register_map(session: &mut Session) -> Result<(), CheckError> {
    vectors(session, "register_map")
}

/// Every single bit, every pair of bits of word0, every length, and random bytes, in every view.
fn cases(seed: u64, count: u64, mut each: impl FnMut(String, DescCase)) {
    for (view, name) in VIEWS {
        let mut fixed = |label: &str, index: u64, desc: Desc| {
            each(format!("{label} {name}#{index}"), DescCase { view, desc });
        };
        fixed("empty", 0, Desc::default());
        for bit in 0..128u32 {
            let mut desc = Desc::default();
            desc.word[(bit / 32) as usize] = 1 << (bit % 32);
            fixed("one bit", bit.into(), desc);
            fixed(
                "all but one bit",
                bit.into(),
                Desc {
                    word: desc.word.map(|word| !word),
                },
            );
        }
        for (high, low) in (0..32).flat_map(|high| (0..high).map(move |low| (high, low))) {
            let desc = Desc {
                word: [1 << high | 1 << low, 0, 0, 0],
            };
            fixed("two bits", high * 32 + low, desc);
        }
        for length in (0..=0xffffu32).step_by(257).chain([1, 0xfffe, 0xffff]) {
            fixed(
                "length",
                length.into(),
                Desc {
                    word: [length, 0, 0, 0],
                },
            );
        }
    }
    sample(
        seed,
        count,
        (any::<[u32; 4]>(), 0..VIEWS.len()),
        |index, (word, view)| {
            each(
                format!("random#{index}"),
                DescCase {
                    view: VIEWS[view].0,
                    desc: Desc { word },
                },
            );
        },
    );
}

fn fields(session: &mut Session) -> Result<(), CheckError> {
    let (seed, count) = (session.options.seed, session.options.cases);
    cases(mix(seed, 1), count, |origin, case| {
        session.try_case::<Descriptor>(&|| origin.clone(), &case, None);
    });
    Ok(())
}

fn printed(session: &mut Session) -> Result<(), CheckError> {
    let (seed, count) = (session.options.seed, session.options.cases / 10);
    cases(mix(seed, 2), count, |origin, case| {
        session.try_case::<Names>(&|| origin.clone(), &case, None);
    });
    Ok(())
}

/// What the pair builder puts into the fields.
fn built(session: &mut Session) -> Result<(), CheckError> {
    let cases = walking();
    sweep::list(session, "walking", &cases);
    Ok(())
}
