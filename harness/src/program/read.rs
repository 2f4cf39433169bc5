//! Programs as files.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use thiserror::Error;

use super::{Arch, Buffer, Expected, FORMAT, Program, Ring, Step, Tag, check};

/// Why a file is not a program.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// Cannot be read.
    #[error("{}: {source}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Not JSON, or not the members of a program.
    #[error("{}: {source}", file.display())]
    Json {
        /// The file.
        file: PathBuf,
        /// Where and why.
        source: serde_json::Error,
    },
    /// A value that may not stand where it does.
    #[error("{}: {place}: {what}", file.display())]
    Value {
        /// The file.
        file: PathBuf,
        /// Place in it: `steps[3].size`.
        place: String,
        /// The value and its bound.
        what: String,
    },
}

/// A program as it lies in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    name: String,
    about: String,
    rules: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<Tag>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    archs: Vec<Arch>,
    buffers: Vec<Buffer>,
    rings: Vec<Ring>,
    steps: Vec<Json>,
    outcomes: Vec<Expected>,
}

/// Parses a program and checks it. `file` is named in errors.
///
/// # Errors
/// [`ProgramError`], with file, place, value and bound.
pub fn parse(text: &str, file: impl AsRef<Path>) -> Result<Program, ProgramError> {
    let file = file.as_ref();
    let value = |place: String, what: String| ProgramError::Value {
        file: file.into(),
        place,
        what,
    };
    let parsed: File = serde_json::from_str(text).map_err(|source| ProgramError::Json {
        file: file.into(),
        source,
    })?;
    if parsed.format != FORMAT {
        let what = format!("{:?}: only {FORMAT:?} is known", parsed.format);
        return Err(value("format".into(), what));
    }
    let mut steps = Vec::new();
    for (at, json) in parsed.steps.into_iter().enumerate() {
        let step = Step::from_json(json).map_err(|what| value(format!("steps[{at}]"), what))?;
        steps.push(step);
    }
    let program = Program {
        name: parsed.name,
        about: parsed.about,
        rules: parsed.rules,
        tags: parsed.tags,
        archs: parsed.archs,
        buffers: parsed.buffers,
        rings: parsed.rings,
        steps,
        outcomes: parsed.outcomes,
    };
    check::check(&program).map_err(|bad| value(bad.place, bad.what))?;
    Ok(program)
}

/// Reads a program file.
///
/// # Errors
/// [`ProgramError`].
pub fn read(file: &Path) -> Result<Program, ProgramError> {
    let text = std::fs::read_to_string(file).map_err(|source| ProgramError::File {
        file: file.into(),
        source,
    })?;
    parse(&text, file)
}

/// The text of a program's file: one step a line.
pub fn render(program: &Program) -> String {
    let json = |value: &dyn erased::Value| value.text();
    let list = |items: Vec<String>| match items.len() {
        0 => "[]".to_string(),
        _ => format!("[\n    {}\n  ]", items.join(",\n    ")),
    };
    let all = |items: &mut dyn Iterator<Item = String>| list(items.collect());
    let mut out = format!(
        "{{\n  \"format\": {},\n  \"name\": {},\n  \"about\": {},\n  \"rules\": {},\n",
        json(&FORMAT),
        json(&program.name),
        json(&program.about),
        json(&program.rules),
    );
    if !program.tags.is_empty() {
        out += &format!("  \"tags\": {},\n", json(&program.tags));
    }
    if !program.archs.is_empty() {
        out += &format!("  \"archs\": {},\n", json(&program.archs));
    }
    out += &format!(
        "  \"buffers\": {},\n  \"rings\": {},\n  \"steps\": {},\n  \"outcomes\": {}\n}}\n",
        all(&mut program.buffers.iter().map(|item| json(item))),
        all(&mut program.rings.iter().map(|item| json(item))),
        all(&mut program.steps.iter().map(Step::text)),
        all(&mut program.outcomes.iter().map(|item| json(item))),
    );
    out
}

/// Anything that serialises, as text.
mod erased {
    pub trait Value {
        fn text(&self) -> String;
    }

    impl<T: serde::Serialize> Value for T {
        fn text(&self) -> String {
            serde_json::to_string(self).expect("programs have no maps with keys that are not text")
        }
    }
}

/// Program files: files as given, and the `.json` files of folders in the order of their names.
///
/// # Errors
/// A folder that cannot be read or holds none.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ProgramError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let error = |source| ProgramError::File {
            file: path.clone(),
            source,
        };
        let inside = udma_oracle::folder::files(path, "json").map_err(error)?;
        if inside.is_empty() {
            let none = std::io::Error::other("the folder holds no .json file");
            return Err(error(none));
        }
        files.extend(inside);
    }
    Ok(files)
}
