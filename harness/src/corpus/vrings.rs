//! Programs of virtual rings: authored, packed, edited, resolved and dumped to a ring.

use super::at;
use crate::program::build::{Author, Mode, stream};
use crate::program::script::{Authored, Transfer};
use crate::program::step::{Block, Op, Side};
use crate::program::{At, Fill, Number, Piece, Program, Slot};

/// Start of variable 0 (TMPL-1); the variable's number is bits 54:36.
const SYMBOL: u64 = 1 << 61;
/// word1 of a plain copy.
const PLAIN: u64 = 0x0108_0003;
const EINVAL: i64 = -22;

fn variable(id: u64, by: u64) -> At {
    At::Address(SYMBOL | id << 36 | by)
}

fn transfer(src: At, dst: At, size: u64) -> Authored {
    Authored::Transfer(Transfer {
        src,
        dst,
        size: Number(size),
        ordered: false,
    })
}

fn pack(max_bytes: u64) -> Authored {
    Authored::Pack {
        max_bytes: Number(max_bytes),
    }
}

pub fn add(programs: &mut Vec<Program>) {
    model_stream(programs);
    template(programs);
    bits(programs);
    padded(programs);
    edits(programs);
    refused(programs);
}

/// A model's copy stream through a packed virtual ring: neighbouring transfers joined to packets,
/// then the completion behind a data memory barrier.
fn model_stream(programs: &mut Vec<Program>) {
    let mut author = Author::new(
        "model-copy-stream",
        "Copies of a model, packed to packets of 40000 bytes, the marker behind a memory barrier.",
        &["XFER-1", "PACK-1", "DUMP-2", "MODL-3"],
    );
    author
        .device("weights", 1 << 18, stream(41))
        .device("state", 1 << 18, stream(42))
        .ring("q", 128);
    let mut script: Vec<_> = (0..48)
        .map(|index| {
            let place = index * 5_000;
            transfer(at("weights", place), at("state", place), 5_000)
        })
        .collect();
    script.push(pack(40_000));
    author.vring("q", script);
    author.finish_as("q", Mode::Dmb);
    author
        .copy_out("q", Side::Tx, 7, 2, "border")
        .holds("state", "weights", 240_000)
        .ends("q", 49, 49, 1);
    // The eighth descriptor ends the first packet, the ninth begins the second.
    let slot = |word0, place| Slot::new(word0, PLAIN, at("weights", place));
    let border = vec![slot(0x0900_1388, 35_000), slot(0x8500_1388, 40_000)];
    author.gave_slots("border", border);
    programs.push(author.done());
}

/// The same stream run after run on rings that begin anew, its variables other buffers each time.
fn template(programs: &mut Vec<Program>) {
    let mut author = Author::new(
        "template-runs",
        "One templated stream, resolved to other buffers on each run.",
        &["TMPL-2", "XFER-1", "QINI-6"],
    );
    for run in 0..3 {
        author
            .device(&format!("in{run}"), 8192, stream(run + 1))
            .device(&format!("out{run}"), 8192, stream(run + 4));
    }
    author.ring("q", 64);
    for run in 0..3 {
        let (from, to) = (format!("in{run}"), format!("out{run}"));
        if run > 0 {
            author.again("q");
        }
        let script = vec![
            transfer(variable(0, 0), variable(1, 4096), 4096),
            transfer(variable(0, 4096), variable(1, 0), 4096),
            Authored::Template { max_var_id: 1 },
            Authored::Resolve {
                addresses: vec![at(&from, 0), at(&to, 0)],
            },
        ];
        author.vring("q", script);
        author.finish_as("q", Mode::Dmb);
        author.holds_pieces(
            at(&to, 0),
            vec![
                Piece::of(at(&from, 4096), 4096),
                Piece::of(at(&from, 0), 4096),
            ],
        );
    }
    author.ends("q", 3, 3, 1);
    programs.push(author.done());
}

/// Two transfers joined by hand-worked words on both sides.
fn bits(programs: &mut Vec<Program>) {
    let mut author = Author::new(
        "vring-words",
        "What a packed virtual ring leaves in the memory of both rings, word for word.",
        &["DUMP-2", "PACK-1", "XFER-1"],
    );
    author
        .host("src", 16384, stream(3))
        .device("dst", 16384, Fill::Byte(0))
        .ring("q", 64);
    let script = vec![
        transfer(at("src", 0), at("dst", 0), 4096),
        transfer(at("src", 4096), at("dst", 4096), 8192),
        pack(65536),
    ];
    author.vring("q", script);
    author.finish_as("q", Mode::Dmb);
    author
        .copy_out("q", Side::Tx, 0, 2, "tx")
        .copy_out("q", Side::Rx, 0, 2, "rx")
        .holds("dst", "src", 12288)
        .ends("q", 3, 3, 1);
    // CONCAT | FIRST | phase 1, then LAST | phase 1; lengths 0x1000 and 0x2000.
    let tx = [
        Slot::new(0x8500_1000, PLAIN, "src"),
        Slot::new(0x0900_2000, PLAIN, "src+4096"),
    ];
    let rx = [
        Slot::new(0x0100_1000, 0, "dst"),
        Slot::new(0x0100_2000, 0, "dst+4096"),
    ];
    author
        .gave_slots("tx", tx.to_vec())
        .gave_slots("rx", rx.to_vec());
    programs.push(author.done());
}

