//! Which rule a wrong step breaks.

mod template;

use super::{Change, Script, Step};
use crate::law::vring::{LawMachine, is_joinable};
use crate::law::word::{EINVAL, ENOMEM, meta, word0};
use crate::subject::vring::{Dump, HalfState, Machine as _, Op, PringState, QUEUE_FULL};
use crate::wire::{Desc, Ring};

/// Rules that an operation tries.
pub fn rules_of(op: &Op) -> &'static [&'static str] {
    match op {
        Op::Transfer(transfer) | Op::TransferEx(transfer) if transfer.size == 0 => &["XFER-6"],
        Op::Transfer(_) | Op::TransferEx(_) => &[
            "XFER-1", "XFER-2", "XFER-3", "XFER-4", "XFER-7", "VRNG-2", "VRNG-3", "VRNG-4",
        ],
        Op::Poke { .. } => &["XFER-5", "XFER-1", "XFER-3", "XFER-7", "VRNG-4"],
        Op::Packet(_) => &["BLDR-9", "BLDR-10", "BLDR-12", "XFER-1", "XFER-3", "VRNG-4"],
        Op::Raw { .. } => &["VRNG-3", "VRNG-4"],
        Op::Pack { .. } => &["PACK-1", "PACK-2", "PACK-3", "PACK-4", "PACK-5"],
        Op::DmbOnLastPacket => &["EDIT-1", "XFER-7"],
        Op::AddrRewrite { .. } => &["EDIT-2"],
        Op::SemaphoreWanted { .. } => &["EDIT-3"],
        Op::EmbedSemaphore { .. } => &["EDIT-3", "EDIT-4"],
        Op::Template { .. } => &["VRNG-2"],
        Op::Resolve { .. } => &["TMPL-1", "TMPL-2"],
        Op::DeepCopy | Op::Free => &["VRNG-7"],
        Op::Pring { .. } => &["PRNG-1", "PRNG-2"],
        Op::PringSize { .. } => &["PRNG-2"],
        Op::Dump { .. } | Op::DumpBoth { .. } => {
            &["DUMP-1", "DUMP-2", "DUMP-3", "DUMP-4", "DUMP-5", "PRNG-1"]
        }
        Op::PageBudget { .. } => &["VRNG-4"],
        Op::Cache { .. } | Op::Release { .. } => &["TMPL-3"],
        Op::Acquire { .. } => &["TMPL-3", "TMPL-1", "TMPL-2"],
    }
}

/// Rules that step `at` breaks, the most telling first.
pub fn rules(script: &Script, at: usize, want: &Step, got: &Step) -> Vec<&'static str> {
    let wrong = Wrong {
        before: script.state_after(at),
        op: &script.ops[at],
        repeated: at > 0 && script.ops[at - 1] == script.ops[at],
        want,
        got,
    };
    let first = wrong.first();
    let mut rules = vec![first];
    let others = rules_of(wrong.op).iter();
    rules.extend(others.filter(|rule| **rule != first));
    rules
}

/// A list's changes in one step by index.
type Listed = Vec<(u64, Desc)>;

fn listed(step: &Step, pick: impl Fn(&Change) -> Option<(u64, &Vec<Desc>)>) -> Listed {
    let lists = step.changes.iter().filter_map(pick);
    lists
        .flat_map(|(first, descs)| (first..).zip(descs.iter().copied()))
        .collect()
}

/// The first index where two lists of changes differ, and what either has there.
fn first_difference(want: &Listed, got: &Listed) -> Option<(u64, Option<Desc>, Option<Desc>)> {
    let equal = want.iter().zip(got).take_while(|(want, got)| want == got);
    let common = equal.count();
    match (want.get(common), got.get(common)) {
        (None, None) => None,
        (Some((index, desc)), None) => Some((*index, Some(*desc), None)),
        (None, Some((index, desc))) => Some((*index, None, Some(*desc))),
        (Some((left, want)), Some((right, got))) => {
            let index = *left.min(right);
            let there = |at: u64, desc: &Desc| (at == index).then_some(*desc);
            Some((index, there(*left, want), there(*right, got)))
        }
    }
}

/// A step that went wrong.
struct Wrong<'s> {
    /// The state before it, by the rules.
    before: LawMachine,
    op: &'s Op,
    /// Whether the step before it was the same.
    repeated: bool,
    want: &'s Step,
    got: &'s Step,
}

