//! Pairs: the answer that the rules require, and which rule a differing bit belongs to.

// Verdicts come in any order over a batch: combined without branches they cannot be mispredicted.
#![allow(clippy::needless_bitwise_bool)]

use super::version::{Version, knows_sow, version};
use super::word::{EINVAL, MOST_BYTES, meta, word0};
use crate::line::Line;
use crate::wire::{Desc, PairIn, PairOut, pointer};
use udma_reference::abi;

/// What kind of request a case is, as bits; rules apply to kinds.
pub mod kind {
    /// The mode is not known to the line (BARR-3).
    pub const UNKNOWN_MODE: u16 = 1;
    /// Strong-ordered write is asked for on SUNDA (BARR-4).
    pub const SOW_ON_SUNDA: u16 = 2;
    /// Mode 3 in the kernel line, whose meaning depends on the version (BARR-5).
    pub const KERNEL_SOW: u16 = 4;
    /// Size above 65536 (BLDR-4).
    pub const OVERSIZE: u16 = 8;
    /// Size 0 (BLDR-5).
    pub const ZERO: u16 = 16;
    /// A ring id above 3 (BLDR-6).
    pub const WIDE_ID: u16 = 32;
    /// The rules accept the request.
    pub const ACCEPTED: u16 = 64;
    /// Inside the common domain of BLDR-7.
    pub const COMMON: u16 = 128;
    /// `sow` beside a mode, HAL line (BLDR-12).
    pub const SOW_BESIDE: u16 = 256;
    /// All kinds there are.
    pub const COUNT: usize = 512;
}

/// Kind of a case. Every condition is worked out, none skipped: cases of a sweep come in any order,
/// and branches on them would cost more than they save.
#[inline]
pub fn kind_of(line: Line, case: &PairIn) -> u16 {
    kind_where(line, case, knows_sow(case.driver))
}

/// The same where mode 3 is known to the kernel line or is not (BARR-5).
#[inline]
pub fn kind_where(line: Line, case: &PairIn, knows_sow: bool) -> u16 {
    let hal = line == Line::Hal;
    let flag = |holds: bool, bit: u16| if holds { bit } else { 0 };
    let modes = if hal | knows_sow { 4 } else { 3 };
    let known = (case.mode as u32) < modes; // a negative mode is a large number
    let beside = hal & (case.sow != 0);
    let gate = ((case.mode == 3) | beside) & (u32::from(case.arch) == abi::UDMA_ARCH_SUNDA);
    let (oversize, zero) = (case.size > MOST_BYTES, case.size == 0);
    let wide = (case.rx_ring_id > 3) | (case.tx_ring_id > 3);
    let accepted = known & !oversize & !(hal & (zero | gate));
    let common = accepted & !zero & !wide & !gate & (case.sow == 0);
    flag(!known, kind::UNKNOWN_MODE)
        | flag(known & gate, kind::SOW_ON_SUNDA)
        | flag(!hal & (case.mode == 3), kind::KERNEL_SOW)
        | flag(oversize, kind::OVERSIZE)
        | flag(zero, kind::ZERO)
        | flag(wide, kind::WIDE_ID)
        | flag(accepted, kind::ACCEPTED)
        | flag(common, kind::COMMON)
        | flag(beside & (case.mode != 0), kind::SOW_BESIDE)
}

/// The answer required for a case whose slots held `slots`. The HAL line's code of a refusal is
/// -1 whatever it is: only "refused, nothing written" is judged there (BLDR-12).
#[inline]
pub fn required(line: Line, case: &PairIn, kind: u16, slots: &PairOut) -> PairOut {
    if kind & kind::ACCEPTED == 0 {
        return PairOut {
            ret: refusal(line, kind, version(case.driver)),
            ..*slots
        };
    }
    let sow = case.mode == 3 || line == Line::Hal && case.sow != 0;
    let length = (case.size & 0xffff) as u32;
    PairOut {
        tx: desc(
            word0::FIRST
                | word0::LAST
                | if case.mode == 1 { word0::DMB } else { 0 }
                | ring_id(line, case.tx_ring_id)
                | length,
            meta::PLAIN_COPY
                | if case.mode == 2 {
                    meta::WRITE_BARRIER
                } else {
                    0
                },
            case.src,
        ),
        rx: desc(
            if sow { word0::SOW } else { 0 }
                | if case.dst_int != 0 { word0::INT_EN } else { 0 }
                | ring_id(line, case.rx_ring_id)
                | length,
            0,
            case.dst,
        ),
        ret: 0,
        unused: slots.unused,
    }
}

