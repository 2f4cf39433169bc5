//! One slice: a fuzzer's program for some seconds, and what it leaves.

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::inside;
use super::state::State;
use crate::failure::Failure;
use crate::fuzz::Target;
use crate::fuzz::replay::{Found, known, same};
use crate::fuzz::seeds::DICTIONARY;

/// Seconds that one input may take.
const TIMEOUT: u64 = 25;
/// Executions, and seconds, in which an input is made smaller.
const SMALLER: [u64; 2] = [20_000, 20];
/// The file that a fuzzer's last words are kept in.
const WORDS: &str = "words";

/// Programs and folders that every slice needs.
pub struct Fuzzer {
    /// The fuzzers' programs.
    pub programs: PathBuf,
    /// Seeds and the dictionary.
    pub seeds: PathBuf,
    /// Where cases are kept.
    pub keep: Option<PathBuf>,
}

/// What is to be run.
pub struct Slice<'a> {
    /// The target.
    pub target: &'a Target,
    /// A folder of its own.
    pub folder: &'a Path,
    /// The target's corpus.
    pub corpus: &'a Path,
    /// Most time.
    pub most: Duration,
    /// Most executions.
    pub runs: Option<u64>,
}

/// What a slice came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// Inputs that were run.
    pub executions: u64,
    /// Edges that were reached.
    pub coverage: u64,
}

impl Ran {
    /// Reads `#812 NEW cov: 40 ft: 52 …` and `stat::number_of_executed_units: 812`.
    fn read(&mut self, line: &str) {
        let number = |text: Option<&str>| text.and_then(|text| text.parse::<u64>().ok());
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["stat::number_of_executed_units:", count] => {
                self.executions = number(Some(count)).unwrap_or(self.executions);
            }
            [first, rest @ ..] if first.starts_with('#') => {
                if let Some(count) = number(first.get(1..)) {
                    self.executions = self.executions.max(count);
                    let cov = rest.iter().position(|word| *word == "cov:");
                    let cov = cov.and_then(|at| number(rest.get(at + 1).copied()));
                    self.coverage = self.coverage.max(cov.unwrap_or(0));
                }
            }
            _ => {}
        }
    }
}

/// Ends with this process, however that ends.
fn bound(command: &mut Command) -> &mut Command {
    let parent = std::process::id();
    // SAFETY: prctl and getppid are one system call each, which a child may make between fork and
    // exec.
    unsafe {
        command.pre_exec(move || {
            if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                return Err(std::io::Error::last_os_error());
            }
            // Ended before it could be asked for.
            if libc::getppid().cast_unsigned() != parent {
                return Err(std::io::ErrorKind::BrokenPipe.into());
            }
            Ok(())
        })
    }
}

impl Fuzzer {
    /// The program of a target.
    ///
    /// # Errors
    /// It is not built.
    pub fn program(&self, target: &Target) -> Result<PathBuf, Failure> {
        let program = self.programs.join(target.name);
        if program.is_file() {
            return Ok(program);
        }
        Err(Failure::Input(format!(
            "{} is not there: build the fuzzers (docs/fuzzing.md)",
            program.display()
        )))
    }

    /// Runs a slice; `told` hears of executions and edges.
    ///
    /// # Errors
    /// A program that cannot be started, or that ends before it has run anything.
    pub fn run(&self, slice: &Slice, told: &mut dyn FnMut(u64, u64)) -> Result<Ran, Failure> {
        let program = self.program(slice.target)?;
        let mut command = Command::new(&program);
        command.arg(slice.folder.join("new")).arg(slice.corpus);
        let seeds = self.seeds.join(slice.target.name);
        if seeds.is_dir() {
            command.arg(seeds);
        }
        let dictionary = self.seeds.join(DICTIONARY);
        if dictionary.is_file() {
            command.arg(format!("-dict={}", dictionary.display()));
        }
        // A fuzzer takes 0 for no end.
        command.arg(format!("-max_total_time={}", slice.most.as_secs().max(1)));
        if let Some(runs) = slice.runs {
            command.arg(format!("-runs={runs}"));
        }
        command
            .arg(format!(
                "-artifact_prefix={}/",
                slice.folder.join("wrong").display()
            ))
            .arg(format!("-timeout={TIMEOUT}"))
            .arg("-print_final_stats=1");
        slice
            .target
            .set_up(&mut command)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let start = Failure::file(&program);
        let mut child = bound(&mut command).spawn().map_err(start)?;
        let mut ran = Ran::default();
        let (mut words, mut last) = (String::new(), String::new());
        if let Some(stderr) = child.stderr.take() {
            let mut lines = BufReader::new(stderr).split(b'\n');
            while let Some(Ok(line)) = lines.next() {
                let line = String::from_utf8_lossy(&line);
                let before = ran.clone();
                ran.read(&line);
                if ran != before {
                    told(ran.executions, ran.coverage);
                }
                if line.contains("panicked at") || line.starts_with("SUMMARY:") {
                    words = format!("{line}\n");
                }
                last = line.into_owned();
            }
        }
        let status = child.wait().map_err(start)?;
        if !status.success()
            && ran.executions == 0
            && inside(&slice.folder.join("wrong"))?.is_empty()
        {
            let program = program.display();
            return Err(Failure::Environment(format!("{program}: {status}: {last}")));
        }
        if !words.is_empty() {
            let file = slice.folder.join(WORDS);
            std::fs::write(&file, words).map_err(Failure::file(&file))?;
        }
        Ok(ran)
    }

