//! Engine bring-up and state (EINI, REGS-3 to REGS-5).

use udma_reference::abi::UDMA_SPACE_ENGINE as ENGINE;

use super::operation::{Call, Of, Operation, Outcome, Rules, plain, register};
use crate::law::engine::{self, OUTSTANDING_2, SPARE, StateRegisters};
use crate::law::program::block;
use crate::line::Line;
use crate::subject::ops::{EngineInit, EngineReport, EngineSw, Ops};
use crate::subject::{Event, Tape};
use crate::wire::Ring;

/// The engine program and the state it leaves.
pub type Init = Of<InitOperation>;
/// The state of an engine from its registers.
pub type State = Of<StateOperation>;
/// A request for a state.
pub type SetState = Of<SetStateOperation>;

/// See [`Init`].
pub struct InitOperation;

fn params(call: &Call) -> EngineInit {
    EngineInit {
        arch: call.args[0] as u32,
        num_queues: call.args[1] as u32,
        max_desc: call.args[2] as u32,
        reserve_read_id: call.args[3] & 1 != 0,
    }
}

/// An initialisation on registers whose spare and second outstanding write cfg hold something.
pub fn init_call(case: &EngineInit, outstanding: u32, spare: u32) -> Call {
    let args = [case.arch, case.num_queues, case.max_desc].map(u64::from);
    let mut args = args.to_vec();
    args.push(case.reserve_read_id.into());
    Call {
        args,
        registers: vec![(ENGINE, OUTSTANDING_2, outstanding), (ENGINE, SPARE, spare)],
    }
}

/// The answer of a state.
pub fn init_values(state: &EngineSw) -> Vec<i64> {
    let mut values = vec![state.ret.into()];
    values.extend(
        [
            state.num_of_queues,
            state.num_of_queues_max,
            state.rev_id,
            state.state_m2s,
            state.state_s2m,
            state.cdesc_size,
            state.reserve_max_read_axi_id,
        ]
        .map(i64::from),
    );
    let offsets = [
        state.m2s_offset,
        state.s2m_offset,
        state.gen_offset,
        state.gen_ex_offset,
    ];
    values.extend(offsets.map(|offset| offset as i64));
    values
}

/// Accesses that are made once a queue: its cfg, its selects.
fn by_queue(events: &[Event]) -> usize {
    let selects = 0x3c400..0x3c800;
    let cfg = |offset: u64| {
        (0..16).any(|qid| {
            Ring::BOTH
                .iter()
                .any(|ring| block(*ring, qid) + 0x20 == offset)
        })
    };
    events
        .iter()
        .filter(|event| {
            matches!(event, Event::Write(_, offset, _) if selects.contains(offset) || cfg(*offset))
        })
        .count()
}

impl Operation for InitOperation {
    const NAME: &'static str = "engine_init";
    const ARGS: &'static [&'static str] = &["arch", "num_queues", "max_desc", "reserve_read_id"];
    const VALUES: &'static [&'static str] = &[
        "ret",
        "num_of_queues",
        "num_of_queues_max",
        "rev_id",
        "state_m2s",
        "state_s2m",
        "cdesc_size",
        "reserve_max_read_axi_id",
        "m2s_offset",
        "s2m_offset",
        "gen_offset",
        "gen_ex_offset",
    ];
    const SIMPLER: &'static [&'static str] = &["num_queues", "max_desc", "reserve_read_id"];

    fn ask(ops: &dyn Ops, call: &Call, tape: &Tape) -> Option<Outcome> {
        ops.engine_init(&params(call), tape)
            .map(|state| Outcome::of(init_values(&state)))
    }

    fn required(line: Line, call: &Call) -> Option<Outcome> {
        if line != Line::Kernel {
            return None;
        }
        let at = |offset| register(&call.registers, ENGINE, offset);
        let (state, events) = engine::engine_init(&params(call), at(OUTSTANDING_2), at(SPARE));
        Some(Outcome {
            values: init_values(&state),
            events,
            ..Outcome::default()
        })
    }

    fn rules(_line: Line, call: &Call) -> Rules {
        match engine::engine_init(&params(call), 0, 0).0.ret {
            0 => plain(&["EINI-1", "EINI-2", "EINI-3", "EINI-4"]),
            -1 => plain(&["EINI-2", "EINI-3", "EINI-4"]),
            _ => plain(&["EINI-1", "EINI-4"]),
        }
    }

    fn broken(_line: Line, _call: &Call, want: &Outcome, got: &Outcome) -> Vec<&'static str> {
        let (ret, seen) = (want.values[0], got.values.first().copied());
        if seen != Some(ret) {
            let queues = ret == -22 || seen == Some(-22);
            return vec![if queues { "EINI-1" } else { "EINI-2" }];
        }
        if want.events == got.events {
            return vec!["EINI-4"];
        }
        // Everything up to step 18 is written before the packet limit is looked at.
        if ret == -1 && got.events.len() < want.events.len() / 2 {
            return vec!["EINI-2"];
        }
        if by_queue(&want.events) == by_queue(&got.events) {
            vec!["EINI-3"]
        } else {
            vec!["EINI-1", "EINI-3"]
        }
    }
}

