//! Sweeps over very many pairs: batches on every subject, held against what the rules require, on
//! all cores. Which case comes at an index never depends on how the work is spread, and results
//! are taken in the order of the indices, so that equal runs find equal things.

use rayon::prelude::*;

use crate::cases::pair::{Pair, PairAnswer, filled, judged};
use crate::family::Family;
use crate::law::pair::{kind, kind_of, required, rules_of};
use crate::line::Line;
use crate::session::Session;
use crate::tally::Tally;
use crate::wire::{FILL, PairIn, PairOut};

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

struct Batch {
    /// Cases by line and kind.
    kinds: [Vec<u64>; 2],
    /// Failed cases by subject and kind.
    failed_kinds: Vec<Vec<u64>>,
    failed: Tally,
    failures: Vec<Failure>,
    not_offered: Vec<bool>,
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
    let mut start = 0;
    while start < batches && !session.done() {
        let end = (start + GROUP).min(batches);
        let shared = SessionView::new(session);
        let results: Vec<Batch> = (start..end)
            .into_par_iter()
            .map(|batch| {
                let first = batch * BATCH as u64;
                shared.run(first, (count - first).min(BATCH as u64) as usize, &make)
            })
            .collect();
        for result in results {
            take(session, label, &result);
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

/// Counts and findings of one batch.
fn take(session: &mut Session, label: &str, batch: &Batch) {
    for subject in 0..session.subjects.len() {
        let line = session.subjects[subject].line();
        for (bits, cases) in batch.kinds[line as usize].iter().enumerate() {
            if *cases == 0 {
                continue;
            }
            let failed = batch.failed_kinds[subject][bits];
            for (rule, diverged) in rules_of(line, bits as u16) {
                if batch.not_offered[subject] {
                    session.not_offered(rule, subject);
                } else {
                    let held = if diverged { cases - failed } else { 0 };
                    session.count(rule, subject, *cases, held);
                }
            }
        }
    }
    session.add(&batch.failed);
    for failure in &batch.failures {
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
        session.find::<Pair>(failure.subject, &origin, &failure.case, &want, &got);
    }
}

/// What the batches need of a session, shareable between threads.
struct SessionView<'s> {
    session: &'s Session<'s>,
    lines: [bool; 2],
}

impl<'s> SessionView<'s> {
    fn new(session: &'s Session<'s>) -> Self {
        let asks = |line| {
            session
                .subjects
                .iter()
                .any(|subject| subject.line() == line)
        };
        Self {
            session,
            lines: [asks(Line::Kernel), asks(Line::Hal)],
        }
    }

    fn run(&self, first: u64, count: usize, make: &impl Fn(u64, &mut [PairIn])) -> Batch {
        let subjects = self.session.subjects;
        let mut cases = vec![PairIn::default(); count];
        make(first, &mut cases);
        let slots = filled(FILL);
        let mut batch = Batch {
            kinds: [vec![0; kind::COUNT], vec![0; kind::COUNT]],
            failed_kinds: vec![vec![0; kind::COUNT]; subjects.len()],
            failed: self.session.empty_tally(),
            failures: Vec::new(),
            not_offered: vec![false; subjects.len()],
        };
        let mut kinds = vec![0; count];
        let mut want = vec![slots; count];
        let mut got = vec![slots; count];
        for line in [Line::Kernel, Line::Hal] {
            if !self.lines[line as usize] {
                continue;
            }
            let histogram = &mut batch.kinds[line as usize];
            for ((case, kind), want) in cases.iter().zip(&mut kinds).zip(&mut want) {
                *kind = kind_of(line, case);
                *want = required(line, case, *kind, &slots);
                histogram[usize::from(*kind)] += 1;
            }
            for (index, subject) in subjects.iter().enumerate() {
                if subject.line() != line {
                    continue;
                }
                got.fill(slots);
                if subject.build_pairs(&cases, &mut got).is_none() {
                    batch.not_offered[index] = true;
                    continue;
                }
                for at in 0..count {
                    let answer = PairOut {
                        ret: judged(line, got[at].ret),
                        ..got[at]
                    };
                    if answer != want[at] {
                        let kind = usize::from(kinds[at]);
                        batch.failed_kinds[index][kind] += 1;
                        self.failed(
                            &mut batch,
                            index,
                            first + at as u64,
                            &cases[at],
                            &want[at],
                            &answer,
                        );
                    }
                }
            }
        }
        batch
    }

    fn failed(
        &self,
        batch: &mut Batch,
        subject: usize,
        index: u64,
        case: &PairIn,
        want: &PairOut,
        got: &PairOut,
    ) {
        let (want, got) = (PairAnswer::of(want), PairAnswer::of(got));
        let rules = self.session.broken::<Pair>(subject, case, &want, &got);
        for (_, rule) in &rules {
            batch.failed.at(*rule, subject).failed += 1;
        }
        if let Some((_, rule)) = rules.first() {
            let known = |failure: &Failure| (failure.subject, failure.rule) == (subject, *rule);
            if !batch.failures.iter().any(known) {
                batch.failures.push(Failure {
                    subject,
                    rule: *rule,
                    case: *case,
                    index,
                });
            }
        }
    }
}
