//! The calls around the ring cycle: state, descriptors read back, memory, registers.

use super::pair;
use crate::program::build::{Author, Mode, stream};
use crate::program::step::{Op, Raw, Side};
use crate::program::{At, Number, Piece, Program, Slot, Tag};

const PLAIN: u64 = 0x0108_0003;
const WRITE_BARRIER: u64 = 1 << 26;
/// FIRST, LAST and phase 1.
const ALONE: u64 = 0x0d00_0000;

fn slot(word0: u64, word1: u64, pointer: &str) -> Slot {
    Slot {
        word0: Number(word0),
        word1: Number(word1),
        pointer: pointer.into(),
    }
}

pub fn add(programs: &mut Vec<Program>) {
    state(programs);
    copied(programs);
    memory(programs);
    registers(programs);
}

fn state(programs: &mut Vec<Program>) {
    let mut author = pair(
        "state",
        "State before anything, and after a batch of three.",
        &["REGS-2"],
        4096,
    );
    author.state("q", "before");
    author
        .copy("q", "src", "dst", 64, Mode::None)
        .copy("q", "src+64", "dst+64", 64, Mode::WriteBarrier)
        .finish("q")
        .state("q", "after");
    author.holds("dst", "src", 128).ends("q", 3, 3, 1);
    for (name, place) in [("before", 0), ("after", 3)] {
        author.gave_state(
            name,
            &[
                ("tx.length", 64),
                ("rx.length", 64),
                ("tx.sw_status", 2),
                ("rx.sw_status", 2),
                ("tx.completion_base", 0),
                ("rx.completion_base", 0),
            ],
        );
        author.gave_state(
            name,
            &[
                ("tx.tail", place),
                ("rx.tail", place),
                ("tx.head", place),
                ("rx.head", place),
            ],
        );
        author
            .gave_place(name, "tx.base", "q.tx")
            .gave_place(name, "rx.base", "q.rx");
    }
    programs.push(author.done());

    // 17 batches of 4 on 64 slots: 68 descriptors are slot 4.
    let mut author = pair(
        "state-wraps",
        "Head and tail after the ring has wrapped.",
        &["REGS-2", "MODL-1"],
        4096,
    );
    author
        .copy("q", "src", "dst", 8, Mode::None)
        .copy("q", "src+8", "dst+8", 8, Mode::None)
        .copy("q", "src+16", "dst+16", 8, Mode::WriteBarrier)
        .finish("q")
        .repeat_from(0, 17);
    author
        .state("q", "wrapped")
        .holds("dst", "src", 24)
        .ends("q", 4, 4, 2);
    author.gave_state(
        "wrapped",
        &[
            ("tx.tail", 4),
            ("rx.tail", 4),
            ("tx.head", 4),
            ("rx.head", 4),
        ],
    );
    programs.push(author.done());

    let mut author = pair(
        "engine-state",
        "The constants of an engine's state.",
        &["REGS-3"],
        4096,
    );
    author.step(Op::EngineState {
        ring: "q".into(),
        r#as: "engine".into(),
    });
    author.gave_state(
        "engine",
        &[("revision", 4), ("max_queues", 16), ("num_queues", 16)],
    );
    programs.push(author.done());

    let mut author = pair(
        "set-state",
        "States that cannot be asked for: 0, and nothing changes.",
        &["DEV-21", "REGS-5"],
        4096,
    );
    author.tag(Tag::DisturbsDevice);
    for state in [1, 4, 77, u32::MAX] {
        author.step_code(
            Op::SetState {
                ring: "q".into(),
                state,
            },
            0,
            &["DEV-21"],
        );
    }
    author
        .copy("q", "src", "dst", 64, Mode::WriteBarrier)
        .finish("q")
        .holds("dst", "src", 64);
    programs.push(author.done());
}

