//! `udma prove`: two compiled libraries are equal for every input, or an input that differs.
//!
//! The proofs themselves are `harness/proofs`, in Python; what they run on and in is made here.

mod environment;
mod libraries;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libraries::Subject;

use crate::cli::ProveArgs;
use crate::failure::{DIED, Failure};

/// Where the project and what is made for the proofs lie.
struct Places {
    root: PathBuf,
    made: PathBuf,
}

impl Places {
    /// The project around the current folder.
    fn find() -> Result<Self, Failure> {
        let here = std::env::current_dir().map_err(Failure::file(Path::new(".")))?;
        let root = here
            .ancestors()
            .find(|folder| folder.join(REQUIREMENTS).is_file())
            .ok_or_else(|| {
                Failure::Input(format!(
                    "no {REQUIREMENTS} from here upwards: run inside the project"
                ))
            })?
            .to_path_buf();
        let target =
            std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
        let made = root.join(target).join("proofs");
        std::fs::create_dir_all(&made).map_err(Failure::file(&made))?;
        Ok(Self { root, made })
    }

    /// Runs `work` while no other process makes anything here.
    fn alone<T>(&self, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
        let path = self.made.join("lock");
        let failed = Failure::file(&path);
        let file = std::fs::File::create(&path).map_err(failed)?;
        rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive)
            .map_err(|error| failed(error.into()))?;
        work()
    }
}

const REQUIREMENTS: &str = "harness/proofs/requirements.txt";

/// Carries out the command.
///
/// # Errors
/// Bad input; an environment that cannot be made.
pub fn run(args: &ProveArgs) -> Result<ExitCode, Failure> {
    if args.one == args.other {
        return Err(Failure::SubjectTwice {
            name: args.one.clone(),
        });
    }
    let places = Places::find()?;
    let (one, other) = (Subject::parse(&args.one)?, Subject::parse(&args.other)?);
    let (python, one, other) = places.alone(|| {
        let python = environment::python(&places)?;
        Ok((python, one.library(&places)?, other.library(&places)?))
    })?;
    let mut command = Command::new(python);
    command
        .env("PYTHONPYCACHEPREFIX", places.made.join("pycache"))
        .arg(places.root.join("harness/proofs/prove.py"))
        .arg(places.root.join("reference-c/include/udma_oracle.h"))
        .args([Path::new(&args.one), &one, Path::new(&args.other), &other]);
    for operation in &args.operations {
        command.args(["--op", operation]);
    }
    let status = command
        .status()
        .map_err(|error| Failure::Environment(error.to_string()))?;
    Ok(status
        .code()
        .and_then(|code| u8::try_from(code).ok())
        .map_or(ExitCode::from(DIED), ExitCode::from))
}

/// Runs a command to its end without a word; what it said is in the error.
fn quietly(command: &mut Command, what: &str) -> Result<Vec<u8>, Failure> {
    let output = command
        .output()
        .map_err(|error| Failure::Environment(format!("{what}: {error}")))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(Failure::Environment(format!(
        "{what}: {}\n{}",
        output.status,
        said.trim_end()
    )))
}
