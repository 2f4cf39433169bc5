//! An ordinary build of the C lines holds no planted belief and no switch for one.
#![cfg(not(feature = "mutants"))]

mod common;

use std::path::Path;
use std::process::Command;

use common::{LINES, run};

#[test]
fn the_libraries_hold_no_mutant() {
    for line in &LINES {
        let library = Path::new(env!("OUT_DIR")).join(format!("libudma_{}_line.a", line.folder));
        let symbols = run(Command::new("nm").arg(&library)).expect("nm");
        // What must be there shows that the look was a real one.
        let known = format!("{}build_pairs", line.prefix);
        assert!(symbols.contains(&known), "{known} is not in {symbols}");
        let planted = symbols.lines().find(|symbol| symbol.contains("mutant"));
        assert_eq!(planted, None, "{}", line.folder);
    }
}

#[test]
fn a_library_with_mutants_would_be_seen() {
    let folder = tempfile::tempdir().expect("a folder");
    for line in &LINES {
        let faults = line
            .sources()
            .into_iter()
            .find(|file| file.ends_with("faults.c"))
            .expect("faults.c");
        let object = folder.path().join("faults.o");
        let mut command = line.command("cc");
        command
            .args(["-DUDMA_MUTANTS", "-c"])
            .arg(faults)
            .arg("-o")
            .arg(&object);
        run(&mut command).expect("faults.c compiles");
        let symbols = run(Command::new("nm").arg(&object)).expect("nm");
        assert!(symbols.contains(&format!("{}set_mutant", line.prefix)));
        assert!(symbols.contains(&format!("{}mutant", line.prefix)));
    }
}