fn copied(programs: &mut Vec<Program>) {
    let mut author = pair(
        "copy-out",
        "The descriptors of a batch, read back from both rings.",
        &["DEV-3", "BLDR-1", "BLDR-2"],
        1 << 17,
    );
    author
        .copy("q", "src", "dst", 4096, Mode::Dmb)
        .copy("q", "src+4096", "dst+4096", 65536, Mode::WriteBarrier)
        .finish("q");
    author
        .copy_out("q", Side::Tx, 0, 4, "tx")
        .copy_out("q", Side::Rx, 1, 2, "rx");
    author.holds("dst", "src", 69632).ends("q", 3, 3, 1);
    // DMB is bit 30 of word0, the write barrier bit 26 of word1; 65536 is length 0.
    let tx = vec![
        slot(0x4d00_1000, PLAIN, "src"),
        slot(ALONE, PLAIN | WRITE_BARRIER, "src+4096"),
        slot(ALONE | 4, PLAIN, "q.marker"),
        slot(0, 0, "0"),
    ];
    let rx = vec![
        slot(0x0100_0000, 0, "dst+4096"),
        slot(0x0100_0004, 0, "q.marker+4"),
    ];
    author.gave_slots("tx", tx);
    author.gave_slots("rx", rx);
    programs.push(author.done());

    let mut author = pair(
        "copy-out-refused",
        "No descriptor, and descriptors beyond the ring.",
        &["DEV-3"],
        4096,
    );
    let mut refused = |start, count, code, name: &str| {
        let op = Op::CopyOut {
            ring: "q".into(),
            side: Side::Rx,
            start,
            count,
            r#as: name.into(),
        };
        author.step_code(op, code, &["DEV-3"]);
        author.gave_slots(name, Vec::new());
    };
    refused(0, 0, -22, "none");
    refused(0, 65, -27, "more");
    refused(64, 1, -27, "behind");
    refused(u32::MAX, 2, -27, "wrapping");
    author
        .copy("q", "src", "dst", 64, Mode::WriteBarrier)
        .finish("q")
        .copy_out("q", Side::Rx, 63, 1, "last");
    author
        .holds("dst", "src", 64)
        .outcome()
        .copied
        .insert("last".into(), vec![slot(0, 0, "0")]);
    programs.push(author.done());

    // Every bit of a descriptor comes back; it is never rung.
    let mut author = pair(
        "copy-out-every-bit",
        "Descriptors with every bit set, never rung.",
        &["DEV-3", "DEV-1"],
        4096,
    );
    let all = Raw {
        word0: Number(0xffff_ffff),
        word1: Number(0xffff_ffff),
        pointer: "src+4095".into(),
        phase: Some(3),
    };
    let op = |side, slot| Op::CopyDescriptors {
        ring: "q".into(),
        side,
        slot: Number(slot),
        descriptors: vec![all.clone()],
        times: 2,
        last: None,
        queue_type: None,
    };
    author.step(op(Side::Tx, 10)).step(op(Side::Rx, 20));
    author
        .copy_out("q", Side::Tx, 9, 4, "tx")
        .copy_out("q", Side::Rx, 20, 1, "rx");
    let full = || slot(0xffff_ffff, 0xffff_ffff, "src+4095");
    let empty = || slot(0, 0, "0");
    author.gave_slots("tx", vec![empty(), full(), full(), empty()]);
    author.gave_slots("rx", vec![full()]);
    programs.push(author.done());
}

