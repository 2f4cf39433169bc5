//! Op words and META descriptors lose nothing: an operation is in the set that its bits decode to,
//! and fields do not overlap. Exhaustive over the whole valid range of every word.

use proptest::prelude::*;
use udma::op::descriptor::front;
use udma::op::{
    Add, CceExt, DescriptorOp, Field, Fma, FmaDescriptor, Gradient, GradientDescriptor, MinMax,
    MinMaxDescriptor, Op, PlainCopy, Replication, ReplicationExtension, SeedInit, StridingSplit,
    TransposeDescriptor, TransposeWord, decode, decode_descriptor, word,
};
use udma::{Arch, Desc};

const WRITE_BARRIER: u32 = 1 << 26;

/// OPC-1, OPC-3: with and without the barrier, the operation is in the set, and the set has one
/// member unless OPC-2 says otherwise.
fn survives(op: Op) {
    let bare = word(Arch::Cayman, &op);
    assert_eq!(bare & WRITE_BARRIER, 0, "{op:?}");
    let members = match op {
        Op::Add(_) => 2,
        Op::MinMax(min_max) if min_max.use_const == 0 => 2,
        _ => 1,
    };
    for barrier in [0, WRITE_BARRIER] {
        let set = decode(bare | barrier);
        assert_eq!(set.len(), members, "{op:?}");
        assert!(
            set.iter().any(|member| {
                member.op == op && member.stray == 0 && member.write_barrier == (barrier != 0)
            }),
            "{op:?} is not in {set:?}"
        );
    }
}

/// Every value of the fields, packed: calls back with one value a field.
fn every(layout: &[Field], mut each: impl FnMut(&[u32])) {
    let bits: u32 = layout.iter().map(|field| field.width).sum();
    let mut values = vec![0; layout.len()];
    for packed in 0..1_u32 << bits {
        let mut rest = packed;
        for (value, field) in values.iter_mut().zip(layout) {
            *value = rest & ((1 << field.width) - 1);
            rest >>= field.width;
        }
        each(&values);
    }
}

#[test]
fn fields_do_not_overlap() {
    for op in [
        Op::PlainCopy(PlainCopy::default()),
        Op::StridingSplit(StridingSplit::default()),
        Op::Transpose(TransposeWord::default()),
        Op::Replication(Replication::default()),
        Op::Add(Add::default()),
        Op::MinMax(MinMax::default()),
        Op::Fma(Fma::default()),
        Op::CceExt(CceExt::default()),
        Op::Gradient(Gradient::default()),
    ] {
        let mut taken = WRITE_BARRIER;
        for field in op.layout() {
            assert_eq!(taken & field.mask(), 0, "{} {}", op.name(), field.name);
            taken |= field.mask();
        }
    }
}

#[test]
fn plain_copies_survive() {
    every(PlainCopy::LAYOUT, |v| {
        survives(Op::PlainCopy(PlainCopy { notification: v[0] }));
    });
}

#[test]
fn striding_splits_survive() {
    every(StridingSplit::LAYOUT, |v| {
        survives(Op::StridingSplit(StridingSplit {
            split: v[0],
            shape: v[1],
            dtype: v[2],
        }));
    });
}

#[test]
fn transposes_survive() {
    every(TransposeWord::LAYOUT, |v| {
        survives(Op::Transpose(TransposeWord {
            elem_bytes: v[0],
            shape: v[1],
            dtype: v[2],
        }));
    });
}

#[test]
fn replications_survive() {
    every(Replication::LAYOUT, |v| {
        survives(Op::Replication(Replication { count: v[0] }));
    });
}

#[test]
fn sums_survive() {
    every(Add::LAYOUT, |v| {
        survives(Op::Add(Add {
            sub: v[0],
            flag: v[1],
            write_barrier: v[2],
            last: v[3],
            out_dtype: v[4],
            accum_dtype: v[5],
        }));
    });
}

#[test]
fn min_max_survives() {
    every(MinMax::LAYOUT, |v| {
        let op = MinMax {
            sub: v[0],
            last: v[1],
            use_const: v[2],
            write_barrier: v[3],
            notification: v[4],
            in_dtype: v[5],
            out_dtype: v[6],
            accum_dtype: v[7],
            const_dtype: v[8],
        };
        // Without a constant these two are not part of the operation (CCE-4).
        if op.use_const == 1 || (op.out_dtype, op.const_dtype) == (0, 0) {
            survives(Op::MinMax(op));
        }
    });
}

#[test]
fn fma_survives() {
    every(Fma::LAYOUT, |v| {
        survives(Op::Fma(Fma {
            sub: v[0],
            flag: v[1],
            write_barrier: v[2],
            last: v[3],
            in_dtype: v[4],
            scale_dtype: v[5],
            accum_dtype: v[6],
        }));
    });
}

