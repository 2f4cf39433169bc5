//! Parts of a run, joined to the report of the whole.
//!
//! A run can be spread: of every check, each case is tried in exactly one of the parts. The sums of
//! the parts are then the counts of the whole, and the findings in the order of their cases, the
//! first of each rule and subject, are its findings.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::model::{Report, RuleReport, RuleResult, Status, Timing};
use crate::validate::validate;

/// Version tag of a part's file.
pub const FORMAT: &str = "udma-shard/1";

/// Name of a part's file in the folder of its report.
pub const FILE: &str = "shard.json";

/// One part of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// Always [`FORMAT`].
    pub format: String,
    /// Which part, from 1.
    pub index: u64,
    /// Of how many.
    pub of: u64,
    /// The case of each finding of the report: number of the check, number of the case in it.
    pub order: Vec<[u64; 2]>,
    /// What came of the part.
    pub report: Report,
}

/// Why parts cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A file that cannot be read.
    #[error("{}: cannot read the part: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// A file that is no part of a run.
    #[error("{}:{}:{}: no part of a run: {source}", path.display(), source.line(), source.column())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: serde_json::Error,
    },
    /// A value that may not stand where it does.
    #[error("{}: {field}: allowed is {allowed}", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// Path of the field.
        field: String,
        /// What is allowed there.
        allowed: String,
    },
    /// Nothing to join.
    #[error("no part is given")]
    Nothing,
    /// The parts are not those of one run.
    #[error("part {index} of {of} is another run than part {first}: {what} differs")]
    Another {
        /// The part.
        index: u64,
        /// Of how many.
        of: u64,
        /// The part that it is compared with.
        first: u64,
        /// What differs.
        what: &'static str,
    },
    /// A part is given twice.
    #[error("part {index} of {of} is given twice")]
    Twice {
        /// The part.
        index: u64,
        /// Of how many.
        of: u64,
    },
    /// A part is not there.
    #[error("part {index} of {of} is missing")]
    Missing {
        /// The part.
        index: u64,
        /// Of how many.
        of: u64,
    },
    /// More cases than a report can count.
    #[error("rule {rule} on {subject}: the parts count more than 2^64-1 cases")]
    Overflow {
        /// The rule.
        rule: String,
        /// The subject.
        subject: String,
    },
}

impl Shard {
    /// Validates the bytes of a part; `file` is only named in errors.
    ///
    /// # Errors
    ///
    /// [`MergeError::Syntax`] or [`MergeError::Value`].
    pub fn parse(bytes: &[u8], file: &Path) -> Result<Self, MergeError> {
        let shard: Self = serde_json::from_slice(bytes).map_err(|source| MergeError::Syntax {
            path: file.into(),
            source,
        })?;
        let value = |field: &str, allowed: String| MergeError::Value {
            path: file.into(),
            field: field.into(),
            allowed,
        };
        if shard.format != FORMAT {
            return Err(value("format", format!("{FORMAT:?}")));
        }
        if shard.report.format != crate::model::FORMAT {
            return Err(value(
                "report.format",
                format!("{:?}", crate::model::FORMAT),
            ));
        }
        if shard.index == 0 || shard.index > shard.of {
            return Err(value("index", format!("1 to {}", shard.of)));
        }
        if shard.order.len() != shard.report.findings.len() {
            let findings = shard.report.findings.len();
            return Err(value("order", format!("one entry a finding: {findings}")));
        }
        validate(&shard.report)
            .map_err(|invalid| value(&format!("report.{}", invalid.path), invalid.allowed))?;
        Ok(shard)
    }

    /// Reads a part: its file, or the folder that it was written into.
    ///
    /// # Errors
    ///
    /// [`MergeError::Io`], else as [`Shard::parse`].
    pub fn read(path: &Path) -> Result<Self, MergeError> {
        let path = if path.is_dir() {
            path.join(FILE)
        } else {
            path.to_owned()
        };
        let bytes = std::fs::read(&path).map_err(|source| MergeError::Io {
            path: path.clone(),
            source,
        })?;
        Self::parse(&bytes, &path)
    }

    /// The part as it is written.
    pub fn render(&self) -> String {
        let text = serde_json::to_string(self).expect("every key of a report is a string");
        text + "\n"
    }
}

