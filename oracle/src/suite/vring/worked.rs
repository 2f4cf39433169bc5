//! Worked vectors of virtual rings and packets.

use serde_json::Value;

use super::CheckError;
use crate::cases::crc::{Crc, CrcCase};
use crate::cases::json;
use crate::cases::packet::Packet;
use crate::cases::vring::{Script, Vring, blocks, code_name, steps};
use crate::family::Family;
use crate::law::vring::LawMachine;
use crate::line::Line;
use crate::session::Session;
use crate::subject::PacketIn;
use crate::subject::vring::{Machine, PringState};
use crate::suite::worked::each;
use crate::wire::{Desc, PairIn, Ring, hex};

/// Replays `vring.json`.
pub fn vring(session: &mut Session) -> Result<(), CheckError> {
    each(session, "vring", |session, id, input, out| {
        let script = Vring::from_json(input)?;
        let mut machine = LawMachine::new(script.arch);
        let want = steps(&mut machine, &script).ok_or("no rule gives an outcome")?;
        // The vector wins: where the rules as coded part from it, they are wrong.
        agrees(&script, &machine, out, &|index| {
            let outcome = want.get(index)?.outcome;
            Some((code_name(outcome.code), outcome.value, outcome.over_rx))
        })?;
        let recorded = Some((Line::Hal, &want));
        session.try_case::<Vring>(&|| format!("worked/vring {id}"), &script, recorded);
        Ok(())
    })
}

/// What a step gave: code, value, packets above the RX maximum.
type Given = (String, i64, u32);

fn agrees(
    script: &Script,
    machine: &LawMachine,
    out: &Value,
    given: &dyn Fn(usize) -> Option<Given>,
) -> Result<(), String> {
    let listed = json::get_list(out, "steps")?;
    if listed.len() != script.ops.len() {
        return Err(format!(
            "{} steps for {} operations",
            listed.len(),
            script.ops.len()
        ));
    }
    for (index, step) in listed.iter().enumerate() {
        let code = step[0].as_str().unwrap_or_default().to_string();
        let over = step.get(2).and_then(Value::as_u64).unwrap_or(0) as u32;
        let listed = step[1].as_i64().map(|value| (code, value, over));
        if listed != given(index) {
            return Err(format!(
                "step {index} is {step}, but the rules give {:?}",
                given(index)
            ));
        }
    }
    let members = out.as_object().ok_or("field \"out\" is no object")?;
    for (name, value) in members {
        let (held, found) = match name.as_str() {
            "steps" => continue,
            "tx" => half(machine, Ring::Tx, value)?,
            "rx" => half(machine, Ring::Rx, value)?,
            "total_tx" => total(machine, 0, value)?,
            "total_rx" => total(machine, 1, value)?,
            "tx_pring" => pring(machine, Ring::Tx, value)?,
            "rx_pring" => pring(machine, Ring::Rx, value)?,
            "cache" => cache(machine, value)?,
            other => return Err(format!("field \"out\" has {other:?}, which is not known")),
        };
        if !held {
            return Err(format!("{name} is {value}, but the rules give {found}"));
        }
    }
    Ok(())
}

type Verdict = Result<(bool, String), String>;

/// Descriptors by index, as listed and as there.
fn at(value: &Value, read: impl Fn(u64) -> Option<Desc>) -> Verdict {
    let listed = json::member(value, "at")?;
    for (index, want) in listed.as_object().ok_or("field \"at\" is no object")? {
        let place = index
            .parse()
            .map_err(|_| format!("index {index:?}: a number"))?;
        let found = read(place).map(|desc| hex(&desc)).unwrap_or_default();
        if want.as_str() != Some(&found) {
            return Ok((false, format!("{found} at {index}")));
        }
    }
    Ok((true, String::new()))
}

fn half(machine: &LawMachine, ring: Ring, value: &Value) -> Verdict {
    let descs = &machine.vring().halves[ring as usize].descs;
    if json::get(value, "used")? != descs.len() as u64 {
        return Ok((false, format!("{} descriptors", descs.len())));
    }
    at(value, |index| descs.get(index as usize).copied())
}

fn total(machine: &LawMachine, half: usize, value: &Value) -> Verdict {
    let found = machine.vring().halves[half].total;
    Ok((json::number(value, "total")? == found, found.to_string()))
}

