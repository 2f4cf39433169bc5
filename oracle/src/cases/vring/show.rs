//! Steps in words.

use udma_reference::abi;
use udma_report::model::DescriptorDiff;

use super::{Change, Script, Step};
use crate::law::names;
use crate::law::word::{EINVAL, ENOMEM};
use crate::subject::vring::{HalfState, QUEUE_FULL, VARIABLE_ABOVE, VARIABLE_MISSING};
use crate::wire::{Desc, Ring, hex};

/// Descriptors of a run that are written out; a digest stands for the others.
const WRITTEN: usize = 4;
/// Descriptors of a finding that are taken apart.
const TAKEN_APART: usize = 4;

/// Name of a code as in the worked vectors.
pub fn code_name(code: i32) -> String {
    match code {
        0 => "ok".into(),
        -1 => "refused".into(),
        ENOMEM => "no_memory".into(),
        EINVAL => "invalid".into(),
        QUEUE_FULL => "queue_full".into(),
        VARIABLE_ABOVE => "variable_above".into(),
        VARIABLE_MISSING => "variable_missing".into(),
        other => other.to_string(),
    }
}

fn digest(descs: &[Desc]) -> u64 {
    let words = descs.iter().flat_map(|desc| desc.word);
    words.fold(0xcbf2_9ce4_8422_2325, |hash: u64, word| {
        (hash ^ u64::from(word)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn run(name: &str, first: u64, descs: &[Desc]) -> String {
    let written: Vec<String> = descs.iter().take(WRITTEN).map(hex).collect();
    let end = first + descs.len() as u64;
    let mut text = format!(" {name}[{first}..{end}]={}", written.join(","));
    if descs.len() > WRITTEN {
        text += &format!("+{:016x}", digest(&descs[WRITTEN..]));
    }
    text
}

fn half(name: &str, state: &HalfState) -> String {
    let HalfState {
        used,
        pages,
        is_template,
        max_var_id,
        total,
    } = state;
    let pages = pages.map(u8::from);
    format!(
        " {name}: used {used} total {total} template {is_template} max {max_var_id} pages {pages:?}"
    )
}

fn change(change: &Change) -> String {
    match change {
        Change::Half(ring, state) => half(ring.name(), state),
        Change::Vring(name, rounding) => {
            format!(
                " name {:?} rounding {rounding}",
                String::from_utf8_lossy(name)
            )
        }
        Change::Descs(ring, first, descs) => run(ring.name(), *first, descs),
        Change::Alone(ring, index, desc) => {
            format!(" {}[{index}] alone={}", ring.name(), hex(desc))
        }
        Change::Pring(ring, state) => format!(
            " {}_pring: used {} allocated {} memory {}",
            ring.name(),
            state.used,
            state.allocated,
            state.memory
        ),
        Change::Slots(ring, first, descs) => run(&format!("{}_pring", ring.name()), *first, descs),
        Change::Cache(stats) => format!(
            " cache: hits {} misses {} evictions {} entries {} live {}",
            stats.hits, stats.misses, stats.evictions, stats.entries, stats.live
        ),
        Change::Held(ring, descs) => run(&format!("held {}", ring.name()), 0, descs),
    }
}

/// Changes of a step that are written out.
const CHANGES: usize = 64;

pub(super) fn steps(script: &Script, steps: &[Step]) -> Vec<String> {
    let line = |(op, step): (&crate::subject::vring::Op, &Step)| {
        let outcome = &step.outcome;
        let over = match outcome.over_rx {
            0 => String::new(),
            over => format!(", {over} above the RX maximum"),
        };
        let mut changes: String = step.changes.iter().take(CHANGES).map(change).collect();
        if step.changes.len() > CHANGES {
            let rest = step.changes[CHANGES..]
                .iter()
                .map(change)
                .collect::<String>();
            let sum = rest.bytes().fold(0u64, |sum, byte| {
                sum.wrapping_mul(31).wrapping_add(byte.into())
            });
            changes += &format!(" and {} more, {sum:016x}", step.changes.len() - CHANGES);
        }
        format!(
            "{} -> {} {}{over}{changes}",
            op.name(),
            code_name(outcome.code),
            outcome.value
        )
    };
    script.ops.iter().zip(steps).map(line).collect()
}

fn descs(step: &Step, ring: Ring) -> Vec<(u64, Desc)> {
    let lists = step.changes.iter().filter_map(|change| match change {
        Change::Descs(of, first, descs) if *of == ring => Some((*first, descs)),
        _ => None,
    });
    lists
        .flat_map(|(first, descs)| (first..).zip(descs.iter().copied()))
        .collect()
}

/// Descriptors of the halves that differ after a step.
pub(super) fn diffs(want: &Step, got: &Step) -> Vec<DescriptorDiff> {
    let mut out = Vec::new();
    for (ring, view) in [(Ring::Tx, abi::UDMA_VIEW_TX), (Ring::Rx, abi::UDMA_VIEW_RX)] {
        let (want, got) = (descs(want, ring), descs(got, ring));
        let pairs = want.iter().zip(&got);
        let differing = pairs.filter(|((left, want), (right, got))| left == right && want != got);
        for ((index, want), (_, got)) in differing.take(TAKEN_APART - out.len().min(TAKEN_APART)) {
            let label = format!("{}[{index}]", ring.name());
            out.push(names::diff(&label, view, Some(want), Some(got)));
        }
    }
    out
}
