//! The BAR0 gate (BAR0).

use super::{Check, CheckError, Level, vectors};
use crate::cases::bar0::{Gate, call, gate, one_engine, sweep};
use crate::law::bar0::{engines, in_engine, in_ram, misc_ram, refused};
use crate::session::Session;
use crate::subject::ops::Bar0;

const RULES: &[&str] = &["BAR0-1", "BAR0-2", "BAR0-3"];
/// Bytes of an engine's block.
const BLOCK: u64 = 0x4_0000;

pub const CHECKS: &[Check] = &[
    Check {
        suite: "bar0",
        name: "bar0_block",
        rules: RULES,
        level: Level::Heavy,
        run: recorded,
    },
    Check {
        suite: "bar0",
        name: "edges",
        rules: RULES,
        level: Level::Quick,
        run: edges,
    },
    Check {
        suite: "bar0",
        name: "every_word",
        rules: RULES,
        level: Level::Deep,
        run: every_word,
    },
];

fn recorded(session: &mut Session) -> Result<(), CheckError> {
    vectors(session, "bar0_block")
}

/// Every refused word with its neighbours: in the first engine and at a base of its own, in the
/// RAM, and one queue of every other engine; the ends of everything.
fn edges(session: &mut Session) -> Result<(), CheckError> {
    let words = in_engine();
    for arch in 2..=4 {
        let mut cases = Vec::new();
        let mut push = |case: Bar0| cases.push(case);
        let around = |at: u64| (at.saturating_sub(4)..=at.saturating_add(4)).rev();
        let bases = engines(arch);
        for (number, base) in bases.iter().enumerate() {
            let chosen = words.iter().enumerate();
            for (index, word) in chosen {
                if number == 0 || index / 5 == number % 32 {
                    around(base + word).for_each(|at| push(gate(arch, at)));
                }
            }
            for at in [0, 0x38000, BLOCK - 4, BLOCK, BLOCK + 0x1028] {
                push(gate(arch, base + at));
            }
        }
        for base in [0, 0x100_0000, 0xffff_ffff_0000_0000] {
            for word in &words {
                around(base + word).for_each(|at| push(one_engine(arch, base, at)));
            }
            push(one_engine(arch, base.max(1), 0));
        }
        for word in in_ram(arch) {
            around(word).for_each(|at| push(gate(arch, at)));
        }
        let ram = misc_ram(arch);
        for at in [0, ram - 4, ram, ram + 0xffc, u64::MAX, u64::MAX - 3] {
            push(gate(arch, at));
        }
        for (index, case) in cases.iter().enumerate() {
            let origin = || format!("v{arch} edges#{index}");
            session.try_case::<Gate>(&origin, &call(case), None);
        }
    }
    Ok(())
}

/// Every word of every engine's block and of the RAM, and the second half of the distance between
/// engines.
fn every_word(session: &mut Session) -> Result<(), CheckError> {
    for arch in 2..=4 {
        let expected = refused(arch);
        let range = |from: u64, bytes: u64| {
            let offsets = (from..from + bytes).step_by(4);
            offsets.map(|offset| gate(arch, offset)).collect::<Vec<_>>()
        };
        for (number, base) in engines(arch).into_iter().enumerate() {
            let origin = || format!("v{arch} engine {number}");
            let rules = ["BAR0-1", "BAR0-2"];
            sweep(session, &origin, &range(base, BLOCK), &expected, &rules);
            if session.done() {
                return Ok(());
            }
        }
        let ram = range(misc_ram(arch), 0x1000);
        sweep(
            session,
            &|| format!("v{arch} RAM"),
            &ram,
            &expected,
            &["BAR0-3"],
        );
    }
    Ok(())
}
