//! Numbers and foreign text as they are printed in every format.

use std::borrow::Cow;
use std::fmt::Write as _;

/// A whole number with thousands separators: `118,234,112`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number with its noun: `1 rule`, `46 rules`.
pub fn count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", thousands(number))
}

/// One line that is safe to print.
///
/// A subject may be a foreign library, and its words end up in summaries: control characters
/// (terminal escapes, line ends) and the marks that reorder text are shown as `\u{..}`.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(unprintable) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        if unprintable(letter) {
            write!(out, "{}", letter.escape_default()).expect("a String takes any text");
        } else {
            out.push(letter);
        }
    }
    Cow::Owned(out)
}

fn unprintable(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
                | '\u{fffe}' | '\u{ffff}'
        )
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(0, "0")]
    #[case(999, "999")]
    #[case(1000, "1,000")]
    #[case(118_234_112, "118,234,112")]
    #[case(u64::MAX, "18,446,744,073,709,551,615")]
    fn groups_by_three(#[case] number: u64, #[case] text: &str) {
        assert_eq!(thousands(number), text);
    }

    #[test]
    fn counts_one_and_many() {
        assert_eq!(count(1, "rule"), "1 rule");
        assert_eq!(count(0, "rule"), "0 rules");
        assert_eq!(count(4096, "case"), "4,096 cases");
    }

    #[rstest]
    #[case("size 0 → refused", "size 0 → refused")]
    #[case("\u{1b}[31mred", "\\u{1b}[31mred")]
    #[case("two\nlines", "two\\nlines")]
    #[case("a\u{202e}b", "a\\u{202e}b")]
    fn shows_control_characters(#[case] text: &str, #[case] shown: &str) {
        assert_eq!(printable(text), shown);
    }
}
