//! One run: who is asked, what is selected, what was found so far.

mod offers;
mod report;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use udma_report::model::{Finding, Timing};

use crate::catalogue::Catalogue;
use crate::family::{Family, Held, shrink};
use crate::line::{DRIVERS, Line};
use crate::subject::Subject;
use crate::suite::Check;
use crate::tally::Tally;

/// What a run is asked to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// Seed of every generated case.
    pub seed: u64,
    /// Generated cases per check.
    pub cases: u64,
    /// Run the deep checks too.
    pub deep: bool,
    /// End at the first finding.
    pub stop_at_first: bool,
    /// Folder of the vectors and regressions; none to go without.
    pub corpora: Option<std::path::PathBuf>,
    /// Driver version that the kernel line is asked as and held to, by its number; none for the
    /// version of each case.
    pub driver: Option<u8>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seed: 1,
            cases: 20_000,
            deep: false,
            stop_at_first: false,
            corpora: None,
            driver: None,
        }
    }
}

/// A case that failed, with the answers that are right, to be kept and replayed.
#[derive(Clone, Debug, PartialEq)]
pub struct Regression {
    /// Family of the case.
    pub family: &'static str,
    /// The rule it broke.
    pub rule: String,
    /// What else it broke.
    pub also: Vec<&'static str>,
    /// The file's content.
    pub content: Value,
    /// The case as it was found, before it was made smaller.
    pub found: Value,
}

/// A part of a run: of every check, each case belongs to exactly one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which one, from 1.
    pub index: u64,
    /// How many there are.
    pub of: u64,
}

impl Shard {
    /// Whether a case of a check is this part's, by its number in the check.
    pub fn takes(self, number: u64) -> bool {
        number % self.of == self.index - 1
    }
}

/// The number of a case in a run: of the check, and in it.
pub type CaseNumber = [u64; 2];

/// Of the cases beyond a subject's patience, one in so many is put: no power of two, so that operands that are
/// counted through do not always have the same low bits.
const THINNED: u64 = 61;

/// A run in progress.
pub struct Session<'a> {
    /// The rules.
    pub catalogue: &'a Catalogue,
    /// Who is asked, in order.
    pub subjects: &'a [Box<dyn Subject>],
    /// What is asked.
    pub options: Options,
    selected: Vec<bool>,
    check: Option<Check>,
    /// Cases of the running check that came to each subject.
    came: Vec<u64>,
    shard: Option<Shard>,
    /// Number of the running case.
    number: CaseNumber,
    /// Number of the next case in its check.
    next: u64,
    /// Whether the running case is tried here.
    ours: bool,
    tally: Tally,
    /// What each subject offers, by the name of the family.
    offers: Vec<Vec<(&'static str, offers::Offer)>>,
    findings: Vec<Finding>,
    /// The case of each finding.
    order: Vec<CaseNumber>,
    seen: BTreeSet<(usize, usize)>,
    regressions: Vec<Regression>,
    timings: Vec<Timing>,
    deaths: u64,
}

impl<'a> Session<'a> {
    /// A run of the selected rules (by index in the catalogue).
    pub fn new(
        catalogue: &'a Catalogue,
        subjects: &'a [Box<dyn Subject>],
        selected: Vec<bool>,
        options: Options,
    ) -> Self {
        let tally = Tally::new(catalogue.rules.len(), subjects.len());
        Self {
            catalogue,
            subjects,
            options,
            selected,
            check: None,
            came: vec![0; subjects.len()],
            shard: None,
            number: [0; 2],
            next: 0,
            ours: true,
            tally,
            offers: subjects.iter().map(|_| Vec::new()).collect(),
            findings: Vec::new(),
            order: Vec::new(),
            seen: BTreeSet::new(),
            regressions: Vec::new(),
            timings: Vec::new(),
            deaths: 0,
        }
    }

    /// Makes it a part of a run.
    pub fn take_part(&mut self, shard: Shard) {
        self.shard = Some(shard);
    }

    /// Makes `check` the one that cases are tried for.
    pub fn enter(&mut self, check: Check) {
        self.check = Some(check);
        self.came.fill(0);
        self.number = [self.number[0] + 1, 0];
        self.next = 0;
    }

