//! Scripts of ring operations and their JSON form.

use serde_json::{Value, json};
use udma_reference::abi;

use super::json;
use crate::line::driver_name;
use crate::wire::{PairIn, Ring};

/// Rings of scripts that build pairs are at most this long: their memory is real.
pub const MOST_SLOTS: u32 = 1 << 16;

/// A queue and what is done to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// Driver version by its number.
    pub driver: u8,
    /// Queue id; the engine has 16 queues.
    pub qid: u32,
    /// TX and RX descriptors.
    pub size: [u32; 2],
    /// Whether TX and RX have memory.
    pub has_memory: [bool; 2],
    /// Whether slots may be handed out.
    pub allocatable: bool,
    /// The operations.
    pub ops: Vec<Op>,
}

/// One operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// Takes a slot.
    Get(Ring),
    /// Asks the ring id.
    RingId(Ring),
    /// Acknowledges a count.
    Ack(Ring, u32),
    /// Counts the free slots.
    Available(Ring),
    /// Builds a pair on a queue (the script's, or one that must be refused).
    Prepare(u32, PairIn),
}

impl Script {
    /// As in the vector format.
    pub fn to_json(&self) -> Value {
        let op = |op: &Op| match op {
            Op::Get(ring) => json!(["get", ring.name()]),
            Op::RingId(ring) => json!(["rid", ring.name()]),
            Op::Ack(ring, count) => json!(["ack", ring.name(), count]),
            Op::Available(ring) => json!(["avail", ring.name()]),
            Op::Prepare(qid, pair) => json!([
                "prepare",
                qid,
                json::hex(pair.src),
                json::hex(pair.dst),
                pair.size,
                pair.mode,
                pair.dst_int != 0
            ]),
        };
        json!({
            "driver": driver_name(self.driver),
            "qid": self.qid,
            "size": self.size,
            "has_memory": self.has_memory,
            "allocatable": self.allocatable,
            "ops": self.ops.iter().map(op).collect::<Vec<_>>(),
        })
    }

    /// The inverse of [`Script::to_json`].
    ///
    /// # Errors
    /// Which member is missing or out of bounds.
    pub fn from_json(value: &Value) -> Result<Self, String> {
        let both = |name: &str| {
            let list = json::get_list(value, name)?;
            <&[Value; 2]>::try_from(list).map_err(|_| format!("field {name:?} is [tx, rx]"))
        };
        let (size, memory) = (both("size")?, both("has_memory")?);
        let number = |value: &Value, name: &str| {
            let wide = json::number(value, name)?;
            u32::try_from(wide).map_err(|_| format!("field {name:?} is {wide}: 32 bits at most"))
        };
        let script = Self {
            driver: json::get_driver(value)?,
            qid: json::get32(value, "qid")?,
            size: [number(&size[0], "size")?, number(&size[1], "size")?],
            has_memory: [
                json::flag(&memory[0], "has_memory")?,
                json::flag(&memory[1], "has_memory")?,
            ],
            allocatable: json::get_flag(value, "allocatable")?,
            ops: json::get_list(value, "ops")?
                .iter()
                .map(op_from)
                .collect::<Result<_, _>>()?,
        };
        script.check()?;
        Ok(script)
    }

    /// Bounds that keep a script inside its memory.
    ///
    /// # Errors
    /// The field, the value, the bound.
    pub fn check(&self) -> Result<(), String> {
        if self.qid >= 16 {
            return Err(format!("field \"qid\" is {}: 0 to 15", self.qid));
        }
        let builds = self.ops.iter().any(|op| matches!(op, Op::Prepare(..)));
        for size in self.size {
            if builds && size > MOST_SLOTS {
                return Err(format!(
                    "field \"size\" is {size}: at most {MOST_SLOTS} in a script that builds pairs"
                ));
            }
        }
        Ok(())
    }
}

fn ring_from(value: &Value) -> Result<Ring, String> {
    match value.as_str() {
        Some("tx") => Ok(Ring::Tx),
        Some("rx") => Ok(Ring::Rx),
        _ => Err(format!("field \"ops\" names ring {value}: tx or rx")),
    }
}

fn op_from(value: &Value) -> Result<Op, String> {
    let parts = value.as_array().map_or(&[][..], Vec::as_slice);
    let name = parts.first().and_then(Value::as_str).unwrap_or_default();
    let number = |value: &Value, what: &str| {
        let wide = json::number(value, what)?;
        u32::try_from(wide).map_err(|_| format!("field {what:?} is {wide}: 32 bits at most"))
    };
    match (name, &parts[parts.len().min(1)..]) {
        ("get", [ring]) => Ok(Op::Get(ring_from(ring)?)),
        ("rid", [ring]) => Ok(Op::RingId(ring_from(ring)?)),
        ("ack", [ring, count]) => Ok(Op::Ack(ring_from(ring)?, number(count, "ack")?)),
        ("avail", [ring]) => Ok(Op::Available(ring_from(ring)?)),
        ("prepare", [qid, pair @ ..]) => Ok(Op::Prepare(number(qid, "qid")?, pair_from(pair)?)),
        _ => Err(format!(
            "field \"ops\" holds {value}: get, rid, ack, avail or prepare"
        )),
    }
}

/// A pair of `[src, dst, size, barrier, dst_int]`.
///
/// # Errors
/// Which part is wrong.
pub fn pair_from(parts: &[Value]) -> Result<PairIn, String> {
    let [src, dst, size, mode, dst_int] = parts else {
        return Err(format!(
            "a prepare has {} values: src, dst, size, barrier, dst_int",
            parts.len()
        ));
    };
    Ok(PairIn {
        src: json::number(src, "src")?,
        dst: json::number(dst, "dst")?,
        size: json::number(size, "size")?,
        mode: json::signed(mode, "barrier")?,
        dst_int: json::flag(dst_int, "dst_int")?.into(),
        arch: abi::UDMA_ARCH_CAYMAN as u8,
        ..PairIn::default()
    })
}
