//! From the cases of each recorded suite to cases and answers of a family.

use std::collections::BTreeMap;

use serde_json::Value;
use udma_reference::abi;

use super::reader::RawCase;
use crate::cases::count::Count;
use crate::cases::json;
use crate::cases::layout::{Layout, LayoutCase};
use crate::cases::pair::{Pair, PairAnswer};
use crate::cases::queue::{Queue, QueueAnswer};
use crate::cases::start::{Start, StartAnswer};
use crate::cases::state::State;
use crate::family::Family;
use crate::law::pair::{kind, kind_of};
use crate::line::Line;
use crate::session::Session;
use crate::subject::Event;
use crate::wire::{BUG, Desc, QueueSw, RingState, from_hex};

mod cursor;
mod cycle;
mod engine;
mod gate;
mod surface;

pub use cursor::script;

/// Cases replayed and left out.
#[derive(Default)]
pub struct Counts {
    /// Replayed.
    pub replayed: u64,
    lists: gate::Lists,
    left_out: BTreeMap<String, u64>,
}

impl Counts {
    /// Kinds left out with their counts.
    pub fn left_out(self) -> Vec<(String, u64)> {
        self.left_out.into_iter().collect()
    }

    fn leave_out(&mut self, kind: &str) {
        *self.left_out.entry(kind.to_string()).or_default() += 1;
    }
}

/// Replays one case of a suite.
pub type Replay = fn(&mut Session, &str, &RawCase, &mut Counts) -> Result<(), String>;

/// The replay of a suite.
pub fn of_suite(suite: &str) -> Option<Replay> {
    Some(match suite {
        "copy_pair" => copy_pair,
        "ring_cursor" => cursor::ring_cursor,
        "desc_count" => desc_count,
        "queue_init" => queue_init,
        "copy_start" => copy_start,
        "queue_state" => queue_state,
        "register_map" => register_map,
        "iofic" => engine::iofic,
        "bar0_block" => gate::bar0_block,
        "ioctl_abi" => surface::ioctl_abi,
        "memcpy_trace" => cycle::memcpy,
        "memset_trace" => cycle::memset,
        "zerocopy_trace" => cycle::zerocopy,
        "wait_time" => cycle::wait_time,
        _ => return None,
    })
}

/// Tries a recorded case on every subject of the kernel line, and on the HAL line where `common`.
fn recorded<F: Family>(
    session: &mut Session,
    suite: &str,
    raw: &RawCase,
    case: &F::Case,
    answer: &F::Answer,
    common: bool,
) {
    let origin = || format!("golden/{suite}#{}", raw.id);
    session.next_case();
    for subject in 0..session.subjects.len() {
        if session.done() {
            return;
        }
        if common || session.subjects[subject].line() == Line::Kernel {
            session.try_on::<F>(subject, &origin, case, Some(answer));
        }
    }
}

/// A return code; `"bug"` where the call ended at an assertion.
fn code(value: &Value) -> Result<i32, String> {
    match json::member(value, "ret")? {
        Value::String(text) if text == "bug" => Ok(BUG),
        other => json::signed(other, "ret"),
    }
}

/// 32 hex digits, or null for a slot that was left alone.
fn slot(value: &Value, name: &str) -> Result<Option<Desc>, String> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => from_hex(text)
            .map(Some)
            .ok_or_else(|| format!("field {name:?} is {text:?}: 32 hex digits or null")),
        other => Err(format!("field {name:?} is {other}: 32 hex digits or null")),
    }
}

fn copy_pair(
    session: &mut Session,
    suite: &str,
    raw: &RawCase,
    counts: &mut Counts,
) -> Result<(), String> {
    let case = Pair::from_json(&raw.input)?;
    let answer = PairAnswer {
        ret: code(&raw.output)?,
        slots: [
            slot(json::member(&raw.output, "tx")?, "tx")?,
            slot(json::member(&raw.output, "rx")?, "rx")?,
        ],
    };
    let common = kind_of(Line::Kernel, &case) & kind::COMMON != 0;
    recorded::<Pair>(session, suite, raw, &case, &answer, common);
    counts.replayed += 1;
    Ok(())
}

