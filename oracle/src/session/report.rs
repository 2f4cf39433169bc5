//! The report of a run.

use udma_report::model::{
    DivergenceNote, FORMAT, Report, RuleReport, RuleResult, Status, SubjectInfo,
};

use super::Session;
use crate::law::version::{VERSIONS, Version, version};
use crate::line::Line;

impl Session<'_> {
    /// The report so far.
    pub fn report(&self, complete: bool, timings: bool) -> Report {
        let rules = self
            .catalogue
            .rules
            .iter()
            .enumerate()
            .filter(|(index, _)| self.selected[*index])
            .map(|(index, rule)| RuleReport {
                id: rule.id.clone(),
                family: rule.family().into(),
                statement: rule.statement.clone(),
                why: rule.why.clone(),
                source: format!("{}, {}", rule.source, rule.evidence),
                confidence: rule.confidence,
                checks: crate::suite::checks_of(&rule.id),
                divergences: rule
                    .divergence
                    .iter()
                    .map(|divergence| DivergenceNote {
                        when: divergence.when.clone(),
                        kernel: divergence.kernel.clone(),
                        hal: divergence.hal.clone(),
                    })
                    .collect(),
                results: (0..self.subjects.len())
                    .map(|subject| self.result(index, subject))
                    .collect(),
            })
            .collect();
        Report {
            format: FORMAT.into(),
            suite_version: env!("CARGO_PKG_VERSION").into(),
            seed: self.options.seed,
            cases: self.options.cases,
            complete,
            subjects: self
                .subjects
                .iter()
                .enumerate()
                .map(|(number, subject)| SubjectInfo {
                    name: subject.name().into(),
                    line: subject.line().name().into(),
                    driver: (subject.line() == Line::Kernel)
                        .then(|| self.version_of(number).releases()),
                    notes: self.notes_of(number),
                })
                .collect(),
            rules,
            findings: self.findings.clone(),
            timings: timings.then(|| self.timings.clone()),
        }
    }

    /// The version that a subject of the kernel line is held to where a case names none.
    fn version_of(&self, subject: usize) -> &'static Version {
        version(self.held(subject).driver.unwrap_or(VERSIONS[0].number))
    }

    fn notes_of(&self, subject: usize) -> Vec<String> {
        let mut notes = self.subjects[subject].notes();
        if let Some(arch) = self.held(subject).arch {
            notes.push(format!("works for v{arch}: every case is asked so"));
        }
        if self.subjects[subject].leaves_out() {
            notes.push("what it leaves out of an operation that it offers is not judged".into());
        }
        if !self.is_recorded(subject) {
            notes.push(format!(
                "recorded answers are those of {}: here their cases are judged by the rules alone",
                VERSIONS[0].name
            ));
        }
        notes
    }

    fn result(&self, rule: usize, subject: usize) -> RuleResult {
        let count = self.tally.get(rule, subject);
        let applies = self.catalogue.rules[rule].applies_to(self.subjects[subject].line());
        let status = if count.failed > 0 {
            if self.catalogue.rules[rule].informative() {
                Status::Informative
            } else {
                Status::Failed
            }
        } else if count.cases > 0 {
            Status::Held
        } else if !applies {
            Status::NotApplicable
        } else if count.not_offered {
            Status::NotOffered
        } else {
            Status::Skipped
        };
        RuleResult {
            subject: self.subjects[subject].name().into(),
            cases: count.cases,
            diverged: count.diverged,
            failed: count.failed,
            status,
        }
    }
}
