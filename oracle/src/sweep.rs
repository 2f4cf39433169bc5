//! Sweeps over very many pairs: batches on every subject, held against what the rules require, on
//! all cores. Which case comes at an index never depends on how the work is spread, and results
//! are taken in the order of the indices, so that equal runs find equal things.

use rayon::prelude::*;

use crate::cases::pair::{Pair, PairAnswer, filled, judged};
use crate::family::{Family, Held};
use crate::law::pair::{kind, kind_of, required, rules_of};
use crate::line::Line;
use crate::session::Session;
use crate::tally::Tally;
use crate::wire::{Desc, FILL, PairIn, PairOut};

/// Cases per batch; inputs and answers of a few subjects stay in the second-level cache.
const BATCH: usize = 1024;
/// Batches between two looks at whether the run is to end.
const GROUP: u64 = 256;

struct Failure {
    subject: usize,
    rule: usize,
    case: PairIn,
    index: u64,
}

/// Cases by kind.
type Kinds = [u64; kind::COUNT];

/// What a batch, or several without a failure, came to.
struct Batch {
    /// Index of its first case.
    first: u64,
    /// Cases by group of subjects and by kind, without the zeros.
    kinds: Vec<Vec<(u16, u64)>>,
    not_offered: Vec<bool>,
    /// Subjects that are not counted: out of patience, or dead.
    left_out: Vec<bool>,
    /// Of those left out, the ones that died: index of the first case, the cases.
    died: Vec<(usize, u64, Vec<PairIn>)>,
    /// None as long as every answer was right.
    wrong: Option<Wrong>,
}

/// The wrong answers of a batch.
struct Wrong {
    /// Failed cases by subject and kind.
    kinds: Vec<Vec<u64>>,
    failed: Tally,
    failures: Vec<Failure>,
}

/// What one worker needs for a batch, kept from batch to batch.
struct Buffers {
    cases: Vec<PairIn>,
    /// The same as they are put to a group that is held to something.
    held: Vec<PairIn>,
    kinds: Vec<u16>,
    want: Vec<PairOut>,
    got: Vec<PairOut>,
    histogram: [u64; kind::COUNT],
}

impl Buffers {
    fn new() -> Self {
        Self {
            cases: vec![PairIn::default(); BATCH],
            held: vec![PairIn::default(); BATCH],
            kinds: vec![0; BATCH],
            want: vec![PairOut::default(); BATCH],
            got: vec![PairOut::default(); BATCH],
            histogram: [0; kind::COUNT],
        }
    }
}

/// Tries `count` pairs and counts them in the session; `make` writes the cases from an index on
/// into a batch. Gives the pairs tried: fewer than `count` only when the run ended at a finding.
pub fn pairs(
    session: &mut Session,
    label: &str,
    count: u64,
    make: impl Fn(u64, &mut [PairIn]) + Sync,
) -> u64 {
    let batches = count.div_ceil(BATCH as u64);
    let mut refused = vec![false; session.subjects.len()];
    // A batch is one case of the check: parts of a run take whole ones.
    let base = session.next_cases(batches);
    let mut start = 0;
    while start < batches && !session.done() {
        let end = (start + GROUP).min(batches);
        let shared = SessionView::new(session);
        let ours: Vec<u64> = (start..end)
            .filter(|batch| shared.session.takes(base + batch))
            .collect();
        let results: Vec<Batch> = ours
            .into_par_iter()
            .map_init(Buffers::new, |buffers, batch| {
                let first = batch * BATCH as u64;
                let count = (count - first).min(BATCH as u64) as usize;
                shared.run(buffers, [batch, batches], first, count, &make)
            })
            .collect();
        // Right answers are counted once for a stretch of batches: only a wrong one ends a run.
        for stretch in results.chunk_by(|left, right| {
            left.wrong.is_none()
                && left.not_offered == right.not_offered
                && left.left_out == right.left_out
        }) {
            count_kinds(session, stretch);
            take(session, label, base, stretch);
            for (subject, first, cases) in stretch.iter().flat_map(|batch| &batch.died) {
                session.at_case(base + first / BATCH as u64);
                one_by_one(session, label, *subject, *first, cases);
            }
            for (subject, refused) in refused.iter_mut().enumerate() {
                let [first, ..] = stretch else { continue };
                if first.left_out[subject] {
                    continue;
                }
                if !first.not_offered[subject] {
                    session.answered::<Pair>(subject, 1);
                } else if !std::mem::replace(refused, true) {
                    // Whether all of them are refused, or one that takes the others along.
                    let mut cases =
                        vec![PairIn::default(); BATCH.min((count - first.first) as usize)];
                    make(first.first, &mut cases);
                    session.at_case(base + first.first / BATCH as u64);
                    one_by_one(session, label, subject, first.first, &cases);
                }
            }
            if session.done() {
                break;
            }
        }
        start = end;
    }
    (start * BATCH as u64).min(count)
}

