//! Cases of `corpora/worked/` and their scripts as this crate's types.
#![allow(dead_code, missing_docs, unreachable_pub)] // each test file uses a part

use serde_json::Value;
use udma::io::Side;
use udma::packet::{Block, PacketRequest};
use udma::vring::script::{Op, Outcome, Poke};
use udma::vring::{Dump, Semaphore, Transfer, error};
use udma::{Arch, Desc};

pub fn cases(suite: &str) -> Vec<Value> {
    let path = format!(
        "{}/../corpora/worked/{suite}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let file: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(file["format"], "udma-worked/1");
    file["cases"].as_array().unwrap().clone()
}

pub fn number(value: &Value) -> u64 {
    match value.as_str() {
        Some(text) => u64::from_str_radix(&text[2..], 16).unwrap(),
        None => value.as_u64().unwrap(),
    }
}

pub fn small(value: &Value) -> u32 {
    number(value).try_into().unwrap()
}

pub fn flag(value: &Value) -> bool {
    value.as_bool().unwrap()
}

pub fn arch(value: &Value) -> Arch {
    let short = value.as_str().unwrap();
    Arch::ALL
        .into_iter()
        .find(|arch| arch.short() == short)
        .unwrap()
}

pub fn desc(value: &Value) -> Desc {
    let hex = value.as_str().unwrap();
    assert_eq!(hex.len(), 32);
    let mut bytes = [0; 16];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap();
    }
    Desc::from_bytes(bytes)
}

pub fn side(value: &Value) -> Side {
    match value.as_str().unwrap() {
        "tx" => Side::Tx,
        "rx" => Side::Rx,
        other => panic!("half {other}"),
    }
}

pub fn blocks(value: &Value) -> Vec<Block> {
    let block = |value: &Value, step| Block {
        src: number(&value["src"]) + step,
        dst: number(&value["dst"]) + step,
        size: number(&value["size"]),
    };
    match value.as_array() {
        Some(list) => list.iter().map(|value| block(value, 0)).collect(),
        None => (0..number(&value["count"]))
            .map(|index| block(value, index * number(&value["step"])))
            .collect(),
    }
}

pub fn packet_request(value: &Value) -> PacketRequest {
    PacketRequest {
        rx_ring_id: value.get("rx_ring_id").map_or(0, small),
        tx_ring_id: value.get("tx_ring_id").map_or(0, small),
        mode: value["mode"].as_i64().unwrap() as i32,
        sow: flag(&value["sow"]),
        dst_int: flag(&value["dst_int"]),
        notify: flag(&value["notify"]),
    }
}

pub fn transfer(op: &Value) -> Transfer {
    Transfer {
        src: number(&op["src"]),
        dst: number(&op["dst"]),
        size: number(&op["size"]),
        ordered: flag(&op["ordered"]),
    }
}

pub fn addresses(op: &Value) -> Vec<u64> {
    op["addresses"]
        .as_array()
        .unwrap()
        .iter()
        .map(number)
        .collect()
}

pub fn dump(op: &Value, padded: &str) -> Dump {
    Dump {
        padded: (!op[padded].is_null()).then(|| small(&op[padded])),
        scratch: number(&op["scratch"]),
        free: flag(&op["free"]),
    }
}

pub fn parse(op: &Value) -> Op {
    match op["op"].as_str().unwrap() {
        "transfer" => Op::Transfer(transfer(op)),
        "transfer_ex" => Op::TransferEx(transfer(op)),
        "poke" => Op::Poke {
            kind: if op["kind"] == "event" {
                Poke::Event
            } else {
                Poke::Semaphore
            },
            src: number(&op["src"]),
            dst: number(&op["dst"]),
        },
        "packet" => Op::Packet {
            request: packet_request(op),
            blocks: blocks(&op["blocks"]),
        },
        "raw" => Op::Raw {
            half: side(&op["half"]),
            desc: desc(&op["desc"]),
        },
        "pack" => Op::Pack {
            start: small(&op["start"]),
            end: small(&op["end"]),
            max_bytes: number(&op["max_bytes"]),
        },
        "dmb_on_last_packet" => Op::DmbOnLastPacket,
        "addr_rewrite" => Op::AddrRewrite {
            base: number(&op["base"]),
            size: number(&op["size"]),
            new_base: number(&op["new_base"]),
        },
        "semaphore_wanted" => Op::SemaphoreWanted {
            enabled: flag(&op["enabled"]),
        },
        "embed_semaphore" => Op::EmbedSemaphore {
            enabled: flag(&op["enabled"]),
            fields: Semaphore {
                set_sow: flag(&op["set_sow"]),
                csr_index: small(&op["csr_index"]) as u8,
                semaphore: small(&op["semaphore"]) as u16,
            },
        },
        "template" => Op::Template {
            max_var_id: small(&op["max_var_id"]),
        },
        "resolve" => Op::Resolve {
            addresses: addresses(op),
        },
        "deep_copy" => Op::DeepCopy,
        "free" => Op::Free,
        "pring" => Op::Pring {
            half: side(&op["half"]),
            descriptors: small(&op["descriptors"]),
            wrap: flag(&op["wrap"]),
            offset: number(&op["offset"]),
        },
        "pring_size" => Op::PringSize {
            descriptors: small(&op["descriptors"]),
            wrap: flag(&op["wrap"]),
        },
        "dump" => Op::Dump {
            half: side(&op["half"]),
            pring: side(&op["pring"]),
            dump: dump(op, "padded"),
        },
        "dump_both" => Op::DumpBoth {
            tx: dump(op, "tx_padded"),
            rx: dump(op, "rx_padded"),
        },
        "page_budget" => Op::PageBudget((!op["pages"].is_null()).then(|| small(&op["pages"]))),
        "cache" => Op::Cache {
            capacity: small(&op["capacity"]) as usize,
        },
        "acquire" => Op::Acquire {
            addresses: addresses(op),
        },
        "release" => Op::Release {
            holding: small(&op["holding"]) as usize,
        },
        other => panic!("operation {other}"),
    }
}

pub fn outcome(step: &Value) -> Outcome {
    let code = match step[0].as_str().unwrap() {
        "ok" => 0,
        "queue_full" => error::QUEUE_FULL,
        "no_memory" => -12,
        "invalid" => -22,
        "refused" => -1,
        "variable_above" => error::VARIABLE_ABOVE,
        "variable_missing" => error::VARIABLE_MISSING,
        other => panic!("code {other}"),
    };
    Outcome {
        code,
        value: step[1].as_i64().unwrap(),
        over_rx: step.get(2).map_or(0, small),
    }
}
