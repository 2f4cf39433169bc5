//! `udma seeds`: what the fuzzers start from, made of recorded and worked vectors, kept cases and
//! programs. Of inputs that show the same, the smallest is one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};
use udma_oracle::cases::descriptor::VIEWS;
use udma_oracle::cases::pair::Pair;
use udma_oracle::cases::vring::Vring;
use udma_oracle::family::Family;
use udma_oracle::golden::{self, reader};
use udma_oracle::law::pair::kind_of;
use udma_oracle::law::word::{MOST_BYTES, meta, word0};
use udma_oracle::line::Line;
use udma_oracle::subject::vring;
use udma_oracle::wire::from_hex;
use udma_report::model::{
    Confidence, Finding, Report, RuleReport, RuleResult, Status, SubjectInfo,
};
use udma_report::{merge, model};

use super::input::Put;
use super::{
    cycle_model, desc_roundtrip, ioctl_args, opclass, pair_diff, ring_script, vring_script,
};
use super::{iofic, pack, questions, template};
use crate::failure::Failure;
use crate::program::{Op, Program, read};

/// The dictionary's file, beside the folders of the targets.
pub const DICTIONARY: &str = "fuzz.dict";
/// Larger texts are no seeds: a fuzzer turns them over slowly.
const MOST_TEXT: usize = 6_000;

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
            questions::each().iter().map(Put::bytes).collect(),
        ),
        ("program_json", programs(corpora)?),
        ("golden_reader", vectors(corpora)?),
        ("report_merge", vec![parts()]),
    ]))
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
    Ok(chosen.inputs())
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

/// Every set of operations on queues of every form.
fn rings(corpora: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let mut chosen = Chosen::default();
    recorded(corpora, "ring_cursor", |case| {
        let script = golden::ring_script(&case)?;
        let Some(input) = ring_script::Input::of(&script) else {
            return Ok(());
        };
        let kinds = script.ops.iter().map(std::mem::discriminant);
        let mut kinds: Vec<String> = kinds.map(|kind| format!("{kind:?}")).collect();
        kinds.sort();
        kinds.dedup();
        let shows = format!("{kinds:?} {:?} {}", script.size, script.allocatable);
        let queue = ring_script::Any::Queue { queue: input };
        chosen.offer(shows, queue.bytes());
        Ok(())
    })?;
    let mut inputs = chosen.inputs();
    for addresses in [false, true] {
        let shadow = ring_script::Shadow {
            size: [7, 7],
            reserves: vec![3, 4, 8, 9, 1],
            first: 5,
            phase: 3,
            descs: 6,
            addresses,
            ring_id: 0,
        };
        inputs.push(ring_script::Any::Shadow { shadow }.bytes());
    }
    Ok(inputs)
}

/// Every kind of run on every architecture.
fn cycles() -> Vec<Vec<u8>> {
    use cycle_model::{Input, Kind};
    let kinds = |to_device| {
        [
            Kind::Copies {
                sizes: vec![100, 64, 300],
                skew: 1,
            },
            Kind::Async {
                sizes: vec![100, 64, 300],
                skew: 0,
            },
            Kind::Fill {
                size: 3000,
                value: 0x5a,
            },
            Kind::ZeroCopy {
                offset: 100,
                size: 9000,
                layout: 2,
                to_device,
            },
            Kind::Contexts {
                capacity: 2,
                size: 9000,
                rounds: 9,
                to_device,
            },
        ]
    };
    let mut inputs = Vec::new();
    for arch in 0..3 {
        for kind in kinds(arch == 1) {
            inputs.push(Input {
                seed: 1,
                arch,
                driver: 0,
                ring: arch,
                batch: 4,
                start: 0x65,
                kind,
            });
        }
    }
    inputs.iter().map(super::input::Put::bytes).collect()
}

/// Worked and kept scripts: every last operation with those before it.
fn vrings(corpora: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let file = corpora.join("worked/vring.json");
    let text = std::fs::read_to_string(&file).map_err(Failure::file(&file))?;
    let worked: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::Input(format!("{}: {error}", file.display())))?;
    let cases = worked["cases"].as_array().map_or(&[][..], Vec::as_slice);
    let scripts = cases
        .iter()
        .filter_map(|case| Vring::from_json(&case["in"]).ok());
    let mut chosen = Chosen::default();
    for script in scripts.chain(kept::<Vring>(corpora)?) {
        let kinds: BTreeSet<usize> = script.ops.iter().map(vring::Op::kind).collect();
        if let Some(input) = vring_script::Input::of(&script) {
            chosen.offer(format!("{kinds:?}"), input.bytes());
        }
    }
    Ok(chosen.inputs())
}

