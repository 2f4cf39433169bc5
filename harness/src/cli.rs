//! Arguments of the command.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use udma::DriverVersion;
use udma_oracle::line::{driver_name, driver_number, releases};
use udma_oracle::model::Schedule;
use udma_oracle::session::Shard;
use udma_report::terminal::Style;
use udma_report::writer::Format;

use crate::campaign::{self, CampaignArgs};
use crate::failure::Failure;
use crate::fuzz::replay::{self, ReplayArgs};
use crate::fuzz::seeds;
use crate::run::backend::{Backend, Settings};
use crate::run::client::Limits;
use crate::run::command::{StopOn, run as run_programs, write_corpus};
use crate::run::conform;
use crate::vdev::{BoardConfig, supervisor};
use crate::{
    bench, bench_device, bench_model, check, explain, prove, rules, states, trace, vectors, vring,
    vring_bench,
};

/// Bit-accurate conformance suite for the Neuron UDMA descriptor and ring layer.
#[derive(Parser)]
#[command(name = "udma", version, arg_required_else_help = true)]
pub struct Cli {
    /// When to use colour.
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto)]
    pub colour: Colour,
    #[command(subcommand)]
    command: Command,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

#[derive(Subcommand)]
enum Command {
    /// Hold implementations against the rules and the recorded vectors: the main job.
    #[command(after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Decode descriptors from hex: every field by word and name, what it does, what is unusual.
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain(ExplainArgs),
    /// List the rules.
    Rules(RulesArgs),
    /// Recorded vectors.
    #[command(subcommand)]
    Vectors(VectorsCommand),
    /// Author virtual rings, write and read the bytes of rings, compare two.
    #[command(subcommand)]
    Vring(vring::VringCommand),
    /// Run DMA programs on the model, on the reference interpreter and on devices.
    #[command(after_help = RUN_EXAMPLES)]
    Run(RunArgs),
    /// Run everything that is run before a release, into one archive.
    Conform(ConformArgs),
    /// Reports and archives.
    #[command(subcommand)]
    Report(ReportCommand),
    /// Run a program with virtual devices in place of /dev/neuronN.
    #[command(after_help = VDEV_EXAMPLES)]
    Vdev(VdevArgs),
    /// Write the programs of the corpus into a folder.
    Programs {
        /// The folder; made if it is not there.
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Run fuzz targets on several workers, for a time or a number of executions.
    #[command(after_help = CAMPAIGN_EXAMPLES)]
    Campaign(CampaignArgs),
    /// Judge inputs of a fuzz target, and keep what they show as regressions.
    #[command(after_help = REPLAY_EXAMPLES)]
    Replay(ReplayArgs),
    /// Write what the fuzzers start from, and their dictionary, into a folder.
    Seeds {
        /// The folder; without it `seeds` of the corpora.
        #[arg(value_name = "DIR")]
        folder: Option<PathBuf>,
        /// Folder of the vectors, kept cases and programs that they are made of.
        #[arg(long, value_name = "DIR")]
        corpora: Option<PathBuf>,
    },
    /// Measure the builders side by side.
    Bench(BenchArgs),
    /// Search every state of the ring cycle, or until a wrong belief of its driver is found out.
    #[command(after_help = STATES_EXAMPLES)]
    States(StatesArgs),
    /// Show that two compiled libraries build the same for every input, or print where they differ.
    #[command(after_help = PROVE_EXAMPLES)]
    Prove(ProveArgs),
    /// Run one transfer on the weakest engine and show what happens, step by step.
    #[command(after_help = TRACE_EXAMPLES)]
    Trace(TraceArgs),
    /// Compile C sources and an adapter of your own into a library that `--subject lib:` takes.
    #[command(after_help = BUILD_ORACLE_EXAMPLES)]
    BuildOracle {
        /// What is compiled, and into what.
        #[arg(value_name = "MANIFEST.toml")]
        manifest: PathBuf,
    },
    /// Check that every planted wrong belief is caught (builds with the `mutants` feature).
    #[cfg(feature = "mutants")]
    Mutants(MutantsArgs),
    /// Answer the suite's calls on standard input and output (docs/protocol.md).
    #[command(hide = true)]
    Serve {
        /// `lib:PATH`, `libnrt:PATH` or a built-in subject.
        subject: String,
        /// As for `udma check`.
        #[arg(long, value_name = "FILE")]
        known_libraries: Option<PathBuf>,
        /// Ask the suite for each access, as a subject in another language does.
        #[arg(long)]
        by_access: bool,
    },
    /// Print shell completions.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

const CHECK_EXAMPLES: &str = "Examples:
  udma check                                       everything, on all built-in subjects
  udma check --subject c-hal --rule 'BLDR-*'       the builder rules on one subject
  udma check --suite ring --seed 7 --cases 100000  more generated scripts
  udma check --report out --format json --format html

Exit: 0 all held, 1 findings, 2 usage or bad input or nothing ran, 3 a subject died or hung.";

const CAMPAIGN_EXAMPLES: &str = "Examples:
  udma campaign --seconds 600                       all targets in turn, on all processors
  udma campaign pair_diff ring_script --runs 1000000 --workers 2
  udma campaign --folder two --from one             with corpora and findings of another campaign
  udma campaign --slurm 64 --seconds 3600 --check 1000000 --sbatch=--partition=trn2

A campaign that was killed is gone on with. Exit: 0 nothing found, 1 findings (docs/fuzzing.md),
2 usage or bad input, 3 a fuzzer could not be run.";

const REPLAY_EXAMPLES: &str = "Examples:
  udma replay pair_diff corpora/seeds/pair_diff
  udma replay ring_script fuzz/artifacts/ring_script/crash-1f2e --keep corpora/regressions

Exit: 0 all held, 1 findings, 2 usage or bad input.";

const RUN_EXAMPLES: &str = "Examples:
  udma run corpora/programs                        every program on the model and the interpreter
  udma run corpora/programs --on model --repeat 100 --shuffle 7
  udma run --generate 1000 --seed 7 --on model --on vdev
  udma run corpora/programs/litmus-*.json --on model:42 --arch v4 --report out

Exit: 0 all held, 1 findings, 2 usage or bad input or nothing ran, 3 a program could not be run.";

const VDEV_EXAMPLES: &str = "Examples:
  udma vdev -- udma run corpora/programs --on /dev/neuron0
  udma vdev --arch v2 --devices 2 -- python3 client.py
  udma vdev --fault head-stale -- udma run corpora/programs --on /dev/neuron0

Exit: that of the program, 128 + the signal that ended it, or 2.";

const EXPLAIN_EXAMPLES: &str = "Examples:
  udma explain 0000000d030008014a1b4df26b7b5eb6
  udma explain --view rx 400000010000000000200000000000000
  udma explain --file ring.bin
  xxd -p -c16 ring.bin | udma explain -";

const BUILD_ORACLE_EXAMPLES: &str = "The manifest, with paths from its folder:
  output = \"libmine.so\"
  sources = [\"driver.c\", \"adapter.c\"]
  include = [\"include\"]             folders of headers; udma_oracle.h is there
  defines = [\"MINE\", \"RINGS=16\"]
  kshim = true                      stand-ins for the kernel's headers

An example with its adapter is docs/examples/c-tree. CC names another compiler than cc.
Exit: 0 built, 2 a bad manifest or sources that do not compile, 3 no compiler.";

const STATES_EXAMPLES: &str = "Examples:
  udma states                             all states: a ring of 32, all laps, three slots
  udma states --belief no-write-barrier   the shortest way to what goes wrong

Beliefs: no-write-barrier, no-doorbell-barrier, tx-first, ack-before-poll, ack-short, guard-15,
phase-early, poll-word-kept.
Exit: 0 all properties hold in all states, 1 a counterexample, 2 usage.";

const PROVE_EXAMPLES: &str = "Examples:
  udma prove rust-kernel c-kernel                       every builder of the kernel line
  udma prove rust-hal c-hal --op op_fma --op desc_fma   two of the HAL line
  udma prove rust-kernel c-hal                          the common domain of the two lines
  udma prove c-hal lib:./libmine.so

What is proved, and within which bounds: docs/proofs.md.
Exit: 0 all that both offer is proved, 1 a difference, 2 usage or bad input, 3 something could not be
proved, or nothing was.";

/// Options of `udma prove`.
#[derive(Args, Clone, Debug)]
pub struct ProveArgs {
    /// rust-kernel, c-kernel, rust-hal, c-hal, or lib:PATH (a library that exports the C ABI).
    #[arg(value_name = "A")]
    pub one: String,
    /// The other one.
    #[arg(value_name = "B")]
    pub other: String,
    /// Only this operation, by the header's name; may be given more than once. It must be offered.
    #[arg(long = "op", value_name = "NAME")]
    pub operations: Vec<String>,
}

/// Options of `udma check`.
#[derive(Args, Clone, Debug)]
pub struct CheckArgs {
    /// Who is asked, within which limits.
    #[command(flatten)]
    pub who: SubjectArgs,
    /// Only rules that match, such as 'BLDR-*'; may be given more than once.
    #[arg(long = "rule", value_name = "GLOB")]
    pub rules: Vec<String>,
    /// Only this suite; may be given more than once.
    #[arg(long = "suite", value_name = "NAME")]
    pub suites: Vec<String>,
    /// Seed of every generated case.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Generated cases per check; exhaustive checks ignore it.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub cases: u64,
    /// Write reports into this folder, after every suite and at the end.
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Form of the reports: json, junit, html or terminal; may be given more than once. Without it:
    /// all of them.
    #[arg(long = "format", value_name = "FORMAT", requires = "report")]
    pub formats: Vec<Format>,
    /// Folder of the vectors and regressions.
    #[arg(long, value_name = "DIR")]
    pub corpora: Option<PathBuf>,
    /// Run the checks that take minutes, too.
    #[arg(long)]
    pub deep: bool,
    /// Only part I of N: over all parts each case of a check is tried once. Its report is also written
    /// as shard.json, which `udma report merge` joins.
    #[arg(long, value_name = "I/N", value_parser = shard, requires = "report")]
    pub shard: Option<Shard>,
    /// Do not keep failed cases in the corpora's regressions folder.
    #[arg(long)]
    pub no_save: bool,
    /// Plant a wrong belief first, by its number in oracle/mutants.toml.
    #[cfg(feature = "mutants")]
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub mutant: u32,
    /// Put times into the reports; equal runs then differ.
    #[arg(long)]
    pub timings: bool,
}

/// Who is asked.
#[derive(Args, Clone, Debug)]
pub struct SubjectArgs {
    /// Who is asked; may be given more than once: rust-kernel, c-kernel, rust-hal, c-hal,
    /// lib:PATH (a library that exports the C ABI), cmd:COMMAND (a process that speaks
    /// docs/protocol.md), libnrt:PATH (the original HAL, not stripped). Without it: all built-in
    /// subjects.
    #[arg(long = "subject", value_name = "NAME")]
    pub names: Vec<String>,
    /// Seconds that a library or process may take for one answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub answer_limit: u64,
    /// MiB of address space that a library or process may take.
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u64).range(64..=1_048_576))]
    pub memory_limit: u64,
    /// Driver version that the kernel line is asked as and held to; releases that behave alike are one.
    /// Without it: the version of each case, all of them.
    #[arg(long = "driver", value_name = "VERSION")]
    pub driver: Option<String>,
    /// A table of libraries and signatures for libnrt:PATH, beside harness/known-libraries.toml and in
    /// its form.
    #[arg(long, value_name = "FILE")]
    pub known_libraries: Option<PathBuf>,
}

impl SubjectArgs {
    /// How those in processes of their own are run.
    pub fn settings(&self) -> crate::remote::Settings {
        crate::remote::Settings {
            limits: crate::remote::Limits {
                answer: Duration::from_secs(self.answer_limit),
                memory: self.memory_limit << 20,
            },
            known: self.known_libraries.clone(),
        }
    }

    /// Number of the driver version, if one is given.
    ///
    /// # Errors
    /// One that is not known.
    pub fn driver(&self) -> Result<Option<u8>, Failure> {
        let number = |name: &String| driver_number(name).ok_or_else(|| unknown_driver(name));
        self.driver.as_ref().map(number).transpose()
    }
}

/// Options of `udma run`.
#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    /// Program files, or folders of them.
    #[arg(value_name = "PROGRAM", required_unless_present = "generate")]
    pub programs: Vec<PathBuf>,
    /// Make this many random programs in place of files, and the smallest form of what differs.
    #[arg(long, value_name = "NUMBER", conflicts_with = "programs")]
    pub generate: Option<u64>,
    /// Seed of the random programs.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// What they run on: model, model:SEED, interpret, vdev, vdev:SEED, device (the first there
    /// is), /dev/neuronN; may be given more than once. Without it: model and interpret.
    #[arg(long = "on", value_name = "BACKEND")]
    pub on: Vec<String>,
    /// Architecture of models.
    #[arg(long, value_name = "v2|v3|v4", default_value = "v3")]
    pub arch: String,
    /// Driver version that models follow.
    #[arg(long, value_name = "VERSION", default_value = "2.26.5.0")]
    pub driver: String,
    /// Plant a device fault in models.
    #[arg(long, value_name = "ID")]
    pub fault: Option<String>,
    /// Rounds over all programs; models take another seed in each.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub repeat: u64,
    /// Shuffle the programs of each round, by this seed.
    #[arg(long, value_name = "SEED")]
    pub shuffle: Option<u64>,
    /// Run programs that may leave a device in error on a device, too.
    #[arg(long)]
    pub allow_disturbing: bool,
    /// Use a device whose driver's version is not known.
    #[arg(long)]
    pub any_driver: bool,
    /// Print every call of a device in place of making it.
    #[arg(long)]
    pub dry_run: bool,
    /// Most bytes that one program allocates.
    #[arg(long, value_name = "BYTES", default_value_t = 8 << 30)]
    pub budget_bytes: u64,
    /// Most seconds that one program takes.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub budget_seconds: u64,
    /// How often a device is asked for a marker before it counts as lost.
    #[arg(long, value_name = "NUMBER", default_value_t = 20_000,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub looks: u32,
    /// When to end early.
    #[arg(long, value_enum, default_value_t = StopOn::Never)]
    pub stop_on: StopOn,
    /// Write reports into this folder, after every round and at the end.
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
    /// Form of the reports: json, junit, html or terminal; may be given more than once. Without it:
    /// all of them.
    #[arg(long = "format", value_name = "FORMAT", requires = "report")]
    pub formats: Vec<Format>,
}

impl RunArgs {
    /// The backends, in the order given.
    ///
    /// # Errors
    /// A name that is not known, or given twice.
    pub fn backends(&self) -> Result<Vec<Backend>, Failure> {
        let names = match self.on.as_slice() {
            [] => ["model", "interpret"].map(String::from).to_vec(),
            names => names.to_vec(),
        };
        let mut backends: Vec<Backend> = Vec::new();
        for name in &names {
            let backend = name.parse().map_err(Failure::Input)?;
            if backends.contains(&backend) {
                return Err(Failure::SubjectTwice { name: name.clone() });
            }
            backends.push(backend);
        }
        Ok(backends)
    }

