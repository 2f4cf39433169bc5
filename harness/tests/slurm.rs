//! `udma campaign --slurm` on a Slurm of one machine, which the test starts with a configuration of
//! its own: tasks are shards, and the job behind them joins what they did.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Leaves an input of its own and one that shows the same as those of other tasks.
const STAND_IN: &str = r#"#!/bin/sh
for argument; do
    case $argument in
        -artifact_prefix=*) wrong=${argument#*=} ;;
        -minimize_crash=1) exit 0 ;;
    esac
done
echo "entry $SLURM_ARRAY_TASK_ID $$" >"$1/1"
echo "wrong $SLURM_ARRAY_TASK_ID" >"${wrong}crash-$$"
echo "stat::number_of_executed_units: 5" >&2
echo "SUMMARY: of one kind" >&2
"#;

/// Daemons that end with the test.
struct Slurm {
    root: tempfile::TempDir,
    daemons: Vec<Child>,
}

impl Drop for Slurm {
    fn drop(&mut self) {
        for daemon in self.daemons.iter_mut().rev() {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

fn output(command: &mut Command) -> String {
    let out = command.output().expect("a command");
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.success(), "{command:?}: {said}");
    String::from_utf8(out.stdout).expect("text")
}

impl Slurm {
    /// None where Slurm is not installed; CI must have it.
    fn start() -> Option<Self> {
        let is_there = |name: &str| {
            let places = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"];
            places
                .iter()
                .any(|place| Path::new(place).join(name).exists())
        };
        let needed = ["munged", "slurmctld", "slurmd", "sbatch", "squeue"];
        if let Some(missing) = needed.iter().find(|name| !is_there(name)) {
            assert!(
                std::env::var("CI").is_err(),
                "{missing} is missing; it must be there in CI"
            );
            println!("skipped: {missing} is not installed (.ci/setup does that)");
            return None;
        }
        let root = tempfile::tempdir().unwrap();
        let mut slurm = Self {
            root,
            daemons: Vec::new(),
        };
        for folder in ["state", "spool"] {
            std::fs::create_dir(slurm.at(folder)).unwrap();
        }
        std::fs::write(slurm.at("key"), [0x5a; 128]).unwrap();
        std::fs::set_permissions(slurm.at("key"), PermissionsExt::from_mode(0o400)).unwrap();
        let host = output(&mut Command::new("hostname"))
            .trim()
            .split('.')
            .next()
            .unwrap_or_default()
            .to_string();
        let user = output(Command::new("id").arg("-un"));
        let port = || {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            listener.local_addr().unwrap().port()
        };
        let (root, user) = (slurm.root.path().display(), user.trim());
        let conf = format!(
            "ClusterName=udma\nSlurmctldHost={host}(127.0.0.1)\nSlurmctldPort={}\nSlurmdPort={}\n\
             AuthType=auth/munge\nAuthInfo=socket={root}/munge\nSlurmUser={user}\nSlurmdUser={user}\n\
             StateSaveLocation={root}/state\nSlurmdSpoolDir={root}/spool\n\
             SlurmctldPidFile={root}/ctld.pid\nSlurmdPidFile={root}/slurmd.pid\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n\
             JobAcctGatherType=jobacct_gather/none\nAccountingStorageType=accounting_storage/none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nMpiDefault=none\n\
             ReturnToService=2\nNodeName={host} NodeAddr=127.0.0.1 CPUs=1 State=UNKNOWN\n\
             PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP\n",
            port(),
            port(),
        );
        std::fs::write(slurm.at("slurm.conf"), conf).unwrap();
        let munge = [
            format!("--key-file={}", slurm.at("key").display()),
            format!("--socket={}", slurm.at("munge").display()),
            format!("--pid-file={}", slurm.at("munged.pid").display()),
            format!("--seed-file={}", slurm.at("munged.seed").display()),
            "--force".into(),
            "--foreground".into(),
        ];
        slurm.daemon("munged", &munge);
        let start = Instant::now();
        while !slurm.at("munge").exists() {
            assert!(start.elapsed().as_secs() < 30, "munged does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        let conf = slurm.at("slurm.conf").display().to_string();
        slurm.daemon("slurmctld", &["-D".into(), "-f".into(), conf.clone()]);
        slurm.daemon(
            "slurmd",
            &["-D".into(), "-f".into(), conf, "-N".into(), host],
        );
        let start = Instant::now();
        loop {
            let states = slurm.command("sinfo").args(["-h", "-o", "%t"]).output();
            if states.is_ok_and(|out| out.stdout.starts_with(b"idle")) {
                return Some(slurm);
            }
            assert!(start.elapsed().as_secs() < 60, "no node: {}", slurm.logs());
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn daemon(&mut self, name: &str, arguments: &[String]) {
        let log = std::fs::File::create(self.at(&format!("{name}.log"))).unwrap();
        let daemon = self
            .command(name)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        self.daemons.push(daemon.expect(name));
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .env("PATH", format!("{path}:/usr/sbin:/usr/bin"))
            .env("SLURM_CONF", self.at("slurm.conf"));
        command
    }

    fn logs(&self) -> String {
        let logs = ["munged.log", "slurmctld.log", "slurmd.log"];
        let read = |log| std::fs::read_to_string(self.at(log)).unwrap_or_default();
        logs.map(read).concat()
    }
}

fn json(file: &Path) -> Value {
    let text =
        std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn an_array_job_runs_shards_and_the_job_behind_it_joins_them() {
    let Some(slurm) = Slurm::start() else {
        return;
    };
    // A name with what a shell would take apart.
    let folder = slurm.at("a 'campaign'");
    let program = slurm.at("pair_diff");
    std::fs::write(&program, STAND_IN).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let udma = env!("CARGO_BIN_EXE_udma");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let said = output(
        slurm
            .command(udma)
            .args(["campaign", "pair_diff", "--no-save", "--runs", "30"])
            .args(["--workers", "1", "--slurm", "3", "--check", "300"])
            .arg("--folder")
            .arg(&folder)
            .arg("--programs")
            .arg(slurm.root.path())
            .current_dir(root),
    );
    assert!(said.contains("3 tasks"), "{said}");
    let start = Instant::now();
    while !output(slurm.command("squeue").arg("-h")).is_empty() {
        assert!(start.elapsed().as_secs() < 240, "{}", slurm.logs());
        std::thread::sleep(Duration::from_millis(200));
    }
    let log = std::fs::read_to_string(folder.join("slurm/join.log")).expect("the last job ran");
    let state = json(&folder.join("campaign.json"));
    // Ten executions a task, five a slice, each of which leaves an input.
    let joined = state["joined"].as_object().unwrap();
    assert_eq!(joined.len(), 3, "{log}");
    for shard in joined.values() {
        assert_eq!(shard["pair_diff"]["executions"], 10, "{state:#}");
    }
    assert_eq!(state["targets"]["pair_diff"]["corpus"], 6, "{state:#}");
    let findings = state["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{state:#}");
    assert_eq!(findings[0]["times"], 6);
    assert!(log.contains("of one kind"), "{log}");

    // Cases that were tried in parts give the report of the whole.
    let whole = slurm.at("whole");
    output(
        Command::new(udma)
            .args(["check", "--no-save", "--cases", "300", "--format", "json"])
            .arg("--report")
            .arg(&whole)
            .current_dir(root),
    );
    assert_eq!(
        json(&folder.join("report/report.json")),
        json(&whole.join("report.json"))
    );
}
