//! Reads a vector file as a stream: one case in memory at a time, however large the file is.

use std::fmt;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// Format tag of recorded vectors.
pub const FORMAT: &str = "udma-golden/1";

/// What stands in front of the cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Format tag.
    pub format: String,
    /// Suite.
    pub suite: String,
}

/// One case as it stands in the file.
#[derive(Clone, Debug)]
pub struct RawCase {
    /// Its id.
    pub id: u64,
    /// `in`.
    pub input: Value,
    /// `out`.
    pub output: Value,
}

/// Why a vector file is refused.
#[derive(Debug, thiserror::Error)]
pub enum GoldenError {
    /// Cannot be opened.
    #[error("{}: {source}", file.display())]
    Open {
        /// The file.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Not JSON, or cut short.
    #[error("{}:{line}:{column}: {reason}{}", file.display(), after(*last))]
    Syntax {
        /// The file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column.
        column: usize,
        /// What is wrong.
        reason: String,
        /// The last case that was whole.
        last: Option<u64>,
    },
    /// Another format.
    #[error("{}: format is {found:?}, not {FORMAT:?}", file.display())]
    Format {
        /// The file.
        file: PathBuf,
        /// What it says.
        found: String,
    },
    /// A suite that nothing here replays.
    #[error("{}: suite {suite:?} is not known: {known}", file.display())]
    Suite {
        /// The file.
        file: PathBuf,
        /// What it says.
        suite: String,
        /// What is known.
        known: String,
    },
    /// A case that is not as its suite has it.
    #[error("{}: case {id}: {reason}", file.display())]
    Case {
        /// The file.
        file: PathBuf,
        /// Id of the case.
        id: u64,
        /// Field, value and bound.
        reason: String,
    },
    /// No case at all.
    #[error("{}: holds no case", file.display())]
    Empty {
        /// The file.
        file: PathBuf,
    },
}

fn after(last: Option<u64>) -> String {
    last.map_or_else(String::new, |id| format!(" (after case {id})"))
}

/// Why a case is refused by the one who is handed it.
#[derive(Debug)]
pub enum Refusal {
    /// The suite is not known; what is.
    Suite(String),
    /// The case is not as its suite has it.
    Case(String),
}

/// Takes one case after the other.
pub type EachCase<'a> = dyn FnMut(&Header, RawCase) -> Result<(), Refusal> + 'a;

struct Stream<'a, 'b> {
    header: Header,
    each: &'a mut EachCase<'b>,
    refused: Option<(u64, Refusal)>,
    last: Option<u64>,
    cases: u64,
}

/// Reads a file and hands over its cases in order.
///
/// # Errors
/// See [`GoldenError`].
pub fn read(path: &Path, each: &mut EachCase) -> Result<Header, GoldenError> {
    let opened = File::open(path).map_err(|source| GoldenError::Open {
        file: path.into(),
        source,
    })?;
    read_from(path, BufReader::new(opened), each)
}

/// The same from anything that is read; `path` is named in errors.
///
/// # Errors
/// See [`GoldenError`].
pub fn read_from(path: &Path, from: impl Read, each: &mut EachCase) -> Result<Header, GoldenError> {
    let file = path.to_path_buf();
    let mut stream = Stream {
        header: Header::default(),
        each,
        refused: None,
        last: None,
        cases: 0,
    };
    let mut json = serde_json::Deserializer::from_reader(from);
    let result = Top(&mut stream)
        .deserialize(&mut json)
        .and_then(|()| json.end());
    if let Some((id, refusal)) = stream.refused {
        return Err(match refusal {
            Refusal::Suite(known) => GoldenError::Suite {
                file,
                suite: stream.header.suite,
                known,
            },
            Refusal::Case(reason) => GoldenError::Case { file, id, reason },
        });
    }
    if !stream.header.format.is_empty() && stream.header.format != FORMAT {
        return Err(GoldenError::Format {
            file,
            found: stream.header.format,
        });
    }
    if let Err(error) = result {
        let text = error.to_string();
        let reason = text
            .split(" at line ")
            .next()
            .unwrap_or_default()
            .to_string();
        return Err(GoldenError::Syntax {
            file,
            line: error.line(),
            column: error.column(),
            reason,
            last: stream.last,
        });
    }
    if stream.cases == 0 {
        return Err(GoldenError::Empty { file });
    }
    Ok(stream.header)
}

struct Top<'s, 'a, 'b>(&'s mut Stream<'a, 'b>);

impl<'de> DeserializeSeed<'de> for Top<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Top<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str("an object with format, suite and cases")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut seen_cases = false;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "format" => {
                    self.0.header.format = map.next_value()?;
                    if self.0.header.format != FORMAT {
                        return Err(A::Error::custom("another format"));
                    }
                }
                "suite" => self.0.header.suite = map.next_value()?,
                "cases" => {
                    if self.0.header.format.is_empty() || self.0.header.suite.is_empty() {
                        return Err(A::Error::custom(
                            "\"format\" and \"suite\" stand before \"cases\"",
                        ));
                    }
                    map.next_value_seed(Cases(self.0))?;
                    seen_cases = true;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if seen_cases {
            Ok(())
        } else {
            Err(A::Error::custom("field \"cases\" is missing"))
        }
    }
}

struct Cases<'s, 'a, 'b>(&'s mut Stream<'a, 'b>);

impl<'de> DeserializeSeed<'de> for Cases<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Cases<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str("a list of cases")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let stream = self.0;
        while let Some(mut case) = list.next_element::<Value>()? {
            let Some(id) = case.get("id").and_then(Value::as_u64) else {
                return Err(A::Error::custom(
                    "a case has no field \"id\" that is a number",
                ));
            };
            let mut part = |name: &str| {
                case.get_mut(name)
                    .filter(|part| part.is_object())
                    .map(Value::take)
                    .ok_or_else(|| format!("field {name:?} is missing or no object"))
            };
            let raw = part("in")
                .and_then(|input| part("out").map(|output| RawCase { id, input, output }));
            let handed = raw
                .map_err(Refusal::Case)
                .and_then(|raw| (stream.each)(&stream.header, raw));
            if let Err(refusal) = handed {
                stream.refused = Some((id, refusal));
                return Err(A::Error::custom("refused"));
            }
            stream.last = Some(id);
            stream.cases += 1;
        }
        Ok(())
    }
}
