//! Generated scripts on virtual rings: how they are made up, and what holds of every step whatever
//! the law of the oracle says.

use rayon::prelude::*;
use udma_oracle::generate::vring::{DEEP_SCRIPTS, script, script_of_run};
use udma_oracle::law::vring::{LawMachine, PAGE};
use udma_oracle::law::word::{ENOMEM, word0};
use udma_oracle::session::Options;
use udma_oracle::subject::vring::{Dump, Machine, Op, Outcome};
use udma_oracle::subjects::built_in;
use udma_oracle::wire::{Desc, Ring, pointer};

const SEED: u64 = 77;

/// How a script is made up: its length, its steps by kind, and whether a half grows over the end
/// of a page.
fn census(number: u64) -> (usize, [u64; Op::NAMES.len()], bool) {
    let script = script_of_run(Options::default().seed, number);
    let mut kinds = [0; Op::NAMES.len()];
    for op in &script.ops {
        kinds[op.kind()] += 1;
    }
    // Only a script that authors a page is worth running for it.
    let mut crosses = false;
    if script.chunks() > PAGE {
        let mut machine = LawMachine::new(script.arch);
        crosses = script.ops.iter().any(|op| {
            machine.run(op);
            machine.vring().halves[0].descs.len() as u64 > PAGE
        });
    }
    (script.ops.len(), kinds, crosses)
}

/// The very scripts of a deep run.
#[test]
fn scripts_are_made_up_as_promised() {
    let all: Vec<_> = (0..DEEP_SCRIPTS).into_par_iter().map(census).collect();
    let mut lengths: Vec<usize> = all.iter().map(|(length, ..)| *length).collect();
    lengths.sort_unstable();
    let (least, median, most) = (
        lengths[0],
        lengths[lengths.len() / 2],
        lengths[lengths.len() - 1],
    );
    let crossing = all.iter().filter(|(.., crosses)| *crosses).count();
    let steps: usize = lengths.iter().sum();
    println!("{} scripts, {steps} steps", all.len());
    println!("operations a script: {least} to {most}, median {median}");
    println!("over the end of a page: {crossing}");
    assert!(least >= 1 && most <= 200 && median >= 40);
    assert!(crossing >= 2_000, "{crossing}");
    for (kind, name) in Op::NAMES.iter().enumerate() {
        let count: u64 = all.iter().map(|(_, kinds, _)| kinds[kind]).sum();
        let share = 100.0 * count as f64 / steps as f64;
        println!("{name}: {share:.2} % of the steps");
        assert!(share >= 3.0, "{name}: {share}");
    }
}

fn read(machine: &dyn Machine, ring: Ring) -> Vec<Desc> {
    let used = machine.header().unwrap().halves[ring as usize].used;
    let mut descs = vec![Desc::default(); used as usize];
    assert_eq!(machine.read(ring, 0, &mut descs), used);
    descs
}

fn slots(machine: &dyn Machine, ring: Ring) -> Vec<Desc> {
    let state = machine.pring(ring).unwrap_or_default();
    let mut slots = vec![Desc::default(); state.memory as usize];
    machine.read_pring(ring, 0, &mut slots);
    slots
}

fn bytes(desc: &Desc) -> u64 {
    match desc.word[0] & 0xffff {
        0 => 65_536,
        length => length.into(),
    }
}

const FLAGS: u32 = word0::FIRST | word0::LAST | word0::CONCAT;

fn is_plain(desc: &Desc) -> bool {
    desc.word[0] & word0::META == 0 && desc.word[1] >> 23 & 7 == 2
}

/// PACK-1 to PACK-5, on the descriptors before and after.
fn packed(arch: u8, op: &Op, outcome: Outcome, before: &[Desc], after: &[Desc]) {
    let Op::Pack {
        start,
        end,
        max_bytes,
    } = *op
    else {
        unreachable!()
    };
    let range = start as usize..end as usize;
    let firsts = |descs: &[Desc]| {
        let first = |desc: &&Desc| desc.word[0] & word0::FIRST != 0;
        descs[range.clone()].iter().filter(first).count() as i64
    };
    assert_eq!(outcome.value, firsts(after) - firsts(before));
    for (index, (old, new)) in before.iter().zip(after).enumerate() {
        assert_eq!(old.word[1..], new.word[1..]);
        assert_eq!((old.word[0] ^ new.word[0]) & !FLAGS, 0);
        if !range.contains(&index) || !is_plain(old) {
            assert_eq!(old, new);
        }
    }
    let most = if arch == 2 { 128 } else { 65 };
    let (mut count, mut sum, mut open) = (0, 0, false);
    for desc in &after[range] {
        if !is_plain(desc) {
            assert!(!open, "a packet goes on over another class");
            (count, sum) = (0, 0);
            continue;
        }
        let flags = desc.word[0] & FLAGS;
        assert_eq!(flags & word0::FIRST == 0, open);
        assert_ne!(flags & word0::LAST == 0, flags & word0::CONCAT == 0);
        if open {
            (count, sum) = (count + 1, sum + bytes(desc));
        } else {
            // It did not fit the packet before.
            assert!(count == 0 || count == most || sum + bytes(desc) > max_bytes);
            (count, sum) = (1, bytes(desc));
        }
        assert!(count <= most && (sum <= max_bytes || count == 1));
        open = flags & word0::CONCAT != 0;
    }
    assert!(!open, "the last descriptor closes its packet");
}

