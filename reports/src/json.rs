//! The JSON form: written pretty and in the order of the model, read back with full validation.
//!
//! `corpora/schema/report.schema.json` describes the same form for other tools.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::model::{FORMAT, Report};
use crate::text::printable;
use crate::validate::validate;

/// The place of an error: file, line, column (both from 1, columns in bytes) and field path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// File as named by the caller.
    pub file: PathBuf,
    /// Line, from 1.
    pub line: usize,
    /// Column in bytes, from 1.
    pub column: usize,
    /// Path of the field, `rules[3].results[0].cases`; `.` for the whole file.
    pub path: String,
}

impl fmt::Display for Place {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            to,
            "{}:{}:{}: {}",
            self.file.display(),
            self.line,
            self.column,
            self.path
        )
    }
}

/// Why a report could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be opened or read.
    #[error("{}: cannot read the report: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The file is not text.
    #[error("{place}: byte 0x{byte:02x} is not UTF-8; a report is UTF-8 text")]
    NotText {
        /// Where the text ends.
        place: Place,
        /// The first byte that is not text.
        byte: u8,
    },
    /// The file ends inside a value.
    #[error(
        "{place}: the file ends here, inside a value; a whole report ends with its closing brace"
    )]
    Truncated {
        /// Where the file ends, and the field it ends in.
        place: Place,
    },
    /// The text is not JSON.
    #[error("{place}: not JSON: {cause}")]
    Syntax {
        /// Where the text stops being JSON.
        place: Place,
        /// What is wrong, in the parser's words.
        cause: String,
    },
    /// The file is JSON but not of this format.
    #[error("{place}: format is {value}; this reader takes \"{FORMAT}\"")]
    Format {
        /// Where the tag is.
        place: Place,
        /// The tag found, as JSON.
        value: String,
    },
    /// A field is missing, unknown or of the wrong type.
    #[error("{place}: {value} does not fit: {allowed}")]
    Field {
        /// Where the value is.
        place: Place,
        /// The value found, as JSON, shortened.
        value: String,
        /// What is allowed there.
        allowed: String,
    },
    /// A value has the right type, but may not stand there.
    #[error("{place}: {value} does not fit: allowed is {allowed}")]
    Value {
        /// Where the value is.
        place: Place,
        /// The value found, as JSON, shortened.
        value: String,
        /// What is allowed there.
        allowed: String,
    },
}

/// The report as pretty JSON in the order of the model, ended by a line end.
pub fn render(report: &Report) -> String {
    let mut text = serde_json::to_string_pretty(report).expect("every key of a report is a string");
    text.push('\n');
    text
}

/// Reads and validates a report file.
///
/// # Errors
///
/// [`ReadError::Io`] when the file cannot be read, else as [`parse`].
pub fn read(path: &Path) -> Result<Report, ReadError> {
    let bytes = fs::read(path).map_err(|source| ReadError::Io {
        path: path.into(),
        source,
    })?;
    parse(&bytes, path)
}

/// Validates the bytes of a report; `file` is only named in errors.
///
/// # Errors
///
/// A [`ReadError`] that names file, line, column, field, value and what is allowed there.
pub fn parse(bytes: &[u8], file: &Path) -> Result<Report, ReadError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let end = error.valid_up_to();
        let (line, column) = line_and_column(&bytes[..end]);
        let place = Place {
            file: file.into(),
            line,
            column,
            path: ".".into(),
        };
        ReadError::NotText {
            place,
            byte: bytes[end],
        }
    })?;
    let source = Source { text, file };
    // The tag first: another version may differ in any field before it.
    source.decode::<Tagged>()?;
    let report = source.decode::<Report>()?;
    validate(&report).map_err(|invalid| {
        let (place, value) = source.locate(&invalid.path);
        ReadError::Value {
            place,
            value,
            allowed: invalid.allowed,
        }
    })?;
    Ok(report)
}

/// The tag alone.
#[derive(Deserialize)]
struct Tagged {
    #[serde(rename = "format", deserialize_with = "tag")]
    _format: (),
}

// Marks an error of the tag among the parser's errors.
const WRONG_TAG: &str = "wrong format tag";

fn tag<'de, D: Deserializer<'de>>(from: D) -> Result<(), D::Error> {
    match serde_json::Value::deserialize(from)?.as_str() {
        Some(FORMAT) => Ok(()),
        _ => Err(D::Error::custom(WRONG_TAG)),
    }
}

struct Source<'a> {
    text: &'a str,
    file: &'a Path,
}

