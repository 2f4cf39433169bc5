//! The BAR0 gate (BAR0).

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::operation::{Call, Of, Operation, Outcome, Rules, plain};
use crate::law::bar0 as law;
use crate::line::Line;
use crate::session::Session;
use crate::subject::Tape;
use crate::subject::ops::{Bar0 as Case, Ops};

/// Whether user space may write at an offset.
pub type Gate = Of<GateOperation>;

/// See [`Gate`].
pub struct GateOperation;

/// The whole gate at an offset.
pub fn gate(arch: u32, offset: u64) -> Case {
    Case {
        offset,
        arch,
        ..Case::default()
    }
}

/// The check of one engine, whose base is anywhere.
pub fn one_engine(arch: u32, base: u64, offset: u64) -> Case {
    Case {
        base,
        one_engine: 1,
        ..gate(arch, offset)
    }
}

/// The case as a call.
pub fn call(case: &Case) -> Call {
    Call::of([
        case.arch.into(),
        case.offset,
        case.one_engine.into(),
        case.base,
    ])
}

fn case(call: &Call) -> Case {
    Case {
        arch: call.args[0] as u32,
        offset: call.args[1],
        one_engine: call.args[2] as u32,
        base: call.args[3],
        ..Case::default()
    }
}

fn refused(case: &Case) -> bool {
    if case.one_engine == 0 {
        law::is_refused(case.arch, case.offset)
    } else {
        let inside = case.offset.checked_sub(case.base);
        inside.is_some_and(|inside| law::in_engine().contains(&inside))
    }
}

/// Whether an offset lies in the miscellaneous RAM.
fn in_ram(case: &Case) -> bool {
    let ram = law::misc_ram(case.arch);
    case.one_engine == 0 && (ram..ram + 0x1000).contains(&case.offset)
}

impl Operation for GateOperation {
    const NAME: &'static str = "bar0_block";
    const ARGS: &'static [&'static str] = &["arch", "offset", "one_engine", "base"];
    const VALUES: &'static [&'static str] = &["ret"];
    // Another offset is another question.
    const SIMPLER: &'static [&'static str] = &[];

    fn ask(ops: &dyn Ops, call: &Call, _tape: &Tape) -> Option<Outcome> {
        let mut cases = [case(call)];
        ops.bar0(&mut cases)?;
        Some(Outcome::of([cases[0].ret.into()]))
    }

    fn required(line: Line, call: &Call) -> Option<Outcome> {
        (line == Line::Kernel).then(|| Outcome::of([-i64::from(refused(&case(call)))]))
    }

    fn rules(_line: Line, call: &Call) -> Rules {
        let case = case(call);
        if in_ram(&case) {
            plain(&["BAR0-3"])
        } else if case.one_engine == 0 {
            plain(&["BAR0-1", "BAR0-2"])
        } else {
            plain(&["BAR0-1"])
        }
    }

    fn broken(_line: Line, call: &Call, _want: &Outcome, _got: &Outcome) -> Vec<&'static str> {
        let case = case(call);
        if in_ram(&case) {
            return vec!["BAR0-3"];
        }
        // The words are the same in every engine: what is wrong in one of them alone is its place.
        let first = law::engines(case.arch)[0];
        let in_first = (first..first + 0x4_0000).contains(&case.offset);
        if case.one_engine != 0 || in_first || !case.offset.is_multiple_of(4) {
            vec!["BAR0-1"]
        } else {
            vec!["BAR0-2", "BAR0-1"]
        }
    }
}

/// Offsets that are asked about in one call.
const CHUNK: usize = 8192;

/// Offsets of a chunk that are asked about by themselves where none of them is offered.
const FEW: usize = 16;

/// Asks every subject with a gate about many offsets; `expected` is what must be refused of them.
/// An offset that is answered wrongly becomes a case of [`Gate`].
pub fn sweep(
    session: &mut Session,
    origin: &dyn Fn() -> String,
    cases: &[Case],
    expected: &BTreeSet<u64>,
    rules: &[&'static str],
) {
    let subjects = session.subjects;
    if !session.next_case() {
        return;
    }
    for (index, subject) in subjects.iter().enumerate() {
        if session.done() || subject.line() != Line::Kernel {
            continue;
        }
        let mut answers = cases.to_vec();
        // One engine has 65,536 offsets, and there are hundreds of engines: all cores ask.
        let ask = |cases: &mut [Case]| subject.ops().and_then(|ops| ops.bar0(cases)).is_some();
        let asked: Vec<bool> = answers.par_chunks_mut(CHUNK).map(ask).collect();
        let refused = asked.iter().position(|asked| !asked);
        for rule in rules {
            if refused.is_none() {
                session.count(rule, index, cases.len() as u64, 0);
            } else {
                session.not_offered(rule, index);
            }
        }
        let required = |answer: &Case| -i32::from(expected.contains(&answer.offset));
        if let Some(chunk) = refused {
            // Whether all offsets are refused, or one that takes the others along.
            let most = if asked.contains(&true) { CHUNK } else { FEW };
            let cases = cases[chunk * CHUNK..].iter().take(most);
            let (offered, others): (Vec<&Case>, Vec<&Case>) =
                cases.partition(|case| ask(&mut [**case]));
            for case in [offered.first(), others.first()].into_iter().flatten() {
                let want = Outcome::of([required(case).into()]);
                session.try_on::<Gate>(index, origin, &call(case), Some(&want));
            }
            continue;
        }
        let wrong: Vec<&Case> = answers
            .par_iter()
            .filter(|answer| answer.ret != required(answer))
            .collect();
        for answer in wrong {
            let want = Outcome::of([required(answer).into()]);
            session.try_on::<Gate>(index, origin, &call(answer), Some(&want));
        }
    }
}
