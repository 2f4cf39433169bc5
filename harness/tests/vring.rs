//! `udma vring` from outside: tables, ring bytes, differences, and bad input.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rstest::rstest;
use tempfile::TempDir;

fn udma(args: &[&str], input: Option<&str>) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_udma"))
        .arg("vring")
        .args(args)
        .stdin(if input.is_some() {
            Stdio::piped()
        } else {
            Stdio::null()
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the udma command");
    if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
        // The command may end before it has read all of a bad input.
        let _ = stdin.write_all(input.as_bytes());
    }
    child.wait_with_output().expect("its output")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const SCRIPT: &str = r#"{"arch": "v3", "script": [
  {"op": "transfer", "src": "0x1000", "dst": "0x2000", "size": 70000, "ordered": true},
  {"op": "poke", "kind": "event", "src": "0x4000", "dst": "0x20000"}
]}"#;

fn folder_with(script: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program.json");
    std::fs::write(&file, script).unwrap();
    (folder, file)
}

fn arg(file: &Path) -> &str {
    file.to_str().unwrap()
}

#[rstest]
#[case::rust("rust-hal")]
#[case::c("c-hal")]
fn a_program_as_a_table(#[case] subject: &str) {
    let out = udma(&["author", "-", "--subject", subject], Some(SCRIPT));
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let shown = text(&out.stdout);
    // XFER-1: 70000 = 65536 + 4464 = 0x1170; the poke is SOW on v3 (XFER-5).
    for row in [
        "tx          0  0d000000  01080003  0x0000000000001000   1   65536  FIRST LAST",
        "tx          1  0d001170  01080003  0x0000000000011000   1    4464  FIRST LAST",
        "rx          1  21001170  00000000  0x0000000000012000   1    4464  SOW",
        "rx          2  21000004  00000000  0x0000000000020000   1       4  SOW",
    ] {
        assert!(shown.contains(row), "{row}\n{shown}");
    }
    assert_eq!(shown.lines().count(), 7);
}

#[test]
fn rings_are_written_read_back_and_compared() {
    let (folder, script) = folder_with(SCRIPT);
    let file = |name: &str| folder.path().join(name);
    let (tx, rx, packed) = (file("tx.ring"), file("rx.ring"), file("packed.ring"));
    let out = udma(
        &[
            "author",
            arg(&script),
            "--tx",
            arg(&tx),
            "--rx",
            arg(&rx),
            "--padded",
            "4",
            "--scratch",
            "0xabc0",
        ],
        None,
    );
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let bytes = std::fs::read(&tx).unwrap();
    assert_eq!(bytes.len(), 64);
    // DUMP-3: the no-op behind three descriptors.
    let no_op = [0x04, 0, 0, 0x0d, 3, 0, 8, 1, 0xc0, 0xab, 0, 0, 0, 0, 0, 0];
    assert_eq!(bytes[48..], no_op);
    assert_eq!(std::fs::read(&rx).unwrap()[51], 0x01);

    let out = udma(&["read", "--half", "tx", arg(&tx)], None);
    let shown = text(&out.stdout);
    let last = "tx          3  0d000004  01080003  0x000000000000abc0   1       4  FIRST LAST";
    assert!(shown.contains(last), "{shown}");

    let out = udma(&["diff", "--half", "tx", arg(&tx), arg(&tx)], None);
    assert_eq!(out.status.code(), Some(0));
    assert_eq!(text(&out.stdout), "equal: 4 descriptors\n");

    let out = udma(
        &[
            "author",
            arg(&script),
            "--pack",
            "1048576",
            "--tx",
            arg(&packed),
        ],
        None,
    );
    assert!(text(&out.stdout).contains("packed: -2 packets"), "{out:?}");
    let out = udma(&["diff", "--half", "tx", arg(&tx), arg(&packed)], None);
    assert_eq!(out.status.code(), Some(1));
    let shown = text(&out.stdout);
    for line in [
        "tx 0: word0 CONCAT: 0x0, 0x1",
        "tx 0: word0 LAST: 0x1, 0x0",
        "tx 1: word0 FIRST: 0x1, 0x0",
        "tx 2: word0 FIRST: 0x1, 0x0",
        "packed.ring ends before",
        "4 descriptors differ",
    ] {
        assert!(shown.contains(line), "{line}\n{shown}");
    }
    assert!(
        !shown.contains("LENGTH") && !shown.contains("pointer"),
        "{shown}"
    );
}

