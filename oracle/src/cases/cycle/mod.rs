//! Ring cycles: a run is asked of a subject on the prompt engine, access by access, or on a seeded
//! one that does no more than it must.

pub mod bare;
mod blame;
pub mod question;
pub mod shadow;
mod simpler;

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::Value;

use crate::cycle::machine::PATIENCE;
use crate::cycle::trace::{Act, Trace};
use crate::cycle::{Run, Step, run};
use crate::family::{Family, Held};
use crate::law;
use crate::law::cycle::Required;
use crate::law::version::{ZeroCopy, version};
use crate::line::Line;
use crate::subject::Subject;
use crate::whole::{self, Whole};
use udma_reference::abi;

/// Messages of a run: a few batches, each polled for.
const RUN: u64 = 512;

/// A run on the prompt engine: everything that is seen is required.
pub struct Program;

/// What the rules require of a run. It is asked for several times in a row, by every subject and
/// for the comparison: the last one is kept.
fn law_of(run: &Run) -> Option<Rc<Required>> {
    type Kept = Option<(Run, Option<Rc<Required>>)>;
    thread_local! {
        static LAST: RefCell<Kept> = const { RefCell::new(None) };
    }
    LAST.with_borrow_mut(|last| match last {
        Some((known, law)) if known == run => law.clone(),
        _ => {
            let law = law::cycle::required(run)
                .filter(|law| !outlasts(run, &law.trace))
                .map(Rc::new);
            *last = Some((run.clone(), law.clone()));
            law
        }
    })
}

/// Whether a driver that does as the rules require waits longer than the machine lets it for what
/// never comes: a lost batch, or one behind descriptors that a refused step has left (ZC-6).
fn outlasts(run: &Run, trace: &Trace) -> bool {
    let mut waited = 0;
    let comes_late = run.engine.lost_batches == 0 && run.engine.delay_calls >= PATIENCE;
    !comes_late
        && trace.acts.iter().any(|act| {
            match act {
                Act::Write(..) => waited = 0,
                Act::Delay(_) => waited += 1,
                Act::PollDelay(_, times) => waited += times,
                _ => {}
            }
            waited > PATIENCE
        })
}

/// The run under the version that a subject is held to; none where that version has no such copy
/// (ZC-6, ZC-8).
fn held_to(run: &Run, held: Held) -> Option<Run> {
    let Some(driver) = held.driver else {
        return Some(run.clone());
    };
    let there = |step: &Step| match step {
        Step::ZeroCopy(_) => version(driver).zero_copy == ZeroCopy::Pair,
        Step::Contexts(_)
        | Step::Enqueue(..)
        | Step::ContextsCopy(_)
        | Step::Advance(_)
        | Step::Pop => version(driver).zero_copy == ZeroCopy::Queue,
        Step::Copy(_) | Step::Submit(..) | Step::Wait(_) | Step::Memset(_) => true,
    };
    let mut run = run.clone();
    run.setup.driver = driver;
    run.steps.iter().all(there).then_some(run)
}

/// Rules about a run by what is asked in it.
pub fn rules(run: &Run) -> Vec<(&'static str, bool)> {
    let mut rules = vec![
        "TRIG-2", "TRIG-5", "MARK-1", "MARK-2", "MARK-3", "HOST-1", "RING-4",
    ];
    rules.extend([
        "BTCH-4", "POLL-1", "POLL-2", "POLL-5", "ACK-1", "ACK-2", "ACK-3", "BLDR-2",
    ]);
    if run.setup.platform != abi::UDMA_PLATFORM_HW {
        rules.push("POLL-3");
    }
    let mut empty = false;
    for step in &run.steps {
        let more: &[&str] = match step {
            Step::Copy(_) => &["MARK-4", "BTCH-1", "BTCH-2", "BTCH-3", "BTCH-5", "BTCH-6"],
            Step::Submit(..) | Step::Wait(_) => &["MARK-4", "ASYN-1", "ASYN-2", "ASYN-3", "ASYN-4"],
            Step::Memset(_) => &["MSET-1", "MARK-4", "BTCH-1", "BTCH-3", "BTCH-5", "BTCH-6"],
            Step::ZeroCopy(_) => &["ZC-1", "ZC-2", "ZC-3", "ZC-4", "ZC-5", "ZC-6", "ZC-7"],
            _ => &["ZC-8", "ZC-1", "ZC-2", "ZC-3", "ZC-4", "ZC-5", "ZC-7"],
        };
        rules.extend(more);
        empty |= matches!(step, Step::Copy(transfer) if transfer.size == 0);
        empty |= matches!(step, Step::Memset(fill) if fill.size == 0);
    }
    if run.engine.lost_batches != 0 {
        rules.push("RTRY-1");
    }
    rules.sort_unstable();
    rules.dedup();
    // BTCH-6, BLDR-5: 0 bytes move 65536.
    rules
        .into_iter()
        .map(|rule| (rule, empty && rule == "BTCH-6"))
        .collect()
}

