//! Starts: doorbells, their order and barriers, refusals (TRIG).

use serde_json::{Value, json};
use udma_reference::abi;

use super::json;
use super::queue::show_event;
use crate::family::{Family, Held, simpler_number};
use crate::law::program;
use crate::law::version::version;
use crate::line::{Line, driver_name};
use crate::subject::{EngineCfg, Event, QueueCfg, Subject, Tape};
use crate::wire::{BUG, Ring};

/// Starts a prepared transfer on a fresh queue.
pub struct Start;

/// A start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartCase {
    /// Driver version by its number.
    pub driver: u8,
    /// Queues of the engine.
    pub num_queues: u32,
    /// Queue id.
    pub qid: u32,
    /// TX and RX descriptors of the rings.
    pub size: [u32; 2],
    /// TX and RX descriptors to be rung.
    pub count: [u32; 2],
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartAnswer {
    /// Code.
    pub ret: i32,
    /// Barriers and writes in order.
    pub events: Vec<Event>,
    /// Cursors after the call, TX and RX; none for a queue beyond the engine's.
    pub cursors: Option<[[u32; 3]; 2]>,
}

impl Family for Start {
    type Case = StartCase;
    type Answer = StartAnswer;
    const NAME: &'static str = "copy_start";

    fn ask(subject: &dyn Subject, case: &StartCase) -> Option<StartAnswer> {
        let tape = Tape::default();
        let engine = EngineCfg {
            arch: abi::UDMA_ARCH_CAYMAN as u8,
            driver: case.driver,
            num_queues: case.num_queues,
            engine_id: 1,
        };
        let mut engine = subject.open(&engine, &tape)?;
        let exists = case.qid < case.num_queues.min(16);
        if exists {
            let queue = QueueCfg {
                size: case.size,
                base: [0x1_0000_0000, 0x2_0000_0000],
                has_memory: [true; 2],
                allocatable: true,
                completion_ring: false,
            };
            engine.queue_init(case.qid, &queue)?;
        }
        tape.take_events();
        let ret = engine.copy_start(case.qid, case.count[0], case.count[1])?;
        let events = tape.take_events();
        let mut cursors = None;
        if exists {
            let mut both = [[0; 3]; 2];
            for ring in Ring::BOTH {
                let sw = engine.queue_sw(case.qid, ring)?;
                both[ring as usize] = [sw.next_desc_idx, sw.next_cdesc_idx, sw.desc_ring_id];
            }
            cursors = Some(both);
        }
        Some(StartAnswer {
            ret,
            events,
            cursors,
        })
    }

    fn required(line: Line, case: &StartCase) -> Option<StartAnswer> {
        if line != Line::Kernel {
            return None;
        }
        let (ret, events) = program::copy_start(
            version(case.driver),
            case.num_queues,
            case.qid,
            case.size,
            case.count[0],
            case.count[1],
        );
        let exists = case.qid < case.num_queues.min(16);
        Some(StartAnswer {
            ret,
            events,
            cursors: exists.then_some([[0, 0, 1]; 2]),
        })
    }

    fn held_to(case: &StartCase, held: Held) -> Option<StartCase> {
        Some(StartCase {
            driver: held.driver.unwrap_or(case.driver),
            ..*case
        })
    }

    fn rules(_line: Line, case: &StartCase) -> Vec<(&'static str, bool)> {
        let [m2s, s2m] = case.count;
        let [tx, rx] = case.size;
        let old = !version(case.driver).counts_first;
        let mut rules = Vec::new();
        if case.qid >= case.num_queues || (m2s > tx || s2m > rx) && !old {
            rules.push("TRIG-1");
        } else if s2m == 0 || s2m > rx {
            rules.extend(["TRIG-4", "TRIG-6"]);
        } else {
            rules.extend(["TRIG-5", "REGS-1"]);
            if m2s == 0 {
                rules.push("TRIG-3");
            } else {
                rules.push("TRIG-2");
            }
        }
        if old {
            rules.push("TRIG-7");
        }
        rules.into_iter().map(|rule| (rule, false)).collect()
    }