/// See [`State`].
pub struct StateOperation;

/// Offsets of the three registers that tell a state besides the queues' cfg.
const STATE: [u64; 3] = [0x200, 0x20200, 0x20250];

/// A read-back of these registers.
pub fn state_call(registers: &StateRegisters, num_queues: u32) -> Call {
    let values = [registers.m2s, registers.s2m, registers.stream];
    let mut file: Vec<_> = STATE
        .into_iter()
        .zip(values)
        .map(|(offset, value)| (ENGINE, offset, value))
        .collect();
    for (qid, cfg) in (0..).zip(registers.queues) {
        file.push((ENGINE, block(Ring::Rx, qid) + 0x20, cfg));
    }
    Call {
        args: vec![num_queues.into()],
        registers: file,
    }
}

fn state_registers(call: &Call) -> StateRegisters {
    let at = |offset| register(&call.registers, ENGINE, offset);
    StateRegisters {
        m2s: at(STATE[0]),
        s2m: at(STATE[1]),
        stream: at(STATE[2]),
        queues: std::array::from_fn(|qid| at(block(Ring::Rx, qid as u32) + 0x20)),
    }
}

/// The answer of a report.
pub fn state_values(report: &EngineReport) -> Vec<i64> {
    [
        report.revision_id,
        report.max_queues,
        report.num_queues,
        report.tx_state,
        report.rx_state,
    ]
    .map(i64::from)
    .to_vec()
}

impl Operation for StateOperation {
    const NAME: &'static str = "engine_state";
    const ARGS: &'static [&'static str] = &["num_queues"];
    const VALUES: &'static [&'static str] = &[
        "revision_id",
        "max_queues",
        "num_queues",
        "tx_state",
        "rx_state",
    ];
    // In which order and how often the registers are read is not laid down (docs/errata.md).
    const ACCESSES: bool = false;

    fn ask(ops: &dyn Ops, call: &Call, tape: &Tape) -> Option<Outcome> {
        ops.engine_state(call.args[0] as u32, tape)
            .map(|report| Outcome::of(state_values(&report)))
    }

    fn required(line: Line, call: &Call) -> Option<Outcome> {
        (line == Line::Kernel).then(|| {
            let report = engine::engine_state(&state_registers(call), call.args[0] as u32);
            Outcome::of(state_values(&report))
        })
    }

    fn rules(_line: Line, _call: &Call) -> Rules {
        plain(&["REGS-3", "REGS-4"])
    }

    fn broken(_line: Line, call: &Call, want: &Outcome, got: &Outcome) -> Vec<&'static str> {
        let rx_alone = want.values[..4] == got.values[..4];
        let stream_field = register(&call.registers, ENGINE, STATE[1]) >> 4 & 3;
        if rx_alone && stream_field != 0 {
            vec!["REGS-4", "REGS-3"]
        } else {
            vec!["REGS-3"]
        }
    }
}

/// See [`SetState`].
pub struct SetStateOperation;

impl Operation for SetStateOperation {
    const NAME: &'static str = "set_state";
    const ARGS: &'static [&'static str] = &["state"];
    const VALUES: &'static [&'static str] = &["ret"];

    fn ask(ops: &dyn Ops, call: &Call, tape: &Tape) -> Option<Outcome> {
        ops.set_state(call.args[0] as i32, tape)
            .map(|ret| Outcome::of([ret.into()]))
    }

    fn required(line: Line, call: &Call) -> Option<Outcome> {
        (line == Line::Kernel).then(|| Outcome {
            values: vec![0],
            events: engine::set_state(call.args[0] as i32),
            ..Outcome::default()
        })
    }

    fn rules(_line: Line, _call: &Call) -> Rules {
        plain(&["REGS-5"])
    }

    fn broken(_line: Line, _call: &Call, _want: &Outcome, _got: &Outcome) -> Vec<&'static str> {
        vec!["REGS-5"]
    }
}
