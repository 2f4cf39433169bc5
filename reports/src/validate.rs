//! What a report must satisfy beyond its types: references that exist, numbers that fit.

use crate::descriptor::{WORDS, words};
use crate::model::{DescriptorDiff, FieldDiff, Report, Status};

/// A value that may not stand where it does.
#[derive(Debug, PartialEq, Eq)]
pub struct Invalid {
    /// Place in the report: `rules[3].results[0].subject`.
    pub path: String,
    /// What is allowed there.
    pub allowed: String,
}

fn invalid(path: String, allowed: impl Into<String>) -> Result<(), Invalid> {
    Err(Invalid {
        path,
        allowed: allowed.into(),
    })
}

/// Checks the whole report and names the first value that does not fit.
pub fn validate(report: &Report) -> Result<(), Invalid> {
    for (at, subject) in report.subjects.iter().enumerate() {
        if !matches!(subject.line.as_str(), "kernel" | "hal") {
            return invalid(format!("subjects[{at}].line"), "`kernel` or `hal`");
        }
        if report.subjects[..at]
            .iter()
            .any(|earlier| earlier.name == subject.name)
        {
            return invalid(
                format!("subjects[{at}].name"),
                "a name that no other subject has",
            );
        }
    }
    rules(report)?;
    for (at, finding) in report.findings.iter().enumerate() {
        if !report.rules.iter().any(|rule| rule.id == finding.rule) {
            return invalid(
                format!("findings[{at}].rule"),
                "the id of a rule of this report",
            );
        }
        if !report
            .subjects
            .iter()
            .any(|subject| subject.name == finding.subject)
        {
            return invalid(
                format!("findings[{at}].subject"),
                "the name of a subject of this report",
            );
        }
        for (index, diff) in finding.descriptors.iter().enumerate() {
            descriptor(diff, &format!("findings[{at}].descriptors[{index}]"))?;
        }
    }
    Ok(())
}

fn rules(report: &Report) -> Result<(), Invalid> {
    for (at, rule) in report.rules.iter().enumerate() {
        let path = format!("rules[{at}]");
        if report.rules[..at]
            .iter()
            .any(|earlier| earlier.id == rule.id)
        {
            return invalid(format!("{path}.id"), "an id that no other rule has");
        }
        if rule.results.len() != report.subjects.len() {
            let subjects = report.subjects.len();
            return invalid(
                format!("{path}.results"),
                format!("one entry a subject: {subjects}"),
            );
        }
        for (index, (result, subject)) in rule.results.iter().zip(&report.subjects).enumerate() {
            let path = format!("{path}.results[{index}]");
            if result.subject != subject.name {
                let allowed = format!("`{}`: results stand in the order of subjects", subject.name);
                return invalid(format!("{path}.subject"), allowed);
            }
            if result.diverged > result.cases {
                return invalid(
                    format!("{path}.diverged"),
                    format!("at most `cases`, {}", result.cases),
                );
            }
            if result.failed > result.cases {
                return invalid(
                    format!("{path}.failed"),
                    format!("at most `cases`, {}", result.cases),
                );
            }
            if result.status == Status::Held && result.failed > 0 {
                return invalid(
                    format!("{path}.status"),
                    "a verdict other than `held` where `failed` is not 0",
                );
            }
        }
    }
    Ok(())
}

fn descriptor(diff: &DescriptorDiff, path: &str) -> Result<(), Invalid> {
    let hex = "32 hex digits in memory order, or null";
    if diff.expected.is_some() && diff.expected_words().is_none() {
        return invalid(format!("{path}.expected"), hex);
    }
    if diff.actual.is_some() && diff.actual_words().is_none() {
        return invalid(format!("{path}.actual"), hex);
    }
    for (at, field) in diff.fields.iter().enumerate() {
        let path = format!("{path}.fields[{at}]");
        if usize::from(field.index) >= WORDS {
            return invalid(format!("{path}.index"), "0 to 3");
        }
        let top = if usize::from(field.index) + 1 < WORDS {
            63
        } else {
            31
        };
        if field.high > top {
            return invalid(
                format!("{path}.high"),
                format!("0 to {top} in a word that starts at {}", field.index),
            );
        }
        if field.low > field.high {
            return invalid(
                format!("{path}.low"),
                format!("at most `high`, {}", field.high),
            );
        }
        side(
            field,
            field.expected,
            diff.expected.as_deref(),
            format!("{path}.expected"),
        )?;
        side(
            field,
            field.actual,
            diff.actual.as_deref(),
            format!("{path}.actual"),
        )?;
    }
    Ok(())
}

