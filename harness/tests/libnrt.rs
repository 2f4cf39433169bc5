//! The original HAL as a subject, on a library that stands in for it: local functions of its names, a build id,
//! its signatures.

#![cfg(target_arch = "x86_64")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rstest::rstest;

const BUILD_ID: &str = "5d0c6a3f21b7480e9f8e7d6c5b4a39281706f5e4";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A stand-in and what the suite is told of it.
struct StandIn {
    folder: tempfile::TempDir,
}

impl StandIn {
    fn new(build_id: &str, flags: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/libnrt/standin.c");
        let status = Command::new("cc")
            .args([
                "-std=gnu11",
                "-O1",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-shared",
                "-fPIC",
            ])
            .arg(format!("-Wl,--build-id={build_id}"))
            .args(flags)
            .arg(source)
            .arg("-o")
            .arg(folder.path().join("libnrt.so"))
            .status()
            .expect("cc");
        assert!(status.success(), "{flags:?}");
        let stand_in = Self { folder };
        stand_in.known("");
        stand_in
    }

    fn plain(flags: &[&str]) -> Self {
        Self::new(&format!("0x{BUILD_ID}"), flags)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes the table that knows it, with more lines.
    fn known(&self, more: &str) {
        let table =
            format!("[[library]]\nname = \"the stand-in\"\nbuild_id = \"{BUILD_ID}\"\n{more}");
        std::fs::write(self.file("known.toml"), table).expect("a file");
    }

    fn check(&self, suites: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_udma"));
        command
            .args([
                "check",
                "--no-save",
                "--cases",
                "50",
                "--answer-limit",
                "60",
                "--subject",
            ])
            .arg(format!("libnrt:{}", self.file("libnrt.so").display()))
            .arg("--known-libraries")
            .arg(self.file("known.toml"))
            .args(suites.iter().flat_map(|suite| ["--suite", suite]))
            .env("STANDIN_LOG", self.file("log"))
            .current_dir(root())
            .stdin(Stdio::null());
        command.output().expect("the udma command")
    }
}

#[test]
fn the_stand_in_holds_and_every_function_of_it_is_called() {
    let stand_in = StandIn::plain(&[]);
    let suites = [
        "barrier",
        "descriptor",
        "meta",
        "opclass",
        "cce",
        "transpose",
        "shadow",
    ];
    let out = stand_in.check(&suites);
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{shown}\n{}", text(&out.stderr));
    assert!(shown.contains("39 of 39 functions are usable"), "{shown}");
    assert!(shown.contains("works for v4"), "{shown}");
    assert!(!shown.contains("not usable"), "{shown}");
    // The process that serves calls more than those of the self-tests, which have one function each.
    let mut called: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let log = std::fs::read_to_string(stand_in.file("log")).expect("the log");
    for line in log.lines() {
        let (process, name) = line.split_once(' ').expect("a process and a name");
        called
            .entry(process.into())
            .or_default()
            .insert(name.into());
    }
    let most = called.values().map(BTreeSet::len).max();
    assert_eq!(most, Some(39), "{called:?}");
}

#[test]
fn an_architecture_is_asked_not_assumed() {
    let stand_in = StandIn::plain(&["-DSTANDIN_ARCH=2"]);
    let out = stand_in.check(&["barrier"]);
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{shown}\n{}", text(&out.stderr));
    assert!(shown.contains("works for v2"), "{shown}");
}

#[test]
fn a_shifted_signature_is_named_and_can_be_put_right() {
    const NAME: &str = "al_udma_m2m_build_copy_descriptor";
    let stand_in = StandIn::plain(&["-DFAULT_SHIFTED"]);
    let out = stand_in.check(&["descriptor", "shadow"]);
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{shown}\n{}", text(&out.stderr));
    assert!(shown.contains(&format!("not usable: {NAME}: ")), "{shown}");
    assert!(shown.contains("38 of 39 functions are usable"), "{shown}");
    // What needs it is not offered then, and nothing of that is passed: no pair of these suits the builders of
    // single descriptors.
    let out = stand_in.check(&["barrier"]);
    assert_eq!(out.status.code(), Some(2), "{}", text(&out.stdout));

    stand_in.known(&format!(
        "[library.signatures]\n{NAME} = \"int 0 rx tx rx_ring_id tx_ring_id src dst size mode sow dst_int\"\n"
    ));
    let out = stand_in.check(&["barrier"]);
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{shown}\n{}", text(&out.stderr));
    assert!(shown.contains("39 of 39 functions are usable"), "{shown}");
}

#[test]
fn a_function_that_is_not_where_the_table_says_is_not_called() {
    let stand_in = StandIn::plain(&[]);
    stand_in.known("[library.addresses]\nal_udma_m2m_set_first = 0x10\n");
    let shown = text(&stand_in.check(&["shadow"]).stdout);
    assert!(
        shown.contains("not usable: al_udma_m2m_set_first: it is at 0x"),
        "{shown}"
    );
}

#[rstest]
#[case::unknown_build("0x0123456789abcdef", &[], "its build id 0123456789abcdef is not known: ")]
#[case::no_build_id("none", &[], "it has no build id")]
#[case::stripped(&format!("0x{BUILD_ID}"), &["-Wl,-s"], "it has no symbol table (stripped)")]
fn a_library_that_cannot_be_told_is_refused(
    #[case] build_id: &str,
    #[case] flags: &[&str],
    #[case] told: &str,
) {
    let stand_in = StandIn::new(build_id, flags);
    let out = stand_in.check(&["shadow"]);
    let shown = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{shown}");
    assert!(shown.contains(told), "{shown}");
    assert!(out.stdout.is_empty(), "{}", text(&out.stdout));
}

/// Faults that the self-test does not see.
#[rstest]
#[case::dmb_at_bit_29("-DFAULT_DMB", "barrier", "BARR-", 1)]
#[case::dtype_of_three_bits("-DFAULT_DTYPE", "opclass", "CCE-3", 1)]
#[case::phase_of_rx("-DFAULT_RESERVE", "shadow", "SWQ-2", 1)]
#[case::dies("-DFAULT_DIES", "shadow", "killed by signal", 3)]
#[case::overruns("-DFAULT_OVERRUNS", "shadow", "killed by signal", 3)]
fn a_planted_fault_is_caught(
    #[case] fault: &str,
    #[case] suite: &str,
    #[case] told: &str,
    #[case] code: i32,
) {
    let out = StandIn::plain(&[fault]).check(&[suite]);
    let shown = text(&out.stdout);
    assert!(shown.contains("39 of 39 functions are usable"), "{shown}");
    assert_eq!(
        out.status.code(),
        Some(code),
        "{shown}\n{}",
        text(&out.stderr)
    );
    let first = shown.split("\n1. ").nth(1).unwrap_or_default();
    let found = if code == 1 {
        first.starts_with(told)
    } else {
        first.starts_with("SWQ-1") && first.contains(told)
    };
    assert!(found, "{shown}");
}
