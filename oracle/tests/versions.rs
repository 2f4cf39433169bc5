//! What golden/versions.md says of the driver versions, held against the data that the rules are judged by: its
//! two tables cell by cell, its numbers of cases recounted over the vectors.

use std::path::{Path, PathBuf};

use udma_oracle::cases::count::Count;
use udma_oracle::cases::pair::{Pair, PairAnswer, filled};
use udma_oracle::cases::ring_script::{Op, Script};
use udma_oracle::cases::rings::{Rings, Step, Steps};
use udma_oracle::cases::start::{Start, StartCase};
use udma_oracle::family::Family;
use udma_oracle::golden::{reader, ring_script};
use udma_oracle::law::pair::{kind, kind_where, refusal, required};
use udma_oracle::law::program;
use udma_oracle::law::version::{VERSIONS, Version};
use udma_oracle::line::{Line, driver_number};
use udma_oracle::subject::Event;
use udma_oracle::wire::{BUG, FILL, PairIn, Ring};

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../corpora/golden")
        .join(name)
}

/// The rows of every table, cells trimmed, the line of dashes left out.
fn tables(text: &str) -> Vec<Vec<Vec<String>>> {
    let mut tables: Vec<Vec<Vec<String>>> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let Some(row) = line.strip_prefix('|').and_then(|row| row.strip_suffix('|')) else {
            inside = false;
            continue;
        };
        if !inside {
            tables.push(Vec::new());
        }
        inside = true;
        let cells: Vec<String> = row.split('|').map(|cell| cell.trim().to_string()).collect();
        if !cells[0].starts_with("---") {
            tables.last_mut().expect("a table").push(cells);
        }
    }
    tables
}

/// The version that a release stands for; `versions` is the table under test.
fn of<'a>(release: &str, versions: &'a [Version]) -> Result<&'a Version, String> {
    let number = driver_number(release).ok_or(format!("{release} is not known"))?;
    Ok(&versions[usize::from(number)])
}

// ---- what the rules make of a version ----

fn pair(case: &PairIn, version: &Version) -> PairAnswer {
    let bits = kind_where(Line::Kernel, case, version.knows_sow);
    let mut out = required(Line::Kernel, case, bits, &filled(FILL));
    if bits & kind::ACCEPTED == 0 {
        out.ret = refusal(Line::Kernel, bits, version);
    }
    PairAnswer::of(&out)
}

fn plain() -> PairIn {
    PairIn {
        src: 0x1000,
        dst: 0x2000,
        size: 64,
        arch: 3,
        ..PairIn::default()
    }
}

fn steps(size: u32, allocatable: bool, ops: Vec<Op>, version: &Version) -> Steps {
    let script = Script {
        driver: version.number,
        qid: 0,
        size: [size; 2],
        has_memory: [true; 2],
        allocatable,
        ops,
    };
    Rings::steps(&script, version)
}

fn last(steps: &Steps) -> Step {
    *steps.last().expect("the state at first")
}

fn start(counts: [u32; 2], qid: u32, version: &Version) -> (i32, Vec<Event>) {
    program::copy_start(version, 16, qid, [64; 2], counts[0], counts[1])
}

fn rung(events: &[Event]) -> usize {
    events
        .iter()
        .filter(|event| matches!(event, Event::Write(..)))
        .count()
}

/// A code in the words of the table.
fn code(code: i64) -> String {
    if code == i64::from(BUG) {
        "stop".into()
    } else {
        code.to_string()
    }
}

