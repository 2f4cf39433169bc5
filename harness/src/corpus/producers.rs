//! Programs in the shape of each producer that uses the engine.

use super::{at, pair};
use crate::program::build::{Author, Mode, stream};
use crate::program::step::Op;
use crate::program::{At, Fill, Number, Program};

const PAIR: u64 = 65536;

pub fn add(programs: &mut Vec<Program>) {
    driver_shape(programs);
    driver(programs);
    zero_copy(programs);
    fills(programs);
}

fn driver_shape(programs: &mut Vec<Program>) {
    // BTCH-1, BTCH-3: chunks of 65536 bytes, the write barrier on the last data pair, marker NONE.
    let mut author = pair(
        "driver-memcpy-shape",
        "A driver's copy by hand: chunks, write barrier on the last, marker.",
        &["BTCH-1", "BTCH-3", "BTCH-4"],
        10 * PAIR,
    );
    author
        .copy("q", "src", "dst", 9 * PAIR + 5, Mode::WriteBarrier)
        .finish("q")
        .holds("dst", "src", 9 * PAIR + 5)
        .ends("q", 11, 11, 1);
    programs.push(author.done());
}

fn driver_copy(author: &mut Author, src: At, dst: At, size: u64) {
    author.step(Op::DriverCopy {
        src,
        dst,
        size: Number(size),
    });
}

fn driver(programs: &mut Vec<Program>) {
    let sizes = [
        ("driver-copy-4", 4u64),
        ("driver-copy-65536", PAIR),
        ("driver-copy-200000", 200_000),
        ("driver-copy-8m", 8 << 20),
    ];
    for (name, bytes) in sizes {
        let mut author = Author::new(name, "The driver's own copy.", &["BTCH-1", "BTCH-6"]);
        let size = bytes + 100;
        author
            .device("src", size, stream(1))
            .device("dst", size, stream(2));
        driver_copy(&mut author, at("src", 10), at("dst", 90), bytes);
        author.holds("dst+90", "src+10", bytes);
        programs.push(author.done());
    }
    // A full batch has 2032 data pairs (BTCH-2): 2033 chunks are two batches.
    let mut author = Author::new(
        "driver-copy-two-batches",
        "One chunk more than a batch takes.",
        &["BTCH-2", "BTCH-6"],
    );
    let bytes = 2032 * PAIR + 77;
    author
        .device("src", bytes, stream(1))
        .device("dst", bytes, Fill::Byte(0));
    driver_copy(&mut author, at("src", 0), at("dst", 0), bytes);
    author.holds("dst", "src", bytes);
    programs.push(author.done());

    let mut author = Author::new(
        "driver-copy-host",
        "The driver's copy from and to host memory.",
        &["HOST-1", "BTCH-1"],
    );
    author
        .host("src", 100_000, stream(1))
        .device("mid", 100_000, stream(2))
        .host("dst", 100_000, stream(3));
    driver_copy(&mut author, at("src", 0), at("mid", 0), 100_000);
    driver_copy(&mut author, at("mid", 1), at("dst", 2), 99_998);
    author
        .holds("mid", "src", 100_000)
        .holds("dst+2", "src+1", 99_998);
    programs.push(author.done());

    // 5 * 2 descriptors a time; 900 times are 9000, more than the 8192 slots of the driver's ring.
    let mut author = Author::new(
        "driver-copy-many",
        "More copies than the driver's ring has slots: the driver acknowledges its own.",
        &["BTCH-6", "RING-5"],
    );
    author
        .device("src", 4096, stream(1))
        .device("dst", 4096, stream(2));
    for part in 0..5 {
        driver_copy(&mut author, at("src", part * 64), at("dst", part * 64), 64);
    }
    author.repeat_from(0, 900);
    author.holds("dst", "src", 320);
    programs.push(author.done());

    let mut author = Author::new(
        "async-two-in-flight",
        "Two asynchronous copies, waited for in turn (ASYN-1, ASYN-2).",
        &["ASYN-1", "ASYN-2"],
    );
    author
        .device("src", 300_000, stream(1))
        .device("dst", 300_000, stream(2));
    let submit = |author: &mut Author, place: u64, size: u64, previous: i32, handle: i32| {
        author.step(Op::AsyncCopy {
            src: at("src", place),
            dst: at("dst", place),
            size: Number(size),
            previous,
            handle,
        });
    };
    submit(&mut author, 0, 100_000, -1, 1);
    submit(&mut author, 100_000, 100_000, 1, 2);
    submit(&mut author, 200_000, 50_000, 2, 1);
    author.step(Op::AsyncWait {
        src: at("src", 0),
        dst: at("dst", 0),
        handle: 1,
    });
    submit(&mut author, 250_000, 50_000, 0, 0);
    author.holds("dst", "src", 300_000);
    programs.push(author.done());
}