/// The code of a refusal: BARR-3 before BLDR-4.
pub fn refusal(line: Line, kind: u16, version: &Version) -> i32 {
    match line {
        Line::Hal => -1,
        Line::Kernel if kind & kind::UNKNOWN_MODE != 0 => EINVAL,
        Line::Kernel => version.oversize,
    }
}

/// BLDR-6.
#[inline]
fn ring_id(line: Line, id: u32) -> u32 {
    match line {
        Line::Kernel => id << 24,
        Line::Hal => id << 24 & word0::RING_ID,
    }
}

/// A descriptor of word0, word1 and pointer (DESC-1).
#[inline]
pub fn desc(word0: u32, word1: u32, pointer: u64) -> Desc {
    Desc {
        word: [word0, word1, pointer as u32, (pointer >> 32) as u32],
    }
}

/// Rules that have something to say about a kind of case; `true` where the case lies inside a
/// known divergence of that rule.
pub fn rules_of(line: Line, kind: u16) -> Vec<(&'static str, bool)> {
    let has = |bits| kind & bits != 0;
    let mut rules = Vec::new();
    let accepted = has(kind::ACCEPTED);
    if has(kind::UNKNOWN_MODE) {
        rules.push(("BARR-3", false));
    }
    if has(kind::KERNEL_SOW) {
        rules.push(("BARR-5", false));
    }
    if has(kind::SOW_ON_SUNDA) {
        rules.push(("BARR-4", true));
    }
    if has(kind::OVERSIZE) && !has(kind::UNKNOWN_MODE) {
        rules.push(("BLDR-4", false));
        rules.push(("BLDR-8", false));
    }
    if has(kind::ZERO) && !has(kind::UNKNOWN_MODE) {
        rules.push(("BLDR-5", true));
    }
    if has(kind::WIDE_ID) && accepted {
        rules.push(("BLDR-6", true));
    }
    if line == Line::Hal && (!accepted || has(kind::SOW_BESIDE)) {
        rules.push(("BLDR-12", false));
    }
    rules.push(("DESC-5", false));
    if accepted {
        let always = [
            "BARR-1", "BARR-2", "META-1", "META-2", "DESC-2", "DESC-3", "DESC-4", "BLDR-1",
            "BLDR-2", "BLDR-3",
        ];
        rules.extend(always.map(|rule| (rule, false)));
    }
    if has(kind::COMMON) {
        rules.push(("BLDR-7", false));
    }
    rules
}

/// The rules that a wrong answer breaks, the most telling one first; never empty when the answers
/// differ. `slots` is what the slots held.
pub fn broken(
    line: Line,
    case: &PairIn,
    slots: &PairOut,
    want: &PairOut,
    got: &PairOut,
) -> Vec<&'static str> {
    if want == got {
        return Vec::new();
    }
    let kind = kind_of(line, case);
    let has = |bits: u16| kind & bits != 0;
    let mut rules = Vec::new();
    let mut blame = |broken: bool, rule: &'static str| {
        if broken && !rules.contains(&rule) {
            rules.push(rule);
        }
    };
    let touched = |out: &PairOut| out.tx != slots.tx || out.rx != slots.rx;
    let accepted = got.ret == 0;
    let verdict = (want.ret == 0) != accepted;

    // What must be refused, or must not be.
    if want.ret != 0 || verdict {
        let (unknown, gate) = (has(kind::UNKNOWN_MODE), has(kind::SOW_ON_SUNDA));
        let (oversize, zero) = (has(kind::OVERSIZE), has(kind::ZERO));
        blame(unknown && !has(kind::KERNEL_SOW), "BARR-3");
        blame(has(kind::KERNEL_SOW) && unknown, "BARR-5");
        // On the kernel line the gate must not exist; what a size does is not the gate's.
        let gates = match line {
            Line::Kernel => !accepted && !oversize && !zero,
            Line::Hal => accepted,
        };
        blame(gate && verdict && gates, "BARR-4");
        blame(
            has(kind::KERNEL_SOW) && verdict && !oversize && !zero,
            "BARR-5",
        );
        let sized = !(unknown || gate && line == Line::Hal);
        let late = want.rx == slots.rx && got.rx != slots.rx && !accepted;
        blame(oversize && sized && late, "BLDR-8");
        blame(oversize && sized, "BLDR-4");
        blame(zero && sized && verdict, "BLDR-5");
        blame(line == Line::Hal && want.ret != 0, "BLDR-12");
        blame(want.ret != 0 && !accepted && touched(got), "DESC-5");
        blame(verdict && want.ret == 0, "BLDR-7");
        blame(true, "BLDR-4");
        return rules;
    }
    accepted_bits(line, case, kind, slots, want, got, &mut blame);
    rules
}