/// See [`Family::operations`].
fn operations(run: &Run) -> u64 {
    let operation = |step: &Step| match step {
        Step::Copy(_) => 1 << 1,
        Step::Submit(..) | Step::Wait(_) => 1 << 2,
        Step::Memset(_) => 1 << 3,
        Step::ZeroCopy(_) => 1 << 4,
        Step::Contexts(_)
        | Step::Enqueue(..)
        | Step::ContextsCopy(_)
        | Step::Advance(_)
        | Step::Pop => 1 << 5,
    };
    run.steps
        .iter()
        .map(operation)
        .fold(1, |all, one| all | one)
}

impl Whole for Program {
    type Seen = Trace;

    fn see(subject: &dyn Subject, run: &Run) -> Option<Trace> {
        run::observe(subject, run, None, law_of(run)?.memories())
    }
}

impl Family for Program {
    type Case = Run;
    type Answer = Trace;
    const NAME: &'static str = "cycle";
    const MESSAGES: u64 = RUN;

    fn operations(run: &Run) -> u64 {
        operations(run)
    }

    fn ask(subject: &dyn Subject, run: &Run) -> Option<Trace> {
        whole::see::<Self>(subject, run)
    }

    fn required(line: Line, run: &Run) -> Option<Trace> {
        (line == Line::Kernel)
            .then(|| law_of(run))
            .flatten()
            .map(|law| law.trace.clone())
    }

    fn held_to(run: &Run, held: Held) -> Option<Run> {
        held_to(run, held)
    }

    fn rules(_line: Line, run: &Run) -> Vec<(&'static str, bool)> {
        rules(run)
    }

    fn broken(_line: Line, run: &Run, want: &Trace, got: &Trace) -> Vec<&'static str> {
        if want == got {
            return Vec::new();
        }
        // A recording shows some descriptors; the rules give all.
        match law_of(run) {
            Some(law) if law.trace != *got => blame::broken(run, &law.trace, got),
            _ => blame::broken(run, want, got),
        }
    }

    fn simpler(run: &Run) -> Vec<Run> {
        simpler::simpler(run)
    }

    fn to_json(run: &Run) -> Value {
        to_json(run)
    }

    fn from_json(value: &Value) -> Result<Run, String> {
        from_json(value)
    }

    fn show(_run: &Run, trace: &Trace) -> Vec<String> {
        trace.lines()
    }
}

fn to_json(run: &Run) -> Value {
    serde_json::to_value(run).expect("a run is plain data")
}

fn from_json(value: &Value) -> Result<Run, String> {
    let run: Run = serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
    run.check()?;
    Ok(run)
}

/// A run on the engine that does no more than it must, in the order of a seed: what must hold
/// whatever that order is.
pub struct Seeded;

/// A run and a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeededRun {
    /// Seed of the engine's schedule.
    pub seed: u64,
    /// The run.
    pub run: Run,
}