    /// Goes on to the next case of the check, and tells whether it is tried in this part of a run.
    /// Whoever makes cases does so in every part alike.
    pub fn next_case(&mut self) -> bool {
        self.number[1] = self.next;
        self.next += 1;
        self.ours = self.takes(self.number[1]);
        self.ours
    }

    /// Whether the next case is tried in this part of a run, or has to be counted for a subject of
    /// short patience: only then is there work for it.
    pub fn next_is_ours(&self) -> bool {
        let mut subjects = self.subjects.iter();
        self.takes(self.next) || !subjects.all(|subject| subject.patience_by_case() == u64::MAX)
    }

    /// Gives the next `count` cases numbers; the first of them.
    pub(crate) fn next_cases(&mut self, count: u64) -> u64 {
        self.next += count;
        self.next - count
    }

    /// Goes to a case of the check that is tried here, by its number.
    pub(crate) fn at_case(&mut self, number: u64) {
        self.number[1] = number;
        self.ours = true;
    }

    /// Whether a case of the check, by its number, is tried in this part of a run.
    pub(crate) fn takes(&self, number: u64) -> bool {
        self.shard.is_none_or(|shard| shard.takes(number))
    }

    /// The case of each finding, in the order of [`Session::findings`].
    pub fn order(&self) -> &[CaseNumber] {
        &self.order
    }

    /// Index of a rule that is wanted and speaks about a subject's line.
    fn asked_of(&self, rule: &str, subject: usize) -> Option<usize> {
        let index = self.wanted(rule)?;
        let line = self.subjects[subject].line();
        self.catalogue.rules[index]
            .applies_to(line)
            .then_some(index)
    }

    /// Index of a rule that is selected and belongs to the running check.
    pub fn wanted(&self, rule: &str) -> Option<usize> {
        let named = self
            .check
            .as_ref()
            .is_none_or(|check| check.rules.contains(&rule));
        let index = self.catalogue.index(rule)?;
        (named && self.selected[index]).then_some(index)
    }

    /// Whether the run is to end: it stops at the first finding and there is one.
    pub fn done(&self) -> bool {
        self.options.stop_at_first && self.findings.iter().any(|finding| !finding.informative)
    }

    /// Findings so far.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Cases to be kept.
    pub fn regressions(&self) -> &[Regression] {
        &self.regressions
    }

    /// What a subject is held to.
    pub fn held(&self, subject: usize) -> Held {
        let asked = self.subjects[subject].as_ref();
        Held {
            arch: asked.arch(),
            driver: self.options.driver.filter(|_| asked.line() == Line::Kernel),
        }
    }

    /// Whether recorded answers are those that a subject is held to.
    fn is_recorded(&self, subject: usize) -> bool {
        let driver = self.held(subject).driver;
        driver.is_none_or(|driver| driver == DRIVERS[0].0)
    }

    /// Notes how long a suite took.
    pub fn timed(&mut self, suite: &str, millis: u64) {
        self.timings.push(Timing {
            suite: suite.into(),
            millis,
        });
    }

    /// Adds counts that were made outside.
    pub fn add(&mut self, tally: &Tally) {
        self.tally.add(tally);
    }

    /// Notes that an operation was asked for under a rule and not offered.
    pub fn not_offered(&mut self, rule: &str, subject: usize) {
        if let Some(index) = self.asked_of(rule, subject) {
            self.tally.at(index, subject).not_offered = true;
        }
    }

    /// Counts cases of a rule that were tried outside of [`Session::try_on`].
    pub fn count(&mut self, rule: &str, subject: usize, cases: u64, diverged: u64) {
        if let Some(index) = self.asked_of(rule, subject) {
            let count = self.tally.at(index, subject);
            count.cases += cases;
            count.diverged += diverged;
        }
    }

    /// An empty tally of this run's shape.
    pub fn empty_tally(&self) -> Tally {
        Tally::new(self.catalogue.rules.len(), self.subjects.len())
    }

    /// Tries one case on every subject; `origin` says where it came from. `recorded` is the answer
    /// of a vector, for subjects of the line it was recorded from.
    pub fn try_case<F: Family>(
        &mut self,
        origin: &dyn Fn() -> String,
        case: &F::Case,
        recorded: Option<(Line, &F::Answer)>,
    ) {
        self.next_case();
        for index in 0..self.subjects.len() {
            if self.done() {
                return;
            }
            let line = self.subjects[index].line();
            let recorded = recorded.and_then(|(of, answer)| (of == line).then_some(answer));
            self.try_on::<F>(index, origin, case, recorded);
        }
    }