    /// How programs are run.
    ///
    /// # Errors
    /// An architecture, version or fault that is not known.
    pub fn settings(&self) -> Result<Settings, Failure> {
        Ok(Settings {
            arch: self.arch.parse().map_err(Failure::Input)?,
            version: version(&self.driver)?,
            fault: self
                .fault
                .as_deref()
                .map(str::parse)
                .transpose()
                .map_err(Failure::Input)?,
            limits: Limits {
                bytes: self.budget_bytes,
                time: Duration::from_secs(self.budget_seconds),
                looks: self.looks,
                ..Limits::default()
            },
            disturbing: self.allow_disturbing,
            any_driver: self.any_driver,
            dry: self.dry_run,
        })
    }
}

/// Options of `udma conform`.
#[derive(Args, Clone, Debug)]
pub struct ConformArgs {
    /// The archive.
    #[arg(long, value_name = "FILE", default_value = "conform.json")]
    pub archive: PathBuf,
    /// Random programs that are made and run after the files.
    #[arg(long, value_name = "NUMBER", default_value_t = 200)]
    pub generated: u64,
    /// As for `udma run`.
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Subcommand)]
enum ReportCommand {
    /// What got worse from one archive or report to another. Exit 1 where a rule did, or is no
    /// longer run.
    Diff {
        /// The earlier one.
        #[arg(value_name = "OLD")]
        old: PathBuf,
        /// The later one.
        #[arg(value_name = "NEW")]
        new: PathBuf,
    },
    /// Join the parts of a run (`udma check --shard`) to its report: all of them, in any order.
    /// Exit 1 where something did not hold.
    Merge {
        /// Folders that the parts were written into, or their shard.json.
        #[arg(value_name = "PART", required = true)]
        parts: Vec<PathBuf>,
        /// Write the report into this folder, in every form.
        #[arg(short, long, value_name = "DIR")]
        output: PathBuf,
    },
}

