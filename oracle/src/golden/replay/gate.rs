//! The BAR0 gate.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::super::reader::RawCase;
use super::{Counts, code, recorded};
use crate::cases::operation::Outcome;
use crate::cases::{bar0, json};
use crate::generate::mix;
use crate::session::Session;
use crate::subject::ops::Bar0;

/// What earlier cases of the file list: refused offsets of the first engine, from its base, and of
/// the miscellaneous RAM, by architecture; the bases of the engines.
#[derive(Default)]
pub struct Lists {
    engine: BTreeMap<u32, BTreeSet<u64>>,
    ram: BTreeMap<u32, BTreeSet<u64>>,
    bases: BTreeMap<u32, Vec<u64>>,
}

fn numbers(value: &Value, name: &str) -> Result<Vec<u64>, String> {
    let list = json::get_list(value, name)?;
    list.iter().map(|entry| json::number(entry, name)).collect()
}

/// Offsets that a case goes over.
fn scan(input: &Value) -> Result<Vec<u64>, String> {
    let step = json::get(input, "step")? as usize;
    let mut offsets = Vec::new();
    for range in json::get_list(input, "scan")? {
        let ends: Vec<u64> = range
            .as_array()
            .map_or(&[][..], Vec::as_slice)
            .iter()
            .map(|end| json::number(end, "scan"))
            .collect::<Result<_, _>>()?;
        let [start, end] = ends[..] else {
            return Err(format!("field \"scan\" holds {range}: start, end"));
        };
        if end.saturating_sub(start) > 1 << 24 || step == 0 {
            return Err(format!(
                "field \"scan\" holds {range} in steps of {step}: at most 16777216 offsets"
            ));
        }
        offsets.extend((start..end).step_by(step));
    }
    Ok(offsets)
}

/// The refused offsets of a case, which are as many as it says.
fn blocked(out: &Value, list: Vec<u64>) -> Result<BTreeSet<u64>, String> {
    let set: BTreeSet<u64> = list.into_iter().collect();
    let count = json::get(out, "blocked_count")?;
    if set.len() as u64 == count {
        Ok(set)
    } else {
        Err(format!(
            "field \"blocked_count\" is {count}, but {} offsets are listed",
            set.len()
        ))
    }
}

/// `bar0_block` (BAR0).
pub fn bar0_block(
    session: &mut Session,
    suite: &str,
    raw: &RawCase,
    counts: &mut Counts,
) -> Result<(), String> {
    let (input, out) = (&raw.input, &raw.output);
    let arch = json::get_arch(input)?.into();
    let origin = || format!("golden/{suite}#{}", raw.id);
    let moved = |set: &BTreeSet<u64>, base: u64| set.iter().map(|at| base + at).collect();
    match json::get_text(input, "kind")? {
        "engine" => {
            let base = json::get(input, "base")?;
            let refused = if out.get("blocked").is_some() {
                blocked(out, numbers(out, "blocked")?)?
            } else {
                let first = counts.lists.engine.get(&arch);
                let first = first.ok_or("no case of the first engine stands before")?;
                blocked(out, first.iter().copied().collect())?
            };
            // The first engine in full; of the others what is refused and every eighth word, in a
            // deep run all.
            let all = session.options.deep || !counts.lists.engine.contains_key(&arch);
            let cases: Vec<Bar0> = scan(input)?
                .into_iter()
                .filter(|offset| all || offset % 32 == 0 || refused.contains(offset))
                .map(|offset| bar0::gate(arch, base + offset))
                .collect();
            let expected = moved(&refused, base);
            bar0::sweep(session, &origin, &cases, &expected, &["BAR0-1", "BAR0-2"]);
            counts.lists.engine.entry(arch).or_insert(refused);
            counts.lists.bases.entry(arch).or_default().push(base);
        }
        "one_engine_function" => {
            let base = json::get(input, "base")?;
            let refused = blocked(out, numbers(out, "blocked")?)?;
            let cases: Vec<Bar0> = scan(input)?
                .into_iter()
                .map(|offset| bar0::one_engine(arch, base, base + offset))
                .collect();
            let expected = moved(&refused, base);
            bar0::sweep(session, &origin, &cases, &expected, &["BAR0-1"]);
        }
        "misc_ram" => {
            let refused = blocked(out, numbers(out, "blocked")?)?;
            let cases: Vec<Bar0> = scan(input)?
                .into_iter()
                .map(|offset| bar0::gate(arch, offset))
                .collect();
            bar0::sweep(session, &origin, &cases, &refused, &["BAR0-3"]);
            counts.lists.ram.insert(arch, refused);
        }
        "one" => {
            let case = bar0::gate(arch, json::get(input, "offset")?);
            let answer = Outcome::of([i64::from(code(out)?)]);
            recorded::<bar0::Gate>(session, suite, raw, &bar0::call(&case), &answer, false);
        }
        "random_sample" => {
            if json::get(out, "disagreements_with_the_lists_above")? != 0 {
                return Err("the lists above are said to be wrong".into());
            }
            let samples = json::get(input, "samples")?;
            let (cases, expected) = sampled(arch, samples, &counts.lists)?;
            bar0::sweep(session, &origin, &cases, &expected, &["BAR0-1", "BAR0-2"]);
        }
        other => return Err(format!("field \"kind\" is {other:?}, which is not known")),
    }
    counts.replayed += 1;
    Ok(())
}

/// Offsets in and around the engines, and those of them that the lists name.
fn sampled(arch: u32, samples: u64, lists: &Lists) -> Result<(Vec<Bar0>, BTreeSet<u64>), String> {
    let missing = "no cases of engines and RAM stand before";
    let bases = lists.bases.get(&arch).ok_or(missing)?;
    let engine = lists.engine.get(&arch).ok_or(missing)?;
    let ram = lists.ram.get(&arch).ok_or(missing)?;
    let mut expected: BTreeSet<u64> = ram.clone();
    for base in bases {
        expected.extend(engine.iter().map(|word| base + word));
    }
    let cases = (0..samples)
        .map(|index| {
            let random = mix(samples, index);
            let base = bases[(random >> 32) as usize % bases.len()];
            // Words and their neighbours, in the engine and as far again behind it.
            bar0::gate(arch, base + (random & 0x7_ffff))
        })
        .collect();
    Ok((cases, expected))
}
