//! Scripts of ring operations on one queue (RING).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use udma_reference::abi;
use udma_report::model::DescriptorDiff;

use super::pair::Pair;
use super::ring_script::{Op, Script};
use crate::family::{Family, Held};
use crate::law::ring::{LawQueue, LawRing};
use crate::law::version::{Version, version};
use crate::law::{names, pair};
use crate::line::Line;
use crate::subject::{Engine, EngineCfg, QueueCfg, Subject, Tape};
use crate::wire::{Desc, FILL, PairIn, PairOut, Ring, hex};

/// Runs a script on a freshly initialised queue.
pub struct Rings;

/// What came of one operation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Slot, ring id, code or count.
    pub result: i64,
    /// TX, RX: next descriptor, next completion, ring id.
    pub cursors: [[u32; 3]; 2],
    /// A pair's slots: which, and what they hold; none where nothing was written.
    pub built: [Option<(u32, Desc)>; 2],
}

/// Pieces that a script is cut in, at most, to find one that can go.
const MOST_CUTS: usize = 256;

/// State right after initialisation, then a step an operation.
pub type Steps = Vec<Step>;

fn cursors(engine: &dyn Engine, qid: u32) -> Option<[[u32; 3]; 2]> {
    let mut out = [[0; 3]; 2];
    for ring in Ring::BOTH {
        let sw = engine.queue_sw(qid, ring)?;
        out[ring as usize] = [sw.next_desc_idx, sw.next_cdesc_idx, sw.desc_ring_id];
    }
    Some(out)
}

/// Slots that one prepare wrote. Anything beyond one slot a ring shows as slot `u32::MAX`.
fn collect(engine: &dyn Engine) -> [Option<(u32, Desc)>; 2] {
    let memory = engine.memory();
    let mut built = [None; 2];
    for (ring, index, desc) in memory.written() {
        let slot = &mut built[ring as usize];
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        *slot = Some((if slot.is_some() { u32::MAX } else { index }, desc));
        if index != u32::MAX {
            memory.set(ring, index, FILL);
        }
    }
    built
}

impl Rings {
    fn law(script: &Script, version: &Version) -> LawQueue {
        let ring = |index: usize| {
            let hands_out = script.allocatable && script.has_memory[index];
            LawRing::new(script.size[index], hands_out, version)
        };
        LawQueue {
            rings: [ring(0), ring(1)],
            version: *version,
            queues: 16,
        }
    }

    /// What a version makes of a script.
    pub fn steps(script: &Script, version: &Version) -> Steps {
        let mut queue = Self::law(script, version);
        let state = |queue: &LawQueue| {
            Ring::BOTH.map(|ring| {
                let ring = &queue.rings[ring as usize];
                [ring.next(), ring.completed(), ring.phase()]
            })
        };
        let mut steps = vec![Step {
            result: 0,
            cursors: state(&queue),
            built: [None; 2],
        }];
        for op in &script.ops {
            let mut built = [None; 2];
            let result = match op {
                Op::Get(ring) => queue.rings[*ring as usize].take(),
                Op::RingId(ring) => queue.rings[*ring as usize].ask_phase().into(),
                Op::Ack(ring, count) => queue.rings[*ring as usize].ack(*count).into(),
                Op::Available(ring) => queue.rings[*ring as usize].available(),
                Op::Prepare(qid, pair) => {
                    let (ret, pair) = queue.prepare(*qid, pair);
                    if let Some((out, [tx, rx])) = pair {
                        built = [Some((tx, out.tx)), Some((rx, out.rx))];
                    }
                    ret.into()
                }
            };
            steps.push(Step {
                result,
                cursors: state(&queue),
                built,
            });
        }
        steps
    }
}

impl Family for Rings {
    type Case = Script;
    type Answer = Steps;
    const NAME: &'static str = "ring_script";

    fn operations(script: &Script) -> u64 {
        let operation = |op: &Op| match op {
            Op::Get(_) => 1 << 1,
            Op::RingId(_) => 1 << 2,
            Op::Ack(..) => 1 << 3,
            Op::Available(_) => 1 << 4,
            Op::Prepare(..) => 1 << 5,
        };
        script
            .ops
            .iter()
            .map(operation)
            .fold(1, |all, one| all | one)
    }