/// A part of a run, `2/5`.
fn shard(text: &str) -> Result<Shard, String> {
    let parse = |number: &str| number.parse::<u64>().ok();
    let parts = text
        .split_once('/')
        .and_then(|(index, of)| Some((parse(index)?, parse(of)?)));
    match parts {
        Some((index, of)) if (1..=of).contains(&index) => Ok(Shard { index, of }),
        _ => Err("I/N with I from 1 to N".into()),
    }
}

/// Options of `udma vdev`.
#[derive(Args, Clone, Debug)]
pub struct VdevArgs {
    /// Architecture of the devices.
    #[arg(long, value_name = "v2|v3|v4", default_value = "v3")]
    pub arch: String,
    /// Driver version that is followed.
    #[arg(long, value_name = "VERSION", default_value = "2.26.5.0")]
    pub driver: String,
    /// Devices.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=16))]
    pub devices: u64,
    /// Seed of the engines.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Plant a device fault.
    #[arg(long, value_name = "ID")]
    pub fault: Option<String>,
    /// The program and its arguments.
    #[arg(value_name = "COMMAND", required = true, last = true)]
    pub command: Vec<OsString>,
}

/// A driver version by its name.
///
/// # Errors
/// One that is not known.
pub fn version(name: &str) -> Result<DriverVersion, Failure> {
    // Releases that behave alike are one.
    let stands = driver_number(name).map(driver_name);
    let found = DriverVersion::ALL
        .into_iter()
        .find(|version| Some(version.name()) == stands);
    found.ok_or_else(|| unknown_driver(name))
}

