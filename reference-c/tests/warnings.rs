//! Both C lines compile without a warning, in ordinary builds and with the planted beliefs.

mod common;

use common::{LINES, compilers, run};

const WARNINGS: [&str; 8] = [
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wshadow",
    "-Wconversion",
    "-Wstrict-prototypes",
    "-Wmissing-prototypes",
    "-Werror",
];

#[test]
fn no_compiler_warns() {
    let folder = tempfile::tempdir().expect("a folder");
    for compiler in compilers() {
        for line in &LINES {
            for define in [None, Some("-DUDMA_MUTANTS")] {
                // One command for all files, their objects in a folder of their own.
                let mut command = line.command(compiler);
                command
                    .current_dir(folder.path())
                    .args(WARNINGS)
                    // Some warnings come of what the optimiser sees.
                    .args(["-O2", "-c"])
                    .args(define)
                    .args(line.sources());
                run(&mut command)
                    .unwrap_or_else(|error| panic!("{compiler}, {}: {error}", line.folder));
            }
        }
    }
}
