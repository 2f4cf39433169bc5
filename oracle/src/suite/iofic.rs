//! The interrupt controller (IOFC).

use proptest::prelude::*;
use udma_reference::abi::{self, UDMA_SPACE_ENGINE as ENGINE};

use super::{Check, CheckError, Level, vectors};
use crate::cases::iofic::{Causes, Iofic, call, contents};
use crate::cases::operation::Call;
use crate::generate::{mix, sample};
use crate::law::iofic::group;
use crate::session::Session;
use crate::subject::ops::Iofic as Case;

const RULES: &[&str] = &[
    "IOFC-1", "IOFC-2", "IOFC-3", "IOFC-4", "IOFC-5", "IOFC-6", "IOFC-7", "IOFC-8", "IOFC-9",
    "IOFC-10", "IOFC-11", "IOFC-12",
];

pub const CHECKS: &[Check] = &[
    Check {
        suite: "iofic",
        name: "iofic",
        rules: &[
            "IOFC-1", "IOFC-2", "IOFC-3", "IOFC-4", "IOFC-5", "IOFC-6", "IOFC-10", "IOFC-11",
            "IOFC-12",
        ],
        level: Level::Recorded,
        run: recorded,
    },
    Check {
        suite: "iofic",
        name: "calls",
        rules: RULES,
        level: Level::Quick,
        run: calls,
    },
    Check {
        suite: "iofic",
        name: "causes",
        rules: &["IOFC-2", "IOFC-7"],
        level: Level::Quick,
        run: causes,
    },
    Check {
        suite: "iofic",
        name: "random",
        rules: RULES,
        level: Level::Quick,
        run: random,
    },
];

fn recorded(session: &mut Session) -> Result<(), CheckError> {
    vectors(session, "iofic")
}

/// Every call on every group at every revision around the limits, with each single bit.
fn calls(session: &mut Session) -> Result<(), CheckError> {
    let edge_bits = [0, 1, 6, 0x0fff_ffff, 0xffff_ef07, u32::MAX];
    let bits: Vec<u32> = (0..32).map(|bit| 1 << bit).chain(edge_bits).collect();
    let before = [0xf0f0_8421, 0x0000_ffff, 0x28, 0xffff_fff0];
    for number in 0..abi::UDMA_IOFIC_CALLS {
        let mut tried = 0;
        for revision in [0, 3, 4, 6] {
            for (level, groups) in [(abi::UDMA_LEVEL_PRIMARY, 6), (abi::UDMA_LEVEL_SECONDARY, 5)] {
                for at in 0..groups {
                    for (index, bits) in bits.iter().enumerate() {
                        let case = Case {
                            call: number,
                            revision,
                            level,
                            group: at,
                            group_base: group(level, at),
                            bits: *bits,
                        };
                        // Auto-clear and a cause that cannot be cleared, in turn.
                        let mut before = before;
                        before[2] |= index as u32 & 1;
                        let held = index % 3 == 1;
                        let case = call(&case, held, contents(level, at, before));
                        tried += 1;
                        let origin = || format!("call {number}#{tried}");
                        session.try_case::<Iofic>(&origin, &case, None);
                    }
                }
            }
        }
    }
    Ok(())
}

/// Single causes in every group, and random ones in all groups at once.
fn causes(session: &mut Session) -> Result<(), CheckError> {
    let attempt = |session: &mut Session, revision: u32, level: u32, causes: [u32; 5]| {
        let registers = (0..)
            .zip(causes)
            .map(|(number, cause)| (ENGINE, group(level, number), cause))
            .collect();
        let case = Call {
            args: vec![revision.into(), level.into()],
            registers,
        };
        let origin = || format!("revision {revision} level {level} {causes:x?}");
        session.try_case::<Causes>(&origin, &case, None);
    };
    for revision in 0..=6 {
        for level in [abi::UDMA_LEVEL_PRIMARY, abi::UDMA_LEVEL_SECONDARY] {
            attempt(session, revision, level, [0x8000_0005; 5]);
            for number in 0..5 {
                for bit in 0..32 {
                    let mut causes = [0; 5];
                    causes[number] = 1 << bit;
                    attempt(session, revision, level, causes);
                }
            }
        }
    }
    let (seed, count) = (mix(session.options.seed, 30), session.options.cases / 10);
    let strategy = (0u32..8, 0u32..2, any::<[u32; 5]>());
    sample(seed, count, strategy, |_, (revision, level, causes)| {
        attempt(session, revision, level, causes);
    });
    Ok(())
}

fn random(session: &mut Session) -> Result<(), CheckError> {
    let place = (0u32..8, 0u32..2, 0u32..6, any::<u32>());
    let other = (any::<u32>(), any::<[u32; 4]>(), any::<bool>());
    // Registers that IOFC-12 reads, in both spaces.
    let masks = any::<[u32; 6]>();
    let strategy = (0..abi::UDMA_IOFIC_CALLS, place, other, masks);
    let (seed, count) = (mix(session.options.seed, 31), session.options.cases / 4);
    sample(
        seed,
        count,
        strategy,
        |index, (number, (revision, level, at, window), (bits, values, held), masks)| {
            let case = Case {
                call: number,
                revision,
                level,
                group: at,
                group_base: u64::from(window) & !0x3f,
                bits,
            };
            let registers = if number == abi::UDMA_IOFIC_MASK_RING_ID_ERROR {
                let engine = [0x3a010, 0x3a050, 0x20c, 0x2020c].map(|offset| (ENGINE, offset));
                let top = [0x90, 0xd0].map(|offset| (abi::UDMA_SPACE_INTC, offset));
                engine
                    .into_iter()
                    .chain(top)
                    .zip(masks)
                    .map(|((space, offset), value)| (space, offset, value))
                    .collect()
            } else {
                contents(level, at, values)
            };
            let case = call(&case, held, registers);
            session.try_case::<Iofic>(&|| format!("random#{index}"), &case, None);
        },
    );
    Ok(())
}