/// Joins all parts of a run, given in any order.
///
/// # Errors
///
/// Parts of different runs, or not all of them, each once.
pub fn merge(mut shards: Vec<Shard>) -> Result<Report, MergeError> {
    shards.sort_by_key(|shard| shard.index);
    let Some(first) = shards.first() else {
        return Err(MergeError::Nothing);
    };
    for (wanted, shard) in (1..).zip(&shards) {
        let Shard { index, of, .. } = *shard;
        if let Some(what) = differing(first, shard) {
            return Err(MergeError::Another {
                index,
                of,
                first: first.index,
                what,
            });
        }
        if index < wanted {
            return Err(MergeError::Twice { index, of });
        }
        if index > wanted {
            return Err(MergeError::Missing { index: wanted, of });
        }
    }
    if let Some(index) = (1..=first.of).nth(shards.len()) {
        let of = first.of;
        return Err(MergeError::Missing { index, of });
    }
    let mut report = first.report.clone();
    report.complete = shards.iter().all(|shard| shard.report.complete);
    for (at, rule) in report.rules.iter_mut().enumerate() {
        for (subject, result) in rule.results.iter_mut().enumerate() {
            let parts = shards
                .iter()
                .map(|shard| &shard.report.rules[at].results[subject]);
            *result = joined(&rule.id, &parts.collect::<Vec<_>>())?;
        }
    }
    for shard in &shards[1..] {
        for (subject, part) in report.subjects.iter_mut().zip(&shard.report.subjects) {
            for note in &part.notes {
                if !subject.notes.contains(note) {
                    subject.notes.push(note.clone());
                }
            }
        }
    }
    let parts = shards.iter();
    let mut found: Vec<_> = parts
        .flat_map(|shard| shard.order.iter().zip(&shard.report.findings))
        .collect();
    // A case is in one part, so that its findings stay in the order in which they were found.
    found.sort_by_key(|(number, _)| **number);
    let mut seen = BTreeSet::new();
    report.findings = found
        .into_iter()
        .filter(|(_, finding)| seen.insert((&finding.rule, &finding.subject)))
        .map(|(_, finding)| finding.clone())
        .collect();
    report.timings = timings(&shards);
    Ok(report)
}

/// What two parts differ in that is the same in all parts of a run.
fn differing(one: &Shard, other: &Shard) -> Option<&'static str> {
    let (a, b) = (&one.report, &other.report);
    let same_subjects = a.subjects.len() == b.subjects.len()
        && a.subjects
            .iter()
            .zip(&b.subjects)
            .all(|(a, b)| (&a.name, &a.line, &a.driver) == (&b.name, &b.line, &b.driver));
    let rule = |rule: &RuleReport| RuleReport {
        results: Vec::new(),
        ..rule.clone()
    };
    [
        (one.of == other.of, "the number of parts"),
        (a.suite_version == b.suite_version, "the suite's version"),
        (a.seed == b.seed, "the seed"),
        (a.cases == b.cases, "the number of cases"),
        (same_subjects, "who was asked"),
        (
            a.rules.iter().map(rule).eq(b.rules.iter().map(rule)),
            "the rules",
        ),
    ]
    .into_iter()
    .find_map(|(same, what)| (!same).then_some(what))
}

/// One rule on one subject, over all parts.
fn joined(rule: &str, parts: &[&RuleResult]) -> Result<RuleResult, MergeError> {
    let sum = |count: fn(&RuleResult) -> u64| {
        let mut counts = parts.iter().map(|part| count(part));
        counts
            .try_fold(0u64, u64::checked_add)
            .ok_or_else(|| MergeError::Overflow {
                rule: rule.into(),
                subject: parts[0].subject.clone(),
            })
    };
    let cases = sum(|part| part.cases)?;
    let has = |status| parts.iter().any(|part| part.status == status);
    // What failed anywhere failed; what was tried anywhere was tried.
    let by_weight = [
        Status::Failed,
        Status::Informative,
        Status::Held,
        Status::NotOffered,
        Status::NotApplicable,
    ];
    Ok(RuleResult {
        subject: parts[0].subject.clone(),
        cases,
        diverged: sum(|part| part.diverged)?,
        failed: sum(|part| part.failed)?,
        status: by_weight
            .into_iter()
            .find(|status| has(*status))
            .unwrap_or(Status::Skipped),
    })
}

