//! `udma vectors`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use udma_oracle::catalogue::Catalogue;
use udma_oracle::folder;
use udma_oracle::golden::{SUITES, reader, replay};
use udma_oracle::session::{Options, Session};
use udma_report::terminal::{Style, Terminal};
use udma_report::text::{count, thousands};

use crate::check::{subjects, verdict};
use crate::cli::{VerifyArgs, print};
use crate::corpora;
use crate::failure::Failure;

/// Lists the recorded suites.
///
/// # Errors
/// No corpora, or a file that is none.
pub fn list(given: Option<&Path>) -> Result<ExitCode, Failure> {
    let folder = corpora::find(given)?.join("golden");
    let mut text = String::new();
    for file in files(&[folder])? {
        let mut cases = 0u64;
        let header = reader::read(&file, &mut |_, _| {
            cases += 1;
            Ok(())
        })?;
        let known = if SUITES.contains(&header.suite.as_str()) {
            ""
        } else {
            "  (not replayed yet)"
        };
        text += &format!(
            "{:<16} {:>6} cases{known}\n",
            header.suite,
            thousands(cases)
        );
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Vector files: files as given, and the `.json` files of folders in the order of their names.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let inside = folder::files(path, "json").map_err(Failure::file(path))?;
        if inside.is_empty() {
            return Err(Failure::Nothing(format!(
                "{} holds no .json file",
                path.display()
            )));
        }
        files.extend(inside);
    }
    Ok(files)
}

/// Replays vector files.
///
/// # Errors
/// A file that is no vector file, or of a suite that is not known: after the other files were
/// replayed, so that one bad file does not hide what they show.
pub fn verify(args: &VerifyArgs, style: Style) -> Result<ExitCode, Failure> {
    let catalogue = Catalogue::load();
    let subjects = subjects(&args.who.names, &args.who.settings())?;
    let selected = catalogue.select(&[])?;
    // All that the vectors say, however long it takes.
    let options = Options {
        deep: true,
        driver: args.who.driver()?,
        ..Options::default()
    };
    let mut session = Session::new(&catalogue, &subjects, selected, options);
    let mut refused = Vec::new();
    let mut text = String::new();
    for file in files(&args.paths)? {
        let before = session.findings().len();
        match replay(&mut session, &file) {
            Ok(done) => {
                let findings = session.findings().len() - before;
                text += &format!(
                    "{}: {}, {}\n",
                    done.suite,
                    count(done.cases, "case"),
                    count(findings as u64, "finding")
                );
                for (kind, number) in done.left_out {
                    text += &format!("  left out: {} of kind {kind:?}\n", count(number, "case"));
                }
            }
            Err(error) => refused.push(error),
        }
    }
    let report = session.report(true, false);
    for subject in &report.subjects {
        for note in &subject.notes {
            text += &format!("{}: {note}\n", subject.name);
        }
    }
    for error in &refused {
        eprintln!("udma: {error}");
    }
    if !report.ran() {
        return Err(Failure::Nothing("no case was tried on any subject".into()));
    }
    if report.findings.is_empty() {
        print(&text)?;
    } else {
        print(&format!("{text}\n{}", Terminal::of(style).render(&report)))?;
    }
    if let Some(error) = refused.into_iter().next() {
        return Err(error.into());
    }
    Ok(verdict(&report))
}
