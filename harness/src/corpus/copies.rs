//! Copies and packets of every shape.

use super::{WITH_SOW, pair};
use crate::program::build::{Author, Mode, stream};
use crate::program::step::{Op, Raw};
use crate::program::{At, Number, Place, Program};

const PAIR: u64 = 65536;
const FIRST: u64 = 1 << 26;
const LAST: u64 = 1 << 27;
const CONCAT: u64 = 1 << 31;
const PLAIN: u64 = 0x0108_0003;

fn raw(word0: u64, word1: u64, pointer: impl Into<At>) -> Raw {
    Raw {
        word0: Number(word0),
        word1: Number(word1),
        pointer: pointer.into(),
        phase: None,
    }
}

/// A batch of one copy and the marker: two descriptors, so the cursors end at 2.
fn one(name: &str, about: &str, rules: &[&str], bytes: u64, from: u64, to: u64) -> Program {
    let mut author = pair(
        name,
        about,
        rules,
        (from.max(to) + bytes).next_multiple_of(4096),
    );
    let (src, dst) = (At::start("src").plus(from), At::start("dst").plus(to));
    author
        .copy("q", src.clone(), dst.clone(), bytes, Mode::WriteBarrier)
        .finish("q")
        .holds(dst, src, bytes);
    let pairs = bytes.div_ceil(PAIR) as u32 + 1;
    author.ends("q", pairs, pairs, 1);
    author.done()
}

pub fn add(programs: &mut Vec<Program>) {
    let sizes: [(&str, &str, u64); 8] = [
        ("copy-1", "One byte.", 1),
        ("copy-4", "Four bytes, as the marker itself.", 4),
        ("copy-251", "A prime number of bytes.", 251),
        ("copy-4096", "A page.", 4096),
        (
            "copy-65535",
            "The largest length that is encoded as itself.",
            65535,
        ),
        ("copy-65536", "The largest pair: length field 0.", 65536),
        (
            "copy-65537",
            "One byte more than a pair takes: two pairs.",
            65537,
        ),
        ("copy-1m", "One MiB: 16 pairs.", 1 << 20),
    ];
    for (name, about, bytes) in sizes {
        programs.push(one(
            name,
            about,
            &["DESC-3", "BLDR-1", "BLDR-2", "BLDR-3"],
            bytes,
            0,
            0,
        ));
    }
    let odd = [
        ("copy-unaligned", "Odd addresses on both sides.", 1001, 1, 3),
        (
            "copy-source-odd",
            "An odd source, an even destination.",
            64,
            7,
            8,
        ),
        (
            "copy-across-pages",
            "Across a page border on both sides.",
            4096,
            100,
            4000,
        ),
    ];
    for (name, about, bytes, from, to) in odd {
        programs.push(one(
            name,
            about,
            &["DESC-2", "BLDR-1", "BLDR-2"],
            bytes,
            from,
            to,
        ));
    }
    places(programs);
    modes(programs);
    order(programs);
    packets(programs);
}

