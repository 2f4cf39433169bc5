//! A campaign on many machines: an array job of Slurm whose tasks are shards, and a job behind it
//! that joins them.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use udma_report::writer::write_file;

use super::CampaignArgs;
use crate::cli::print;
use crate::failure::Failure;

/// A path of any letters as a word of a shell.
fn word(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn path(path: &Path) -> Result<String, Failure> {
    let whole = std::path::absolute(path).map_err(Failure::file(path))?;
    let text = whole.to_str().map(String::from);
    text.ok_or_else(|| Failure::Input(format!("{}: not UTF-8", path.display())))
}

/// The two jobs' scripts: that of a task, and that of the job behind them.
fn scripts(args: &CampaignArgs, corpora: &Path, tasks: u32) -> Result<[String; 2], Failure> {
    let udma = std::env::current_exe().map_err(Failure::file(Path::new("udma")))?;
    let udma = word(&path(&udma)?);
    let folder = word(&path(&args.folder)?);
    let corpora = word(&path(corpora)?);
    let mut campaign = vec![udma.clone(), "campaign".into()];
    campaign.extend(args.targets.iter().map(|target| word(target)));
    campaign.push(format!("--programs {}", word(&path(&args.programs)?)));
    campaign.push(format!("--corpora {corpora}"));
    let mut task = campaign.clone();
    task.push(format!("--seconds {} --slice {}", args.seconds, args.slice));
    if let Some(runs) = args.runs {
        task.push(format!("--runs {}", runs.div_ceil(tasks.into())));
    }
    if let Some(workers) = args.workers {
        task.push(format!("--workers {workers}"));
    }
    for from in &args.from {
        task.push(format!("--from {}", word(&path(from)?)));
    }
    // What is found is kept by the job behind them, once.
    task.push("--no-save".into());
    let mut join = campaign;
    join.push(format!("--folder {folder} --seconds 0"));
    if args.no_save {
        join.push("--no-save".into());
    }
    let shards: Vec<String> = (1..=tasks)
        .map(|number| format!("{folder}/shards/{number}"))
        .collect();
    // A task that was ended before it began has left nothing to join.
    let there = format!(
        "from=()\nfor shard in {}; do\n    if [ -e \"$shard/campaign/campaign.json\" ]; then\n        \
         from+=(--from \"$shard/campaign\")\n    fi\ndone\n",
        shards.join(" ")
    );
    // 1 says that something was found, which is no failure of a job.
    let begin = "#!/bin/bash\nset -u\ncode=0\nrun() { \"$@\" || { local own=$?; [ $own -le 1 ] || code=$own; }; }\n";
    let end = "exit $code\n";
    let own = format!("{folder}/shards/\"$SLURM_ARRAY_TASK_ID\"");
    let mut shard = format!("{begin}run {} --folder {own}/campaign\n", task.join(" "));
    let mut joined = format!("{begin}{there}run {} \"${{from[@]}}\"\n", join.join(" "));
    if let Some(cases) = args.check {
        shard += &format!(
            "run {udma} check --no-save --cases {cases} --corpora {corpora} --format json \
             --shard \"$SLURM_ARRAY_TASK_ID\"/{tasks} --report {own}\n"
        );
        joined += &format!(
            "run {udma} report merge {} --output {folder}/report\n",
            shards.join(" ")
        );
    }
    Ok([shard + end, joined + end])
}

/// Writes the scripts, and submits both jobs.
///
/// # Errors
/// Scripts that cannot be written, or an `sbatch` that is missing or refuses them.
pub fn submit(args: &CampaignArgs, corpora: &Path, tasks: u32) -> Result<ExitCode, Failure> {
    let folder = PathBuf::from(path(&args.folder)?);
    let own = folder.join("slurm");
    std::fs::create_dir_all(&own).map_err(Failure::file(&own))?;
    let [shard, join] = scripts(args, corpora, tasks)?;
    let sbatch = |name: &str, script: &str, log: &str, more: &[String]| {
        let file = own.join(format!("{name}.sh"));
        write_file(&file, script.as_bytes())?;
        let mut command = Command::new("sbatch");
        command
            .arg("--parsable")
            .arg(format!("--job-name=udma-{name}"))
            .arg(format!("--output={}", own.join(log).display()))
            .args(more)
            .args(&args.sbatch)
            .arg(&file);
        let out = command
            .output()
            .map_err(Failure::file(Path::new("sbatch")))?;
        let said = String::from_utf8_lossy(&out.stdout);
        // `12`, or `12;cluster`.
        let number = said.trim().split(';').next().unwrap_or_default();
        if !out.status.success() || number.is_empty() {
            let said = String::from_utf8_lossy(&out.stderr);
            return Err(Failure::Environment(format!("sbatch: {}", said.trim())));
        }
        Ok(number.to_string())
    };
    let mut array = vec![format!("--array=1-{tasks}")];
    array.extend(
        args.workers
            .map(|number| format!("--cpus-per-task={number}")),
    );
    let shards = sbatch("shard", &shard, "shard-%a.log", &array)?;
    // Whatever became of a shard: what the others found is joined.
    let behind = [format!("--dependency=afterany:{shards}")];
    let last = sbatch("join", &join, "join.log", &behind)?;
    print(&format!(
        "job {shards}: {tasks} tasks; job {last} joins them in {}\n",
        args.folder.display()
    ))?;
    Ok(ExitCode::SUCCESS)
}