    /// Takes in what a slice has left, and removes its folder.
    ///
    /// # Errors
    /// A file that cannot be read or written.
    pub fn take_in(
        &self,
        state: &mut State,
        target: &Target,
        folder: &Path,
    ) -> Result<(), Failure> {
        let words = std::fs::read_to_string(folder.join(WORDS)).unwrap_or_default();
        for file in inside(&folder.join("wrong"))? {
            let mut input = std::fs::read(&file).map_err(Failure::file(&file))?;
            for found in self.judge(target, &file, &words)? {
                // Of a kind that no case tells of, the input itself is made small.
                if found.kept.is_empty() && !state.knows(target.name, &found.key) {
                    input = self.smaller(target, &file, folder).unwrap_or(input);
                }
                state.found(target.name, &found, &input, 1)?;
            }
        }
        state.union(target.name, &folder.join("new"))?;
        std::fs::remove_dir_all(folder).map_err(Failure::file(folder))
    }

    /// Takes over what another campaign found, and keeps cases of it.
    ///
    /// # Errors
    /// A state or an input that cannot be read, or a file that cannot be written.
    pub fn take_over(&self, state: &mut State, other: &Path) -> Result<(), Failure> {
        let (findings, before) = state.join(other)?;
        for finding in findings {
            let target = known(&finding.target)?;
            let is_known = state.knows(target.name, &finding.key);
            if before && is_known {
                continue;
            }
            let file = other.join(&finding.input);
            let input = std::fs::read(&file).map_err(Failure::file(&file))?;
            let mut found = Found {
                key: finding.key,
                summary: finding.summary,
                kept: finding.kept,
            };
            if !is_known {
                let again = self.judge(target, &file, "")?;
                let again = again.into_iter().find(|again| again.key == found.key);
                found = again.unwrap_or(found);
            }
            state.found(target.name, &found, &input, finding.times)?;
        }
        Ok(())
    }

    /// What an input shows, in a process of its own: it may not come back.
    fn judge(&self, target: &Target, file: &Path, words: &str) -> Result<Vec<Found>, Failure> {
        let this = std::env::current_exe().map_err(Failure::file(Path::new("udma")))?;
        let mut command = Command::new(this);
        command.args(["replay", target.name, "--json"]).arg(file);
        if let Some(keep) = &self.keep {
            command.arg("--keep").arg(keep);
        }
        let output = bound(&mut command).output().map_err(Failure::file(file))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let found: Vec<Found> = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        if !found.is_empty() {
            return Ok(found);
        }
        // Shown under the fuzzer alone: memory that is misused, time, or an end of the process.
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let kind = name.split('-').next().unwrap_or_default();
        let words = words.lines().next().unwrap_or_default();
        Ok(vec![Found {
            key: format!("{kind} {}", same(words)),
            summary: format!("{kind} under the fuzzer: {words}"),
            kept: Vec::new(),
        }])
    }

    /// A smaller input that ends the fuzzer's program, too.
    fn smaller(&self, target: &Target, file: &Path, folder: &Path) -> Option<Vec<u8>> {
        let out = folder.join("smaller");
        let mut command = Command::new(self.program(target).ok()?);
        command
            .arg("-minimize_crash=1")
            .arg(format!("-runs={}", SMALLER[0]))
            .arg(format!("-max_total_time={}", SMALLER[1]))
            .arg(format!("-exact_artifact_path={}", out.display()))
            .arg(format!("-timeout={TIMEOUT}"))
            .arg(file)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        bound(&mut command).status().ok()?;
        std::fs::read(out).ok().filter(|input| !input.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::Ran;

    #[test]
    fn executions_and_edges_are_read_off_what_a_fuzzer_says() {
        let mut ran = Ran::default();
        for line in [
            "INFO: Seed: 3",
            "#2\tINITED cov: 12 ft: 13 corp: 1/1b exec/s: 0 rss: 40Mb",
            "#812\tNEW    cov: 40 ft: 52 corp: 5/90b lim: 4 exec/s: 0 rss: 40Mb L: 4/4 MS: 1 CMP-",
            "#x cov: 99",
        ] {
            ran.read(line);
        }
        assert_eq!((ran.executions, ran.coverage), (812, 40));
        ran.read("stat::number_of_executed_units: 1000");
        assert_eq!((ran.executions, ran.coverage), (1000, 40));
    }
}
