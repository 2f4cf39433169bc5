//! `udma run`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use udma_oracle::catalogue::{Rule, family};
use udma_report::model::{FORMAT, Finding, Report, RuleReport, RuleResult, Status, SubjectInfo};
use udma_report::terminal::{Style, Terminal};
use udma_report::writer::{Format, ReportWriter};

use super::backend::{Backend, Ran, Settings, Source};
use super::generate::{Plan, shrink};
use super::judge::{Difference, Judge, Verdict};
use super::rules;
use crate::check::verdict;
use crate::cli::{RunArgs, print};
use crate::failure::Failure;
use crate::interpret::interpret;
use crate::program::{Program, Tag, read};

/// A program and where it lies.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// Its file.
    pub file: PathBuf,
    /// The folder that fill files lie in.
    pub folder: PathBuf,
}

/// When a run ends early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum StopOn {
    /// Never.
    #[default]
    Never,
    /// At the first finding.
    Finding,
    /// At the first program that could not be run.
    Error,
}

/// What became of one rule on one backend.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    cases: u64,
    failed: u64,
    skipped: bool,
}

/// A run of programs on backends.
pub struct Run<'a> {
    backends: &'a [Backend],
    /// Settings of each backend: a device has its own architecture.
    settings: Vec<Settings>,
    rules: Vec<Rule>,
    counts: BTreeMap<(String, usize), Count>,
    findings: Vec<Finding>,
    /// Findings by program, backend and rule: the first of each is listed.
    seen: std::collections::BTreeSet<(String, usize, String)>,
    /// How often each stated outcome occurred, by program and backend.
    outcomes: BTreeMap<(String, usize), Vec<u64>>,
    /// Programs that could not be run.
    errors: Vec<String>,
    runs: u64,
}

impl<'a> Run<'a> {
    /// Nothing ran yet.
    ///
    /// # Errors
    /// A device that cannot be asked.
    pub fn new(backends: &'a [Backend], settings: Settings) -> Result<Self, String> {
        let own = |backend: &Backend| {
            let arch = backend.arch(&settings)?;
            Ok(Settings { arch, ..settings })
        };
        Ok(Self {
            backends,
            settings: backends.iter().map(own).collect::<Result<_, String>>()?,
            rules: rules::all(),
            counts: BTreeMap::new(),
            findings: Vec::new(),
            seen: std::collections::BTreeSet::new(),
            outcomes: BTreeMap::new(),
            errors: Vec::new(),
            runs: 0,
        })
    }

    /// Runs one program on one backend for the `round`th time; whether it gave what it states.
    pub fn one(&mut self, loaded: &Loaded, backend: usize, round: u64) -> bool {
        let Loaded {
            program,
            file,
            folder,
        } = loaded;
        let name = &program.name;
        let (on, settings) = (&self.backends[backend], self.settings[backend]);
        if let Some(why) = refusal(program, on, &settings) {
            self.tally(program, backend, 0, None);
            self.errors.push(format!("{name} on {on}: not run: {why}"));
            return true;
        }
        let interpreted = interpret(program, settings.arch, folder);
        let judged = interpreted.and_then(|made| Judge::new(program, &made, folder));
        let source = Source {
            program,
            file,
            folder,
        };
        // Not run at all where it cannot be judged: nobody knows what it would touch.
        let both = judged.and_then(|judge| Ok((judge, on.run(source, round, &settings)?)));
        let (judge, ran) = match both {
            Ok(both) => both,
            Err(error) => {
                self.errors.push(format!("{name} on {on}: {error}"));
                return false;
            }
        };
        self.runs += 1;
        let differences = match ran {
            Ran::Judged(found) => found,
            Ran::Outcome(outcome, findings) => match judge.judge(&outcome) {
                Verdict::Outcome(index) => {
                    let stated = program.outcomes.len();
                    let seen = self.outcomes.entry((name.clone(), backend));
                    seen.or_insert_with(|| vec![0; stated])[index] += 1;
                    judge.findings(&findings)
                }
                Verdict::Differs(found) => found,
            },
        };
        let blamed = differences.first().map(|first| first.rule.clone());
        self.tally(program, backend, 1, blamed.as_deref());
        if let Some(first) = differences.into_iter().next() {
            self.find(program, backend, round, first);
        }
        blamed.is_none()
    }

    fn tally(&mut self, program: &Program, backend: usize, cases: u64, blamed: Option<&str>) {
        let mut named: Vec<&str> = program.named_rules().collect();
        named.extend(blamed);
        named.sort_unstable();
        named.dedup();
        for rule in named {
            let count = self.counts.entry((rule.into(), backend)).or_default();
            count.cases += cases;
            count.skipped |= cases == 0;
            count.failed += u64::from(blamed == Some(rule));
        }
    }

