//! Ordering litmus: what is seen when the marker has come, while writes may still be on their way.
//! Each states every outcome that MODL-5 allows; each of them occurs on the weakest engine.

use super::WITH_SOW;
use crate::program::build::{Author, Mode, stream};
use crate::program::{At, Program, Tag};

/// Bytes of each copy.
const BYTES: u64 = 64;

/// `src` and `dst`, copies of 64 bytes from place n to place n with modes, then the marker with its
/// own mode. When the marker has come each copy's place is read as `r0`, `r1`, …; then a marker
/// behind a data memory barrier settles everything.
fn litmus(name: &str, about: &str, rules: &[&str], modes: &[Mode], marker: Mode) -> Author {
    let mut author = Author::new(name, about, rules);
    author
        .device("src", 4096, stream(31))
        .device("dst", 4096, stream(32))
        .ring("q", 64);
    for (index, mode) in modes.iter().enumerate() {
        let place = index as u64 * 256;
        author.copy(
            "q",
            At::start("src").plus(place),
            At::start("dst").plus(place),
            BYTES,
            *mode,
        );
    }
    author.finish_as("q", marker);
    // Later copies are looked at first: time passes between the looks, and what an order keeps behind
    // an earlier write must not become visible in between.
    for index in (0..modes.len()).rev() {
        author.read(
            At::start("dst").plus(index as u64 * 256),
            BYTES,
            &format!("r{index}"),
        );
    }
    author.finish_as("q", Mode::Dmb);
    author
}

/// States the outcomes: for each a list of which copies were there when the marker was.
fn outcomes(author: &mut Author, copies: usize, list: &[&[bool]]) {
    for (at, there) in list.iter().enumerate() {
        if at > 0 {
            author.or();
        }
        for index in 0..copies {
            let place = index as u64 * 256;
            author.holds(
                At::start("dst").plus(place),
                At::start("src").plus(place),
                BYTES,
            );
            let from = if there[index] { "src" } else { "dst" };
            author.gave(&format!("r{index}"), At::start(from).plus(place), BYTES);
        }
        let end = copies as u32 + 2;
        author.ends("q", end, end, 1);
    }
    if list.len() > 1 {
        author.tag(Tag::Litmus);
    }
}

pub fn add(programs: &mut Vec<Program>) {
    let none = Mode::None;
    let mut add = |mut author: Author, copies: usize, list: &[&[bool]]| {
        outcomes(&mut author, copies, list);
        programs.push(author.done());
    };
    let rules = &["MODL-8", "MODL-5"][..];
    add(
        litmus(
            "litmus-marker-overtakes",
            "Nothing orders the marker behind the data.",
            rules,
            &[none],
            none,
        ),
        1,
        &[&[true], &[false]],
    );
    add(
        litmus(
            "litmus-two-and-marker",
            "Two copies and the marker, in any order.",
            rules,
            &[none, none],
            none,
        ),
        2,
        &[
            &[true, true],
            &[true, false],
            &[false, true],
            &[false, false],
        ],
    );
    let barrier = &["MODL-5", "BARR-2"][..];
    add(
        litmus(
            "litmus-barrier-on-data",
            "A write barrier on the last copy: all of it is there.",
            barrier,
            &[none, Mode::WriteBarrier],
            none,
        ),
        2,
        &[&[true, true]],
    );
    // The barrier of the first orders the marker behind the first alone.
    add(
        litmus(
            "litmus-barrier-on-first",
            "A write barrier on the first copy says nothing of the second.",
            barrier,
            &[Mode::WriteBarrier, none],
            none,
        ),
        2,
        &[&[true, true], &[true, false]],
    );
    add(
        litmus(
            "litmus-dmb-on-marker",
            "A data memory barrier on the marker: all of it is there.",
            barrier,
            &[none, none],
            Mode::Dmb,
        ),
        2,
        &[&[true, true]],
    );
    add(
        litmus(
            "litmus-barrier-on-marker",
            "A write barrier on the marker comes out together with what is before it.",
            barrier,
            &[none],
            Mode::WriteBarrier,
        ),
        1,
        &[&[true], &[false]],
    );
    // A DMB on the second copy: the first is there before the second starts, and what comes out of
    // the stream behind the second is behind the first too (MODL-3, MODL-5).
    add(
        litmus(
            "litmus-dmb-in-the-middle",
            "A data memory barrier on the second copy orders the first before all that follows.",
            barrier,
            &[none, Mode::Dmb],
            none,
        ),
        2,
        &[&[true, true], &[true, false]],
    );
    let mut sow = litmus(
        "litmus-sow-on-marker",
        "A strong-ordered marker: all of it is there.",
        barrier,
        &[none, none],
        Mode::Sow,
    );
    sow.only(&WITH_SOW);
    add(sow, 2, &[&[true, true]]);
    // SOW on the second copy: it never comes before the first. The marker is free.
    let mut sow = litmus(
        "litmus-sow-on-second",
        "A strong-ordered copy never comes before an earlier one.",
        barrier,
        &[none, Mode::Sow],
        none,
    );
    sow.only(&WITH_SOW);
    add(sow, 2, &[&[true, true], &[true, false], &[false, false]]);

    // Two queues have no order between them: the marker of one says nothing of the other.
    let mut author = Author::new(
        "litmus-two-queues",
        "The marker of one queue says nothing of another queue.",
        &["MODL-5"],
    );
    author
        .device("src", 4096, stream(31))
        .device("dst", 4096, stream(32))
        .ring("a", 64)
        .ring("b", 64);
    author
        .copy("a", "src", "dst", BYTES, Mode::WriteBarrier)
        .copy("b", "src+256", "dst+256", BYTES, Mode::WriteBarrier)
        .marker("a")
        .marker("b")
        .doorbell("a")
        .doorbell("b")
        .wait("b")
        .read("dst", BYTES, "other")
        .ack("b")
        .wait("a")
        .ack("a")
        .tag(Tag::Litmus);
    for from in ["src", "dst"] {
        if from == "dst" {
            author.or();
        }
        author
            .holds("dst", "src", BYTES)
            .holds("dst+256", "src+256", BYTES)
            .gave("other", from, BYTES);
    }
    programs.push(author.done());
}
