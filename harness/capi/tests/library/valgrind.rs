//! The FFI side under valgrind: a C program that drives the two C lines and this library over edge
//! inputs, and the suites that drive them from Rust.

use std::path::{Path, PathBuf};
use std::process::Command;

fn run(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let seen = text(&output.stdout);
    assert!(
        output.status.success(),
        "{command:?}: {}\n{seen}\n{}",
        output.status,
        text(&output.stderr)
    );
    seen
}

/// Valgrind, whose exit is 9 for any error; a missing one is a failure under CI=true.
fn valgrind() -> Option<Command> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        assert!(
            std::env::var_os("CI").is_none_or(|ci| ci != "true"),
            "valgrind is missing, and a skipped test fails under CI=true"
        );
        eprintln!("skipped: valgrind is not installed");
        return None;
    }
    let mut command = Command::new("valgrind");
    command.args([
        "--quiet",
        "--error-exitcode=9",
        "--leak-check=full",
        "--track-origins=no",
    ]);
    Some(command)
}

fn reference() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference-c")
}

/// The C files of a folder of `reference-c`.
fn c_files(folder: &str) -> Vec<PathBuf> {
    udma_oracle::folder::files(&reference().join(folder), "c").expect("the folder")
}

/// The C program for one library, not yet linked.
fn driver() -> Command {
    let mut command = Command::new("cc");
    command
        .args(["-std=c11", "-g", "-O1", "-I"])
        .arg(reference().join("include"))
        .args(c_files("tests/drive"));
    command
}

fn drive(valgrind: &mut Command, compile: &mut Command, name: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let program = folder.join(format!("drive-{name}"));
    run(compile.arg("-o").arg(&program));
    let seen = run(valgrind.arg(&program));
    assert!(seen.starts_with("driven: line "), "{seen}");
}

// Once is enough: not again with the other line's library.
#[cfg(not(feature = "hal"))]
#[test]
fn the_c_lines_are_clean() {
    for (name, prefix) in [("hal", "udma_hal_"), ("kernel", "udma_kernel_")] {
        let Some(mut valgrind) = valgrind() else {
            return;
        };
        let mut compile = driver();
        compile
            .arg("-DDRIVE_DECLARE")
            .arg(format!("-DDRIVE_PREFIX={prefix}"))
            .arg(format!("-DUDMA_PREFIX={prefix}"))
            .arg("-I")
            .arg(reference().join("kshim"));
        compile.args(c_files(name));
        drive(&mut valgrind, &mut compile, name);
    }
}

#[test]
fn the_exported_library_is_clean() {
    let Some(mut valgrind) = valgrind() else {
        return;
    };
    let library = crate::built();
    let folder = library.parent().expect("its folder");
    let mut compile = driver();
    compile
        .args(["-DDRIVE_PREFIX=udma_", "-DDRIVE_GUARDED"])
        .arg(&library)
        .arg(format!("-Wl,-rpath,{}", folder.display()));
    drive(&mut valgrind, &mut compile, "capi");
}

/// The Rust side of the boundary: every conversion, the hooks, the ring memory.
#[test]
fn the_suites_that_ask_libraries_are_clean() {
    let Some(mut valgrind) = valgrind() else {
        return;
    };
    let tests = std::env::current_exe().expect("the test's executable");
    let seen = run(valgrind
        // Threads that wait for work at the end own memory that looks lost only possibly.
        .arg("--errors-for-leak-kinds=definite,indirect")
        .arg(&tests)
        .args([
            "--exact",
            "--test-threads=1",
            "check::libraries_hold_in_a_small_run",
        ])
        .env("RAYON_NUM_THREADS", "1"));
    assert!(seen.contains("1 passed"), "{seen}");
}