/// The same over a list of cases.
pub fn list(session: &mut Session, label: &str, cases: &[PairIn]) -> u64 {
    pairs(session, label, cases.len() as u64, |first, batch| {
        batch.copy_from_slice(&cases[first as usize..][..batch.len()]);
    })
}

/// Counts of a stretch of batches, of which only the last may hold wrong answers.
fn count_kinds(session: &mut Session, stretch: &[Batch]) {
    let Some(last) = stretch.last() else {
        return;
    };
    let mut kinds: Vec<Kinds> = vec![[0; kind::COUNT]; last.kinds.len()];
    for batch in stretch {
        for (sum, counts) in kinds.iter_mut().zip(&batch.kinds) {
            for (kind, cases) in counts {
                sum[usize::from(*kind)] += cases;
            }
        }
    }
    let (_, group_of) = groups(session);
    for subject in 0..session.subjects.len() {
        let line = session.subjects[subject].line();
        for (bits, cases) in kinds[group_of[subject]].iter().enumerate() {
            if *cases == 0 || last.left_out[subject] {
                continue;
            }
            let wrong = last.wrong.as_ref();
            let failed = wrong.map_or(0, |wrong| wrong.kinds[subject][bits]);
            for (rule, diverged) in rules_of(line, bits as u16) {
                if last.not_offered[subject] {
                    session.not_offered(rule, subject);
                } else {
                    let held = if diverged { cases - failed } else { 0 };
                    session.count(rule, subject, *cases, held);
                }
            }
        }
    }
}

/// A batch that a subject died of, case by case.
fn one_by_one(session: &mut Session, label: &str, subject: usize, first: u64, cases: &[PairIn]) {
    for (index, case) in (first..).zip(cases) {
        if session.done() {
            return;
        }
        session.try_on::<Pair>(subject, &|| format!("{label}#{index}"), case, None);
    }
}

/// Findings of a stretch of batches.
fn take(session: &mut Session, label: &str, base: u64, stretch: &[Batch]) {
    let Some(wrong) = stretch.last().and_then(|batch| batch.wrong.as_ref()) else {
        return;
    };
    session.add(&wrong.failed);
    for failure in &wrong.failures {
        let asked = session.subjects[failure.subject].as_ref();
        let line = asked.line();
        let (Some(want), Some(got)) = (
            Pair::required(line, &failure.case),
            Pair::ask(asked, &failure.case),
        ) else {
            continue;
        };
        let index = failure.index;
        let origin = || format!("{label}#{index}");
        session.at_case(base + index / BATCH as u64);
        session.find::<Pair>(failure.subject, &origin, &failure.case, &want, &got);
    }
}

/// Kinds of cases and the answers required of a line.
fn require(line: Line, cases: &[PairIn], kinds: &mut [u16], want: &mut [PairOut]) {
    // One loop a line, in which the line is a constant.
    match line {
        Line::Kernel => require_of(
            |case| kind_and_answer(Line::Kernel, case),
            cases,
            kinds,
            want,
        ),
        Line::Hal => require_of(|case| kind_and_answer(Line::Hal, case), cases, kinds, want),
    }
}

#[inline]
fn kind_and_answer(line: Line, case: &PairIn) -> (u16, PairOut) {
    let kind = kind_of(line, case);
    (kind, required(line, case, kind, &filled(FILL)))
}

fn require_of(
    rules: impl Fn(&PairIn) -> (u16, PairOut),
    cases: &[PairIn],
    kinds: &mut [u16],
    want: &mut [PairOut],
) {
    for ((case, kind), want) in cases.iter().zip(kinds).zip(want) {
        (*kind, *want) = rules(case);
    }
}

/// Brings the codes of a line's answers into the form in which they are judged, and tells whether
/// all answers are right. All are looked at in full, without a branch on what was found.
fn all_right(line: Line, want: &[PairOut], got: &mut [PairOut]) -> bool {
    let mut wrong = 0;
    for (want, got) in want.iter().zip(got) {
        got.ret = judged(line, got.ret);
        wrong |= difference(&want.tx, &got.tx) | difference(&want.rx, &got.rx);
        wrong |= (want.ret ^ got.ret) as u32 | want.unused ^ got.unused;
    }
    wrong == 0
}

/// The bits in which two descriptors differ, all words on top of each other.
#[inline]
fn difference(want: &Desc, got: &Desc) -> u32 {
    let words = want.word.iter().zip(&got.word);
    words.fold(0, |bits, (want, got)| bits | want ^ got)
}

