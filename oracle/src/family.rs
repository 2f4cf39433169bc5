//! A family of cases: one operation, its input, its answer, and what the rules require of it.

use serde_json::Value;
use udma_report::model::DescriptorDiff;

use crate::line::Line;
use crate::subject::Subject;

/// What a subject is held to whatever a case asks for; none where the case decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// The architecture that it works for.
    pub arch: Option<u8>,
    /// The driver version, by its number.
    pub driver: Option<u8>,
}

/// One operation that subjects are asked for. The suite's one mechanism runs every family: ask,
/// compare with what is required, blame a rule, shrink.
pub trait Family {
    /// An input.
    type Case: Clone + PartialEq;
    /// An answer.
    type Answer: Clone + PartialEq;

    /// Name of the family in regression files.
    const NAME: &'static str;

    /// How many messages a case is, roughly, to a subject behind pipes that is asked operation by
    /// operation: its patience is counted in them.
    const MESSAGES: u64 = 1;

    /// What is asked for, as a set of the family's operations: a subject that answers one case of
    /// them must answer every one. 0 where each case stands for itself.
    fn operations(_case: &Self::Case) -> u64 {
        1
    }

    /// The subject's answer; `None` when it does not offer the operation.
    fn ask(subject: &dyn Subject, case: &Self::Case) -> Option<Self::Answer>;

    /// The answer that the rules require of a line; `None` where only a vector can tell.
    fn required(line: Line, case: &Self::Case) -> Option<Self::Answer>;

    /// The case as it is put to a subject that is held to something; none where there is no such
    /// operation.
    fn held_to(case: &Self::Case, _held: Held) -> Option<Self::Case> {
        Some(case.clone())
    }

    /// Rules that have something to say about the case; `true` where the case lies inside a known
    /// divergence of the rule.
    fn rules(line: Line, case: &Self::Case) -> Vec<(&'static str, bool)>;

    /// Rules that a wrong answer breaks, the most telling one first; never empty when the answers
    /// differ.
    fn broken(
        line: Line,
        case: &Self::Case,
        want: &Self::Answer,
        got: &Self::Answer,
    ) -> Vec<&'static str>;

    /// Cases that are simpler in one respect, the boldest step first.
    fn simpler(case: &Self::Case) -> Vec<Self::Case>;

    /// The case as in the vector format.
    fn to_json(case: &Self::Case) -> Value;

    /// The inverse of [`Family::to_json`].
    ///
    /// # Errors
    /// Which member is missing or out of bounds.
    fn from_json(value: &Value) -> Result<Self::Case, String>;

    /// The answer, line by line, for people.
    fn show(case: &Self::Case, answer: &Self::Answer) -> Vec<String>;

    /// Descriptors of the two answers, side by side.
    fn diffs(_case: &Self::Case, _want: &Self::Answer, _got: &Self::Answer) -> Vec<DescriptorDiff> {
        Vec::new()
    }
}

/// Tries at most this many simpler cases before the smallest so far is taken.
const SHRINK_TRIES: usize = 5_000;

/// The smallest case that `fails` still holds for, by greedy steps from `case`.
pub fn shrink<F: Family>(case: &F::Case, mut fails: impl FnMut(&F::Case) -> bool) -> F::Case {
    let mut smallest = case.clone();
    let mut tries = 0;
    'again: loop {
        for candidate in F::simpler(&smallest) {
            tries += 1;
            if tries > SHRINK_TRIES {
                return smallest;
            }
            if candidate != smallest && fails(&candidate) {
                smallest = candidate;
                continue 'again;
            }
        }
        return smallest;
    }
}

/// Simpler values of a number: 0, then half the way down, then one less.
pub fn simpler_number(value: u64) -> impl Iterator<Item = u64> {
    let mut steps = Vec::new();
    if value != 0 {
        steps.extend([0, 1, value / 2, value & (value - 1), value - 1]);
    }
    steps.into_iter().filter(move |step| *step < value)
}
