//! `udma replay`: inputs of a fuzz target, judged as `udma check` judges its cases.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde::{Deserialize, Serialize};
use udma_oracle::catalogue::Catalogue;
use udma_oracle::regressions;
use udma_oracle::session::{Options, Session};
use udma_oracle::subject::Subject;

use super::{TARGETS, Target, target};
use crate::check::subjects;
use crate::cli::print;
use crate::failure::{FINDINGS, Failure};
use crate::remote;

/// Options of `udma replay`.
#[derive(Args, Clone, Debug)]
pub struct ReplayArgs {
    /// The target.
    #[arg(value_name = "TARGET")]
    pub target: String,
    /// Inputs, or folders of them.
    #[arg(value_name = "FILE|DIR", required = true)]
    pub inputs: Vec<PathBuf>,
    /// Keep what is found as cases in this folder, which `udma check` replays as its regressions.
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// Print findings as JSON, one a line.
    #[arg(long)]
    pub json: bool,
}

/// What an input shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Found {
    /// The same for inputs that show the same.
    pub key: String,
    /// In one line.
    pub summary: String,
    /// Cases that were kept, by their files' names.
    pub kept: Vec<String>,
}

/// A target by its name.
///
/// # Errors
/// A name that is not known.
pub fn known(name: &str) -> Result<&'static Target, Failure> {
    target(name).ok_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        Failure::Input(format!(
            "target {name:?} is not known: {}",
            names.join(", ")
        ))
    })
}

/// Files as given, and all files of folders in the order of their names.
///
/// # Errors
/// A folder that cannot be read.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).map_err(Failure::file(path))?;
            let mut inside = Vec::new();
            for entry in entries {
                inside.push(entry.map_err(Failure::file(path))?.path());
            }
            inside.retain(|file| file.is_file());
            inside.sort();
            files.extend(inside);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").into()
}

/// Without the numbers of one input.
pub fn same(text: &str) -> String {
    let mut out = String::new();
    for letter in text.lines().next().unwrap_or_default().chars() {
        let letter = if letter.is_ascii_digit() { '0' } else { letter };
        if letter != '0' || !out.ends_with('0') {
            out.push(letter);
        }
    }
    out.truncate(out.char_indices().nth(120).map_or(out.len(), |(at, _)| at));
    out
}

/// What one input shows.
///
/// # Errors
/// Cases that cannot be kept.
pub fn judge(
    target: &Target,
    input: &[u8],
    catalogue: &Catalogue,
    subjects: &[Box<dyn Subject>],
    keep: Option<&Path>,
) -> Result<Vec<Found>, Failure> {
    let selected = vec![true; catalogue.rules.len()];
    let mut session = Session::new(catalogue, subjects, selected, Options::default());
    let ran = catch_unwind(AssertUnwindSafe(|| (target.replay)(input, &mut session)));
    let kept = match keep {
        Some(folder) => regressions::save(folder, session.regressions())?,
        None => Vec::new(),
    };
    let name = |file: &PathBuf| file.file_name().map(|name| name.to_string_lossy().into());
    let kept: Vec<String> = kept.iter().filter_map(name).collect();
    let mut found: Vec<Found> = session
        .findings()
        .iter()
        .map(|finding| Found {
            key: format!("{} {} {}", finding.check, finding.rule, finding.subject),
            summary: format!("{} {}: {}", finding.rule, finding.subject, finding.summary),
            kept: kept.clone(),
        })
        .collect();
    if let Err(panic) = ran {
        let text = message(panic.as_ref());
        found.push(Found {
            key: format!("panic {}", same(&text)),
            summary: format!("panic: {}", text.lines().next().unwrap_or_default()),
            kept: Vec::new(),
        });
    }
    Ok(found)
}

/// Runs the command.
///
/// # Errors
/// A target that is not known, or a file that cannot be read or written.
pub fn run(args: &ReplayArgs) -> Result<ExitCode, Failure> {
    super::init();
    let target = known(&args.target)?;
    let files = files(&args.inputs)?;
    if files.is_empty() {
        return Err(Failure::Nothing("the folders hold no file".into()));
    }
    let catalogue = Catalogue::load();
    let subjects = subjects(&[], &remote::Settings::default())?;
    let mut showing = 0;
    for file in &files {
        let input = std::fs::read(file).map_err(Failure::file(file))?;
        let found = judge(target, &input, &catalogue, &subjects, args.keep.as_deref())?;
        showing += usize::from(!found.is_empty());
        for found in found {
            print(&if args.json {
                format!("{}\n", serde_json::json!(found))
            } else {
                format!("{}: {}\n", file.display(), found.summary)
            })?;
        }
    }
    if !args.json {
        print(&format!(
            "{} inputs, {showing} with findings\n",
            files.len()
        ))?;
    }
    Ok(if showing == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FINDINGS)
    })
}
