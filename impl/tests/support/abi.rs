//! ABI: golden ioctl_abi.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use udma::abi::request::{Dir, KIND, REQUESTS, Request, compose};
use udma::abi::{self, BATCH, QueueType, async_handle};

use super::{Findings, golden, label, number};

pub fn check(findings: &mut Findings) {
    replay(findings);
    numbers(findings);
}

/// Every case of ioctl_abi; gives how many of each kind ran.
pub fn replay(findings: &mut Findings) -> BTreeMap<String, usize> {
    let mut kinds = BTreeMap::new();
    for case in golden("ioctl_abi") {
        let kind = case["in"]["kind"].as_str().expect("kind").to_owned();
        match kind.as_str() {
            "request" => request(findings, &case),
            "struct" => structure(findings, &case),
            "constant" => constant(findings, &case),
            other => panic!("kind {other}"),
        }
        *kinds.entry(kind).or_default() += 1;
    }
    findings.same("ABI-1", "requests", REQUESTS.len(), kinds["request"]);
    findings.same(
        "ABI-1",
        "structures",
        abi::layouts().count(),
        kinds["struct"],
    );
    kinds
}

fn request(findings: &mut Findings, case: &Value) {
    let name = case["in"]["name"].as_str().expect("name");
    let short = name.trim_start_matches("NEURON_IOCTL_");
    let label = label("ioctl_abi", case);
    let Some(request) = REQUESTS.iter().find(|request| request.name == short) else {
        findings.same("ABI-1", label, None, Some(short));
        return;
    };
    let out = &case["out"];
    let number = |member: &str| number(&out[member]) as u32;
    findings.same("ABI-1", label.as_str(), request.number(), number("request"));
    let parts = [request.kind(), request.nr(), request.arg_size()];
    let expected = [number("type"), number("nr"), number("arg_size")];
    findings.same("ABI-3", label.as_str(), parts, expected);
    let dir = out["dir"].as_str().expect("dir");
    findings.same("ABI-3", label.as_str(), request.dir().name(), dir);
    let found = Request::of(number("request")).map(|request| request.name);
    findings.same("ABI-2", label, found, Some(short));
}

fn structure(findings: &mut Findings, case: &Value) {
    let name = case["in"]["name"].as_str().expect("name");
    let label = label("ioctl_abi", case);
    let out = &case["out"];
    let Some(layout) = abi::layouts().find(|layout| layout.name == name) else {
        findings.same("ABI-1", label, None, Some(name));
        return;
    };
    let actual = [layout.size, layout.align];
    let expected = [number(&out["size"]), number(&out["align"])].map(|bytes| bytes as usize);
    findings.same("ABI-1", format!("{label} {name}"), actual, expected);
    let actual: BTreeMap<&str, [usize; 2]> = layout
        .members
        .iter()
        .map(|member| (member.name, [member.offset, member.size]))
        .collect();
    let fields = out["fields"].as_object().expect("fields");
    let expected: BTreeMap<&str, [usize; 2]> = fields
        .iter()
        .map(|(name, place)| {
            // A trailing array of variable length has no size.
            let size = place.get("size").map_or(0, number);
            (
                name.as_str(),
                [number(&place["offset"]) as usize, size as usize],
            )
        })
        .collect();
    findings.same("ABI-1", format!("{label} {name}"), actual, expected);
}

fn constant(findings: &mut Findings, case: &Value) {
    let what = case["in"]["what"].as_str().expect("what");
    let (rule, value) = match what {
        "queue type tx" => ("ABI-4", QueueType::Tx.number().into()),
        "queue type rx" => ("ABI-4", QueueType::Rx.number().into()),
        "queue type completion" => ("ABI-4", QueueType::Completion.number().into()),
        "async handle none" => ("DEV-16", i64::from(async_handle::NONE)),
        "async handle sync" => ("DEV-16", async_handle::SYNC.into()),
        "async handle 1" => ("DEV-16", async_handle::FIRST.into()),
        "async handle 2" => ("DEV-16", async_handle::SECOND.into()),
        "most queues in a batch init" => ("DEV-14", BATCH as i64),
        other => panic!("constant {other}"),
    };
    let expected = case["out"]["value"].as_i64().expect("value");
    findings.same(rule, label("ioctl_abi", case), value, expected);
}

fn numbers(findings: &mut Findings) {
    let all: BTreeSet<u32> = REQUESTS.iter().map(Request::number).collect();
    findings.same("ABI-2", "all different", all.len(), REQUESTS.len());
    for request in REQUESTS {
        let composed = compose(request.dir(), request.arg_size(), request.nr());
        findings.same("ABI-3", request.name, composed, request.number());
    }
    // The same call number with sizes and directions that nobody asks for.
    for number in [
        compose(Dir::None, 8, 23),
        compose(Dir::Read, 16, 23),
        compose(Dir::Read, 40, 23) ^ 1 << 8,
        0x8010_4e23,
        KIND << 8 | 0x6e,
    ] {
        let found = Request::of(number).map(|request| request.name);
        findings.same("ABI-2", format!("{number:#010x}"), found, None);
    }
}