    fn find(&mut self, program: &Program, backend: usize, round: u64, found: Difference) {
        let key = (program.name.clone(), backend, found.rule.clone());
        if !self.seen.insert(key) {
            return;
        }
        self.findings.push(Finding {
            rule: found.rule,
            subject: self.backends[backend].to_string(),
            check: format!("run/{}", program.name),
            informative: false,
            origin: format!("programs/{}#{round}", program.name),
            summary: found.summary,
            input: serde_json::json!({
                "program": program.name,
                "about": program.about,
                "arch": self.settings[backend].arch.name(),
                "step": found.step.map(|step| step.to_string()),
            }),
            expected: found.expected,
            actual: found.actual,
            descriptors: found.descriptors,
        });
    }

    /// The report so far.
    pub fn report(&self, complete: bool, seed: u64, repeat: u64) -> Report {
        let named: std::collections::BTreeSet<&str> =
            self.counts.keys().map(|(rule, _)| rule.as_str()).collect();
        let rules = self
            .rules
            .iter()
            .filter(|rule| named.contains(rule.id.as_str()));
        Report {
            format: FORMAT.into(),
            suite_version: env!("CARGO_PKG_VERSION").into(),
            seed,
            cases: repeat,
            complete,
            subjects: self
                .backends
                .iter()
                .map(|backend| SubjectInfo {
                    name: backend.to_string(),
                    line: "kernel".into(),
                    driver: Some(self.settings[0].version.name().into()),
                    notes: Vec::new(),
                })
                .collect(),
            rules: rules.map(|rule| self.rule(rule)).collect(),
            findings: self.findings.clone(),
            timings: None,
        }
    }

    fn rule(&self, rule: &Rule) -> RuleReport {
        let results = (0..self.backends.len()).map(|backend| {
            let count = self
                .counts
                .get(&(rule.id.clone(), backend))
                .copied()
                .unwrap_or_default();
            RuleResult {
                subject: self.backends[backend].to_string(),
                cases: count.cases,
                diverged: 0,
                failed: count.failed,
                status: match count {
                    Count { failed: 1.., .. } => Status::Failed,
                    Count { cases: 1.., .. } => Status::Held,
                    _ => Status::Skipped,
                },
            }
        });
        RuleReport {
            id: rule.id.clone(),
            family: family(&rule.id).into(),
            statement: rule.statement.clone(),
            why: rule.why.clone(),
            source: format!("{}, {}", rule.source, rule.evidence),
            confidence: rule.confidence,
            checks: vec!["run/programs".into()],
            divergences: Vec::new(),
            results: results.collect(),
        }
    }

    /// Architecture of each backend.
    pub fn archs(&self) -> impl Iterator<Item = crate::program::Arch> + '_ {
        self.settings.iter().map(|settings| settings.arch)
    }

    /// Programs that could not be run, and why.
    pub fn errors(&self) -> &[String] {
        &self.errors
    }

    /// How often each outcome of programs with several occurred.
    fn spread(&self) -> String {
        let mut text = String::new();
        for ((name, backend), seen) in &self.outcomes {
            if seen.len() > 1 {
                let counts: Vec<String> = seen.iter().map(ToString::to_string).collect();
                let on = &self.backends[*backend];
                text += &format!("{name} on {on}: outcomes {}\n", counts.join(", "));
            }
        }
        text
    }
}

/// Why a program is not run on a backend.
fn refusal(program: &Program, on: &Backend, settings: &Settings) -> Option<String> {
    if !program.suits(settings.arch) {
        return Some(format!("it is not for {}", settings.arch.name()));
    }
    if on.is_device() && program.is(Tag::DisturbsDevice) && !settings.disturbing {
        return Some("it may disturb the device: --allow-disturbing".into());
    }
    None
}

/// Reads program files.
///
/// # Errors
/// The first that is none.
pub fn load(paths: &[PathBuf]) -> Result<Vec<Loaded>, Failure> {
    let files = read::files(paths)?;
    files
        .into_iter()
        .map(|file| {
            Ok(Loaded {
                program: read::read(&file)?,
                folder: file.parent().unwrap_or(Path::new(".")).into(),
                file,
            })
        })
        .collect()
}

/// The order of a round.
fn order(count: usize, shuffle: Option<u64>, round: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    if let Some(seed) = shuffle {
        for at in (1..count).rev() {
            let random = udma_oracle::generate::mix(seed.wrapping_add(round), at as u64);
            order.swap(at, (random % (at as u64 + 1)) as usize);
        }
    }
    order
}

