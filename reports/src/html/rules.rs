//! The rules, one row each, with the result of every subject.

use maud::{Markup, html};

use super::slug;
use crate::model::{Confidence, DivergenceNote, Report, RuleReport, RuleResult, Status};
use crate::text::{count, printable, thousands};

/// The table of rules, family by family.
pub fn section(report: &Report) -> Markup {
    let columns = 4 + report.subjects.len();
    html! {
        section #rules {
            h2 { "Rules" }
            div.scroll {
                table.rules {
                    thead {
                        tr {
                            th scope="col" { "Rule" }
                            th scope="col" { "Statement" }
                            th scope="col" { "Source" }
                            th.n scope="col" { "Cases" }
                            @for subject in &report.subjects {
                                th.subject scope="col" { (printable(&subject.name)) }
                            }
                        }
                    }
                    @for (family, rules) in report.families() {
                        tbody #(format!("family-{}", slug(family))) {
                            tr.family {
                                th colspan=(columns) scope="rowgroup" {
                                    (printable(family)) span.small { " " (count(rules.len() as u64, "rule")) }
                                }
                            }
                            @for rule in rules { (row(report, rule)) }
                        }
                    }
                }
            }
        }
    }
}

fn row(report: &Report, rule: &RuleReport) -> Markup {
    html! {
        tr #(format!("rule-{}", slug(&rule.id))) {
            th.id scope="row" { (printable(&rule.id)) }
            td.statement {
                (printable(&rule.statement))
                (more(report, rule))
            }
            td.source { (printable(&rule.source)) span.confidence { "confidence: " (confidence(rule.confidence)) } }
            td.n { (thousands(rule.cases())) }
            @for result in &rule.results { (outcome(result)) }
        }
    }
}

fn more(report: &Report, rule: &RuleReport) -> Markup {
    html! {
        details {
            summary {
                "Why, checks"
                @if !rule.divergences.is_empty() { ", known divergences" }
            }
            p { strong { "Why it matters. " } (printable(&rule.why)) }
            p {
                strong { "Checks. " }
                @for (at, check) in rule.checks.iter().enumerate() {
                    @if at > 0 { ", " }
                    code { (printable(check)) }
                }
                @if rule.checks.is_empty() { "none" }
            }
            @for note in &rule.divergences { (divergence(note)) }
        }
        @let found: Vec<usize> = (1..=report.findings.len()).filter(|at| report.findings[at - 1].rule == rule.id).collect();
        @if !found.is_empty() {
            p.found { @for at in found { a href=(format!("#finding-{at}")) { "Finding " (at) } " " } }
        }
    }
}

fn divergence(note: &DivergenceNote) -> Markup {
    html! {
        dl.divergence {
            div { dt { "Known divergence" } dd { (printable(&note.when)) } }
            div { dt { "Kernel line" } dd { (printable(&note.kernel)) } }
            div { dt { "HAL line" } dd { (printable(&note.hal)) } }
        }
    }
}

/// The known divergences that cases fell into.
pub fn divergences(report: &Report) -> Markup {
    let seen: Vec<&RuleReport> = report
        .rules
        .iter()
        .filter(|rule| rule.diverged() > 0)
        .collect();
    html! {
        @if !seen.is_empty() {
            section #divergences {
                h2 { "Known divergences seen" }
                @for rule in seen {
                    div.seen {
                        h3 {
                            a href=(format!("#rule-{}", slug(&rule.id))) { (printable(&rule.id)) }
                            span.small { " " (count(rule.diverged(), "case")) }
                        }
                        @for note in &rule.divergences { (divergence(note)) }
                    }
                }
            }
        }
    }
}

fn confidence(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::C => "certain",
        Confidence::H => "high",
        Confidence::M => "medium",
        Confidence::L => "low",
    }
}

fn outcome(result: &RuleResult) -> Markup {
    let (class, mark) = match result.status {
        Status::Held => ("good", "✓"),
        Status::Failed => ("bad", "✗"),
        Status::Informative => ("note", "i"),
        Status::NotOffered => ("none", "–"),
        Status::NotApplicable => ("none", "·"),
        Status::Skipped => ("warn", "!"),
    };
    html! {
        td.outcome.(class) {
            span.chip { span aria-hidden="true" { (mark) } " " (result.status.words()) }
            @if result.failed > 0 { span.small { (thousands(result.failed)) " of " (count(result.cases, "case")) } }
            @if result.diverged > 0 { span.small { (thousands(result.diverged)) " in a known divergence" } }
        }
    }
}
