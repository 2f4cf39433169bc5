//! Scripts as in the worked vectors.

use serde_json::{Map, Value, json};

use super::Script;
use crate::cases::json::{self, hex};
use crate::subject::vring::{Dump, Op, Packet, Transfer};
use crate::wire::{Block, Desc, Ring, from_hex};

/// Descriptors that a pring of a script is made for at most: its memory is real.
const MOST_DESCRIPTORS: u32 = 1 << 25;
/// Bytes that a pring of a script starts at, at most.
const MOST_OFFSET: u64 = 1 << 20;
/// Blocks of a packet at most; every original refuses far fewer (BLDR-9).
const MOST_BLOCKS: u64 = 1 << 16;

fn ring(value: &Value, name: &str) -> Result<Ring, String> {
    match json::get_text(value, name)? {
        "tx" => Ok(Ring::Tx),
        "rx" => Ok(Ring::Rx),
        other => Err(format!("field {name:?} is {other:?}: tx or rx")),
    }
}

fn at_most(value: &Value, name: &str, most: u64) -> Result<u64, String> {
    let found = json::get(value, name)?;
    if found > most {
        return Err(format!("field {name:?} is {found}: at most {most}"));
    }
    Ok(found)
}

/// A number of at most 32 bits, or null.
fn optional(value: &Value, name: &str) -> Result<Option<u32>, String> {
    if json::member(value, name)?.is_null() {
        return Ok(None);
    }
    json::get32(value, name).map(Some)
}

fn desc(value: &Value) -> Result<Desc, String> {
    let text = json::get_text(value, "desc")?;
    from_hex(text).ok_or_else(|| format!("field \"desc\" is {text:?}: 32 hex digits"))
}

fn transfer(value: &Value) -> Result<Transfer, String> {
    Ok(Transfer {
        src: json::get(value, "src")?,
        dst: json::get(value, "dst")?,
        size: json::get(value, "size")?,
        ordered: json::get_flag(value, "ordered")?,
    })
}

fn block(value: &Value, step: u64) -> Result<Block, String> {
    Ok(Block {
        src: json::get(value, "src")?.wrapping_add(step),
        dst: json::get(value, "dst")?.wrapping_add(step),
        size: json::get(value, "size")?,
    })
}

/// A list of blocks, or a run `{count, src, dst, size, step}`.
///
/// # Errors
/// The field, its value and the bound.
pub fn blocks(value: &Value) -> Result<Vec<Block>, String> {
    match json::member(value, "blocks")? {
        Value::Array(list) => list.iter().map(|value| block(value, 0)).collect(),
        run => {
            let count = at_most(run, "count", MOST_BLOCKS)?;
            let step = json::get(run, "step")?;
            (0..count)
                .map(|index| block(run, index.wrapping_mul(step)))
                .collect()
        }
    }
}

fn packet(value: &Value) -> Result<Packet, String> {
    Ok(Packet {
        mode: json::get_signed(value, "mode")?,
        sow: json::get_flag(value, "sow")?,
        dst_int: json::get_flag(value, "dst_int")?,
        notify: json::get_flag(value, "notify")?,
        blocks: blocks(value)?,
    })
}

fn addresses(value: &Value) -> Result<Vec<u64>, String> {
    let list = json::get_list(value, "addresses")?;
    list.iter()
        .map(|value| json::number(value, "addresses"))
        .collect()
}

/// An operation from its JSON form.
///
/// # Errors
/// The field, its value and the bound.
pub fn op_from_json(value: &Value) -> Result<Op, String> {
    let number = |name| json::get(value, name);
    let small = |name| json::get32(value, name);
    let flag = |name| json::get_flag(value, name);
    Ok(match json::get_text(value, "op")? {
        "transfer" => Op::Transfer(transfer(value)?),
        "transfer_ex" => Op::TransferEx(transfer(value)?),
        "poke" => Op::Poke {
            event: match json::get_text(value, "kind")? {
                "event" => true,
                "semaphore" => false,
                other => {
                    return Err(format!("field \"kind\" is {other:?}: event or semaphore"));
                }
            },
            src: number("src")?,
            dst: number("dst")?,
        },
        "packet" => Op::Packet(packet(value)?),
        "raw" => Op::Raw {
            half: ring(value, "half")?,
            desc: desc(value)?,
        },
        "pack" => Op::Pack {
            start: small("start")?,
            end: small("end")?,
            max_bytes: number("max_bytes")?,
        },
        "dmb_on_last_packet" => Op::DmbOnLastPacket,
        "addr_rewrite" => Op::AddrRewrite {
            base: number("base")?,
            size: number("size")?,
            new_base: number("new_base")?,
        },
        "semaphore_wanted" => Op::SemaphoreWanted {
            enabled: flag("enabled")?,
        },
        "embed_semaphore" => Op::EmbedSemaphore {
            enabled: flag("enabled")?,
            set_sow: flag("set_sow")?,
            csr_index: at_most(value, "csr_index", u8::MAX.into())? as u8,
            semaphore: at_most(value, "semaphore", u16::MAX.into())? as u16,
        },
        "template" => Op::Template {
            max_var_id: small("max_var_id")?,
        },
        "resolve" => Op::Resolve {
            addresses: addresses(value)?,
        },
        "deep_copy" => Op::DeepCopy,
        "free" => Op::Free,
        "pring" => Op::Pring {
            half: ring(value, "half")?,
            descriptors: at_most(value, "descriptors", MOST_DESCRIPTORS.into())? as u32,
            wrap: flag("wrap")?,
            offset: at_most(value, "offset", MOST_OFFSET)?,
        },
        "pring_size" => Op::PringSize {
            descriptors: small("descriptors")?,
            wrap: flag("wrap")?,
        },
        "dump" => Op::Dump {
            half: ring(value, "half")?,
            pring: ring(value, "pring")?,
            dump: Dump {
                padded: optional(value, "padded")?,
                scratch: number("scratch")?,
                free: flag("free")?,
            },
        },
        "dump_both" => Op::DumpBoth {
            tx_padded: optional(value, "tx_padded")?,
            rx_padded: optional(value, "rx_padded")?,
            scratch: number("scratch")?,
            free: flag("free")?,
        },
        "page_budget" => Op::PageBudget {
            pages: optional(value, "pages")?,
        },
        "cache" => Op::Cache {
            capacity: small("capacity")?,
        },
        "acquire" => Op::Acquire {
            addresses: addresses(value)?,
        },
        "release" => Op::Release {
            holding: small("holding")?,
        },
        other => {
            return Err(format!(
                "field \"op\" is {other:?}: one of {}",
                Op::NAMES.join(", ")
            ));
        }
    })
}