/// Runs program files, round by round.
///
/// # Errors
/// A file that is no program, or a report that cannot be written.
pub fn listed(run: &mut Run, args: &RunArgs, writer: Option<&ReportWriter>) -> Result<(), Failure> {
    let programs = load(&args.programs)?;
    let seed = args.shuffle.unwrap_or(args.seed);
    for round in 0..args.repeat {
        for program in order(programs.len(), args.shuffle, round) {
            for backend in 0..run.backends.len() {
                let (findings, errors) = (run.findings.len(), run.errors.len());
                run.one(&programs[program], backend, round);
                let stop = match args.stop_on {
                    StopOn::Never => false,
                    StopOn::Finding => run.findings.len() > findings,
                    StopOn::Error => run.errors.len() > errors,
                };
                if stop {
                    return Ok(());
                }
            }
        }
        if let Some(writer) = writer {
            writer.write(&run.report(false, seed, args.repeat))?;
        }
    }
    Ok(())
}

/// Most differing generated programs that are shrunk and kept.
const KEPT: usize = 5;

/// Makes programs, runs them on every backend, and keeps the smallest form of what differs.
///
/// # Errors
/// Backends of different architectures, or a file that cannot be written.
pub fn generated(run: &mut Run, args: &RunArgs, count: u64) -> Result<(), Failure> {
    let arch = run.settings[0].arch;
    if run.settings.iter().any(|settings| settings.arch != arch) {
        return Err(Failure::Input(
            "the backends are of different architectures".into(),
        ));
    }
    let folder = tempfile::tempdir().map_err(Failure::file(&std::env::temp_dir()))?;
    let file = folder.path().join("generated.json");
    let write = |plan: &Plan, file: &Path| {
        let program = plan.program(arch).map_err(Failure::Input)?;
        std::fs::write(file, read::render(&program)).map_err(Failure::file(file))?;
        Ok::<_, Failure>(Loaded {
            program,
            file: file.into(),
            folder: folder.path().into(),
        })
    };
    let mut kept = 0;
    for index in 0..count {
        let plan = Plan::new(args.seed, index, arch);
        let loaded = write(&plan, &file)?;
        for backend in 0..run.backends.len() {
            let errors = run.errors.len();
            if run.one(&loaded, backend, index) || run.errors.len() > errors {
                continue;
            }
            let on = [run.backends[backend].clone()];
            let settings = run.settings[backend];
            let smallest = shrink(&plan, |candidate| {
                let Ok(mut again) = Run::new(&on, settings) else {
                    return false;
                };
                write(candidate, &file).is_ok_and(|loaded| !again.one(&loaded, 0, index))
                    && again.errors.is_empty()
            });
            let place = args.report.clone().unwrap_or_else(|| ".".into());
            let name = format!("generated-{}-{index}.json", args.seed);
            write(&smallest, &place.join(&name))?;
            eprintln!(
                "{}: smallest form kept as {}",
                on[0],
                place.join(&name).display()
            );
            kept += 1;
            if kept >= KEPT || args.stop_on == StopOn::Finding {
                return Ok(());
            }
            // What was overwritten while it was made smaller.
            write(&plan, &file)?;
        }
    }
    Ok(())
}

/// Runs the command.
///
/// # Errors
/// Bad input, or nothing that could be run.
pub fn run(args: &RunArgs, style: Style) -> Result<ExitCode, Failure> {
    let backends = args.backends()?;
    let settings = args.settings()?;
    let writer = match &args.report {
        Some(folder) => {
            let formats = match args.formats.as_slice() {
                [] => Format::ALL.to_vec(),
                formats => formats.to_vec(),
            };
            Some(ReportWriter::new(folder.clone(), formats)?)
        }
        None => None,
    };
    let mut run = Run::new(&backends, settings).map_err(Failure::Input)?;
    let seed = args.shuffle.unwrap_or(args.seed);
    if let Some(count) = args.generate {
        generated(&mut run, args, count)?;
    } else {
        listed(&mut run, args, writer.as_ref())?;
    }
    let report = run.report(true, seed, args.repeat);
    if let Some(writer) = &writer {
        writer.write(&report)?;
    }
    let mut text = run.spread();
    for error in run.errors() {
        text += &format!("{error}\n");
    }
    if run.runs == 0 {
        return Err(Failure::Nothing(format!("no program was run\n{text}")));
    }
    print(&format!("{text}{}", Terminal::of(style).render(&report)))?;
    let broken = run
        .errors
        .iter()
        .any(|error| !error.contains(": not run: "));
    Ok(if broken && report.findings.is_empty() {
        ExitCode::from(crate::failure::DIED)
    } else {
        verdict(&report)
    })
}

/// Writes the programs of the corpus into a folder.
///
/// # Errors
/// A file that cannot be written.
pub fn write_corpus(folder: &Path) -> Result<ExitCode, Failure> {
    let error = Failure::file(folder);
    std::fs::create_dir_all(folder).map_err(error)?;
    for program in crate::corpus::all() {
        let file = folder.join(format!("{}.json", program.name));
        std::fs::write(&file, read::render(&program)).map_err(error)?;
    }
    Ok(ExitCode::SUCCESS)
}
