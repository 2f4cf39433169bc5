//! The report as JUnit XML: a suite a family, a test case a rule.
//!
//! Neither times nor ids are written, so that equal reports give equal bytes. A run in which
//! nothing was tried, or that did not end, has one more suite, `run`, with an error: a reader that
//! only counts failures must not take such a run for a pass.

use quick_junit::{NonSuccessKind, Report as Document, TestCase, TestCaseStatus, TestSuite};

use crate::model::{Finding, Report, RuleReport, Status};
use crate::terminal::Terminal;
use crate::text::{count, printable};

/// The report as JUnit XML text.
///
/// JUnit has one failure a test case: where several subjects break a rule, its message gives the
/// first summary and their number, and its text all findings in full.
pub fn render(report: &Report) -> String {
    let mut document = Document::new("udma conformance");
    if let Some(suite) = run_suite(report) {
        document.add_test_suite(suite);
    }
    for (family, rules) in report.families() {
        let mut suite = TestSuite::new(printable(family));
        suite.add_test_cases(rules.into_iter().map(|rule| test_case(report, rule)));
        document.add_test_suite(suite);
    }
    document.to_string().expect("XML into a String cannot fail")
}

fn run_suite(report: &Report) -> Option<TestSuite> {
    let (name, message) = if !report.ran() {
        ("ran", "not one case was tried")
    } else if !report.complete {
        ("complete", "the run did not end: checks are missing")
    } else {
        return None;
    };
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message(message).set_type("run");
    let mut case = TestCase::new(name, status);
    case.set_classname("run");
    let mut suite = TestSuite::new("run");
    suite.add_test_case(case);
    Some(suite)
}

fn test_case(report: &Report, rule: &RuleReport) -> TestCase {
    let findings: Vec<&Finding> = report.findings_of(&rule.id).collect();
    let failures: Vec<&Finding> = findings
        .iter()
        .copied()
        .filter(|finding| !finding.informative)
        .collect();
    let failed = !failures.is_empty() || rule.with_status(Status::Failed).next().is_some();
    let status = if failed {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status
            .set_type(printable(&rule.id))
            .set_message(message(rule, &failures));
        if !failures.is_empty() {
            status.set_description(texts(report, &failures));
        }
        status
    } else if rule.results.iter().all(|result| untried(result.status)) {
        let mut status = TestCaseStatus::skipped();
        status.set_message(printable(&outcomes(rule)));
        status
    } else {
        TestCaseStatus::success()
    };
    let mut case = TestCase::new(printable(&rule.id), status);
    case.set_classname(printable(&rule.family));
    case.set_assertions(usize::try_from(rule.cases()).unwrap_or(usize::MAX));
    let notes: Vec<&Finding> = findings
        .into_iter()
        .filter(|finding| finding.informative)
        .collect();
    if !notes.is_empty() {
        case.set_system_out(texts(report, &notes));
    } else if rule.with_status(Status::Informative).next().is_some() {
        case.set_system_out(printable(&outcomes(rule)));
    }
    case
}

fn untried(status: Status) -> bool {
    matches!(
        status,
        Status::Skipped | Status::NotOffered | Status::NotApplicable
    )
}

// `rust: not offered; c-hal: skipped`
fn outcomes(rule: &RuleReport) -> String {
    if rule.results.is_empty() {
        return "no subject".into();
    }
    let each = rule.results.iter().map(|result| {
        let failed = if result.failed > 0 {
            format!(" ({})", count(result.failed, "case"))
        } else {
            String::new()
        };
        format!("{}: {}{failed}", result.subject, result.status.words())
    });
    each.collect::<Vec<_>>().join("; ")
}

fn message(rule: &RuleReport, failures: &[&Finding]) -> String {
    let text = match failures {
        [] => outcomes(rule),
        [one] => format!("{}: {}", one.subject, one.summary),
        [first, rest @ ..] => format!(
            "{}: {} (and {} more)",
            first.subject,
            first.summary,
            rest.len()
        ),
    };
    printable(&text).into_owned()
}

fn texts(report: &Report, findings: &[&Finding]) -> String {
    let mut out = String::from("\n");
    for (at, finding) in findings.iter().enumerate() {
        Terminal::default().finding(&mut out, report, at + 1, finding);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common;

    fn reread(report: &Report) -> Document {
        Document::deserialize_from_str(&render(report)).expect("what is written is JUnit")
    }

    fn case<'a>(document: &'a Document, name: &str) -> &'a TestCase {
        let mut cases = document
            .test_suites
            .iter()
            .flat_map(|suite| &suite.test_cases);
        cases
            .find(|case| case.name.as_str() == name)
            .expect("every rule has a test case")
    }

    #[test]
    fn a_suite_a_family_and_a_case_a_rule() {
        let report = common::sample();
        let document = reread(&report);
        assert_eq!(document.test_suites.len(), report.families().len());
        for rule in &report.rules {
            assert_eq!(
                case(&document, &rule.id)
                    .classname
                    .as_ref()
                    .unwrap()
                    .as_str(),
                rule.family
            );
        }
        assert_eq!(
            (document.tests, document.failures, document.errors),
            (11, 3, 0)
        );
    }

    #[test]
    fn failures_hold_every_finding() {
        let report = common::sample();
        let document = reread(&report);
        let TestCaseStatus::NonSuccess {
            message,
            description,
            ..
        } = &case(&document, "BLDR-1").status
        else {
            panic!("BLDR-1 failed");
        };
        assert!(message.as_ref().unwrap().as_str().ends_with("(and 1 more)"));
        let text = description.as_ref().unwrap().as_str();
        for finding in report.findings_of("BLDR-1") {
            assert!(text.contains(&finding.origin), "{text}");
        }
        assert!(
            text.contains("TX word0 bit 27 LAST: expected 1, got 0"),
            "{text}"
        );
    }

    #[test]
    fn notes_pass_and_untried_rules_are_skipped() {
        let document = reread(&common::sample());
        let note = case(&document, "MODL-3");
        assert!(matches!(note.status, TestCaseStatus::Success { .. }));
        assert!(
            note.system_out
                .as_ref()
                .unwrap()
                .as_str()
                .contains("the marker may be seen before the data")
        );
        for id in ["RING-9", "RING-12"] {
            assert!(
                matches!(case(&document, id).status, TestCaseStatus::Skipped { .. }),
                "{id}"
            );
        }
    }

    #[test]
    fn a_run_of_nothing_or_cut_short_is_an_error() {
        let mut report = common::held();
        assert_eq!(reread(&report).errors, 0);
        report.complete = false;
        assert_eq!(reread(&report).errors, 1);
        report.rules.clear();
        let document = reread(&report);
        assert_eq!((document.tests, document.errors), (1, 1));
    }

    #[test]
    fn no_times_and_no_ids() {
        let text = render(&common::sample());
        for attribute in [" time=", " timestamp=", " uuid="] {
            assert!(!text.contains(attribute), "{attribute}");
        }
    }

    #[test]
    fn foreign_text_is_escaped() {
        let mut report = common::sample();
        report.findings[0].summary = "</failure><script>\u{0}\u{1b}[31m&".into();
        let text = render(&report);
        assert!(!text.contains("<script>"));
        reread(&report);
    }
}
