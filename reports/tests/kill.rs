//! A writer that is killed at any moment leaves whole files.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use udma_report::json;
use udma_report::model::Report;
use udma_report::writer::{Format, ReportWriter};

const DIRECTORY: &str = "UDMA_REPORT_KILL_TEST";

// The two reports that the child writes in turn; they differ in length.
fn reports() -> [Report; 2] {
    let mut partial = common::held();
    partial.complete = false;
    [partial, common::sample()]
}

#[test]
#[ignore = "started by a_killed_writer_leaves_whole_files"]
fn writes_for_ever() {
    let directory = env::var_os(DIRECTORY).expect("the parent names a directory");
    let writer =
        ReportWriter::new(PathBuf::from(directory), Format::ALL).expect("the directory is there");
    let reports = reports();
    // Ends by itself should the parent die first.
    let end = Instant::now() + Duration::from_secs(60);
    while Instant::now() < end {
        for report in &reports {
            writer.write(report).expect("the report can be written");
        }
    }
}

fn start(directory: &Path) -> Child {
    Command::new(env::current_exe().expect("a test has a path"))
        .args(["--exact", "writes_for_ever", "--ignored"])
        .env(DIRECTORY, directory)
        .stdout(Stdio::null())
        .spawn()
        .expect("a test can start itself")
}

#[test]
fn a_killed_writer_leaves_whole_files() {
    let root = tempfile::tempdir().expect("a directory for the test");
    let allowed: Vec<[String; 4]> = reports()
        .iter()
        .map(|report| Format::ALL.map(|format| format.render(report)))
        .collect();
    let mut seen = 0;
    for round in 0..24_u64 {
        let mut child = start(root.path());
        let whole = root.path().join("report.txt");
        let end = Instant::now() + Duration::from_secs(30);
        while round == 0 && !whole.exists() {
            assert!(Instant::now() < end, "the child writes nothing");
            thread::sleep(Duration::from_millis(1));
        }
        // Spread over start, rendering, writing and renaming.
        thread::sleep(Duration::from_micros(3_000 + round * round * 613 % 40_000));
        child.kill().expect("the child runs");
        child.wait().expect("the child ends");
        json::read(&root.path().join("report.json")).expect("the report is whole");
        for (at, format) in Format::ALL.into_iter().enumerate() {
            let text = fs::read_to_string(root.path().join(format.file_name()))
                .expect("the file is there");
            assert!(
                allowed.iter().any(|texts| texts[at] == text),
                "{format} is torn in round {round}"
            );
            seen += 1;
        }
    }
    assert_eq!(seen, 24 * 4);
}
