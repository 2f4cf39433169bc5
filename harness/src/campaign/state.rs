//! What a campaign has done so far, on the disk at every moment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use udma_report::writer::write_file;

use super::inside;
use super::slice::Ran;
use crate::failure::Failure;
use crate::fuzz::{Target, hash, target};

/// Version tag of the state.
const FORMAT: &str = "udma-campaign/1";
/// The state's file.
pub const FILE: &str = "campaign.json";
/// The file that says that a campaign runs.
const LOCK: &str = "campaign.lock";
/// A process that a killed campaign had just begun holds its lock until it is a fuzzer.
const PATIENCE: Duration = Duration::from_secs(2);

/// One target.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Progress {
    /// Inputs that were run.
    pub executions: u64,
    /// Edges that were reached.
    pub coverage: u64,
    /// Inputs of the corpus.
    pub corpus: u64,
}

/// Something wrong, however many inputs show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The target.
    pub target: String,
    /// The same for inputs that show the same.
    pub key: String,
    /// In one line.
    pub summary: String,
    /// An input that shows it, in the campaign's folder.
    pub input: PathBuf,
    /// Cases that were kept for `udma check`, by name.
    pub kept: Vec<String>,
    /// Inputs that showed it.
    pub times: u64,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    targets: BTreeMap<String, Progress>,
    /// What campaigns had done that were taken in, by their folders.
    #[serde(default)]
    joined: BTreeMap<PathBuf, BTreeMap<String, Progress>>,
    findings: Vec<Finding>,
}

impl File {
    fn read(path: &Path) -> Result<Self, Failure> {
        let text = std::fs::read_to_string(path).map_err(Failure::file(path))?;
        let bad = |what: String| Failure::Input(format!("{}: {what}", path.display()));
        let file: Self = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
        if file.format != FORMAT {
            return Err(bad(format!("format is {:?}, not {FORMAT:?}", file.format)));
        }
        Ok(file)
    }
}

/// A campaign's folder and what its state says.
pub struct State {
    folder: PathBuf,
    targets: BTreeMap<String, Progress>,
    joined: BTreeMap<PathBuf, BTreeMap<String, Progress>>,
    /// Targets and executions of the slices that are running, by their folders.
    running: BTreeMap<PathBuf, (String, u64)>,
    /// Held as long as the campaign runs.
    _lock: std::fs::File,
    /// What was found, in the order of the first times.
    pub findings: Vec<Finding>,
}

/// Slices get folders that no other process has.
static NEXT: AtomicU64 = AtomicU64::new(0);

impl State {
    /// Of a folder, which is made if it is not there.
    ///
    /// # Errors
    /// A folder that cannot be made or that another campaign runs in, or a state of another format.
    pub fn open(folder: &Path) -> Result<Self, Failure> {
        std::fs::create_dir_all(folder).map_err(Failure::file(folder))?;
        let path = folder.join(LOCK);
        let lock = std::fs::File::create(&path).map_err(Failure::file(&path))?;
        let alone = rustix::fs::FlockOperation::NonBlockingLockExclusive;
        let start = Instant::now();
        while rustix::fs::flock(&lock, alone).is_err() {
            if start.elapsed() > PATIENCE {
                let running = format!("{}: a campaign runs there", folder.display());
                return Err(Failure::Input(running));
            }
            std::thread::sleep(PATIENCE / 100);
        }
        let path = folder.join(FILE);
        let file = if path.exists() {
            File::read(&path)?
        } else {
            File::default()
        };
        Ok(Self {
            folder: folder.into(),
            targets: file.targets,
            joined: file.joined,
            running: BTreeMap::new(),
            _lock: lock,
            findings: file.findings,
        })
    }

    /// Writes it, whole or not at all.
    fn save(&self) -> Result<(), Failure> {
        let file = File {
            format: FORMAT.into(),
            targets: self.targets.clone(),
            joined: self.joined.clone(),
            findings: self.findings.clone(),
        };
        let text = serde_json::to_string_pretty(&file)
            .map_err(|error| Failure::Environment(error.to_string()))?;
        write_file(&self.folder.join(FILE), text.as_bytes())?;
        Ok(())
    }

    /// One target.
    pub fn of(&self, target: &str) -> Progress {
        self.targets.get(target).cloned().unwrap_or_default()
    }

    /// One target with what campaigns did that were taken in.
    fn total(&self, target: &str) -> Progress {
        let mut total = self.of(target);
        for joined in self.joined.values().filter_map(|joined| joined.get(target)) {
            total.executions += joined.executions;
            total.coverage = total.coverage.max(joined.coverage);
        }
        total
    }

    /// Takes in what another campaign says it did; its findings, and whether it was taken in before.
    ///
    /// # Errors
    /// A state that cannot be read, or of another format.
    pub fn join(&mut self, other: &Path) -> Result<(Vec<Finding>, bool), Failure> {
        let file = File::read(&other.join(FILE))?;
        for target in file.targets.keys() {
            self.targets.entry(target.clone()).or_default();
        }
        let before = self.joined.insert(other.into(), file.targets);
        self.save()?;
        Ok((file.findings, before.is_some()))
    }

