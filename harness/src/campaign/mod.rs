//! `udma campaign`: fuzz targets in turn on several workers, for a time or a number of executions.
//!
//! Workers run the fuzzers' programs in slices. What a slice leaves (inputs that reach something
//! new, inputs that show something wrong) lies in a folder of its own until it is taken in: first it
//! is written to its place in the campaign's folder, whole or not at all, then the state names it,
//! then it goes from where it was. A campaign that is killed takes in what was left when it is
//! started again, so that nothing is lost that was ever told.

mod slice;
mod slurm;
mod state;

use std::collections::VecDeque;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::print;
use crate::failure::{FINDINGS, Failure};
use crate::fuzz::replay::known;
use crate::fuzz::{TARGETS, Target};
use slice::{Fuzzer, Slice};
use state::State;

/// Options of `udma campaign`.
#[derive(Args, Clone, Debug)]
pub struct CampaignArgs {
    /// Targets; without any: all.
    #[arg(value_name = "TARGET")]
    pub targets: Vec<String>,
    /// The campaign's folder: corpora, findings, state. One that is there is gone on with.
    #[arg(long, value_name = "DIR", default_value = "campaign")]
    pub folder: PathBuf,
    /// Folder of the fuzzers' programs, as `cargo fuzz build` makes them.
    #[arg(
        long,
        value_name = "DIR",
        default_value = "fuzz/target/x86_64-unknown-linux-gnu/release"
    )]
    pub programs: PathBuf,
    /// End after so many seconds; 0 takes in what `--from` names and no more.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(0..=31_536_000))]
    pub seconds: u64,
    /// End a target after so many executions, those of earlier runs included; one that runs scripts
    /// after a fifth of them, one that runs queues or calls after a twentieth.
    #[arg(long, value_name = "NUMBER")]
    pub runs: Option<u64>,
    /// Workers; without it: as many as there are processors.
    #[arg(long, value_name = "NUMBER")]
    pub workers: Option<NonZero<usize>>,
    /// Most seconds of a slice.
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub slice: u64,
    /// Take the corpora and findings of another campaign in first; may be given more than once.
    #[arg(long = "from", value_name = "DIR")]
    pub from: Vec<PathBuf>,
    /// Folder of vectors, seeds and regressions.
    #[arg(long, value_name = "DIR")]
    pub corpora: Option<PathBuf>,
    /// Do not keep what is found in the corpora's regressions.
    #[arg(long)]
    pub no_save: bool,
    /// Hand it to Slurm: an array job of so many campaigns, each for the seconds and its part of the
    /// executions, and a job behind it that joins them in the folder.
    #[arg(long, value_name = "TASKS")]
    pub slurm: Option<NonZero<u32>>,
    /// Hold the built-in implementations against the rules, too, with so many generated cases, of
    /// which each task has its part (`udma check --shard`).
    #[arg(long, value_name = "CASES", requires = "slurm")]
    pub check: Option<u64>,
    /// An option of sbatch, such as --partition=trn2; may be given more than once.
    #[arg(
        long,
        value_name = "OPTION",
        requires = "slurm",
        allow_hyphen_values = true
    )]
    pub sbatch: Vec<String>,
}

/// What workers share.
struct Shared<'a> {
    state: Mutex<State>,
    queue: Mutex<VecDeque<&'static Target>>,
    /// Workers that a target may have at a time.
    each: u64,
    fuzzer: Fuzzer,
    args: &'a CampaignArgs,
    deadline: Instant,
    bar: ProgressBar,
}

impl Shared<'_> {
    /// Tells how far the campaign is: at once where it is looked at, else a line after each slice.
    fn tell(&self, state: &State, ended: bool) {
        if !self.bar.is_hidden() {
            self.bar.set_message(state.line());
        } else if ended {
            anstream::eprintln!("{}", state.line());
        }
    }
}

