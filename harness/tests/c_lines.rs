//! The C lines built as anyone's libraries are: ring cycles and virtual rings are asked of them whole,
//! and a wrong belief in one is told with its rule.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rstest::rstest;
use udma_oracle::mutants;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn udma(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_udma"))
        .args(arguments)
        .current_dir(root())
        .stdin(Stdio::null())
        .output()
        .expect("the udma command")
}

/// Builds a line in a folder, with a wrong belief; gives the name of the subject.
fn build(folder: &Path, line: &str, belief: Option<u32>) -> String {
    let mut sources = Vec::new();
    for from in [
        root().join("reference-c").join(line),
        root().join("reference-c/include"),
    ] {
        for file in fs::read_dir(&from).expect("sources") {
            let file = file.expect("a file");
            let name = file.file_name().to_string_lossy().into_owned();
            let mut content = fs::read_to_string(file.path()).expect("C");
            if let (Some(number), "faults.c") = (belief, name.as_str()) {
                let plain = content.clone();
                content = content.replacen("mutant;", &format!("mutant = {number};"), 1);
                content = content.replacen("mutant);", &format!("mutant) = {number};"), 1);
                assert_ne!(content, plain, "the switch of the beliefs");
            }
            if file.path().extension().is_some_and(|kind| kind == "c") {
                sources.push(format!("{name:?}"));
            }
            fs::write(folder.join(name), content).expect("a copy");
        }
    }
    sources.sort_unstable();
    let planted = if belief.is_some() {
        r#", "UDMA_MUTANTS""#
    } else {
        ""
    };
    let stand_ins = root().join("reference-c/kshim");
    let stand_ins = stand_ins.canonicalize().expect("the stand-ins");
    let manifest = folder.join("udma-oracle.toml");
    fs::write(
        &manifest,
        format!(
            "output = \"lib{line}.so\"\nsources = [{}]\ninclude = [\".\", {:?}]\n\
             defines = [\"UDMA_PREFIX=udma_\"{planted}]\n",
            sources.join(", "),
            stand_ins.to_string_lossy(),
        ),
    )
    .expect("a manifest");
    let out = udma(&["build-oracle", &manifest.to_string_lossy()]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    format!("lib:{}", folder.join(format!("lib{line}.so")).display())
}

const CYCLES: &[&str] = &[
    "trigger", "marker", "batch", "poll", "ack", "async", "retry", "memset", "zerocopy",
];
const VRINGS: &[&str] = &[
    "vring", "transfer", "pack", "edit", "template", "dump", "pring",
];

fn check(subject: &str, suites: &[&str], cases: &str) -> Output {
    let mut arguments = vec!["check", "--no-save", "--cases", cases, "--subject", subject];
    for suite in suites {
        arguments.extend(["--suite", suite]);
    }
    udma(&arguments)
}

#[rstest]
#[case::kernel("kernel", CYCLES)]
#[case::hal("hal", VRINGS)]
fn a_line_as_a_library_holds(#[case] line: &str, #[case] suites: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let out = check(&build(folder.path(), line, None), suites, "50");
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{shown}\n{}", text(&out.stderr));
}

/// Operation by operation, as a subject in another language is asked: each access is a message.
#[rstest]
#[case::kernel("c-kernel", &["trigger", "marker", "poll", "ack", "async", "memset", "zerocopy"])]
#[case::hal("c-hal", &["transfer", "pack", "edit", "template", "pring"])]
#[case::bare("rust-hal", &["trigger", "poll"])]
fn a_line_that_is_asked_access_by_access_holds(#[case] line: &str, #[case] suites: &[&str]) {
    let suite = env!("CARGO_BIN_EXE_udma");
    let out = check(
        &format!("cmd:{suite} serve --by-access {line}"),
        suites,
        "20",
    );
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{shown}\n{}", text(&out.stderr));
}

#[rstest]
#[case::poll_word_not_cleared("kernel", "marker", 113)]
#[case::acks_one_less("kernel", "ack", 156)]
#[case::packet_too_long("hal", "pack", 231)]
#[case::bytes_one_less("hal", "pack", 235)]
fn a_wrong_belief_of_a_library_is_caught(
    #[case] line: &str,
    #[case] suite: &str,
    #[case] number: u32,
) {
    let all = mutants::all();
    let mutant = all
        .iter()
        .find(|mutant| mutant.number == number)
        .expect("a belief");
    let folder = tempfile::tempdir().expect("a folder");
    let subject = build(folder.path(), line, Some(number));
    let out = check(&subject, &[suite], "100");
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(1), "{shown}\n{}", text(&out.stderr));
    let first = shown.split("\n1. ").nth(1).unwrap_or_default();
    let caught = mutant
        .rules
        .iter()
        .any(|rule| first.starts_with(rule.as_str()));
    assert!(caught, "{:?}: {shown}", mutant.rules);
}
