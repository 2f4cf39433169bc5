//! Operations whose input is a list of numbers and a register file: one [`Family`] each, from the
//! little that differs between them.

use std::marker::PhantomData;

use serde_json::{Map, Value, json};
use udma_reference::abi;

use super::json;
use crate::family::{Family, simpler_number};
use crate::line::Line;
use crate::subject::ops::Ops;
use crate::subject::{Event, Subject, Tape};
use crate::wire::{Desc, hex};

pub use crate::wire::{Registers, register};

/// An input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// Arguments in the order of [`Operation::ARGS`].
    pub args: Vec<u64>,
    /// Registers beforehand.
    pub registers: Registers,
}

impl Call {
    /// A call without registers.
    pub fn of(args: impl Into<Vec<u64>>) -> Self {
        Self {
            args: args.into(),
            registers: Vec::new(),
        }
    }
}

/// An answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Numbers in the order of [`Operation::VALUES`]; more may follow.
    pub values: Vec<i64>,
    /// Descriptors; none for a slot that was left alone.
    pub descs: Vec<Option<Desc>>,
    /// Register accesses.
    pub events: Vec<Event>,
}

impl Outcome {
    /// Numbers alone.
    pub fn of(values: impl Into<Vec<i64>>) -> Self {
        Self {
            values: values.into(),
            ..Self::default()
        }
    }
}

/// Rules with whether the case lies in a known divergence.
pub type Rules = Vec<(&'static str, bool)>;

/// Rules without a divergence.
pub fn plain(rules: &[&'static str]) -> Rules {
    rules.iter().map(|rule| (*rule, false)).collect()
}

/// What differs between operations.
pub trait Operation: 'static {
    /// Name of the family.
    const NAME: &'static str;
    /// Arguments.
    const ARGS: &'static [&'static str];
    /// Numbers of the answer.
    const VALUES: &'static [&'static str];
    /// Arguments whose simpler values are tried; the others stay as they are.
    const SIMPLER: &'static [&'static str] = Self::ARGS;
    /// Whether the register accesses are judged.
    const ACCESSES: bool = true;

    /// See [`Family::operations`].
    fn operations(_call: &Call) -> u64 {
        1
    }

    /// The subject's answer, without the accesses.
    fn ask(ops: &dyn Ops, call: &Call, tape: &Tape) -> Option<Outcome>;

    /// What the rules require.
    fn required(line: Line, call: &Call) -> Option<Outcome>;

    /// Rules about the case.
    fn rules(line: Line, call: &Call) -> Rules;

    /// Rules that a wrong answer breaks, the most telling first.
    fn broken(line: Line, call: &Call, want: &Outcome, got: &Outcome) -> Vec<&'static str>;
}

/// The family of an operation.
pub struct Of<O>(PhantomData<O>);

impl<O: Operation> Family for Of<O> {
    type Case = Call;
    type Answer = Outcome;
    const NAME: &'static str = O::NAME;

    fn operations(call: &Call) -> u64 {
        O::operations(call)
    }

    fn ask(subject: &dyn Subject, call: &Call) -> Option<Outcome> {
        let tape = Tape::default();
        for (space, offset, value) in &call.registers {
            tape.set(*space, *offset, *value);
        }
        let mut outcome = O::ask(subject.ops()?, call, &tape)?;
        if O::ACCESSES {
            outcome.events = tape.take_events();
        }
        Some(outcome)
    }

    fn required(line: Line, call: &Call) -> Option<Outcome> {
        O::required(line, call)
    }

    fn rules(line: Line, call: &Call) -> Rules {
        O::rules(line, call)
    }