/// A panic of another worker ends the campaign anyway.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Runs the command.
///
/// # Errors
/// Targets that are not known or not built, folders that cannot be written, a fuzzer that cannot be
/// run.
pub fn run(args: &CampaignArgs) -> Result<ExitCode, Failure> {
    let targets: Vec<&'static Target> = if args.targets.is_empty() {
        TARGETS.iter().collect()
    } else {
        args.targets
            .iter()
            .map(|name| known(name))
            .collect::<Result<_, _>>()?
    };
    let corpora = crate::corpora::find(args.corpora.as_deref())?;
    let fuzzer = Fuzzer {
        programs: args.programs.clone(),
        seeds: corpora.join("seeds"),
        keep: (!args.no_save).then(|| corpora.join("regressions")),
    };
    for target in &targets {
        fuzzer.program(target)?;
    }
    if let Some(tasks) = args.slurm {
        return slurm::submit(args, &corpora, tasks.get());
    }
    let mut state = State::open(&args.folder)?;
    for other in &args.from {
        for target in &targets {
            state.union(target.name, &other.join("corpus").join(target.name))?;
        }
        fuzzer.take_over(&mut state, other)?;
    }
    // What a campaign that was killed left behind.
    for (target, left) in state.leftovers()? {
        fuzzer.take_in(&mut state, target, &left)?;
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    let available = std::thread::available_parallelism().map_or(1, NonZero::get);
    let workers = args.workers.map_or(available, NonZero::get);
    // Of few targets each has several workers.
    let each = workers.div_ceil(targets.len());
    let shared = Shared {
        state: Mutex::new(state),
        queue: Mutex::new(targets.repeat(each).into()),
        each: each as u64,
        fuzzer,
        args,
        deadline: Instant::now() + Duration::from_secs(args.seconds),
        bar,
    };
    let outcomes: Vec<Result<(), Failure>> = std::thread::scope(|scope| {
        let work = |_| scope.spawn(|| work(&shared));
        let threads: Vec<_> = (0..workers).map(work).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            let died = || Failure::Environment("a worker died".into());
            thread.join().unwrap_or_else(|_| Err(died()))
        };
        threads.into_iter().map(join).collect()
    });
    shared.bar.finish_and_clear();
    outcomes.into_iter().collect::<Result<(), Failure>>()?;
    let state = lock(&shared.state);
    print(&state.table())?;
    Ok(if state.findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FINDINGS)
    })
}

/// One worker: a slice of the target whose turn it is, again and again.
fn work(shared: &Shared) -> Result<(), Failure> {
    let taken = |target: &&'static Target| lock(&shared.state).of(target.name).executions;
    loop {
        let left = shared.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        // In turn: whoever is asked goes to the end of the queue when its slice is over.
        let Some(target) = lock(&shared.queue).pop_front() else {
            return Ok(());
        };
        // Workers of one target share what is left.
        let runs = shared.args.runs.map(|runs| {
            let runs = runs.div_ceil(target.cost());
            runs.saturating_sub(taken(&target)).div_ceil(shared.each)
        });
        if runs == Some(0) {
            continue;
        }
        let most = Duration::from_secs(shared.args.slice).min(left);
        let folder = lock(&shared.state).fresh(target.name)?;
        let slice = Slice {
            target,
            folder: &folder,
            corpus: &shared.args.folder.join("corpus").join(target.name),
            most,
            runs,
        };
        let ran = shared.fuzzer.run(&slice, &mut |executions, coverage| {
            let mut state = lock(&shared.state);
            state.running(target.name, &folder, executions, coverage);
            shared.tell(&state, false);
        })?;
        let mut state = lock(&shared.state);
        state.ran(target.name, &folder, &ran);
        shared.fuzzer.take_in(&mut state, target, &folder)?;
        shared.tell(&state, true);
        drop(state);
        lock(&shared.queue).push_back(target);
    }
}

/// Files of a folder in the order of their names, without those that were not written to their end;
/// none where there is no folder.
fn inside(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    if folder.is_dir() {
        files = crate::fuzz::replay::files(&[folder.into()])?;
        files.retain(|file| !is_partial(file));
    }
    Ok(files)
}

/// What a kill leaves of a file that was being written.
fn is_partial(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default();
    name.as_encoded_bytes().starts_with(b".")
}
