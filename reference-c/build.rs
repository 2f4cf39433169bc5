//! Compiles the two C lines, each under a symbol prefix of its own so that both can be linked.

use std::path::{Path, PathBuf};

fn sources(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{folder}: {error}"))
        .map(|entry| entry.expect("folder entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    files
}

/// With a fuzzer's counters (and AddressSanitizer where Rust has it), which only clang makes.
fn fuzzed(build: &mut cc::Build) {
    println!("cargo::rerun-if-env-changed=PATH");
    let found = std::process::Command::new("clang")
        .arg("--version")
        .output();
    assert!(
        found.is_ok_and(|output| output.status.success()),
        "the C lines are fuzzed with clang's counters: install clang (.ci/setup does)"
    );
    build
        .compiler("clang")
        .flag("-fsanitize=fuzzer-no-link")
        // What libFuzzer is told beside counters slows every execution, and Rust does not tell it.
        .flag("-fno-sanitize-coverage=trace-cmp,indirect-calls,stack-depth")
        // A target that asks one function has the counters of that one.
        .flags(["-ffunction-sections", "-fdata-sections"]);
    let sanitizers = std::env::var("CARGO_CFG_SANITIZE").unwrap_or_default();
    if sanitizers.split(',').any(|name| name == "address") {
        build.flag("-fsanitize=address");
    }
}

/// With gcc's counters, for gcov: they lie beside the objects.
fn covered(build: &mut cc::Build) {
    build.compiler("gcc").flag("--coverage").opt_level(0);
    println!("cargo::rustc-link-lib=gcov");
}

fn line(name: &str, prefix: &str, includes: &[&str]) {
    let mut build = cc::Build::new();
    build
        .files(sources(name))
        .includes(includes)
        .include("include")
        .define("UDMA_PREFIX", prefix)
        .std("c11")
        // The speed of the lines is a yardstick: the same level in every profile.
        .opt_level(2)
        .warnings(true)
        .extra_warnings(true)
        .warnings_into_errors(true)
        .flags(["-Wshadow", "-Wconversion"]);
    if std::env::var_os("CARGO_CFG_FUZZING").is_some() {
        fuzzed(&mut build);
    }
    if std::env::var_os("UDMA_GCOV").is_some() {
        covered(&mut build);
    }
    if std::env::var_os("CARGO_FEATURE_MUTANTS").is_some() {
        build.define("UDMA_MUTANTS", None);
    }
    build.compile(&format!("udma_{name}_line"));
    for folder in includes.iter().chain([&name, &"include"]) {
        assert!(Path::new(folder).is_dir(), "{folder} is missing");
        println!("cargo::rerun-if-changed={folder}");
    }
}

fn main() {
    println!("cargo::rerun-if-env-changed=UDMA_GCOV");
    line("hal", "udma_hal_", &[]);
    line("kernel", "udma_kernel_", &["kshim"]);
    // For crates that compile against the ABI.
    let include = std::env::current_dir()
        .expect("current folder")
        .join("include");
    println!("cargo::metadata=include={}", include.display());
}
