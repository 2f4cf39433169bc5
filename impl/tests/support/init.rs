//! EINI: golden queue_init, kind engine.

use udma::engine::init::{EngineParams, InitError, init_engine};
use udma::engine::map::region;
use udma::io::Space;

use super::{Findings, Registers, arch, events, golden, label, number};

pub fn check(findings: &mut Findings) {
    replay(findings);
}

/// Every case of kind engine; gives how many ran.
pub fn replay(findings: &mut Findings) -> usize {
    let mut count = 0;
    for case in golden("queue_init") {
        let (input, out) = (&case["in"], &case["out"]);
        if input["kind"] != "engine" {
            continue;
        }
        count += 1;
        let mut registers = Registers::default();
        registers.load(Space::Engine, &input["regs"]);
        let params = EngineParams {
            arch: arch(&input["arch"]),
            num_queues: number(&input["num_queues"]) as u32,
            max_packet: number(&input["max_desc"]) as u32,
            reserve_read_id: input["reserve_read_id"].as_bool().expect("flag"),
        };
        let (state, result) = init_engine(&mut registers, &params);
        let name = label("queue_init", &case);
        let code = result.err().map_or(0, InitError::code);
        let ret = out["ret"].as_i64().expect("ret") as i32;
        // A refusal, or a count that is cut, is what EINI-1 and EINI-2 are about.
        let rule = match ret {
            -22 => "EINI-1",
            -1 => "EINI-2",
            _ if params.max_packet > 128 => "EINI-2",
            _ if params.num_queues != 16 => "EINI-1",
            _ => "EINI-3",
        };
        findings.same(rule, name.as_str(), code, ret);
        findings.same(
            rule,
            name.as_str(),
            registers.accesses,
            events(&out["events"]),
        );

        let at = |path: &str| {
            if state.regions_set {
                region(path).expect("region").offset
            } else {
                0
            }
        };
        let actual = [
            u64::from(state.num_queues),
            state.max_queues.into(),
            state.revision.into(),
            state.state_m2s.into(),
            state.state_s2m.into(),
            state.completion_size.into(),
            state.reserve_read_id.into(),
            at("m2s"),
            at("s2m"),
            at("gen"),
            at("gen_ex"),
        ];
        let expected = [
            "num_of_queues",
            "num_of_queues_max",
            "rev_id",
            "state_m2s",
            "state_s2m",
            "cdesc_size",
            "reserve_max_read_axi_id",
            "m2s_offset",
            "s2m_offset",
            "gen_offset",
            "gen_ex_offset",
        ]
        .map(|member| number(&out["state"][member]));
        findings.same("EINI-4", name, actual, expected);
    }
    count
}