fn zero_copy(programs: &mut Vec<Program>) {
    // ZC-3, ZC-6: two steps, each with its own completion buffer; the second is rung before the
    // first is waited for. Runs of pages are cut every 65536 bytes from their own start.
    for (name, host_is_source) in [("zero-copy-write", true), ("zero-copy-read", false)] {
        let mut author = Author::new(
            name,
            "Pages of a user buffer in steps, two contexts in turn.",
            &["ZC-3", "ZC-4", "ZC-6"],
        );
        author
            .host("pages", 600_000, stream(51))
            .device("tensor", 600_000, stream(52));
        // Completion buffers of the two contexts: the word, then the place that is polled.
        let armed = Fill::Hex("01efcdab00000000".into());
        author
            .host("context0", 8, armed.clone())
            .host("context1", 8, armed)
            .ring("q", 64);
        let (from, to) = if host_is_source {
            ("pages", "tensor")
        } else {
            ("tensor", "pages")
        };
        // Offset 100 in the first page: 3996 bytes to its end are part of the first run.
        let runs: [(u64, u64); 6] = [
            (0, 65_536),
            (65_536, 65_536),
            (131_072, 3_000),
            (134_072, 65_536),
            (199_608, 65_536),
            (265_144, 1),
        ];
        for (index, (place, bytes)) in runs.into_iter().enumerate() {
            let step_ends = index == 2 || index == 5;
            let mode = if step_ends {
                Mode::WriteBarrier
            } else {
                Mode::None
            };
            author.copy("q", at(from, 100 + place), at(to, 200 + place), bytes, mode);
            if step_ends {
                let context = if index == 2 { "context0" } else { "context1" };
                author
                    .copy("q", at(context, 0), at(context, 4), 4, Mode::None)
                    .doorbell("q");
            }
        }
        // Both are out; the ring's own marker behind a data memory barrier waits for all.
        author.finish_as("q", Mode::Dmb);
        author.holds(at(to, 200), at(from, 100), 265_145);
        author
            .holds("context0+4", "context0", 4)
            .holds("context1+4", "context1", 4)
            .ends("q", 9, 9, 1);
        programs.push(author.done());
    }
}

fn fills(programs: &mut Vec<Program>) {
    let fill = |author: &mut Author, place: u64, value: u32, size: u64| {
        author.step(Op::Memset {
            at: at("dst", place),
            value,
            size: Number(size),
        });
        author.holds_fill(at("dst", place), Fill::Byte(value as u8), size);
    };
    for (name, about, place, size) in [
        ("memset-3", "A fill of three bytes.", 5, 3u64),
        (
            "memset-65536",
            "A fill of as much as the host buffer holds.",
            0,
            PAIR,
        ),
        (
            "memset-65537",
            "One byte more: the rest is copied from the start.",
            0,
            PAIR + 1,
        ),
        ("memset-300000", "A fill of several chunks.", 777, 300_000),
    ] {
        let mut author = Author::new(name, about, &["MSET-1"]);
        author.device("dst", (place + size).next_multiple_of(4096), stream(2));
        fill(&mut author, place, 0x1234_56a7, size);
        programs.push(author.done());
    }
    let mut author = Author::new(
        "memset-then-copy",
        "A fill, and a queue of the program's own that copies it on.",
        &["MSET-1", "DEV-4"],
    );
    author.device("dst", 8192, stream(2)).ring("q", 64);
    fill(&mut author, 0, 0x5c, 2000);
    author
        .copy("q", "dst", "dst+4000", 1000, Mode::WriteBarrier)
        .finish("q");
    author
        .holds_fill("dst+4000", Fill::Byte(0x5c), 1000)
        .ends("q", 2, 2, 1);
    programs.push(author.done());
}