#[rstest]
#[case::no_json("{\"arch\": \"v3\",\n  oops}", ":2:")]
#[case::no_arch("{\"script\": []}", "field \"arch\" is missing")]
#[case::unknown_arch("{\"arch\": \"v9\", \"script\": []}", "\"v9\": v2, v3 or v4")]
#[case::no_script("{\"arch\": \"v3\"}", "field \"script\" is missing")]
#[case::unknown_op(
    "{\"arch\": \"v3\", \"script\": [{\"op\": \"free\"}, {\"op\": \"fly\"}]}",
    "step 1: field \"op\" is \"fly\""
)]
#[case::missing_member(
    "{\"arch\": \"v3\", \"script\": [{\"op\": \"template\"}]}",
    "step 0: field \"max_var_id\" is missing"
)]
#[case::out_of_bounds(
    "{\"arch\": \"v3\", \"script\": [{\"op\": \"template\", \"max_var_id\": 4294967296}]}",
    "step 0: field \"max_var_id\" is 4294967296: at most 4294967295"
)]
#[case::negative(
    "{\"arch\": \"v3\", \"script\": [{\"op\": \"cache\", \"capacity\": -1}]}",
    "field \"capacity\" is -1"
)]
#[case::bad_descriptor(
    "{\"arch\": \"v3\", \"script\": [{\"op\": \"raw\", \"half\": \"tx\", \"desc\": \"00\"}]}",
    "field \"desc\" is \"00\": 32 hex digits"
)]
#[case::huge_pring(
    "{\"arch\": \"v3\", \"script\": [{\"op\": \"pring\", \"half\": \"tx\", \"descriptors\": 99999999, \"wrap\": false, \"offset\": 0}]}",
    "field \"descriptors\" is 99999999: at most"
)]
#[case::refused_step(
    "{\"arch\": \"v3\", \"script\": [{\"op\": \"free\"}, {\"op\": \"pack\", \"start\": 0, \"end\": 9, \"max_bytes\": 1}]}",
    "step 1: pack is refused: invalid"
)]
fn a_bad_script_is_named_and_nothing_is_written(#[case] script: &str, #[case] named: &str) {
    let (folder, file) = folder_with(script);
    let ring = folder.path().join("tx.ring");
    let out = udma(&["author", arg(&file), "--tx", arg(&ring)], None);
    assert_eq!(out.status.code(), Some(2), "{}", text(&out.stdout));
    let message = text(&out.stderr);
    assert!(message.contains(named), "{message}");
    assert!(message.contains("program.json"), "{message}");
    assert!(out.stdout.is_empty());
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 1, "only the script is there");
}

#[test]
fn a_ring_that_cannot_be_written_leaves_the_other_as_it_was() {
    let (folder, script) = folder_with(SCRIPT);
    let tx = folder.path().join("tx.ring");
    std::fs::write(&tx, "old").unwrap();
    let nowhere = folder.path().join("missing/rx.ring");
    let out = udma(
        &[
            "author",
            arg(&script),
            "--tx",
            arg(&tx),
            "--rx",
            arg(&nowhere),
        ],
        None,
    );
    assert_eq!(out.status.code(), Some(2));
    assert!(
        text(&out.stderr).contains("rx.ring"),
        "{}",
        text(&out.stderr)
    );
    assert_eq!(std::fs::read(&tx).unwrap(), b"old");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn bounds_of_options_and_rings_are_named() {
    let (folder, script) = folder_with(SCRIPT);
    let tx = folder.path().join("tx.ring");
    let refused = |args: &[&str], named: &str| {
        let out = udma(args, None);
        assert_eq!(out.status.code(), Some(2), "{}", text(&out.stdout));
        let message = text(&out.stderr);
        assert!(message.contains(named), "{named}: {message}");
        assert!(!tx.exists());
    };
    let author = ["author", arg(&script), "--tx", arg(&tx), "--padded"];
    refused(
        &[&author[..], &["2"]].concat(),
        "--padded 2: the half holds 3",
    );
    refused(
        &[&author[..], &["16777201"]].concat(),
        "--padded 16777201: a queue holds at most 16777200",
    );
    refused(&["author", arg(&script), "--pack", "x"], "no number");
    refused(
        &["author", arg(&script), "--subject", "c-kernel"],
        "rust-hal or c-hal",
    );
    refused(&["author", "missing.json"], "missing.json");

    let odd = folder.path().join("odd.ring");
    std::fs::write(&odd, [0; 33]).unwrap();
    refused(
        &["read", "--half", "tx", arg(&odd)],
        "odd.ring: 33 bytes: a descriptor has 16, and the one at byte 32 has 1",
    );
    std::fs::write(&odd, []).unwrap();
    refused(
        &["diff", "--half", "rx", arg(&odd), arg(&odd)],
        "odd.ring: holds no descriptor",
    );
}
