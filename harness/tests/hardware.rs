//! Runs on real devices. Where there is none every test is *ignored*, so that it is reported as
//! skipped and never as passed. The harness is its own: the standard one cannot decide that at run
//! time.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use udma_harness::run::device::discover;

type Test = fn() -> Result<(), String>;

const TESTS: [(&str, Test); 3] = [
    ("hardware::driver_is_known", driver_is_known),
    ("hardware::programs_hold", programs_hold),
    ("hardware::generated_programs_hold", generated_programs_hold),
];

/// Programs of the corpus: beside the manifest, or where `UDMA_PROGRAMS` says.
fn programs() -> PathBuf {
    let given = std::env::var_os("UDMA_PROGRAMS").map(PathBuf::from);
    given.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../corpora/programs"))
}

fn udma(args: &[&str]) -> Result<(), String> {
    // An archive of nextest puts the command elsewhere.
    let command =
        std::env::var("NEXTEST_BIN_EXE_udma").unwrap_or(env!("CARGO_BIN_EXE_udma").into());
    let output = Command::new(command)
        .args(args)
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    Err(format!("{}\n{text}\n{errors}", output.status))
}

fn driver_is_known() -> Result<(), String> {
    udma_harness::run::device::check_version()
}

fn programs_hold() -> Result<(), String> {
    let programs = programs();
    let folder = programs.to_string_lossy();
    for device in discover() {
        udma(&[
            "run",
            &folder,
            "--on",
            &device.to_string_lossy(),
            "--repeat",
            "3",
        ])?;
    }
    Ok(())
}

fn generated_programs_hold() -> Result<(), String> {
    for device in discover() {
        let device = device.to_string_lossy();
        udma(&["run", "--generate", "500", "--seed", "3", "--on", &device])?;
    }
    Ok(())
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    let found = !discover().is_empty();
    if has("--list") {
        // Asked for all, or for the ignored ones alone.
        if !has("--ignored") || !found {
            for (name, _) in TESTS {
                println!("{name}: test");
            }
        }
        return ExitCode::SUCCESS;
    }
    let names: Vec<&String> = args.iter().filter(|arg| !arg.starts_with('-')).collect();
    let wanted = |name: &str| {
        let fits = |given: &&String| {
            name == given.as_str() || !has("--exact") && name.contains(given.as_str())
        };
        names.is_empty() || names.iter().any(fits)
    };
    let runs = found || has("--ignored") || has("--include-ignored");
    let mut failed = 0;
    for (name, test) in TESTS.into_iter().filter(|(name, _)| wanted(name)) {
        if !runs {
            println!("test {name} ... ignored, there is no /dev/neuronN");
            continue;
        }
        match test() {
            Ok(()) => println!("test {name} ... ok"),
            Err(error) => {
                println!("test {name} ... FAILED\n{error}");
                failed += 1;
            }
        }
    }
    ExitCode::from(u8::from(failed > 0))
}