fn unknown_driver(name: &str) -> Failure {
    let known = releases().join(", ");
    Failure::Input(format!("driver version {name:?} is not known: {known}"))
}

/// Options of `udma explain`.
#[derive(Args, Clone, Debug)]
pub struct ExplainArgs {
    /// Descriptors, 32 hex digits each in memory order; `-` reads them from standard input.
    #[arg(value_name = "HEX", required_unless_present = "file")]
    pub hex: Vec<String>,
    /// Read descriptors from a file: hex text, or the raw bytes of a ring.
    #[arg(long, value_name = "FILE", conflicts_with = "hex")]
    pub file: Option<PathBuf>,
    /// How to read them. `auto`: META set is TX meta, a word1 of 0 is RX, anything else TX.
    #[arg(long, value_enum, default_value_t = explain::ViewChoice::Auto)]
    pub view: explain::ViewChoice,
}

/// Options of `udma rules`.
#[derive(Args, Clone, Debug)]
pub struct RulesArgs {
    /// Only this family, such as BLDR.
    #[arg(long)]
    pub family: Option<String>,
    /// Say what breaks when each rule is wrong, too.
    #[arg(long)]
    pub why: bool,
}

#[derive(Subcommand)]
enum VectorsCommand {
    /// List the recorded suites with their numbers of cases.
    List {
        /// Folder of the vectors.
        #[arg(long, value_name = "DIR")]
        corpora: Option<PathBuf>,
    },
    /// Replay vector files, from any place, on any subject.
    Verify(VerifyArgs),
}