    fn broken(
        line: Line,
        case: &StartCase,
        want: &StartAnswer,
        got: &StartAnswer,
    ) -> Vec<&'static str> {
        if want == got {
            return Vec::new();
        }
        let own: Vec<&str> = Self::rules(line, case)
            .into_iter()
            .map(|(rule, _)| rule)
            .collect();
        let old = own.contains(&"TRIG-7");
        if want.ret != got.ret || want.cursors != got.cursors {
            // What is refused decides.
            let mut rules: Vec<&str> = own
                .iter()
                .copied()
                .filter(|rule| ["TRIG-1", "TRIG-3", "TRIG-4"].contains(rule))
                .collect();
            if old && (want.ret == BUG || got.ret == BUG) {
                rules.insert(0, "TRIG-7");
            }
            if rules.is_empty() {
                rules.push("TRIG-1");
            }
            return rules;
        }
        let rang = |events: &[Event]| {
            events
                .iter()
                .filter_map(|event| match event {
                    Event::Write(_, offset, value) => Some((*offset, *value)),
                    _ => None,
                })
                .collect::<Vec<_>>()
        };
        let (want_rang, got_rang) = (rang(&want.events), rang(&got.events));
        if want_rang == got_rang {
            return vec!["TRIG-5"];
        }
        if want.ret != 0 {
            return if old {
                vec!["TRIG-7"]
            } else {
                vec!["TRIG-6", "TRIG-1"]
            };
        }
        let sorted = |mut rang: Vec<(u64, u32)>| {
            rang.sort_unstable();
            rang
        };
        if sorted(want_rang.clone()) == sorted(got_rang.clone()) {
            return vec!["TRIG-2"];
        }
        let places = |rang: &[(u64, u32)]| rang.iter().map(|(at, _)| *at).collect::<Vec<u64>>();
        if places(&want_rang) == places(&got_rang) {
            return vec!["TRIG-2"]; // another count
        }
        if want_rang.len() == got_rang.len() {
            return vec!["TRIG-5", "REGS-1"];
        }
        if case.count[0] == 0 {
            vec!["TRIG-3"]
        } else {
            vec!["TRIG-2"]
        }
    }

    fn simpler(case: &StartCase) -> Vec<StartCase> {
        let mut cases = Vec::new();
        for side in 0..2 {
            for size in [32, 64] {
                if size < case.size[side] {
                    let mut simpler = *case;
                    simpler.size[side] = size;
                    cases.push(simpler);
                }
            }
            for count in simpler_number(case.count[side].into()) {
                let mut simpler = *case;
                simpler.count[side] = count as u32;
                cases.push(simpler);
            }
        }
        if case.qid != 0 {
            cases.push(StartCase { qid: 0, ..*case });
        }
        if case.driver != 0 {
            cases.push(StartCase { driver: 0, ..*case });
        }
        cases
    }

    fn to_json(case: &StartCase) -> Value {
        json!({
            "driver": driver_name(case.driver),
            "num_queues": case.num_queues,
            "qid": case.qid,
            "tx_size": case.size[0],
            "rx_size": case.size[1],
            "tx_count": case.count[0],
            "rx_count": case.count[1],
        })
    }

    fn from_json(value: &Value) -> Result<StartCase, String> {
        let num_queues = json::get32(value, "num_queues")?;
        if num_queues > 16 {
            return Err(format!("field \"num_queues\" is {num_queues}: at most 16"));
        }
        Ok(StartCase {
            driver: json::get_driver(value)?,
            num_queues,
            qid: json::get32(value, "qid")?,
            size: [
                json::get32(value, "tx_size")?,
                json::get32(value, "rx_size")?,
            ],
            count: [
                json::get32(value, "tx_count")?,
                json::get32(value, "rx_count")?,
            ],
        })
    }

    fn show(_case: &StartCase, answer: &StartAnswer) -> Vec<String> {
        let mut lines = vec![if answer.ret == BUG {
            "stops (BUG)".into()
        } else {
            format!("ret {}", answer.ret)
        }];
        lines.extend(answer.events.iter().map(show_event));
        if let Some([tx, rx]) = answer.cursors {
            lines.push(format!("cursors tx {tx:?} rx {rx:?}"));
        }
        lines
    }
}
