//! The command from outside: what it prints, what it writes, how it exits.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rstest::rstest;

fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora")
}

fn udma(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_udma"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null())
        .output()
        .expect("the udma command")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A quick run: every suite, few generated cases, no exhaustive sweep.
const QUICK: [&str; 6] = ["check", "--no-save", "--cases", "200", "--suite", "ring"];

#[test]
fn a_quick_check_holds_and_says_so() {
    let out = udma(&QUICK);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let shown = text(&out.stdout);
    assert!(
        shown.contains("RING") && shown.contains("held: "),
        "{shown}"
    );
    assert!(
        !shown.contains('\u{1b}'),
        "colour where there is no terminal"
    );
}

/// Regressions aside, golden vectors come with every suite: all files replay on the built-ins.
#[test]
fn every_recorded_file_is_replayed_by_verify() {
    let golden = corpora().join("golden");
    for suite in [
        "copy_pair",
        "ring_cursor",
        "desc_count",
        "queue_init",
        "copy_start",
        "queue_state",
        "register_map",
        "iofic",
        "bar0_block",
        "ioctl_abi",
    ] {
        let file = golden.join(format!("{suite}.json"));
        let out = udma(&["vectors", "verify", &file.display().to_string()]);
        assert_eq!(out.status.code(), Some(0), "{suite}: {}", text(&out.stderr));
        assert!(
            text(&out.stdout).contains("0 findings"),
            "{}",
            text(&out.stdout)
        );
    }
}

#[test]
fn known_divergences_show_the_outcome_of_each_side() {
    let out = udma(&[
        "check",
        "--no-save",
        "--suite",
        "barrier",
        "--suite",
        "ring",
        "--cases",
        "100",
    ]);
    assert!(
        text(&out.stdout).contains("BARR-4"),
        "{}",
        text(&out.stdout)
    );
    let shown = text(&udma(&["rules", "--family", "BLDR"]).stdout);
    for part in ["size is 0", "not masked", "refused, nothing written"] {
        assert!(shown.contains(part), "{part} is missing:\n{shown}");
    }
}

#[rstest]
#[case::no_such_rule(&["check", "--no-save", "--rule", "NOPE-*"], "NOPE-*")]
#[case::no_such_suite(&["check", "--no-save", "--suite", "nope"], "nope")]
#[case::no_such_subject(&["check", "--no-save", "--subject", "nope"], "nope")]
#[case::subject_twice(&["check", "--no-save", "--subject", "c-hal", "--subject", "c-hal"], "twice")]
#[case::rule_outside_the_suite(&["check", "--no-save", "--suite", "ring", "--rule", "BLDR-1"], "nothing ran")]
#[case::subject_without_the_rule(&["check", "--no-save", "--subject", "c-hal", "--rule", "RING-1"], "nothing ran")]
#[case::no_corpora(&["check", "--no-save", "--corpora", "src"], "src")]
#[case::no_file(&["vectors", "verify", "missing.json"], "missing.json")]
#[case::no_cases(&["check", "--cases", "0"], "--cases")]
#[case::odd_hex(&["explain", "0123"], "left over")]
#[case::no_family(&["rules", "--family", "NOPE"], "NOPE")]
fn bad_input_exits_2_and_names_it(#[case] args: &[&str], #[case] named: &str) {
    let out = udma(args);
    assert_eq!(out.status.code(), Some(2), "{}", text(&out.stdout));
    assert!(text(&out.stderr).contains(named), "{}", text(&out.stderr));
    assert!(out.stdout.is_empty(), "{}", text(&out.stdout));
}

/// A damaged copy of a recorded file, and what the message must name.
#[rstest]
#[case::cut_short("cut", "copy_pair", "after case")]
#[case::wrong_format("udma-golden/1", "copy_pair", "udma-golden/9")]
#[case::unknown_suite("\"suite\": \"copy_pair\"", "copy_pair", "copy_pear")]
#[case::wrong_type("\"size\":65536", "copy_pair", "case 0: field \"size\"")]
#[case::missing_field("\"dst\":", "copy_pair", "case 0: field \"dst\"")]
#[case::no_json("{", "desc_count", "desc_count.json:1:")]
fn damaged_vectors_are_refused(#[case] what: &str, #[case] suite: &str, #[case] named: &str) {
    let text_of = |suite: &str| {
        std::fs::read_to_string(corpora().join("golden").join(format!("{suite}.json"))).unwrap()
    };
    let whole = text_of(suite);
    let damaged = match what {
        "cut" => whole[..whole.len() / 2].to_string(),
        "udma-golden/1" => whole.replacen("udma-golden/1", "udma-golden/9", 1),
        "\"suite\": \"copy_pair\"" => whole.replacen(what, "\"suite\": \"copy_pear\"", 1),
        "\"size\":65536" => whole.replacen(what, "\"size\":\"big\"", 1),
        "\"dst\":" => whole.replacen(what, "\"dest\":", 1),
        _ => whole.replacen('{', "(", 1),
    };
    assert_ne!(damaged, whole);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(format!("{suite}.json"));
    std::fs::write(&file, damaged).unwrap();
    let out = udma(&["vectors", "verify", &file.display().to_string()]);
    assert_eq!(out.status.code(), Some(2), "{}", text(&out.stdout));
    assert!(text(&out.stderr).contains(named), "{}", text(&out.stderr));
}

/// A vector with a wrong answer is a finding, not an error.
#[test]
fn a_vector_that_no_subject_gives_is_a_finding() {
    let whole = std::fs::read_to_string(corpora().join("golden/copy_pair.json")).unwrap();
    let wrong = whole.replacen("0000000c03000801", "0000000c03000805", 1);
    assert_ne!(wrong, whole);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("copy_pair.json");
    std::fs::write(&file, wrong).unwrap();
    let out = udma(&[
        "vectors",
        "verify",
        &file.display().to_string(),
        "--subject",
        "c-kernel",
    ]);
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
    let shown = text(&out.stdout);
    // A write barrier on a pair that asked for none (BARR-2).
    assert!(shown.contains("BARR-2"), "{shown}");
    assert!(shown.contains("golden/copy_pair#0"), "{shown}");
}

#[test]
fn equal_runs_write_equal_reports() {
    let folder = tempfile::tempdir().unwrap();
    let reports: Vec<Vec<(String, Vec<u8>)>> = ["one", "two"]
        .iter()
        .map(|name| {
            let report = folder.path().join(name);
            let mut args = QUICK.to_vec();
            let path = report.display().to_string();
            args.extend(["--report", &path]);
            assert_eq!(udma(&args).status.code(), Some(0));
            let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(&report)
                .unwrap()
                .map(|entry| {
                    let path = entry.unwrap().path();
                    let name = path.file_name().unwrap().to_string_lossy().into_owned();
                    (name, std::fs::read(path).unwrap())
                })
                .collect();
            files.sort();
            files
        })
        .collect();
    assert_eq!(reports[0].len(), 4, "json, junit, html, terminal");
    assert!(reports[0] == reports[1], "equal runs differ");
}

/// A run that is killed leaves a whole report of what had run.
#[test]
fn a_killed_run_leaves_a_whole_report() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report");
    let mut child = Command::new(env!("CARGO_BIN_EXE_udma"))
        .args(["check", "--no-save", "--format", "json", "--report"])
        .arg(&report)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let file = report.join("report.json");
    while !file.exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let read = udma_report::json::read(&file).expect("a whole report");
    assert!(read.ran());
}

