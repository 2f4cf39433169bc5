//! ring_cursor: scripts whose runs of operations are recorded by first, last and digest.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use udma_reference::abi;

use super::{Counts, RawCase, slot};
use crate::cases::json;
use crate::cases::ring_script::{Op, Script, pair_from};
use crate::cases::rings::{Rings, Step, Steps};
use crate::family::Family;
use crate::line::Line;
use crate::session::Session;
use crate::wire::{BUG, PairIn, Ring, hex};

/// One recorded operation and how many steps of the script it stands for.
enum Recorded {
    /// One step on one ring.
    Single(Ring),
    /// Takes and ring ids in turn, so many of each.
    Submit(Ring, usize),
    /// One step on each ring.
    Both,
    /// One pair.
    Prepare,
    /// So many pairs.
    PrepareMany(usize),
}

/// Most operations one recorded operation may stand for.
const MOST_RUN: u32 = 1 << 20;

/// The script of a recorded case.
///
/// # Errors
/// Which member is not as the suite has it.
pub fn script(raw: &RawCase) -> Result<Script, String> {
    parse(raw).map(|(script, _)| script)
}

fn parse(raw: &RawCase) -> Result<(Script, Vec<Recorded>), String> {
    let value = &raw.input;
    let queue = json::get_text(value, "queue")?;
    let size = json::get32(value, "size")?;
    let base_null = json::get_flag(value, "base_null")?;
    let ring = match queue {
        "tx" => Some(Ring::Tx),
        "rx" => Some(Ring::Rx),
        "pair" => None,
        other => return Err(format!("field \"queue\" is {other:?}: tx, rx or pair")),
    };
    let qid = json::get32(value, "qid")?;
    let (mut ops, mut recorded) = (Vec::new(), Vec::new());
    for entry in json::get_list(value, "ops")? {
        let parts = entry.as_array().map_or(&[][..], Vec::as_slice);
        let name = parts.first().and_then(Value::as_str).unwrap_or_default();
        let count = |at: usize| -> Result<u32, String> {
            let wide = json::number(parts.get(at).unwrap_or(&Value::Null), "ops")?;
            u32::try_from(wide).map_err(|_| format!("field \"ops\" counts {wide}: 32 bits"))
        };
        let run = |at: usize| match count(at)? {
            count if count <= MOST_RUN => Ok(count as usize),
            count => Err(format!("field \"ops\" counts {count}: at most {MOST_RUN}")),
        };
        match (name, ring) {
            ("get", Some(ring)) => {
                ops.push(Op::Get(ring));
                recorded.push(Recorded::Single(ring));
            }
            ("rid", Some(ring)) => {
                ops.push(Op::RingId(ring));
                recorded.push(Recorded::Single(ring));
            }
            ("avail", Some(ring)) => {
                ops.push(Op::Available(ring));
                recorded.push(Recorded::Single(ring));
            }
            ("ack", Some(ring)) => {
                ops.push(Op::Ack(ring, count(1)?));
                recorded.push(Recorded::Single(ring));
            }
            ("submit", Some(ring)) => {
                let count = run(1)?;
                ops.extend([Op::Get(ring), Op::RingId(ring)].repeat(count));
                recorded.push(Recorded::Submit(ring, count));
            }
            ("avail", None) => {
                ops.extend(Ring::BOTH.map(Op::Available));
                recorded.push(Recorded::Both);
            }
            ("ack", None) => {
                let order = [Ring::Rx, Ring::Tx];
                let count = count(1)?;
                ops.extend(order.map(|ring| Op::Ack(ring, count)));
                recorded.push(Recorded::Both);
            }
            ("prepare", None) => {
                ops.push(Op::Prepare(qid, pair_from(&parts[1..])?));
                recorded.push(Recorded::Prepare);
            }
            ("prepare_n", None) => {
                let count = run(3)?;
                for index in 0..count as u64 {
                    ops.push(Op::Prepare(
                        qid,
                        PairIn {
                            src: json::number(&parts[1], "src")?.wrapping_add(64 * index),
                            dst: json::number(&parts[2], "dst")?.wrapping_add(64 * index),
                            size: 64,
                            arch: abi::UDMA_ARCH_CAYMAN as u8,
                            ..PairIn::default()
                        },
                    ));
                }
                recorded.push(Recorded::PrepareMany(count));
            }
            _ => {
                return Err(format!(
                    "field \"ops\" holds {entry}, which {queue} queues lack"
                ));
            }
        }
    }
    let script = Script {
        driver: json::get_driver(value)?,
        qid,
        size: [size; 2],
        has_memory: [!base_null; 2],
        allocatable: json::get_flag(value, "allocatable")?,
        ops,
    };
    script.check()?;
    Ok((script, recorded))
}

