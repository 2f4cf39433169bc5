//! BAR0: golden bar0_block, and every word of every engine block.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use udma::Arch;
use udma::engine::bar0::{
    BLOCKED_PER_ENGINE, Blocked, blocked_offsets, check as gate, check_engine, engine_bases,
};

use super::{Findings, arch, golden, label, number, numbers};

pub fn check(findings: &mut Findings) {
    lists(findings);
    replay(findings);
}

/// How many engines and blocked words there are.
fn lists(findings: &mut Findings) {
    for (arch, engines) in [(Arch::Sunda, 34), (Arch::Cayman, 132), (Arch::Mariana, 132)] {
        let name = arch.short();
        let listed: Vec<u64> = blocked_offsets(arch).collect();
        let set: BTreeSet<u64> = listed.iter().copied().collect();
        findings.same("BAR0-2", name, engine_bases(arch).count(), engines);
        findings.same("BAR0-1", name, set.len(), listed.len());
        findings.same("BAR0-1", name, set.len(), engines * 160 + 5);
        findings.same("BAR0-1", name, BLOCKED_PER_ENGINE, 160);
        let let_through = listed.iter().find(|at| gate(arch, **at).is_ok());
        findings.same("BAR0-1", name, let_through, None);
    }
}

/// What the gate returns.
fn code(result: Result<(), Blocked>) -> i64 {
    result.err().map_or(0, |blocked| blocked.code().into())
}

/// Every case of bar0_block; gives how many of each kind ran.
pub fn replay(findings: &mut Findings) -> BTreeMap<String, usize> {
    let mut kinds = BTreeMap::new();
    let mut first: BTreeMap<Arch, Vec<u64>> = BTreeMap::new();
    let mut ram: BTreeMap<Arch, Vec<u64>> = BTreeMap::new();
    for case in golden("bar0_block") {
        let (input, out) = (&case["in"], &case["out"]);
        let kind = input["kind"].as_str().expect("kind").to_owned();
        let arch = arch(&input["arch"]);
        let name = label("bar0_block", &case);
        let steps = || scan(input);
        match kind.as_str() {
            "engine" => {
                let base = number(&input["base"]);
                let engine = number(&input["engine"]) as usize;
                findings.same(
                    "BAR0-2",
                    name.as_str(),
                    engine_bases(arch).nth(engine),
                    Some(base),
                );
                let blocked: Vec<u64> = steps()
                    .filter(|offset| gate(arch, base + offset).is_err())
                    .collect();
                let expected = match &out["blocked"] {
                    Value::Null => first[&arch].clone(),
                    list => numbers(list),
                };
                findings.same("BAR0-1", name.as_str(), blocked, expected.clone());
                let count = number(&out["blocked_count"]) as usize;
                findings.same("BAR0-1", name, expected.len(), count);
                first.entry(arch).or_insert(expected);
            }
            "one_engine_function" => {
                let base = number(&input["base"]);
                let blocked: Vec<u64> = steps()
                    .filter(|offset| check_engine(base, base + offset).is_err())
                    .collect();
                findings.same("BAR0-1", name, blocked, numbers(&out["blocked"]));
            }
            "misc_ram" => {
                let blocked: Vec<u64> = steps().filter(|at| gate(arch, *at).is_err()).collect();
                let expected = numbers(&out["blocked"]);
                findings.same("BAR0-3", name, blocked, expected.clone());
                ram.insert(arch, expected);
            }
            "one" => {
                let offset = number(&input["offset"]);
                let rule = if input["what"].as_str().expect("what").contains("ram") {
                    "BAR0-3"
                } else {
                    "BAR0-1"
                };
                let ret = out["ret"].as_i64().expect("ret");
                findings.same(rule, name, code(gate(arch, offset)), ret);
            }
            "random_sample" => {
                let samples = number(&input["samples"]);
                let lists = Lists {
                    engine: &first[&arch],
                    ram: &ram[&arch],
                };
                let disagreements = random_sample(arch, samples, lists);
                let expected = number(&out["disagreements_with_the_lists_above"]);
                findings.same("BAR0-1", name, disagreements, expected);
            }
            other => panic!("kind {other}"),
        }
        *kinds.entry(kind).or_default() += 1;
    }
    kinds
}

fn scan(input: &Value) -> impl Iterator<Item = u64> {
    let step = number(&input["step"]) as usize;
    let ranges: Vec<Vec<u64>> = input["scan"]
        .as_array()
        .expect("scan")
        .iter()
        .map(numbers)
        .collect();
    ranges
        .into_iter()
        .flat_map(move |range| (range[0]..range[1]).step_by(step))
}

/// The lists of the vectors: relative to an engine, and absolute.
#[derive(Clone, Copy)]
struct Lists<'a> {
    engine: &'a [u64],
    ram: &'a [u64],
}

/// Offsets spread over the engines and beyond, looked up in the lists of the vectors.
fn random_sample(arch: Arch, samples: u64, lists: Lists) -> u64 {
    let bases: Vec<u64> = engine_bases(arch).collect();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut disagreements = 0;
    for _ in 0..samples {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        let base = bases[(state >> 33) as usize % bases.len()];
        let offset = base.wrapping_add(state >> 12 & 0x7_ffff);
        let blocked = lists.ram.contains(&offset)
            || bases.iter().any(|base| {
                let inside = offset.wrapping_sub(*base);
                lists.engine.contains(&inside)
            });
        disagreements += u64::from(gate(arch, offset).is_err() != blocked);
    }
    disagreements
}

/// Every 4-byte word of every engine's block is blocked if and only if the iterator names it.
pub fn exhaustive(findings: &mut Findings) -> u64 {
    let mut words = 0;
    for arch in Arch::ALL {
        let set: BTreeSet<u64> = blocked_offsets(arch).collect();
        let name = arch.short();
        for (engine, base) in engine_bases(arch).enumerate() {
            let mut expected = set.range(base..base + 0x4_0000).copied();
            let block = (base..base + 0x4_0000).step_by(4);
            words += 0x1_0000;
            let same = block
                .filter(|at| gate(arch, *at).is_err())
                .eq(expected.by_ref());
            findings.same("BAR0-1", format!("{name} engine {engine}"), same, true);
        }
    }
    words
}