/// Options of `udma vectors verify`.
#[derive(Args, Clone, Debug)]
pub struct VerifyArgs {
    /// Vector files, or folders of them.
    #[arg(value_name = "FILE|DIR", required = true)]
    pub paths: Vec<PathBuf>,
    /// Who is asked, within which limits.
    #[command(flatten)]
    pub who: SubjectArgs,
}

/// Options of `udma bench`.
#[derive(Args, Clone, Debug)]
pub struct BenchArgs {
    /// Millions of pairs per measurement.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub millions: u64,
    /// Measure virtual rings instead: append, pack, dump, memory at the cap, cost by size.
    #[arg(long)]
    pub vring: bool,
    /// Draw the cost by size into this file.
    #[arg(long, value_name = "FILE", requires = "vring")]
    pub plot: Option<PathBuf>,
    /// Measure the engine model under the ring cycle instead: its rates, and its memory.
    #[arg(long)]
    pub model: bool,
    /// Measure a virtual device instead: its calls, and a copy of 1 GiB (takes 4 GiB of memory).
    #[arg(long)]
    pub device: bool,
    /// Measure the calls of this device instead; they change nothing.
    #[arg(long, value_name = "/dev/neuronN")]
    pub calls_of: Option<PathBuf>,
    /// Copy so many bytes on the model and print the most memory that took: a child of --model.
    #[arg(long, hide = true, value_name = "BYTES")]
    pub peak_of: Option<u64>,
}

