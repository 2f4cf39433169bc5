//! What programs run on.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::str::FromStr;

use udma::DriverVersion;
use udma_oracle::model::Schedule;
use udma_report::model::Report;

use super::client::{self, Limits};
use super::device::{self, DevicePort, DryPort};
use super::judge::Difference;
use super::port::{ModelPort, Port};
use crate::interpret::interpret;
use crate::outcome::Outcome;
use crate::program::{Arch, Program};
use crate::vdev::{BoardConfig, Fault, supervisor};

/// A backend by its name on the command line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// The weakest engine in this process; a repeated run takes the seeds that follow.
    Model {
        /// First seed.
        seed: u64,
    },
    /// The reference interpreter.
    Interpret,
    /// A virtual device behind real system calls, in a process of its own.
    Vdev {
        /// First seed.
        seed: u64,
    },
    /// A device file.
    Device {
        /// The file.
        path: PathBuf,
    },
}

const KNOWN: &str = "model, model:SEED, interpret, vdev, vdev:SEED, device, /dev/neuronN";

impl FromStr for Backend {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if name.starts_with('/') {
            return Ok(Self::Device { path: name.into() });
        }
        let (kind, seed) = match name.split_once(':') {
            None => (name, 1),
            Some((kind, seed)) => {
                let number = seed.parse();
                (
                    kind,
                    number.map_err(|_| format!("seed {seed:?}: 0 to 2^64-1"))?,
                )
            }
        };
        match kind {
            "model" => Ok(Self::Model { seed }),
            "vdev" => Ok(Self::Vdev { seed }),
            "interpret" if kind == name => Ok(Self::Interpret),
            "device" if kind == name => match device::discover().into_iter().next() {
                Some(path) => Ok(Self::Device { path }),
                None => Err("no device: there is no /dev/neuronN".into()),
            },
            _ => Err(format!("backend {name:?} is not known: {KNOWN}")),
        }
    }
}

impl std::fmt::Display for Backend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Model { seed: 1 } => f.write_str("model"),
            Self::Model { seed } => write!(f, "model:{seed}"),
            Self::Vdev { seed: 1 } => f.write_str("vdev"),
            Self::Vdev { seed } => write!(f, "vdev:{seed}"),
            Self::Interpret => f.write_str("interpret"),
            Self::Device { path } => write!(f, "{}", path.display()),
        }
    }
}

/// How programs are run.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Architecture of models.
    pub arch: Arch,
    /// Driver version of models.
    pub version: DriverVersion,
    /// Fault planted in models.
    pub fault: Option<Fault>,
    /// Limits of one program.
    pub limits: Limits,
    /// Whether programs that may disturb a device are run on one.
    pub disturbing: bool,
    /// Whether a driver of any version is used.
    pub any_driver: bool,
    /// Whether calls of a device are only said.
    pub dry: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            arch: Arch::V3,
            version: DriverVersion::default(),
            fault: None,
            limits: Limits::default(),
            disturbing: false,
            any_driver: false,
            dry: false,
        }
    }
}

/// What a backend gives.
#[derive(Clone, Debug)]
pub enum Ran {
    /// The outcome, and what the device found about the program.
    Outcome(Outcome, Vec<(String, String)>),
    /// Another process has judged: what it found, and which of the outcomes it was otherwise.
    Judged(Vec<Difference>),
}

/// A program as it lies in a file.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its file.
    pub file: &'a Path,
    /// The folder that fill files lie in.
    pub folder: &'a Path,
}

impl Settings {
    fn board(&self, seed: u64) -> BoardConfig {
        BoardConfig {
            arch: self.arch,
            version: self.version,
            devices: 1,
            schedule: Schedule::Seeded(seed),
            fault: self.fault,
        }
    }
}

impl Backend {
    /// Whether it is a device that others may use too.
    pub fn is_device(&self) -> bool {
        matches!(self, Self::Device { .. })
    }

