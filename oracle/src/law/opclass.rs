//! Op-class words and META descriptors as the rules give them (OPC, CCE-1 to CCE-7, TRN-2).

use udma_reference::abi;

use super::word::word0::META;
use crate::subject::ops::{
    Add, CceExt, Fma, FmaDesc, Front, MinMax, MinMaxDesc, PayloadDesc, Replication, Split,
    TransposeWord, Word,
};
use crate::wire::Desc;

/// The write barrier, on top of a meta word (OPC-3).
pub const BARRIER: u32 = 0x0400_0000;

fn dtype(number: u32) -> u32 {
    number % 16
}

/// Bit 5 of striding split and transpose.
fn shape(index: u32) -> u32 {
    index << 8 | if index > 1 { 0x20 } else { 0 }
}

/// The word of an operation; the same on every architecture (OPC-4).
pub fn word(word: &Word) -> u32 {
    match word {
        Word::Split(w) => 0x0080_0000 | (w.split % 8) | shape(w.shape) | dtype(w.dtype) << 16,
        Word::Transpose(w) => {
            0x0090_0000 | (w.elem_bytes % 32) | shape(w.shape) | dtype(w.dtype) << 16
        }
        Word::Replication(w) => 0x00a0_0000 | (w.count % 0x1_0000),
        Word::Add(w) => {
            let flags = w.flag << 4 | w.write_barrier << 6 | w.last << 7;
            let dtypes = dtype(w.out_dtype) << 12 | dtype(w.accum_dtype) << 16;
            0x0200_0000 | (w.sub % 8) | flags | dtypes
        }
        Word::MinMax(w) => {
            let flags = w.last << 4 | w.use_const << 5 | w.write_barrier << 6 | w.notification << 7;
            let dtypes = dtype(w.in_dtype) << 8 | dtype(w.accum_dtype) << 16;
            let constant = if w.use_const == 1 {
                dtype(w.out_dtype) << 12 | (w.const_dtype % 8) << 20
            } else {
                0
            };
            0x0200_0000 | (w.sub % 8) | flags | dtypes | constant
        }
        Word::Fma(w) => 0x0210_0000 | scaled(w),
        Word::CceExt(w) => {
            0x0240_0000 | (w.sub % 8) | dtype(w.src_dtype) << 12 | dtype(w.dst_dtype) << 16
        }
        Word::Gradient(w) => 0x0250_0000 | scaled(w),
    }
}

/// What fma and gradient have in common (CCE-3, CCE-6).
fn scaled(w: &Fma) -> u32 {
    let flags = w.flag << 4 | w.write_barrier << 6 | w.last << 7;
    let dtypes = dtype(w.in_dtype) << 8 | dtype(w.scale_dtype) << 12 | dtype(w.accum_dtype) << 16;
    (w.sub % 8) | flags | dtypes
}

/// The set of operations that give a word, bit 26 left aside (OPC-2, OPC-3): those whose word is
/// this one when their operands are read from it.
pub fn word_set(bits: u32) -> u32 {
    let bits = bits & !BARRIER;
    let at = |low: u32, width: u32| bits >> low & ((1 << width) - 1);
    let gives = |candidate: Word| word(&candidate) == bits;
    let arch = abi::UDMA_ARCH_CAYMAN;
    let (sub, low, mid, high) = (at(0, 3), at(8, 4), at(12, 4), at(16, 4));
    let scaled = Fma {
        arch,
        sub,
        flag: at(4, 1),
        write_barrier: at(6, 1),
        last: at(7, 1),
        in_dtype: low,
        scale_dtype: mid,
        accum_dtype: high,
    };
    let add = Add {
        arch,
        sub,
        flag: at(4, 1),
        write_barrier: at(6, 1),
        last: at(7, 1),
        out_dtype: mid,
        accum_dtype: high,
    };
    let min_max = MinMax {
        arch,
        sub,
        last: at(4, 1),
        use_const: at(5, 1),
        write_barrier: at(6, 1),
        notification: at(7, 1),
        in_dtype: low,
        out_dtype: mid,
        accum_dtype: high,
        const_dtype: at(20, 3),
    };
    let split = Split {
        arch,
        split: sub,
        shape: at(8, 8),
        dtype: high,
    };
    let transpose = TransposeWord {
        arch,
        elem_bytes: at(0, 5),
        shape: at(8, 8),
        dtype: high,
    };
    let count = Replication {
        arch,
        count: at(0, 16),
    };
    let ext = CceExt {
        arch,
        sub,
        src_dtype: mid,
        dst_dtype: high,
    };
    let mut set = 0;
    let mut member = |holds: bool, bit: u32| set |= if holds { bit } else { 0 };
    // META-1, META-3
    let copy = [0x0108_0003, 0x1108_0003].contains(&bits);
    member(copy, abi::UDMA_OP_PLAIN_COPY);
    member(gives(Word::Split(split)), abi::UDMA_OP_STRIDING_SPLIT);
    member(gives(Word::Transpose(transpose)), abi::UDMA_OP_TRANSPOSE);
    member(gives(Word::Replication(count)), abi::UDMA_OP_REPLICATION);
    let (is_add, is_min_max) = (gives(Word::Add(add)), gives(Word::MinMax(min_max)));
    let constant = min_max.use_const == 1;
    let either = is_add || is_min_max && !constant;
    member(either, abi::UDMA_OP_ADD);
    member(either || is_min_max, abi::UDMA_OP_MIN_MAX);
    member(gives(Word::Fma(scaled)), abi::UDMA_OP_FMA);
    member(gives(Word::CceExt(ext)), abi::UDMA_OP_CCE_EXT);
    member(gives(Word::Gradient(scaled)), abi::UDMA_OP_GRADIENT);
    set
}

