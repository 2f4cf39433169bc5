//! The words of BAR0 that user space may not write (BAR0-1..3).

use super::QUEUES;
use super::regs::{self, ring};
use crate::Arch;
use crate::error::FAILED;
use crate::fault::mutant;
use crate::io::Side;

/// Blocked words of one ring's block (BAR0-1).
pub const BLOCKED: [u64; 5] = [
    ring::BASE_LOW,
    ring::BASE_HIGH,
    ring::DOORBELL,
    ring::COMPLETION_LOW,
    ring::COMPLETION_HIGH,
];
/// Blocked words of an engine: both sides of 16 queues.
pub const BLOCKED_PER_ENGINE: usize = 2 * QUEUES * BLOCKED.len();

/// Engines at equal distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EngineRun {
    /// Base of the first, in BAR0.
    pub base: u64,
    /// Distance.
    pub stride: u64,
    /// Engines.
    pub count: u64,
}

const fn run(base: u64, stride: u64, count: u64) -> EngineRun {
    EngineRun {
        base,
        stride,
        count,
    }
}

/// Engines of v2, in the order of their numbers (BAR0-2).
pub const RUNS_SUNDA: [EngineRun; 4] = [
    run(0x3000_0000, 0x4_0000, 16),
    run(0x3070_0000, 0x4_0000, 16),
    run(0x3060_0000, 0x4_0000, 1),
    run(0x30d0_0000, 0x4_0000, 1),
];
/// Engines of v3 and v4, in the order of their numbers (BAR0-2).
pub const RUNS: [EngineRun; 6] = [
    run(0x8200_0000, 0x10_0000, 32),
    run(0x9400_0000, 0x10_0000, 32),
    run(0xa200_0000, 0x10_0000, 32),
    run(0xb400_0000, 0x10_0000, 32),
    run(0x0680_0000, 0x10_0000, 2),
    run(0x4680_0000, 0x10_0000, 2),
];

/// Miscellaneous RAM of v2 (BAR0-3).
pub const MISC_RAM_SUNDA: u64 = 0x30fa_0000;
/// Miscellaneous RAM of v3 and v4 (BAR0-3).
pub const MISC_RAM: u64 = 0x06c8_4000;
/// Blocked words of the miscellaneous RAM (BAR0-3).
pub const MISC_RAM_WORDS: [u64; 5] = [0x1f0, 0x1f4, 0x1f8, 0x1fc, 0x800];

/// A user write that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("BAR0 offset {offset:#x} may not be written")]
pub struct Blocked {
    /// The offset.
    pub offset: u64,
}

impl Blocked {
    /// The code that the gate returns (BAR0-1).
    pub const fn code(self) -> i32 {
        FAILED
    }
}

/// Runs of engines of an architecture.
pub fn runs(arch: Arch) -> &'static [EngineRun] {
    match arch {
        Arch::Sunda => &RUNS_SUNDA,
        _ if mutant(392) => &RUNS[..4],
        _ => &RUNS,
    }
}

/// Bases of an architecture's engines, by number (BAR0-2).
pub fn engine_bases(arch: Arch) -> impl Iterator<Item = u64> {
    runs(arch).iter().flat_map(move |run| {
        let moved = mutant(393) && run.base == RUNS_SUNDA[3].base;
        let base = if moved { 0x30c0_0000 } else { run.base };
        (0..run.count).map(move |index| base + run.stride * index)
    })
}

/// Base of the miscellaneous RAM.
pub const fn misc_ram(arch: Arch) -> u64 {
    match arch {
        Arch::Sunda => MISC_RAM_SUNDA,
        Arch::Cayman | Arch::Mariana => MISC_RAM,
    }
}

/// Whether a word of an engine is blocked; `relative` counts from the engine's base. Offsets are
/// compared as they are: an unaligned neighbour is allowed (BAR0-1).
pub fn engine_blocks(relative: u64) -> bool {
    let relative = if mutant(391) { relative & !3 } else { relative };
    sides().any(|side| {
        let first = regs::queue_block(side, 0);
        let stride = regs::queue_block(side, 1) - first;
        relative.checked_sub(first).is_some_and(|inside| {
            inside < stride * QUEUES as u64 && BLOCKED.contains(&(inside % stride))
        })
    })
}

/// The same for an engine at any base.
///
/// # Errors
/// [`Blocked`].
pub fn check_engine(base: u64, offset: u64) -> Result<(), Blocked> {
    match offset.checked_sub(base) {
        Some(relative) if engine_blocks(relative) => Err(Blocked { offset }),
        _ => Ok(()),
    }
}

/// The gate: whether user space may write at an offset of BAR0.
///
/// # Errors
/// [`Blocked`].
pub fn check(arch: Arch, offset: u64) -> Result<(), Blocked> {
    let in_engine = runs(arch).iter().any(|run| {
        let moved = mutant(393) && run.base == RUNS_SUNDA[3].base;
        let base = if moved { 0x30c0_0000 } else { run.base };
        offset.checked_sub(base).is_some_and(|inside| {
            inside < run.stride * run.count && engine_blocks(inside % run.stride)
        })
    });
    let in_ram = offset
        .checked_sub(misc_ram(arch))
        .is_some_and(|inside| MISC_RAM_WORDS.contains(&inside))
        && !(mutant(394) && arch == Arch::Mariana);
    if in_engine || in_ram {
        Err(Blocked { offset })
    } else {
        Ok(())
    }
}

/// Every offset that is refused: engine by engine, TX before RX, then the miscellaneous RAM.
pub fn blocked_offsets(arch: Arch) -> impl Iterator<Item = u64> {
    let ram = misc_ram(arch);
    engine_bases(arch)
        .flat_map(|base| {
            sides().flat_map(move |side| {
                (0..QUEUES as u32).flat_map(move |qid| {
                    let block = base + regs::queue_block(side, qid);
                    BLOCKED.into_iter().map(move |word| block + word)
                })
            })
        })
        .chain(MISC_RAM_WORDS.into_iter().map(move |word| ram + word))
}

fn sides() -> impl Iterator<Item = Side> {
    [Side::Tx, Side::Rx]
        .into_iter()
        .filter(|side| !(mutant(390) && *side == Side::Rx))
}