fn places(programs: &mut Vec<Program>) {
    let kinds = [
        ("host-to-device", Place::Host, Place::Device),
        ("device-to-host", Place::Device, Place::Host),
        ("host-to-host", Place::Host, Place::Host),
    ];
    for (name, from, to) in kinds {
        let mut author = Author::new(
            name,
            "Memory of either kind on either side.",
            &["HOST-1", "DEV-2"],
        );
        author
            .buffer("src", from, 10_000, stream(1))
            .buffer("dst", to, 10_000, stream(2))
            .ring("q", 64)
            .copy("q", "src+10", "dst+20", 9_000, Mode::WriteBarrier)
            .finish("q")
            .holds("dst+20", "src+10", 9_000)
            .ends("q", 2, 2, 1);
        programs.push(author.done());
    }
    // A buffer lies at the end of its allocation: the last byte of both is the last there is.
    for (name, size) in [("to-the-last-byte", 4096), ("to-the-last-byte-64k", 65536)] {
        let mut author = pair(
            name,
            "Source and destination end exactly where their memory does.",
            &["MODL-7", "DESC-3"],
            size,
        );
        author
            .copy(
                "q",
                At::start("src").plus(size - 100),
                At::start("dst").plus(size - 100),
                100,
                Mode::None,
            )
            .copy("q", "src", "dst", 100, Mode::WriteBarrier)
            .finish("q")
            .holds(
                At::start("dst").plus(size - 100),
                At::start("src").plus(size - 100),
                100,
            )
            .holds("dst", "src", 100)
            .ends("q", 3, 3, 1);
        programs.push(author.done());
    }
    let mut author = Author::new(
        "whole-small-buffers",
        "Buffers of 12 bytes, copied whole.",
        &["MODL-7"],
    );
    author
        .host("src", 12, stream(1))
        .device("dst", 12, stream(2))
        .ring("q", 64)
        .copy("q", "src", "dst", 12, Mode::WriteBarrier)
        .finish("q")
        .holds("dst", "src", 12);
    programs.push(author.done());
}

fn modes(programs: &mut Vec<Program>) {
    let each = [
        ("mode-dmb", Mode::Dmb),
        ("mode-write-barrier", Mode::WriteBarrier),
        ("mode-sow", Mode::Sow),
    ];
    for (name, mode) in each {
        let mut author = pair(
            name,
            "Three copies, each with the mode.",
            &["BARR-2", "MODL-5"],
            4096,
        );
        if mode == Mode::Sow {
            author.only(&WITH_SOW);
        }
        for at in 0..3 {
            let place = at * 1024;
            author.copy(
                "q",
                At::start("src").plus(place),
                At::start("dst").plus(place),
                512,
                mode,
            );
            author.holds(
                At::start("dst").plus(place),
                At::start("src").plus(place),
                512,
            );
        }
        // A marker behind a data memory barrier comes after everything before it (MODL-5).
        author.finish_as("q", Mode::Dmb).ends("q", 4, 4, 1);
        programs.push(author.done());
    }
    let mut author = pair(
        "interrupt",
        "Interrupt on completion: the same bytes.",
        &["BLDR-2"],
        4096,
    );
    author
        .step(Op::Copy {
            ring: "q".into(),
            src: "src".into(),
            dst: "dst".into(),
            size: Number(64),
            mode: Mode::WriteBarrier,
            interrupt: true,
        })
        .finish("q")
        .holds("dst", "src", 64);
    programs.push(author.done());
}

fn order(programs: &mut Vec<Program>) {
    let mut author = pair(
        "overlap-keeps-order",
        "Three copies to overlapping places: what is later in the ring is on top (MODL-5).",
        &["MODL-5"],
        8192,
    );
    author
        .copy("q", "src", "dst", 1000, Mode::None)
        .copy("q", "src+2000", "dst+500", 1000, Mode::None)
        .copy("q", "src+4000", "dst+900", 200, Mode::WriteBarrier)
        .finish("q")
        .holds("dst", "src", 500)
        .holds("dst+500", "src+2000", 400)
        .holds("dst+900", "src+4000", 200)
        .holds("dst+1100", "src+2600", 400)
        .ends("q", 4, 4, 1);
    programs.push(author.done());

    let mut author = pair(
        "chain-behind-dmb",
        "The second copy reads what the first one wrote; a data memory barrier orders it.",
        &["MODL-5", "BARR-2"],
        8192,
    );
    author
        .copy("q", "src", "dst", 2048, Mode::None)
        .copy("q", "dst+1024", "dst+4096", 1024, Mode::Dmb)
        .copy("q", "dst+4096", "dst+6000", 512, Mode::Dmb)
        .finish_as("q", Mode::Dmb)
        .holds("dst", "src", 2048)
        .holds("dst+4096", "src+1024", 1024)
        .holds("dst+6000", "src+1024", 512)
        .ends("q", 4, 4, 1);
    programs.push(author.done());

    let mut author = pair(
        "scatter-40",
        "Forty copies of 16 bytes to scattered places.",
        &["MODL-1", "BLDR-1"],
        65536,
    );
    for at in 0..40u64 {
        let (from, to) = (at * 16, (at * 37 % 40) * 1600 + 5);
        // The barrier on the last orders all of them before the marker (MODL-5).
        let mode = if at == 39 {
            Mode::WriteBarrier
        } else {
            Mode::None
        };
        author.copy(
            "q",
            At::start("src").plus(from),
            At::start("dst").plus(to),
            16,
            mode,
        );
        author.holds(At::start("dst").plus(to), At::start("src").plus(from), 16);
    }
    author.finish("q").ends("q", 41, 41, 1);
    programs.push(author.done());
}

