//! Both C lines run clean under the address and undefined-behaviour sanitizers, and those are
//! awake: a planted overflow trips them.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{CLine, LINES, c_files, compilers, run};

/// Compiles a line and the program that drives it.
fn build(line: &CLine, compiler: &str, folder: &Path, define: Option<&str>) -> PathBuf {
    let program = folder.join(format!("{}-{compiler}", line.folder));
    let mut command = line.command(compiler);
    command
        .args(["-g", "-O1", "-fno-omit-frame-pointer"])
        .args(["-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
        .args(define)
        .arg("-DDRIVE_DECLARE")
        .arg(format!("-DDRIVE_PREFIX={}", line.prefix))
        .args(c_files("tests/drive"))
        .args(line.sources())
        .arg("-o")
        .arg(&program);
    run(&mut command).unwrap_or_else(|error| panic!("{compiler}, {}: {error}", line.folder));
    program
}

#[test]
fn both_lines_run_clean() {
    let folder = tempfile::tempdir().expect("a folder");
    for compiler in compilers() {
        for line in &LINES {
            let program = build(line, compiler, folder.path(), None);
            let seen = run(&mut Command::new(program))
                .unwrap_or_else(|error| panic!("{compiler}, {}: {error}", line.folder));
            assert!(seen.starts_with("driven: line "), "{seen}");
        }
    }
}

#[test]
fn a_planted_overflow_is_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    for compiler in compilers() {
        let define = Some("-DUDMA_PLANTED_OVERFLOW");
        let program = build(&LINES[0], compiler, folder.path(), define);
        let error = run(&mut Command::new(program)).expect_err("an overflow");
        assert!(error.contains("AddressSanitizer"), "{compiler}: {error}");
        assert!(
            error.contains("heap-buffer-overflow"),
            "{compiler}: {error}"
        );
    }
}