fn pring(machine: &LawMachine, ring: Ring, value: &Value) -> Verdict {
    let state: PringState = machine.pring(ring).unwrap_or_default();
    let counts = (
        json::get32(value, "used")?,
        json::get32(value, "allocated")?,
    );
    if counts != (state.used, state.allocated) {
        return Ok((false, format!("{state:?}")));
    }
    let first = state.memory - u64::from(state.allocated);
    let read = |index: u64| {
        let mut slot = [Desc::default()];
        machine.read_pring(ring, index, &mut slot);
        slot[0]
    };
    if let Some(before) = value.get("before_offset") {
        let other = (0..first).find(|index| before.as_str() != Some(&hex(&read(*index))));
        if let Some(index) = other {
            return Ok((false, format!("{} before slot 0", hex(&read(index)))));
        }
    }
    at(value, |index| Some(read(first + index)))
}

fn cache(machine: &LawMachine, value: &Value) -> Verdict {
    let stats = machine.cache().unwrap_or_default();
    let wanted = |name: &str| json::get(value, name);
    let held = wanted("hits")? == stats.hits
        && wanted("misses")? == stats.misses
        && wanted("evictions")? == stats.evictions
        && wanted("entries")? == stats.entries
        && wanted("live")? == stats.live;
    Ok((held, format!("{stats:?}")))
}

/// Replays `packets.json`.
pub fn packets(session: &mut Session) -> Result<(), CheckError> {
    each(
        session,
        "packets",
        |session, id, input, out| match json::get_text(input, "op")? {
            "packet" => packet(session, id, input, out),
            "cme_meta" => {
                let index = json::get32(input, "index")?;
                crc(session, id, CrcCase { index, copy: None }, out)
            }
            "crc_copy" => {
                let copy = PairIn {
                    src: json::get(input, "src")?,
                    dst: json::get(input, "dst")?,
                    size: json::get(input, "size")?,
                    rx_ring_id: json::get32(input, "rx_ring_id")?,
                    tx_ring_id: json::get32(input, "tx_ring_id")?,
                    arch: json::get_arch(input)?,
                    ..PairIn::default()
                };
                let case = CrcCase {
                    index: json::get32(input, "index")?,
                    copy: Some(copy),
                };
                crc(session, id, case, out)
            }
            other => Err(format!("field \"op\" is {other:?}, which is not known")),
        },
    )
}

fn packet(session: &mut Session, id: &str, input: &Value, out: &Value) -> Result<(), String> {
    let case = PacketIn {
        blocks: blocks(input)?,
        rx_ring_id: json::get32(input, "rx_ring_id")?,
        tx_ring_id: json::get32(input, "tx_ring_id")?,
        mode: json::get_signed(input, "mode")?,
        dst_int: json::get_flag(input, "dst_int")?,
        sow: json::get_flag(input, "sow")?,
        notify: json::get_flag(input, "notify")?,
        arch: json::get_arch(input)?,
    };
    let required = Packet::required(Line::Hal, &case).ok_or("no rule gives an outcome")?;
    if json::get_flag(out, "refused")? != (required.ret != 0) {
        return Err(format!("the rules give {}", required.ret));
    }
    for (name, slots) in [("tx", &required.tx), ("rx", &required.rx)] {
        let text = |index: usize| {
            let desc = slots.get(index).copied().flatten();
            desc.map(|desc| hex(&desc)).unwrap_or_default()
        };
        let mut wanted: Vec<(usize, &Value)> = Vec::new();
        if let Some(Value::Array(all)) = out.get(name) {
            wanted.extend(all.iter().enumerate());
        }
        if let Some(Value::Object(some)) = out.get(format!("{name}_at")) {
            for (index, want) in some {
                let index = index
                    .parse()
                    .map_err(|_| format!("index {index:?}: a number"))?;
                wanted.push((index, want));
            }
        }
        for (index, want) in wanted {
            if want.as_str() != Some(&text(index)) {
                let found = text(index);
                return Err(format!(
                    "{name}[{index}] is {want}, but the rules give {found}"
                ));
            }
        }
    }
    session.try_case::<Packet>(&|| format!("worked/packets {id}"), &case, None);
    Ok(())
}

/// Beyond word0 of the meta descriptor nothing is judged.
fn crc(session: &mut Session, id: &str, case: CrcCase, out: &Value) -> Result<(), String> {
    let want = json::get32(out, "word0")?;
    let required = 0x0480_0000 | case.index << 24;
    if want != required {
        return Err(format!(
            "word0 is {want:#x}, but the rules give {required:#x}"
        ));
    }
    session.try_case::<Crc>(&|| format!("worked/packets {id}"), &case, None);
    Ok(())
}