fn packets(programs: &mut Vec<Program>) {
    let sized = [
        ("packet-2", "Two blocks.", 2u64, 100u64),
        (
            "packet-60",
            "As many blocks as the runtime puts into a packet.",
            60,
            32,
        ),
        ("packet-64k", "Blocks of 65536 bytes.", 3, 65536),
    ];
    for (name, about, count, bytes) in sized {
        let mut author = pair(
            name,
            about,
            &["BLDR-9", "MODL-3"],
            (count * bytes + 4096).next_multiple_of(4096),
        );
        let blocks: Vec<_> = (0..count)
            .map(|at| {
                let to = (count - 1 - at) * bytes;
                (
                    At::start("src").plus(at * bytes),
                    At::start("dst").plus(to),
                    bytes,
                )
            })
            .collect();
        author.packet("q", &blocks, Mode::WriteBarrier).finish("q");
        for (from, to, bytes) in blocks {
            author.holds(to, from, bytes);
        }
        author.ends("q", count as u32 + 1, count as u32 + 1, 1);
        programs.push(author.done());
    }
    let mut author = pair(
        "packets-in-a-row",
        "Packets, pairs and packets in one batch.",
        &["BLDR-9", "MODL-3"],
        8192,
    );
    let block = |at: u64, bytes: u64| (At::start("src").plus(at), At::start("dst").plus(at), bytes);
    author
        .packet(
            "q",
            &[block(0, 10), block(10, 20), block(30, 30)],
            Mode::None,
        )
        .copy("q", "src+60", "dst+60", 40, Mode::None)
        .packet("q", &[block(100, 1), block(101, 1)], Mode::WriteBarrier)
        .finish("q")
        .holds("dst", "src", 102)
        .ends("q", 7, 7, 1);
    programs.push(author.done());

    // MODL-3: totals must match, lengths need not. 3 + 5 bytes are read and 8 are written.
    let mut author = pair(
        "gather-raw",
        "Two TX descriptors feed one RX descriptor.",
        &["MODL-3", "DESC-2"],
        4096,
    );
    author
        .raw(
            "q",
            vec![
                raw(FIRST | CONCAT | 3, PLAIN, "src"),
                raw(LAST | 5, PLAIN | 1 << 26, "src+100"),
            ],
            vec![raw(8, 0, "dst+7")],
        )
        .finish("q")
        .holds("dst+7", "src", 3)
        .holds("dst+10", "src+100", 5);
    programs.push(author.done());

    let mut author = pair(
        "spread-raw",
        "One TX descriptor feeds three RX descriptors.",
        &["MODL-3", "DESC-2"],
        4096,
    );
    author
        .raw(
            "q",
            vec![raw(FIRST | LAST | 0x258, PLAIN | 1 << 26, "src+5")],
            vec![
                raw(100, 0, "dst"),
                raw(1, 0, "dst+2000"),
                raw(499, 0, "dst+3000"),
            ],
        )
        .finish("q")
        .holds("dst", "src+5", 100)
        .holds("dst+2000", "src+105", 1)
        .holds("dst+3000", "src+106", 499);
    programs.push(author.done());
}
