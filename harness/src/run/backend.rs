//! What programs run on.

use std::path::Path;
use std::str::FromStr;

use udma::DriverVersion;
use udma_oracle::model::Schedule;

use super::client::{self, Limits};
use super::port::{ModelPort, Port};
use crate::interpret::interpret;
use crate::outcome::Outcome;
use crate::program::{Arch, Program};
use crate::vdev::{BoardConfig, Fault};

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
}

impl FromStr for Backend {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = "model, model:SEED, interpret";
        match name.split_once(':') {
            None if name == "model" => Ok(Self::Model { seed: 1 }),
            None if name == "interpret" => Ok(Self::Interpret),
            Some(("model", seed)) => {
                let seed = seed.parse().map_err(|_| format!("seed {seed:?}: 0 to 2^64-1"))?;
                Ok(Self::Model { seed })
            }
            _ => Err(format!("backend {name:?} is not known: {known}")),
        }
    }
}

impl std::fmt::Display for Backend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Model { seed: 1 } => f.write_str("model"),
            Self::Model { seed } => write!(f, "model:{seed}"),
            Self::Interpret => f.write_str("interpret"),
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
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            arch: Arch::V3,
            version: DriverVersion::default(),
            fault: None,
            limits: Limits::default(),
            disturbing: false,
        }
    }
}

/// What a backend gives: the outcome, and what the device found about the program.
pub type Ran = (Outcome, Vec<(String, String)>);

impl Backend {
    /// Whether it is a device, real or virtual, that others may use too.
    pub fn is_device(&self) -> bool {
        false
    }

    /// Runs a program for the `round`th time.
    ///
    /// # Errors
    /// What kept it from running.
    pub fn run(
        &self,
        program: &Program,
        folder: &Path,
        round: u64,
        settings: &Settings,
    ) -> Result<Ran, String> {
        match self {
            Self::Interpret => {
                let interpretation = interpret(program, settings.arch, folder)?;
                Ok((interpretation.outcome, Vec::new()))
            }
            Self::Model { seed } => {
                let mut port = ModelPort::new(BoardConfig {
                    arch: settings.arch,
                    version: settings.version,
                    devices: 1,
                    schedule: Schedule::Seeded(seed.wrapping_add(round)),
                    fault: settings.fault,
                });
                let outcome = client::run(&mut port, program, folder, settings.limits)?;
                Ok((outcome, port.findings()))
            }
        }
    }
}
