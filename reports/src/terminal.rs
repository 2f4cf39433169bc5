//! The report as text: a table of families, known divergences, notes, findings, and one verdict.
//!
//! The layout does not ask the terminal for its width, so that equal reports give equal text.

mod finding;

use std::fmt::Write as _;

use anstyle::{AnsiColor, Effects};
use comfy_table::presets::ASCII_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};

use crate::model::{Report, Status};
use crate::summary::{Tally, Verdict};
use crate::text::{count, printable, thousands};

/// Findings that are shown in full unless told otherwise.
pub const MAX_FINDINGS: usize = 10;

/// Columns after which running text is folded; hex and values are never cut.
const WIDTH: usize = 100;

/// Whether the text carries colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Plain text.
    #[default]
    Plain,
    /// ANSI escapes around headings, verdicts and differing bits.
    Colour,
}

/// What a piece of text is, which chooses its colour.
#[derive(Clone, Copy)]
enum Role {
    Heading,
    Good,
    Bad,
    Warn,
    Dim,
}

impl Style {
    fn paint(self, role: Role, text: &str) -> String {
        if self == Style::Plain || text.is_empty() {
            return text.to_owned();
        }
        let style = match role {
            Role::Heading => Effects::BOLD.into(),
            Role::Good => AnsiColor::Green.on_default().bold(),
            Role::Bad => AnsiColor::Red.on_default().bold(),
            Role::Warn => AnsiColor::Yellow.on_default(),
            Role::Dim => anstyle::Style::new().dimmed(),
        };
        format!("{style}{text}{style:#}")
    }
}

/// The text form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Plain or in colour.
    pub style: Style,
    /// Findings shown in full; the rest is counted.
    pub max_findings: usize,
}

impl Default for Terminal {
    fn default() -> Self {
        Terminal {
            style: Style::Plain,
            max_findings: MAX_FINDINGS,
        }
    }
}

impl Terminal {
    /// Plain or in colour, with as many findings as are shown by default.
    pub fn of(style: Style) -> Self {
        Self {
            style,
            ..Self::default()
        }
    }

    /// The report as text, ended by the verdict line.
    pub fn render(&self, report: &Report) -> String {
        let mut out = String::new();
        self.parameters(&mut out, report);
        out.push_str(&table(report));
        out.push_str(&self.style.paint(
            Role::Dim,
            "cases and known divergences: cases over all subjects; not offered, skipped: rule x subject\n",
        ));
        self.divergences(&mut out, report);
        self.notes(&mut out, report);
        self.findings(&mut out, report);
        let role = match report.verdict() {
            Verdict::Held => Role::Good,
            Verdict::Failed | Verdict::NothingRan => Role::Bad,
            Verdict::Unfinished => Role::Warn,
        };
        line(&mut out, "");
        line(&mut out, &self.style.paint(role, &report.verdict_line()));
        out
    }

    fn parameters(&self, out: &mut String, report: &Report) {
        let title = format!(
            "UDMA conformance, suite {}",
            printable(&report.suite_version)
        );
        line(out, &self.style.paint(Role::Heading, &title));
        line(
            out,
            &format!("seed {}, {}", report.seed_text(), report.cases_text()),
        );
        for subject in &report.subjects {
            let driver = subject
                .driver
                .as_deref()
                .map(|driver| format!(", driver {driver}"))
                .unwrap_or_default();
            line(
                out,
                &printable(&format!(
                    "subject {}: {} line{driver}",
                    subject.name, subject.line
                )),
            );
            for note in &subject.notes {
                line(out, &printable(&format!("  {note}")));
            }
        }
        line(out, "");
    }

    fn heading(&self, out: &mut String, title: &str) {
        line(out, "");
        line(out, &self.style.paint(Role::Heading, title));
    }

    fn divergences(&self, out: &mut String, report: &Report) {
        let seen: Vec<_> = report
            .rules
            .iter()
            .filter(|rule| rule.diverged() > 0)
            .collect();
        if seen.is_empty() {
            return;
        }
        self.heading(out, "Known divergences seen");
        for rule in seen {
            let id = self.style.paint(Role::Warn, &printable(&rule.id));
            line(out, &format!("  {id}  {}", count(rule.diverged(), "case")));
            for note in &rule.divergences {
                out.push_str(&folded("    when:   ", &note.when));
                out.push_str(&folded("    kernel: ", &note.kernel));
                out.push_str(&folded("    HAL:    ", &note.hal));
            }
        }
    }