impl Wrong<'_> {
    /// First descriptor of a half that differs: index, what it has to be, what it is; none inside
    /// where it is not there.
    fn desc(&self, ring: Ring) -> Option<(u64, Option<Desc>, Option<Desc>)> {
        let pick = |step: &Step| {
            listed(step, |change| match change {
                Change::Descs(of, first, descs) if *of == ring => Some((*first, descs)),
                _ => None,
            })
        };
        let (index, want, got) = first_difference(&pick(self.want), &pick(self.got))?;
        let before = self.old(ring).get(index as usize).copied();
        Some((index, want.or(before), got.or(before)))
    }

    /// First slot of a pring's memory that differs.
    fn slot(&self, ring: Ring) -> Option<(u64, Option<Desc>, Option<Desc>)> {
        let pick = |step: &Step| {
            listed(step, |change| match change {
                Change::Slots(of, first, descs) if *of == ring => Some((*first, descs)),
                _ => None,
            })
        };
        first_difference(&pick(self.want), &pick(self.got))
    }

    fn old(&self, ring: Ring) -> &[Desc] {
        &self.before.vring().halves[ring as usize].descs
    }

    /// A half after the step.
    fn half(&self, step: &Step, ring: Ring) -> HalfState {
        let changed = step.changes.iter().find_map(|change| match change {
            Change::Half(of, state) if *of == ring => Some(*state),
            _ => None,
        });
        let header = self.before.header().unwrap_or_default();
        changed.unwrap_or(header.halves[ring as usize])
    }

    /// A pring after the step.
    fn pring(&self, step: &Step, ring: Ring) -> PringState {
        let changed = step.changes.iter().find_map(|change| match change {
            Change::Pring(of, state) if *of == ring => Some(*state),
            _ => None,
        });
        changed.or(self.before.pring(ring)).unwrap_or_default()
    }

    fn codes(&self) -> (i32, i32) {
        (self.want.outcome.code, self.got.outcome.code)
    }

    fn differs(&self, of: impl Fn(&HalfState) -> u64) -> bool {
        Ring::BOTH
            .iter()
            .any(|ring| of(&self.half(self.want, *ring)) != of(&self.half(self.got, *ring)))
    }

    /// The rule to be named first.
    fn first(&self) -> &'static str {
        let alone = |change: &Change| matches!(change, Change::Alone(..));
        if self.got.changes.iter().any(alone) {
            return "VRNG-3";
        }
        match self.op {
            Op::Transfer(transfer) | Op::TransferEx(transfer) if transfer.size == 0 => "XFER-6",
            Op::Transfer(_) | Op::TransferEx(_) | Op::Poke { .. } => self.transfer(),
            Op::Packet(_) => self.packet(),
            Op::Raw { .. } if self.codes().0 == self.codes().1 && !self.differs(used) => "VRNG-3",
            Op::Raw { .. } | Op::PageBudget { .. } => "VRNG-4",
            Op::Pack { .. } => self.pack(),
            Op::DmbOnLastPacket => "EDIT-1",
            Op::AddrRewrite { .. } => "EDIT-2",
            Op::SemaphoreWanted { .. } => "EDIT-3",
            Op::EmbedSemaphore { .. } if self.want.outcome != self.got.outcome => "EDIT-3",
            Op::EmbedSemaphore { .. } => "EDIT-4",
            Op::Template { .. } => "VRNG-2",
            Op::Resolve { addresses } => self.resolve(self.before.vring(), addresses),
            Op::DeepCopy | Op::Free => "VRNG-7",
            Op::Pring { .. } | Op::PringSize { .. } => "PRNG-2",
            Op::Dump { half, pring, dump } => self.dump(*half, *pring, dump),
            Op::DumpBoth { .. } => self.dump_both(),
            Op::Cache { .. } | Op::Release { .. } => "TMPL-3",
            Op::Acquire { addresses } => self.acquire(addresses),
        }
    }

    /// A refusal, or the lack of one, in what is authored.
    fn refusal(&self) -> Option<&'static str> {
        let (want, got) = self.codes();
        match (want, got) {
            (QUEUE_FULL, QUEUE_FULL) => Some("XFER-4"),
            (ENOMEM | QUEUE_FULL, _) | (_, ENOMEM | QUEUE_FULL) => Some("VRNG-4"),
            _ => None,
        }
    }

    fn transfer(&self) -> &'static str {
        let poke = matches!(self.op, Op::Poke { .. });
        let form = if poke { "XFER-5" } else { "XFER-1" };
        if let Some(rule) = self.refusal() {
            return rule;
        }
        if self.codes().0 != self.codes().1 {
            return form;
        }
        let (tx, rx) = (self.desc(Ring::Tx), self.desc(Ring::Rx));
        let bits = |found: Option<(u64, Option<Desc>, Option<Desc>)>, word: usize| match found {
            Some((_, Some(want), Some(got))) => want.word[word] ^ got.word[word],
            _ => 0,
        };
        let barrier = bits(tx, 1) & meta::WRITE_BARRIER != 0;
        if barrier {
            return "XFER-7";
        }
        let lengths = (bits(tx, 0) | bits(rx, 0)) & word0::LENGTH != 0;
        if (bits(tx, 0) | bits(rx, 0)) & word0::RING_ID != 0 {
            return "XFER-1";
        }
        let ordering = bits(tx, 0) & word0::DMB | bits(rx, 0) & word0::SOW;
        if ordering != 0 && !lengths {
            return if poke { "XFER-5" } else { "XFER-2" };
        }
        if tx.is_some() || rx.is_some() || self.differs(used) {
            return form;
        }
        if self.differs(|half| half.total) {
            return "XFER-3";
        }
        "VRNG-2"
    }

    fn packet(&self) -> &'static str {
        if let Some(rule) = self.refusal() {
            return rule;
        }
        if self.codes().0 != self.codes().1 {
            return if self.codes().0 == 0 {
                "BLDR-9"
            } else {
                "BLDR-12"
            };
        }
        for ring in Ring::BOTH {
            if let Some((_, Some(want), Some(got))) = self.desc(ring) {
                let bits = [want.word[0] ^ got.word[0], want.word[1] ^ got.word[1]];
                let placed = [
                    word0::DMB | word0::INT_EN,
                    meta::WRITE_BARRIER | meta::NOTIFICATION,
                ];
                return if bits[0] & word0::RING_ID != 0 {
                    "XFER-1"
                } else if bits[0] & placed[0] | bits[1] & placed[1] != 0 {
                    "BLDR-10"
                } else {
                    "BLDR-9"
                };
            }
        }
        if self.differs(|half| half.total) {
            "XFER-3"
        } else {
            "BLDR-9"
        }
    }

    fn pack(&self) -> &'static str {
        let (want, got) = (&self.want.outcome, &self.got.outcome);
        if want.code != got.code {
            return if want.over_rx > 0 && want.code == 0 {
                "PACK-1"
            } else {
                "PACK-4"
            };
        }
        if want.code != 0 {
            return "PACK-4";
        }
        let Some((index, Some(wanted), Some(found))) = self.desc(Ring::Tx) else {
            let outside = self.desc(Ring::Rx).is_some() || self.desc(Ring::Tx).is_some();
            return if outside {
                "PACK-5"
            } else if want.over_rx != got.over_rx {
                "PACK-1"
            } else {
                "PACK-3"
            };
        };
        let flags = word0::FIRST | word0::LAST | word0::CONCAT;
        let others =
            wanted.word[1..] != found.word[1..] || (wanted.word[0] ^ found.word[0]) & !flags != 0;
        if others {
            return "PACK-5";
        }
        let old = self.old(Ring::Tx);
        let foreign = |index: u64| {
            old.get(index as usize)
                .is_some_and(|desc| !is_joinable(desc))
        };
        let end = found.word[0] & word0::LAST != 0;
        if foreign(index) || foreign(index + 1) && !end {
            return "PACK-2";
        }
        if self.repeated && self.want.changes.is_empty() {
            return "PACK-5";
        }
        "PACK-1"
    }

    fn dump(&self, half: Ring, pring: Ring, dump: &Dump) -> &'static str {
        let (want, got) = self.codes();
        if want != got || want != 0 {
            return "DUMP-1";
        }
        self.dumped(half, pring, dump.padded)
    }

    /// A dump that was carried out.
    fn dumped(&self, half: Ring, ring: Ring, padded: Option<u32>) -> &'static str {
        let filled = self.old(half).len() as u64;
        let memory = self.pring(self.want, ring);
        let first = memory.memory - u64::from(memory.allocated);
        let padded = padded.map(u64::from);
        if let Some((index, ..)) = self.slot(ring) {
            return match index.checked_sub(first) {
                None => "DUMP-2",
                Some(slot) if slot < filled => "DUMP-2",
                Some(slot) if padded.is_some_and(|padded| slot < padded) => "DUMP-3",
                Some(_) => "DUMP-5",
            };
        }
        "DUMP-4"
    }

    fn dump_both(&self) -> &'static str {
        let Op::DumpBoth {
            tx_padded,
            rx_padded,
            ..
        } = self.op
        else {
            return "DUMP-5";
        };
        let (want, got) = self.codes();
        let padded = [*tx_padded, *rx_padded];
        let brim = Ring::BOTH.into_iter().any(|ring| {
            let there = self.before.pring(ring).unwrap_or_default();
            padded[ring as usize].unwrap_or(self.old(ring).len() as u32) == there.allocated
        });
        if want != got {
            // A ring that is just full enough, or one padded as the other.
            return if brim { "DUMP-1" } else { "DUMP-5" };
        }
        let slots = Ring::BOTH
            .into_iter()
            .find(|ring| self.slot(*ring).is_some());
        if want == EINVAL {
            return if slots.is_some() { "DUMP-5" } else { "DUMP-1" };
        }
        let used = |step: &Step, ring| self.pring(step, ring).used;
        let other = padded[0].unwrap_or(self.old(Ring::Tx).len() as u32);
        let rx = used(self.got, Ring::Rx);
        let as_tx = used(self.want, Ring::Rx) != rx && rx == other;
        match slots {
            Some(Ring::Rx) if as_tx => "DUMP-5",
            Some(ring) => self.dumped(ring, ring, padded[ring as usize]),
            None if as_tx && rx as usize != self.old(Ring::Rx).len() => "DUMP-5",
            None => "DUMP-4",
        }
    }
}

fn used(half: &HalfState) -> u64 {
    half.used.into()
}
