//! `udma build-oracle`: C sources of the user's own and an adapter to the C ABI, compiled into a library.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use object::{Object, ObjectSymbol};
use serde::Deserialize;
use udma_reference::Api;
use udma_reference::headers::{KSHIM, KSHIM_SOURCE, ORACLE};

use crate::cli::print;
use crate::failure::{DIED, Failure};

/// What is compiled, and into what. Paths are those from the manifest's folder.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    /// The library.
    output: PathBuf,
    /// C files.
    sources: Vec<PathBuf>,
    /// Folders of headers.
    #[serde(default)]
    include: Vec<PathBuf>,
    /// `NAME` or `NAME=VALUE`.
    #[serde(default)]
    defines: Vec<String>,
    /// Stand-ins for the kernel's headers.
    #[serde(default)]
    kshim: bool,
}

/// Prefix of the functions of the C ABI.
const PREFIX: &str = "udma_";

/// Compiles what a manifest lists. The library appears under its name when it is whole, and not before.
///
/// # Errors
/// The manifest or a source cannot be read, is wrong, or does not compile.
pub fn run(file: &Path) -> Result<ExitCode, Failure> {
    let wrong = |why: String| Failure::Input(format!("{}: {why}", file.display()));
    let text = std::fs::read_to_string(file).map_err(Failure::file(file))?;
    let manifest: Manifest =
        toml::from_str(&text).map_err(|error| wrong(error.to_string().trim_end().into()))?;
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    manifest.check(folder).map_err(wrong)?;
    let output = folder.join(&manifest.output);
    let beside = output.parent().unwrap_or(folder);
    let scratch = tempfile::Builder::new()
        .prefix(".udma-build-")
        .tempdir_in(beside)
        .map_err(Failure::file(beside))?;
    let scratch_path = scratch
        .path()
        .canonicalize()
        .map_err(Failure::file(scratch.path()))?;
    let built = scratch_path.join("library.so");
    let command = manifest.command(folder, &scratch_path, &built)?;
    if let Some(code) = compile(command, file)? {
        return Ok(code);
    }
    let exported = exported(&built).map_err(wrong)?;
    let offered = offered(&exported).map_err(wrong)?;
    std::fs::rename(&built, &output).map_err(Failure::file(&output))?;
    print(&format!(
        "{}: {} of {} functions of the C ABI: {}\ntry: udma check --subject lib:{}\n",
        output.display(),
        offered.len(),
        Api::NAMES.len(),
        offered.join(", "),
        output.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}

impl Manifest {
    /// Everything that can be told without a compiler.
    fn check(&self, folder: &Path) -> Result<(), String> {
        if self.sources.is_empty() {
            return Err("field \"sources\" is empty: a C file or more".into());
        }
        for source in &self.sources {
            if !folder.join(source).is_file() {
                return Err(format!(
                    "source {:?}: there is no such file",
                    source.display()
                ));
            }
        }
        for include in &self.include {
            if !folder.join(include).is_dir() {
                return Err(format!(
                    "include {:?}: there is no such folder",
                    include.display()
                ));
            }
        }
        for define in &self.defines {
            let name = define.split('=').next().unwrap_or_default();
            let mut letters = name.chars();
            let starts = letters
                .next()
                .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
            if !starts || !letters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
                return Err(format!("define {define:?}: NAME or NAME=VALUE"));
            }
        }
        if self.output.file_name().is_none() {
            return Err(format!(
                "output {:?}: the name of a file",
                self.output.display()
            ));
        }
        let beside = folder.join(&self.output);
        if !beside.parent().is_some_and(Path::is_dir) {
            return Err(format!(
                "output {:?}: there is no such folder",
                self.output.display()
            ));
        }
        Ok(())
    }

    /// The compiler's command, run in the manifest's folder so that its messages name files as the manifest does.
    fn command(&self, folder: &Path, scratch: &Path, built: &Path) -> Result<Command, Failure> {
        let headers = scratch.join("include");
        let stand_ins = if self.kshim { &KSHIM[..] } else { &[] };
        for (name, text) in [ORACLE].iter().chain(stand_ins) {
            write(&headers.join(name), text)?;
        }
        let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        let mut command = Command::new(compiler);
        command
            .current_dir(folder)
            .args(["-std=gnu11", "-O2", "-g", "-Wall", "-fPIC", "-shared"])
            // A function that is nowhere is told here, not when the library is loaded.
            .arg("-Wl,-z,defs")
            .args(self.defines.iter().map(|define| format!("-D{define}")));
        for include in &self.include {
            let mut option = OsString::from("-I");
            option.push(include);
            command.arg(option);
        }
        command.arg("-I").arg(&headers);
        command.args(
            self.sources
                .iter()
                .map(|source| Path::new(".").join(source)),
        );
        if self.kshim {
            let source = scratch.join(KSHIM_SOURCE.0);
            write(&source, KSHIM_SOURCE.1)?;
            command.arg(source);
        }
        command.arg("-o").arg(built).stdin(Stdio::null());
        Ok(command)
    }
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    let failed = Failure::file(file);
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(file, text).map_err(failed)
}

/// Runs the compiler; gives an exit code where there is none to run.
fn compile(mut command: Command, manifest: &Path) -> Result<Option<ExitCode>, Failure> {
    let compiler = command.get_program().to_string_lossy().into_owned();
    let out = match command.output() {
        Ok(out) => out,
        Err(error) => {
            anstream::eprintln!("udma: the compiler {compiler:?} cannot be run: {error}");
            return Ok(Some(ExitCode::from(DIED)));
        }
    };
    let said = String::from_utf8_lossy(&out.stderr);
    if out.status.success() {
        // Warnings.
        eprint!("{said}");
        return Ok(None);
    }
    Err(Failure::Input(format!(
        "{}: it does not compile ({compiler}, {}):\n{}",
        manifest.display(),
        out.status,
        said.trim_end()
    )))
}

/// Names that a library exports.
fn exported(library: &Path) -> Result<Vec<String>, String> {
    let bytes = std::fs::read(library).map_err(|error| error.to_string())?;
    let file = object::File::parse(&*bytes).map_err(|error| error.to_string())?;
    let names = file
        .dynamic_symbols()
        .filter(|symbol| !symbol.is_undefined())
        .filter_map(|symbol| symbol.name().ok().map(str::to_string));
    Ok(names.collect())
}

/// Functions of the C ABI among the names, without prefix, in the order of the header.
fn offered(exported: &[String]) -> Result<Vec<&'static str>, String> {
    for name in exported {
        if let Some(bare) = name.strip_prefix(PREFIX)
            && !Api::NAMES.contains(&bare)
        {
            anstream::eprintln!("udma: {name} is exported, but is no function of the C ABI");
        }
    }
    let has = |name: &&&str| {
        exported
            .iter()
            .any(|known| known.strip_prefix(PREFIX) == Some(**name))
    };
    let offered: Vec<&str> = Api::NAMES.iter().filter(has).copied().collect();
    if !offered.contains(&"info") {
        return Err("the adapter exports no udma_info: the library does not say what it is".into());
    }
    Ok(offered)
}
