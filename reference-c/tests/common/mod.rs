//! The C lines compiled by hand, with the compilers that are there.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A C line: its folder, the prefix of its functions, and its line's include folders.
pub struct CLine {
    pub folder: &'static str,
    pub prefix: &'static str,
    pub includes: &'static [&'static str],
}

pub const LINES: [CLine; 2] = [
    CLine {
        folder: "hal",
        prefix: "udma_hal_",
        includes: &["include"],
    },
    CLine {
        folder: "kernel",
        prefix: "udma_kernel_",
        includes: &["include", "kshim"],
    },
];

/// The compilers that both lines are held against. A missing one is a failure under CI=true.
#[allow(dead_code)] // one of the tests that share this file asks
pub fn compilers() -> Vec<&'static str> {
    ["gcc", "clang"]
        .into_iter()
        .filter(|compiler| {
            let found = Command::new(compiler).arg("--version").output().is_ok();
            if !found {
                assert!(
                    std::env::var_os("CI").is_none_or(|ci| ci != "true"),
                    "{compiler} is missing, and a skipped test fails under CI=true"
                );
                eprintln!("skipped: {compiler} is not installed");
            }
            found
        })
        .collect()
}

/// The C files of a folder of the package, in order.
pub fn c_files(folder: &str) -> Vec<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&path)
        .unwrap_or_else(|error| panic!("{folder}: {error}"))
        .map(|entry| entry.expect("folder entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{folder} holds no C");
    files
}

impl CLine {
    /// The C files.
    pub fn sources(&self) -> Vec<PathBuf> {
        c_files(self.folder)
    }

    /// A compiler's command with the line's prefix and include folders.
    pub fn command(&self, compiler: &str) -> Command {
        let mut command = Command::new(compiler);
        command
            .arg("-std=c11")
            .arg(format!("-DUDMA_PREFIX={}", self.prefix));
        for include in self.includes {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(include);
            command.arg("-I").arg(folder);
        }
        command
    }
}

/// Runs a command; its standard error where it failed.
pub fn run(command: &mut Command) -> Result<String, String> {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        Ok(text(&output.stdout))
    } else {
        Err(format!("{}\n{}", output.status, text(&output.stderr)))
    }
}
