//! `udma seeds`: what the fuzzers start from, made of recorded and worked vectors, kept cases and
//! programs. Of inputs that show the same, the smallest is one.

mod scripts;
mod texts;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::Value;
use udma_oracle::cases::descriptor::VIEWS;
use udma_oracle::cases::pair::Pair;
use udma_oracle::family::Family;
use udma_oracle::golden::{self, reader};
use udma_oracle::law::pair::kind_of;
use udma_oracle::law::word::{MOST_BYTES, meta, word0};
use udma_oracle::line::Line;
use udma_oracle::subject::vring;
use udma_oracle::wire::from_hex;
use udma_report::{merge, model};

use self::scripts::{calls, cycles, interrupts, operations, packs, rings, templates, vrings};
use self::texts::{parts, programs, vectors};
use super::input::Put;
use super::{desc_roundtrip, hash, pair_diff, questions};
use crate::failure::Failure;

/// The dictionary's file, beside the folders of the targets.
pub const DICTIONARY: &str = "fuzz.dict";

/// Inputs by what they show.
#[derive(Default)]
struct Chosen(BTreeMap<String, Vec<u8>>);

impl Chosen {
    /// Takes an input unless a smaller one, or an equally small one in front of it, shows the same.
    fn offer(&mut self, shows: String, input: Vec<u8>) {
        let known = self.0.entry(shows).or_insert_with(|| input.clone());
        if (input.len(), &input) < (known.len(), &*known) {
            *known = input;
        }
    }

    fn inputs(self) -> Vec<Vec<u8>> {
        let distinct: BTreeSet<Vec<u8>> = self.0.into_values().collect();
        distinct.into_iter().collect()
    }
}

/// The seeds of every target.
///
/// # Errors
/// Corpora that cannot be read.
pub fn seeds(corpora: &Path) -> Result<BTreeMap<&'static str, Vec<Vec<u8>>>, Failure> {
    Ok(BTreeMap::from([
        ("desc_roundtrip", descriptors(corpora)?),
        ("pair_diff", pairs(corpora)?),
        ("ring_script", rings(corpora)?),
        ("cycle_model", cycles()),
        ("vring_script", vrings(corpora)?),
        ("pack", packs()),
        ("template", templates()),
        ("opclass", operations()),
        ("iofic", interrupts()),
        ("ioctl_args", calls()),
        (
            "questions",
            questions::each().iter().flat_map(asked).collect(),
        ),
        ("program_json", programs(corpora)?),
        ("golden_reader", vectors(corpora)?),
        ("report_merge", vec![parts()]),
    ]))
}

/// The input with bytes behind it that nothing reads, so that it is one of the few that more is asked
/// of: [`hash`] is a multiple of `every`.
fn rare(mut input: Vec<u8>, every: u64) -> Vec<u8> {
    let length = input.len();
    for number in 0u32.. {
        input.truncate(length);
        input.extend(number.to_le_bytes());
        if hash(&input).is_multiple_of(every) {
            break;
        }
    }
    input
}

/// Calls `each` with the cases of a recorded suite.
fn recorded(
    corpora: &Path,
    suite: &str,
    mut each: impl FnMut(reader::RawCase) -> Result<(), String>,
) -> Result<(), Failure> {
    let file = corpora.join("golden").join(format!("{suite}.json"));
    reader::read(&file, &mut |_, case| {
        each(case).map_err(reader::Refusal::Case)
    })?;
    Ok(())
}

/// The inputs of kept cases of a family.
fn kept<F: Family>(corpora: &Path) -> Result<Vec<F::Case>, Failure> {
    let folder = corpora.join("regressions");
    let mut cases = Vec::new();
    if !folder.is_dir() {
        return Ok(cases);
    }
    let files = udma_oracle::folder::files(&folder, "json").map_err(Failure::file(&folder))?;
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(Failure::file(&file))?;
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        if value["family"] == F::NAME {
            cases.extend(F::from_json(&value["in"]).ok());
        }
    }
    Ok(cases)
}

/// A question, and the same where batches may be lost, if any are.
fn asked(question: &questions::Question) -> Vec<Vec<u8>> {
    let input = question.bytes();
    match question {
        questions::Question::Run { script } if script.lost != 0 => {
            vec![rare(input, questions::LOSES)]
        }
        _ => vec![input],
    }
}

/// Every combination of flags, with and without a `meta_ctrl`, in every view.
fn descriptors(corpora: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let mut chosen = Chosen::default();
    recorded(corpora, "copy_pair", |case| {
        for slot in ["tx", "rx"] {
            if let Some(desc) = case.output[slot].as_str().and_then(from_hex) {
                for view in 0..VIEWS.len() as u8 {
                    let shows = format!("{:02x} {}", desc.word[0] >> 23, desc.word[1] != 0);
                    let input = desc_roundtrip::Input {
                        word: desc.word,
                        view,
                    };
                    chosen.offer(format!("{shows} {view}"), input.bytes());
                }
            }
        }
        Ok(())
    })?;
    let mut inputs = chosen.inputs();
    let printed: Vec<Vec<u8>> = inputs.iter().step_by(5).cloned().collect();
    inputs.extend(
        printed
            .into_iter()
            .map(|input| rare(input, desc_roundtrip::PRINTED)),
    );
    Ok(inputs)
}

