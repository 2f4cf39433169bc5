//! The virtual device behind real system calls.
#![cfg(target_os = "linux")]

mod malformed;

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use udma_harness::corpus;
use udma_harness::program::{Arch, Program};
use udma_harness::vdev::Fault;

const UDMA: &str = env!("CARGO_BIN_EXE_udma");
const HERE: &str = env!("CARGO_MANIFEST_DIR");

fn vdev(options: &[&str], command: &[&str]) -> Output {
    Command::new(UDMA)
        .arg("vdev")
        .args(options)
        .arg("--")
        .args(command)
        .output()
        .expect("the command starts")
}

fn ok(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{:?}\n{text}\n{errors}",
        output.status
    );
    text
}

fn compile(name: &str, options: &[&str]) -> PathBuf {
    let source = Path::new(HERE)
        .join("tests/vdev/clients")
        .join(format!("{name}.c"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    // Tests run side by side: each has a program of its own.
    let thread = std::thread::current();
    let program = folder.join(format!("{name}-{}", thread.name().unwrap_or("test")));
    let status = Command::new("cc")
        .args(["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .arg(source)
        .args(options)
        .status()
        .expect("a C compiler");
    assert!(status.success());
    program
}

#[test]
fn a_c_client() {
    let program = compile("plain", &[]);
    for arch in ["v2", "v3", "v4"] {
        let output = vdev(&["--arch", arch], &[program.to_str().unwrap()]);
        assert_eq!(ok(&output), "plain: ok\n");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            errors.contains("0x80104e23 is not served: ENOTTY"),
            "{errors}"
        );
    }
}

#[test]
fn a_static_threaded_forking_client() {
    let program = compile("forking", &["-static", "-pthread"]);
    for seed in ["1", "2", "3"] {
        let output = vdev(&["--seed", seed], &[program.to_str().unwrap()]);
        assert_eq!(ok(&output), "forking: ok\n");
    }
}

#[test]
fn a_python_client() {
    let script = Path::new(HERE).join("tests/vdev/clients/client.py");
    let output = vdev(&["--devices", "2"], &["python3", script.to_str().unwrap()]);
    assert_eq!(ok(&output), "python: ok\n");
}

#[test]
fn exit_codes_are_the_programs() {
    for (script, code) in [("exit 7", 7), ("kill -9 $$", 137), ("exit 0", 0)] {
        let output = vdev(&[], &["sh", "-c", script]);
        assert_eq!(output.status.code(), Some(code), "{script}");
    }
    let output = vdev(&[], &["/no/such/program"]);
    assert_eq!(output.status.code(), Some(2));
}

fn programs(arch: &str, extra: &[&str]) -> Output {
    let folder = Path::new(HERE).join("../corpora/programs");
    let mut command = vec![
        UDMA,
        "run",
        folder.to_str().unwrap(),
        "--on",
        "/dev/neuron0",
    ];
    // A marker that does not come is looked for as often as any that comes needs it, and no longer.
    command.extend(["--allow-disturbing", "--looks", "2000"]);
    command.extend(extra);
    vdev(&["--arch", arch], &command)
}

#[test]
fn every_program_on_the_device_backend_v2() {
    ok(&programs("v2", &[]));
}

#[test]
fn every_program_on_the_device_backend_v3() {
    ok(&programs("v3", &[]));
}

#[test]
fn every_program_on_the_device_backend_v4() {
    ok(&programs("v4", &[]));
}

/// Most bytes of a program that looks for a fault.
const SMALL: u64 = 1 << 22;

/// Files of the programs that may find a fault: those that name one of its rules.
fn seekers(fault: Fault) -> Vec<String> {
    let names = |program: &Program| {
        let blamed = |rule: &str| fault.rules().contains(&rule);
        program.named_rules().any(blamed)
    };
    // What a closed device leaves behind is seen by the run, whatever the program.
    let left = fault.rules().contains(&"DEV-20");
    let mut programs = corpus::all();
    programs.retain(|program| {
        program.suits(Arch::V3)
            && program.bytes() <= SMALL
            && (names(program) || left && program.rings.iter().any(|ring| ring.tx == 32))
    });
    let file = |program: Program| format!("{HERE}/../corpora/programs/{}.json", program.name);
    programs.into_iter().map(file).collect()
}

/// `udma run` names the rule of every fault, and the step or what is wrong in the end.
#[test]
fn every_fault_is_found_through_real_calls() {
    let mut missed = Vec::new();
    for fault in Fault::ALL.iter().copied() {
        let files = seekers(fault);
        let run = |options: &[&str]| {
            let mut command = vec![UDMA, "run", "--on", "/dev/neuron0", "--allow-disturbing"];
            // A marker that is not there after so many calls never comes.
            command.extend(["--looks", "1000"]);
            command.extend(options);
            command.extend(files.iter().map(String::as_str));
            vdev(&["--fault", fault.id()], &command)
        };
        let found = |output: &Output| {
            let text = String::from_utf8_lossy(&output.stdout);
            let named = |rule: &&str| text.contains(&format!(". {rule} "));
            let places = ["steps[", "in the end", "after the close"];
            let placed = places.iter().any(|place| text.contains(place));
            output.status.code() == Some(1) && fault.rules().iter().any(named) && placed
        };
        let mut output = run(&[]);
        // A fault of order shows on some rounds only.
        if !found(&output) {
            output = run(&["--repeat", "20", "--stop-on", "finding"]);
        }
        if !found(&output) {
            let text = String::from_utf8_lossy(&output.stdout);
            let errors = String::from_utf8_lossy(&output.stderr);
            missed.push(format!("{} {files:?}\n{text}{errors}", fault.id()));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn a_device_needs_leave_and_a_known_driver() {
    let file = Path::new(HERE).join("../corpora/programs/bad-source.json");
    let command = [UDMA, "run", file.to_str().unwrap(), "--on", "/dev/neuron0"];
    let output = vdev(&[], &command);
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.contains("--allow-disturbing"), "{errors}");
    let output = vdev(&["--driver", "2.25.4.0"], &command);
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        errors.contains("2.25.4.0") && errors.contains("--any-driver"),
        "{errors}"
    );
}

/// A shell's script under a supervisor, whose output is read.
fn supervised(script: &str) -> Child {
    Command::new(UDMA)
        .args(["vdev", "--", "sh", "-c", script])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn killing_the_supervisor_hangs_nothing() {
    let program = compile("plain", &[]);
    for delay in [0, 5, 20, 60] {
        let script = format!("while {0}; do :; done; echo over", program.display());
        let mut child = supervised(&script);
        std::thread::sleep(Duration::from_millis(delay + 30));
        child.kill().unwrap();
        // The pipe ends when the last process of the program has: calls that are no longer served
        // fail, and the loop ends. One that hangs is ended by the runner's limit.
        let mut text = String::new();
        std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut text).unwrap();
        child.wait().unwrap();
        assert!(text.ends_with("over\n"), "{text}");
    }
}

/// Open descriptors of a process, and the KiB of its memory.
fn held_by(process: u32) -> (usize, u64) {
    let files = std::fs::read_dir(format!("/proc/{process}/fd")).unwrap();
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let memory = line.and_then(|line| line.trim().strip_suffix(" kB"));
    (files.count(), memory.unwrap().parse().unwrap())
}

#[test]
fn a_thousand_runs_leave_nothing() {
    let program = compile("plain", &[]);
    let script = format!(
        "n=0; while [ $n -lt 1000 ]; do n=$((n+1)); {} || exit 1; done",
        program.display()
    );
    let mut child = supervised(&script);
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut early = None;
    let mut count = 0;
    for line in lines {
        assert_eq!(line.unwrap(), "plain: ok");
        count += 1;
        if count == 100 {
            early = Some(held_by(child.id()));
        }
        if count == 999 {
            let (files, memory) = early.unwrap();
            let late = held_by(child.id());
            // A run that has just ended may not have been given back yet, its 16 KiB neither.
            assert!(late.0 <= files + 4, "{late:?} after {files}, {memory}");
            assert!(late.1 <= memory + 1024, "{late:?} after {files}, {memory}");
        }
    }
    assert!(child.wait().unwrap().success());
    assert_eq!(count, 1000);
}

#[test]
fn malformed_calls_through_real_calls() {
    let program = compile("malformed", &[]);
    let calls = std::env::var("UDMA_REAL_CALLS").unwrap_or("20000".into());
    let output = vdev(&[], &[program.to_str().unwrap(), &calls]);
    assert_eq!(ok(&output), format!("malformed: {calls} answered\n"));
}