/// Steps in the form of the file.
fn condense(recorded: &[Recorded], steps: &Steps) -> Vec<Value> {
    let mut rest = steps.get(1..).unwrap_or_default();
    let mut take = |count: usize| {
        let (now, later) = rest.split_at(count.min(rest.len()));
        rest = later;
        now
    };
    let result = |step: &Step| match step.result {
        bug if bug == i64::from(BUG) => json!("bug"),
        result => json!(result),
    };
    let none = Step {
        result: 0,
        cursors: [[0; 3]; 2],
        built: [None; 2],
    };
    recorded
        .iter()
        .map(|operation| match operation {
            Recorded::Single(ring) => {
                let step = take(1).first().copied().unwrap_or(none);
                let [next, completed, id] = step.cursors[*ring as usize];
                json!([result(&step), next, completed, id])
            }
            Recorded::Submit(ring, count) => submit(*ring, *count, take(2 * count)),
            Recorded::Both => {
                let pair = take(2);
                let last = pair.last().copied().unwrap_or(none);
                let results: Vec<Value> = pair.iter().map(result).collect();
                line(json!(results), &last)
            }
            Recorded::Prepare => {
                let step = take(1).first().copied().unwrap_or(none);
                let mut shown = line(result(&step), &step);
                let slots = step.built.map(|built| match built {
                    // Anything but the slot that was next shows as a stray write.
                    Some((slot, _)) if slot == u32::MAX => json!("stray"),
                    Some((_, desc)) => json!(hex(&desc)),
                    None => Value::Null,
                });
                if let Some(list) = shown.as_array_mut() {
                    list.extend(slots);
                }
                shown
            }
            Recorded::PrepareMany(count) => {
                let run = take(*count);
                let built = run.iter().filter(|step| step.result == 0).count();
                let refused = run
                    .iter()
                    .find(|step| step.result != 0)
                    .map_or(json!(0), &result);
                let last = run.last().copied().unwrap_or(none);
                line(json!([built, refused]), &last)
            }
        })
        .collect()
}

fn line(result: Value, step: &Step) -> Value {
    let [[a, b, c], [d, e, f]] = step.cursors;
    json!([result, a, b, c, d, e, f])
}

fn submit(ring: Ring, count: usize, run: &[Step]) -> Value {
    let mut digest = Sha256::new();
    let mut ends: Vec<[i64; 2]> = Vec::with_capacity(count);
    for pair in run.chunks_exact(2) {
        // A refused take counts as index 0xffffffff.
        digest.update((pair[0].result as u32).to_le_bytes());
        digest.update((pair[1].result as u32).to_le_bytes());
        ends.push([i64::from(pair[0].result as u32), pair[1].result]);
    }
    let sha: String = digest
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let cursors = run
        .last()
        .map_or([0; 3], |step| step.cursors[ring as usize]);
    let [next, completed, id] = cursors;
    json!([
        { "first": ends.first(), "last": ends.last(), "sha256": sha },
        next,
        completed,
        id
    ])
}

/// The file writes a refused take as null.
fn normal(ops: &[Value], steps: &[Value]) -> Vec<Value> {
    steps
        .iter()
        .zip(ops)
        .map(|(step, op)| {
            let mut step = step.clone();
            let is_get = op.get(0).and_then(Value::as_str) == Some("get");
            if let Some(first) = step.get_mut(0)
                && is_get
                && first.is_null()
            {
                *first = json!(-1);
            }
            step
        })
        .collect()
}

pub fn ring_cursor(
    session: &mut Session,
    suite: &str,
    raw: &RawCase,
    counts: &mut Counts,
) -> Result<(), String> {
    let (script, recorded) = parse(raw)?;
    let steps = json::get_list(&raw.output, "steps")?;
    if steps.len() != recorded.len() {
        return Err(format!(
            "field \"steps\" has {} entries for {} operations",
            steps.len(),
            recorded.len()
        ));
    }
    for step in steps {
        for text in step
            .as_array()
            .map_or(&[][..], Vec::as_slice)
            .iter()
            .filter(|v| v.is_string())
        {
            if text != "bug" {
                slot(text, "steps")?;
            }
        }
    }
    let want = normal(json::get_list(&raw.input, "ops")?, steps);
    let required = Rings::required(Line::Kernel, &script).unwrap_or_default();
    if condense(&recorded, &required) != want {
        // The vector wins: say where it parts from the rules instead of holding subjects to them.
        let at = condense(&recorded, &required)
            .iter()
            .zip(&want)
            .position(|(required, want)| required != want)
            .unwrap_or_default();
        return Err(format!(
            "step {at} is not what RING-1 to RING-11 give: {}",
            want[at]
        ));
    }
    let origin = || format!("golden/{suite}#{}", raw.id);
    session.next_case();
    for subject in 0..session.subjects.len() {
        if session.subjects[subject].line() == Line::Kernel && !session.done() {
            session.try_on::<Rings>(subject, &origin, &script, Some(&required));
        }
    }
    counts.replayed += 1;
    Ok(())
}