impl Source<'_> {
    fn decode<T: for<'de> Deserialize<'de>>(&self) -> Result<T, ReadError> {
        let mut from = serde_json::Deserializer::from_str(self.text);
        let value = serde_path_to_error::deserialize(&mut from).map_err(|error| {
            let path = error.path().to_string();
            self.explain(&path, &error.into_inner())
        })?;
        from.end().map_err(|error| self.explain(".", &error))?;
        Ok(value)
    }

    fn explain(&self, path: &str, error: &serde_json::Error) -> ReadError {
        use serde_json::error::Category;
        let here = Place {
            file: self.file.into(),
            line: error.line().max(1),
            column: error.column().max(1),
            path: path.into(),
        };
        // serde_json ends its messages with the place, which is said already.
        let message = error.to_string();
        let cause = message
            .rsplit_once(" at line ")
            .map_or(message.as_str(), |(cause, _)| cause);
        match error.classify() {
            Category::Eof => ReadError::Truncated { place: here },
            Category::Syntax | Category::Io => ReadError::Syntax {
                place: here,
                cause: cause.into(),
            },
            Category::Data => {
                let (place, value) = self.locate(path);
                if cause == WRONG_TAG {
                    return ReadError::Format { place, value };
                }
                ReadError::Field {
                    place,
                    value,
                    allowed: cause.into(),
                }
            }
        }
    }

    /// Place and shortened text of the value at a path, or of the nearest value around it.
    fn locate(&self, path: &str) -> (Place, String) {
        let mut found = self.text.trim_start();
        for step in path.split(['.', '[', ']']).filter(|step| !step.is_empty()) {
            match inside(found, step) {
                Some(inner) => found = inner,
                None => break,
            }
        }
        // Raw values are slices of the text, so their address is their offset.
        let offset = found.as_ptr() as usize - self.text.as_ptr() as usize;
        let (line, column) = line_and_column(&self.text.as_bytes()[..offset]);
        (
            Place {
                file: self.file.into(),
                line,
                column,
                path: path.into(),
            },
            shortened(found),
        )
    }
}

fn inside<'a>(text: &'a str, step: &str) -> Option<&'a str> {
    let raw = match step.parse::<usize>() {
        Ok(index) => *serde_json::from_str::<Vec<&'a RawValue>>(text)
            .ok()?
            .get(index)?,
        Err(_) => *serde_json::from_str::<BTreeMap<String, &'a RawValue>>(text)
            .ok()?
            .get(step)?,
    };
    Some(raw.get())
}

fn line_and_column(before: &[u8]) -> (usize, usize) {
    let lines = before.split(|byte| *byte == b'\n');
    let (count, last) = lines.fold((0, 0), |(count, _), line| (count + 1, line.len()));
    (count, last + 1)
}

fn shortened(value: &str) -> String {
    const LONGEST: usize = 60;
    let line = value.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        return printable(&line).into_owned();
    }
    let start: String = line.chars().take(LONGEST).collect();
    format!("{} …", printable(&start))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::common;

    fn error(text: &str) -> String {
        parse(text.as_bytes(), Path::new("out/report.json"))
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn reads_back_what_it_writes() {
        for report in [common::sample(), common::held()] {
            let text = render(&report);
            assert_eq!(
                parse(text.as_bytes(), Path::new("report.json")).unwrap(),
                report
            );
        }
    }

    #[rstest]
    #[case(
        r#""format": "udma-report/1""#,
        r#""format": "udma-report/2""#,
        r#"out/report.json:2:13: format: format is "udma-report/2"; this reader takes "udma-report/1""#
    )]
    #[case(
        r#""cases": 65536"#,
        r#""cases": "many""#,
        r#"out/report.json:5:12: cases: "many" does not fit: invalid type: string "many", expected u64"#
    )]
    #[case(
        r#""seed": "#,
        r#""sead": "#,
        "out/report.json:4:11: sead: 1592590337 does not fit: unknown field `sead`, expected one of `format`, `suite_version`, `seed`, `cases`, `complete`, `subjects`, `rules`, `findings`, `timings`"
    )]
    #[case(
        r#""line": "hal""#,
        r#""line": "firmware""#,
        r#"out/report.json:20:15: subjects[2].line: "firmware" does not fit: allowed is `kernel` or `hal`"#
    )]
    fn errors_name_place_value_and_bound(
        #[case] good: &str,
        #[case] bad: &str,
        #[case] said: &str,
    ) {
        let text = render(&common::sample());
        assert!(text.contains(good));
        assert_eq!(error(&text.replacen(good, bad, 1)), said);
    }

    #[test]
    fn an_unknown_status_names_the_known_ones() {
        let text =
            render(&common::sample()).replacen("\"status\": \"held\"", "\"status\": \"fine\"", 1);
        let said = error(&text);
        assert!(
            said.contains("rules[0].results[0].status: \"fine\" does not fit"),
            "{said}"
        );
        assert!(said.contains("not-offered"), "{said}");
    }

    #[test]
    fn every_cut_is_truncated_or_not_json() {
        let text = render(&common::held());
        for end in 0..text.trim_end().len() {
            let cut = parse(&text.as_bytes()[..end], Path::new("cut.json")).unwrap_err();
            assert!(matches!(cut, ReadError::Truncated { .. }), "{end}: {cut}");
            assert!(cut.to_string().starts_with("cut.json:"));
        }
        assert!(matches!(
            parse((text + "}").as_bytes(), Path::new("long.json")).unwrap_err(),
            ReadError::Syntax { .. }
        ));
    }

    #[test]
    fn a_missing_file_and_bytes_are_named() {
        let missing = read(Path::new("no/such/report.json"))
            .unwrap_err()
            .to_string();
        assert!(
            missing.starts_with("no/such/report.json: cannot read the report: "),
            "{missing}"
        );
        let bytes = parse(b"{\n \xff", Path::new("report.json"))
            .unwrap_err()
            .to_string();
        assert_eq!(
            bytes,
            "report.json:2:2: .: byte 0xff is not UTF-8; a report is UTF-8 text"
        );
    }
}
