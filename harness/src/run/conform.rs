//! `udma conform`: everything that is run before a release, in one archive; and `udma report diff`,
//! which holds one archive against an earlier one.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, ExitCode};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use udma_report::json;
use udma_report::model::{Report, Status};
use udma_report::terminal::{Style, Terminal};

use super::command::{Run, generated, listed, load};
use crate::check::verdict;
use crate::cli::{ConformArgs, print};
use crate::failure::{FINDINGS, Failure};

/// Value of `format`.
pub const FORMAT: &str = "udma-conform/1";

/// One archive.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Archive {
    /// Always [`FORMAT`].
    pub format: String,
    /// What the programs ran on, as given.
    pub backends: Vec<String>,
    /// Architecture of each.
    pub archs: Vec<String>,
    /// Version of the loaded driver; of the models where there is none.
    pub driver: String,
    /// Commit of the suite, where it was run inside of it.
    pub commit: String,
    /// SHA-256 of the command and of each program's file.
    pub digests: BTreeMap<String, String>,
    /// Programs that could not be run, and why.
    pub errors: Vec<String>,
    /// Result per rule.
    pub report: Report,
}

fn digest(file: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(file).map_err(Failure::file(file))?;
    let sum = Sha256::digest(&bytes);
    Ok(sum.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The commit that is checked out here.
fn commit() -> String {
    let git = Command::new("git").args(["rev-parse", "HEAD"]).output();
    let text = git.ok().filter(|output| output.status.success());
    let text = text.and_then(|output| String::from_utf8(output.stdout).ok());
    text.map_or("unknown".into(), |text| text.trim().to_string())
}

/// Runs the command: every program several times, generated ones, and writes the archive.
///
/// # Errors
/// Bad input, or an archive that cannot be written.
pub fn run(args: &ConformArgs, style: Style) -> Result<ExitCode, Failure> {
    let mut run_args = args.run.clone();
    // What generated programs leave behind is kept beside the archive.
    let beside = args.archive.parent().map(Path::to_path_buf);
    run_args.report = run_args.report.or(beside);
    let run_args = &run_args;
    let backends = run_args.backends()?;
    let settings = run_args.settings()?;
    let mut run = Run::new(&backends, settings).map_err(Failure::Input)?;
    listed(&mut run, run_args, None)?;
    generated(&mut run, run_args, args.generated)?;
    let report = run.report(true, run_args.seed, run_args.repeat);
    if !report.ran() {
        let why = run.errors().join("\n");
        return Err(Failure::Nothing(format!("no program was run\n{why}")));
    }
    let mut digests = BTreeMap::new();
    if let Ok(this) = std::env::current_exe() {
        digests.insert("udma".into(), digest(&this)?);
    }
    for loaded in load(&run_args.programs)? {
        let name = format!("{}.json", loaded.program.name);
        digests.insert(name, digest(&loaded.file)?);
    }
    let archive = Archive {
        format: FORMAT.into(),
        backends: backends.iter().map(ToString::to_string).collect(),
        archs: run.archs().map(|arch| arch.name().into()).collect(),
        driver: super::device::driver_version().unwrap_or_else(|_| settings.version.name().into()),
        commit: commit(),
        digests,
        errors: run.errors().to_vec(),
        report,
    };
    let text = serde_json::to_string_pretty(&archive)
        .map_err(|error| Failure::Input(error.to_string()))?;
    std::fs::write(&args.archive, text + "\n").map_err(Failure::file(&args.archive))?;
    let errors: String = run
        .errors()
        .iter()
        .map(|error| format!("{error}\n"))
        .collect();
    let text = Terminal::of(style).render(&archive.report);
    print(&format!("{errors}{text}"))?;
    Ok(verdict(&archive.report))
}

/// The report of an archive, or a report by itself.
fn read(file: &Path) -> Result<Report, Failure> {
    let error = Failure::file(file);
    let text = std::fs::read_to_string(file).map_err(error)?;
    if let Ok(archive) = serde_json::from_str::<Archive>(&text) {
        if archive.format != FORMAT {
            let what = format!(
                "{}: format {:?}: only {FORMAT:?} is known",
                file.display(),
                archive.format
            );
            return Err(Failure::Input(what));
        }
        return Ok(archive.report);
    }
    json::parse(text.as_bytes(), file).map_err(|error| Failure::Input(error.to_string()))
}

/// How good a result is; the more the better.
fn worth(status: Status) -> u8 {
    match status {
        Status::Failed => 0,
        Status::Skipped | Status::NotOffered | Status::NotApplicable => 1,
        Status::Informative => 2,
        Status::Held => 3,
    }
}

/// What got worse from one report to another, a line each.
pub fn worse(old: &Report, new: &Report) -> Vec<String> {
    let name = |status: Status| serde_json::to_value(status).ok();
    let say = |status: Status| {
        let name = name(status).and_then(|value| value.as_str().map(String::from));
        name.unwrap_or_default()
    };
    let mut lines = Vec::new();
    for rule in &old.rules {
        let now = new.rules.iter().find(|other| other.id == rule.id);
        for before in &rule.results {
            if worth(before.status) < 2 {
                continue;
            }
            let after = now.and_then(|now| {
                let mut results = now.results.iter();
                results.find(|result| result.subject == before.subject)
            });
            match after {
                None => lines.push(format!("{} on {}: no longer run", rule.id, before.subject)),
                Some(after) if worth(after.status) < worth(before.status) => {
                    let (was, is) = (say(before.status), say(after.status));
                    lines.push(format!(
                        "{} on {}: {was}, now {is}",
                        rule.id, before.subject
                    ));
                }
                Some(_) => {}
            }
        }
    }
    // A rule that no one was asked about before and that does not hold now.
    for rule in &new.rules {
        let before = old.rules.iter().find(|other| other.id == rule.id);
        for after in rule
            .results
            .iter()
            .filter(|result| result.status == Status::Failed)
        {
            let known = before.is_some_and(|before| {
                let mut results = before.results.iter();
                results.any(|result| result.subject == after.subject && worth(result.status) != 1)
            });
            if !known {
                lines.push(format!(
                    "{} on {}: not run before, now failed",
                    rule.id, after.subject
                ));
            }
        }
    }
    lines
}

/// Compares two archives or reports.
///
/// # Errors
/// A file that is neither.
pub fn diff(old: &Path, new: &Path) -> Result<ExitCode, Failure> {
    let (old, new) = (read(old)?, read(new)?);
    if !old.ran() {
        return Err(Failure::Nothing("the old report has no result".into()));
    }
    let lines = worse(&old, &new);
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    if lines.is_empty() {
        print("no rule got worse, and all are still run\n")?;
        return Ok(ExitCode::SUCCESS);
    }
    print(&text)?;
    Ok(ExitCode::from(FINDINGS))
}

#[cfg(test)]
mod tests {
    use udma_report::model::{Confidence, RuleReport, RuleResult, SubjectInfo};

    use super::*;

    fn report(rules: &[(&str, Status)]) -> Report {
        let rule = |(id, status): &(&str, Status)| RuleReport {
            id: (*id).into(),
            family: "DEV".into(),
            statement: String::new(),
            why: String::new(),
            source: String::new(),
            confidence: Confidence::C,
            checks: Vec::new(),
            divergences: Vec::new(),
            results: vec![RuleResult {
                subject: "model".into(),
                cases: 1,
                diverged: 0,
                failed: 0,
                status: *status,
            }],
        };
        Report {
            format: udma_report::model::FORMAT.into(),
            suite_version: String::new(),
            seed: 0,
            cases: 1,
            complete: true,
            subjects: vec![SubjectInfo {
                name: "model".into(),
                line: "kernel".into(),
                driver: None,
                notes: Vec::new(),
            }],
            rules: rules.iter().map(rule).collect(),
            findings: Vec::new(),
            timings: None,
        }
    }

    #[test]
    fn what_got_worse_is_named() {
        let old = report(&[
            ("DEV-1", Status::Held),
            ("DEV-2", Status::Held),
            ("DEV-3", Status::Held),
            ("DEV-4", Status::Failed),
            ("DEV-5", Status::Skipped),
        ]);
        assert_eq!(worse(&old, &old), [""; 0]);
        let new = report(&[
            ("DEV-1", Status::Failed),
            ("DEV-2", Status::Skipped),
            ("DEV-4", Status::Failed),
            ("DEV-5", Status::Failed),
            ("DEV-6", Status::Failed),
        ]);
        assert_eq!(
            worse(&old, &new),
            [
                "DEV-1 on model: held, now failed",
                "DEV-2 on model: held, now skipped",
                "DEV-3 on model: no longer run",
                "DEV-5 on model: not run before, now failed",
                "DEV-6 on model: not run before, now failed",
            ]
        );
    }
}
