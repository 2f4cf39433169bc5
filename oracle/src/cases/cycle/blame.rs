//! Which rule a wrong run breaks: the first thing that went wrong decides.

use crate::cycle::trace::{Act, Aside, Bell, Descs, Trace};
use crate::cycle::{Run, Step};
use crate::law::word::{meta, word0};
use crate::subject::cycle::Setup;
use crate::wire::{Desc, Ring, pointer};

/// Rules that a wrong trace breaks, the most telling first.
pub(super) fn broken(run: &Run, want: &Trace, got: &Trace) -> Vec<&'static str> {
    let blame = Blame { run, want, got };
    let mut rules = Vec::new();
    rules.extend(blame.first());
    rules.extend(blame.aside());
    if want.cursors != got.cursors {
        rules.push("ACK-3");
    }
    if want.wrong != got.wrong {
        rules.push(match run.steps.first() {
            Some(Step::Memset(_)) => "MSET-1",
            Some(Step::Copy(_) | Step::Submit(..)) => "BTCH-6",
            _ => "ZC-4",
        });
    }
    rules.extend(got.engine.iter().map(|(rule, _)| *rule));
    let mut seen = std::collections::BTreeSet::new();
    rules.retain(|rule| seen.insert(*rule));
    if rules.is_empty() {
        rules.push("BTCH-6");
    }
    rules
}

struct Blame<'a> {
    run: &'a Run,
    want: &'a Trace,
    got: &'a Trace,
}

/// First place where two lists differ.
fn differing<T: PartialEq>(want: &[T], got: &[T]) -> Option<usize> {
    let at = want.iter().zip(got).position(|(want, got)| want != got);
    at.or((want.len() != got.len()).then_some(want.len().min(got.len())))
}

fn descs(bell: &Bell) -> &[Desc] {
    match &bell.descs {
        Descs::All(descs) => descs,
        Descs::Shown { .. } => &[],
    }
}

