//! The report as one HTML page: no script, no request to anywhere, readable on paper.

mod diagram;
mod finding;
mod rules;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::model::Report;
use crate::summary::{Tally, Verdict};
use crate::text::{count, printable, thousands};

const STYLE: &str = include_str!("html/style.css");

/// Everything but the page's own style is refused, whatever a subject managed to get into it.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The report as a self-contained HTML page.
pub fn render(report: &Report) -> String {
    let verdict = report.verdict_line();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "UDMA conformance: " (verdict) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (header(report, &verdict))
                main {
                    (tiles(report))
                    (families(report))
                    (finding::section(report))
                    (rules::divergences(report))
                    (rules::section(report))
                    (timings(report))
                }
            }
        }
    };
    page.into_string()
}

fn header(report: &Report, verdict: &str) -> Markup {
    let (class, mark) = match report.verdict() {
        Verdict::Held => ("good", "✓"),
        Verdict::Failed => ("bad", "✗"),
        Verdict::NothingRan => ("bad", "!"),
        Verdict::Unfinished => ("warn", "…"),
    };
    html! {
        header {
            div.title {
                h1 { "UDMA conformance report" }
                nav aria-label="sections" {
                    a href="#families" { "Families" }
                    @if !report.findings.is_empty() { a href="#findings" { "Findings" } }
                    a href="#rules" { "Rules" }
                }
            }
            p.verdict.(class) { span.mark aria-hidden="true" { (mark) } " " (verdict) }
            dl.parameters {
                div { dt { "Suite" } dd { (printable(&report.suite_version)) } }
                div { dt { "Seed" } dd.mono { (report.seed_text()) } }
                div { dt { "Generated cases" } dd { (report.cases_text()) } }
                div { dt { "Run" } dd { @if report.complete { "complete" } @else { strong { "not complete" } } } }
                @for subject in &report.subjects {
                    div {
                        dt { "Subject " span.mono { (printable(&subject.name)) } }
                        dd {
                            (printable(&subject.line)) " line"
                            @if let Some(driver) = &subject.driver { ", driver " (printable(driver)) }
                            @for note in &subject.notes { br; (printable(note)) }
                        }
                    }
                }
            }
        }
    }
}

fn tiles(report: &Report) -> Markup {
    let total = report.total();
    let tried = report.rules.iter().filter(|rule| rule.cases() > 0).count() as u64;
    let tile = |label: &str, number: u64, note: String, class: &str| {
        html! {
            li.tile.(class) {
                span.label { (label) }
                span.number { (thousands(number)) }
                span.note { (note) }
            }
        }
    };
    let bad = if total.findings > 0 { "bad" } else { "good" };
    let failed = report.failed_rules().len() as u64;
    let diverging = report
        .rules
        .iter()
        .filter(|rule| rule.diverged() > 0)
        .count() as u64;
    html! {
        ul.tiles aria-label="summary" {
            (tile("Findings", total.findings, format!("in {}", count(failed, "rule")), bad))
            (tile("Rules tried", tried, format!("of {} selected", thousands(total.rules)), ""))
            (tile("Cases", total.cases, format!("over {}", count(report.subjects.len() as u64, "subject")), ""))
            (tile("Known divergences", total.diverged, format!("cases in {}", count(diverging, "rule")), ""))
            (tile("Notes", total.notes, "informative".into(), ""))
            (tile("Not offered", total.not_offered, format!("results; {} skipped", thousands(total.skipped)), ""))
        }
    }
}

