//! Subjects in a process of their own: libraries that export the C ABI, loaded by a child of the
//! suite, and commands that speak the protocol of `docs/protocol.md` on standard input and output. One
//! that crashes or hangs is a finding with the case that it died of; the run goes on with a fresh one.

pub mod access;
pub mod call;
mod client;
mod client_engine;
mod client_ops;
mod client_steps;
pub mod frame;
mod outside;
mod process;
mod serve;
mod serve_steps;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use udma_oracle::line::Line;
use udma_oracle::subject::Subject;
use udma_oracle::subjects::{Library, built_in};
use udma_reference::Api;
use udma_reference::abi::{UDMA_LINE_HAL, UDMA_LINE_KERNEL};

pub use client::Remote;
pub use process::Limits;

use crate::failure::{BAD_INPUT, Failure};
use crate::libnrt::Libnrt;
use outside::Pipes;

/// Prefix of a library's name.
const LIBRARY: &str = "lib:";
/// Prefix of a command's name.
const COMMAND: &str = "cmd:";

/// Prefix of the name of a user's libnrt.
const LIBNRT: &str = "libnrt:";

/// How subjects in processes of their own are run.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// What each may use.
    pub limits: Limits,
    /// The user's own table of libraries.
    pub known: Option<PathBuf>,
}

/// The subject of a name.
///
/// # Errors
/// A name that is not known, a library or command that cannot be used.
pub fn subject(name: &str, settings: &Settings) -> Result<Box<dyn Subject>, Failure> {
    let failed = |why: String| Failure::Input(format!("subject {name:?}: {why}"));
    let file = name
        .strip_prefix(LIBRARY)
        .or_else(|| name.strip_prefix(LIBNRT));
    let start: client::Start = if let Some(path) = file {
        let file = Path::new(path);
        std::fs::metadata(file).map_err(Failure::file(file))?;
        let suite = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
        let (name, known) = (name.to_string(), settings.known.clone());
        Box::new(move || {
            let mut command = Command::new(&suite);
            command.args(["serve", &name]);
            if let Some(known) = &known {
                command.arg("--known-libraries").arg(known);
            }
            command
        })
    } else if let Some(line) = name.strip_prefix(COMMAND) {
        let line = line.to_string();
        Box::new(move || {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("exec {line}")]);
            command
        })
    } else {
        return Err(Failure::Subject { name: name.into() });
    };
    let remote = Remote::start(name.into(), start, settings.limits).map_err(failed)?;
    Ok(Box::new(remote))
}

/// Serves a library or a built-in subject on standard input and output: what runs in the child.
///
/// # Errors
/// A broken pipe, or a subject that cannot be served: the suite is told too.
pub fn serve(name: &str, known: Option<&Path>, by_access: bool) -> Result<ExitCode, Failure> {
    // What the subject prints must not get between the answers.
    let output = rustix::io::dup(std::io::stdout())
        .and_then(|output| rustix::stdio::dup2_stdout(std::io::stderr()).map(|()| output))
        .map_err(|error| Failure::Output(error.into()))?;
    let mut pipes = Pipes {
        input: Box::new(std::io::stdin().lock()),
        output: Box::new(std::fs::File::from(output)),
    };
    let subject: Result<Box<dyn Subject>, String> = if let Some(path) = name.strip_prefix(LIBRARY) {
        load(path).map(|library| Box::new(library) as Box<dyn Subject>)
    } else if let Some(path) = name.strip_prefix(LIBNRT) {
        Libnrt::load(Path::new(path), known).map(|library| Box::new(library) as Box<dyn Subject>)
    } else {
        built_in(name).ok_or_else(|| format!("{name:?} is not known"))
    };
    let subject = match subject {
        Ok(subject) => subject,
        Err(error) => {
            // After the suite's greeting: it listens from then on.
            pipes.receive().map_err(Failure::Output)?;
            let refusal = serde_json::json!({ "error": error }).to_string();
            pipes.send(refusal.as_bytes()).map_err(Failure::Output)?;
            return Ok(ExitCode::from(BAD_INPUT));
        }
    };
    serve::serve(subject.as_ref(), pipes, by_access).map_err(Failure::Output)?;
    Ok(ExitCode::SUCCESS)
}

/// A library that exports the C ABI.
fn load(path: &str) -> Result<Library, String> {
    // SAFETY: the process exists to run this library; whatever its initialisers do, they do here.
    let library = unsafe { libloading::Library::new(path) }.map_err(|error| error.to_string())?;
    // Loaded until the process ends, and so is every function of the table.
    let library: &'static libloading::Library = Box::leak(Box::new(library));
    // SAFETY: a library that exports these names claims to be one of the header's; one that is not
    // can harm this process alone.
    let (api, info) = unsafe { Api::load(library) }.map_err(|error| error.to_string())?;
    let line = match info.line {
        UDMA_LINE_KERNEL => Line::Kernel,
        UDMA_LINE_HAL => Line::Hal,
        other => return Err(format!("its line is {other}: 0 or 1")),
    };
    Ok(Library::new(path, line, api))
}
