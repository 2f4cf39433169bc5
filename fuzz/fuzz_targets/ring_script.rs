//! Any script of ring operations on a small queue.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use udma_fuzz::holds;
use udma_oracle::cases::ring_script::{Op, Script};
use udma_oracle::cases::rings::Rings;
use udma_oracle::wire::{PairIn, Ring};

#[derive(Arbitrary, Debug)]
struct Input {
    driver: u8,
    qid: u8,
    tx_size: u8,
    rx_size: u8,
    has_memory: [bool; 2],
    allocatable: bool,
    ops: Vec<Step>,
}

#[derive(Arbitrary, Debug)]
enum Step {
    Get(bool),
    RingId(bool),
    Ack(bool, u32),
    Available(bool),
    Prepare {
        qid: Option<u32>,
        src: u64,
        dst: u64,
        size: u64,
        mode: i8,
        dst_int: bool,
    },
    /// Takes and ring ids in turn.
    Lap(bool, u8),
}

/// 32 to 512 descriptors; one in eight is no power of two.
fn size(byte: u8) -> u32 {
    if byte & 7 == 7 {
        48 + 16 * u32::from(byte >> 3)
    } else {
        32 << (byte % 5)
    }
}

fn ring(rx: bool) -> Ring {
    if rx { Ring::Rx } else { Ring::Tx }
}

fuzz_target!(|input: Input| {
    let qid = u32::from(input.qid % 16);
    let mut ops = Vec::new();
    for step in input.ops.into_iter().take(256) {
        match step {
            Step::Get(rx) => ops.push(Op::Get(ring(rx))),
            Step::RingId(rx) => ops.push(Op::RingId(ring(rx))),
            Step::Ack(rx, count) => ops.push(Op::Ack(ring(rx), count)),
            Step::Available(rx) => ops.push(Op::Available(ring(rx))),
            Step::Lap(rx, count) => {
                for _ in 0..count {
                    ops.extend([Op::Get(ring(rx)), Op::RingId(ring(rx))]);
                }
            }
            Step::Prepare {
                qid: other,
                src,
                dst,
                size,
                mode,
                dst_int,
            } => {
                let pair = PairIn {
                    src,
                    dst,
                    size: if size & 1 == 0 { size >> 47 } else { size },
                    mode: mode.into(),
                    dst_int: dst_int.into(),
                    arch: 3,
                    ..PairIn::default()
                };
                ops.push(Op::Prepare(other.map_or(qid, |other| other | 16), pair));
            }
        }
    }
    holds::<Rings>(&Script {
        driver: input.driver % 5,
        qid,
        size: [size(input.tx_size), size(input.rx_size)],
        has_memory: input.has_memory,
        allocatable: input.allocatable,
        ops,
    });
});
