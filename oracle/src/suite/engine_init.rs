//! Engine initialisation (EINI).

use proptest::prelude::*;

use super::{Check, CheckError, Level, vectors};
use crate::cases::engine::{Init, init_call};
use crate::generate::{mix, sample};
use crate::session::Session;
use crate::subject::ops::EngineInit;

const RULES: &[&str] = &["EINI-1", "EINI-2", "EINI-3", "EINI-4"];

pub const CHECKS: &[Check] = &[
    Check {
        suite: "engine_init",
        name: "queue_init",
        rules: RULES,
        level: Level::Recorded,
        run: recorded,
    },
    Check {
        suite: "engine_init",
        name: "edges",
        rules: RULES,
        level: Level::Quick,
        run: edges,
    },
    Check {
        suite: "engine_init",
        name: "random",
        rules: RULES,
        level: Level::Quick,
        run: random,
    },
];

fn recorded(session: &mut Session) -> Result<(), CheckError> {
    vectors(session, "queue_init")
}

/// Every queue count and every packet limit of 9 bits, and each bit of the registers that are read.
fn edges(session: &mut Session) -> Result<(), CheckError> {
    let good = EngineInit {
        arch: 4,
        num_queues: 16,
        max_desc: 65,
        reserve_read_id: true,
    };
    let mut tried = 0;
    let mut attempt = |session: &mut Session, case: EngineInit, outstanding: u32, spare: u32| {
        tried += 1;
        let call = init_call(&case, outstanding, spare);
        session.try_case::<Init>(&|| format!("edges#{tried}"), &call, None);
    };
    let counts = (0..512).chain([0xffff, 0x1_0010, u32::MAX - 1, u32::MAX]);
    for count in counts {
        let (queues, packet) = (
            EngineInit {
                num_queues: count,
                ..good
            },
            EngineInit {
                max_desc: count,
                ..good
            },
        );
        attempt(session, queues, 0xffff_ffff, 1);
        attempt(session, packet, 0xffff_ffff, 1);
    }
    for arch in 2..=4 {
        for reserve_read_id in [false, true] {
            let case = EngineInit {
                arch,
                reserve_read_id,
                ..good
            };
            for bit in 0..32 {
                attempt(session, case, 1 << bit, !(1 << bit));
                attempt(session, case, !(1 << bit), 1 << bit);
            }
        }
    }
    Ok(())
}

fn random(session: &mut Session) -> Result<(), CheckError> {
    let queues = prop_oneof![4 => 0u32..=16, 1 => any::<u32>()];
    let packet = prop_oneof![4 => 8u32..=128, 1 => any::<u32>()];
    let strategy = (2u32..=4, queues, packet, any::<bool>(), any::<[u32; 2]>());
    let (seed, count) = (mix(session.options.seed, 32), session.options.cases / 20);
    sample(
        seed,
        count,
        strategy,
        |index, (arch, num_queues, max_desc, reserve_read_id, [outstanding, spare])| {
            let case = EngineInit {
                arch,
                num_queues,
                max_desc,
                reserve_read_id,
            };
            let call = init_call(&case, outstanding, spare);
            session.try_case::<Init>(&|| format!("random#{index}"), &call, None);
        },
    );
    Ok(())
}
