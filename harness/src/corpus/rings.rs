//! Rings: wrap-around at every lap, doorbells in parts, several queues, other sizes and places.

use super::{at, pair};
use crate::program::build::{Author, Mode, stream};
use crate::program::step::Op;
use crate::program::{Place, Program, Ring};

fn ring(name: &str, engine: u32, queue: u32, tx: u32, rx: u32) -> Ring {
    Ring {
        name: name.into(),
        engine,
        queue,
        tx,
        rx,
        place: Place::Host,
        init: true,
    }
}

/// A pair of rings of one size, whose queue a step initialises.
pub(super) fn later(name: &str, queue: u32, size: u32) -> Ring {
    Ring {
        init: false,
        ..ring(name, 0, queue, size, size)
    }
}

pub fn add(programs: &mut Vec<Program>) {
    wraps(programs);
    doorbells(programs);
    several(programs);
    sizes(programs);
}

/// `count` copies of 32 bytes from 32 * `first` on, the last with a write barrier.
fn copies(author: &mut Author, first: u64, count: u64) {
    for index in first..first + count {
        let mode = if index + 1 == first + count {
            Mode::WriteBarrier
        } else {
            Mode::None
        };
        author.copy("q", at("src", index * 32), at("dst", index * 32), 32, mode);
    }
}

fn wraps(programs: &mut Vec<Program>) {
    // Six batches of 3 + 1 descriptors on 32 slots end at 24; the ninth ends at 36 - 32 = 4, lap 2.
    let mut author = Author::new(
        "wrap-once",
        "Batches of 4 on a ring of 32 go on into lap 2.",
        &["RING-4", "MODL-1"],
    );
    author
        .device("src", 8192, stream(1))
        .device("dst", 8192, stream(2))
        .ring("q", 32);
    for batch in 0..9 {
        copies(&mut author, batch * 3, 3);
        author.finish("q");
    }
    author.holds("dst", "src", 27 * 32).ends("q", 4, 4, 2);
    programs.push(author.done());

    // 5 laps of 32 slots: 160 descriptors, batches of 5 + 1: 27 batches are 162, slot 2 of lap 6.
    // The sixth lap carries phase 1 + 5 = 6, 2 of two bits.
    let mut author = Author::new(
        "five-laps",
        "Every phase, and the first ones again.",
        &["RING-4", "MODL-2"],
    );
    author
        .device("src", 8192, stream(3))
        .device("dst", 8192, stream(4))
        .ring("q", 32);
    for batch in 0..27 {
        copies(&mut author, batch * 5, 5);
        author.finish("q");
    }
    author.holds("dst", "src", 135 * 32).ends("q", 2, 2, 2);
    programs.push(author.done());

    // Batches of 7 do not divide 32: each of them crosses the end at another slot.
    let mut author = Author::new(
        "batch-across-the-end",
        "Batches of 7 cross the end of the ring at every slot.",
        &["RING-4", "MODL-1"],
    );
    author
        .device("src", 16384, stream(5))
        .device("dst", 16384, stream(6))
        .ring("q", 32);
    for batch in 0..32 {
        copies(&mut author, batch * 6, 6);
        author.finish("q");
    }
    // 32 * 7 = 224 = 7 laps: slot 0, phase 1 + 7 = 8, 0 of two bits.
    author.holds("dst", "src", 192 * 32).ends("q", 0, 0, 0);
    programs.push(author.done());

    let mut author = Author::new(
        "whole-ring-batch",
        "A batch that fills the ring ends at slot 0 of the next lap.",
        &["RING-4", "MODL-1"],
    );
    author
        .device("src", 4096, stream(7))
        .device("dst", 4096, stream(8))
        .ring("q", 64);
    for lap in 0..2 {
        copies(&mut author, lap * 63, 63);
        author.finish("q");
    }
    author.holds("dst", "src", 126 * 32).ends("q", 0, 0, 3);
    programs.push(author.done());

    // A packet of 10 on slots 28..38 of a ring of 32, behind 7 batches of 4.
    let mut author = Author::new(
        "packet-across-the-end",
        "A packet lies across the end of the ring: two phases in one packet.",
        &["RING-4", "MODL-3", "BLDR-9"],
    );
    author
        .device("src", 4096, stream(9))
        .device("dst", 4096, stream(10))
        .ring("q", 32);
    for batch in 0..7 {
        copies(&mut author, batch * 3, 3);
        author.finish("q");
    }
    let blocks: Vec<_> = (0..10)
        .map(|index| {
            (
                at("src", 1000 + index * 50),
                at("dst", 1000 + index * 50),
                50,
            )
        })
        .collect();
    author.packet("q", &blocks, Mode::WriteBarrier).finish("q");
    author
        .holds("dst", "src", 21 * 32)
        .holds("dst+1000", "src+1000", 500)
        .ends("q", 7, 7, 2);
    programs.push(author.done());

    // The same 64 bytes 100 times: 200 descriptors on 64 slots are slot 8 of lap 4.
    let mut author = pair(
        "repeat-100",
        "One batch a hundred times.",
        &["RING-4", "MARK-3"],
        4096,
    );
    author
        .copy("q", "src", "dst", 64, Mode::WriteBarrier)
        .finish("q")
        .repeat_from(0, 100);
    author.holds("dst", "src", 64).ends("q", 8, 8, 0);
    programs.push(author.done());
}

