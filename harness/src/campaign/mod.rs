//! `udma campaign`: fuzz targets in turn on several workers, for a time or a number of executions.
//!
//! Workers run the fuzzers' programs in slices. What a slice leaves (inputs that reach something
//! new, inputs that show something wrong) lies in a folder of its own until it is taken in: first it
//! is written to its place in the campaign's folder, whole or not at all, then the state names it,
//! then it goes from where it was. A campaign that is killed takes in what was left when it is
//! started again, so that nothing is lost that was ever told.

mod slice;
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
    /// End after so many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=31_536_000))]
    pub seconds: u64,
    /// End a target after so many executions, those of earlier runs included.
    #[arg(long, value_name = "NUMBER")]
    pub runs: Option<u64>,
    /// Workers; without it: as many as there are processors.
    #[arg(long, value_name = "NUMBER")]
    pub workers: Option<NonZero<usize>>,
    /// Most seconds of a slice.
    #[arg(long, value_name = "SECONDS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub slice: u64,
    /// Take the corpora of another campaign in first; may be given more than once.
    #[arg(long = "from", value_name = "DIR")]
    pub from: Vec<PathBuf>,
    /// Folder of vectors, seeds and regressions.
    #[arg(long, value_name = "DIR")]
    pub corpora: Option<PathBuf>,
    /// Do not keep what is found in the corpora's regressions.
    #[arg(long)]
    pub no_save: bool,
}

/// What workers share.
struct Shared<'a> {
    state: Mutex<State>,
    queue: Mutex<VecDeque<&'static Target>>,
    fuzzer: Fuzzer,
    args: &'a CampaignArgs,
    deadline: Instant,
    bar: ProgressBar,
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
    let mut state = State::open(&args.folder)?;
    for other in &args.from {
        for target in &targets {
            state.union(target.name, &other.join("corpus").join(target.name))?;
        }
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
    let shared = Shared {
        state: Mutex::new(state),
        queue: Mutex::new(targets.iter().copied().collect()),
        fuzzer,
        args,
        deadline: Instant::now() + Duration::from_secs(args.seconds),
        bar,
    };
    let available = std::thread::available_parallelism().map_or(1, NonZero::get);
    let workers = args.workers.map_or(available, NonZero::get);
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
        let runs = shared
            .args
            .runs
            .map(|runs| runs.saturating_sub(taken(&target)));
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
            state.running(target.name, executions, coverage);
            shared.bar.set_message(state.line());
        })?;
        let mut state = lock(&shared.state);
        state.ran(target.name, &ran);
        shared.fuzzer.take_in(&mut state, target, &folder)?;
        shared.bar.set_message(state.line());
        drop(state);
        lock(&shared.queue).push_back(target);
    }
}

/// Files of a folder in the order of their names; none where there is no folder.
fn inside(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if folder.is_dir() {
        crate::fuzz::replay::files(&[folder.into()])
    } else {
        Ok(Vec::new())
    }
}