/// A dump that fills up with a no-op, and a marker behind it. A second no-op would read what the
/// first writes, which the engine model tells as a race.
fn padded(programs: &mut Vec<Program>) {
    let mut author = Author::new(
        "vring-padded",
        "A dump padded to 5 descriptors: the no-op copies 4 bytes onto themselves.",
        &["DUMP-3", "DUMP-5"],
    );
    author
        .device("src", 200_000, stream(7))
        .device("dst", 200_000, Fill::Byte(1))
        .host("scratch", 64, stream(9))
        .ring("q", 64);
    let script = vec![transfer(at("src", 0), at("dst", 0), 200_000)];
    author.vring_padded("q", script, 5, at("scratch", 16));
    author.finish_as("q", Mode::Dmb);
    author
        .copy_out("q", Side::Tx, 4, 1, "tx")
        .copy_out("q", Side::Rx, 4, 1, "rx")
        .holds("dst", "src", 200_000)
        .ends("q", 6, 6, 1);
    author
        .gave_slots("tx", vec![Slot::new(0x0d00_0004, PLAIN, "scratch+16")])
        .gave_slots("rx", vec![Slot::new(0x0100_0004, 0, "scratch+16")]);
    programs.push(author.done());
}

/// Every way to add, and the edits.
fn edits(programs: &mut Vec<Program>) {
    let mut author = Author::new(
        "vring-edits",
        "A packet, both forms of a transfer and a poke; a window of sources moved; the barrier.",
        &["XFER-2", "XFER-5", "EDIT-1", "EDIT-2", "BLDR-9"],
    );
    author
        .device("old", 80_000, Fill::Byte(0xee))
        .device("new", 80_000, stream(21))
        .device("dst", 80_000, Fill::Byte(0))
        .host("one", 4, Fill::Hex("01000000".into()))
        .device("event", 64, Fill::Byte(0))
        .ring("q", 64);
    let block = |by: u64| Block {
        src: at("old", by),
        dst: at("dst", by),
        size: Number(100),
    };
    let ordered = |from: u64, size: u64| Transfer {
        src: at("old", from),
        dst: at("dst", from),
        size: Number(size),
        ordered: true,
    };
    let script = vec![
        Authored::Packet {
            blocks: vec![block(0), block(200), block(400)],
            mode: Mode::None,
        },
        Authored::Transfer(ordered(1_000, 70_000)),
        Authored::TransferEx(ordered(72_000, 5_000)),
        transfer(at("old", 600), at("dst", 600), 0),
        transfer(at("old", 72_001), at("dst", 78_000), 100),
        Authored::Poke {
            src: at("one", 0),
            dst: at("event", 8),
        },
        // A pointer moves where its first byte is in the window, and stays right behind it.
        Authored::AddrRewrite {
            base: at("old", 0),
            size: Number(72_001),
            new_base: at("new", 0),
        },
        Authored::DmbOnLastPacket,
    ];
    author.vring("q", script);
    author.finish_as("q", Mode::Dmb);
    for (start, size) in [
        (0, 100),
        (200, 100),
        (400, 100),
        (1_000, 70_000),
        (72_000, 5_000),
    ] {
        author.holds(at("dst", start), at("new", start), size);
    }
    author
        .holds_fill(at("dst", 78_000), Fill::Byte(0xee), 100)
        .holds_fill(at("event", 8), Fill::Hex("01000000".into()), 4)
        .ends("q", 9, 9, 1);
    programs.push(author.done());
}

/// What is refused stages nothing.
fn refused(programs: &mut Vec<Program>) {
    let mut author = Author::new(
        "vring-refused",
        "A variable without an address, one above the largest, dumps that do not fit, a ring that \
         has begun: nothing is staged.",
        &["TMPL-2", "DUMP-1", "XFER-1"],
    );
    author
        .device("src", 4096, stream(1))
        .device("dst", 4096, Fill::Byte(0))
        .ring("q", 32);
    let copy = |times: usize| vec![transfer(at("src", 0), at("dst", 0), 64); times];
    let resolved = |id: u64| {
        vec![
            transfer(variable(id, 0), at("dst", 0), 64),
            Authored::Template { max_var_id: 1 },
            Authored::Resolve {
                addresses: vec![at("src", 0)],
            },
        ]
    };
    let vring = |script, padded: Option<u32>| Op::Vring {
        ring: "q".into(),
        script,
        padded,
        scratch: padded.map(|_| at("dst", 128)),
    };
    author
        .step_code(vring(resolved(1), None), EINVAL, &["TMPL-2"])
        .step_code(vring(resolved(2), None), EINVAL, &["TMPL-2"])
        .step_code(vring(copy(33), None), EINVAL, &["DUMP-1"])
        .step_code(vring(copy(4), Some(3)), EINVAL, &["DUMP-1"])
        .step_code(vring(copy(4), Some(33)), EINVAL, &["DUMP-1"])
        .vring("q", copy(1))
        .step_code(vring(copy(1), None), EINVAL, &["XFER-1"]);
    author.finish_as("q", Mode::Dmb);
    author.holds("dst", "src", 64).ends("q", 2, 2, 1);
    programs.push(author.done());
}
