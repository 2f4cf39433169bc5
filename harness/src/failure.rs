//! What ends the command without a verdict, and the exit codes.
//!
//! 0: something ran and all of it held. 1: findings. 2: usage, bad input, or nothing ran. 3: a
//! subject died or hung.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Exit code of a run with findings.
pub const FINDINGS: u8 = 1;
/// Exit code of bad input or of a run of nothing.
pub const BAD_INPUT: u8 = 2;
/// Exit code of a run in which a subject died, hung or could not be reached.
pub const DIED: u8 = 3;

/// Why there is no verdict.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// A subject that does not exist.
    #[error(
        "subject {name:?} is not known: {}, lib:PATH, cmd:COMMAND or libnrt:PATH",
        udma_oracle::subjects::BUILT_IN.join(", ")
    )]
    Subject {
        /// The name given.
        name: String,
    },
    /// A subject given twice.
    #[error("subject {name:?} is given twice")]
    SubjectTwice {
        /// The name given.
        name: String,
    },
    /// A suite that does not exist.
    #[error("suite {name:?} is not known: {}", udma_oracle::suite::suites().join(", "))]
    Suite {
        /// The name given.
        name: String,
    },
    /// No folder with vectors.
    #[error(
        "no corpora: {} holds no golden/; run inside the project or give --corpora DIR",
        searched.display()
    )]
    Corpora {
        /// Where the search began.
        searched: PathBuf,
    },
    /// The selection left nothing to run.
    #[error("nothing ran: {0}")]
    Nothing(String),
    /// A rule pattern.
    #[error(transparent)]
    Select(#[from] udma_oracle::catalogue::SelectError),
    /// The run's input or output.
    #[error(transparent)]
    Run(#[from] udma_oracle::run::RunError),
    /// A program file.
    #[error(transparent)]
    Program(#[from] crate::program::read::ProgramError),
    /// A vector file.
    #[error(transparent)]
    Golden(#[from] udma_oracle::golden::GoldenError),
    /// Kept cases.
    #[error(transparent)]
    Regression(#[from] udma_oracle::regressions::RegressionError),
    /// A report or timeline that cannot be written.
    #[error(transparent)]
    Write(#[from] udma_report::writer::WriteError),
    /// A file that cannot be read.
    #[error("{}: {source}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Input that is not what it should be.
    #[error("{0}")]
    Input(String),
    /// Something that the command needs and cannot make.
    #[error("{0}")]
    Environment(String),
    /// Standard output is gone.
    #[error("standard output: {0}")]
    Output(std::io::Error),
}

impl Failure {
    /// What an error of a file's input or output is: a [`Failure::File`].
    pub fn file(file: &Path) -> impl Fn(std::io::Error) -> Self + Copy {
        move |source| Self::File {
            file: file.into(),
            source,
        }
    }

    /// [`BAD_INPUT`]; [`DIED`] where it is not the input's fault.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Environment(_) => DIED,
            _ => BAD_INPUT,
        })
    }
}
