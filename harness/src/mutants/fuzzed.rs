//! Which planted belief the fuzzers find from nothing, and how long it takes them.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use udma_oracle::catalogue::family;
use udma_oracle::mutants::Mutant;

use crate::cli::print;
use crate::failure::Failure;
use crate::fuzz::replay::known;
use crate::fuzz::{MUTANT, MUTANT_PLACE, Target};

/// Seconds for a first look with each target that may find a belief, and for a second one.
const LOOKS: [u64; 2] = [3, 60];
/// What a median may take, and the longest one.
const MOST: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(60)];

/// Targets that ask what a rule is about; none of rules that are not about builders, cursors or
/// virtual rings.
fn targets(rule: &str) -> &'static [&'static str] {
    match (family(rule), rule) {
        ("BLDR", "BLDR-9" | "BLDR-10" | "BLDR-11") | ("CRC", _) => &["opclass"],
        ("BLDR" | "BARR", _) => &["pair_diff"],
        ("DESC" | "META" | "BITS", _) => &["desc_roundtrip", "pair_diff"],
        ("RING" | "SWQ", _) => &["ring_script"],
        ("PACK", _) => &["pack", "vring_script"],
        ("TMPL", _) => &["template"],
        ("XFER" | "EDIT" | "DUMP", _) => &["vring_script"],
        ("VRNG" | "PRNG", _) => &["vring_script", "questions"],
        ("QINI", _) => &["questions"],
        _ => &[],
    }
}

/// Whether a fuzzer ends on a belief, and when.
fn look(
    programs: &Path,
    target: &Target,
    mutant: &Mutant,
    place: &str,
    seconds: u64,
) -> Result<Option<Duration>, Failure> {
    let program = &programs.join(target.name);
    let folder = tempfile::tempdir().map_err(Failure::file(Path::new("a temporary folder")))?;
    let start = Instant::now();
    let mut child = target
        .set_up(&mut Command::new(program))
        .arg(format!("-max_total_time={seconds}"))
        .args(["-seed=1", "-verbosity=0"])
        .env(MUTANT, mutant.number.to_string())
        .env(MUTANT_PLACE, place)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(Failure::file(program))?;
    let status = child.wait().map_err(Failure::file(program))?;
    Ok((!status.success()).then(|| start.elapsed()))
}

/// Every belief about builders, cursors and virtual rings, in every place, put to the targets that
/// may find it; whether all were found soon enough.
///
/// # Errors
/// A fuzzer that cannot be run, or that ends where nothing is planted.
pub fn run(mutants: &[Mutant], programs: &Path) -> Result<bool, Failure> {
    let programs = std::fs::canonicalize(programs).map_err(Failure::file(programs))?;
    let mut times = Vec::new();
    let mut missed = 0;
    let mut all = BTreeSet::new();
    for mutant in mutants {
        let mut may: Vec<&Target> = Vec::new();
        for name in mutant.rules.iter().flat_map(|rule| targets(rule)) {
            all.insert(*name);
            if may.iter().all(|target| target.name != *name) {
                may.push(known(name)?);
            }
        }
        if may.is_empty() {
            continue;
        }
        for place in &mutant.planted {
            let looks = LOOKS
                .iter()
                .flat_map(|seconds| may.iter().map(move |target| (*target, *seconds)));
            let mut found = None;
            for (target, seconds) in looks {
                if let Some(time) = look(&programs, target, mutant, place, seconds)? {
                    found = Some((target.name, time));
                    break;
                }
            }
            let text = if let Some((target, time)) = found {
                times.push(time);
                format!("found by {target} in {} ms", time.as_millis())
            } else {
                missed += 1;
                let names: Vec<&str> = may.iter().map(|target| target.name).collect();
                format!("NOT FOUND by {}", names.join(", "))
            };
            print(&format!(
                "{:>3} {:<28} {place:<9} {text}\n",
                mutant.number, mutant.id
            ))?;
        }
    }
    // An end means something only where nothing planted gives none.
    let mut nothing = mutants.first().cloned().ok_or_else(none)?;
    nothing.number = 0;
    for name in all {
        if look(&programs, known(name)?, &nothing, "rust", LOOKS[0])?.is_some() {
            return Err(Failure::Environment(format!(
                "{name} ends with nothing planted"
            )));
        }
    }
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().ok_or_else(none)?;
    let most = times.last().copied().unwrap_or_default();
    print(&format!(
        "{} found, {missed} not; from an empty corpus: median {} ms, most {} ms\n",
        times.len(),
        median.as_millis(),
        most.as_millis()
    ))?;
    Ok(missed == 0 && median < MOST[0] && most <= MOST[1])
}

fn none() -> Failure {
    Failure::Nothing("no belief is about builders, cursors or virtual rings".into())
}