fn packs() -> Vec<Vec<u8>> {
    use pack::{Input, Pack, Part};
    let pack = |start, count, most| Pack {
        start,
        count,
        most,
        twice: true,
        barrier: true,
    };
    let transfer = |place, size| Part::Transfer {
        place,
        size,
        ordered: place & 1 != 0,
    };
    let pair = |place, tx, rx, word1| Part::Pair {
        place,
        tx,
        rx,
        length: 4096,
        word1,
    };
    let input = |parts, packs| {
        Input {
            arch: 1,
            parts,
            packs,
        }
        .bytes()
    };
    vec![
        input(
            vec![transfer(0, 200_000), transfer(3, 70_000)],
            vec![pack(0, None, 255)],
        ),
        input(
            vec![
                pair(0, 0x0d, 0x01, None),
                pair(1, 0x4d, 0x01, None),
                transfer(2, 64),
            ],
            vec![pack(0, Some(2), 8), pack(1, None, 255)],
        ),
        input(
            vec![
                pair(0, 0x05, 0x01, None),
                pair(1, 0x89, 0x11, Some(0x0508_0003)),
                Part::Poke {
                    event: true,
                    place: 9,
                },
                Part::Single {
                    rx: true,
                    flags: 1,
                    length: 4,
                },
            ],
            vec![pack(0, None, 64)],
        ),
    ]
}

fn templates() -> Vec<Vec<u8>> {
    use template::{Copy, Input, Use};
    let copy = |src, dst| Copy {
        src,
        dst,
        at: 0x1000,
        beside: 0,
        size: 70_000,
    };
    let input = |copies, uses| {
        Input {
            arch: 1,
            max_var_id: 4,
            copies,
            lists: [vec![0x10_0000; 5], vec![0x20_0000; 5], vec![0x30_0000; 2]],
            uses,
        }
        .bytes()
    };
    let symbols = || vec![copy(Some(1), None), copy(Some(3), Some(4))];
    vec![
        input(symbols(), vec![Use::Resolve { list: 0 }]),
        input(symbols(), vec![Use::Resolve { list: 2 }]),
        input(vec![copy(Some(9), None)], vec![Use::Resolve { list: 0 }]),
        input(
            symbols(),
            vec![
                Use::Cache { capacity: 2 },
                Use::Acquire { list: 0 },
                Use::Acquire { list: 1 },
                Use::Acquire { list: 0 },
                Use::Release { holding: 0 },
                Use::Release { holding: 1 },
                Use::Acquire { list: 1 },
            ],
        ),
        input(
            symbols(),
            vec![
                Use::DeepCopy {},
                Use::PageBudget { pages: Some(1) },
                Use::DeepCopy {},
            ],
        ),
    ]
}

/// Every operation with nothing, something and all of everything.
fn operations() -> Vec<Vec<u8>> {
    let operands = [
        [0; 11],
        std::array::from_fn(|at| at as u64 + 1),
        [u64::MAX; 11],
    ];
    let of = |operation| {
        operands.map(|operands| {
            let wide = 0;
            opclass::Input {
                operation,
                operands,
                wide,
            }
            .bytes()
        })
    };
    (0..opclass::OPERATIONS).flat_map(of).collect()
}

/// Every call, and the iterator.
fn interrupts() -> Vec<Vec<u8>> {
    let of = |call| {
        iofic::Input {
            call,
            revision: 4,
            secondary: call & 1 != 0,
            group: 1,
            window: 0x3_ad40,
            bits: 0x11,
            held: false,
            values: [0xf0f0_8421, 0xffff, 0x28, 0xffff_fff0, 1, 2],
        }
        .bytes()
    };
    (0..=udma_reference::abi::UDMA_IOFIC_CALLS as u8)
        .map(of)
        .collect()
}

/// Every request after an allocation, with its handle and a pointer to answer to.
fn calls() -> Vec<Vec<u8>> {
    use ioctl_args::{Input, Ioctl, Request, Word};
    let requests = udma::abi::request::REQUESTS;
    let position = |name: &str| requests.iter().position(|request| request.name == name);
    let allocate = position("MEM_ALLOC").unwrap_or_default() as u8;
    let call = |index, words| Ioctl {
        request: Request::Known { index },
        at: 0,
        words,
        other: false,
    };
    let of = |index: usize| {
        let memory = vec![
            Word::Long { value: 4096 },
            Word::Long { value: 0 },
            Word::Pointer { offset: 4096 },
        ];
        let words = vec![
            Word::Handle { number: 0 },
            Word::Pointer { offset: 2048 },
            Word::Short { value: 64 },
            Word::Short { value: 64 },
            Word::Long { value: 0 },
        ];
        Input {
            arch: 1,
            version: 0,
            seed: 1,
            calls: vec![call(allocate, memory), call(index as u8, words)],
        }
        .bytes()
    };
    (0..requests.len()).map(of).collect()
}

