//! The findings: what was asked, both answers, and the descriptors bit by bit.

use maud::{Markup, html};

use super::{diagram, slug};
use crate::descriptor::value;
use crate::model::{DescriptorDiff, Finding, Report};
use crate::text::printable;

/// All findings, failures and notes, in the order found.
pub fn section(report: &Report) -> Markup {
    html! {
        @if !report.findings.is_empty() {
            section #findings {
                h2 { "Findings" }
                @for (at, finding) in report.findings.iter().enumerate() { (one(report, at + 1, finding)) }
            }
        }
    }
}

fn one(report: &Report, number: usize, finding: &Finding) -> Markup {
    let (class, mark, word) = if finding.informative {
        ("note", "i", "note")
    } else {
        ("bad", "✗", "failed")
    };
    html! {
        article.finding.(class) #(format!("finding-{number}")) {
            h3 {
                span.number { (number) "." } " "
                a href=(format!("#rule-{}", slug(&finding.rule))) { (printable(&finding.rule)) } " "
                span.chip { span aria-hidden="true" { (mark) } " " (word) } " "
                span.who { (printable(&finding.subject)) }
            }
            p.summary { (printable(&finding.summary)) }
            dl.facts {
                @if let Some(rule) = report.rules.iter().find(|rule| rule.id == finding.rule) {
                    div { dt { "Rule" } dd { (printable(&rule.statement)) } }
                    div { dt { "Why" } dd { (printable(&rule.why)) } }
                }
                div { dt { "Check" } dd { code { (printable(&finding.check)) } } }
                div { dt { "Case" } dd { code { (printable(&finding.origin)) } } }
                div { dt { "Input" } dd { code.input { (printable(&finding.input.to_string())) } } }
            }
            div.answers {
                (answer("Expected", &finding.expected))
                (answer("Actual", &finding.actual))
            }
            @for diff in &finding.descriptors { (descriptor(diff)) }
        }
    }
}

fn answer(title: &str, lines: &[String]) -> Markup {
    html! {
        div {
            h4 { (title) }
            @if lines.is_empty() { p.small { "nothing" } }
            @else { ul { @for line in lines { li { code { (printable(line)) } } } } }
        }
    }
}

fn descriptor(diff: &DescriptorDiff) -> Markup {
    html! {
        figure.descriptor {
            figcaption { (printable(&diff.label)) " descriptor" }
            @if let Some(complaint) = diff.sides().complaint() {
                p.complaint { span aria-hidden="true" { "≠ " } "The slot " (complaint) "." }
            }
            (fields(diff))
            (diagram::descriptor(diff))
        }
    }
}

// The differing fields as a table: the whole of a 64-bit value is only here.
fn fields(diff: &DescriptorDiff) -> Markup {
    let differing: Vec<_> = diff.fields.iter().filter(|field| field.differs()).collect();
    let show =
        |side: Option<u64>, width| side.map_or("nothing".into(), |number| value(number, width));
    html! {
        @if diff.sides().complaint().is_none() && !differing.is_empty() {
            table.fields {
                thead {
                    tr {
                        th scope="col" { "Word" } th scope="col" { "Bits" } th scope="col" { "Field" }
                        th scope="col" { "Expected" } th scope="col" { "Actual" }
                    }
                }
                tbody {
                    @for field in differing {
                        tr {
                            td.mono { (printable(&field.word)) }
                            td.mono { (field.high) @if field.high != field.low { ":" (field.low) } }
                            td.mono { (printable(&field.name)) }
                            td.mono { (show(field.expected, field.width())) }
                            td.mono.bad { (show(field.actual, field.width())) " ≠" }
                        }
                    }
                }
            }
        }
    }
}