fn families(report: &Report) -> Markup {
    let row = |sum: Tally| {
        html! {
            td.n { (thousands(sum.rules)) }
            td.n { (thousands(sum.cases)) }
            td.n.bad[sum.findings > 0] { (thousands(sum.findings)) @if sum.findings > 0 { " ✗" } }
            td.n { (thousands(sum.diverged)) }
            td.n { (thousands(sum.not_offered)) }
            td.n { (thousands(sum.skipped)) }
        }
    };
    html! {
        section #families {
            h2 { "Rule families" }
            div.scroll {
                table.numbers {
                    thead {
                        tr {
                            th scope="col" { "Family" }
                            th.n scope="col" { "Rules" }
                            th.n scope="col" { "Cases" }
                            th.n scope="col" { "Findings" }
                            th.n scope="col" { "Known divergences" }
                            th.n scope="col" { "Not offered" }
                            th.n scope="col" { "Skipped" }
                        }
                    }
                    tbody {
                        @for (family, rules) in report.families() {
                            tr {
                                th scope="row" { a href=(format!("#family-{}", slug(family))) { (printable(family)) } }
                                (row(report.tally(rules)))
                            }
                        }
                    }
                    tfoot { tr { th scope="row" { "Total" } (row(report.total())) } }
                }
            }
            p.small {
                "Cases and known divergences count cases over all subjects; not offered and skipped count results, "
                "a result being one rule under one subject."
            }
        }
    }
}

fn timings(report: &Report) -> Markup {
    html! {
        @if let Some(timings) = &report.timings {
            section #timings {
                h2 { "Timings" }
                div.scroll {
                    table.numbers {
                        thead { tr { th scope="col" { "Suite" } th.n scope="col" { "Milliseconds" } } }
                        tbody {
                            @for timing in timings {
                                tr { th scope="row" { (printable(&timing.suite)) } td.n { (thousands(timing.millis)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A name as part of an `id`, which must not hold spaces.
fn slug(name: &str) -> String {
    name.chars()
        .map(|letter| {
            if letter.is_ascii_alphanumeric() {
                letter
            } else {
                '-'
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common;
    use crate::model::Timing;

    #[test]
    fn holds_every_rule_and_finding() {
        let report = common::sample();
        let page = render(&report);
        for rule in &report.rules {
            assert!(
                page.contains(&format!("id=\"rule-{}\"", rule.id)),
                "{}",
                rule.id
            );
        }
        for at in 1..=report.findings.len() {
            assert!(page.contains(&format!("id=\"finding-{at}\"")), "{at}");
        }
        assert!(page.contains("FAILED: 4 findings in 3 rules"));
        assert!(page.contains("size 0"));
    }

    #[test]
    fn asks_nobody_for_anything() {
        let page = render(&common::sample());
        for asking in [
            "src=", "url(", "@import", "<script", "<link", "<img", "<iframe", "http://", "https://",
        ] {
            assert!(!page.contains(asking), "{asking}");
        }
    }

    #[test]
    fn foreign_text_is_escaped_everywhere() {
        let hostile = "<script>alert(1)</script>\"'><b onclick=x>";
        let mut report = common::sample();
        report.suite_version = hostile.into();
        report.subjects[0].name = hostile.into();
        report.subjects[0].driver = Some(hostile.into());
        report.timings = Some(vec![Timing {
            suite: hostile.into(),
            millis: 1,
        }]);
        let rule = &mut report.rules[5];
        (rule.id, rule.family, rule.statement) = (hostile.into(), hostile.into(), hostile.into());
        (rule.why, rule.source, rule.checks) =
            (hostile.into(), hostile.into(), vec![hostile.into()]);
        rule.divergences[0].when = hostile.into();
        rule.results[0].subject = hostile.into();
        let finding = &mut report.findings[0];
        (finding.subject, finding.check, finding.origin) =
            (hostile.into(), hostile.into(), hostile.into());
        (finding.rule, finding.summary, finding.input) =
            (hostile.into(), hostile.into(), hostile.into());
        (finding.expected, finding.actual) = (vec![hostile.into()], vec![hostile.into()]);
        let diff = &mut finding.descriptors[0];
        (diff.label, diff.fields[0].name, diff.fields[0].word) =
            (hostile.into(), hostile.into(), hostile.into());
        let page = render(&report);
        assert!(!page.contains("<script"));
        assert!(!page.contains("<b onclick"));
        assert!(page.matches("&lt;script&gt;").count() >= 15);
    }
}