#[test]
fn extended_operations_survive() {
    every(CceExt::LAYOUT, |v| {
        survives(Op::CceExt(CceExt {
            sub: v[0],
            src_dtype: v[1],
            dst_dtype: v[2],
        }));
    });
}

#[test]
fn gradients_survive() {
    every(Gradient::LAYOUT, |v| {
        survives(Op::Gradient(Gradient {
            sub: v[0],
            flag: v[1],
            write_barrier: v[2],
            last: v[3],
            in_dtype: v[4],
            scale_dtype: v[5],
            accum_dtype: v[6],
        }));
    });
}

/// A descriptor operation with operands in their valid range.
fn descriptor_op() -> impl Strategy<Value = DescriptorOp> {
    let fma = (
        any::<u8>(),
        0..8_u32,
        any::<bool>(),
        0..8_u32,
        0..1_u32 << 24,
        [0..4_u32, 0..4_u32, 0..4_u32],
        any::<u32>(),
    )
        .prop_map(|(front, sub, more, x, length, select, scale)| {
            DescriptorOp::Fma(FmaDescriptor {
                front,
                sub,
                more,
                x,
                length,
                select,
                scale,
            })
        });
    let constant = proptest::option::of((0..8_u32, any::<u32>()));
    let min_max = (any::<u8>(), 0..1_u32 << 24, constant).prop_map(|(front, length, constant)| {
        DescriptorOp::MinMax(MinMaxDescriptor {
            front,
            length,
            constant,
        })
    });
    // A payload that looks like the words of a min/max descriptor is drawn often enough to meet
    // the bits that two operations share.
    let payload = prop_oneof![any::<u64>(), Just(0x0200_0040), Just(0x7_0200_0040)];
    let seed = (any::<u8>(), any::<bool>(), payload.clone()).prop_map(|(front, seeding, seed)| {
        DescriptorOp::SeedInit(SeedInit {
            front,
            seeding,
            seed,
        })
    });
    let replication =
        (any::<u8>(), 0..8_u32, payload.clone()).prop_map(|(front, mode, payload)| {
            DescriptorOp::Replication(ReplicationExtension {
                front,
                mode,
                payload,
            })
        });
    let gradient = (any::<u8>(), 0..8_u32, payload.clone()).prop_map(|(front, x, payload)| {
        DescriptorOp::Gradient(GradientDescriptor { front, x, payload })
    });
    let transpose = (
        any::<u8>(),
        1..=65536_u32,
        (0..32_u32, 0..256_u32, 0..16_u32),
        payload,
    )
        .prop_map(|(ring_byte, length, (elem_bytes, shape, dtype), source)| {
            DescriptorOp::Transpose(TransposeDescriptor {
                ring_byte,
                length,
                word: TransposeWord {
                    elem_bytes,
                    shape,
                    dtype,
                },
                source,
            })
        });
    prop_oneof![fma, min_max, seed, replication, gradient, transpose]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn descriptors_survive(op in descriptor_op()) {
        let desc = op.emit();
        let set = decode_descriptor(&desc);
        prop_assert!(set.contains(&op), "{:?} is not in {:?}", op, set);
        for member in &set {
            prop_assert_eq!(member.emit(), desc);
        }
        // A min/max descriptor shares bits with a seed init (no constant, or const_dtype 0) and with
        // an FMA descriptor that has more behind it (const_dtype 1); nothing else does.
        let shared = set.iter().any(|member| matches!(member, DescriptorOp::MinMax(_)))
            && set.iter().all(|member| {
                matches!(
                    member,
                    DescriptorOp::MinMax(_) | DescriptorOp::SeedInit(_) | DescriptorOp::Fma(_)
                )
            });
        prop_assert!(set.len() == 1 || set.len() == 2 && shared, "{:?}", set);
    }

    #[test]
    fn what_a_word_decodes_to_encodes_to_it(bits in prop_oneof![
        any::<u32>(),
        (0..0x0400_0000_u32),
        (0..0x10_0000_u32, 0..8_u32).prop_map(|(low, class)| 0x0200_0000 | class << 20 | low),
    ]) {
        let set = decode(bits);
        let exact = set.iter().filter(|member| member.stray == 0).count();
        prop_assert!(set.is_empty() || exact >= 1);
        for member in set {
            let barrier = if member.write_barrier { WRITE_BARRIER } else { 0 };
            prop_assert_eq!(word(Arch::Sunda, &member.op) | barrier, bits ^ member.stray);
        }
    }

    #[test]
    fn any_descriptor_decodes_to_what_gives_it(words in any::<[u32; 4]>()) {
        let desc = Desc::from_words(words);
        for member in decode_descriptor(&desc) {
            prop_assert_eq!(member.emit(), desc);
        }
    }

    #[test]
    fn the_front_byte_holds_index_and_barrier(index in any::<u32>(), barrier in any::<bool>()) {
        let expected = index as u8 | if barrier { 4 } else { 0 };
        prop_assert_eq!(front(index, barrier), expected);
    }
}
