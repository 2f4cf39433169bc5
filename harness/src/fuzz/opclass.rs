//! Any operands of what is more than a pair: compute words, META descriptors, reductions, transposes
//! (OPC, CCE, TRN), packets and CRC copies (BLDR-9 to BLDR-11).

use udma_oracle::cases::crc::{Crc, CrcCase};
use udma_oracle::cases::operation::{Call, Of, Operation};
use udma_oracle::cases::packet::Packet;
use udma_oracle::cases::{cce, opword, transpose};
use udma_oracle::generate::mix;
use udma_oracle::subject::PacketIn;
use udma_oracle::wire::{Block, PairIn};

use super::input::{self, input};
use super::{Assert, Judge};

input! {
    /// An operation and its operands.
    struct Input {
        /// Which operation.
        operation: u8,
        /// Its operands, as many as it has, each cut to what it may be; of a reduction the first 22.
        operands: [u64; 11],
        /// Bits that widen operands beyond their fields, where they are cut off again (one each).
        wide: u16,
    }
}

/// Operations there are.
pub const OPERATIONS: u8 = 25;

/// Operands of a word or META descriptor, within what may be passed.
fn operands<O: Operation>(input: &Input) -> Call {
    let args = O::ARGS.iter().zip(&input.operands).enumerate();
    let cut = |(at, (operand, value)): (usize, (&&str, &u64))| {
        let wide = opword::is_cut(operand) && input.wide >> at & 1 != 0;
        let width = if wide {
            32
        } else {
            opword::width_in::<O>(operand)
        };
        value & (u64::MAX >> (64 - width))
    };
    Call::of(args.map(cut).collect::<Vec<u64>>())
}

fn hold<O: Operation, J: Judge>(input: &Input, judge: &mut J) {
    judge.hold::<Of<O>>(&operands::<O>(input));
}

/// Runs the target.
pub fn run<J: Judge>(bytes: &[u8], judge: &mut J) {
    let Some(input) = input::read::<Input>(bytes) else {
        return;
    };
    let value = input.operands;
    let arch = 2 + value[0] % 3;
    let dtype = |value: u64| 1 + value % 15;
    match input.operation % OPERATIONS {
        0 => hold::<opword::SplitWordOperation, J>(&input, judge),
        1 => hold::<opword::TransposeWordOperation, J>(&input, judge),
        2 => hold::<opword::ReplicationWordOperation, J>(&input, judge),
        3 => hold::<opword::AddWordOperation, J>(&input, judge),
        4 => hold::<opword::MinMaxWordOperation, J>(&input, judge),
        5 => hold::<opword::FmaWordOperation, J>(&input, judge),
        6 => hold::<opword::CceExtWordOperation, J>(&input, judge),
        7 => hold::<opword::GradientWordOperation, J>(&input, judge),
        8 => hold::<opword::FmaFrontOperation, J>(&input, judge),
        9 => hold::<opword::MinMaxFrontOperation, J>(&input, judge),
        10 => hold::<opword::SeedFrontOperation, J>(&input, judge),
        11 => hold::<opword::ReplicationFrontOperation, J>(&input, judge),
        12 => hold::<opword::GradientFrontOperation, J>(&input, judge),
        13 => judge.hold::<opword::WordSet>(&Call::of([value[0] as u32 as u64])),
        14 => {
            let word = [value[0], value[0] >> 32, value[1], value[1] >> 32];
            judge.hold::<opword::FrontSet>(&Call::of(word.map(|word| word as u32 as u64)));
        }
        15 => judge.hold::<cce::Dtype>(&Call::of([arch, value[1] % 20, value[2]])),
        16 => judge.hold::<cce::Remap>(&Call::of([value[0] % 2, value[1] % 64])),
        17 => {
            let words = [value[1], value[2]].map(|word| word as u32 as u64);
            judge.hold::<cce::Combo>(&Call::of([value[0] % 40, words[0], words[1]]));
        }
        18 => judge.hold::<cce::Reduction>(&reduction(&input)),
        19 => {
            let dims = [2, 3, 4, 5].map(|at| value[at] as u32 as u64);
            let mut args = vec![arch, dtype(value[1])];
            args.extend(dims);
            args.extend([
                value[6] % 256,
                value[7] % 256,
                value[8] as u32 as u64,
                value[9],
            ]);
            judge.hold::<transpose::Transpose>(&Call::of(args));
        }
        20 => {
            let args = [value[0], dtype(value[1]), value[2] as u32 as u64];
            judge.hold::<transpose::Window>(&Call::of(args));
        }
        21 => {
            let args = [arch, value[1] % 4, value[2] % 4, value[3], value[4]];
            judge.hold::<transpose::FlushPair>(&Call::of(args));
        }
        22 => judge.hold::<transpose::Name>(&transpose::name_call(&name(value[0]))),
        23 => judge.hold::<Packet>(&packet(&input)),
        _ => judge.hold::<Crc>(&crc(&input)),
    }
}

