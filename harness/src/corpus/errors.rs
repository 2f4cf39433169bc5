//! Programs that go wrong: addresses, counts, phases, rings, each with what must come of it.

use super::pair;
use super::rings::later;
use crate::program::build::{Author, Mode, stream};
use crate::program::step::{Op, Raw, Side};
use crate::program::{At, Number, Program, Ring, Tag};

const FIRST: u64 = 1 << 26;
const LAST: u64 = 1 << 27;
const PLAIN: u64 = 0x0108_0003;

fn raw(word0: u64, word1: u64, pointer: impl Into<At>, phase: Option<u32>) -> Raw {
    Raw {
        word0: Number(word0),
        word1: Number(word1),
        pointer: pointer.into(),
        phase,
    }
}

/// Staged as it is given, with the marker behind it: the queue stops before anything is written.
fn stops(name: &str, about: &str, rules: &[&str], stage: impl FnOnce(&mut Author)) -> Program {
    let mut author = pair(name, about, rules, 4096);
    author.tag(Tag::DisturbsDevice);
    stage(&mut author);
    author
        .marker("q")
        .doorbell("q")
        .wait_in_vain("q")
        .blame(rules);
    author.done()
}

pub fn add(programs: &mut Vec<Program>) {
    addresses(programs);
    streams(programs);
    counts(programs);
    rings(programs);
}

fn addresses(programs: &mut Vec<Program>) {
    // Device form on every architecture: bits 44 and 46 are clear.
    let nowhere = At::Address(0x0fff_ffff_f000);
    let high = At::Address(0xffff_afff_ffff_fff8);
    let one = |src: At, dst: At, size: u64| {
        move |author: &mut Author| {
            author.copy("q", src, dst, size, Mode::WriteBarrier);
        }
    };
    let rules = &["MODL-7"];
    programs.extend([
        stops(
            "bad-source",
            "A source where no memory is.",
            rules,
            one(nowhere.clone(), "dst".into(), 64),
        ),
        stops(
            "bad-destination",
            "A destination where no memory is.",
            rules,
            one("src".into(), nowhere, 64),
        ),
        stops(
            "pointer-near-the-end",
            "A source that passes 2^64.",
            rules,
            one(high.clone(), "dst".into(), 64),
        ),
        stops(
            "destination-near-the-end",
            "A destination that passes 2^64.",
            rules,
            one("src".into(), high, 64),
        ),
        stops(
            "source-past-the-end",
            "One byte more than the memory of the source has.",
            rules,
            one("src+4000".into(), "dst".into(), 97),
        ),
        stops(
            "destination-past-the-end",
            "One byte more than the memory of the destination has.",
            rules,
            one("src".into(), "dst+4000".into(), 97),
        ),
    ]);

    // DEV-2: an address of host form that was never allocated. Both windows' bits are set.
    let mut author = pair(
        "host-address-refused",
        "Host-form addresses that are nobody's are refused; the queue goes on.",
        &["DEV-2"],
        4096,
    );
    for (src, dst) in [
        ("0xffffffffffffff00", "dst"),
        ("src", "0xfffffffffffffff0"),
        ("src", "0x500000000000"),
    ] {
        author.copy("q", src, dst, 16, Mode::None);
        let step = author.mark() - 1;
        author.code_of(step, -22, &["DEV-2"]);
    }
    author
        .copy("q", "src", "dst", 16, Mode::WriteBarrier)
        .finish("q")
        .holds("dst", "src", 16)
        .ends("q", 2, 2, 1);
    programs.push(author.done());
}