#[test]
fn explain_names_every_field_by_word() {
    let out = udma(&["explain", "ffff000d0300080554d478372da598a7"]);
    assert_eq!(out.status.code(), Some(0));
    let shown = text(&out.stdout);
    for part in [
        "reads 65535 bytes from 0xa798a52d3778d454",
        "word0 bit 26",
        "meta_ctrl bit 26",
        "write_barrier",
        "phase 1",
    ] {
        assert!(shown.contains(part), "{part} is missing:\n{shown}");
    }
    let rx = text(
        &udma(&[
            "explain",
            "--view",
            "rx",
            "40000021000000000020000000000000",
        ])
        .stdout,
    );
    assert!(
        rx.contains("writes 64 bytes to 0x2000") && rx.contains("SOW"),
        "{rx}"
    );
}

#[test]
fn help_has_examples_and_completions_are_printed() {
    assert!(text(&udma(&["check", "--help"]).stdout).contains("Examples:"));
    let script = text(&udma(&["completions", "bash"]).stdout);
    assert!(script.contains("udma"), "{script}");
}

/// A planted fault becomes a kept case that is replayed by the next run, first.
#[test]
fn kept_cases_are_replayed_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let corpora_copy = folder.path().join("corpora");
    std::fs::create_dir_all(corpora_copy.join("regressions")).unwrap();
    std::fs::create_dir_all(corpora_copy.join("golden")).unwrap();
    for entry in std::fs::read_dir(corpora().join("golden")).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(
            &path,
            corpora_copy.join("golden").join(path.file_name().unwrap()),
        )
        .unwrap();
    }
    let kept = corpora_copy.join("regressions/one.json");
    // BLDR-1 and BLDR-2 by hand: 4 bytes from 0x10 to 0x20, phase 1.
    let right = r#"{"format":"udma-regression/1","family":"pair","rule":"BLDR-1",
        "in":{"rx_ring_id":1,"tx_ring_id":1,"src":"0x10","dst":"0x20","size":4,"barrier":0,
              "dst_int":false,"sow":false,"arch":"v3","driver":"2.26.5.0"},
        "expect":{"kernel":["ret 0","tx 0400000d030008011000000000000000",
                            "rx 04000001000000002000000000000000"]}}"#;
    let path = corpora_copy.display().to_string();
    let args = [
        "check",
        "--no-save",
        "--cases",
        "50",
        "--rule",
        "BARR-*",
        "--corpora",
        &path,
    ];
    std::fs::write(&kept, right).unwrap();
    assert_eq!(
        udma(&args).status.code(),
        Some(0),
        "{}",
        text(&udma(&args).stderr)
    );
    std::fs::write(&kept, right.replace("0400000d", "0400000c")).unwrap();
    let out = udma(&args);
    assert_eq!(out.status.code(), Some(2));
    assert!(
        text(&out.stderr).contains("one.json"),
        "{}",
        text(&out.stderr)
    );
}
