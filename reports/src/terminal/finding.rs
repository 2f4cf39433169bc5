//! One finding as text, shared with the JUnit form.

use super::{Role, Terminal, folded, line};
use crate::descriptor::WORDS;
use crate::model::{DescriptorDiff, Finding, Report};
use crate::text::printable;

impl Terminal {
    /// One finding: rule, subject, check, origin, summary, input, both answers, and the fields that
    /// differ, each with its word and name.
    pub(crate) fn finding(
        &self,
        out: &mut String,
        report: &Report,
        number: usize,
        finding: &Finding,
    ) {
        let id = self.style.paint(Role::Bad, &printable(&finding.rule));
        line(
            out,
            &format!("{number}. {id}  {}", printable(&finding.subject)),
        );
        if let Some(rule) = report.rules.iter().find(|rule| rule.id == finding.rule) {
            out.push_str(&folded("   rule:     ", &rule.statement));
            out.push_str(&folded("   why:      ", &rule.why));
        }
        out.push_str(&folded(
            "   check:    ",
            &format!("{}, case {}", finding.check, finding.origin),
        ));
        out.push_str(&folded("   summary:  ", &finding.summary));
        // The input stays on one line, so that it can be copied whole.
        line(
            out,
            &format!("   input:    {}", printable(&finding.input.to_string())),
        );
        answer(out, "   expected: ", &finding.expected);
        answer(out, "   actual:   ", &finding.actual);
        for diff in &finding.descriptors {
            self.descriptor(out, diff);
        }
    }

    fn descriptor(&self, out: &mut String, diff: &DescriptorDiff) {
        let label = printable(&diff.label);
        if let Some(complaint) = diff.sides().complaint() {
            line(
                out,
                &self
                    .style
                    .paint(Role::Bad, &format!("   {label} {complaint}")),
            );
        }
        for difference in diff.differences() {
            let difference = printable(&difference).into_owned();
            line(
                out,
                &format!("   {label} {}", self.style.paint(Role::Bad, &difference)),
            );
        }
        for (side, hex) in [("expected", &diff.expected), ("actual", &diff.actual)] {
            let bytes = hex.as_deref().map_or("(left as it was)".into(), grouped);
            line(out, &format!("     {side:<8}  {}", printable(&bytes)));
        }
        if diff.differing_bits() != [0; WORDS] {
            line(
                out,
                &format!(
                    "               {}",
                    self.style.paint(Role::Bad, &carets(diff))
                ),
            );
        }
    }
}

fn answer(out: &mut String, lead: &str, lines: &[String]) {
    let blank = " ".repeat(lead.len());
    if lines.is_empty() {
        line(out, &format!("{lead}(nothing)"));
    }
    for (at, text) in lines.iter().enumerate() {
        line(
            out,
            &format!("{}{}", if at == 0 { lead } else { &blank }, printable(text)),
        );
    }
}

// Memory order, bytes apart, words further apart: `40 00 00 0c  03 00 08 01 ...`.
fn grouped(hex: &str) -> String {
    let mut out = String::new();
    for (at, digit) in hex.chars().enumerate() {
        match at {
            0 => {}
            _ if at % 8 == 0 => out.push_str("  "),
            _ if at % 2 == 0 => out.push(' '),
            _ => {}
        }
        out.push(digit);
    }
    out
}

// A caret under every hex digit that differs, laid out as `grouped` does.
fn carets(diff: &DescriptorDiff) -> String {
    let digits: String = diff
        .differing_bits()
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .flat_map(|byte| [byte >> 4, byte & 0xf])
        .map(|digit| if digit == 0 { ' ' } else { '^' })
        .collect();
    grouped(&digits).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common;

    #[test]
    fn carets_stand_under_the_digits_that_differ() {
        let diff = common::tx_diff();
        assert_eq!(
            grouped(diff.expected.as_deref().unwrap()),
            "40 00 00 0e  03 00 08 01  00 10 00 80  0f 00 00 00"
        );
        assert_eq!(
            grouped(diff.actual.as_deref().unwrap()),
            "40 00 00 05  03 00 08 05  00 10 00 80  0f 00 00 00"
        );
        assert_eq!(carets(&diff), "          ^            ^");
    }

    #[test]
    fn one_sided_descriptors_say_so() {
        let report = common::sample();
        let text = Terminal::default().render(&report);
        assert!(text.contains("TX must be left as it was, but was written"));
        assert!(text.contains("RX must be written, but was left as it was"));
        assert!(text.contains("     expected  (left as it was)"));
    }
}