/// What did not hold: rule and what was seen, the first under each rule.
pub type Violations = Vec<(&'static str, String)>;

/// What does not hold of a subject in a run on the seeded engine.
pub fn violations(subject: &dyn Subject, case: &SeededRun) -> Option<Violations> {
    let law = law_of(&case.run)?;
    let trace = whole::see::<Seeded>(subject, case)?;
    let mut found: Violations = Vec::new();
    let mut add = |rule: &'static str, text: String| {
        if found.iter().all(|(known, _)| *known != rule) {
            found.push((rule, text));
        }
    };
    // What must be refused after a part of it was staged leaves those slots taken.
    let refused = law.trace.results.iter().flatten().any(|value| *value < 0);
    for (rule, text) in trace.engine {
        if rule != "ACK-3" || !refused {
            add(rule, text);
        }
    }
    for (number, (want, got)) in law.trace.bells.iter().zip(&trace.bells).enumerate() {
        let (staged, rung) = (want.count(), got.count());
        if want.ring == got.ring && rung > staged {
            add(
                "MODL-1",
                format!(
                    "doorbell {number} lets {rung} descriptors be fetched, {staged} are staged"
                ),
            );
        }
    }
    for (step, (want, got)) in law.trace.results.iter().zip(&trace.results).enumerate() {
        if want != got {
            add(
                "POLL-1",
                format!("step {step} gives {got:?}, required {want:?}"),
            );
        }
    }
    let rule = match case.run.steps.first() {
        Some(Step::Memset(_)) => "MSET-1",
        Some(Step::Copy(_)) => "BTCH-6",
        Some(Step::Submit(..) | Step::Wait(_)) => "ASYN-2",
        _ => "ZC-4",
    };
    for address in trace.wrong {
        add(
            rule,
            format!("memory at {address:#x} is not what the copies make of it"),
        );
    }
    Some(found)
}

impl Whole for Seeded {
    type Seen = Trace;

    fn see(subject: &dyn Subject, case: &SeededRun) -> Option<Trace> {
        let law = law_of(&case.run)?;
        run::observe(subject, &case.run, Some(case.seed), law.memories())
    }
}

impl Family for Seeded {
    type Case = SeededRun;
    type Answer = Violations;
    const NAME: &'static str = "cycle_seeded";
    const MESSAGES: u64 = RUN;

    fn operations(case: &SeededRun) -> u64 {
        operations(&case.run)
    }

    fn ask(subject: &dyn Subject, case: &SeededRun) -> Option<Violations> {
        violations(subject, case)
    }

    fn required(line: Line, case: &SeededRun) -> Option<Violations> {
        // A seeded engine has a pace of its own, and no delay.
        (line == Line::Kernel && case.run.engine.delay_calls == 0).then(Vec::new)
    }

    fn held_to(case: &SeededRun, held: Held) -> Option<SeededRun> {
        held_to(&case.run, held).map(|run| SeededRun { run, ..*case })
    }

    fn rules(_line: Line, case: &SeededRun) -> Vec<(&'static str, bool)> {
        let models = (1..=8).map(|number| MODELS[number - 1]);
        let mut rules = rules(&case.run);
        rules.extend(models.map(|rule| (rule, false)));
        rules.push(("RING-2", false));
        rules
    }

    fn broken(
        _line: Line,
        _case: &SeededRun,
        _want: &Violations,
        got: &Violations,
    ) -> Vec<&'static str> {
        got.iter().map(|(rule, _)| *rule).collect()
    }

    fn simpler(case: &SeededRun) -> Vec<SeededRun> {
        let runs = simpler::simpler(&case.run).into_iter();
        runs.map(|run| SeededRun { run, ..*case }).collect()
    }

    fn to_json(case: &SeededRun) -> Value {
        let mut value = to_json(&case.run);
        value["seed"] = case.seed.into();
        value
    }

    fn from_json(value: &Value) -> Result<SeededRun, String> {
        let seed = super::json::get(value, "seed")?;
        let mut value = value.clone();
        if let Some(members) = value.as_object_mut() {
            members.remove("seed");
        }
        let run = from_json(&value)?;
        Ok(SeededRun { seed, run })
    }

    fn show(_case: &SeededRun, answer: &Violations) -> Vec<String> {
        if answer.is_empty() {
            return vec!["everything holds".into()];
        }
        answer
            .iter()
            .map(|(rule, text)| format!("{rule}: {text}"))
            .collect()
    }
}

/// The rules of the model.
pub const MODELS: [&str; 8] = [
    "MODL-1", "MODL-2", "MODL-3", "MODL-4", "MODL-5", "MODL-6", "MODL-7", "MODL-8",
];