impl Blame<'_> {
    fn step(&self, act: usize) -> Option<usize> {
        let at = self.want.ends.iter().position(|end| act < *end);
        at.or(self.want.ends.len().checked_sub(1))
    }

    fn is_doorbell(&self, act: &Act) -> bool {
        self.doorbell(act).is_some()
    }

    /// Whether it is a write of the queue program (QINI-5).
    fn is_program(&self, act: &Act) -> bool {
        matches!(act, Act::Write(..)) && !self.is_doorbell(act)
    }

    /// Whether a retry had begun by an access, or begins or fails to begin with it.
    fn retried(&self, at: usize) -> bool {
        let before = &self.want.acts[..at.min(self.want.acts.len())];
        let here = [self.want.acts.get(at), self.got.acts.get(at)];
        let mut acts = before.iter().chain(here.into_iter().flatten());
        acts.any(|act| self.is_program(act))
    }

    fn doorbell(&self, act: &Act) -> Option<Ring> {
        let block = 0x1000 * u64::from(self.run.setup.qid);
        match act {
            Act::Write(offset, _) if *offset == 0x1038 + block => Some(Ring::Tx),
            Act::Write(offset, _) if *offset == 0x2_1038 + block => Some(Ring::Rx),
            _ => None,
        }
    }

    /// The first difference among results, descriptors and accesses.
    fn first(&self) -> Vec<&'static str> {
        let act = differing(&self.want.acts, &self.got.acts);
        let bell = differing(&self.want.bells, &self.got.bells);
        let result = differing(&self.want.results, &self.got.results);
        let act_step = act.and_then(|act| self.step(act));
        if let Some(step) = result
            && (act_step.is_none_or(|other| step < other)
                || act_step == Some(step) && self.is_refusal(step))
        {
            return self.result(step);
        }
        if let Some(step) = act_step
            && self.is_contexts(step)
        {
            return vec!["ZC-8"];
        }
        // A batch that a retry leaves out, or rings once more, shifts all that follows.
        if let Some(at) = act
            && self.retried(at)
            && self.want.acts.get(at).map(std::mem::discriminant)
                != self.got.acts.get(at).map(std::mem::discriminant)
        {
            return vec!["RTRY-1"];
        }
        // Descriptors of a bell were staged before its batch's accesses.
        let rung = |act: usize| {
            let before = &self.want.acts[..act.min(self.want.acts.len())];
            before.iter().filter(|act| self.is_doorbell(act)).count()
        };
        if let Some(bell) = bell
            && bell < self.want.bells.len().min(self.got.bells.len())
            && act.is_none_or(|act| bell / 2 * 2 <= rung(act))
        {
            return self.bell(bell / 2);
        }
        if let Some(act) = act {
            return self.act(act);
        }
        result.map(|step| self.result(step)).unwrap_or_default()
    }

    fn is_contexts(&self, step: usize) -> bool {
        matches!(
            self.run.steps.get(step),
            Some(
                Step::Contexts(_)
                    | Step::Enqueue(..)
                    | Step::ContextsCopy(_)
                    | Step::Advance(_)
                    | Step::Pop
            )
        )
    }

    /// Whether a step's result says that it was refused, or names a handle.
    fn is_refusal(&self, step: usize) -> bool {
        let code = |trace: &Trace| {
            trace
                .results
                .get(step)
                .and_then(|values| values.first().copied())
        };
        let refused = |code: Option<i64>| matches!(code, Some(-22 | -2 | -16));
        let (want, got) = (code(self.want), code(self.got));
        refused(want) || refused(got) || want == got
    }

    fn result(&self, step: usize) -> Vec<&'static str> {
        let code = |trace: &Trace| {
            trace
                .results
                .get(step)
                .and_then(|values| values.first().copied())
        };
        let (want, got) = (code(self.want), code(self.got));
        match self.run.steps.get(step) {
            Some(Step::Submit(_, previous)) if !(-1..=2).contains(previous) => vec!["ASYN-1"],
            Some(Step::Submit(..)) if want == got => vec!["ASYN-1"],
            Some(Step::Submit(transfer, _)) if want == Some(-22) => {
                if transfer.size > self.batch_bytes() {
                    vec!["ASYN-3"]
                } else {
                    vec!["ASYN-4"]
                }
            }
            Some(Step::Submit(..)) => vec!["ASYN-2"],
            Some(Step::Wait(handle)) if !(-1..=2).contains(handle) => vec!["ASYN-1"],
            Some(Step::Wait(_)) if want == Some(-22) => vec!["ASYN-4"],
            Some(Step::Wait(_)) if got == Some(-22) => vec!["ASYN-2"],
            Some(Step::Copy(_) | Step::Wait(_) | Step::Memset(_)) if want != Some(0) => {
                vec!["POLL-1", "RTRY-1"]
            }
            Some(Step::Memset(_)) => vec!["MSET-1"],
            Some(Step::ZeroCopy(_)) if want == Some(-2) || got == Some(-2) => vec!["ZC-7"],
            Some(Step::ZeroCopy(_)) => vec!["ZC-6"],
            Some(_) if self.is_contexts(step) => vec!["ZC-8"],
            _ => vec!["BTCH-6"],
        }
    }

    /// Bytes of a full batch.
    fn batch_bytes(&self) -> u64 {
        let Setup {
            chunk, threshold, ..
        } = self.run.setup;
        u64::from(chunk) * (u64::from(threshold) + 1)
    }

    /// Whether a batch belongs to zero-copy.
    fn is_zero_copy(&self) -> bool {
        self.run
            .steps
            .iter()
            .any(|step| matches!(step, Step::ZeroCopy(_)))
    }

    /// The two doorbells of a batch differ in what they hand over.
    fn bell(&self, batch: usize) -> Vec<&'static str> {
        let of = |trace: &'_ Trace, ring: Ring| {
            let bells = trace.bells.iter().skip(batch * 2).take(2);
            bells
                .filter(|bell| bell.ring == ring)
                .flat_map(descs)
                .copied()
                .collect::<Vec<Desc>>()
        };
        let want = Ring::BOTH.map(|ring| of(self.want, ring));
        let got = Ring::BOTH.map(|ring| of(self.got, ring));
        if got[0].is_empty() || got[1].is_empty() {
            return vec!["TRIG-2"];
        }
        if got[0].len() != got[1].len() {
            return vec!["BTCH-4"];
        }
        let start = |trace: &Trace| trace.bells.get(batch * 2).map(|bell| bell.start);
        if start(self.want) != start(self.got) {
            let retried = self.want.acts.iter().any(|act| self.is_program(act));
            return vec![if retried { "RTRY-1" } else { "ACK-2" }, "RING-3"];
        }
        let more = got[0].len() > want[0].len();
        if more && (0..2).all(|side| got[side][..want[side].len()] == want[side][..]) {
            return vec!["BTCH-4"]; // more than was staged
        }
        if self.is_zero_copy() {
            return self.pages(batch, &want, &got);
        }
        let Some(at) = differing(&want[0], &got[0]).or_else(|| differing(&want[1], &got[1])) else {
            return vec!["BTCH-4"];
        };
        let data = |sides: &[Vec<Desc>; 2]| sides[0].len() - 1;
        let (wanted, found) = (data(&want), data(&got));
        if found == 0 {
            return vec!["BTCH-6"]; // ERR-14
        }
        if wanted != found {
            let full = self.run.setup.threshold as usize + 1;
            let is_full = wanted == full || found >= full;
            let alike = length(&want[0][0]) == length(&got[0][0]);
            return vec![if is_full && alike { "BTCH-2" } else { "BTCH-1" }];
        }
        if let Some(rules) = self.bits(at, &want, &got) {
            return rules;
        }
        if length(&want[0][at]) != length(&got[0][at]) {
            return vec!["BTCH-1"];
        }
        self.address(batch, at, &want, &got)
    }

    /// Blame of what is alike for all kinds of batches: marker, phase, orders, unequal lengths.
    fn bits(
        &self,
        at: usize,
        want: &[Vec<Desc>; 2],
        got: &[Vec<Desc>; 2],
    ) -> Option<Vec<&'static str>> {
        let pair = |sides: &[Vec<Desc>; 2]| Some([*sides[0].get(at)?, *sides[1].get(at)?]);
        let (expected, found) = (pair(want)?, pair(got)?);
        let marker = [*want[0].last()?, *want[1].last()?];
        let is_marker = at + 1 == want[0].len();
        let without_phase = |desc: Desc| {
            let [first, rest @ ..] = desc.word;
            (first & !word0::RING_ID, rest)
        };
        let same_copy = |one: Desc, other: Desc| without_phase(one) == without_phase(other);
        if !is_marker && same_copy(found[0], marker[0]) && got[0].len() == want[0].len() {
            return Some(vec!["MARK-2"]);
        }
        let zero_copy = self.is_zero_copy();
        if (0..2).all(|side| same_copy(expected[side], found[side])) {
            return Some(vec!["RING-4", "MODL-2"]);
        }
        let changed = |side: usize, word: usize| expected[side].word[word] ^ found[side].word[word];
        let orders = (changed(0, 1) & meta::WRITE_BARRIER)
            | ((changed(0, 0) | changed(1, 0)) & (word0::DMB | word0::SOW));
        let others = (0..2).any(|side| pointer(&expected[side]) != pointer(&found[side]))
            || length(&expected[0]) != length(&found[0]);
        if orders != 0 && !others {
            return Some(vec![if zero_copy { "ZC-5" } else { "BTCH-3" }, "MODL-5"]);
        }
        if length(&found[0]) == length(&expected[0]) && length(&found[1]) != length(&found[0]) {
            return Some(vec!["BLDR-2", "MODL-3"]);
        }
        let window = self.run.arch().window();
        let off_window = (0..2).any(|side| {
            let (one, other) = (pointer(&expected[side]), pointer(&found[side]));
            one != other && (one | window == other | window || one & !window == other & !window)
        });
        if off_window {
            return Some(vec!["HOST-1"]);
        }
        if !is_marker || got[0].len() != want[0].len() {
            return None;
        }
        let pointers = (0..2).all(|side| pointer(&expected[side]) == pointer(&found[side]));
        if pointers {
            return Some(vec!["MARK-1"]);
        }
        if length(&found[0]) != 4 {
            return Some(vec!["MARK-2"]); // another pair, or none, stands last
        }
        let base = self.run.arch().host(self.run.setup.completion);
        let in_slots = (base..base + 24).contains(&pointer(&found[0]));
        Some(vec![if zero_copy {
            "ZC-6"
        } else if in_slots && pointer(&found[0]) != pointer(&expected[0]) {
            "MARK-4"
        } else {
            "MARK-1"
        }])
    }

    /// A data pair goes from or to another place.
    fn address(
        &self,
        batch: usize,
        at: usize,
        want: &[Vec<Desc>; 2],
        got: &[Vec<Desc>; 2],
    ) -> Vec<&'static str> {
        let again = self.want.bells.first().is_some_and(|first| {
            let first = descs(first).get(at).map(pointer);
            batch > 0 && first == Some(pointer(&got[1][at]))
        });
        let fills = matches!(self.run.steps.first(), Some(Step::Memset(_)));
        let source = pointer(&want[0][at]) != pointer(&got[0][at]);
        if again {
            vec!["BTCH-6"]
        } else if fills && source {
            vec!["MSET-1", "BTCH-5"]
        } else {
            vec!["BTCH-5"]
        }
    }

    /// The pairs of a zero-copy step.
    fn pages(
        &self,
        batch: usize,
        want: &[Vec<Desc>; 2],
        got: &[Vec<Desc>; 2],
    ) -> Vec<&'static str> {
        let Some(at) = differing(&want[0], &got[0]).or_else(|| differing(&want[1], &got[1])) else {
            return vec!["ZC-6"];
        };
        let swapped = |at: usize| {
            let (want, got) = (want[0].get(at).zip(want[1].get(at)), got[0].get(at));
            want.zip(got).is_some_and(|((tx, rx), got)| {
                pointer(rx) == pointer(got) && pointer(tx) != pointer(got)
            })
        };
        if swapped(at) {
            return vec!["ZC-4"];
        }
        let bytes = |descs: &[Desc]| descs[..descs.len() - 1].iter().map(length).sum::<u64>();
        let (wanted, found) = (bytes(&want[0]), bytes(&got[0]));
        let offset = match self.run.steps.first() {
            Some(Step::ZeroCopy(copy)) => copy.user % 4096,
            _ => 0,
        };
        let whole = want[0].len() == got[0].len();
        if wanted != found
            && whole
            && at + 2 == want[0].len()
            && found > wanted
            && self.is_last(batch)
        {
            return vec!["ZC-3"]; // the last page is read beyond its end
        }
        if wanted != found {
            let shortened = batch == 0 && offset != 0 && found == wanted + offset;
            return vec![if shortened { "ZC-2" } else { "ZC-1" }];
        }
        if let Some(rules) = self.bits(at, want, got) {
            return rules;
        }
        vec!["ZC-3"]
    }

    fn is_last(&self, batch: usize) -> bool {
        (batch + 1) * 2 >= self.want.bells.len()
    }

    /// An access differs, is missing, or is one too many.
    fn act(&self, at: usize) -> Vec<&'static str> {
        let (want, got) = (self.want.acts.get(at), self.got.acts.get(at));
        let before = &self.want.acts[..at.min(self.want.acts.len())];
        if self.retried(at) {
            return vec!["RTRY-1"];
        }
        let step = self.step(at).and_then(|step| self.run.steps.get(step));
        let after_look = before
            .iter()
            .rev()
            .find(|act| !matches!(act, Act::Store(..)))
            .is_some_and(|act| matches!(act, Act::Poll(..)));
        let zero_copy = self.is_zero_copy();
        let window = self.run.arch().window();
        let too_large =
            matches!(step, Some(Step::Submit(transfer, _)) if transfer.size > self.batch_bytes());
        match (want, got) {
            (Some(Act::Read(_)), _) | (_, Some(Act::Read(_))) => vec!["POLL-5"],
            (Some(Act::Store(address, _)), Some(Act::Store(other, _)))
                if address != other && address | window == other | window =>
            {
                vec!["HOST-1"]
            }
            (Some(Act::Store(..)), _) if after_look => vec!["MARK-3"],
            (Some(Act::Store(address, _)), Some(Act::Store(other, _)))
                if address / 8 != other / 8 =>
            {
                vec![if zero_copy { "ZC-6" } else { "MARK-4" }]
            }
            (Some(Act::Store(..)), Some(Act::Barrier))
                if before.iter().any(|act| self.is_doorbell(act)) =>
            {
                let armed = matches!(before.last(), Some(Act::Store(..)));
                vec![if armed { "MARK-1" } else { "BTCH-6" }]
            }
            (Some(Act::Store(..)), Some(Act::Delay(_) | Act::Poll(..) | Act::PollDelay(..)))
            | (Some(Act::Barrier), Some(Act::Delay(_))) => {
                vec![if zero_copy { "ZC-6" } else { "ASYN-2" }]
            }
            (Some(Act::Store(..)) | None, None | Some(Act::Store(..))) if too_large => {
                vec!["ASYN-3"]
            }
            (Some(Act::Store(..)), _) => vec!["MARK-1"],
            (Some(Act::Write(..)), Some(Act::Write(..))) => {
                let (want, got) = (
                    want.and_then(|act| self.doorbell(act)),
                    got.and_then(|act| self.doorbell(act)),
                );
                vec![if want == got { "BTCH-4" } else { "TRIG-2" }]
            }
            (Some(Act::Barrier | Act::Write(..)), _) | (_, Some(Act::Barrier)) => vec!["TRIG-5"],
            (Some(Act::Ack(ring, _)), Some(Act::Ack(other, _))) => {
                vec![if ring == other { "ACK-2" } else { "ACK-1" }]
            }
            (_, Some(Act::Ack(..))) if want.is_none() => vec!["POLL-1"],
            (Some(Act::Ack(..)), _) | (Some(_), Some(Act::Ack(..))) => vec!["ACK-1"],
            (
                Some(Act::Poll(address, _) | Act::PollDelay(address, _)),
                Some(Act::Poll(other, _) | Act::PollDelay(other, _)),
            ) if address != other => {
                vec![if zero_copy { "ZC-6" } else { "ASYN-2" }]
            }
            (Some(Act::Delay(_)), Some(Act::Delay(_))) => {
                vec![if self.run.setup.platform == 0 {
                    "POLL-2"
                } else {
                    "POLL-3"
                }]
            }
            (Some(Act::PollDelay(_, looks)), Some(Act::PollDelay(_, others)))
                if looks.abs_diff(*others) > 2 =>
            {
                vec![if self.run.setup.platform == 0 {
                    "POLL-2"
                } else {
                    "POLL-3"
                }]
            }
            _ => match step {
                Some(Step::Submit(..)) if !matches!(want, Some(Act::Delay(_))) => {
                    vec!["ASYN-2", "POLL-1"]
                }
                _ => vec!["POLL-1"],
            },
        }
    }

    /// What recordings leave out.
    fn aside(&self) -> Option<&'static str> {
        let at = differing(&self.want.asides, &self.got.asides)?;
        let find = |trace: &Trace| trace.asides.get(at).map(|(_, aside)| *aside);
        Some(match (find(self.want), find(self.got)) {
            (Some(Aside::Fill(..)), _) | (_, Some(Aside::Fill(..))) => "MSET-1",
            (Some(Aside::Window(_)), _) | (_, Some(Aside::Window(_))) => "RTRY-1",
            _ if self.is_zero_copy() => "ZC-6",
            _ => "ZC-8",
        })
    }
}

/// DESC-3.
fn length(desc: &Desc) -> u64 {
    match desc.word[0] & word0::LENGTH {
        0 => 65536,
        length => length.into(),
    }
}