    /// Architecture: as set, or as a device says.
    ///
    /// # Errors
    /// A device that cannot be asked, or a driver whose calls are not known.
    pub fn arch(&self, settings: &Settings) -> Result<Arch, String> {
        let Self::Device { path } = self else {
            return Ok(settings.arch);
        };
        if settings.dry {
            return Ok(settings.arch);
        }
        if !settings.any_driver {
            device::check_version()?;
        }
        let mut port = DevicePort::new(path, settings.limits.looks);
        port.open()?;
        let arch = client::architecture(&mut port);
        port.close();
        arch
    }

    /// Runs a program for the `round`th time. Lines of a dry run go to standard output.
    ///
    /// # Errors
    /// What kept it from running.
    pub fn run(&self, source: Source, round: u64, settings: &Settings) -> Result<Ran, String> {
        let Source {
            program, folder, ..
        } = source;
        match self {
            Self::Interpret => {
                let interpretation = interpret(program, settings.arch, folder)?;
                Ok(Ran::Outcome(interpretation.outcome, Vec::new()))
            }
            Self::Model { seed } => {
                let mut port = ModelPort::new(settings.board(seed.wrapping_add(round)));
                let outcome = client::run(&mut port, program, folder, settings.limits)?;
                Ok(Ran::Outcome(outcome, port.findings()))
            }
            Self::Device { path } if settings.dry => {
                let mut port = DryPort::new(path, ModelPort::new(settings.board(round)));
                let ran = client::run(&mut port, program, folder, settings.limits);
                for line in port.lines() {
                    println!("{line}");
                }
                Ok(Ran::Outcome(ran?, Vec::new()))
            }
            Self::Device { path } => {
                let mut port = DevicePort::new(path, settings.limits.looks);
                let outcome = client::run(&mut port, program, folder, settings.limits)?;
                Ok(Ran::Outcome(outcome, Vec::new()))
            }
            Self::Vdev { seed } => virtually(source, settings, seed.wrapping_add(round)),
        }
    }
}

/// Runs a program in a process of its own under the supervisor, on `/dev/neuron0` there.
fn virtually(source: Source, settings: &Settings, seed: u64) -> Result<Ran, String> {
    let say = |error: std::io::Error| format!("virtual device: {error}");
    let folder = tempfile::tempdir().map_err(say)?;
    let this = std::env::current_exe().map_err(say)?;
    let mut command = Command::new(this);
    command
        .arg("run")
        .arg(source.file)
        .args(["--on", "/dev/neuron0", "--allow-disturbing", "--any-driver"])
        .arg("--budget-bytes")
        .arg(settings.limits.bytes.to_string())
        .arg("--looks")
        .arg(settings.limits.looks.to_string())
        .arg("--budget-seconds")
        .arg(settings.limits.time.as_secs().to_string())
        .arg("--report")
        .arg(folder.path())
        .args(["--format", "json"])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped());
    let mut log = |_: &str| {};
    let (status, board) =
        supervisor::run(settings.board(seed), &mut command, &mut log).map_err(say)?;
    let text = std::fs::read_to_string(folder.path().join("report.json"));
    let report: Option<Report> = text.ok().and_then(|text| serde_json::from_str(&text).ok());
    let Some(report) = report.filter(|report| report.complete && status.code() != Some(3)) else {
        return Err(format!("the program's own process ended with {status}"));
    };
    let mut found: Vec<Difference> = report
        .findings
        .into_iter()
        .map(|finding| Difference {
            step: None,
            rule: finding.rule,
            summary: finding.summary,
            expected: finding.expected,
            actual: finding.actual,
            descriptors: finding.descriptors,
        })
        .collect();
    if board.open_files() > 0 || board.allocations() > 0 {
        let what = format!(
            "{} files and {} allocations",
            board.open_files(),
            board.allocations()
        );
        let expected = settings.fault == Some(Fault::MemoryLeft);
        if !expected {
            found.push(Difference {
                step: None,
                rule: "DEV-20".into(),
                summary: format!("after the last process ended: {what} are left"),
                expected: vec!["nothing is left".into()],
                actual: vec![what],
                descriptors: Vec::new(),
            });
        }
    }
    Ok(Ran::Judged(found))
}