fn doorbells(programs: &mut Vec<Program>) {
    programs.push({
        let mut author = pair(
            "prefetch",
            "RX is rung first and alone, TX with the rest.",
            &["TRIG-3", "MODL-4"],
            4096,
        );
        copies(&mut author, 0, 4);
        author
            .marker("q")
            .doorbell_of("q", 0, 4)
            .blame(&["TRIG-3"])
            .doorbell_of("q", 5, 1)
            .blame(&["TRIG-2"])
            .wait("q")
            .ack("q")
            .holds("dst", "src", 128)
            .ends("q", 5, 5, 1);
        author.done()
    });

    let mut author = pair(
        "doorbells-in-parts",
        "A batch rung in three parts.",
        &["TRIG-2", "MODL-1"],
        4096,
    );
    copies(&mut author, 0, 6);
    author
        .marker("q")
        .doorbell_of("q", 1, 1)
        .doorbell_of("q", 3, 3)
        .doorbell_of("q", 3, 3)
        .wait("q")
        .ack("q")
        .holds("dst", "src", 192)
        .ends("q", 7, 7, 1);
    programs.push(author.done());

    let mut author = pair(
        "two-batches-in-flight",
        "A second batch is rung before the first is waited for.",
        &["TRIG-2", "MODL-1"],
        4096,
    );
    copies(&mut author, 0, 3);
    author.doorbell("q").blame(&["TRIG-2"]);
    copies(&mut author, 3, 3);
    author
        .finish("q")
        .holds("dst", "src", 192)
        .ends("q", 7, 7, 1);
    programs.push(author.done());

    // QINI-6: the init puts the cursors back to slot 0 of lap 1, on both sides.
    let mut author = pair(
        "init-again",
        "A queue that is initialised again begins at slot 0 of lap 1.",
        &["QINI-6", "QINI-5"],
        4096,
    );
    copies(&mut author, 0, 3);
    author.finish("q");
    author.again("q");
    author.state("q", "fresh").blame(&["QINI-6"]);
    copies(&mut author, 3, 3);
    author
        .finish("q")
        .holds("dst", "src", 192)
        .ends("q", 4, 4, 1);
    author.gave_state(
        "fresh",
        &[
            ("tx.head", 0),
            ("tx.tail", 0),
            ("rx.head", 0),
            ("rx.tail", 0),
            ("tx.length", 64),
        ],
    );
    programs.push(author.done());

    let mut author = pair(
        "init-smaller",
        "A queue is initialised again with rings of half their memory.",
        &["QINI-6", "QINI-5"],
        4096,
    );
    copies(&mut author, 0, 3);
    author.finish("q");
    author.step(Op::Init {
        ring: "q".into(),
        tx: Some(32),
        rx: Some(32),
        queue: None,
        engine: None,
    });
    // 8 batches of 4 are one lap of 32.
    for batch in 0..8 {
        copies(&mut author, 3 + batch * 3, 3);
        author.finish("q");
    }
    author.holds("dst", "src", 27 * 32).ends("q", 0, 0, 2);
    programs.push(author.done());
}

fn several(programs: &mut Vec<Program>) {
    let mut author = Author::new(
        "two-queues",
        "Two queues of one engine, both in flight.",
        &["REGS-1", "MODL-1"],
    );
    author
        .device("src", 4096, stream(1))
        .device("dst", 4096, stream(2))
        .ring("a", 64)
        .ring("b", 32);
    author
        .copy("a", "src", "dst", 1000, Mode::WriteBarrier)
        .copy("b", "src+1000", "dst+1000", 2000, Mode::WriteBarrier)
        .marker("a")
        .marker("b")
        .doorbell("a")
        .doorbell("b")
        .wait("b")
        .ack("b")
        .wait("a")
        .ack("a")
        .holds("dst", "src", 3000)
        .ends("a", 2, 2, 1)
        .ends("b", 2, 2, 1);
    programs.push(author.done());

    let mut author = Author::new(
        "two-engines",
        "The second engine takes what the first one gave.",
        &["REGS-1", "DEV-4"],
    );
    author
        .device("src", 4096, stream(1))
        .device("mid", 4096, stream(2))
        .host("dst", 4096, stream(3));
    author
        .ring_as(ring("a", 0, 0, 64, 64))
        .ring_as(ring("b", 1, 0, 64, 64));
    author
        .copy("a", "src", "mid", 3000, Mode::WriteBarrier)
        .finish("a")
        .copy("b", "mid+100", "dst", 2000, Mode::WriteBarrier)
        .finish("b")
        .holds("mid", "src", 3000)
        .holds("dst", "src+100", 2000)
        .ends("a", 2, 2, 1)
        .ends("b", 2, 2, 1);
    programs.push(author.done());

    let mut author = Author::new("high-queue", "Queue 15.", &["REGS-1", "QINI-3"]);
    author
        .device("src", 4096, stream(1))
        .device("dst", 4096, stream(2))
        .ring_as(ring("q", 0, 15, 64, 64));
    author
        .copy("q", "src", "dst", 64, Mode::WriteBarrier)
        .finish("q")
        .holds("dst", "src", 64)
        .ends("q", 2, 2, 1);
    programs.push(author.done());

    let mut author = Author::new(
        "init-batch",
        "Queues initialised in one call.",
        &["DEV-14", "QINI-5"],
    );
    author
        .device("src", 4096, stream(1))
        .device("dst", 4096, stream(2));
    author
        .ring_as(later("a", 3, 64))
        .ring_as(later("b", 4, 64))
        .ring_as(later("c", 5, 64));
    let names = ["a", "b", "c"];
    author.step(Op::InitBatch {
        rings: names.map(String::from).to_vec(),
        count: None,
    });
    for (index, name) in names.into_iter().enumerate() {
        let place = index as u64 * 1000;
        author
            .copy(
                name,
                at("src", place),
                at("dst", place),
                1000,
                Mode::WriteBarrier,
            )
            .finish(name);
        author.ends(name, 2, 2, 1);
    }
    author.holds("dst", "src", 3000);
    programs.push(author.done());
}