/// EDIT-2, in arithmetic that cannot wrap.
fn rewritten(op: &Op, outcome: Outcome, before: &[Desc], after: &[Desc]) {
    let Op::AddrRewrite {
        base,
        size,
        new_base,
    } = *op
    else {
        unreachable!()
    };
    let whole = 1u128 << 64;
    let mut moved = 0;
    for (old, new) in before.iter().zip(after) {
        assert_eq!(old.word[..2], new.word[..2]);
        let distance = (u128::from(pointer(old)) + whole - u128::from(base)) % whole;
        let inside = distance < size.into() && old.word[0] & word0::META == 0;
        let target = (distance + u128::from(new_base)) % whole;
        let want = if inside { target } else { pointer(old).into() };
        assert_eq!(u128::from(pointer(new)), want);
        moved += i64::from(inside);
    }
    assert_eq!(outcome.value, moved);
}

/// DUMP-2 to DUMP-5: the descriptors, then no-ops, and nothing else.
fn dumped(machine: &dyn Machine, half: Ring, dump: &Dump, descs: &[Desc], before: &[Desc]) {
    let (state, slots) = (machine.pring(half).unwrap(), slots(machine, half));
    let padded = dump.padded.map_or(descs.len(), |padded| padded as usize);
    assert_eq!(state.used as usize, padded);
    let first = (state.memory - u64::from(state.allocated)) as usize;
    assert_eq!(slots[..first], before[..first]);
    assert_eq!(slots[first..first + descs.len()], *descs);
    let word0 = if half == Ring::Tx {
        0x0d00_0004
    } else {
        0x0100_0004
    };
    for no_op in &slots[first + descs.len()..first + padded] {
        assert_eq!((no_op.word[0], pointer(no_op)), (word0, dump.scratch));
    }
    assert_eq!(slots[first + padded..], before[first + padded..]);
    if dump.free {
        assert!(read(machine, half).is_empty());
    }
}

#[test]
fn every_step_keeps_what_it_must() {
    let mut seen = [0u32; 4];
    for name in ["rust-hal", "c-hal"] {
        let subject = built_in(name).unwrap();
        let vrings = subject.vrings().unwrap();
        for number in 0..250 {
            let script = script(SEED, number);
            let mut machine = vrings.machine(script.arch).unwrap();
            for op in &script.ops {
                let state = |machine: &dyn Machine| {
                    let halves = Ring::BOTH.map(|ring| read(machine, ring));
                    (machine.header().unwrap(), halves)
                };
                let (header, before) = state(machine.as_ref());
                let memory = Ring::BOTH.map(|ring| slots(machine.as_ref(), ring));
                let outcome = machine.step(op).unwrap();
                let (header_after, after) = state(machine.as_ref());
                if outcome.code == ENOMEM {
                    seen[0] += 1;
                    assert_eq!((header, &before), (header_after, &after), "{op:?}");
                    continue;
                }
                match op {
                    Op::Pack { .. } if outcome.code == 0 => {
                        seen[1] += 1;
                        packed(script.arch, op, outcome, &before[0], &after[0]);
                        assert_eq!(before[1], after[1]);
                        let again = machine.step(op).unwrap();
                        assert_eq!((again.code, again.value), (0, 0));
                        assert_eq!(read(machine.as_ref(), Ring::Tx), after[0]);
                    }
                    Op::AddrRewrite { .. } => {
                        seen[2] += 1;
                        rewritten(op, outcome, &before[0], &after[0]);
                        assert_eq!(before[1], after[1]);
                    }
                    Op::Dump { half, dump, .. } if outcome.code == 0 => {
                        seen[3] += 1;
                        let at = *half as usize;
                        dumped(machine.as_ref(), *half, dump, &before[at], &memory[at]);
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
}