    fn notes(&self, out: &mut String, report: &Report) {
        let noted = |rule: &str| report.findings_of(rule).any(|finding| finding.informative);
        let silent: Vec<_> = report
            .rules
            .iter()
            .filter(|rule| !noted(&rule.id))
            .flat_map(|rule| {
                rule.with_status(Status::Informative)
                    .map(move |result| (rule, result))
            })
            .collect();
        let notes: Vec<_> = report
            .findings
            .iter()
            .filter(|finding| finding.informative)
            .collect();
        if notes.is_empty() && silent.is_empty() {
            return;
        }
        self.heading(out, "Informative notes");
        for finding in notes {
            let lead = format!(
                "  {}  {}, {}: ",
                finding.rule, finding.subject, finding.origin
            );
            out.push_str(&folded(&printable(&lead), &finding.summary));
        }
        for (rule, result) in silent {
            let differ = count(result.failed, "case");
            line(
                out,
                &printable(&format!(
                    "  {}  {}: {differ} differ",
                    rule.id, result.subject
                )),
            );
        }
    }

    fn findings(&self, out: &mut String, report: &Report) {
        let total = report.failures().count();
        if total == 0 {
            return;
        }
        self.heading(out, &format!("Findings: {}", thousands(total as u64)));
        for (at, finding) in report.failures().take(self.max_findings).enumerate() {
            line(out, "");
            self.finding(out, report, at + 1, finding);
        }
        let more = total.saturating_sub(self.max_findings);
        if more > 0 {
            line(out, "");
            line(out, &format!("and {} more", thousands(more as u64)));
        }
    }
}

fn line(out: &mut String, text: &str) {
    writeln!(out, "{text}").expect("a String takes any text");
}

// Folds running text after a lead, with the next lines set under its start.
fn folded(lead: &str, text: &str) -> String {
    let indent = " ".repeat(lead.chars().count().min(24));
    let options = textwrap::Options::new(WIDTH)
        .initial_indent(lead)
        .subsequent_indent(&indent)
        .break_words(false)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::fill(&printable(text), options) + "\n"
}

fn table(report: &Report) -> String {
    let mut table = Table::new();
    table.load_style(ASCII_FULL_CONDENSED);
    table.set_header([
        "family",
        "rules",
        "cases",
        "findings",
        "known divergences",
        "not offered",
        "skipped",
    ]);
    let row = |family: &str, sum: Tally| {
        let numbers = [
            sum.rules,
            sum.cases,
            sum.findings,
            sum.diverged,
            sum.not_offered,
            sum.skipped,
        ];
        std::iter::once(printable(family).into_owned())
            .chain(numbers.map(thousands))
            .collect::<Vec<_>>()
    };
    for (family, rules) in report.families() {
        table.add_row(row(family, report.tally(rules)));
    }
    table.add_row(row("total", report.total()));
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let text = table.to_string();
    // A rule above the total, as under the header.
    let mut lines: Vec<&str> = text.lines().collect();
    if let [border, .., _total, _end] = lines[..] {
        lines.insert(lines.len() - 2, border);
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common;

    #[test]
    fn sample_in_full() {
        insta::assert_snapshot!(Terminal::default().render(&common::sample()));
    }

    #[test]
    fn held_ends_with_one_line() {
        let text = Terminal::default().render(&common::held());
        assert!(
            text.ends_with("\nheld: 3 rules, 1,966,080 cases, 3 subjects\n"),
            "{text}"
        );
        assert!(!text.contains("Findings"));
    }

    #[test]
    fn colour_only_when_told() {
        let report = common::sample();
        let plain = Terminal::default().render(&report);
        let colour = Terminal {
            style: Style::Colour,
            ..Terminal::default()
        }
        .render(&report);
        assert!(!plain.contains('\u{1b}'));
        assert!(colour.contains("\u{1b}["));
        let mut bare = String::new();
        let mut escaped = false;
        for letter in colour.chars() {
            match letter {
                '\u{1b}' => escaped = true,
                'm' if escaped => escaped = false,
                _ if !escaped => bare.push(letter),
                _ => {}
            }
        }
        assert_eq!(bare, plain);
    }

    #[test]
    fn the_rest_is_counted() {
        let text = Terminal {
            max_findings: 1,
            ..Terminal::default()
        }
        .render(&common::sample());
        assert!(text.contains("\nand 3 more\n"));
        assert!(text.contains("\n1. BLDR-1") && !text.contains("\n2. "));
    }

    #[test]
    fn foreign_text_cannot_steer_the_terminal() {
        let mut report = common::sample();
        report.findings[0].summary = "\u{1b}[2Jgone\r\nheld: all".into();
        report.findings[0].actual = vec!["\u{1b}]0;title\u{7}".into()];
        report.subjects[0].name = "\u{1b}[31m".into();
        let text = Terminal::default().render(&report);
        assert!(
            !text
                .chars()
                .any(|letter| letter.is_control() && letter != '\n')
        );
        assert!(!text.contains("\nheld: all"));
    }
}