fn desc_count(
    session: &mut Session,
    suite: &str,
    raw: &RawCase,
    counts: &mut Counts,
) -> Result<(), String> {
    let (case, answer) = (
        Count::from_json(&raw.input)?,
        json::get32(&raw.output, "count")?,
    );
    recorded::<Count>(session, suite, raw, &case, &answer, false);
    counts.replayed += 1;
    Ok(())
}

/// Events `["w" | "r", offset, value]`.
fn accesses(value: &Value) -> Result<Vec<Event>, String> {
    let event = |entry: &Value| {
        let parts = entry.as_array().map_or(&[][..], Vec::as_slice);
        let space = abi::UDMA_SPACE_ENGINE;
        match (parts.first().and_then(Value::as_str), parts) {
            (Some("w"), [_, offset, value]) => Ok(Event::Write(
                space,
                json::number(offset, "events")?,
                json::number(value, "events")? as u32,
            )),
            (Some("r"), [_, offset, value]) => Ok(Event::Read(
                space,
                json::number(offset, "events")?,
                json::number(value, "events")? as u32,
            )),
            _ => Err(format!(
                "field \"events\" holds {entry}: [\"w\" or \"r\", offset, value]"
            )),
        }
    };
    json::get_list(value, "events")?.iter().map(event).collect()
}

fn software(value: &Value) -> Result<QueueSw, String> {
    Ok(QueueSw {
        desc_phy_base: json::get(value, "desc_phy_base")?,
        size_mask: json::get32(value, "size_mask")?,
        next_desc_idx: json::get32(value, "next_desc_idx")?,
        desc_ring_id: json::get32(value, "desc_ring_id")?,
        next_cdesc_idx: json::get32(value, "next_cdesc_idx")?,
        size: json::get32(value, "size")?,
        status: json::get32(value, "status")?,
        qid: json::get32(value, "qid")?,
        type_: json::get32(value, "type")?,
        cfg: json::get32(value, "cfg")?,
        rlimit_mask: json::get32(value, "rlimit_mask")?,
        is_allocatable: json::get_flag(value, "is_allocatable")?.into(),
        flags: json::get32(value, "flags")?,
        cdesc_size: json::get32(value, "cdesc_size")?,
        comp_ring_id: json::get32(value, "comp_ring_id")?,
        engine_id: json::get32(value, "eng_id")?,
        unused: 0,
    })
}

fn queue_init(
    session: &mut Session,
    suite: &str,
    raw: &RawCase,
    counts: &mut Counts,
) -> Result<(), String> {
    match json::get_text(&raw.input, "kind")? {
        "engine" => return engine::init(session, suite, raw, counts),
        "queue" => {}
        other => {
            counts.leave_out(other);
            return Ok(());
        }
    }
    let case = Queue::from_json(&raw.input)?;
    let states = match (raw.output.get("tx"), raw.output.get("rx")) {
        (Some(tx), Some(rx)) => Some([software(tx)?, software(rx)?]),
        _ if case.qid >= 16 => None,
        _ => return Err("fields \"tx\" and \"rx\" are missing".into()),
    };
    let answer = QueueAnswer {
        ret: code(&raw.output)?,
        events: accesses(&raw.output)?,
        states,
    };
    recorded::<Queue>(session, suite, raw, &case, &answer, false);
    counts.replayed += 1;
    Ok(())
}

/// Events `["mb"]` and `["w", ring, offset in block, offset from base, value]`.
fn doorbells(value: &Value) -> Result<Vec<Event>, String> {
    let event = |entry: &Value| {
        let parts = entry.as_array().map_or(&[][..], Vec::as_slice);
        match (parts.first().and_then(Value::as_str), parts) {
            (Some("mb"), [_]) => Ok(Event::Barrier),
            (Some("w"), [_, _, _, offset, value]) => Ok(Event::Write(
                abi::UDMA_SPACE_ENGINE,
                json::number(offset, "events")?,
                json::number(value, "events")? as u32,
            )),
            _ => Err(format!("field \"events\" holds {entry}: mb or w")),
        }
    };
    json::get_list(value, "events")?.iter().map(event).collect()
}

/// `[next descriptor, next completion, ring id]` of a ring.
fn cursors(value: &Value, ring: &str) -> Result<[u32; 3], String> {
    let list = json::get_list(value, ring)?;
    let numbers: Vec<u64> = list
        .iter()
        .map(|entry| json::number(entry, ring))
        .collect::<Result<_, _>>()?;
    <[u64; 3]>::try_from(numbers)
        .map(|numbers| numbers.map(|number| number as u32))
        .map_err(|numbers| format!("field {ring:?} has {} values: 3", numbers.len()))
}

