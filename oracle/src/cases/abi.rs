//! The ioctl surface (ABI). Numbers and layouts are known from the vectors alone.

use serde_json::{Value, json};

use super::json;
use crate::family::Family;
use crate::line::Line;
use crate::subject::Subject;

/// A question about the surface.
pub struct Abi;

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AbiCase {
    /// A request by its name, without the common prefix.
    Request(String),
    /// A request by its number.
    Number(u32),
    /// The number of direction, size and call number.
    Compose(u32, u32, u32),
    /// An argument structure.
    Structure(String),
    /// A constant.
    Constant(String),
}

/// The answer, line by line; `unknown` alone where there is no such thing.
pub type AbiAnswer = Vec<String>;

/// The lines of a request.
pub fn request(number: u32, dir: &str, kind: u32, nr: u32, arg_size: u32) -> AbiAnswer {
    vec![
        format!("request {number:#010x}"),
        format!("dir {dir}"),
        format!("type {kind}"),
        format!("nr {nr}"),
        format!("arg_size {arg_size}"),
    ]
}

/// The lines of a structure: its size and alignment, then offset and size of each member.
pub fn structure<'a>(
    [size, align]: [u64; 2],
    members: impl Iterator<Item = (&'a str, [u64; 2])>,
) -> AbiAnswer {
    let mut lines = vec![format!("size {size}"), format!("align {align}")];
    lines.extend(members.map(|(name, [offset, size])| format!("{name} at {offset}, {size} bytes")));
    lines
}

/// The line of what is not known.
pub fn unknown() -> AbiAnswer {
    vec!["unknown".into()]
}

impl Family for Abi {
    type Case = AbiCase;
    type Answer = AbiAnswer;
    const NAME: &'static str = "ioctl_abi";

    fn operations(_case: &AbiCase) -> u64 {
        0
    }

    fn ask(subject: &dyn Subject, case: &AbiCase) -> Option<AbiAnswer> {
        let ops = subject.ops()?;
        Some(match case {
            AbiCase::Request(name) => ops.request(name)?.map_or_else(unknown, |found| {
                request(
                    found.number,
                    &found.dir,
                    found.kind,
                    found.nr,
                    found.arg_size,
                )
            }),
            AbiCase::Number(number) => ops
                .request_name(*number)?
                .map_or_else(unknown, |name| vec![name]),
            AbiCase::Compose(dir, size, nr) => {
                vec![format!("{:#010x}", ops.compose(*dir, *size, *nr)?)]
            }
            AbiCase::Structure(name) => ops.structure(name)?.map_or_else(unknown, |found| {
                let members = found.members.iter();
                structure(
                    [found.size, found.align],
                    members.map(|(name, place)| (name.as_str(), *place)),
                )
            }),
            AbiCase::Constant(what) => ops
                .constant(what)?
                .map_or_else(unknown, |value| vec![format!("value {value}")]),
        })
    }

    fn required(line: Line, case: &AbiCase) -> Option<AbiAnswer> {
        match (line, case) {
            (Line::Kernel, AbiCase::Compose(dir, size, nr)) => {
                let number = dir << 30 | size << 16 | 0x4e << 8 | nr;
                Some(vec![format!("{number:#010x}")])
            }
            (_, AbiCase::Constant(what)) => {
                let value = match (line, what.as_str()) {
                    (Line::Kernel, "queue type tx") => 0,
                    (Line::Kernel, "queue type rx") | (Line::Hal, "queue type tx") => 1,
                    (Line::Kernel, "queue type completion") | (Line::Hal, "queue type rx") => 2,
                    _ => return None,
                };
                Some(vec![format!("value {value}")])
            }
            _ => None,
        }
    }

    fn rules(_line: Line, case: &AbiCase) -> Vec<(&'static str, bool)> {
        match case {
            AbiCase::Request(_) => vec![("ABI-1", false), ("ABI-3", false)],
            AbiCase::Number(_) => vec![("ABI-2", false)],
            AbiCase::Compose(..) => vec![("ABI-3", false)],
            AbiCase::Constant(what) if what.starts_with("queue type") => {
                // The two lines count differently, whatever the type.
                vec![("ABI-4", true)]
            }
            // Layouts and the other constants are used as recorded, like the numbers.
            AbiCase::Structure(_) | AbiCase::Constant(_) => vec![("ABI-1", false)],
        }
    }

    fn broken(line: Line, case: &AbiCase, want: &AbiAnswer, got: &AbiAnswer) -> Vec<&'static str> {
        if want == got {
            return Vec::new();
        }
        match case {
            AbiCase::Request(_) if want.first() == got.first() => vec!["ABI-3"],
            _ => Self::rules(line, case)
                .into_iter()
                .map(|(rule, _)| rule)
                .collect(),
        }
    }

    fn simpler(_case: &AbiCase) -> Vec<AbiCase> {
        Vec::new()
    }

    fn to_json(case: &AbiCase) -> Value {
        match case {
            AbiCase::Request(name) => json!({ "kind": "request", "name": name }),
            AbiCase::Number(number) => json!({ "kind": "number", "number": number }),
            AbiCase::Compose(dir, size, nr) => {
                json!({ "kind": "compose", "dir": dir, "size": size, "nr": nr })
            }
            AbiCase::Structure(name) => json!({ "kind": "struct", "name": name }),
            AbiCase::Constant(what) => json!({ "kind": "constant", "what": what }),
        }
    }

    fn from_json(value: &Value) -> Result<AbiCase, String> {
        let text = |name| json::get_text(value, name).map(str::to_string);
        let number = |name| json::get32(value, name);
        Ok(match text("kind")?.as_str() {
            "request" => AbiCase::Request(text("name")?),
            "number" => AbiCase::Number(number("number")?),
            "compose" => AbiCase::Compose(number("dir")?, number("size")?, number("nr")?),
            "struct" => AbiCase::Structure(text("name")?),
            "constant" => AbiCase::Constant(text("what")?),
            other => {
                return Err(format!(
                    "field \"kind\" is {other:?}: request, number, compose, struct or constant"
                ));
            }
        })
    }

    fn show(_case: &AbiCase, answer: &AbiAnswer) -> Vec<String> {
        answer.clone()
    }
}