    /// The same on one subject, by index.
    pub fn try_on<F: Family>(
        &mut self,
        subject: usize,
        origin: &dyn Fn() -> String,
        case: &F::Case,
        recorded: Option<&F::Answer>,
    ) {
        let subjects = self.subjects;
        let asked = subjects[subject].as_ref();
        // Where patience is short, cases of other parts count, too: so the same ones are put.
        if !self.ours && asked.patience_by_case() == u64::MAX {
            return;
        }
        let line = asked.line();
        let held = self.held(subject);
        let own;
        let case = if held == Held::default() {
            case
        } else {
            let Some(case) = F::held_to(case, held) else {
                return;
            };
            own = case;
            &own
        };
        // What was recorded is the answer of one version.
        let recorded = recorded.filter(|_| self.is_recorded(subject));
        let rules: Vec<(usize, bool)> = F::rules(line, case)
            .into_iter()
            .filter_map(|(rule, diverged)| Some((self.asked_of(rule, subject)?, diverged)))
            .collect();
        if rules.is_empty() {
            return;
        }
        self.came[subject] += match asked.elsewhere() {
            Some(_) => 1,
            None => F::MESSAGES,
        };
        let came = self.came[subject];
        let is_left_out = came > asked.patience_by_case() && !came.is_multiple_of(THINNED);
        if is_left_out || !self.ours {
            return;
        }
        let got = F::ask(asked, case);
        // Whatever else it said before.
        if let Some(death) = asked.death() {
            self.died::<F>(subject, origin, case, rules[0].0, death);
            return;
        }
        let Some(got) = got else {
            for (rule, _) in &rules {
                self.tally.at(*rule, subject).not_offered = true;
            }
            // A case that the rules say nothing about may be one that cannot be put.
            if !asked.leaves_out() && (recorded.is_some() || F::required(line, case).is_some()) {
                self.refused::<F>(subject, origin, case, rules[0].0);
            }
            return;
        };
        self.answered::<F>(subject, F::operations(case));
        let Some(want) = recorded.cloned().or_else(|| F::required(line, case)) else {
            return;
        };
        let held = got == want;
        for (rule, diverged) in &rules {
            let count = self.tally.at(*rule, subject);
            count.cases += 1;
            count.diverged += u64::from(*diverged && held);
        }
        if !held {
            for (_, broken) in self.broken::<F>(subject, case, &want, &got) {
                let is_counted = rules.iter().any(|(rule, _)| *rule == broken);
                self.tally.at(broken, subject).broke(is_counted);
            }
            self.find::<F>(subject, origin, case, &want, &got);
        }
    }

    /// Makes the death of a subject a finding with the case that it died of.
    fn died<F: Family>(
        &mut self,
        subject: usize,
        origin: &dyn Fn() -> String,
        case: &F::Case,
        rule: usize,
        death: String,
    ) {
        self.deaths += 1;
        if self.left_unanswered(subject, rule) {
            self.unanswered::<F>(subject, origin, case, rule, death);
        }
    }

    /// Counts a case that got no answer as one that did not hold; whether it is the subject's first
    /// finding under the rule.
    fn left_unanswered(&mut self, subject: usize, rule: usize) -> bool {
        self.tally.at(rule, subject).broke(false);
        self.seen.insert((rule, subject))
    }

    /// The finding of such a case; `instead` is what came in place of an answer.
    fn unanswered<F: Family>(
        &mut self,
        subject: usize,
        origin: &dyn Fn() -> String,
        case: &F::Case,
        rule: usize,
        instead: String,
    ) {
        let line = self.subjects[subject].line();
        let required = F::required(line, case).map(|want| F::show(case, &want));
        self.order.push(self.number);
        self.findings.push(Finding {
            rule: self.catalogue.rules[rule].id.clone(),
            subject: self.subjects[subject].name().into(),
            check: self.check_name(F::NAME),
            informative: false,
            origin: origin(),
            summary: format!("{}: {instead}", F::NAME),
            input: F::to_json(case),
            expected: required.unwrap_or_default(),
            actual: vec![instead],
            descriptors: Vec::new(),
        });
    }

    /// Whether a case is one that the subject can be put, held to what it is.
    fn may_be_put<F: Family>(&self, subject: usize, case: &F::Case) -> bool {
        let held = self.held(subject);
        held == Held::default() || F::held_to(case, held).as_ref() == Some(case)
    }