fn memory(programs: &mut Vec<Program>) {
    let mut author = Author::new(
        "buffer-copies",
        "Buffers written and read through the driver, at offsets.",
        &["DEV-12"],
    );
    author
        .device("dev", 200_000, stream(1))
        .host("cpu", 10_000, stream(2));
    author
        .step(Op::Write {
            at: "dev+1".into(),
            fill: stream(7),
            size: Number(150_000),
        })
        .step(Op::Write {
            at: "cpu+9999".into(),
            fill: crate::program::Fill::Byte(9),
            size: Number(1),
        })
        .read("dev+70000", 130_000, "dev")
        .read("cpu+9990", 10, "cpu");
    author.holds_fill("dev+1", stream(7), 150_000).holds_fill(
        "cpu+9999",
        crate::program::Fill::Byte(9),
        1,
    );
    // What was written begins at dev+1: its byte 69999 is dev+70000. Streams cannot be entered in the
    // middle, so the test reads what lies behind them.
    author.outcome().reads.insert(
        "cpu".into(),
        vec![
            Piece::of("cpu+9990", 9),
            Piece::fill(crate::program::Fill::Byte(9), 1),
        ],
    );
    author.outcome().reads.insert("dev".into(), Vec::new());
    let mut program = author.done();
    if let Some(step) = program.steps.get_mut(2) {
        step.op = Op::Read {
            at: "dev+150001".into(),
            size: Number(49_999),
            r#as: "dev".into(),
        };
    }
    program.outcomes[0]
        .reads
        .insert("dev".into(), vec![Piece::of("dev+150001", 49_999)]);
    programs.push(program);

    let mut author = Author::new(
        "ranges-refused",
        "Ranges that pass the end of their memory.",
        &["DEV-11"],
    );
    author
        .device("dev", 4096, stream(1))
        .host("cpu", 4096, stream(2));
    let read = |at: &str, size: u64, name: &str| Op::Read {
        at: at.into(),
        size: Number(size),
        r#as: name.into(),
    };
    for (op, name) in [
        (read("dev", 4097, "a"), "a"),
        (read("dev+4096", 1, "b"), "b"),
        (read("dev+0x7fffffffffffffff", 4, "c"), "c"),
        (read("cpu+1", 4096, "d"), "d"),
    ] {
        author.step_code(op, -22, &["DEV-11"]);
        author.outcome().reads.insert(name.into(), Vec::new());
    }
    let (dev, cpu) = (At::from("dev"), At::from("cpu"));
    author
        .step_code(
            Op::Memset {
                at: dev.plus(1),
                value: 0,
                size: Number(4096),
            },
            -22,
            &["DEV-11"],
        )
        .step_code(
            Op::Memset {
                at: dev.clone(),
                value: 0,
                size: Number(u64::MAX),
            },
            -22,
            &["DEV-11"],
        )
        .step_code(
            Op::DriverCopy {
                src: dev.plus(1),
                dst: cpu.clone(),
                size: Number(4096),
            },
            -22,
            &["DEV-11"],
        )
        .step_code(
            Op::DriverCopy {
                src: dev.clone(),
                dst: cpu.plus(4090),
                size: Number(16),
            },
            -22,
            &["DEV-11"],
        )
        .step_code(
            Op::AsyncCopy {
                src: dev.clone(),
                dst: cpu.plus(4090),
                size: Number(7),
                previous: -1,
                handle: 1,
            },
            -22,
            &["DEV-11"],
        );
    programs.push(author.done());

    let mut author = Author::new("async-refused", "Handles that are not there.", &["ASYN-1"]);
    author
        .device("src", 4096, stream(1))
        .device("dst", 4096, stream(2));
    let submit = |previous| Op::AsyncCopy {
        src: "src".into(),
        dst: "dst".into(),
        size: Number(64),
        previous,
        handle: 1,
    };
    let wait = |handle| Op::AsyncWait {
        src: "src".into(),
        dst: "dst".into(),
        handle,
    };
    author
        .step_code(submit(-2), -22, &["ASYN-1"])
        .step_code(submit(3), -22, &["ASYN-1"])
        .step_code(submit(1), -22, &["ASYN-4"])
        .step_code(submit(2), -22, &["ASYN-4"])
        .step_code(wait(0), -22, &["DEV-16"])
        .step_code(wait(-1), -22, &["DEV-16"])
        .step_code(wait(3), -22, &["DEV-16"])
        .step_code(wait(1), -22, &["ASYN-4"])
        .step(submit(-1))
        .step(wait(1))
        .step_code(wait(1), -22, &["ASYN-4"])
        .holds("dst", "src", 64);
    programs.push(author.done());

    let mut author = Author::new(
        "info",
        "What is reported of allocations.",
        &["DEV-19", "DEV-9"],
    );
    author
        .device("dev", 5000, stream(1))
        .host("cpu", 1, stream(2));
    for buffer in ["dev", "cpu"] {
        author.step(Op::Info {
            buffer: buffer.into(),
            r#as: buffer.into(),
        });
    }
    // 5000 bytes are two pages, and lie at their end: 8192 - 5000 = 3192.
    author
        .gave_state("dev", &[("size", 8192), ("host_memory", 0)])
        .gave_place("dev", "pa", "dev-3192");
    author
        .gave_state("cpu", &[("size", 4096), ("host_memory", 1)])
        .gave_place("cpu", "pa", "cpu-4095");
    programs.push(author.done());

    let mut author = Author::new(
        "allocations-refused",
        "Allocations that are refused.",
        &["DEV-9"],
    );
    author.device("dev", 4096, stream(1));
    let alloc = |size, host, align, channel, core| Op::Alloc {
        size: Number(size),
        host,
        align: Number(align),
        channel,
        core,
    };
    author
        .step_code(alloc(1 << 63, false, 0, 0, 0), -22, &["DEV-9"])
        .step_code(alloc(u64::MAX, true, 0, 0, 0), -22, &["DEV-9"])
        .step_code(alloc(4096, true, 4096, 0, 0), -22, &["DEV-9"])
        .step_code(alloc(4096, false, 1 << 31, 0, 0), -22, &["DEV-9"])
        .step_code(alloc(4096, false, 0, 1000, 0), -22, &["DEV-9"])
        .step_code(alloc(4096, false, 0, 0, 8), -22, &["DEV-9"])
        .step_code(alloc(1 << 50, false, 0, 0, 0), -12, &["DEV-9"]);
    programs.push(author.done());
}

fn registers(programs: &mut Vec<Program>) {
    // BAR0-1: the five words of a queue's block, both sides.
    let mut author = pair(
        "bar-refused",
        "Words that user space may not write.",
        &["BAR0-1", "DEV-17"],
        4096,
    );
    for side in [Side::Tx, Side::Rx] {
        for register in [0x28, 0x2c, 0x38, 0x44, 0x48] {
            let op = Op::BarWrite {
                ring: "q".into(),
                side,
                register: Number(register),
                value: Number(1),
            };
            let rules: &[&str] = if register == 0x38 {
                &["DEV-5", "BAR0-1"]
            } else {
                &["BAR0-1", "DEV-17"]
            };
            author.step_code(op, -22, rules);
        }
    }
    author
        .copy("q", "src", "dst", 64, Mode::WriteBarrier)
        .finish("q")
        .state("q", "after");
    author
        .holds("dst", "src", 64)
        .gave_state("after", &[("tx.tail", 2), ("rx.tail", 2)])
        .gave_place("after", "tx.base", "q.tx");
    programs.push(author.done());

    let mut author = Author::new(
        "requests-unknown",
        "Request numbers that no driver knows.",
        &["DEV-22", "ABI-2"],
    );
    author.device("dev", 4096, stream(1));
    // The number of QUEUE_COPY_START with the size of its structure; a call number that is not
    // taken; another type character.
    for number in [0x8010_4e23u64, 0x8008_4eff, 0x8008_4d23, 0] {
        author.step_code(
            Op::Request {
                number: Number(number),
            },
            -25,
            &["DEV-22"],
        );
    }
    programs.push(author.done());
}