    fn broken(line: Line, call: &Call, want: &Outcome, got: &Outcome) -> Vec<&'static str> {
        if want == got {
            Vec::new()
        } else {
            O::broken(line, call, want, got)
        }
    }

    fn simpler(call: &Call) -> Vec<Call> {
        let mut calls = Vec::new();
        for index in 0..call.registers.len() {
            let mut simpler = call.clone();
            simpler.registers.remove(index);
            calls.push(simpler);
        }
        for (index, name) in O::ARGS.iter().enumerate() {
            if !O::SIMPLER.contains(name) {
                continue;
            }
            for value in simpler_number(call.args[index]) {
                let mut simpler = call.clone();
                simpler.args[index] = value;
                calls.push(simpler);
            }
        }
        for (index, (_, _, value)) in call.registers.iter().enumerate() {
            for value in simpler_number((*value).into()) {
                let mut simpler = call.clone();
                simpler.registers[index].2 = value as u32;
                calls.push(simpler);
            }
        }
        calls
    }

    fn to_json(call: &Call) -> Value {
        let mut object = Map::new();
        for (name, value) in O::ARGS.iter().zip(&call.args) {
            let value = if *value > u64::from(u32::MAX) {
                json::hex(*value)
            } else {
                json!(value)
            };
            object.insert((*name).into(), value);
        }
        for (name, space) in SPACES {
            let file: Map<String, Value> = call
                .registers
                .iter()
                .filter(|(at, _, _)| *at == space)
                .map(|(_, offset, value)| (format!("{offset:#x}"), json::hex((*value).into())))
                .collect();
            if !file.is_empty() {
                object.insert(name.into(), Value::Object(file));
            }
        }
        Value::Object(object)
    }

    fn from_json(value: &Value) -> Result<Call, String> {
        let args = O::ARGS
            .iter()
            .map(|name| json::get(value, name))
            .collect::<Result<_, _>>()?;
        Ok(Call {
            args,
            registers: registers_of(value)?,
        })
    }

    fn show(_call: &Call, outcome: &Outcome) -> Vec<String> {
        let mut lines = Vec::new();
        for (index, value) in outcome.values.iter().enumerate() {
            let shown = if (-1000..1000).contains(value) {
                value.to_string()
            } else {
                format!("{value:#x}")
            };
            lines.push(match O::VALUES.get(index) {
                Some(name) => format!("{name} {shown}"),
                None => format!("[{index}] {shown}"),
            });
        }
        for (index, desc) in outcome.descs.iter().enumerate() {
            let shown = desc.as_ref().map_or("left alone".into(), hex);
            lines.push(format!("slot {index} {shown}"));
        }
        lines.extend(outcome.events.iter().map(show_event));
        lines
    }
}

/// Members that hold registers, and their spaces.
const SPACES: [(&str, u32); 2] = [
    ("regs", abi::UDMA_SPACE_ENGINE),
    ("intc_regs", abi::UDMA_SPACE_INTC),
];

/// The registers of a case: `regs` and `intc_regs`, both optional.
///
/// # Errors
/// The member, where it is no object of `"0x…"` names and numbers of 32 bits.
pub fn registers_of(value: &Value) -> Result<Registers, String> {
    let mut registers = Vec::new();
    for (name, space) in SPACES {
        let Some(file) = value.get(name) else {
            continue;
        };
        let file = file
            .as_object()
            .ok_or_else(|| format!("field {name:?} is no object"))?;
        for (offset, value) in file {
            let offset = json::number(&json!(offset), name)?;
            let value = json::number(value, name)?;
            let value = u32::try_from(value)
                .map_err(|_| format!("field {name:?} holds {value:#x}: 32 bits"))?;
            registers.push((space, offset, value));
        }
    }
    Ok(registers)
}

/// An access in words, with its space where that is not the engine's.
fn show_event(event: &Event) -> String {
    let (space, shown) = match event {
        Event::Read(space, offset, value) => (*space, format!("read {offset:#x} -> {value:#x}")),
        Event::Write(space, offset, value) => (*space, format!("write {offset:#x} = {value:#x}")),
        Event::Barrier => (abi::UDMA_SPACE_ENGINE, "barrier".into()),
    };
    if space == abi::UDMA_SPACE_ENGINE {
        shown
    } else {
        format!("top level: {shown}")
    }
}
