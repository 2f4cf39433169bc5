//! A descriptor as a diagram: a block a 32-bit word, 32 columns, one a bit, fields in proportion.
//!
//! A 64-bit field is drawn as its two halves. A word that differs has two rows of values, two rows
//! of bits and a row of marks; one that does not has one row of values.

use maud::{Markup, html};

use crate::descriptor::{Cell, Sides, WORDS, bits};
use crate::model::{DescriptorDiff, FieldDiff};
use crate::text::printable;

/// All four words.
pub fn descriptor(diff: &DescriptorDiff) -> Markup {
    html! {
        @for index in 0..WORDS { (word(diff, index)) }
        (memory(diff))
    }
}

fn word(diff: &DescriptorDiff, index: usize) -> Markup {
    let expected = diff.expected_words().map(|words| words[index]);
    let actual = diff.actual_words().map(|words| words[index]);
    let differing = diff.differing_bits()[index];
    let cells = diff.cells(index);
    let alone = diff.sides() != Sides::Both;
    let both = differing == 0 && !alone;
    html! {
        div.word.differs[differing != 0] {
            p.head {
                strong { (printable(&diff.word_name(index))) }
                span.small { "bytes " (index * 4) " to " (index * 4 + 3) }
                @if both { span.mono { (hex(expected)) } span.small { "equal" } }
                @else {
                    span.mono { "expected " (hex(expected)) }
                    span.mono { "actual " (hex(actual)) }
                }
            }
            div.scroll {
                div.grid {
                    span.side { "bit" }
                    @for bit in (0..32u32).rev() {
                        span.number.byte[bit % 8 == 7 && bit != 31] { (bit) }
                    }
                    span.side { "field" }
                    @for cell in &cells { (name(*cell, differing)) }
                    @if both { (values("value", &cells, expected, 0)) }
                    @else {
                        (values("expected", &cells, expected, differing))
                        (values("actual", &cells, actual, differing))
                    }
                    @if differing != 0 {
                        (bit_row("expected", expected, differing))
                        (bit_row("actual", actual, differing))
                        (marks(diff, index, differing))
                    }
                }
            }
        }
    }
}

fn hex(word: Option<u32>) -> String {
    word.map_or("nothing".into(), |word| format!("0x{word:08x}"))
}

// Columns are about 33 px wide in a page of 1200 px; a letter of the diagram is about 7 px.
fn fits(text: &str, cell: Cell<'_>) -> bool {
    text.chars().count() * 7 + 8 <= usize::from(cell.width()) * 33
}

fn span(cell: Cell<'_>) -> String {
    format!("grid-column: span {}", cell.width())
}

fn name(cell: Cell<'_>, differing: u32) -> Markup {
    let differs = differing & cell.mask() != 0;
    let text = cell
        .field
        .map_or("unnamed".into(), |field| label(field, cell));
    let unnamed = cell.field.is_none();
    let place = match cell.field {
        Some(field) => field.place(),
        None => format!("{} (unnamed)", bits(cell.high, cell.low)),
    };
    html! {
        span.field.diff[differs].unnamed[unnamed].upright[!fits(&text, cell)] style=(span(cell)) title=(printable(&place)) {
            @if differs { b { "≠" } }
            span { (printable(&text)) }
        }
    }
}

// A field wider than its word is drawn in parts, each with the bits of the field that it shows.
fn label(field: &FieldDiff, cell: Cell<'_>) -> String {
    if field.width() == cell.width() {
        return field.name.clone();
    }
    let first =
        (cell.word * 32 + usize::from(cell.low)).saturating_sub(usize::from(field.index) * 32);
    format!(
        "{} {}:{}",
        field.name,
        first + usize::from(cell.width()) - 1,
        first
    )
}

fn values(side: &str, cells: &[Cell<'_>], word: Option<u32>, differing: u32) -> Markup {
    html! {
        span.side { (side) }
        @for cell in cells {
            span.value.diff[differing & cell.mask() != 0].unnamed[cell.field.is_none()] style=(span(*cell)) {
                (word.map_or("–".into(), |word| short(*cell, word)))
            }
        }
    }
}

// A value that fits its cell: the full set of forms is in the table of fields.
fn short(cell: Cell<'_>, word: u32) -> String {
    let number = cell.bits_of(word);
    match cell.width() {
        0..=4 => number.to_string(),
        5..=8 => format!("0x{number:02x}"),
        width => format!(
            "0x{number:0digits$x}",
            digits = usize::from(width).div_ceil(4)
        ),
    }
}

fn bit_row(side: &str, word: Option<u32>, differing: u32) -> Markup {
    html! {
        span.side.first[side == "expected"] { "bits, " (side) }
        @for bit in (0..32u32).rev() {
            span.bit.diff[differing >> bit & 1 == 1].byte[bit % 8 == 7 && bit != 31].first[side == "expected"] {
                (word.map_or("–".into(), |word| (word >> bit & 1).to_string()))
            }
        }
    }
}

fn marks(diff: &DescriptorDiff, index: usize, differing: u32) -> Markup {
    html! {
        span.side { "differs" }
        @for bit in (0..32u32).rev() {
            @if differing >> bit & 1 == 1 {
                span.mark data-word=(printable(&diff.word_name(index))) data-bit=(bit) title=(format!("bit {bit} differs")) { "▲" }
            } @else {
                span.mark {}
            }
        }
    }
}

// The bytes as they lie in memory, to be compared with a dump.
fn memory(diff: &DescriptorDiff) -> Markup {
    let differing: Vec<u8> = diff
        .differing_bits()
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    let row = |side: &str, hex: Option<&str>| {
        let bytes: Vec<&str> = match hex {
            Some(hex) if hex.len() == 32 && hex.is_ascii() => {
                (0..16).map(|at| &hex[at * 2..at * 2 + 2]).collect()
            }
            Some(other) => vec![other],
            None => Vec::new(),
        };
        html! {
            tr {
                th scope="row" { (side) }
                @if bytes.is_empty() { td colspan="16" { "left as it was" } }
                @for (at, byte) in bytes.iter().enumerate() {
                    td.diff[differing[at] != 0] { (printable(byte)) }
                }
            }
        }
    };
    html! {
        table.memory {
            caption { "Memory order, byte 0 first" }
            tbody {
                (row("expected", diff.expected.as_deref()))
                (row("actual", diff.actual.as_deref()))
            }
        }
    }
}