/// Times by suite, added up; none where a part has none.
fn timings(shards: &[Shard]) -> Option<Vec<Timing>> {
    let mut all: Vec<Timing> = Vec::new();
    for shard in shards {
        for timing in shard.report.timings.as_ref()? {
            match all.iter_mut().find(|known| known.suite == timing.suite) {
                Some(known) => known.millis = known.millis.saturating_add(timing.millis),
                None => all.push(timing.clone()),
            }
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common;

    /// The sample, its cases and findings dealt to three parts by their numbers.
    fn parts() -> Vec<Shard> {
        let whole = common::sample();
        let of = 3;
        let mut parts: Vec<Shard> = (1..=of)
            .map(|index| {
                let mut report = whole.clone();
                report.findings.clear();
                for result in report.rules.iter_mut().flat_map(|rule| &mut rule.results) {
                    let share = |count: u64| count / of + u64::from(count % of >= index);
                    result.cases = share(result.cases);
                    result.diverged = share(result.diverged).min(result.cases);
                    result.failed = share(result.failed).min(result.cases);
                    if result.failed == 0 && result.cases > 0 {
                        result.status = Status::Held;
                    } else if result.cases == 0 && result.status == Status::Held {
                        result.status = Status::Skipped;
                    }
                }
                Shard {
                    format: FORMAT.into(),
                    index,
                    of,
                    order: Vec::new(),
                    report,
                }
            })
            .collect();
        for (number, finding) in (0u64..).zip(&whole.findings) {
            let part = &mut parts[(number * 2 % of) as usize];
            part.order.push([1, number]);
            part.report.findings.push(finding.clone());
            // Found again later, in another part.
            let part = &mut parts[((number * 2 + 1) % of) as usize];
            part.order.push([2, number]);
            part.report.findings.push(finding.clone());
        }
        for part in &mut parts {
            let mut both: Vec<_> = part
                .order
                .drain(..)
                .zip(part.report.findings.drain(..))
                .collect();
            both.sort_by_key(|(number, _)| *number);
            (part.order, part.report.findings) = both.into_iter().unzip();
        }
        parts
    }

    #[test]
    fn parts_in_any_order_are_the_whole() {
        let mut parts = parts();
        for part in &parts {
            let read = Shard::parse(part.render().as_bytes(), Path::new("shard.json")).unwrap();
            assert_eq!(read, *part);
        }
        let mut whole = common::sample();
        whole.timings = timings(&parts);
        for _ in 0..3 {
            parts.rotate_left(1);
            assert_eq!(merge(parts.clone()).unwrap(), whole);
        }
    }

    #[test]
    fn each_part_once_and_of_one_run() {
        let refused = |parts: Vec<Shard>| merge(parts).unwrap_err().to_string();
        let all = parts();
        assert_eq!(refused(Vec::new()), "no part is given");
        assert_eq!(refused(all[..2].to_vec()), "part 3 of 3 is missing");
        assert_eq!(refused(all[1..].to_vec()), "part 1 of 3 is missing");
        let twice = vec![all[0].clone(), all[0].clone(), all[2].clone()];
        assert_eq!(refused(twice), "part 1 of 3 is given twice");
        let mut other = all.clone();
        other[1].report.seed += 1;
        assert_eq!(
            refused(other),
            "part 2 of 3 is another run than part 1: the seed differs"
        );
        let mut over = all;
        over[1].report.rules[0].results[0].cases = u64::MAX;
        assert!(refused(over).contains("2^64-1"));
    }

    #[test]
    fn a_part_is_checked_when_it_is_read() {
        let refused = |change: fn(&mut Shard)| {
            let mut part = parts().remove(0);
            change(&mut part);
            let read = Shard::parse(part.render().as_bytes(), Path::new("x"));
            read.unwrap_err().to_string()
        };
        assert_eq!(
            refused(|part| part.format = "udma-shard/2".into()),
            "x: format: allowed is \"udma-shard/1\""
        );
        assert_eq!(
            refused(|part| part.index = 4),
            "x: index: allowed is 1 to 3"
        );
        assert!(refused(|part| part.order.push([0, 0])).starts_with("x: order: allowed is one"));
        assert!(
            refused(|part| part.report.subjects[0].line = "firmware".into())
                .starts_with("x: report.subjects[0].line: allowed is")
        );
        assert!(Shard::parse(b"{", Path::new("x")).is_err());
    }
}
