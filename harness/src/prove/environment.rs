//! Python with angr, in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Places, REQUIREMENTS, quietly};
use crate::failure::Failure;

/// The interpreter; the environment is made where it is missing or holds other versions.
pub fn python(places: &Places) -> Result<PathBuf, Failure> {
    let (folder, requirements) = (places.made.join("venv"), places.root.join(REQUIREMENTS));
    let wanted = read(&requirements)?;
    let python = folder.join("bin/python");
    // Written last, so that a half-made environment is made again.
    let holds = folder.join("installed.txt");
    if read(&holds).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    eprintln!(
        "udma prove: installing angr into {}, once",
        folder.display()
    );
    let system = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let mut make = Command::new(system);
    make.args(["-m", "venv", "--clear"]).arg(&folder);
    quietly(
        &mut make,
        "a virtual environment (python3, 3.10 or later, with venv)",
    )?;
    // Without compiling: most modules are never loaded.
    let mut install = Command::new(&python);
    install
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ])
        .args(["--no-compile", "--no-deps", "--requirement"])
        .arg(&requirements);
    quietly(&mut install, "installing the packages of harness/proofs")?;
    std::fs::write(&holds, wanted).map_err(Failure::file(&holds))?;
    Ok(python)
}

fn read(file: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(file).map_err(Failure::file(file))
}
