//! `udma explain`.

use std::io::Read as _;
use std::path::Path;
use std::process::ExitCode;

use clap::ValueEnum;
use udma::Desc;
use udma::desc::View;
use udma::explain::{effect, fields, unusual};

use crate::cli::{ExplainArgs, print};
use crate::failure::Failure;

/// How a descriptor is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ViewChoice {
    /// By what it looks like.
    Auto,
    /// Memory to stream.
    Tx,
    /// Stream to memory.
    Rx,
    /// A meta or compute word.
    Meta,
}

impl ViewChoice {
    fn of(self, desc: &Desc) -> View {
        match self {
            Self::Rx => View::Rx,
            Self::Meta => View::TxMeta,
            Self::Auto if desc.meta() => View::TxMeta,
            Self::Auto if desc.word1() == 0 => View::Rx,
            Self::Tx | Self::Auto => View::Tx,
        }
    }
}

const fn name(view: View) -> &'static str {
    match view {
        View::Tx => "TX",
        View::Rx => "RX",
        View::TxMeta => "TX meta",
    }
}

/// Runs the command.
///
/// # Errors
/// Input that is not whole descriptors: which one, and where it goes wrong.
pub fn run(args: &ExplainArgs) -> Result<ExitCode, Failure> {
    let mut descs = Vec::new();
    if let Some(file) = &args.file {
        let bytes = std::fs::read(file).map_err(Failure::file(file))?;
        descs.extend(parse(&file.display().to_string(), &bytes)?);
    }
    for hex in &args.hex {
        if hex == "-" {
            let mut bytes = Vec::new();
            std::io::stdin()
                .read_to_end(&mut bytes)
                .map_err(Failure::file(Path::new("standard input")))?;
            descs.extend(parse("standard input", &bytes)?);
        } else {
            descs.extend(parse_text("argument", hex)?);
        }
    }
    if descs.is_empty() {
        return Err(Failure::Nothing("the input holds no descriptor".into()));
    }
    let text: Vec<String> = descs
        .iter()
        .enumerate()
        .map(|(index, desc)| describe(index, args.view.of(desc), desc))
        .collect();
    print(&text.join("\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// Hex text, or else raw bytes.
fn parse(source: &str, bytes: &[u8]) -> Result<Vec<Desc>, Failure> {
    let is_text = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    if bytes.iter().all(is_text) {
        return parse_text(source, &String::from_utf8_lossy(bytes));
    }
    if !bytes.len().is_multiple_of(16) {
        return Err(Failure::Input(format!(
            "{source}: {} bytes are not a whole number of 16-byte descriptors",
            bytes.len()
        )));
    }
    let chunk = |chunk: &[u8]| chunk.try_into().map(Desc::from_bytes).ok();
    Ok(bytes.chunks_exact(16).filter_map(chunk).collect())
}

/// Hex digits; blanks, `:`, `_`, `,` and `0x` in between do not count.
fn parse_text(source: &str, text: &str) -> Result<Vec<Desc>, Failure> {
    let mut digits = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line_text = line.replace("0x", "  ");
        for (column, digit) in line_text.chars().enumerate() {
            if digit.is_whitespace() || [':', '_', ','].contains(&digit) {
                continue;
            }
            let value = digit.to_digit(16).ok_or_else(|| {
                Failure::Input(format!(
                    "{source}:{}:{}: {digit:?} is no hex digit",
                    number + 1,
                    column + 1
                ))
            })?;
            digits.push(value as u8);
        }
    }
    if !digits.len().is_multiple_of(32) {
        return Err(Failure::Input(format!(
            "{source}: {} hex digits; a descriptor has 32, and {} are left over",
            digits.len(),
            digits.len() % 32
        )));
    }
    let desc = |digits: &[u8]| {
        let mut bytes = [0; 16];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = pair[0] << 4 | pair[1];
        }
        Desc::from_bytes(bytes)
    };
    Ok(digits.chunks_exact(32).map(desc).collect())
}

fn describe(index: usize, view: View, desc: &Desc) -> String {
    let hex: String = desc
        .to_bytes()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let mut text = format!("#{index} {} {hex}\n", name(view));
    text += &format!("  {}\n", effect(view, desc));
    let mut word = "";
    for field in fields(view, desc) {
        if field.word.name() != word {
            word = field.word.name();
            let raw = match word {
                "word0" => format!("{:#010x}", desc.word0()),
                "pointer" => format!("{:#018x}", desc.pointer()),
                "meta1" => format!("{:#010x}", desc.meta1()),
                "meta2" => format!("{:#010x}", desc.meta2()),
                _ => format!("{:#010x}", desc.word1()),
            };
            text += &format!("  {word} {raw}\n");
        }
        // A word of one field has been said by its raw value, a field of 0 by its absence.
        let whole = field.high - field.low >= 31;
        if whole || field.value == 0 && field.name != "RING_ID" && field.name != "LENGTH" {
            continue;
        }
        let bits = if field.high == field.low {
            format!("bit {}", field.high)
        } else {
            format!("bits {}:{}", field.high, field.low)
        };
        let meaning = match field.name {
            "LENGTH" => format!(" ({} bytes)", desc.length()),
            "RING_ID" => format!(" (phase {})", desc.ring_id()),
            _ => String::new(),
        };
        text += &format!(
            "    {word} {bits:<10} {:<20} {:#x}{meaning}\n",
            field.name, field.value
        );
    }
    for note in unusual(view, desc) {
        text += &format!("  unusual: {note}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_in_any_dress() {
        let plain = parse_text("x", "0000000d030008014a1b4df26b7b5eb6").unwrap();
        let dressed = parse_text("x", "0x0000000d 03:00:08:01,4a1b4df2_6b7b5eb6").unwrap();
        assert_eq!(plain, dressed);
        assert_eq!(plain[0].word0(), 0x0d00_0000);
    }

    #[test]
    fn left_over_digits_and_strangers_are_named() {
        let short = parse_text("ring.txt", "0000").unwrap_err().to_string();
        assert!(
            short.contains("ring.txt") && short.contains("4 are left over"),
            "{short}"
        );
        let stranger = parse_text("ring.txt", "00\n0g").unwrap_err().to_string();
        assert!(stranger.contains("ring.txt:2:2"), "{stranger}");
    }
}
