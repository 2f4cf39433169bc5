//! The compiled libraries of the subjects.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Places, quietly};
use crate::failure::Failure;

/// Whose compiled functions are looked at.
pub enum Subject {
    /// A library of the Rust implementation: its name, its package.
    Rust(&'static str, &'static str),
    /// A C line: its name, its folder, its include folders.
    C(&'static str, &'static str, &'static [&'static str]),
    /// A file.
    File(PathBuf),
}

impl Subject {
    /// A subject by its name.
    ///
    /// # Errors
    /// One that is not known or is no compiled library; a file that is not there.
    pub fn parse(name: &str) -> Result<Self, Failure> {
        Ok(match name {
            "rust-kernel" => Self::Rust("rust-kernel", "udma-capi"),
            "rust-hal" => Self::Rust("rust-hal", "udma-capi-hal"),
            "c-kernel" => Self::C("c-kernel", "kernel", &["kshim", "include"]),
            "c-hal" => Self::C("c-hal", "hal", &["include"]),
            _ => match name.strip_prefix("lib:") {
                Some(path) => {
                    let found = std::fs::canonicalize(path);
                    Self::File(found.map_err(Failure::file(Path::new(path)))?)
                }
                None => {
                    return Err(Failure::Input(format!(
                        "{name:?} is no compiled subject: rust-kernel, c-kernel, rust-hal, c-hal or lib:PATH"
                    )));
                }
            },
        })
    }

    /// Its shared object, built anew where it is built here.
    pub fn library(&self, places: &Places) -> Result<PathBuf, Failure> {
        match self {
            Self::Rust(name, package) => rust(places, name, package),
            Self::C(name, line, includes) => c(places, name, line, includes),
            Self::File(path) => Ok(path.clone()),
        }
    }
}

/// A library of `harness/capi`, as it is shipped.
fn rust(places: &Places, subject: &str, package: &str) -> Result<PathBuf, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build
        .current_dir(&places.root)
        .args(["build", "--quiet", "--release", "--package", package])
        .args(["--message-format", "json"]);
    let messages = quietly(&mut build, &format!("cargo build of {package}"))?;
    let target = package.replace('-', "_");
    let built = String::from_utf8_lossy(&messages)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == target.as_str())
        .flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default())
        .filter_map(|file| file.as_str().map(PathBuf::from))
        .find(|file| file.extension().is_some_and(|extension| extension == "so"))
        .ok_or_else(|| {
            Failure::Environment(format!("cargo names no shared object of {package}"))
        })?;
    replaced(places, subject, |file| {
        std::fs::copy(&built, file)
            .map(|_| ())
            .map_err(Failure::file(&built))
    })
}

/// A C line, as `reference-c/build.rs` compiles it, under the plain prefix.
fn c(places: &Places, subject: &str, line: &str, includes: &[&str]) -> Result<PathBuf, Failure> {
    let folder = places.root.join("reference-c");
    let line = folder.join(line);
    let sources = udma_oracle::folder::files(&line, "c").map_err(Failure::file(&line))?;
    replaced(places, subject, |file| {
        let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        let mut compile = Command::new(compiler);
        compile
            .args(["-std=c11", "-O2", "-fPIC", "-shared", "-o"])
            .arg(file);
        for include in includes {
            compile.arg("-I").arg(folder.join(include));
        }
        compile.args(&sources);
        quietly(&mut compile, &format!("cc of {subject}")).map(|_| ())
    })
}

/// Makes a library beside and puts it into its place: another run may be at work on the old one.
fn replaced(
    places: &Places,
    subject: &str,
    make: impl FnOnce(&Path) -> Result<(), Failure>,
) -> Result<PathBuf, Failure> {
    let (file, new) = (
        places.made.join(format!("lib{subject}.so")),
        places.made.join(format!("lib{subject}.new")),
    );
    make(&new)?;
    std::fs::rename(&new, &file).map_err(Failure::file(&file))?;
    Ok(file)
}
