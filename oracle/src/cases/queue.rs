//! Queue initialisation: code, register program, software state (QINI, REGS-1).

use serde_json::{Value, json};

use super::json;
use crate::family::{Family, Held, simpler_number};
use crate::law::program;
use crate::line::{Line, driver_name};
use crate::subject::{EngineCfg, Event, QueueCfg, Subject, Tape};
use crate::wire::{QueueSw, Ring};

/// Initialises one queue of a freshly initialised engine, once or more often.
pub struct Queue;

/// An initialisation.
#[derive(Clone, Debug, PartialEq)]
pub struct QueueCase {
    /// The engine.
    pub engine: EngineCfg,
    /// Queue id.
    pub qid: u32,
    /// The queue.
    pub queue: QueueCfg,
    /// How often it is initialised; the answer is that of the last time.
    pub repeat: u32,
    /// TX descriptors taken and acknowledged between two initialisations.
    pub used_between: u32,
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub struct QueueAnswer {
    /// Code.
    pub ret: i32,
    /// Register accesses.
    pub events: Vec<Event>,
    /// Software state of TX and RX; none for a queue beyond 15.
    pub states: Option<[QueueSw; 2]>,
}

impl Family for Queue {
    type Case = QueueCase;
    type Answer = QueueAnswer;
    const NAME: &'static str = "queue_init";

    fn operations(case: &QueueCase) -> u64 {
        if case.repeat > 1 && case.used_between > 0 {
            3
        } else {
            1
        }
    }

    fn ask(subject: &dyn Subject, case: &QueueCase) -> Option<QueueAnswer> {
        let tape = Tape::default();
        let mut engine = subject.open(&case.engine, &tape)?;
        let mut ret = 0;
        for round in 0..case.repeat.max(1) {
            // A refused queue has nothing to be taken from.
            if round > 0 && ret == 0 {
                for _ in 0..case.used_between {
                    engine.get(case.qid, Ring::Tx)?;
                    engine.ring_id(case.qid, Ring::Tx)?;
                }
                engine.ack(case.qid, Ring::Tx, case.used_between)?;
            }
            tape.take_events();
            ret = engine.queue_init(case.qid, &case.queue)?;
        }
        let events = tape.take_events();
        let states = if case.qid < 16 {
            Some([
                engine.queue_sw(case.qid, Ring::Tx)?,
                engine.queue_sw(case.qid, Ring::Rx)?,
            ])
        } else {
            None
        };
        Some(QueueAnswer {
            ret,
            events,
            states,
        })
    }

    fn required(line: Line, case: &QueueCase) -> Option<QueueAnswer> {
        if line != Line::Kernel {
            return None;
        }
        let mut states = Ring::BOTH.map(program::after_engine_init);
        let queues = u32::from(case.engine.num_queues as u8);
        let (ret, events) = program::queue_init(
            queues,
            case.engine.engine_id,
            case.qid,
            &case.queue,
            &mut states,
        );
        Some(QueueAnswer {
            ret,
            events,
            states: (case.qid < 16).then_some(states),
        })
    }

    fn held_to(case: &QueueCase, held: Held) -> Option<QueueCase> {
        let mut case = case.clone();
        case.engine.driver = held.driver.unwrap_or(case.engine.driver);
        Some(case)
    }

    fn rules(_line: Line, case: &QueueCase) -> Vec<(&'static str, bool)> {
        let Some(want) = Self::required(Line::Kernel, case) else {
            return Vec::new();
        };
        let mut rules = vec!["QINI-6"];
        match want.ret {
            0 => rules.extend(["QINI-5", "QINI-8", "REGS-1", "RING-1", "RING-10"]),
            -1 => rules.extend(["QINI-1", "QINI-2", "RING-10"]),
            _ if want.events.is_empty() => rules.extend(["QINI-3", "QINI-4"]),
            _ => rules.extend(["QINI-4", "QINI-7"]),
        }
        rules.into_iter().map(|rule| (rule, false)).collect()
    }

    fn broken(
        _line: Line,
        case: &QueueCase,
        want: &QueueAnswer,
        got: &QueueAnswer,
    ) -> Vec<&'static str> {
        if want == got {
            return Vec::new();
        }
        if want.ret != got.ret {
            return refused(case, want);
        }
        if want.events != got.events {
            // A refusal on the RX side comes after all of TX.
            let mut rules = if want.ret == 0 {
                vec!["QINI-5"]
            } else {
                vec!["QINI-7"]
            };
            let offset = |event: &Event| match event {
                Event::Write(_, offset, _) | Event::Read(_, offset, _) => Some(*offset),
                Event::Barrier => None,
            };
            let places = |events: &[Event]| events.iter().map(offset).collect::<Vec<_>>();
            if want.ret == 0 && places(&want.events) != places(&got.events) {
                rules.push("REGS-1");
            }
            return rules;
        }
        let (Some(want), Some(got)) = (&want.states, &got.states) else {
            return vec!["QINI-6"];
        };
        let mut rules = Vec::new();
        let differs =
            |of: fn(&QueueSw) -> u32| (0..2).any(|side| of(&want[side]) != of(&got[side]));
        if differs(|sw| sw.engine_id) {
            rules.push("QINI-8");
        }
        if differs(|sw| sw.desc_ring_id) && case.repeat <= 1 {
            rules.push("RING-1");
        }
        if rules.is_empty() || differs(|sw| sw.desc_ring_id) {
            rules.push("QINI-6");
        }
        rules
    }