fn copy_start(
    session: &mut Session,
    suite: &str,
    raw: &RawCase,
    counts: &mut Counts,
) -> Result<(), String> {
    let case = Start::from_json(&raw.input)?;
    let cursors = match raw.output.get("cursors") {
        Some(both) => Some([cursors(both, "tx")?, cursors(both, "rx")?]),
        None => None,
    };
    let answer = StartAnswer {
        ret: code(&raw.output)?,
        events: doorbells(&raw.output)?,
        cursors,
    };
    recorded::<Start>(session, suite, raw, &case, &answer, false);
    counts.replayed += 1;
    Ok(())
}

fn queue_state(
    session: &mut Session,
    suite: &str,
    raw: &RawCase,
    counts: &mut Counts,
) -> Result<(), String> {
    match json::get_text(&raw.input, "kind")? {
        "engine" => return engine::state(session, suite, raw, counts),
        "set_state" => return engine::set_state(session, suite, raw, counts),
        "queue" => {}
        other => {
            counts.leave_out(other);
            return Ok(());
        }
    }
    let case = State::from_json(&raw.input)?;
    let info = json::member(&raw.output, "descriptor_info")?;
    let ring = |name: &str| {
        let state = json::member(&raw.output, name)?;
        Ok::<_, String>(RingState {
            base_addr: json::get(state, "base_addr")?,
            completion_base_addr: json::get(state, "completion_base_addr")?,
            raw_base: json::get(info, &format!("{name}_pa"))?,
            hw_status: json::get32(state, "hw_status")?,
            sw_status: json::get32(state, "sw_status")?,
            length: json::get32(state, "length")?,
            head_pointer: json::get32(state, "head_pointer")?,
            tail_pointer: json::get32(state, "tail_pointer")?,
            completion_head: json::get32(state, "completion_head")?,
            raw_length: json::get32(info, &format!("{name}_size"))?,
            unused: 0,
        })
    };
    let answer = [ring("tx")?, ring("rx")?];
    recorded::<State>(session, suite, raw, &case, &answer, false);
    counts.replayed += 1;
    Ok(())
}

fn register_map(
    session: &mut Session,
    suite: &str,
    raw: &RawCase,
    counts: &mut Counts,
) -> Result<(), String> {
    let kind = json::get_text(&raw.input, "kind")?;
    let name_in = match kind {
        "region" => "path",
        "queue_block" => "ring",
        "constant" => "what",
        _ => "name",
    };
    let name = json::get_text(&raw.input, name_in)?;
    let out = &raw.output;
    let optional = |value: &Value, field: &str| -> Result<Option<u64>, String> {
        value
            .get(field)
            .map(|found| json::number(found, field))
            .transpose()
    };
    let mut places: Vec<(String, [Option<u64>; 4])> = Vec::new();
    match kind {
        "constant" => places.push((String::new(), [optional(out, "value")?, None, None, None])),
        "region" => places.push((
            String::new(),
            [
                optional(out, "offset")?,
                optional(out, "size")?,
                optional(out, "count")?,
                optional(out, "stride")?,
            ],
        )),
        _ => {
            let whole = [None, optional(out, "size")?, None, optional(out, "align")?];
            if whole.iter().any(Option::is_some) {
                places.push((String::new(), whole));
            }
            let fields = json::member(out, "fields")?
                .as_object()
                .ok_or("field \"fields\" is no object")?;
            for (field, place) in fields {
                let place = match place {
                    Value::Object(_) => [
                        optional(place, "offset")?,
                        optional(place, "size")?,
                        None,
                        None,
                    ],
                    offset => [Some(json::number(offset, field)?), None, None, None],
                };
                places.push((field.clone(), place));
            }
        }
    }
    for (field, place) in places {
        let case = LayoutCase {
            kind: kind.into(),
            name: name.into(),
            field,
            compared: place.map(|value| value.is_some()),
        };
        let answer = place.map(Option::unwrap_or_default);
        recorded::<Layout>(session, suite, raw, &case, &answer, false);
    }
    counts.replayed += 1;
    Ok(())
}