    /// How often a subject died.
    pub fn deaths(&self) -> u64 {
        self.deaths
    }

    /// Id of the running check.
    fn check_name(&self, family: &str) -> String {
        self.check.as_ref().map_or_else(|| family.into(), Check::id)
    }

    /// Rules that a wrong answer breaks and that are wanted, each once, the most telling first.
    pub fn broken<F: Family>(
        &self,
        subject: usize,
        case: &F::Case,
        want: &F::Answer,
        got: &F::Answer,
    ) -> Vec<(&'static str, usize)> {
        let line = self.subjects[subject].line();
        let mut broken: Vec<(&str, usize)> = Vec::new();
        for rule in F::broken(line, case, want, got) {
            if let Some(index) = self.asked_of(rule, subject)
                && !broken.contains(&(rule, index))
            {
                broken.push((rule, index));
            }
        }
        broken
    }

    /// Makes a wrong answer a finding under the first rule it breaks, with the smallest case, unless
    /// the subject already has one under that rule.
    pub fn find<F: Family>(
        &mut self,
        subject: usize,
        origin: &dyn Fn() -> String,
        case: &F::Case,
        want: &F::Answer,
        got: &F::Answer,
    ) {
        let subjects = self.subjects;
        let asked = subjects[subject].as_ref();
        let line = asked.line();
        let rules = self.broken::<F>(subject, case, want, got);
        let Some((rule, index)) = rules.first().copied() else {
            return;
        };
        if !self.seen.insert((index, subject)) {
            return;
        }

        // A vector whose answer the rules can give too is shrunk by the rules.
        let fails = |case: &F::Case| {
            if !self.may_be_put::<F>(subject, case) {
                return false;
            }
            let Some(want) = F::required(line, case) else {
                return false;
            };
            F::ask(asked, case).is_some_and(|got| {
                got != want && F::broken(line, case, &want, &got).first() == Some(&rule)
            })
        };
        let smallest = if fails(case) {
            shrink::<F>(case, fails)
        } else {
            case.clone()
        };
        let (want, got) = if smallest == *case {
            (want.clone(), got.clone())
        } else {
            match (F::required(line, &smallest), F::ask(asked, &smallest)) {
                (Some(want), Some(got)) => (want, got),
                _ => (want.clone(), got.clone()),
            }
        };
        // It may have died of another case on the way, which is not the next one's.
        let _ = asked.death();
        let also: Vec<&'static str> = rules[1..].iter().map(|(rule, _)| *rule).collect();
        let besides = if also.is_empty() {
            String::new()
        } else {
            format!("; also {}", also.join(", "))
        };
        let (expected, actual) = (F::show(&smallest, &want), F::show(&smallest, &got));
        let differing = expected
            .iter()
            .zip(&actual)
            .find(|(want, got)| want != got)
            .map_or_else(String::new, |(want, got)| {
                format!(": {got}, required {want}")
            });
        self.order.push(self.number);
        self.findings.push(Finding {
            rule: rule.into(),
            subject: asked.name().into(),
            check: self.check_name(F::NAME),
            informative: self.catalogue.rules[index].informative(),
            origin: origin(),
            summary: format!("{}{differing}{besides}", F::NAME),
            input: F::to_json(&smallest),
            expected,
            actual,
            descriptors: F::diffs(&smallest, &want, &got),
        });
        self.keep::<F>(rule, also, case, &smallest);
    }

    /// Keeps the smallest case with the answers that the rules require of both lines.
    fn keep<F: Family>(
        &mut self,
        rule: &str,
        also: Vec<&'static str>,
        found: &F::Case,
        case: &F::Case,
    ) {
        let mut expect = serde_json::Map::new();
        for line in [Line::Kernel, Line::Hal] {
            if let Some(want) = F::required(line, case) {
                expect.insert(line.name().into(), json!(F::show(case, &want)));
            }
        }
        if expect.is_empty() {
            return;
        }
        self.regressions.push(Regression {
            family: F::NAME,
            rule: rule.into(),
            also,
            content: json!({
                "format": crate::regressions::FORMAT,
                "family": F::NAME,
                "rule": rule,
                "in": F::to_json(case),
                "expect": expect,
            }),
            found: F::to_json(found),
        });
    }
}