/// Programs, the shortest first, each of which has an operation, tag or kind of fill that those in
/// front of it have not.
fn programs(corpora: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let mut texts = Vec::new();
    for file in read::files(&[corpora.join("programs")])? {
        let program = read::read(&file)?;
        let text = read::render(&program);
        if text.len() <= MOST_TEXT {
            texts.push((text.len(), text, program));
        }
    }
    texts.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    let mut seen = BTreeSet::new();
    let mut chosen = Vec::new();
    for (_, text, program) in texts {
        let before = seen.len();
        seen.extend(shown(&program));
        if seen.len() > before {
            chosen.push(text.into_bytes());
        }
    }
    Ok(chosen)
}

fn shown(program: &Program) -> Vec<String> {
    let mut shown: Vec<String> = Vec::new();
    shown.extend(program.tags.iter().map(|tag| format!("{tag:?}")));
    let kind = |text: String| {
        text.split([' ', '(', '{'])
            .next()
            .unwrap_or_default()
            .to_string()
    };
    shown.extend(
        program
            .buffers
            .iter()
            .map(|buffer| kind(format!("{:?}", buffer.fill))),
    );
    fn operations(steps: &[crate::program::Step], shown: &mut Vec<String>) {
        for step in steps {
            shown.push(format!("{} {}", step.op.name(), step.code));
            if let Op::Repeat { steps, .. } = &step.op {
                operations(steps, shown);
            }
        }
    }
    operations(&program.steps, &mut shown);
    shown
}

/// Of every recorded suite the shortest case of each form, a file each.
fn vectors(corpora: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let keys = |value: &Value| -> Vec<String> {
        value
            .as_object()
            .map(|object| object.keys().cloned().collect())
            .unwrap_or_default()
    };
    let mut chosen = Chosen::default();
    for suite in golden::SUITES {
        recorded(corpora, suite, |case| {
            let kind = case.input.get("kind").or_else(|| case.input.get("op"));
            let shows = format!(
                "{suite} {:?} {:?} {kind:?}",
                keys(&case.input),
                keys(&case.output)
            );
            let text = json!({
                "format": reader::FORMAT,
                "suite": suite,
                "cases": [{"id": case.id, "in": case.input, "out": case.output}],
            });
            // Before the cases, whatever the order of keys is otherwise.
            let text = format!(
                "{{\"format\":{},\"suite\":{},\"cases\":{}}}",
                text["format"], text["suite"], text["cases"]
            );
            if text.len() <= MOST_TEXT {
                chosen.offer(shows, text.into_bytes());
            }
            Ok(())
        })?;
    }
    Ok(chosen.inputs())
}

/// Two parts of a run of one rule on one subject.
fn parts() -> Vec<u8> {
    let part = |index: u64, failed: u64| {
        let findings = (0..failed).map(|_| Finding {
            rule: "DESC-3".into(),
            subject: "s".into(),
            check: "descriptor/random".into(),
            informative: false,
            origin: "random#7".into(),
            summary: String::new(),
            input: json!({}),
            expected: vec!["a".into()],
            actual: vec!["b".into()],
            descriptors: Vec::new(),
        });
        merge::Shard {
            format: merge::FORMAT.into(),
            index,
            of: 2,
            order: vec![[1, 7]; failed as usize],
            report: Report {
                format: model::FORMAT.into(),
                suite_version: "1".into(),
                seed: 1,
                cases: 10,
                complete: true,
                subjects: vec![SubjectInfo {
                    name: "s".into(),
                    line: "hal".into(),
                    driver: None,
                    notes: Vec::new(),
                }],
                rules: vec![RuleReport {
                    id: "DESC-3".into(),
                    family: "DESC".into(),
                    statement: String::new(),
                    why: String::new(),
                    source: String::new(),
                    confidence: Confidence::C,
                    checks: Vec::new(),
                    divergences: Vec::new(),
                    results: vec![RuleResult {
                        subject: "s".into(),
                        cases: 5,
                        diverged: 0,
                        failed,
                        status: if failed > 0 {
                            Status::Failed
                        } else {
                            Status::Held
                        },
                    }],
                }],
                findings: findings.collect(),
                timings: None,
            },
        }
        .render()
    };
    let (one, other) = (part(1, 0), part(2, 1));
    [one.trim_end(), other.trim_end()].join("\0").into_bytes()
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