/// What the rules make of a row under a version, in the words of the table; none for a row that nothing here
/// knows.
fn said(row: &str, version: &Version) -> Option<String> {
    let odd = |op: Op| last(&steps(48, true, vec![op], version));
    let stays = |step: Step, said: String| {
        let still = step.cursors == [[0, 0, 1]; 2];
        if step.result != i64::from(BUG) && still {
            format!("{said}, cursor stays")
        } else {
            said
        }
    };
    let refused = |case: &PairIn| {
        let answer = pair(case, version);
        let written = if answer.slots == [None; 2] {
            "nothing written"
        } else {
            "written"
        };
        format!("{}, {written}", answer.ret)
    };
    let doorbell = |(ret, events): (i32, Vec<Event>)| match rung(&events) {
        0 => format!("{}, no doorbell", code(ret.into())),
        _ => format!("**rx doorbell already rung**, then {}", code(ret.into())),
    };
    Some(match row {
        "barrier 3 (strong-order write)" => {
            let case = PairIn { mode: 3, ..plain() };
            let answer = pair(&case, version);
            match answer.slots[1] {
                Some(rx) if answer.ret == 0 => {
                    format!(
                        "known: rx control bit {}",
                        (rx.word[0] & !0xffff).trailing_zeros()
                    )
                }
                _ => format!("unknown: {}", refused(&case)),
            }
        }
        "barrier 3 and size above 65536" => {
            let case = PairIn {
                mode: 3,
                size: 65537,
                ..plain()
            };
            match pair(&case, version).ret {
                -22 => "-22 (barrier looked at first)".into(),
                other => other.to_string(),
            }
        }
        "barrier below 0 or above 3" => {
            let codes = [-1, 4].map(|mode| pair(&PairIn { mode, ..plain() }, version).ret);
            if codes[0] == codes[1] {
                codes[0].to_string()
            } else {
                format!("{codes:?}")
            }
        }
        "size above 65536, valid barrier" => refused(&PairIn {
            size: 65537,
            ..plain()
        }),
        "size 65536 and size 0" => {
            let field = |size| {
                let answer = pair(&PairIn { size, ..plain() }, version);
                answer.slots[0].map(|tx| tx.word[0] & 0xffff)
            };
            match (field(65536), field(0)) {
                (Some(0), Some(0)) => "both give length field 0".into(),
                other => format!("{other:?}"),
            }
        }
        "ring id above 3" => {
            let answer = pair(
                &PairIn {
                    rx_ring_id: 0x24,
                    ..plain()
                },
                version,
            );
            match answer.slots[1].map(|rx| rx.word[0] >> 24) {
                Some(0x24) => "not masked, spills upwards".into(),
                other => format!("{other:?}"),
            }
        }
        "refused barrier inside the one-call preparation" => {
            let refused = PairIn { mode: 7, ..plain() };
            let step = last(&steps(64, true, vec![Op::Prepare(0, refused)], version));
            let taken = step.cursors.iter().all(|cursors| cursors[0] == 1);
            let taken = if taken {
                ", but both slots stay taken"
            } else {
                ""
            };
            format!("{}{taken}", step.result)
        }
        "free count, ring not a power of two" => code(odd(Op::Available(Ring::Tx)).result),
        "take a slot, ring not a power of two" => match odd(Op::Get(Ring::Rx)) {
            step if step.result == -1 => stays(step, "refused".into()),
            step => code(step.result),
        },
        "acknowledge, ring not a power of two" => {
            let step = odd(Op::Ack(Ring::Tx, 1));
            stays(step, code(step.result))
        }
        "prepare, ring not a power of two" => code(odd(Op::Prepare(0, plain())).result),
        "prepare, queue not allocatable or without base pointer" => {
            let step = last(&steps(64, false, vec![Op::Prepare(0, plain())], version));
            code(step.result)
        }
        "start with rx count 0" => doorbell(start([1, 0], 0, version)),
        "start with rx count above the ring" => doorbell(start([1, 65], 0, version)),
        "start with tx count above the ring" => doorbell(start([65, 1], 0, version)),
        "start with tx count 0" => match start([0, 1], 0, version) {
            (0, events) if matches!(events[..], [Event::Barrier, Event::Write(_, 0x21038, 1)]) => {
                "rx doorbell only".into()
            }
            other => format!("{other:?}"),
        },
        "rx before tx, one full barrier before each doorbell" => match start([2, 1], 0, version) {
            (0, events)
                if matches!(
                    events[..],
                    [
                        Event::Barrier,
                        Event::Write(_, 0x21038, 1),
                        Event::Barrier,
                        Event::Write(_, 0x1038, 2)
                    ]
                ) =>
            {
                "yes".into()
            }
            other => format!("{other:?}"),
        },
        "queue id out of range" => start([1, 1], 16, version).0.to_string(),
        _ => return None,
    })
}

