//! The user-space shadow queue (SWQ), by counting slots.

use super::question::Question;
use crate::generate::mix;
use crate::line::Line;
use crate::subject::cycle::{Commit, Cycle};
use crate::wire::Desc;

/// Slots of each ring whose phase is asked after each reserve.
const ASKED: u64 = 8;

/// Reserves one after the other.
pub struct Script;

impl Question for Script {
    const NAME: &'static str = "shadow_script";
    const ARGS: &'static [&'static str] = &["tx_count", "rx_count"];
    const RULES: &'static [&'static str] = &["SWQ-1", "SWQ-2", "SWQ-3", "SWQ-5"];

    /// Both queues at first; then, for each reserve, code, first slots, both queues, phases.
    fn ask(cycle: &dyn Cycle, args: &[u64]) -> Option<Vec<u64>> {
        let (mut tx, mut rx) = (cycle.shadow(args[0] as u32)?, cycle.shadow(args[1] as u32)?);
        let mut answer = Vec::new();
        let state = |answer: &mut Vec<u64>, queues: [&crate::subject::cycle::Shadow; 2]| {
            for queue in queues {
                answer.extend(
                    [queue.next_desc_idx, queue.desc_ring_id, queue.desc_count].map(u64::from),
                );
            }
        };
        state(&mut answer, [&tx, &rx]);
        for count in &args[2..] {
            let (code, first) = cycle.shadow_reserve(&mut tx, &mut rx, *count as u32)?;
            answer.push(u64::from(code != 0));
            answer.extend(if code == 0 { first } else { [0; 2] }.map(u64::from));
            state(&mut answer, [&tx, &rx]);
            for queue in [&tx, &rx] {
                for index in 0..ASKED {
                    answer.push(cycle.shadow_ring_id_at(queue, index as u32)?.into());
                }
            }
        }
        Some(answer)
    }

    fn required(line: Line, args: &[u64]) -> Option<Vec<u64>> {
        let counts = [args[0], args[1]];
        let usable = |count: &u64| (1..=u64::from(u32::MAX)).contains(count);
        if line != Line::Hal || !counts.iter().all(usable) {
            return None;
        }
        // Slots handed out since the start.
        let mut slots = [0u64; 2];
        let phase = |slot: u64, count: u64| (1 + slot / count) % 4;
        let state = |slots: [u64; 2]| {
            (0..2).flat_map(move |side| {
                let count = counts[side];
                [slots[side] % count, phase(slots[side], count), count]
            })
        };
        let mut answer: Vec<u64> = state(slots).collect();
        for wanted in &args[2..] {
            let wanted = wanted % (1 << 32);
            if counts.iter().any(|count| wanted > *count) {
                answer.extend([1, 0, 0]);
            } else {
                answer.extend([0, slots[0] % counts[0], slots[1] % counts[1]]);
                slots = slots.map(|slot| slot + wanted);
            }
            answer.extend(state(slots));
            for side in 0..2 {
                let (count, taken) = (counts[side], slots[side]);
                for index in 0..ASKED {
                    // The last slot handed out with that place; a lap before the first: phase 0.
                    let place = index % count;
                    let lap = (taken + count - 1 - place) / count;
                    answer.push(lap % 4);
                }
            }
        }
        Some(answer)
    }

    fn broken(args: &[u64], want: &[u64], got: &[u64]) -> Vec<&'static str> {
        if want[..6] != got[..got.len().min(6)] {
            return vec!["SWQ-1"];
        }
        let turn = 9 + 2 * ASKED as usize;
        let at = want.iter().zip(got).position(|(want, got)| want != got);
        let Some(at) = at.map(|at| at - 6) else {
            return vec!["SWQ-2"];
        };
        let end = 3 + at / turn;
        let counts = &args[2..end];
        let ends = counts.iter().sum::<u64>() % args[0].max(1) == 0;
        match at % turn {
            place if place >= 9 => vec!["SWQ-3"],
            place if place >= 3 && ends => vec!["SWQ-5", "SWQ-2"],
            _ => vec!["SWQ-2"],
        }
    }
}

