//! The fuzzers' programs, as `cargo fuzz build` makes them: `.ci/fuzz` builds them, names their
//! folder in `UDMA_FUZZERS` and runs this; the plain tests leave it out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use object::{Object as _, ObjectSection as _, ObjectSymbol, RelocationTarget};

/// Counters of a fuzzer by the functions that they are in.
fn counters(target: &str) -> BTreeMap<String, usize> {
    let folder = std::env::var_os("UDMA_FUZZERS").expect("UDMA_FUZZERS names the programs' folder");
    counters_in(&PathBuf::from(folder).join(target))
}

fn counters_in(program: &Path) -> BTreeMap<String, usize> {
    let bytes = std::fs::read(program).expect("a program");
    let file = object::File::parse(&*bytes).expect("an ELF file");
    // Each counter has an entry of two words in this table: where it counts, and a flag.
    let table = file.section_by_name("__sancov_pcs").expect("a fuzzer");
    let size = file
        .section_by_name("__sancov_cntrs")
        .expect("a fuzzer")
        .size();
    let range = table.address()..table.address() + table.size();
    assert_eq!(
        table.size() / 16,
        size,
        "{}: an entry for each counter",
        program.display()
    );
    let mut places = Vec::new();
    for (at, relocation) in file.dynamic_relocations().expect("a program that moves") {
        if range.contains(&at) && (at - range.start).is_multiple_of(16) {
            assert_eq!(relocation.target(), RelocationTarget::Absolute);
            places.push(relocation.addend() as u64);
        }
    }
    // A counter of what the linker left out has no place.
    places.sort_unstable();
    let mut counters = BTreeMap::new();
    for symbol in file.symbols().filter(ObjectSymbol::is_definition) {
        let (start, end) = (symbol.address(), symbol.address() + symbol.size());
        let count = places.partition_point(|place| *place < end)
            - places.partition_point(|place| *place < start);
        if let (Ok(name), true) = (symbol.name(), count > 0) {
            counters.insert(name.to_string(), count);
        }
    }
    counters
}

/// The builders of both C lines steer the fuzzer of pairs as the Rust ones do.
#[test]
fn c_lines_have_counters() {
    let counters = counters("pair_diff");
    for function in ["udma_kernel_build_pairs", "udma_hal_build_pairs"] {
        let count = counters.get(function).copied().unwrap_or(0);
        assert!(count >= 4, "{function}: {count} counters");
    }
    let rust: usize = counters
        .iter()
        .filter(|(name, _)| ["_4udma", "N4udma"].iter().any(|of| name.contains(of)))
        .map(|(_, count)| count)
        .sum();
    assert!(rust >= 4, "{rust} counters of the Rust implementation");
    // A target links in what it asks.
    assert!(!counters.contains_key("udma_hal_vring_close"));
}

/// Virtual rings of the C line, in the target that asks them.
#[test]
fn c_vrings_have_counters() {
    let counters = counters("vring_script");
    let of = |start: &str| {
        let names = counters.keys().filter(|name| name.starts_with(start));
        names.count()
    };
    assert!(
        of("udma_hal_vring") >= 5,
        "{} functions",
        of("udma_hal_vring")
    );
}

/// Of two functions, compiled by clang with the C lines' flag and without it, one has counters.
#[test]
fn what_is_compiled_without_the_flag_has_no_counters() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let clang = |arguments: &[&str]| {
        let status = Command::new("clang")
            .args(arguments)
            .current_dir(folder.path())
            .status();
        assert!(status.expect("clang").success(), "{arguments:?}");
    };
    for (name, flags) in [("led", &["-fsanitize=fuzzer-no-link"][..]), ("blind", &[])] {
        let source = format!("int {name}(int a) {{ return a > 3 ? a * 7 : a - 1; }}");
        std::fs::write(file(&format!("{name}.c")), source).expect("C");
        let compile = ["-fPIC", "-fvisibility=hidden", "-c", &format!("{name}.c")];
        clang(&[flags, &compile].concat());
    }
    clang(&["-shared", "-o", "both.so", "led.o", "blind.o"]);
    let counters = counters_in(&file("both.so"));
    assert_eq!(counters.keys().collect::<Vec<_>>(), ["led"]);
}