    fn ask(subject: &dyn Subject, script: &Script) -> Option<Steps> {
        if let Some(steps) = subject.ring_script(script) {
            return Some(steps);
        }
        let tape = Tape::default();
        let cfg = EngineCfg {
            arch: abi::UDMA_ARCH_CAYMAN as u8,
            driver: script.driver,
            num_queues: 16,
            engine_id: 1,
        };
        let mut engine = subject.open(&cfg, &tape)?;
        let queue = QueueCfg {
            size: script.size,
            base: [0x1_0000_0000, 0x2_0000_0000],
            has_memory: script.has_memory,
            allocatable: script.allocatable,
            completion_ring: false,
        };
        let ret = engine.queue_init(script.qid, &queue)?;
        let first = Step {
            result: ret.into(),
            cursors: cursors(engine.as_ref(), script.qid)?,
            built: [None; 2],
        };
        let mut steps = vec![first];
        for op in &script.ops {
            let qid = script.qid;
            let mut built = [None; 2];
            let result = match op {
                Op::Get(ring) => engine.get(qid, *ring)?,
                Op::RingId(ring) => engine.ring_id(qid, *ring)?.into(),
                Op::Ack(ring, count) => engine.ack(qid, *ring, *count)?.into(),
                Op::Available(ring) => engine.available(qid, *ring)?,
                Op::Prepare(qid, pair) => {
                    let ret = engine.prepare(*qid, pair)?;
                    built = collect(engine.as_ref());
                    ret.into()
                }
            };
            steps.push(Step {
                result,
                cursors: cursors(engine.as_ref(), qid)?,
                built,
            });
        }
        Some(steps)
    }

    fn required(line: Line, script: &Script) -> Option<Steps> {
        (line == Line::Kernel).then(|| Self::steps(script, version(script.driver)))
    }

    fn held_to(script: &Script, held: Held) -> Option<Script> {
        Some(Script {
            driver: held.driver.unwrap_or(script.driver),
            ..script.clone()
        })
    }

    fn rules(_line: Line, script: &Script) -> Vec<(&'static str, bool)> {
        let even = script.size.iter().all(|size| size.is_power_of_two());
        let slots = script.allocatable && script.has_memory == [true; 2];
        let mut rules = vec!["RING-1"];
        let mut add = |rule| {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        };
        for op in &script.ops {
            match op {
                Op::Get(_) => {
                    add("RING-3");
                    add("RING-10");
                }
                Op::RingId(_) => add("RING-4"),
                Op::Ack(..) => add("RING-5"),
                Op::Available(_) => add("RING-2"),
                Op::Prepare(..) => {
                    add("RING-8");
                    add("RING-11");
                }
            }
            if !even {
                add("RING-6");
            } else if !slots {
                add("RING-7");
            }
        }
        rules.into_iter().map(|rule| (rule, false)).collect()
    }