/// Rows and versions that were not run, so that nothing can be held against them.
const NOT_RUN: &str = "not run (would use a null slot)";

/// Statements of the table of behaviours that do not hold of `versions`; how many were compared.
fn behaviours(rows: &[Vec<String>], versions: &[Version]) -> (Vec<String>, usize) {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    let columns = &rows[0];
    for row in &rows[1..] {
        let mut cell = "";
        for (column, text) in columns.iter().zip(row).skip(1) {
            if text != "same" {
                cell = text;
            }
            if cell == NOT_RUN {
                continue;
            }
            // "2.18.20.0 to 2.24.7.0": both ends of it.
            for release in column.split(" to ") {
                compared += 1;
                let said = of(release, versions).map(|version| said(&row[0], version));
                match said {
                    Ok(Some(said)) if said == cell => {}
                    Ok(Some(said)) => {
                        wrong.push(format!("{release}: {}: {said}, versions.md {cell}", row[0]));
                    }
                    Ok(None) => wrong.push(format!("row {:?} is not known", row[0])),
                    Err(why) => wrong.push(why),
                }
            }
        }
    }
    (wrong, compared)
}

/// The recorded inputs that the versions are compared on.
struct Inputs {
    pairs: Vec<PairIn>,
    scripts: Vec<Script>,
    sizes: Vec<u32>,
    starts: Vec<StartCase>,
}

fn each<T>(suite: &str, parse: impl Fn(&reader::RawCase) -> Result<T, String>) -> Vec<T> {
    let mut cases = Vec::new();
    let read = reader::read(&golden(&format!("{suite}.json")), &mut |_, raw| {
        cases.push(parse(&raw).map_err(reader::Refusal::Case)?);
        Ok(())
    });
    read.expect("the vectors");
    cases
}

impl Inputs {
    fn read() -> Self {
        // Where a slot is missing the older versions were not run.
        let null = |script: &Script| {
            let slots = script.allocatable && script.has_memory == [true; 2];
            !slots && script.ops.iter().any(|op| matches!(op, Op::Prepare(..)))
        };
        let mut scripts = each("ring_cursor", ring_script);
        scripts.retain(|script| !null(script));
        Self {
            pairs: each("copy_pair", |raw| Pair::from_json(&raw.input)),
            scripts,
            sizes: each("desc_count", |raw| Count::from_json(&raw.input)),
            starts: each("copy_start", |raw| Start::from_json(&raw.input)),
        }
    }

    fn numbers(&self) -> [usize; 4] {
        [
            self.pairs.len(),
            self.scripts.len(),
            self.sizes.len(),
            self.starts.len(),
        ]
    }

    /// Cases whose answers are not those of another version.
    fn differing(&self, version: &Version, other: &Version) -> [usize; 4] {
        let pairs = self.pairs.iter();
        let scripts = self.scripts.iter();
        let start = |case: &StartCase, version: &Version| {
            let [m2s, s2m] = case.count;
            program::copy_start(version, case.num_queues, case.qid, case.size, m2s, s2m)
        };
        let starts = self.starts.iter();
        [
            pairs
                .filter(|case| pair(case, version) != pair(case, other))
                .count(),
            scripts
                .filter(|script| Rings::steps(script, version) != Rings::steps(script, other))
                .count(),
            // No version enters the ring size rule.
            0,
            starts
                .filter(|case| start(case, version) != start(case, other))
                .count(),
        ]
    }
}

/// Numbers of the first table that are not those of `versions`.
fn numbers(rows: &[Vec<String>], inputs: &Inputs, versions: &[Version]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (heading, number) in rows[0][1..].iter().zip(inputs.numbers()) {
        if !heading.contains(&format!("({number}")) {
            wrong.push(format!("{heading}: there are {number}"));
        }
    }
    for row in &rows[1..] {
        match of(&row[0], versions) {
            Ok(version) => {
                let differing = inputs.differing(version, &versions[0]);
                if row[1..] != differing.map(|number| number.to_string()) {
                    wrong.push(format!("{row:?}: the rules give {differing:?}"));
                }
            }
            Err(why) => wrong.push(why),
        }
    }
    wrong
}

