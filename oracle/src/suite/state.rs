//! State of an engine, read back and changed (REGS-3 to REGS-5).

use proptest::prelude::*;

use super::{Check, CheckError, Level, vectors};
use crate::cases::engine::{SetState, State, state_call};
use crate::cases::operation::Call;
use crate::generate::{mix, sample};
use crate::law::engine::StateRegisters;
use crate::session::Session;

const RULES: &[&str] = &["REGS-3", "REGS-4", "REGS-5"];
/// All three bits of a stream that is off.
const STREAM_OFF: u32 = 0x111;

pub const CHECKS: &[Check] = &[
    Check {
        suite: "state",
        name: "queue_state",
        rules: RULES,
        level: Level::Recorded,
        run: recorded,
    },
    Check {
        suite: "state",
        name: "fields",
        rules: &["REGS-3", "REGS-4"],
        level: Level::Quick,
        run: fields,
    },
    Check {
        suite: "state",
        name: "set_state",
        rules: &["REGS-5"],
        level: Level::Quick,
        run: set_state,
    },
    Check {
        suite: "state",
        name: "random",
        rules: &["REGS-3", "REGS-4"],
        level: Level::Quick,
        run: random,
    },
];

fn recorded(session: &mut Session) -> Result<(), CheckError> {
    vectors(session, "queue_state")
}

/// Every combination of the four fields in both directions, under every stream setting that
/// differs.
fn fields(session: &mut Session) -> Result<(), CheckError> {
    let streams = [0, 1, 0x10, 0x100, 0x11, 0x101, 0x110, STREAM_OFF, u32::MAX];
    let queues = [0, 0x1_0000, 0x2_0000, 0x3_0000, u32::MAX];
    for values in 0..256u32 {
        let word = |values: u32| (0..4).map(|at| (values >> (2 * at) & 3) << (4 * at)).sum();
        for stream in streams {
            for (at, cfg) in queues.into_iter().enumerate() {
                let mut registers = StateRegisters {
                    m2s: word(values),
                    s2m: word(values.rotate_left(3) & 0xff | values >> 5),
                    stream,
                    queues: [0x1_0000; 16],
                };
                registers.queues[(values as usize + at) % 16] = cfg;
                let call = state_call(&registers, values % 17);
                let origin = || format!("fields {values:#x} stream {stream:#x} cfg {cfg:#x}");
                session.try_case::<State>(&origin, &call, None);
            }
        }
    }
    // Bits outside of the fields are ignored.
    for bit in 0..32 {
        let registers = StateRegisters {
            m2s: 1 << bit,
            s2m: 1 << bit,
            stream: STREAM_OFF ^ 1 << bit,
            queues: [1 << bit; 16],
        };
        let origin = || format!("bit#{bit}");
        session.try_case::<State>(&origin, &state_call(&registers, 16), None);
    }
    Ok(())
}

fn set_state(session: &mut Session) -> Result<(), CheckError> {
    for state in (-300..300).chain([i32::MIN, i32::MAX]) {
        let call = Call::of([u64::from(state as u32)]);
        session.try_case::<SetState>(&|| format!("state {state}"), &call, None);
    }
    Ok(())
}

fn random(session: &mut Session) -> Result<(), CheckError> {
    let stream = prop_oneof![any::<u32>(), any::<u32>().prop_map(|cfg| cfg | STREAM_OFF)];
    let queues = prop_oneof![
        any::<[u32; 16]>(),
        any::<[u32; 16]>().prop_map(|all| all.map(|cfg| cfg & !0x2_0000)),
    ];
    let strategy = (any::<[u32; 2]>(), stream, queues, 0u32..=16);
    let (seed, count) = (mix(session.options.seed, 33), session.options.cases / 4);
    sample(
        seed,
        count,
        strategy,
        |index, ([m2s, s2m], stream, queues, num_queues)| {
            let registers = StateRegisters {
                m2s,
                s2m,
                stream,
                queues,
            };
            let call = state_call(&registers, num_queues);
            session.try_case::<State>(&|| format!("random#{index}"), &call, None);
        },
    );
    Ok(())
}