fn streams(programs: &mut Vec<Program>) {
    let rules = &["MODL-3"];
    programs.extend([
        stops(
            "no-first",
            "A packet that does not begin with FIRST.",
            rules,
            |author| {
                author.raw(
                    "q",
                    vec![raw(LAST | 8, PLAIN, "src", None)],
                    vec![raw(8, 0, "dst", None)],
                );
            },
        ),
        stops("first-inside", "FIRST inside a packet.", rules, |author| {
            let tx = vec![
                raw(FIRST | 1 << 31 | 8, PLAIN, "src", None),
                raw(FIRST | LAST | 8, PLAIN, "src", None),
            ];
            author.raw(
                "q",
                tx,
                vec![raw(8, 0, "dst", None), raw(8, 0, "dst+8", None)],
            );
        }),
        stops(
            "totals-differ",
            "RX takes more than the packet has.",
            rules,
            |author| {
                author.raw(
                    "q",
                    vec![raw(FIRST | LAST | 8, PLAIN, "src", None)],
                    vec![raw(9, 0, "dst", None)],
                );
            },
        ),
        stops(
            "neither-last-nor-concat",
            "A packet that neither ends nor goes on.",
            rules,
            |author| {
                author.raw(
                    "q",
                    vec![raw(FIRST | 8, PLAIN, "src", None)],
                    vec![raw(8, 0, "dst", None)],
                );
            },
        ),
    ]);
    for (name, tx, rx) in [
        ("wrong-tx-phase", Some(2), None),
        ("wrong-rx-phase", None, Some(0)),
    ] {
        programs.push(stops(name, "A descriptor of another phase than its lap's: it is not executed, and aborts are armed for it (IOFC-6).", &["MODL-2"], |author| {
            author.raw("q", vec![raw(FIRST | LAST | 8, PLAIN | 1 << 26, "src", tx)], vec![raw(8, 0, "dst", rx)]);
        }));
    }
    // Lap 2 with the phase of lap 1: 32 descriptors are a lap.
    let mut author = Author::new(
        "stale-lap",
        "The slots of the lap before, rung again.",
        &["MODL-2", "RING-4"],
    );
    author
        .device("src", 4096, stream(1))
        .device("dst", 4096, stream(2))
        .ring("q", 32)
        .tag(Tag::DisturbsDevice);
    for batch in 0..8u64 {
        for index in 0..3 {
            let place = (batch * 3 + index) * 16;
            let mode = if index == 2 {
                Mode::WriteBarrier
            } else {
                Mode::None
            };
            author.copy(
                "q",
                At::start("src").plus(place),
                At::start("dst").plus(place),
                16,
                mode,
            );
        }
        author.finish("q");
    }
    author.step(Op::Write {
        at: "src".into(),
        fill: stream(99),
        size: Number(4096),
    });
    author
        .doorbell_of("q", 4, 4)
        .wait_in_vain("q")
        .blame(&["MODL-2"]);
    author
        .holds("dst", "src", 384)
        .holds_fill("src", stream(99), 4096);
    programs.push(author.done());
}

fn counts(programs: &mut Vec<Program>) {
    let mut author = pair(
        "counts-refused",
        "Counts that are refused before anything is rung; the queue goes on.",
        &["TRIG-1"],
        4096,
    );
    author
        .copy("q", "src", "dst", 64, Mode::WriteBarrier)
        .marker("q");
    for (tx, rx, rule) in [
        (65, 2, "TRIG-1"),
        (2, 65, "TRIG-1"),
        (u32::MAX, 2, "TRIG-1"),
        (2, 0, "TRIG-4"),
        (0, 0, "TRIG-4"),
    ] {
        author.step_code(
            Op::Doorbell {
                ring: "q".into(),
                tx: Some(tx),
                rx: Some(rx),
            },
            -1,
            &[rule],
        );
    }
    author.state("q", "before").blame(&["REGS-2"]);
    author
        .doorbell("q")
        .wait("q")
        .ack("q")
        .holds("dst", "src", 64)
        .ends("q", 2, 2, 1);
    author.gave_state("before", &[("tx.tail", 0), ("rx.tail", 0)]);
    programs.push(author.done());
}

fn init(author: &mut Author, tx: u32, rx: u32, code: i64, rules: &[&str]) {
    let op = Op::Init {
        ring: "q".into(),
        tx: Some(tx),
        rx: Some(rx),
        queue: None,
        engine: None,
    };
    author.step_code(op, code, rules);
}