/// Members of an operation, its name apart.
fn members(op: &Op) -> Value {
    match op {
        Op::Transfer(transfer) | Op::TransferEx(transfer) => json!({
            "src": hex(transfer.src),
            "dst": hex(transfer.dst),
            "size": transfer.size,
            "ordered": transfer.ordered,
        }),
        Op::Poke { event, src, dst } => json!({
            "kind": if *event { "event" } else { "semaphore" },
            "src": hex(*src),
            "dst": hex(*dst),
        }),
        Op::Packet(packet) => json!({
            "mode": packet.mode,
            "sow": packet.sow,
            "dst_int": packet.dst_int,
            "notify": packet.notify,
            "blocks": packet.blocks.iter().map(|block| json!({
                "src": hex(block.src), "dst": hex(block.dst), "size": block.size,
            })).collect::<Vec<_>>(),
        }),
        Op::Raw { half, desc } => json!({"half": half.name(), "desc": crate::wire::hex(desc)}),
        Op::Pack {
            start,
            end,
            max_bytes,
        } => json!({"start": start, "end": end, "max_bytes": hex(*max_bytes)}),
        Op::AddrRewrite {
            base,
            size,
            new_base,
        } => json!({"base": hex(*base), "size": hex(*size), "new_base": hex(*new_base)}),
        Op::SemaphoreWanted { enabled } => json!({"enabled": enabled}),
        Op::EmbedSemaphore {
            enabled,
            set_sow,
            csr_index,
            semaphore,
        } => json!({
            "enabled": enabled,
            "set_sow": set_sow,
            "csr_index": csr_index,
            "semaphore": semaphore,
        }),
        Op::Template { max_var_id } => json!({"max_var_id": max_var_id}),
        Op::Resolve { addresses } | Op::Acquire { addresses } => json!({
            "addresses": addresses.iter().map(|address| hex(*address)).collect::<Vec<_>>(),
        }),
        Op::Pring {
            half,
            descriptors,
            wrap,
            offset,
        } => json!({
            "half": half.name(), "descriptors": descriptors, "wrap": wrap, "offset": offset,
        }),
        Op::PringSize { descriptors, wrap } => json!({"descriptors": descriptors, "wrap": wrap}),
        Op::Dump { half, pring, dump } => json!({
            "half": half.name(),
            "pring": pring.name(),
            "padded": dump.padded,
            "scratch": hex(dump.scratch),
            "free": dump.free,
        }),
        Op::DumpBoth {
            tx_padded,
            rx_padded,
            scratch,
            free,
        } => json!({
            "tx_padded": tx_padded,
            "rx_padded": rx_padded,
            "scratch": hex(*scratch),
            "free": free,
        }),
        Op::PageBudget { pages } => json!({"pages": pages}),
        Op::Cache { capacity } => json!({"capacity": capacity}),
        Op::Release { holding } => json!({"holding": holding}),
        Op::DmbOnLastPacket | Op::DeepCopy | Op::Free => json!({}),
    }
}

/// The inverse of [`op_from_json`].
pub fn op_to_json(op: &Op) -> Value {
    let mut all = Map::new();
    all.insert("op".into(), op.name().into());
    if let Value::Object(members) = members(op) {
        all.extend(members);
    }
    Value::Object(all)
}

pub(super) fn script_to_json(script: &Script) -> Value {
    json!({
        "arch": format!("v{}", script.arch),
        "script": script.ops.iter().map(op_to_json).collect::<Vec<_>>(),
    })
}

pub(super) fn script_from_json(value: &Value) -> Result<Script, String> {
    let arch = json::get_arch(value)?;
    let list = json::get_list(value, "script")?;
    let ops = (0..).zip(list).map(|(step, value): (usize, &Value)| {
        op_from_json(value).map_err(|reason| format!("step {step}: {reason}"))
    });
    Ok(Script {
        arch,
        ops: ops.collect::<Result<_, _>>()?,
    })
}
