//! The interrupt controller (IOFC).

use udma_reference::abi::{self, UDMA_SPACE_ENGINE as ENGINE};

use super::operation::{Call, Of, Operation, Outcome, Registers, Rules, plain, register};
use crate::law::iofic as law;
use crate::line::Line;
use crate::subject::ops::{Iofic as Case, Ops};
use crate::subject::{Event, Tape};

/// A call of the controller.
pub type Iofic = Of<IoficOperation>;
/// The cause iterator.
pub type Causes = Of<CausesOperation>;

/// See [`Iofic`].
pub struct IoficOperation;

/// A call on registers; `held`: the group's cause keeps its value whatever is written.
pub fn call(case: &Case, held: bool, registers: Registers) -> Call {
    let mut args = [case.call, case.revision, case.level, case.group]
        .map(u64::from)
        .to_vec();
    args.extend([case.group_base, case.bits.into(), held.into()]);
    Call { args, registers }
}

/// Contents of a group's cause, mask, control and abort mask.
pub fn contents(level: u32, number: u32, values: [u32; 4]) -> Registers {
    let base = law::group(level, number);
    [0x00, 0x10, 0x28, 0x30]
        .into_iter()
        .zip(values)
        .map(|(offset, value)| (ENGINE, base + offset, value))
        .collect()
}

/// Contents of a group's cause.
pub fn cause(level: u32, number: u32, value: u32) -> (u32, u64, u32) {
    (ENGINE, law::group(level, number), value)
}

fn case(call: &Call) -> Case {
    let args: Vec<u32> = call.args.iter().map(|arg| *arg as u32).collect();
    Case {
        call: args[0],
        revision: args[1],
        level: args[2],
        group: args[3],
        group_base: call.args[4],
        bits: args[5],
    }
}

fn held(call: &Call) -> bool {
    call.args[6] != 0
}

impl Operation for IoficOperation {
    const NAME: &'static str = "iofic";
    const ARGS: &'static [&'static str] = &[
        "call",
        "revision",
        "level",
        "group",
        "group_base",
        "bits",
        "held",
    ];
    const VALUES: &'static [&'static str] = &["ret", "value"];
    const SIMPLER: &'static [&'static str] = &["bits"];

    fn operations(call: &Call) -> u64 {
        1_u64.checked_shl(case(call).call).unwrap_or(0)
    }

    fn ask(ops: &dyn Ops, call: &Call, tape: &Tape) -> Option<Outcome> {
        let case = case(call);
        if held(call) {
            tape.hold(ENGINE, law::group(case.level, case.group));
        }
        let (mut ret, value) = ops.iofic(&case, tape)?;
        if case.call == abi::UDMA_IOFIC_UNMASK {
            // Which code says that there is no such group is informative.
            ret = i32::from(ret != 0);
        }
        Some(Outcome::of([ret.into(), value.into()]))
    }

    fn required(line: Line, call: &Call) -> Option<Outcome> {
        let case = case(call);
        let judged = law::offered(line, case.call) && !law::open(&case);
        judged.then(|| {
            let (ret, value, events) = law::call(line, &case, &call.registers, held(call));
            Outcome {
                values: vec![ret.into(), value.into()],
                events,
                ..Outcome::default()
            }
        })
    }

    fn rules(line: Line, call: &Call) -> Rules {
        let case = case(call);
        if !law::offered(line, case.call) {
            return Vec::new();
        }
        let mut rules = vec![(law::rule(case.call), false)];
        match case.call {
            abi::UDMA_IOFIC_ARM_ABORT => {
                let abort = law::group(case.level, case.group) + 0x30;
                let before = register(&call.registers, ENGINE, abort);
                // Only where other bits were clear do the two lines differ in effect.
                rules[0].1 = before | case.bits != u32::MAX;
                rules.extend(plain(&["IOFC-1", "IOFC-2", "IOFC-9"]));
            }
            abi::UDMA_IOFIC_UNMASK => rules.extend(plain(&["IOFC-1", "IOFC-2", "IOFC-9"])),
            abi::UDMA_IOFIC_UNMASK_M2S | abi::UDMA_IOFIC_UNMASK_S2M => {
                rules.extend(plain(&["IOFC-1", "IOFC-2", "IOFC-3", "IOFC-4", "IOFC-5"]));
            }
            abi::UDMA_IOFIC_AXI_ERROR_ABORT => rules.push(("IOFC-10", false)),
            abi::UDMA_IOFIC_SUMMARY_BIT => {}
            _ => rules.extend(plain(&["IOFC-1", "IOFC-2"])),
        }
        rules
    }

    fn broken(line: Line, call: &Call, want: &Outcome, got: &Outcome) -> Vec<&'static str> {
        let case = case(call);
        let own = law::rule(case.call);
        match case.call {
            abi::UDMA_IOFIC_UNMASK if want.values != got.values => {
                let wrongly_accepted = want.values[0] != 0 && line == Line::Kernel;
                vec![if wrongly_accepted { "IOFC-9" } else { "IOFC-2" }]
            }
            abi::UDMA_IOFIC_ARM_ABORT if got.events.is_empty() && line == Line::Kernel => {
                vec!["IOFC-9", own]
            }
            abi::UDMA_IOFIC_MASK_RING_ID_ERROR | abi::UDMA_IOFIC_SUMMARY_BIT => vec![own],
            abi::UDMA_IOFIC_AXI_ERROR_ABORT => {
                if only_in_groups(&want.events, &got.events) {
                    vec!["IOFC-10", own]
                } else {
                    vec![own]
                }
            }
            abi::UDMA_IOFIC_UNMASK_M2S | abi::UDMA_IOFIC_UNMASK_S2M => {
                program(&want.events, &got.events)
            }
            _ => {
                let mut rules = misplaced(&want.events, &got.events);
                rules.push(own);
                rules
            }
        }
    }
}