fn rings(programs: &mut Vec<Program>) {
    let mut author = pair(
        "rings-refused",
        "Ring sizes that are refused: the queue keeps what it had.",
        &["QINI-4"],
        4096,
    );
    init(&mut author, 50, 64, -1, &["QINI-1"]);
    init(&mut author, 64, 65, -1, &["QINI-1"]);
    init(&mut author, 16, 64, -22, &["QINI-4"]);
    init(&mut author, 1 << 24, 64, -22, &["QINI-4"]);
    init(&mut author, 0, 64, -22, &["QINI-4"]);
    for (engine, queue) in [
        (None, Some(16)),
        (Some(132), None),
        (Some(u32::MAX), Some(u32::MAX)),
    ] {
        author.step_code(
            Op::Init {
                ring: "q".into(),
                tx: None,
                rx: None,
                queue,
                engine,
            },
            -22,
            &["DEV-15", "QINI-3"],
        );
    }
    author
        .copy("q", "src", "dst", 64, Mode::WriteBarrier)
        .finish("q")
        .holds("dst", "src", 64)
        .ends("q", 2, 2, 1);
    programs.push(author.done());

    // QINI-7: TX was programmed by the time RX is refused, so TX is back at slot 0.
    let mut author = pair(
        "rx-refused-after-tx",
        "An RX size that is found wrong after TX was programmed.",
        &["QINI-7"],
        4096,
    );
    author
        .copy("q", "src", "dst", 64, Mode::WriteBarrier)
        .finish("q");
    init(&mut author, 32, 1 << 24, -22, &["QINI-4", "QINI-7"]);
    author
        .state("q", "half")
        .blame(&["QINI-7"])
        .holds("dst", "src", 64);
    author.gave_state(
        "half",
        &[
            ("tx.length", 32),
            ("tx.tail", 0),
            ("rx.length", 64),
            ("rx.tail", 2),
        ],
    );
    programs.push(author.done());

    let mut author = pair(
        "batch-refused",
        "A batch of 256 queues is refused whole; a good one is taken.",
        &["DEV-14"],
        4096,
    );
    author.step_code(
        Op::InitBatch {
            rings: vec!["q".into()],
            count: Some(256),
        },
        -7,
        &["DEV-14"],
    );
    author
        .copy("q", "src", "dst", 64, Mode::WriteBarrier)
        .finish("q")
        .holds("dst", "src", 64);
    programs.push(author.done());

    // 40 descriptors are no multiple of 16 (QINI-1).
    let mut author = Author::new(
        "batch-in-part",
        "The second of three queues is refused: the first one works.",
        &["DEV-14"],
    );
    author
        .device("src", 4096, stream(11))
        .device("dst", 4096, stream(22));
    for (queue, (name, size)) in (0..).zip([("a", 128), ("b", 40), ("c", 128)]) {
        author.ring_as(later(name, queue, size));
    }
    author.step_code(
        Op::InitBatch {
            rings: ["a", "b", "c"].map(String::from).to_vec(),
            count: None,
        },
        -1,
        &["DEV-14", "QINI-1"],
    );
    author
        .copy("a", "src", "dst", 64, Mode::WriteBarrier)
        .finish("a")
        .holds("dst", "src", 64);
    programs.push(author.done());

    descriptors(programs);
}

fn descriptors(programs: &mut Vec<Program>) {
    let copy =
        |side, slot: u64, descriptors: Vec<Raw>, times, last, queue_type| Op::CopyDescriptors {
            ring: "q".into(),
            side,
            slot: Number(slot),
            descriptors,
            times,
            last,
            queue_type,
        };
    let good = || raw(FIRST | LAST | 8, PLAIN, "src", Some(1));
    // 256 descriptors of 16 bytes are a page: slot 256 is the first one outside.
    let mut author = Author::new(
        "descriptors-refused",
        "Descriptors that do not fit, of no side, and of no one's memory.",
        &["DEV-1"],
    );
    author.host("src", 4096, stream(1)).ring("q", 256);
    author
        .step_code(
            copy(Side::Tx, 255, vec![good(), good()], 1, None, None),
            -22,
            &["DEV-11", "DEV-1"],
        )
        .step_code(
            copy(Side::Tx, 256, vec![good()], 1, None, None),
            -22,
            &["DEV-11", "DEV-1"],
        )
        .step_code(
            copy(Side::Tx, 1 << 59, vec![good()], 1, None, None),
            -22,
            &["DEV-11", "DEV-1"],
        )
        .step_code(
            copy(Side::Tx, 0, vec![good()], 1, None, Some(2)),
            -1,
            &["DEV-1"],
        )
        .step_code(
            copy(Side::Tx, 0, vec![good()], 1, None, Some(3)),
            -1,
            &["DEV-1"],
        )
        .step_code(
            copy(
                Side::Tx,
                0,
                vec![raw(8, PLAIN, "0xfffffffffffff000", Some(1))],
                1,
                None,
                None,
            ),
            -22,
            &["DEV-2"],
        )
        .copy_out("q", Side::Tx, 0, 1, "untouched");
    author.gave_slots("untouched", vec![slot(0, 0, At::Address(0))]);
    programs.push(author.done());

    // 4096 good ones are a piece of their own; the bad one is in the second.
    let mut author = Author::new(
        "descriptors-in-pieces",
        "A bad address in the second piece leaves the first piece in place.",
        &["DEV-1"],
    );
    author.host("src", 4096, stream(1)).ring_as(Ring {
        name: "q".into(),
        engine: 0,
        queue: 0,
        tx: 8192,
        rx: 64,
        place: crate::program::Place::Host,
        init: true,
    });
    let bad = raw(8, PLAIN, "0xfffffffffffff000", Some(1));
    author.step_code(
        copy(Side::Tx, 0, vec![good()], 4096, Some(bad), None),
        -22,
        &["DEV-1"],
    );
    author
        .copy_out("q", Side::Tx, 4095, 2, "border")
        .blame(&["DEV-1"]);
    let first = slot(FIRST | LAST | 1 << 24 | 8, PLAIN, "src".into());
    author.gave_slots("border", vec![first, slot(0, 0, At::Address(0))]);
    programs.push(author.done());
}

fn slot(word0: u64, word1: u64, pointer: At) -> crate::program::Slot {
    crate::program::Slot {
        word0: Number(word0),
        word1: Number(word1),
        pointer,
    }
}