/// Subjects of which the same is required: of one line, and held to the same.
type Group = (Line, Held);

/// The groups of a session, and the group of each subject.
fn groups(session: &Session) -> (Vec<Group>, Vec<usize>) {
    let mut groups: Vec<Group> = Vec::new();
    let of = (0..session.subjects.len()).map(|subject| {
        let group = (session.subjects[subject].line(), session.held(subject));
        groups
            .iter()
            .position(|known| *known == group)
            .unwrap_or_else(|| {
                groups.push(group);
                groups.len() - 1
            })
    });
    let of = of.collect();
    (groups, of)
}

/// What the batches need of a session, shareable between threads.
struct SessionView<'s> {
    session: &'s Session<'s>,
    groups: Vec<Group>,
    group_of: Vec<usize>,
}

impl<'s> SessionView<'s> {
    fn new(session: &'s Session<'s>) -> Self {
        let (groups, group_of) = groups(session);
        Self {
            session,
            groups,
            group_of,
        }
    }

    fn run(
        &self,
        buffers: &mut Buffers,
        [number, of]: [u64; 2],
        first: u64,
        count: usize,
        make: &impl Fn(u64, &mut [PairIn]),
    ) -> Batch {
        let subjects = self.session.subjects;
        let made = &mut buffers.cases[..count];
        let kinds = &mut buffers.kinds[..count];
        let want = &mut buffers.want[..count];
        let got = &mut buffers.got[..count];
        make(first, made);
        let mut batch = Batch {
            first,
            kinds: vec![Vec::new(); self.groups.len()],
            not_offered: vec![false; subjects.len()],
            left_out: vec![false; subjects.len()],
            died: Vec::new(),
            wrong: None,
        };
        for (group, (line, held)) in self.groups.iter().enumerate() {
            let line = *line;
            let cases: &[PairIn] = if *held == Held::default() {
                made
            } else {
                for (own, made) in buffers.held.iter_mut().zip(&*made) {
                    *own = Pair::held_to(made, *held).unwrap_or(*made);
                }
                &buffers.held[..count]
            };
            require(line, cases, kinds, want);
            for kind in &*kinds {
                buffers.histogram[usize::from(*kind)] += 1;
            }
            for (kind, cases) in (0..).zip(&mut buffers.histogram) {
                if *cases != 0 {
                    batch.kinds[group].push((kind, *cases));
                    *cases = 0;
                }
            }
            for (index, subject) in subjects.iter().enumerate() {
                if self.group_of[index] != group {
                    continue;
                }
                // An odd step, so that batches of every kind come.
                let step = of.div_ceil((subject.patience() / BATCH as u64).max(1)) | 1;
                if number % step != 0 {
                    batch.left_out[index] = true;
                    continue;
                }
                got.fill(filled(FILL));
                if subject.build_pairs(cases, got).is_none() {
                    if subject.death().is_some() {
                        batch.left_out[index] = true;
                        batch.died.push((index, first, cases.to_vec()));
                    } else {
                        batch.not_offered[index] = true;
                    }
                    continue;
                }
                if all_right(line, want, got) {
                    continue;
                }
                for (at, (want, got)) in want.iter().zip(&*got).enumerate() {
                    if got != want {
                        let wrong = batch.wrong.get_or_insert_with(|| self.no_wrong());
                        wrong.kinds[index][usize::from(kinds[at])] += 1;
                        let case = (first + at as u64, &cases[at], kinds[at]);
                        self.failed(wrong, index, case, want, got);
                    }
                }
            }
        }
        batch
    }

    fn no_wrong(&self) -> Wrong {
        Wrong {
            kinds: vec![vec![0; kind::COUNT]; self.session.subjects.len()],
            failed: self.session.empty_tally(),
            failures: Vec::new(),
        }
    }

    fn failed(
        &self,
        wrong: &mut Wrong,
        subject: usize,
        (index, case, kind): (u64, &PairIn, u16),
        want: &PairOut,
        got: &PairOut,
    ) {
        let (want, got) = (PairAnswer::of(want), PairAnswer::of(got));
        let rules = self.session.broken::<Pair>(subject, case, &want, &got);
        let about = rules_of(self.session.subjects[subject].line(), kind);
        for (name, rule) in &rules {
            let is_counted = about.iter().any(|(about, _)| about == name);
            wrong.failed.at(*rule, subject).broke(is_counted);
        }
        if let Some((_, rule)) = rules.first() {
            let known = |failure: &Failure| (failure.subject, failure.rule) == (subject, *rule);
            if !wrong.failures.iter().any(known) {
                wrong.failures.push(Failure {
                    subject,
                    rule: *rule,
                    case: *case,
                    index,
                });
            }
        }
    }
}