/// Offset and value of an access, and whether it is a write.
fn parts(event: &Event) -> (u64, u32, bool) {
    match event {
        Event::Write(_, offset, value) => (*offset, *value, true),
        Event::Read(_, offset, value) => (*offset, *value, false),
        Event::Barrier => (0, 0, false),
    }
}

/// Pairs of accesses that differ; none unless both lists are equally long.
fn differing(want: &[Event], got: &[Event]) -> Vec<[(u64, u32, bool); 2]> {
    if want.len() != got.len() {
        return Vec::new();
    }
    want.iter()
        .zip(got)
        .filter(|(want, got)| want != got)
        .map(|(want, got)| [parts(want), parts(got)])
        .collect()
}

/// IOFC-1 where the register of a group is another one, IOFC-2 where the group is.
fn misplaced(want: &[Event], got: &[Event]) -> Vec<&'static str> {
    let mut rules = Vec::new();
    for [(want, ..), (got, ..)] in differing(want, got) {
        if want & !0x3f != got & !0x3f {
            rules.push("IOFC-2");
        } else if want != got {
            rules.push("IOFC-1");
        }
    }
    rules.dedup();
    rules
}

/// Whether two AXI set-ups differ in the groups' windows alone (IOFC-10).
fn only_in_groups(want: &[Event], got: &[Event]) -> bool {
    let pairs = differing(want, got);
    let in_group = |offset: u64| (0x3ad00..0x3b240).contains(&offset);
    !pairs.is_empty()
        && pairs
            .iter()
            .all(|[want, got]| in_group(want.0) && in_group(got.0))
}

/// What is wrong with the accesses of IOFC-6.
fn program(want: &[Event], got: &[Event]) -> Vec<&'static str> {
    if got.iter().any(|event| matches!(event, Event::Read(..))) {
        return vec!["IOFC-5", "IOFC-6"];
    }
    if want.len() != got.len() {
        let unmask_c = |event: &&Event| parts(event).0 != 0x3a098;
        let without: Vec<&Event> = want.iter().filter(unmask_c).collect();
        // Refused for its group: left out, or the end of the program.
        let known = want.iter().take_while(unmask_c);
        let group_unknown = without.iter().copied().eq(got.iter()) || known.eq(got.iter());
        return if group_unknown {
            vec!["IOFC-2", "IOFC-6"]
        } else {
            vec!["IOFC-6"]
        };
    }
    let sorted = |events: &[Event]| {
        let mut all: Vec<_> = events.iter().map(parts).collect();
        all.sort_unstable();
        all
    };
    if sorted(want) == sorted(got) {
        return vec!["IOFC-6"];
    }
    let mut rules = misplaced(want, got);
    for [(offset, ..), _] in differing(want, got) {
        rules.push(match offset & 0x3f {
            0x28 => "IOFC-3",
            0x18 => "IOFC-4",
            _ => "IOFC-6",
        });
    }
    rules
}

/// See [`Causes`].
pub struct CausesOperation;

impl Operation for CausesOperation {
    const NAME: &'static str = "iofic_causes";
    const ARGS: &'static [&'static str] = &["revision", "level"];
    const VALUES: &'static [&'static str] = &[];
    const SIMPLER: &'static [&'static str] = &[];

    fn ask(ops: &dyn Ops, call: &Call, tape: &Tape) -> Option<Outcome> {
        let pending = ops.causes(call.args[0] as u32, call.args[1] as u32, tape)?;
        Some(Outcome::of(
            pending.into_iter().map(i64::from).collect::<Vec<_>>(),
        ))
    }

    fn required(line: Line, call: &Call) -> Option<Outcome> {
        (line == Line::Hal).then(|| {
            let (revision, level) = (call.args[0] as u32, call.args[1] as u32);
            let (pending, events) = law::causes(revision, level, &call.registers);
            Outcome {
                values: pending.into_iter().map(i64::from).collect(),
                events,
                ..Outcome::default()
            }
        })
    }

    fn rules(_line: Line, _call: &Call) -> Rules {
        plain(&["IOFC-7", "IOFC-2"])
    }

    fn broken(_line: Line, _call: &Call, want: &Outcome, got: &Outcome) -> Vec<&'static str> {
        let groups = |outcome: &Outcome| outcome.events.len();
        if groups(want) == groups(got) {
            vec!["IOFC-7"]
        } else {
            vec!["IOFC-2", "IOFC-7"]
        }
    }
}