/// Four letters, dimensions mostly; other letters and lengths too.
fn name(value: u64) -> String {
    const LETTERS: &[u8] = b"WZYXWZYXWZYXWZYXxA";
    let [length, letters @ ..] = value.to_le_bytes();
    let length = if length < 224 { 4 } else { length % 8 };
    let letter = |byte: &u8| char::from(LETTERS[usize::from(*byte) % LETTERS.len()]);
    letters.iter().take(length.into()).map(letter).collect()
}

/// A packet of a few blocks, or of up to 130; one of its blocks is of any size.
fn packet(input: &Input) -> PacketIn {
    let value = input.operands;
    let wide = |at: u32| input.wide >> at & 1 != 0;
    let count = if wide(0) {
        value[0] % 131
    } else {
        1 + value[0] % 5
    };
    let block = |at: u64| Block {
        src: value[1].wrapping_add(at << 16),
        dst: value[2].wrapping_add(at << 16),
        size: if wide(1) && at == value[3] % count {
            value[4]
        } else {
            1 + mix(value[3], at) % 65536
        },
    };
    PacketIn {
        blocks: (0..count).map(block).collect(),
        rx_ring_id: value[5] as u32,
        tx_ring_id: (value[5] >> 32) as u32,
        mode: if wide(2) {
            value[6] as i32
        } else {
            (value[6] % 4) as i32
        },
        dst_int: wide(3),
        sow: wide(4),
        notify: wide(5),
        arch: 2 + (value[7] % 3) as u8,
    }
}

/// A CRC copy, or its META descriptor alone.
fn crc(input: &Input) -> CrcCase {
    let value = input.operands;
    let wide = |at: u32| input.wide >> at & 1 != 0;
    let copy = PairIn {
        src: value[1],
        dst: value[2],
        size: if wide(1) { value[3] } else { value[3] % 65537 },
        rx_ring_id: value[4] as u32,
        tx_ring_id: (value[4] >> 32) as u32,
        mode: if wide(2) {
            value[5] as i32
        } else {
            (value[5] % 4) as i32
        },
        dst_int: wide(3).into(),
        sow: wide(4).into(),
        arch: 2 + (value[6] % 3) as u8,
        ..PairIn::default()
    };
    CrcCase {
        index: value[0] as u32,
        copy: (!wide(0)).then_some(copy),
    }
}

/// A reduction of 1 to 32 sources and 1 to 3 destinations; of other numbers and types where they are
/// wide.
fn reduction(input: &Input) -> Call {
    let value = input.operands;
    let byte = |at: usize| value[0] >> (8 * at) & 0xff;
    let dtype = |byte: u64| (1 + byte % 15) as u32;
    let some = |wanted: bool, dtype: u32, bits: u64| wanted.then_some((dtype, bits as u32));
    let wide = |at: u32| input.wide >> at & 1 != 0;
    // An accumulator's or a constant's is not judged where it is none (docs/errata.md).
    let any = |byte: u64| {
        if wide(5) {
            (byte % 17) as u32
        } else {
            dtype(byte)
        }
    };
    let (sources, destinations) = if wide(6) {
        (byte(1) % 36, byte(2) % 4)
    } else {
        (1 + byte(1) % 32, 1 + byte(2) % 3)
    };
    cce::call(&udma_oracle::subject::ops::Reduction {
        sources: cce::addresses(value[1], sources as u32),
        destinations: cce::addresses(value[2], destinations as u32),
        seed: wide(0).then_some(value[3]),
        size: if wide(1) {
            value[4]
        } else {
            32 * (1 + value[4] % 128)
        },
        arch: 2 + (byte(0) % 3) as u32,
        op: if wide(2) {
            value[5] as u32
        } else {
            value[5] as u32 % 4
        },
        sub: (value[5] >> 32) as u32,
        in_dtype: any(byte(3)),
        out_dtype: any(byte(4)),
        accum_dtype: dtype(byte(5)),
        scale: some(wide(3), (byte(6) % 17) as u32, value[6]),
        constant: some(wide(4), dtype(byte(7)), value[6] >> 32),
        meta_index: value[7] as u32,
        tx_ring_id: value[8] as u32,
        rx_ring_id: (value[8] >> 32) as u32,
    })
}

/// Runs it as the fuzzer does.
pub fn fuzz(bytes: &[u8]) {
    run(bytes, &mut Assert::all());
}