    fn simpler(case: &QueueCase) -> Vec<QueueCase> {
        let mut cases = Vec::new();
        let mut push = |change: &dyn Fn(&mut QueueCase)| {
            let mut simpler = case.clone();
            change(&mut simpler);
            if simpler != *case {
                cases.push(simpler);
            }
        };
        push(&|case| case.repeat = case.repeat.saturating_sub(1).max(1));
        push(&|case| case.used_between /= 2);
        push(&|case| case.queue.completion_ring = false);
        for side in 0..2 {
            push(&|case| case.queue.base[side] = 0x100 * (case.queue.base[side] >> 8 & 1));
            push(&|case| case.queue.size[side] = 64);
            for simpler in simpler_number(case.queue.base[side]) {
                push(&|case| case.queue.base[side] = simpler);
            }
        }
        push(&|case| case.qid = case.qid.min(case.qid / 2));
        push(&|case| case.engine.engine_id = case.engine.engine_id.min(1));
        push(&|case| case.engine.driver = 0);
        cases
    }

    fn to_json(case: &QueueCase) -> Value {
        let base = |side: usize| {
            if case.queue.has_memory[side] {
                json::hex(case.queue.base[side])
            } else {
                Value::Null
            }
        };
        json!({
            "kind": "queue",
            "arch": format!("v{}", case.engine.arch),
            "driver": driver_name(case.engine.driver),
            "num_queues": case.engine.num_queues,
            "qid": case.qid as i32,
            "eng_id": case.engine.engine_id,
            "tx_size": case.queue.size[0],
            "rx_size": case.queue.size[1],
            "allocatable": case.queue.allocatable,
            "tx_base": base(0),
            "rx_base": base(1),
            "completion_ring": case.queue.completion_ring,
            "repeat": case.repeat,
            "tx_used_between": case.used_between,
        })
    }

    fn from_json(value: &Value) -> Result<QueueCase, String> {
        let base = |name: &str| match json::member(value, name)? {
            Value::Null => Ok((0, false)),
            other => Ok::<_, String>((json::number(other, name)?, true)),
        };
        let (tx, rx) = (base("tx_base")?, base("rx_base")?);
        let optional = |name: &str, default: u32| {
            if value.get(name).is_some() {
                json::get32(value, name)
            } else {
                Ok(default)
            }
        };
        let pointers = !(value.get("ptr_null").is_some() && json::get_flag(value, "ptr_null")?);
        let repeat = optional("repeat", 1)?;
        let used_between = optional("tx_used_between", 0)?;
        if repeat > 1000 || used_between > 1 << 20 {
            return Err(format!(
                "field \"repeat\" is {repeat} and \"tx_used_between\" {used_between}: at most 1000 \
                 and 1048576"
            ));
        }
        Ok(QueueCase {
            engine: EngineCfg {
                arch: json::get_arch(value)?,
                driver: json::get_driver(value)?,
                num_queues: json::get32(value, "num_queues")?,
                engine_id: json::get32(value, "eng_id")?,
            },
            qid: json::get_signed(value, "qid")? as u32,
            queue: QueueCfg {
                size: [
                    json::get32(value, "tx_size")?,
                    json::get32(value, "rx_size")?,
                ],
                base: [tx.0, rx.0],
                has_memory: [tx.1 && pointers, rx.1 && pointers],
                allocatable: json::get_flag(value, "allocatable")?,
                completion_ring: json::get_flag(value, "completion_ring")?,
            },
            repeat,
            used_between,
        })
    }

    fn show(_case: &QueueCase, answer: &QueueAnswer) -> Vec<String> {
        let mut lines = vec![format!("ret {}", answer.ret)];
        lines.extend(answer.events.iter().map(show_event));
        for (name, sw) in ["tx", "rx"].iter().zip(answer.states.iter().flatten()) {
            lines.push(format!("{name} {sw:?}"));
        }
        lines
    }
}

/// An access in words.
pub fn show_event(event: &Event) -> String {
    match event {
        Event::Read(_, offset, value) => format!("read {offset:#x} -> {value:#x}"),
        Event::Write(_, offset, value) => format!("write {offset:#x} = {value:#x}"),
        Event::Barrier => "barrier".into(),
    }
}

/// Why an initialisation is refused, or must not be.
fn refused(case: &QueueCase, want: &QueueAnswer) -> Vec<&'static str> {
    let queue = &case.queue;
    let shape = (0..2)
        .any(|side| !queue.base[side].is_multiple_of(256) || !queue.size[side].is_multiple_of(16));
    if shape {
        return vec!["QINI-1"];
    }
    if queue.completion_ring {
        return vec!["QINI-2", "RING-10", "QINI-1"];
    }
    if case.qid >= u32::from(case.engine.num_queues as u8) {
        return vec!["QINI-3", "QINI-8"];
    }
    if want.ret != 0 {
        vec!["QINI-4", "QINI-7"]
    } else {
        vec!["QINI-4", "QINI-1", "QINI-3"]
    }
}
