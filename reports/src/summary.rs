//! Sums over a report: the numbers of a family, of the run, and the verdict.

use std::collections::BTreeSet;
use std::ops::AddAssign;

use crate::model::{Finding, Report, RuleReport, RuleResult, Status};
use crate::text::{count, thousands};

/// Sums over some rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rules selected.
    pub rules: u64,
    /// Cases tried, summed over rules and subjects: a case counts once a rule it is held to.
    pub cases: u64,
    /// Findings that fail the run.
    pub findings: u64,
    /// Findings that are notes only.
    pub notes: u64,
    /// Cases inside a known divergence, summed as `cases`.
    pub diverged: u64,
    /// Results (a rule under a subject) not offered.
    pub not_offered: u64,
    /// Results (a rule under a subject) selected but not run.
    pub skipped: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.rules += other.rules;
        self.cases = self.cases.saturating_add(other.cases);
        self.findings += other.findings;
        self.notes += other.notes;
        self.diverged = self.diverged.saturating_add(other.diverged);
        self.not_offered += other.not_offered;
        self.skipped += other.skipped;
    }
}

/// What a run comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Something did not hold.
    Failed,
    /// Not one case was tried.
    NothingRan,
    /// All held so far, but checks are still to come.
    Unfinished,
    /// Everything tried held.
    Held,
}

impl RuleReport {
    /// Cases tried over all subjects.
    pub fn cases(&self) -> u64 {
        self.results
            .iter()
            .fold(0, |sum, result| sum.saturating_add(result.cases))
    }

    /// Cases inside a known divergence over all subjects.
    pub fn diverged(&self) -> u64 {
        self.results
            .iter()
            .fold(0, |sum, result| sum.saturating_add(result.diverged))
    }

    /// Cases that did not hold over all subjects.
    pub fn failed(&self) -> u64 {
        self.results
            .iter()
            .fold(0, |sum, result| sum.saturating_add(result.failed))
    }

    /// Results with the given verdict.
    pub fn with_status(&self, status: Status) -> impl Iterator<Item = &RuleResult> {
        self.results
            .iter()
            .filter(move |result| result.status == status)
    }
}

impl Report {
    /// Families with their rules, in the order in which the catalogue first names them.
    pub fn families(&self) -> Vec<(&str, Vec<&RuleReport>)> {
        let mut families: Vec<(&str, Vec<&RuleReport>)> = Vec::new();
        for rule in &self.rules {
            match families
                .iter_mut()
                .find(|(family, _)| *family == rule.family)
            {
                Some((_, rules)) => rules.push(rule),
                None => families.push((&rule.family, vec![rule])),
            }
        }
        families
    }

    /// Findings under one rule, in the order found.
    pub fn findings_of<'a>(&'a self, rule: &'a str) -> impl Iterator<Item = &'a Finding> {
        self.findings
            .iter()
            .filter(move |finding| finding.rule == rule)
    }

