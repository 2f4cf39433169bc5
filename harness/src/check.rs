//! `udma check`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use udma_oracle::catalogue::Catalogue;
use udma_oracle::regressions;
use udma_oracle::run::{Progress, plan, run as run_plan};
use udma_oracle::session::{CaseNumber, Options, Session, Shard};
use udma_oracle::subject::Subject;
use udma_oracle::subjects::{BUILT_IN, built_in};
use udma_oracle::suite::{Check, suites};
use udma_report::merge;
use udma_report::model::Report;
use udma_report::terminal::{Style, Terminal};
use udma_report::writer::{Format, ReportWriter, write_file};

use crate::cli::{CheckArgs, print};
use crate::corpora;
use crate::failure::{DIED, FINDINGS, Failure};
use crate::remote::{self, Settings};

/// Subjects by name; all built-in ones for no name.
///
/// # Errors
/// A name that is not known, or given twice.
pub fn subjects(names: &[String], settings: &Settings) -> Result<Vec<Box<dyn Subject>>, Failure> {
    if names.is_empty() {
        return subjects(&BUILT_IN.map(String::from), settings);
    }
    let mut found: Vec<Box<dyn Subject>> = Vec::new();
    for name in names {
        if found.iter().any(|subject| subject.name() == name) {
            return Err(Failure::SubjectTwice { name: name.clone() });
        }
        let subject = match built_in(name) {
            Some(subject) => subject,
            None => remote::subject(name, settings)?,
        };
        found.push(subject);
    }
    Ok(found)
}

struct Bar {
    bar: ProgressBar,
    writer: Option<ReportWriter>,
    /// The part of a run that this is, and where its file goes.
    part: Option<(Shard, PathBuf)>,
}

impl Bar {
    fn new(writer: Option<ReportWriter>, part: Option<(Shard, PathBuf)>) -> Self {
        // Hidden by itself where standard error is no terminal.
        let bar = ProgressBar::new(0);
        if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} {elapsed}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, writer, part }
    }
}

impl Progress for Bar {
    fn check(&mut self, number: usize, of: usize, check: &Check) {
        self.bar.set_length(of as u64);
        self.bar.set_position(number as u64);
        self.bar.set_message(check.id());
    }

    fn suite(
        &mut self,
        report: &Report,
        order: &[CaseNumber],
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        if let Some(writer) = &self.writer {
            writer.write(report)?;
        }
        if let Some((shard, file)) = &self.part {
            let part = merge::Shard {
                format: merge::FORMAT.into(),
                index: shard.index,
                of: shard.of,
                order: order.to_vec(),
                report: report.clone(),
            };
            write_file(file, part.render().as_bytes())?;
        }
        Ok(())
    }
}

/// Runs the command.
///
/// # Errors
/// Bad selection or input, or a report that cannot be written.
pub fn run(args: &CheckArgs, style: Style) -> Result<ExitCode, Failure> {
    for name in &args.suites {
        if !suites().contains(&name.as_str()) {
            return Err(Failure::Suite { name: name.clone() });
        }
    }
    let catalogue = Catalogue::load();
    let selected = catalogue.select(&args.rules)?;
    let subjects = subjects(&args.who.names, &args.who.settings())?;
    let corpora = corpora::find(args.corpora.as_deref())?;
    let options = Options {
        seed: args.seed,
        cases: args.cases,
        deep: args.deep,
        stop_at_first: false,
        corpora: Some(corpora.clone()),
        driver: args.who.driver()?,
    };
    let writer = match &args.report {
        Some(folder) => {
            let formats = if args.formats.is_empty() {
                Format::ALL.to_vec()
            } else {
                args.formats.clone()
            };
            Some(ReportWriter::new(folder.clone(), formats)?)
        }
        None => None,
    };
    #[cfg(feature = "mutants")]
    udma_oracle::mutants::choose(args.mutant);
    let mut session = Session::new(&catalogue, &subjects, selected, options);
    if plan(&session, &args.suites).is_empty() {
        return Err(Failure::Nothing(
            "no check of these suites tries these rules".into(),
        ));
    }
    let part = args.shard.zip(args.report.as_ref());
    if let Some(shard) = args.shard {
        session.take_part(shard);
    }
    let part = part.map(|(shard, folder)| (shard, folder.join(merge::FILE)));
    let mut bar = Bar::new(writer, part);
    let report = run_plan(&mut session, &args.suites, &mut bar, args.timings);
    bar.bar.finish_and_clear();
    let report = report?;
    // A part may have no case of what little was selected; the whole has.
    if !report.ran() && args.shard.is_none() {
        return Err(Failure::Nothing(
            "none of the subjects offers what these rules are about".into(),
        ));
    }
    print(&Terminal::of(style).render(&report))?;
    if !args.no_save {
        keep(&corpora, &session)?;
    }
    if session.deaths() > 0 {
        return Ok(ExitCode::from(DIED));
    }
    Ok(verdict(&report))
}

/// Exit code of a report that something ran for.
pub fn verdict(report: &Report) -> ExitCode {
    if report.failures().next().is_some() {
        ExitCode::from(FINDINGS)
    } else {
        ExitCode::SUCCESS
    }
}

/// Joins parts of a run: `udma report merge`.
///
/// # Errors
/// Parts that are not those of one run, or a report that cannot be written.
pub fn join(parts: &[PathBuf], output: &Path, style: Style) -> Result<ExitCode, Failure> {
    let input = |error: merge::MergeError| Failure::Input(error.to_string());
    let shards = parts.iter().map(|part| merge::Shard::read(part));
    let shards = shards.collect::<Result<Vec<_>, _>>().map_err(input)?;
    let report = merge::merge(shards).map_err(input)?;
    if !report.ran() {
        return Err(Failure::Nothing("no part tried a case".into()));
    }
    ReportWriter::new(output, Format::ALL)?.write(&report)?;
    print(&Terminal::of(style).render(&report))?;
    Ok(verdict(&report))
}

fn keep(corpora: &Path, session: &Session) -> Result<(), Failure> {
    let files = regressions::save(&corpora.join("regressions"), session.regressions())?;
    for file in files {
        eprintln!("kept as a regression: {}", file.display());
    }
    Ok(())
}
