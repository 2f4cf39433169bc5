//! `udma campaign` over a stand-in for a fuzzer's program: killed at any moment it loses nothing that
//! it told of.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use udma_oracle::generate::mix;

/// Leaves five inputs and one that shows something, of one of ten kinds, as libFuzzer leaves them.
const STAND_IN: &str = r#"#!/bin/sh
case $1 in -*) exit 0 ;; esac
for argument; do
    case $argument in -artifact_prefix=*) wrong=${argument#*=} ;; esac
done
for number in 1 2 3 4 5; do
    echo "entry $$ $number" >"$1/$number"
    printf '#%s\tNEW    cov: %s ft: 1 corp: 1/1b\n' $number $number >&2
done
echo "wrong $$" >"${wrong}crash-$$"
echo "SUMMARY: kind $(echo $$ | tail -c 2 | tr 0-9 a-j)" >&2
"#;

struct Campaign {
    root: tempfile::TempDir,
}

impl Campaign {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let programs = root.path().join("programs");
        std::fs::create_dir(&programs).unwrap();
        let program = programs.join("pair_diff");
        std::fs::write(&program, STAND_IN).unwrap();
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
        Self { root }
    }

    fn folder(&self) -> PathBuf {
        self.root.path().join("campaign")
    }

    fn command(&self, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_udma"));
        command
            .args(["campaign", "pair_diff", "--no-save", "--slice", "1"])
            .arg("--folder")
            .arg(self.folder())
            .arg("--programs")
            .arg(self.root.path().join("programs"))
            .args(more)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// The state, once there is one: it is whole at every moment.
    fn state(&self) -> Option<Value> {
        let text = std::fs::read_to_string(self.folder().join("campaign.json")).ok()?;
        Some(serde_json::from_str(&text).expect("a whole state"))
    }

    fn entries(&self) -> BTreeSet<PathBuf> {
        let corpus = self.folder().join("corpus/pair_diff");
        let Ok(entries) = std::fs::read_dir(corpus) else {
            return BTreeSet::new();
        };
        let files = entries.map(|entry| entry.unwrap().path());
        // What a kill leaves of a file that was being written has a name of its own.
        let whole = |file: &PathBuf| !file.file_name().unwrap().to_string_lossy().starts_with('.');
        files.filter(whole).collect()
    }
}

fn keys(state: &Value) -> BTreeSet<String> {
    let findings = state["findings"].as_array().unwrap();
    findings
        .iter()
        .map(|finding| finding["key"].to_string())
        .collect()
}

#[test]
fn fifty_kills_lose_nothing_that_was_told() {
    let campaign = Campaign::new();
    let (mut told, mut entries) = (BTreeSet::new(), BTreeSet::new());
    for kill in 0..50 {
        let mut child = campaign
            .command(&["--seconds", "600", "--workers", "2"])
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(20 + mix(5, kill) % 180));
        child.kill().unwrap();
        child.wait().unwrap();
        let Some(state) = campaign.state() else {
            continue;
        };
        let now = campaign.entries();
        assert!(now.is_superset(&entries), "kill {kill}: an input is gone");
        let count = state["targets"]["pair_diff"]["corpus"]
            .as_u64()
            .unwrap_or(0);
        assert!(
            now.len() as u64 >= count,
            "kill {kill}: {} of {count}",
            now.len()
        );
        let found = keys(&state);
        assert!(found.is_superset(&told), "kill {kill}: a finding is gone");
        for finding in state["findings"].as_array().unwrap() {
            let input = campaign.folder().join(finding["input"].as_str().unwrap());
            assert!(
                std::fs::read(&input).unwrap().starts_with(b"wrong"),
                "{input:?}"
            );
        }
        (told, entries) = (found, now);
    }
    // The last one takes in what the others left.
    let out = campaign.command(&["--seconds", "2"]).output().unwrap();
    assert_eq!(
        out.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    let state = campaign.state().unwrap();
    assert!(keys(&state).is_superset(&told));
    assert!(campaign.entries().is_superset(&entries));
    // Ten kinds, and what a kill left before the fuzzer said of which kind it is.
    assert!(
        campaign.entries().len() >= 5 && keys(&state).len() <= 11,
        "{state:#}"
    );
    let slices = campaign.folder().join("slices/pair_diff");
    assert_eq!(
        std::fs::read_dir(slices).unwrap().count(),
        0,
        "slices are left"
    );
    let table = String::from_utf8(out.stdout).unwrap();
    assert!(table.contains("SUMMARY: kind"), "{table}");
}

#[test]
fn executions_are_a_budget_and_corpora_are_united() {
    let campaign = Campaign::new();
    let out = campaign
        .command(&["--runs", "10", "--workers", "1", "--seconds", "60"])
        .output();
    assert_eq!(out.unwrap().status.code(), Some(1));
    let state = campaign.state().unwrap();
    // Five a slice.
    assert_eq!(state["targets"]["pair_diff"]["executions"], 10);
    assert_eq!(campaign.entries().len(), 10);
    let other = Campaign::new();
    let from = campaign.folder();
    let from = [
        "--from",
        from.to_str().unwrap(),
        "--runs",
        "5",
        "--workers",
        "1",
    ];
    assert_eq!(
        other.command(&from).output().unwrap().status.code(),
        Some(1)
    );
    assert_eq!(other.entries().len(), 15);
}

#[test]
fn workers_of_one_target_share_its_budget() {
    let campaign = Campaign::new();
    let three = ["--runs", "100", "--workers", "3", "--seconds", "60"];
    let out = campaign.command(&three).output().unwrap();
    assert_eq!(out.status.code(), Some(1));
    let state = campaign.state().unwrap();
    let executions = &state["targets"]["pair_diff"]["executions"];
    // Five a slice; slices that run when the budget is reached go on.
    assert!(
        (100..=110).contains(&executions.as_u64().unwrap()),
        "{executions}"
    );
    // Who looks at no terminal is told after each slice.
    let said = String::from_utf8(out.stderr).unwrap();
    let lines = said.lines().filter(|line| line.contains(" executions, "));
    assert!(lines.count() >= 20, "{said}");
}

#[test]
fn two_campaigns_do_not_share_a_folder() {
    let campaign = Campaign::new();
    let mut first = campaign.command(&["--seconds", "600"]).spawn().unwrap();
    while campaign.state().is_none() {
        assert!(first.try_wait().unwrap().is_none(), "it ended");
        std::thread::sleep(Duration::from_millis(1));
    }
    let second = campaign.command(&["--seconds", "600"]).output().unwrap();
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.status.code(), Some(2));
    let said = String::from_utf8(second.stderr).unwrap();
    assert!(said.contains("a campaign runs there"), "{said}");
}

#[test]
fn a_program_that_runs_nothing_ends_the_campaign() {
    let campaign = Campaign::new();
    let program = campaign.root.path().join("programs/pair_diff");
    std::fs::write(program, "#!/bin/sh\necho no library >&2\nexit 127\n").unwrap();
    let out = campaign.command(&["--seconds", "60"]).output().unwrap();
    assert_eq!(out.status.code(), Some(3));
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.contains("no library"), "{said}");
}

#[test]
fn a_target_that_is_not_built_is_named() {
    let campaign = Campaign::new();
    let mut command = campaign.command(&[]);
    command.arg("ring_script");
    let out = command.output().unwrap();
    assert_eq!(out.status.code(), Some(2));
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.contains("programs/ring_script is not there"), "{said}");
    assert!(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../docs/fuzzing.md")
            .exists()
    );
}