/// The waits, which are told in a sentence.
fn waits(text: &str, versions: &[Version]) -> Vec<String> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let told = "the poll budget on v3 is 100 times the estimate up to 2.24.7.0 and 400 times from 2.25.4.0";
    let mut wrong = Vec::new();
    if !text.contains(told) {
        wrong.push(format!("versions.md does not say: {told}"));
    }
    for (releases, estimates) in [
        (["2.15.9.0", "2.18.20.0", "2.24.7.0"], 100),
        (["2.25.4.0", "2.26.5.0", "2.26.5.0"], 400),
    ] {
        for release in releases {
            match of(release, versions) {
                Ok(version) if version.cayman_estimates == estimates => {}
                other => wrong.push(format!("{release}: {other:?}, told {estimates}")),
            }
        }
    }
    wrong
}

fn all(text: &str, inputs: &Inputs, versions: &[Version]) -> Vec<String> {
    let tables = tables(text);
    let mut wrong = numbers(&tables[0], inputs, versions);
    wrong.extend(behaviours(&tables[1], versions).0);
    wrong.extend(waits(text, versions));
    wrong
}

#[test]
fn the_versions_do_what_versions_md_says() {
    let text = std::fs::read_to_string(golden("versions.md")).expect("versions.md");
    let wrong = all(&text, &Inputs::read(), &VERSIONS);
    assert!(wrong.is_empty(), "{wrong:#?}");
    let tables = tables(&text);
    // The third is about the engine's program, which is that of the recorded version (EINI).
    assert_eq!(tables.len(), 3);
    assert_eq!(tables[0].len(), 7);
    // 18 rows, five releases; one row was not run on four of them.
    assert_eq!(behaviours(&tables[1], &VERSIONS).1, 18 * 5 - 4);
}

/// Each datum that versions.md speaks of is told when it is wrong.
#[test]
fn a_wrong_datum_is_told() {
    let text = std::fs::read_to_string(golden("versions.md")).expect("versions.md");
    let inputs = Inputs::read();
    type Change = fn(&mut Version);
    let changes: [(&str, Change); 5] = [
        ("knows_sow", |version| {
            version.knows_sow = !version.knows_sow;
        }),
        ("oversize", |version| version.oversize = -22),
        ("bad_count", |version| {
            version.bad_count = if version.bad_count == BUG { -1 } else { BUG };
        }),
        ("counts_first", |version| {
            version.counts_first = !version.counts_first;
        }),
        ("cayman_estimates", |version| version.cayman_estimates += 1),
    ];
    for at in 0..4 {
        for (name, change) in changes {
            let mut versions = VERSIONS;
            change(&mut versions[at]);
            let wrong = all(&text, &inputs, &versions);
            assert!(!wrong.is_empty(), "{}: {name}", versions[at].name);
        }
    }
    let changed = text.replace("| 143 |", "| 142 |");
    assert_eq!(all(&changed, &inputs, &VERSIONS).len(), 1);
    let changed = text.replace("rx doorbell only", "tx doorbell only");
    assert!(!all(&changed, &inputs, &VERSIONS).is_empty());
}

/// 2.27.4.0, which versions.md leaves out (BLDR-4, POLL-1, POLL-3, ZC-6 as described).
#[test]
fn the_described_version_is_as_described() {
    use udma_oracle::law::version::ZeroCopy;
    let described = of("2.27.4.0", &VERSIONS).expect("known");
    assert_eq!((described.oversize, described.timeout), (-22, -110));
    assert!(described.stretched_in_poller && described.knows_sow && described.counts_first);
    assert_eq!(described.zero_copy, ZeroCopy::Queue);
    assert_eq!(described.bad_count, -1);
    for version in VERSIONS.iter().filter(|version| *version != described) {
        assert_eq!(
            (version.oversize, version.timeout),
            (-1, -1),
            "{}",
            version.name
        );
        assert_eq!(version.zero_copy, ZeroCopy::Pair, "{}", version.name);
    }
}