    /// Sums over the given rules.
    pub fn tally<'a>(&'a self, rules: impl IntoIterator<Item = &'a RuleReport>) -> Tally {
        let mut sum = Tally::default();
        for rule in rules {
            let notes = self
                .findings_of(&rule.id)
                .filter(|finding| finding.informative)
                .count() as u64;
            sum += Tally {
                rules: 1,
                cases: rule.cases(),
                findings: self.findings_of(&rule.id).count() as u64 - notes,
                notes,
                diverged: rule.diverged(),
                not_offered: rule.with_status(Status::NotOffered).count() as u64,
                skipped: rule.with_status(Status::Skipped).count() as u64,
            };
        }
        sum
    }

    /// Sums over the whole run.
    pub fn total(&self) -> Tally {
        let mut sum = self.tally(&self.rules);
        // A finding under a rule that was not selected still counts.
        sum.findings = self.failures().count() as u64;
        sum.notes = self.findings.len() as u64 - sum.findings;
        sum
    }

    /// Rules that did not hold: those with a finding, and those whose result says so.
    pub fn failed_rules(&self) -> BTreeSet<&str> {
        let said = self
            .rules
            .iter()
            .filter(|rule| rule.with_status(Status::Failed).next().is_some());
        let found = self.failures().map(|finding| finding.rule.as_str());
        said.map(|rule| rule.id.as_str()).chain(found).collect()
    }

    /// What the run comes to. A failure outweighs all else; a run of nothing is never held.
    pub fn verdict(&self) -> Verdict {
        if !self.failed_rules().is_empty() {
            Verdict::Failed
        } else if !self.ran() {
            Verdict::NothingRan
        } else if !self.complete {
            Verdict::Unfinished
        } else {
            Verdict::Held
        }
    }

    /// The verdict in one line: `held: 46 rules, 118,234,112 cases, 4 subjects`.
    pub fn verdict_line(&self) -> String {
        let total = self.total();
        let tried = self.rules.iter().filter(|rule| rule.cases() > 0).count() as u64;
        let untried = total.rules - tried;
        let scope = format!(
            "{}, {}",
            count(total.cases, "case"),
            count(self.subjects.len() as u64, "subject")
        );
        let rest = if untried > 0 {
            format!("; {} not tried", count(untried, "rule"))
        } else {
            String::new()
        };
        match self.verdict() {
            Verdict::Failed => format!(
                "FAILED: {} in {}{}",
                count(total.findings, "finding"),
                count(self.failed_rules().len() as u64, "rule"),
                if self.complete {
                    ""
                } else {
                    "; the run is not complete"
                },
            ),
            Verdict::NothingRan => format!(
                "NOTHING RAN: {} selected, {scope}",
                count(total.rules, "rule")
            ),
            Verdict::Unfinished => format!(
                "UNFINISHED: {} held so far, {scope}{rest}",
                count(tried, "rule")
            ),
            Verdict::Held => format!("held: {}, {scope}{rest}", count(tried, "rule")),
        }
    }

    /// Seed as it is printed: decimal without separators, to be given back to the suite.
    pub fn seed_text(&self) -> String {
        format!("{} (0x{:x})", self.seed, self.seed)
    }

    /// `65,536 a check`.
    pub fn cases_text(&self) -> String {
        format!("{} a check", thousands(self.cases))
    }
}

impl Status {
    /// The verdict in words.
    pub fn words(self) -> &'static str {
        match self {
            Status::Held => "held",
            Status::Failed => "failed",
            Status::Informative => "note",
            Status::NotOffered => "not offered",
            Status::NotApplicable => "not applicable",
            Status::Skipped => "skipped",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common;

    #[test]
    fn families_keep_catalogue_order() {
        let report = common::sample();
        let names: Vec<&str> = report
            .families()
            .into_iter()
            .map(|(family, _)| family)
            .collect();
        assert_eq!(names, ["DESC", "META", "BARR", "BLDR", "RING", "MODL"]);
    }

    #[test]
    fn a_failure_outweighs_all() {
        let mut report = common::sample();
        assert_eq!(report.verdict(), Verdict::Failed);
        assert_eq!(report.verdict_line(), "FAILED: 4 findings in 3 rules");
        report.complete = false;
        assert_eq!(
            report.verdict_line(),
            "FAILED: 4 findings in 3 rules; the run is not complete"
        );
    }

    #[test]
    fn a_failed_result_without_a_finding_fails() {
        let mut report = common::held();
        report.rules[0].results[0].status = Status::Failed;
        assert_eq!(report.verdict_line(), "FAILED: 0 findings in 1 rule");
    }

    #[test]
    fn a_run_of_nothing_is_not_held() {
        let mut report = common::held();
        for result in report.rules.iter_mut().flat_map(|rule| &mut rule.results) {
            result.cases = 0;
        }
        assert!(!report.ran());
        assert_eq!(report.verdict(), Verdict::NothingRan);
        assert_eq!(
            report.verdict_line(),
            "NOTHING RAN: 3 rules selected, 0 cases, 3 subjects"
        );
        report.rules.clear();
        assert!(!report.ran());
    }

    #[test]
    fn an_unfinished_run_is_not_held() {
        let mut report = common::held();
        assert_eq!(
            report.verdict_line(),
            "held: 3 rules, 1,966,080 cases, 3 subjects"
        );
        report.complete = false;
        assert_eq!(report.verdict(), Verdict::Unfinished);
    }
}
