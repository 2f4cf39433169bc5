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
    line("hal", "udma_hal_", &[]);
    line("kernel", "udma_kernel_", &["kshim"]);
    // For crates that compile against the ABI.
    let include = std::env::current_dir()
        .expect("current folder")
        .join("include");
    println!("cargo::metadata=include={}", include.display());
}