fn sizes(programs: &mut Vec<Program>) {
    let mut author = Author::new(
        "unequal-rings",
        "An RX ring twice as large as the TX ring.",
        &["RING-3", "QINI-6"],
    );
    author
        .device("src", 8192, stream(1))
        .device("dst", 8192, stream(2))
        .ring_as(ring("q", 0, 0, 32, 64));
    // 12 batches of 4: 48 descriptors are slot 16 of TX's lap 2 and slot 48 of RX's lap 1.
    for batch in 0..12 {
        copies(&mut author, batch * 3, 3);
        author.finish("q");
    }
    author.holds("dst", "src", 36 * 32).ends("q", 48, 48, 1);
    let tx = &mut author
        .outcome()
        .rings
        .get_mut("q")
        .expect("it was just put there")
        .tx;
    (tx.next, tx.acked, tx.phase, tx.tail, tx.head) =
        (Some(16), Some(16), Some(2), Some(16), Some(16));
    programs.push(author.done());

    let mut author = Author::new(
        "ring-in-device-memory",
        "Rings in device memory.",
        &["HOST-1", "REGS-2", "DEV-1"],
    );
    author
        .host("src", 4096, stream(1))
        .device("dst", 4096, stream(2));
    author.ring_as(Ring {
        place: Place::Device,
        ..ring("q", 0, 0, 64, 64)
    });
    author
        .copy("q", "src", "dst", 4096, Mode::WriteBarrier)
        .finish("q")
        .state("q", "s");
    author
        .holds("dst", "src", 4096)
        .ends("q", 2, 2, 1)
        .gave_place("s", "tx.base", "q.tx");
    programs.push(author.done());

    // 3 batches of 1400 + 1 on 4096 slots: 4203 descriptors are slot 107 of lap 2.
    let mut author = Author::new(
        "ring-4096",
        "Batches of 1401 descriptors.",
        &["RING-3", "MODL-1"],
    );
    author
        .device("src", 1400 * 48, stream(1))
        .device("dst", 1400 * 48, stream(2))
        .ring("q", 4096);
    for batch in 0..3u64 {
        for index in 0..1400u64 {
            let from = (index * 48 + batch * 16) % (1400 * 48);
            let mode = if index == 1399 {
                Mode::WriteBarrier
            } else {
                Mode::None
            };
            author.copy("q", at("src", from), at("dst", from), 16, mode);
        }
        author.finish("q");
    }
    author.holds("dst", "src", 1400 * 48).ends("q", 107, 107, 2);
    programs.push(author.done());

    // RING-6: acknowledging a ring that is no power of two gives -1; the engine itself does not mind.
    let mut author = Author::new(
        "ring-of-48",
        "A ring that is no power of two: the engine wraps at 48, the acknowledgement is refused.",
        &["RING-6", "QINI-6"],
    );
    author
        .device("src", 8192, stream(1))
        .device("dst", 8192, stream(2))
        .ring_as(ring("q", 0, 0, 48, 48));
    for batch in 0..13 {
        copies(&mut author, batch * 3, 3);
        author.marker("q").doorbell("q").wait("q");
        author.step_code(
            Op::Ack {
                ring: "q".into(),
                count: Some(4),
            },
            -1,
            &["RING-6", "DEV-4"],
        );
    }
    // 13 * 4 = 52: slot 4 of lap 2; nothing was acknowledged.
    author.holds("dst", "src", 39 * 32).ends("q", 4, 0, 2);
    programs.push(author.done());
}