/// Every kind of request on both lines, on every architecture.
fn pairs(corpora: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let mut chosen = Chosen::default();
    let mut offer = |case: &udma_oracle::wire::PairIn| {
        let kinds = [Line::Kernel, Line::Hal].map(|line| kind_of(line, case));
        let shows = format!("{kinds:?} {} {}", case.arch, case.driver);
        chosen.offer(shows, pair_diff::Request::of(case).bytes());
    };
    recorded(corpora, "copy_pair", |case| {
        offer(&Pair::from_json(&case.input)?);
        Ok(())
    })?;
    kept::<Pair>(corpora)?.iter().for_each(&mut offer);
    Ok(chosen.inputs())
}

/// Constants of the fields, as bytes and as words of the texts.
pub fn dictionary() -> String {
    let mut lines = Vec::new();
    let words = [
        ("first", word0::FIRST),
        ("last", word0::LAST),
        ("int_en", word0::INT_EN),
        ("sow", word0::SOW),
        ("dmb", word0::DMB),
        ("concat", word0::CONCAT),
        ("meta", word0::META),
        ("ring_id", word0::RING_ID),
        ("reserved", word0::RESERVED),
        ("length", word0::LENGTH),
        ("plain_copy", meta::PLAIN_COPY),
        ("write_barrier", meta::PLAIN_COPY | meta::WRITE_BARRIER),
        ("notification", meta::PLAIN_COPY | meta::NOTIFICATION),
        ("chunk", MOST_BYTES as u32),
        ("over", MOST_BYTES as u32 + 1),
    ];
    for (name, word) in words {
        let bytes = word.to_le_bytes().map(|byte| format!("\\x{byte:02x}"));
        lines.push(format!("{name}=\"{}\"", bytes.concat()));
    }
    let mut texts: BTreeSet<&str> = BTreeSet::from([
        crate::program::FORMAT,
        reader::FORMAT,
        merge::FORMAT,
        model::FORMAT,
    ]);
    texts.extend(golden::SUITES);
    texts.extend(vring::Op::NAMES);
    texts.extend([
        "\"format\":",
        "\"suite\":",
        "\"cases\":",
        "\"steps\":",
        "\"buffers\":",
        "\"rings\":",
        "\"outcomes\":",
        "\"op\":",
        "\"in\":",
        "\"out\":",
        "\"order\":",
        "\"report\":",
        "write_barrier",
        "\"0x",
        "null",
        "true",
        "false",
        "18446744073709551615",
    ]);
    for text in texts {
        lines.push(format!("\"{}\"", text.replace('"', "\\\"")));
    }
    lines.join("\n") + "\n"
}

/// Every file below the seeds' folder, with its content.
///
/// # Errors
/// Corpora that cannot be read.
pub fn files(corpora: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>, Failure> {
    let mut files = BTreeMap::from([(PathBuf::from(DICTIONARY), dictionary().into_bytes())]);
    for (target, inputs) in seeds(corpora)? {
        for input in inputs {
            let name = format!("{:016x}", super::hash(&input));
            files.insert(Path::new(target).join(name), input);
        }
    }
    Ok(files)
}

/// Writes the seeds into a folder, and takes away what else lies in the folders of the targets.
///
/// # Errors
/// Corpora that cannot be read, or a folder that cannot be written.
pub fn write(corpora: &Path, folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>, Failure> {
    let files = files(corpora)?;
    for target in super::TARGETS {
        let inside = folder.join(target.name);
        std::fs::create_dir_all(&inside).map_err(Failure::file(&inside))?;
        for old in super::replay::files(&[inside])? {
            if !files.keys().any(|file| folder.join(file) == old) {
                std::fs::remove_file(&old).map_err(Failure::file(&old))?;
            }
        }
    }
    for (file, bytes) in &files {
        let file = folder.join(file);
        if std::fs::read(&file).ok().as_ref() != Some(bytes) {
            udma_report::writer::write_file(&file, bytes)?;
        }
    }
    Ok(files)
}

/// Carries out `udma seeds`.
///
/// # Errors
/// As [`write()`].
pub fn run(folder: Option<PathBuf>, corpora: Option<&Path>) -> Result<ExitCode, Failure> {
    let corpora = crate::corpora::find(corpora)?;
    let folder = folder.unwrap_or_else(|| corpora.join("seeds"));
    let files = write(&corpora, &folder)?;
    let bytes: usize = files.values().map(Vec::len).sum();
    crate::cli::print(&format!("{} files, {bytes} bytes\n", files.len()))?;
    Ok(ExitCode::SUCCESS)
}
