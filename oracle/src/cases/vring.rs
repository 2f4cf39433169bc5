//! Scripts on a virtual ring: the whole state after every step (VRNG, XFER, PACK, EDIT, TMPL, DUMP,
//! PRNG).

mod blame;
mod form;
mod places;
mod run;
mod show;
mod simpler;
mod watch;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use udma_report::model::DescriptorDiff;

use crate::family::Family;
use crate::law::vring::{CHUNK, LawMachine};
use crate::line::Line;
use crate::subject::Subject;
use crate::subject::vring::{Machine, Op, Outcome};
use crate::whole::{self, Whole};

pub use form::{blocks, op_from_json, op_to_json};
pub use places::{Layout, LayoutCase, PLACES, RingLimit, RingLimitCase, Set, SetCase};
pub use run::{REGION, Ran, Run, RunCase, SCRATCH, SOURCES, TARGET, image_of};
pub use show::code_name;
pub use watch::{Change, Watch};

/// Messages of a script.
const SCRIPT: u64 = 64;

/// Runs a script from an empty vring.
pub struct Vring;

/// A script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Architecture number.
    pub arch: u8,
    /// The operations.
    pub ops: Vec<Op>,
}

/// What came of one step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// What the operation gave.
    pub outcome: Outcome,
    /// What is not as it was before the step. Two runs with equal changes in every step are in
    /// equal states after every step.
    pub changes: Vec<Change>,
}

impl Script {
    /// Chunks that the script authors at most.
    pub fn chunks(&self) -> u64 {
        let chunks = |op: &Op| match op {
            Op::Transfer(transfer) | Op::TransferEx(transfer) => transfer.size.div_ceil(CHUNK),
            Op::Packet(packet) => packet.blocks.len() as u64,
            _ => 1,
        };
        self.ops.iter().map(chunks).fold(0, u64::saturating_add)
    }

    /// See [`Family::operations`].
    pub fn operations(&self) -> u64 {
        let opened = 1 << Op::NAMES.len();
        self.ops.iter().fold(opened, |all, op| all | 1 << op.kind())
    }

    /// The state after the first `steps` operations, by the rules.
    pub fn state_after(&self, steps: usize) -> LawMachine {
        let mut machine = LawMachine::new(self.arch);
        for op in &self.ops[..steps] {
            machine.run(op);
        }
        machine
    }
}

/// Runs a script; none where an operation is not offered.
pub fn steps(machine: &mut dyn Machine, script: &Script) -> Option<Vec<Step>> {
    let mut watch = Watch::new(script);
    let mut steps = Vec::with_capacity(script.ops.len());
    for op in &script.ops {
        let outcome = machine.step(op)?;
        let changes = watch.look(machine, op, &outcome)?;
        steps.push(Step { outcome, changes });
    }
    Some(steps)
}

impl Whole for Vring {
    type Seen = Vec<Step>;

    fn see(subject: &dyn Subject, script: &Script) -> Option<Vec<Step>> {
        let mut machine = subject.vrings()?.machine(script.arch)?;
        steps(machine.as_mut(), script)
    }
}

impl Family for Vring {
    type Case = Script;
    type Answer = Vec<Step>;
    const NAME: &'static str = "vring";
    const MESSAGES: u64 = SCRIPT;

    fn operations(script: &Script) -> u64 {
        script.operations()
    }

    fn ask(subject: &dyn Subject, script: &Script) -> Option<Vec<Step>> {
        whole::see::<Self>(subject, script)
    }

    fn required(line: Line, script: &Script) -> Option<Vec<Step>> {
        if line != Line::Hal {
            return None;
        }
        steps(&mut LawMachine::new(script.arch), script)
    }

    fn rules(_line: Line, script: &Script) -> Vec<(&'static str, bool)> {
        let mut rules = Vec::new();
        for op in &script.ops {
            for rule in blame::rules_of(op) {
                if !rules.contains(&(*rule, false)) {
                    rules.push((*rule, false));
                }
            }
        }
        rules
    }

    fn broken(
        _line: Line,
        script: &Script,
        want: &Vec<Step>,
        got: &Vec<Step>,
    ) -> Vec<&'static str> {
        let differing = want.iter().zip(got).position(|(want, got)| want != got);
        differing.map_or_else(Vec::new, |at| blame::rules(script, at, &want[at], &got[at]))
    }

    fn simpler(script: &Script) -> Vec<Script> {
        simpler::scripts(script)
    }

    fn to_json(script: &Script) -> Value {
        form::script_to_json(script)
    }

    fn from_json(value: &Value) -> Result<Script, String> {
        form::script_from_json(value)
    }

    fn show(script: &Script, steps: &Vec<Step>) -> Vec<String> {
        show::steps(script, steps)
    }

    fn diffs(_script: &Script, want: &Vec<Step>, got: &Vec<Step>) -> Vec<DescriptorDiff> {
        let differing = want.iter().zip(got).find(|(want, got)| want != got);
        differing.map_or_else(Vec::new, |(want, got)| show::diffs(want, got))
    }
}