    /// A new folder for what a slice leaves.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn fresh(&self, target: &str) -> Result<PathBuf, Failure> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{number}", std::process::id());
        let folder = self.folder.join("slices").join(target).join(name);
        for inner in ["new", "wrong"] {
            let inner = folder.join(inner);
            std::fs::create_dir_all(&inner).map_err(Failure::file(&inner))?;
        }
        let corpus = self.folder.join("corpus").join(target);
        std::fs::create_dir_all(&corpus).map_err(Failure::file(&corpus))?;
        Ok(folder)
    }

    /// Folders of slices that were not taken in.
    ///
    /// # Errors
    /// A folder that cannot be read.
    pub fn leftovers(&self) -> Result<Vec<(&'static Target, PathBuf)>, Failure> {
        let mut left = Vec::new();
        for target in crate::fuzz::TARGETS {
            let slices = self.folder.join("slices").join(target.name);
            if !slices.is_dir() {
                continue;
            }
            for entry in std::fs::read_dir(&slices).map_err(Failure::file(&slices))? {
                left.push((target, entry.map_err(Failure::file(&slices))?.path()));
            }
        }
        left.sort_by(|a, b| a.1.cmp(&b.1));
        Ok(left)
    }

    /// How far a slice is.
    pub fn running(&mut self, target: &str, slice: &Path, executions: u64, coverage: u64) {
        let running = (target.into(), executions);
        self.running.insert(slice.into(), running);
        let progress = self.targets.entry(target.into()).or_default();
        progress.coverage = progress.coverage.max(coverage);
    }

    /// A slice has ended.
    pub fn ran(&mut self, target: &str, slice: &Path, ran: &Ran) {
        self.running.remove(slice);
        let progress = self.targets.entry(target.into()).or_default();
        progress.executions += ran.executions;
        progress.coverage = progress.coverage.max(ran.coverage);
    }

    /// Puts an input beside others, whole or not at all; whether it was not there, and where it is.
    fn place(&self, kind: &str, target: &str, input: &[u8]) -> Result<(bool, PathBuf), Failure> {
        let own = Path::new(kind).join(target);
        let folder = self.folder.join(&own);
        std::fs::create_dir_all(&folder).map_err(Failure::file(&folder))?;
        let name = format!("{:016x}", hash(input));
        let file = folder.join(&name);
        let is_new = !file.exists();
        if is_new {
            write_file(&file, input)?;
        }
        Ok((is_new, own.join(name)))
    }

    /// Takes the inputs of a folder into a target's corpus, and tells so.
    ///
    /// # Errors
    /// A file that cannot be read or written.
    pub fn union(&mut self, target: &str, folder: &Path) -> Result<(), Failure> {
        for file in inside(folder)? {
            let input = std::fs::read(&file).map_err(Failure::file(&file))?;
            self.place("corpus", target, &input)?;
        }
        let there = inside(&self.folder.join("corpus").join(target))?.len();
        self.targets.entry(target.into()).or_default().corpus = there as u64;
        self.save()
    }

    /// Whether something of this key is known.
    pub fn knows(&self, target: &str, key: &str) -> bool {
        let is_it = |finding: &Finding| finding.target == target && finding.key == key;
        self.findings.iter().any(is_it)
    }

    /// Takes in an input that shows something, as `times` inputs did.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn found(
        &mut self,
        target: &str,
        found: &crate::fuzz::replay::Found,
        input: &[u8],
        times: u64,
    ) -> Result<(), Failure> {
        let is_it = |known: &&mut Finding| known.target == target && known.key == found.key;
        if let Some(known) = self.findings.iter_mut().find(is_it) {
            known.times += times;
            return self.save();
        }
        let (_, input) = self.place("findings", target, input)?;
        self.findings.push(Finding {
            target: target.into(),
            key: found.key.clone(),
            summary: found.summary.clone(),
            input,
            kept: found.kept.clone(),
            times,
        });
        self.save()
    }

    /// In one line.
    pub fn line(&self) -> String {
        let totals = self.targets.keys().map(|name| self.total(name));
        let totals: Vec<Progress> = totals.collect();
        let sum = |count: fn(&Progress) -> u64| totals.iter().map(count).sum::<u64>();
        let running: u64 = self
            .running
            .values()
            .map(|(_, executions)| executions)
            .sum();
        let names: Vec<&str> = self.running.values().map(|(name, _)| &**name).collect();
        format!(
            "{} executions, {} edges, {} inputs, {} findings; {}",
            sum(|target| target.executions) + running,
            sum(|target| target.coverage),
            sum(|target| target.corpus),
            self.findings.len(),
            names.join(" "),
        )
    }

    /// Target by target, and what was found.
    pub fn table(&self) -> String {
        let mut text = format!(
            "{:<16}{:>14}{:>8}{:>8}{:>10}\n",
            "target", "executions", "edges", "inputs", "findings"
        );
        for name in self.targets.keys() {
            let progress = self.total(name);
            let own = |finding: &&Finding| finding.target == *name && target(name).is_some();
            let findings = self.findings.iter().filter(own).count();
            text += &format!(
                "{name:<16}{:>14}{:>8}{:>8}{findings:>10}\n",
                progress.executions, progress.coverage, progress.corpus
            );
        }
        for finding in &self.findings {
            text += &format!(
                "{}: {} ({} inputs, {})\n",
                finding.target,
                finding.summary,
                finding.times,
                finding.input.display()
            );
        }
        text
    }
}