const TRACE_EXAMPLES: &str = "Examples:
  udma trace --size 1000 --chunk 256                    a batch of four pairs and its marker
  udma trace --ring 32 --start 28 --seed 7              across the wrap, another order
  udma trace --kind async --size 4096 --chunk 512 --svg run.svg
  udma trace --size 1073741824 --rows 60                a long one, folded

Exit: 0 all went as it should, 1 it did not, 2 usage or bad input.";

/// Options of `udma trace`.
#[derive(Args, Clone, Debug)]
pub struct TraceArgs {
    /// What is done.
    #[arg(long, value_enum, default_value_t = trace::Operation::Copy)]
    pub kind: trace::Operation,
    /// Architecture.
    #[arg(long, value_enum, default_value_t = trace::Arch::V3)]
    pub arch: trace::Arch,
    /// Driver version: 2.15.9.0, 2.18.20.0, 2.25.4.0, 2.26.5.0 or 2.27.4.0.
    #[arg(long, default_value = "2.26.5.0")]
    pub driver: String,
    /// Bytes. 0 copies and fills 65536 (BTCH-6).
    #[arg(long, default_value_t = 4096)]
    pub size: u64,
    /// Descriptors of each ring: a power of two from 32 to 65536.
    #[arg(long, default_value_t = 64)]
    pub ring: u32,
    /// Slots that were used before, up to four laps.
    #[arg(long, default_value_t = 0)]
    pub start: u32,
    /// Seed of the engine's choices; equal seeds give equal bytes.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Bytes of a data pair.
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=65536))]
    pub chunk: u32,
    /// Data pairs of a batch less one (BTCH-2). Without it: as many as fit the ring, at most 2031.
    #[arg(long)]
    pub threshold: Option<u32>,
    /// Most rows; longer runs are folded.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u16).range(3..))]
    pub rows: u16,
    /// Write the timeline as an SVG document.
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Write the timeline as text.
    #[arg(long, value_name = "FILE")]
    pub text: Option<PathBuf>,
}

/// Options of `udma states`.
#[derive(Args, Clone, Debug)]
pub struct StatesArgs {
    /// What the driver wrongly believes.
    #[arg(long, value_name = "NAME")]
    pub belief: Option<String>,
    /// Batches of one data pair only: done in seconds.
    #[arg(long, conflicts_with = "belief")]
    pub small: bool,
}

/// Options of `udma mutants`.
#[cfg(feature = "mutants")]
#[derive(Args, Clone, Debug)]
pub struct MutantsArgs {
    /// Only these numbers; may be given more than once.
    #[arg(long = "number")]
    pub numbers: Vec<u32>,
    /// Put each to the checks of the families that may be blamed, not to all.
    #[arg(long, conflicts_with_all = ["each_rule", "matrix"])]
    pub families: bool,
    /// Try each rule by itself: its checks alone must catch one of its beliefs.
    #[arg(long, conflicts_with = "matrix")]
    pub each_rule: bool,
    /// Put each to every suite that may catch it, by itself, and write the table to this file.
    #[arg(long, value_name = "FILE")]
    pub matrix: Option<PathBuf>,
    /// Write the input that tells each, as it was found and made smaller, to this file, a line each.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["each_rule", "matrix", "rarity", "fuzz"])]
    pub inputs: Option<PathBuf>,
    /// Measure how often each is wrong on inputs without a preference, so many of each kind.
    #[arg(long, value_name = "INPUTS", conflicts_with_all = ["each_rule", "matrix", "families", "fuzz"])]
    pub rarity: Option<u64>,
    /// Put each of the builders, cursors and virtual rings to the fuzzers of this folder, which hold
    /// the planted beliefs (docs/fuzzing.md), each from an empty corpus.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["families", "each_rule", "matrix"])]
    pub fuzz: Option<PathBuf>,
    /// Folder of the vectors.
    #[arg(long, value_name = "DIR")]
    pub corpora: Option<PathBuf>,
}

