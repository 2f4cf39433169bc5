//! Subjects in processes of their own: well-behaved ones, wrong ones, hostile ones.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rstest::rstest;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Few cases, few suites: what the tests are about is what happens around the answers.
fn check(subject: &str, suites: &[&str]) -> Output {
    check_within("60", subject, suites)
}

/// The same with seconds for an answer: few where a subject is to hang.
fn check_within(seconds: &str, subject: &str, suites: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_udma"));
    command
        .args(["check", "--no-save", "--cases", "50"])
        .args(["--answer-limit", seconds, "--memory-limit", "1024"])
        .args(["--subject", subject])
        .args(suites.iter().flat_map(|suite| ["--suite", suite]))
        .current_dir(root())
        .stdin(Stdio::null());
    command.output().expect("the udma command")
}

/// A library of this C behind the header, of the ABI's version, in a folder that lives as long as the
/// first value.
fn library(c: &str) -> (tempfile::TempDir, String) {
    library_of("UDMA_ABI_VERSION", c)
}

/// The same, of another version.
fn library_of(version: &str, c: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, library) = (
        folder.path().join("subject.c"),
        folder.path().join("subject.so"),
    );
    let head = format!(
        "#include <stdlib.h>\n#include <stdio.h>\n#include <string.h>\n#include <unistd.h>\n\
         #include \"udma_oracle.h\"\n\
         int32_t udma_info(struct udma_info *out)\n\
         {{ out->abi_version = {version}; out->line = UDMA_LINE_KERNEL; return 0; }}\n"
    );
    std::fs::write(&source, format!("{head}{c}\n")).expect("a file");
    let status = Command::new("cc")
        .args(["-std=gnu11", "-O1", "-w", "-shared", "-fPIC", "-I"])
        .arg(root().join("reference-c/include"))
        .arg(&source)
        .arg("-o")
        .arg(&library)
        .status()
        .expect("cc");
    assert!(status.success(), "{c}");
    let name = format!("lib:{}", library.display());
    (folder, name)
}

/// A ring-size operation that is right but for what `fault` does first.
fn ring_size(fault: &str) -> String {
    format!(
        "int32_t udma_ring_size(const uint32_t *want, uint32_t *out, uint32_t n) {{
            for (uint32_t i = 0; i < n; i++) {{
                uint64_t v = want[i], size = 1;
                {fault}
                uint32_t least = (uint32_t)(v + 16);
                if (v < 32) {{ out[i] = 64; continue; }}
                while (size < least) size <<= 1;
                out[i] = least == 0 ? 0 : (uint32_t)size;
            }}
            return 0;
        }}"
    )
}

#[test]
fn a_library_that_offers_little_is_held_to_that() {
    let (_folder, name) = library(&ring_size(""));
    let out = check(&name, &["ring"]);
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{shown}\n{}", text(&out.stderr));
    assert!(shown.contains("held: 1 rule,"), "{shown}");
}

#[rstest]
#[case::segfault("if (v == 4096) *(volatile int *)8 = 0;", "killed by signal", 3)]
#[case::aborts("if (v == 4096) abort();", "killed by signal", 3)]
#[case::exits("if (v == 4096) _exit(0);", "exited with code 0", 3)]
#[case::loops("if (v == 4096) for (;;) ;", "hung: no answer within 2 s", 3)]
#[case::eats_memory(
    "if (v == 4096) for (;;) { char *p = malloc(1 << 28); memset(p, 1, 1 << 28); }",
    "killed by signal",
    3
)]
#[case::wrong("if (v == 4096) { out[i] = 4096; continue; }", "RING-9", 1)]
// Output of its own does not get between the answers.
#[case::chatters(
    r#"if (v == 4096) { puts("hello"); fflush(stdout); }"#,
    "held: 1 rule,",
    0
)]
fn what_a_library_does_is_told_with_its_case(
    #[case] fault: &str,
    #[case] told: &str,
    #[case] code: i32,
) {
    let (_folder, name) = library(&ring_size(fault));
    let seconds = if told.starts_with("hung") { "2" } else { "60" };
    let out = check_within(seconds, &name, &["ring"]);
    let shown = text(&out.stdout);
    assert_eq!(
        out.status.code(),
        Some(code),
        "{shown}\n{}",
        text(&out.stderr)
    );
    assert!(shown.contains(told), "{shown}");
    if code == 3 {
        // The case, and the rest of the run after it.
        assert!(
            shown.contains("RING-9") && shown.contains("4096"),
            "{shown}"
        );
        assert!(shown.contains("FAILED: 1 finding in 1 rule"), "{shown}");
    }
}

#[test]
fn a_pair_builder_that_writes_outside_of_its_slots_is_found() {
    let (_folder, name) = library(
        "int32_t udma_build_pairs(const struct udma_pair_in *in, struct udma_pair_out *io, uint32_t n)
         { io[n].ret = 7; return 0; }",
    );
    let out = check(&name, &["barrier"]);
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(3), "{shown}");
    assert!(shown.contains("it wrote outside of its slots"), "{shown}");
}