/// Bits of an accepted pair by the rule that owns them.
fn accepted_bits(
    line: Line,
    case: &PairIn,
    kind: u16,
    slots: &PairOut,
    want: &PairOut,
    got: &PairOut,
    blame: &mut impl FnMut(bool, &'static str),
) {
    let diff = |want: &Desc, got: &Desc, word: usize| want.word[word] ^ got.word[word];
    let (tx0, rx0) = (diff(&want.tx, &got.tx, 0), diff(&want.rx, &got.rx, 0));
    let (tx1, rx1) = (diff(&want.tx, &got.tx, 1), diff(&want.rx, &got.rx, 1));
    let order = |out: &PairOut| {
        (
            out.tx.word[0] & word0::DMB,
            out.tx.word[1] & meta::WRITE_BARRIER,
            out.rx.word[0] & word0::SOW,
        )
    };
    let ordering = order(want) != order(got);
    // The whole of another mode was done.
    let other_mode = ordering
        && [
            (0, 0, 0),
            (word0::DMB, 0, 0),
            (0, meta::WRITE_BARRIER, 0),
            (0, 0, word0::SOW),
        ]
        .contains(&order(got))
        && order(got) != (0, 0, 0);
    let beside = kind & kind::SOW_BESIDE != 0;
    blame(other_mode && !beside, "BARR-1");
    blame(beside && rx0 & word0::SOW != 0, "BLDR-12");
    // A barrier is there, but not at bit 26.
    let misplaced = tx1 & meta::WRITE_BARRIER != 0 && tx1 & !meta::WRITE_BARRIER != 0;
    blame(misplaced && case.mode == 2, "META-2");
    let stray = tx0 & (word0::DMB | word0::SOW) | rx0 & (word0::DMB | word0::SOW);
    blame(
        ordering || stray != 0 && kind & kind::WIDE_ID == 0,
        "BARR-2",
    );
    blame(
        tx1 & !(meta::WRITE_BARRIER | meta::NOTIFICATION) != 0,
        "META-1",
    );
    blame(tx1 & meta::NOTIFICATION != 0, "META-2");
    if kind & kind::ZERO != 0 {
        blame(
            (tx0 | rx0) & (word0::LENGTH | word0::RESERVED) != 0,
            "BLDR-5",
        );
    }
    // Where one side alone is off, how a length is written is not in question.
    let (tx_off, rx_off) = (tx0 & word0::LENGTH != 0, rx0 & word0::LENGTH != 0);
    blame(tx_off != rx_off, "BLDR-3");
    blame(tx_off && rx_off, "DESC-3");
    blame((tx0 | rx0) & word0::RESERVED != 0, "DESC-4");
    let spilt = 0xff00_0000;
    let wide = |id: u32, diff: u32| id > 3 && diff & spilt != 0;
    blame(
        wide(case.tx_ring_id, tx0) || wide(case.rx_ring_id, rx0),
        "BLDR-6",
    );
    let same = |mask| (got.tx.word[0] ^ got.rx.word[0]) & mask == 0;
    let ids = if line == Line::Hal {
        word0::RING_ID
    } else {
        spilt
    };
    blame(
        !same(word0::LENGTH) || (tx0 | rx0) & ids & word0::RING_ID != 0,
        "BLDR-3",
    );
    let kept = |index: usize| {
        got.rx.word[index] == slots.rx.word[index] && want.rx.word[index] != slots.rx.word[index]
            || got.tx.word[index] == slots.tx.word[index]
                && want.tx.word[index] != slots.tx.word[index]
    };
    blame((0..4).any(kept), "DESC-5");
    let pointers = pointer(&want.tx) != pointer(&got.tx) || pointer(&want.rx) != pointer(&got.rx);
    blame(rx1 != 0 || pointers, "DESC-2");
    blame(
        tx0 & !word0::LENGTH != 0 || pointer(&want.tx) != pointer(&got.tx),
        "BLDR-1",
    );
    blame(
        rx0 & !word0::LENGTH != 0 || rx1 != 0 || pointer(&want.rx) != pointer(&got.rx),
        "BLDR-2",
    );
    blame(kind & kind::COMMON != 0, "BLDR-7");
}