/// A commit.
pub struct Commits;

/// Descriptor number `index` of a case.
fn authored(seed: u64, index: u64, ring_id: u64) -> Desc {
    let (one, other) = (mix(seed, index), mix(!seed, index));
    let word0 = one as u32 & !0x0300_0000 | (ring_id as u32 & 3) << 24;
    Desc {
        word: [
            word0,
            (one >> 32) as u32,
            other as u32,
            (other >> 32) as u32,
        ],
    }
}

impl Question for Commits {
    const NAME: &'static str = "shadow_commit";
    const ARGS: &'static [&'static str] = &[
        "ring_count",
        "first",
        "phase",
        "descriptors",
        "addresses",
        "ring_id",
    ];
    const RULES: &'static [&'static str] = &["SWQ-4"];

    /// Refused or not, runs, the ring's words, and slots whose ring id is not their lap's.
    fn ask(cycle: &dyn Cycle, args: &[u64]) -> Option<Vec<u64>> {
        let [count, first, phase, descs, addresses, ring_id] = args.try_into().ok()?;
        let mut ring = vec![crate::wire::FILL; count as usize];
        let asked = Commit {
            descs: (0..descs).map(|at| authored(7, at, ring_id)).collect(),
            addresses: (addresses != 0).then(|| (0..descs).map(|at| mix(5, at)).collect()),
            first: first as u32,
            phase: phase as u32,
        };
        let (code, runs) = cycle.shadow_commit(&asked, &mut ring)?;
        let mut answer = vec![
            u64::from(code != 0),
            if code == 0 { runs.into() } else { 0 },
        ];
        answer.extend(ring.iter().flat_map(|desc| desc.word).map(u64::from));
        answer.push(strangers(&ring, args));
        Some(answer)
    }

    fn required(line: Line, args: &[u64]) -> Option<Vec<u64>> {
        let [count, first, phase, descs, addresses, ring_id] = args.try_into().ok()?;
        if line != Line::Hal || count == 0 || count > 1 << 12 || descs > 1 << 13 {
            return None;
        }
        let mut ring = vec![crate::wire::FILL; count as usize];
        let refused = descs > count || descs != 0 && first >= count;
        let mut runs = 0;
        if !refused {
            for at in 0..descs {
                let place = first + at;
                let lap = (phase + place / count) % 4;
                let mut desc = authored(7, at, ring_id);
                desc.word[0] |= (lap as u32) << 24;
                if addresses != 0 {
                    let pointer = mix(5, at);
                    (desc.word[2], desc.word[3]) = (pointer as u32, (pointer >> 32) as u32);
                }
                ring[(place % count) as usize] = desc;
            }
            runs = u64::from(descs != 0) + u64::from(first + descs > count && descs != 0);
        }
        let mut answer = vec![u64::from(refused), runs];
        answer.extend(ring.iter().flat_map(|desc| desc.word).map(u64::from));
        answer.push(strangers(&ring, args));
        Some(answer)
    }

    fn broken(_args: &[u64], _want: &[u64], _got: &[u64]) -> Vec<&'static str> {
        vec!["SWQ-4"]
    }
}

/// Slots written whose ring id is not that of their lap: what an engine refuses (MODL-2). None with
/// ring id 0; with the id that a vring gives, some in every phase that lacks its bit.
fn strangers(ring: &[Desc], args: &[u64]) -> u64 {
    let (count, first, phase, descs) = (args[0], args[1], args[2], args[3]);
    let wrong = |at: &u64| {
        let place = first + at;
        let id = ring[(place % count) as usize].word[0] >> 24 & 3;
        u64::from(id) != (phase + place / count) % 4
    };
    if descs > count || first >= count {
        return 0;
    }
    (0..descs).filter(wrong).count() as u64
}
