//! The ordinary `udma` holds no planted belief, in whatever language, and no switch for one.
#![cfg(not(feature = "mutants"))]

use std::path::Path;
use std::process::Command;

fn symbols(program: &Path) -> String {
    let output = Command::new("nm")
        .arg("--demangle")
        .arg(program)
        .output()
        .expect("nm");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_rust_implementation_holds_none() {
    const { assert!(!udma::fault::COMPILED_IN) };
}

#[test]
fn the_command_and_this_test_hold_none() {
    let this = std::env::current_exe().expect("the test's executable");
    for program in [Path::new(env!("CARGO_BIN_EXE_udma")), &this] {
        let symbols = symbols(program);
        assert!(!symbols.is_empty(), "{} has no symbols", program.display());
        for planted in [
            "set_mutant",
            "udma_hal_mutant",
            "udma_kernel_mutant",
            "udma::fault::",
        ] {
            let found = symbols.lines().find(|symbol| symbol.contains(planted));
            assert_eq!(found, None, "{}", program.display());
        }
    }
    // What must be there shows that the look was a real one.
    let command = symbols(Path::new(env!("CARGO_BIN_EXE_udma")));
    for known in ["udma_hal_build_pairs", "udma_kernel_build_pairs"] {
        assert!(command.contains(known), "{known}");
    }
}
