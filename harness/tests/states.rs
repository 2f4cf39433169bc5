//! `udma states` and `udma trace` from outside.

use std::fs;
use std::process::{Command, Output, Stdio};

use rstest::rstest;
use udma_oracle::state::Belief;

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

#[test]
fn the_smallest_states_hold() {
    let out = udma(&["states", "--small"]);
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{shown}");
    assert_eq!(shown.matches("  holds  ").count(), 8, "{shown}");
}

#[test]
fn each_belief_ends_in_a_counterexample() {
    for belief in Belief::ALL {
        let out = udma(&["states", "--belief", belief.name()]);
        let shown = text(&out.stdout);
        assert_eq!(out.status.code(), Some(1), "{shown}");
        for part in ["driver  ", "memory", "stage ", "does not hold: "] {
            assert!(shown.contains(part), "{belief}: {shown}");
        }
    }
}

#[rstest]
#[case(&["states", "--belief", "guard-14"], "\"guard-14\" is not known: no-write-barrier")]
#[case(&["trace", "--driver", "2.26"], "\"2.26\" is not known: 2.15.9.0")]
#[case(&["trace", "--ring", "48"], "--ring 48 is no power of two from 32 to 65536")]
#[case(&["trace", "--ring", "131072"], "--ring 131072 is no power of two from 32 to 65536")]
#[case(&["trace", "--start", "256"], "--start 256 is not below 256")]
#[case(&["trace", "--threshold", "47"], "--threshold 47 makes batches that do not fit a ring of 64: at most 46")]
#[case(&["trace", "--size", "262145", "--chunk", "1"], "is 262145 pairs: at most 262144")]
#[case(&["trace", "--kind", "async", "--size", "47105"], "--size 47105 does not fit two batches: at most 47104")]
#[case(&["trace", "--kind", "zerocopy"], "--ring 64 is too small for two steps of zero-copy: at least 256")]
#[case(&["trace", "--chunk", "0"], "0 is not in 1..=65536")]
#[case(&["trace", "--text", "no/such/folder/x"], "no/such/folder/x: cannot create a file beside it")]
fn bad_arguments_are_named_with_their_bounds(#[case] args: &[&str], #[case] said: &str) {
    let out = udma(args);
    let shown = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{shown}");
    assert!(shown.contains(said), "{shown}");
}

#[rstest]
#[case::copy(&["--size", "3000", "--ring", "32", "--start", "30"])]
#[case::batches(&["--size", "100000", "--ring", "32"])]
#[case::lap(&["--size", "20000", "--start", "250", "--arch", "v2"])]
#[case::nothing(&["--size", "0"])]
#[case::handles(&["--kind", "async", "--size", "9000", "--arch", "v4"])]
#[case::fill(&["--kind", "memset", "--size", "200000", "--chunk", "65536"])]
#[case::pages(&["--kind", "zerocopy", "--size", "700001", "--ring", "512"])]
#[case::older(&["--driver", "2.18.20.0", "--size", "5000"])]
#[case::long(&["--size", "1073741824", "--chunk", "65536", "--ring", "8192", "--rows", "40"])]
fn equal_seeds_give_equal_bytes(#[case] args: &[&str]) {
    let run = |seed: &str| udma(&[&["trace", "--seed", seed][..], args].concat());
    let (first, again, other) = (run("1"), run("1"), run("2"));
    let shown = text(&first.stdout);
    assert_eq!(
        first.status.code(),
        Some(0),
        "{shown}{}",
        text(&first.stderr)
    );
    assert!(first.stdout == again.stdout, "two runs of one seed differ");
    assert!(first.stdout != other.stdout, "the seed changes nothing");
    assert!(
        shown.lines().count() <= 204,
        "{} lines",
        shown.lines().count()
    );
}

#[test]
fn a_trace_shows_every_part_of_the_cycle() {
    let out = udma(&["trace", "--size", "2048"]);
    let shown = text(&out.stdout);
    let mut from = 0;
    for part in [
        "stage tx slot 0: 1,024 bytes, phase 1",
        "store 0xabcdef01 to 0x100000000",
        "store 0x00000000 to 0x100000004",
        "stage rx slot 2: 4 bytes, phase 1",
        "barrier",
        "rx doorbell 3",
        "barrier",
        "tx doorbell 3",
        "fetch slot ",
        "1,024 bytes of slot 0 visible",
        "marker of slot 2 visible",
        "poll: the marker",
        "ack rx up to slot 3",
        "ack tx up to slot 3",
    ] {
        let at = shown[from..].find(part);
        from += at.unwrap_or_else(|| panic!("{part:?} is not next in\n{shown}"));
    }
}

#[test]
fn files_hold_what_is_printed_and_a_drawing() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (svg, plain) = (file("run.svg"), file("run.txt"));
    let out = udma(&["trace", "--svg", &svg, "--text", &plain]);
    assert_eq!((out.status.code(), out.stdout.len()), (Some(0), 0));
    let printed = udma(&["trace"]).stdout;
    assert!(fs::read(&plain).unwrap() == printed);
    let drawn = fs::read_to_string(&svg).unwrap();
    assert!(drawn.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    assert!(drawn.ends_with("</svg>\n"));
    for part in ["tx doorbell", "marker of slot", "ack tx up to slot"] {
        assert!(drawn.contains(part), "{part}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}