/// word0 of a descriptor in front of a packet (CCE-1).
fn word0(meta_index: u32, write_barrier: u32) -> u32 {
    META | (meta_index % 0x100) << 24 | if write_barrier == 1 { BARRIER } else { 0 }
}

fn payload(desc: &PayloadDesc, word1: u32) -> Desc {
    Desc {
        word: [
            word0(desc.meta_index, desc.write_barrier),
            word1,
            desc.payload as u32,
            (desc.payload >> 32) as u32,
        ],
    }
}

/// A META descriptor (CCE-2, CCE-4, CCE-7, OPC-5).
pub fn front(front: &Front) -> Desc {
    match front {
        Front::Fma(d) => {
            let [a, b, c] = if d.use_default == 1 {
                [1, 2, 0]
            } else {
                [d.a_sel % 4, d.b_sel % 4, d.c_sel % 4]
            };
            let word1 = 0x0210_0000 | (d.sub % 8) | d.more << 26 | (d.x % 8) << 29;
            let word2 = (d.length % 0x100_0000) | (a << 24) | b << 26 | c << 28;
            Desc {
                word: [word0(d.meta_index, d.write_barrier), word1, word2, d.scale],
            }
        }
        Front::MinMax(d) => {
            let (word1, constant) = if d.use_const == 1 {
                (0x0600_0000 | (d.const_dtype % 8) << 20, d.constant)
            } else {
                (0, 0)
            };
            let word2 = 0x0200_0000 | (d.length % 0x100_0000);
            Desc {
                word: [word0(d.meta_index, d.write_barrier), word1, word2, constant],
            }
        }
        Front::SeedInit(d) => payload(d, if d.x == 1 { 0x0600_0000 } else { 0 }),
        Front::Replication(d) => payload(d, 0x04a0_0000 | (d.x % 8) << 29),
        Front::Gradient(d) => payload(d, 0x0650_0001 | (d.x % 8) << 29),
    }
}

/// The set of META descriptors that give these bits (OPC-3); none without META.
pub fn front_set(desc: &Desc) -> u32 {
    let [w0, w1, w2, w3] = desc.word;
    if w0 & META == 0 {
        return 0;
    }
    let meta_index = w0 >> 24;
    let gives = |candidate: Front| front(&candidate) == *desc;
    let fma = FmaDesc {
        meta_index,
        sub: w1 % 8,
        more: w1 >> 26 & 1,
        x: w1 >> 29,
        length: w2 % 0x100_0000,
        a_sel: w2 >> 24 & 3,
        b_sel: w2 >> 26 & 3,
        c_sel: w2 >> 28 & 3,
        scale: w3,
        ..FmaDesc::default()
    };
    let min_max = MinMaxDesc {
        meta_index,
        length: w2 % 0x100_0000,
        use_const: u32::from(w1 != 0),
        const_dtype: w1 >> 20 & 7,
        constant: w3,
        ..MinMaxDesc::default()
    };
    let with = |x: u32| PayloadDesc {
        payload: u64::from(w3) << 32 | u64::from(w2),
        meta_index,
        x,
        ..PayloadDesc::default()
    };
    let transpose = Word::Transpose(TransposeWord {
        arch: abi::UDMA_ARCH_CAYMAN,
        elem_bytes: w1 % 32,
        shape: w1 >> 8 & 0xff,
        dtype: w1 >> 16 & 15,
    });
    let mut set = 0;
    let mut member = |holds: bool, bit: u32| set |= if holds { bit } else { 0 };
    member(gives(Front::Fma(fma)), abi::UDMA_DESC_FMA);
    member(gives(Front::MinMax(min_max)), abi::UDMA_DESC_MIN_MAX);
    let seed = Front::SeedInit(with((w1 != 0).into()));
    member(gives(seed), abi::UDMA_DESC_SEED_INIT);
    let replication = Front::Replication(with(w1 >> 29));
    member(gives(replication), abi::UDMA_DESC_REPLICATION);
    let gradient = Front::Gradient(with(w1 >> 29));
    member(gives(gradient), abi::UDMA_DESC_GRADIENT);
    // TRN-2: word0 holds a length too.
    let plain = w0 & 0x007f_0000 == 0;
    member(plain && word(&transpose) == w1, abi::UDMA_DESC_TRANSPOSE);
    set
}

/// Whether it is open that a descriptor is a transpose: its word1 is a transpose's, but no dtype has
/// the element bytes that it gives (docs/errata.md).
pub fn is_open_transpose(desc: &Desc) -> bool {
    let word1 = desc.word[1];
    let dtype = word1 >> 16 & 15;
    word1 & 0xfff0_0000 == 0x0090_0000 && word1 % 32 != super::compute::bytes(dtype)
        || word1 & 0xffff_0000 == 0x0090_0000
}