// A field must say what the bytes say: a reader looks at one of them only.
fn side(
    field: &FieldDiff,
    value: Option<u64>,
    hex: Option<&str>,
    path: String,
) -> Result<(), Invalid> {
    match (value, hex.and_then(words)) {
        (Some(value), Some(words)) => {
            let at = usize::from(field.index);
            let all = u64::from(words[at]) | u64::from(*words.get(at + 1).unwrap_or(&0)) << 32;
            let bits = (all >> field.low) & (u64::MAX >> (64 - u32::from(field.width())));
            if value == bits {
                return Ok(());
            }
            invalid(path, format!("{bits}, as the descriptor's bytes have it"))
        }
        (Some(_), None) => invalid(path, "null, since the descriptor has no bytes on this side"),
        (None, Some(_)) => invalid(path, "a value, since the descriptor has bytes on this side"),
        (None, None) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::common;

    #[test]
    fn samples_are_valid() {
        assert_eq!(validate(&common::sample()), Ok(()));
        assert_eq!(validate(&common::held()), Ok(()));
    }

    #[rstest]
    #[case::line(|r: &mut Report| r.subjects[1].line = "firmware".into(), "subjects[1].line")]
    #[case::subject_twice(|r: &mut Report| r.subjects[1].name = "rust".into(), "subjects[1].name")]
    #[case::rule_twice(|r: &mut Report| r.rules[1].id = "DESC-1".into(), "rules[1].id")]
    #[case::results_short(|r: &mut Report| { r.rules[2].results.pop(); }, "rules[2].results")]
    #[case::order(|r: &mut Report| r.rules[2].results.swap(0, 1), "rules[2].results[0].subject")]
    #[case::diverged(|r: &mut Report| r.rules[0].results[0].diverged = 65_537, "rules[0].results[0].diverged")]
    #[case::failed(|r: &mut Report| r.rules[0].results[0].failed = u64::MAX, "rules[0].results[0].failed")]
    #[case::verdict(|r: &mut Report| r.rules[0].results[0].failed = 1, "rules[0].results[0].status")]
    #[case::rule(|r: &mut Report| r.findings[0].rule = "NONE-1".into(), "findings[0].rule")]
    #[case::subject(|r: &mut Report| r.findings[3].subject = "nobody".into(), "findings[3].subject")]
    #[case::hex(|r: &mut Report| r.findings[0].descriptors[0].actual = Some("00".into()), "findings[0].descriptors[0].actual")]
    #[case::index(|r: &mut Report| r.findings[0].descriptors[0].fields[2].index = 4, "findings[0].descriptors[0].fields[2].index")]
    #[case::high(|r: &mut Report| r.findings[0].descriptors[0].fields[2].high = 64, "findings[0].descriptors[0].fields[2].high")]
    #[case::low(|r: &mut Report| r.findings[0].descriptors[0].fields[2].low = 30, "findings[0].descriptors[0].fields[2].low")]
    #[case::value(|r: &mut Report| r.findings[0].descriptors[0].fields[2].actual = Some(1), "findings[0].descriptors[0].fields[2].actual")]
    #[case::no_bytes(|r: &mut Report| r.findings[0].descriptors[0].expected = None, "findings[0].descriptors[0].fields[0].expected")]
    fn names_the_first_bad_value(#[case] spoil: fn(&mut Report), #[case] path: &str) {
        let mut report = common::sample();
        spoil(&mut report);
        assert_eq!(validate(&report).unwrap_err().path, path);
    }
}