#[rstest]
#[case::no_such_file("lib:/nonexistent/subject.so", "/nonexistent/subject.so")]
#[case::no_library("lib:Cargo.toml", "Cargo.toml")]
#[case::no_command("cmd:/nonexistent/subject", "cannot be used")]
#[case::silent("cmd:true", "exited with code 0")]
#[case::garbage("cmd:yes", "a message of")]
#[case::no_subject("c-colonel", "c-colonel")]
fn a_subject_that_cannot_be_used_is_bad_input(#[case] name: &str, #[case] told: &str) {
    let out = check(name, &["ring"]);
    let shown = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{shown}");
    if told != "cannot be used" {
        assert!(shown.contains(told), "{shown}");
    }
    assert!(out.stdout.is_empty(), "{}", text(&out.stdout));
}

#[test]
fn another_version_of_the_abi_is_refused() {
    let (_folder, name) = library_of("99", "");
    let out = check(&name, &["ring"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("99"), "{}", text(&out.stderr));
}

/// The protocol from both sides: a built-in subject behind pipes answers as it does in process.
#[test]
fn a_built_in_subject_behind_pipes_holds() {
    let suite = env!("CARGO_BIN_EXE_udma");
    for line in ["rust-kernel", "c-hal"] {
        let name = format!("cmd:{suite} serve {line}");
        let suites = [
            "descriptor",
            "queue_init",
            "transpose",
            "engine_init",
            "abi",
        ];
        let out = check(&name, &suites);
        let shown = text(&out.stdout);
        assert_eq!(out.status.code(), Some(0), "{shown}\n{}", text(&out.stderr));
    }
}

const PYTHON: &str = "docs/examples/udma_subject.py";
/// The example and what it imports.
const FILES: [&str; 2] = ["udma_subject.py", "udma_transfers.py"];

fn python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok();
    assert!(
        found || std::env::var_os("CI").is_none_or(|ci| ci != "true"),
        "python3 is missing, and a skipped test fails under CI=true"
    );
    found
}

#[test]
fn the_example_in_python_holds() {
    if !python() {
        eprintln!("skipped: python3 is not installed");
        return;
    }
    let suites = [
        "descriptor",
        "meta",
        "barrier",
        "ring",
        "queue_init",
        "trigger",
        "state",
        "marker",
        "ack",
        "memset",
    ];
    let out = check(&format!("cmd:python3 {PYTHON}"), &suites);
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{shown}\n{}", text(&out.stderr));
}

/// The example in a folder of its own, with one change.
fn changed(right: &str, wrong: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut changed = false;
    for name in FILES {
        let source = root().join("docs/examples").join(name);
        let source = std::fs::read_to_string(source).expect("the example");
        let wrong = source.replacen(right, wrong, 1);
        changed |= wrong != source;
        std::fs::write(folder.path().join(name), wrong).expect("a file");
    }
    assert!(changed, "{right}");
    let name = format!("cmd:python3 {}", folder.path().join(FILES[0]).display());
    (folder, name)
}

/// What a subject asks to be done outside that cannot be done.
#[rstest]
#[case::no_such_slot(
    r#"{"desc": store}"#,
    r#"{"desc": [store[0], store[1] + 100000, store[2]]}"#,
    "no access: "
)]
#[case::no_such_access(
    r#"self.ask({"load32": address})"#,
    r#"self.ask({"load64": address})"#,
    "load64"
)]
#[case::too_many_pages(r#""now""#, r#"{"pin": [0, 1 << 20]}"#, "at most 65536")]
#[case::outside_of_a_queue(
    "raise NotOffered

    def say",
    r#"raise NotOffered
    call = dict(call, op="copy", transfers=77)

    def say"#,
    "died"
)]
fn what_cannot_be_done_outside_is_a_death(
    #[case] right: &str,
    #[case] wrong: &str,
    #[case] told: &str,
) {
    if !python() {
        eprintln!("skipped: python3 is not installed");
        return;
    }
    let (_folder, name) = changed(right, wrong);
    let out = check(&name, &["marker"]);
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(3), "{shown}\n{}", text(&out.stderr));
    assert!(shown.contains(told), "{shown}");
}

/// One wrong belief in the example, and the rule that tells.
#[rstest]
#[case::barrier_at_28("1 << 26, 1 << 28", "1 << 28, 1 << 26", "barrier", "BARR-")]
#[case::guard_15("(self.next + 16)", "(self.next + 15)", "ring", "RING-2")]
#[case::no_barrier(r#"["barrier", {"write""#, r#"[{"write""#, "trigger", "TRIG-5")]
#[case::base_unmasked("base & ~0x3F", "base", "queue_init", "REGS-2")]
#[case::not_rearmed("[source + 4, 0]", "[source, MARKER]", "marker", "MARK-1")]
#[case::acks_one_less(
    "ack(self.engine.driver, count)",
    "ack(self.engine.driver, count - 1)",
    "ack",
    "ACK-"
)]
#[case::source_moves("src_moves=False", "src_moves=True", "memset", "MSET-1")]
fn a_wrong_example_is_caught(
    #[case] right: &str,
    #[case] wrong: &str,
    #[case] suite: &str,
    #[case] rule: &str,
) {
    if !python() {
        eprintln!("skipped: python3 is not installed");
        return;
    }
    let (_folder, name) = changed(right, wrong);
    let out = check(&name, &[suite]);
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(1), "{shown}");
    let first = shown.split("\n1. ").nth(1).unwrap_or_default();
    assert!(first.starts_with(rule), "{shown}");
}
