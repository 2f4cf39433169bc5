//! REGS-2..5: golden queue_state.

use std::collections::BTreeMap;

use serde_json::Value;
use udma::engine::control::{engine_state, set_state};
use udma::engine::regs::{self, ring};
use udma::engine::state::ring_state;
use udma::io::{Side, Space};

use super::{Findings, Registers, events, golden, label, number};

pub fn check(findings: &mut Findings) {
    replay(findings);
}

/// Every case of queue_state; gives how many of each kind ran.
pub fn replay(findings: &mut Findings) -> BTreeMap<String, usize> {
    let mut kinds = BTreeMap::new();
    for case in golden("queue_state") {
        let kind = case["in"]["kind"].as_str().expect("kind").to_owned();
        match kind.as_str() {
            "queue" => queue(findings, &case),
            "engine" => engine(findings, &case),
            "set_state" => state(findings, &case),
            other => panic!("kind {other}"),
        }
        *kinds.entry(kind).or_default() += 1;
    }
    kinds
}

const QID: u32 = 5;

fn queue(findings: &mut Findings, case: &Value) {
    let (input, out) = (&case["in"], &case["out"]);
    let mut registers = Registers::default();
    let places = [
        ("status", ring::STATUS),
        ("drbp_low", ring::BASE_LOW),
        ("drbp_high", ring::BASE_HIGH),
        ("drl", ring::LENGTH),
        ("drhp", ring::HEAD),
        ("drtp", ring::TAIL),
        ("crbp_low", ring::COMPLETION_LOW),
        ("crbp_high", ring::COMPLETION_HIGH),
        ("crhp", ring::COMPLETION_HEAD),
    ];
    let sides = [(Side::Tx, "tx"), (Side::Rx, "rx")];
    for (side, name) in sides {
        let contents = &input[format!("{name}_regs")];
        for (register, offset) in places {
            let offset = regs::queue_block(side, QID) + offset;
            registers.set(Space::Engine, offset, number(&contents[register]) as u32);
        }
    }
    for (side, name) in sides {
        let state = ring_state(&mut registers, side, QID);
        let expected = &out[name];
        let info = &out["descriptor_info"];
        let actual = [
            u64::from(state.hw_status),
            state.base,
            state.length.into(),
            state.head.into(),
            state.tail.into(),
            state.completion_base,
            state.completion_head.into(),
            state.raw_base,
            state.raw_length.into(),
        ];
        let expected = [
            number(&expected["hw_status"]),
            number(&expected["base_addr"]),
            number(&expected["length"]),
            number(&expected["head_pointer"]),
            number(&expected["tail_pointer"]),
            number(&expected["completion_base_addr"]),
            number(&expected["completion_head"]),
            number(&info[format!("{name}_pa")]),
            number(&info[format!("{name}_size")]),
        ];
        let case = format!("{} {name}", label("queue_state", case));
        findings.same("REGS-2", case, actual, expected);
    }
}

fn engine(findings: &mut Findings, case: &Value) {
    let (input, out) = (&case["in"], &case["out"]);
    let mut registers = Registers::default();
    for (name, offset) in [
        ("m2s_state", regs::state::M2S),
        ("s2m_state", regs::state::S2M),
        ("s2m_stream_cfg", regs::state::S2M_STREAM_CFG),
    ] {
        registers.set(Space::Engine, offset, number(&input[name]) as u32);
    }
    let queues = input["rx_queue_cfg"].as_array().expect("array");
    for (qid, cfg) in (0..).zip(queues) {
        let offset = regs::queue_block(Side::Rx, qid) + ring::CFG;
        registers.set(Space::Engine, offset, number(cfg) as u32);
    }
    let report = engine_state(&mut registers, number(&out["num_queues"]) as u32);
    let case = label("queue_state", case);
    let constants = [report.revision, report.max_queues, report.num_queues];
    let expected =
        ["revision_id", "max_queues", "num_queues"].map(|name| number(&out[name]) as u32);
    findings.same("REGS-3", case.as_str(), constants, expected);
    findings.same(
        "REGS-3",
        case.as_str(),
        report.tx as u64,
        number(&out["tx_state"]),
    );
    // Where no field of TX tells, RX differs from it by the stream field alone (REGS-4).
    let rule = if field(&input["s2m_state"], 4) == 0 {
        "REGS-3"
    } else {
        "REGS-4"
    };
    findings.same(rule, case, report.rx as u64, number(&out["rx_state"]));
}

fn field(word: &Value, low: u32) -> u64 {
    number(word) >> low & 3
}

fn state(findings: &mut Findings, case: &Value) {
    let mut registers = Registers::default();
    let state = case["in"]["state"].as_i64().expect("state") as i32;
    let written = set_state(&mut registers, state);
    let expected = events(&case["out"]["events"]);
    let case = label("queue_state", case);
    findings.same("REGS-5", case.as_str(), written, !expected.is_empty());
    findings.same("REGS-5", case, registers.accesses, expected);
}