impl Colour {
    fn style(self) -> Style {
        let plain = std::env::var_os("NO_COLOR").is_some() || !std::io::stdout().is_terminal();
        match self {
            Self::Always => Style::Colour,
            Self::Auto if !plain => Style::Colour,
            _ => Style::Plain,
        }
    }
}

/// Carries out the command.
///
/// # Errors
/// See [`Failure`].
pub fn run(cli: Cli) -> Result<ExitCode, Failure> {
    let style = cli.colour.style();
    match cli.command {
        Command::Check(args) => check::run(&args, style),
        Command::Explain(args) => explain::run(&args),
        Command::Rules(args) => rules::run(&args),
        Command::Vectors(VectorsCommand::List { corpora }) => vectors::list(corpora.as_deref()),
        Command::Vectors(VectorsCommand::Verify(args)) => vectors::verify(&args, style),
        Command::Vring(command) => vring::run(&command),
        Command::Bench(args) if args.vring => vring_bench::run(&args),
        Command::Bench(args) => match (args.peak_of, &args.calls_of) {
            (Some(bytes), _) => bench_model::peak_of(bytes),
            (_, Some(path)) => bench_device::calls_of(path),
            _ if args.model => bench_model::run(),
            _ if args.device => bench_device::run(),
            _ => bench::run(&args),
        },
        Command::States(args) => states::run(&args),
        Command::Trace(args) => trace::run(&args),
        Command::Prove(args) => prove::run(&args),
        Command::Run(args) => run_programs(&args, style),
        Command::Conform(args) => conform::run(&args, style),
        Command::Report(ReportCommand::Diff { old, new }) => conform::diff(&old, &new),
        Command::Report(ReportCommand::Merge { parts, output }) => {
            check::join(&parts, &output, style)
        }
        Command::Campaign(args) => campaign::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Seeds { folder, corpora } => seeds::run(folder, corpora.as_deref()),
        Command::Vdev(args) => vdev(&args),
        Command::Programs { folder } => write_corpus(&folder),
        #[cfg(feature = "mutants")]
        Command::Mutants(args) => crate::mutants::run(&args),
        Command::Serve {
            subject,
            known_libraries,
            by_access,
        } => crate::remote::serve(&subject, known_libraries.as_deref(), by_access),
        Command::BuildOracle { manifest } => crate::build_oracle::run(&manifest),
        Command::Completions { shell } => {
            clap_complete::generate(shell, &mut Cli::command(), "udma", &mut std::io::stdout());
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Carries out `udma vdev`.
fn vdev(args: &VdevArgs) -> Result<ExitCode, Failure> {
    let config = BoardConfig {
        arch: args.arch.parse().map_err(Failure::Input)?,
        version: version(&args.driver)?,
        devices: args.devices as usize,
        schedule: Schedule::Seeded(args.seed),
        fault: args
            .fault
            .as_deref()
            .map(str::parse)
            .transpose()
            .map_err(Failure::Input)?,
    };
    let (name, rest) = args.command.split_first().expect("clap requires a command");
    let mut command = std::process::Command::new(name);
    command.args(rest);
    let mut log = |line: &str| eprintln!("udma vdev: {line}");
    let ran = supervisor::run(config, &mut command, &mut log);
    let (status, _) =
        ran.map_err(|error| Failure::Input(format!("{}: {error}", name.to_string_lossy())))?;
    Ok(ExitCode::from(supervisor::exit_code(status)))
}

/// Prints to standard output; a closed pipe ends the command without a panic.
///
/// # Errors
/// [`Failure::Output`].
pub fn print(text: &str) -> Result<(), Failure> {
    use std::io::Write as _;
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(Failure::Output)
}