    fn broken(_line: Line, script: &Script, want: &Steps, got: &Steps) -> Vec<&'static str> {
        let Some(at) = (0..want.len()).find(|at| want.get(*at) != got.get(*at)) else {
            return Vec::new();
        };
        if at == 0 || got.len() != want.len() {
            return vec!["RING-1"];
        }
        let (want, got) = (&want[at], &got[at]);
        let op = &script.ops[at - 1];
        let odd = |ring: Ring| !script.size[ring as usize].is_power_of_two();
        let slotless = |ring: Ring| !script.allocatable || !script.has_memory[ring as usize];
        let mut rules = Vec::new();
        if let Op::Get(ring) | Op::RingId(ring) | Op::Ack(ring, _) | Op::Available(ring) = op {
            if odd(*ring) {
                rules.push("RING-6");
            } else if slotless(*ring) {
                rules.push("RING-7");
            }
        }
        match op {
            Op::Get(ring) => {
                let side = *ring as usize;
                if want.cursors[side][1] != got.cursors[side][1] {
                    rules.push("RING-10");
                }
                rules.push("RING-3");
            }
            Op::RingId(_) => rules.push("RING-4"),
            Op::Ack(..) => rules.push("RING-5"),
            Op::Available(_) => rules.push("RING-2"),
            Op::Prepare(_, pair) => rules.extend(broken_prepare(script, pair, want, got)),
        }
        rules
    }

    fn simpler(script: &Script) -> Vec<Script> {
        let mut scripts = Vec::new();
        let count = script.ops.len();
        let mut chunk = count.next_power_of_two();
        // A long script is cut in pieces first: every cut is a copy of what remains.
        while chunk > 0 && count / chunk <= MOST_CUTS {
            for start in (0..count).step_by(chunk) {
                let mut ops = script.ops.clone();
                ops.drain(start..(start + chunk).min(count));
                scripts.push(Script {
                    ops,
                    ..script.clone()
                });
            }
            chunk /= 2;
        }
        if script
            .size
            .iter()
            .all(|size| *size > 32 && size.is_power_of_two())
        {
            scripts.push(Script {
                size: script.size.map(|size| size / 2),
                ..script.clone()
            });
        }
        if script.qid != 0 && !script.ops.iter().any(|op| matches!(op, Op::Prepare(..))) {
            scripts.push(Script {
                qid: 0,
                ..script.clone()
            });
        }
        for (index, op) in script.ops.iter().enumerate() {
            let mut replace = |op: Op| {
                let mut ops = script.ops.clone();
                ops[index] = op;
                scripts.push(Script {
                    ops,
                    ..script.clone()
                });
            };
            match op {
                Op::Ack(ring, count) if *count > 1 => {
                    replace(Op::Ack(*ring, 1));
                    replace(Op::Ack(*ring, count / 2));
                }
                Op::Prepare(qid, pair) => {
                    for simpler in Pair::simpler(pair) {
                        replace(Op::Prepare(*qid, simpler));
                    }
                }
                _ => {}
            }
        }
        scripts
    }

    fn to_json(script: &Script) -> Value {
        script.to_json()
    }

    fn from_json(value: &Value) -> Result<Script, String> {
        Script::from_json(value)
    }

    fn show(script: &Script, steps: &Steps) -> Vec<String> {
        let line = |(index, step): (usize, &Step)| {
            let op = match index.checked_sub(1).and_then(|index| script.ops.get(index)) {
                None => "init".into(),
                Some(Op::Get(ring)) => format!("get {}", ring.name()),
                Some(Op::RingId(ring)) => format!("rid {}", ring.name()),
                Some(Op::Ack(ring, count)) => format!("ack {} {count}", ring.name()),
                Some(Op::Available(ring)) => format!("avail {}", ring.name()),
                Some(Op::Prepare(..)) => "prepare".into(),
            };
            let built: String = step
                .built
                .iter()
                .zip(Ring::BOTH)
                .filter_map(|(built, ring)| {
                    built.map(|(slot, desc)| format!(" {}[{slot}]={}", ring.name(), hex(&desc)))
                })
                .collect();
            let [tx, rx] = step.cursors;
            format!("{op} -> {} tx {tx:?} rx {rx:?}{built}", step.result)
        };
        steps.iter().enumerate().map(line).collect()
    }

    fn diffs(_script: &Script, want: &Steps, got: &Steps) -> Vec<DescriptorDiff> {
        let Some((want, got)) = want.iter().zip(got).find(|(want, got)| want != got) else {
            return Vec::new();
        };
        if want.built == got.built {
            return Vec::new();
        }
        let side = |label, view, ring: usize| {
            let desc = |step: &Step| step.built[ring].map(|(_, desc)| desc);
            names::diff(label, view, desc(want).as_ref(), desc(got).as_ref())
        };
        vec![
            side("TX", abi::UDMA_VIEW_TX, 0),
            side("RX", abi::UDMA_VIEW_RX, 1),
        ]
    }
}

fn broken_prepare(script: &Script, pair: &PairIn, want: &Step, got: &Step) -> Vec<&'static str> {
    let slotless = !script.allocatable || script.has_memory != [true; 2];
    let odd = script.size.iter().any(|size| !size.is_power_of_two());
    if want.result == got.result && want.cursors == got.cursors && want.result == 0 {
        // Only the descriptors differ: the pair's own rules say why.
        let out = |step: &Step| PairOut {
            tx: step.built[0].map_or(FILL, |(_, desc)| desc),
            rx: step.built[1].map_or(FILL, |(_, desc)| desc),
            ret: 0,
            unused: 0,
        };
        let slots = PairOut {
            tx: FILL,
            rx: FILL,
            ret: 0,
            unused: 0,
        };
        let mut rules = vec!["RING-8"];
        rules.extend(pair::broken(
            Line::Kernel,
            pair,
            &slots,
            &out(want),
            &out(got),
        ));
        return rules;
    }
    let stops = i64::from(crate::wire::BUG);
    if want.result == stops || got.result == stops {
        return vec!["RING-6", "RING-11"];
    }
    let einval = i64::from(crate::law::word::EINVAL);
    if slotless || odd && got.result == einval {
        return vec!["RING-11", "RING-8"];
    }
    let order_of_refusals = want.result != got.result && want.result < 0 && got.result < 0;
    if order_of_refusals {
        vec!["RING-8", "RING-11"]
    } else {
        vec!["RING-8"]
    }
}
