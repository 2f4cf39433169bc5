//! dtypes, limits, reductions, combos and transposition as the rules give them (CCE-8 to CCE-13,
//! TRN).

use udma_reference::abi;

use super::opclass::{front, word};
use super::word::EINVAL;
use super::word::word0::{CONCAT, FIRST, LAST, META};
use crate::subject::ops::{
    Add, Fma, FmaDesc, Front, MinMax, MinMaxDesc, PayloadDesc, Reduction, Transpose, TransposeWord,
    Window, Word,
};
use crate::wire::Desc;

/// uint16, to which CCE-11 promotes.
const UINT16: u32 = 5;
/// fp32, the one dtype of a scale.
const FP32: u32 = 10;

/// Bytes of an element in the descriptor size tables; 0 for an invalid dtype.
pub fn bytes(dtype: u32) -> u32 {
    match dtype {
        2 | 3 | 13 | 14 | 15 => 1,
        4..=7 => 2,
        8..=11 => 4,
        1 | 12 => 8,
        _ => 0,
    }
}

/// The same in the CCE packet-size table (CCE-12).
pub fn cce_bytes(dtype: u32) -> u32 {
    if dtype == 11 { 0 } else { bytes(dtype) }
}

/// Most CCE elements (CCE-12).
pub fn max_elements(arch: u32) -> u32 {
    if arch == abi::UDMA_ARCH_SUNDA {
        1024
    } else {
        2048
    }
}

/// Bytes of a reduce packet; none where it is an error (CCE-12).
pub fn packet_bytes(arch: u32, dtype: u32, cap: u64) -> Option<u64> {
    let most = u64::from(max_elements(arch) * cce_bytes(dtype));
    (most != 0).then(|| cap.min(most) / 32 * 32)
}

/// SDMA number of a runtime's dtype or operation; none where it is an error.
pub fn remap(kind: u32, value: u32) -> Option<u32> {
    let table: &[u32] = if kind == abi::UDMA_REMAP_DTYPE {
        &[13, 14, 15, 7, 10, 11, 6, 3, 5, 9, 1, 2, 4, 8, 12]
    } else {
        &[1, 0, 3, 2] // fma, add, min, max
    };
    let index = (value as usize).checked_sub(1)?;
    table.get(index).copied()
}

/// Links the members of a combo (CCE-9).
pub fn combo(members: &mut [Desc]) {
    let count = members.len();
    for (index, member) in members.iter_mut().enumerate() {
        member.word[1] |= 0x0400_0000;
        if index + 1 < count {
            member.word[1] |= 0x4000_0000;
        }
    }
}

/// Whether CCE-11 promotes a reduction.
pub fn promoted(case: &Reduction) -> bool {
    case.sources.len() == 1 && case.in_dtype == case.out_dtype && bytes(case.in_dtype) == 1
}

/// Whether the dtypes lie on both sides of the band (CCE-13).
pub fn crosses_band(case: &Reduction) -> bool {
    (8..=11).contains(&case.in_dtype) != (8..=11).contains(&case.out_dtype)
}

/// Input dtype as it counts for words and limits.
fn effective(case: &Reduction) -> (u32, u32) {
    if promoted(case) {
        (UINT16, UINT16)
    } else {
        (case.in_dtype, case.out_dtype)
    }
}

/// Most bytes of a source.
pub fn most_bytes(case: &Reduction) -> u64 {
    u64::from(max_elements(case.arch) * cce_bytes(effective(case).0))
}

/// Why a reduction is refused: the rule, and whether that rule gives the code -1. The operands that
/// are looked at are those of the header's list.
pub fn refusal(case: &Reduction) -> Option<(&'static str, bool)> {
    let valid = |dtype: u32| (1..=15).contains(&dtype);
    let fma = case.op == 1;
    if case.op > 3 {
        return Some(("CCE-10", true));
    }
    if !(1..=32).contains(&case.sources.len()) {
        return Some(("CCE-8", false));
    }
    if case.destinations.is_empty() {
        return Some(("CCE-8", false));
    }
    if case.destinations.len() > 1 && case.arch == abi::UDMA_ARCH_SUNDA {
        return Some(("CCE-9", true));
    }
    if !valid(case.in_dtype) || !valid(case.out_dtype) {
        return Some(("CCE-12", false));
    }
    if fma && case.scale.is_none_or(|(dtype, _)| dtype != FP32) {
        return Some(("CCE-10", false));
    }
    if case.arch == abi::UDMA_ARCH_SUNDA && crosses_band(case) {
        return Some(("CCE-13", false));
    }
    if !(1..=most_bytes(case)).contains(&case.size) {
        return Some(("CCE-12", false));
    }
    None
}

/// What a TX descriptor of a reduction is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// CCE-7.
    Seed,
    /// CCE-9.
    Replication,
    /// CCE-2 or CCE-4.
    Operands,
    /// A source.
    Data,
}

/// TX descriptors of an accepted reduction with their roles, and RX ones.
pub fn reduction(case: &Reduction) -> (Vec<(Role, Desc)>, Vec<Desc>) {
    let mut tx = Vec::new();
    let in_front = |x: u32, payload: u64| PayloadDesc {
        payload,
        meta_index: case.meta_index,
        x,
        ..PayloadDesc::default()
    };
    if let Some(seed) = case.seed {
        tx.push((Role::Seed, front(&Front::SeedInit(in_front(1, seed)))));
    }
    if case.destinations.len() > 1 {
        let mut members: Vec<Desc> = case
            .destinations
            .iter()
            .map(|destination| front(&Front::Replication(in_front(0, *destination))))
            .collect();
        combo(&mut members);
        tx.extend(
            members
                .into_iter()
                .map(|member| (Role::Replication, member)),
        );
    }
    let length = case.size as u32;
    match (case.op, case.scale, case.constant) {
        (1, Some((_, scale)), _) => tx.push((
            Role::Operands,
            front(&Front::Fma(FmaDesc {
                meta_index: case.meta_index,
                sub: case.sub,
                length,
                scale,
                use_default: 1,
                ..FmaDesc::default()
            })),
        )),
        (2 | 3, _, Some((const_dtype, constant))) => tx.push((
            Role::Operands,
            front(&Front::MinMax(MinMaxDesc {
                meta_index: case.meta_index,
                length,
                use_const: 1,
                const_dtype,
                constant,
                ..MinMaxDesc::default()
            })),
        )),
        _ => {}
    }
    let count = case.sources.len();
    for (index, source) in case.sources.iter().enumerate() {
        let is_last = index + 1 == count;
        let mut word0 = length | (case.tx_ring_id % 4) << 24;
        word0 |= if index == 0 { FIRST } else { 0 };
        word0 |= if is_last { LAST } else { CONCAT };
        let word1 = word(&data_word(case, is_last.into()));
        tx.push((Role::Data, pointing(word0, word1, *source)));
    }
    let rx = case
        .destinations
        .iter()
        .map(|destination| pointing(length | (case.rx_ring_id % 4) << 24, 0, *destination))
        .collect();
    (tx, rx)
}

/// The meta word of a source.
fn data_word(case: &Reduction, last: u32) -> Word {
    let (in_dtype, out_dtype) = effective(case);
    let (sub, accum_dtype) = (case.sub, case.accum_dtype);
    match case.op {
        0 => Word::Add(Add {
            sub,
            last,
            out_dtype,
            accum_dtype,
            ..Add::default()
        }),
        1 => Word::Fma(Fma {
            sub,
            last,
            in_dtype,
            scale_dtype: FP32,
            accum_dtype,
            ..Fma::default()
        }),
        _ => Word::MinMax(MinMax {
            sub,
            last,
            use_const: case.constant.is_some().into(),
            in_dtype,
            out_dtype,
            accum_dtype,
            const_dtype: case.constant.map_or(0, |(dtype, _)| dtype),
            ..MinMax::default()
        }),
    }
}

fn pointing(word0: u32, word1: u32, address: u64) -> Desc {
    Desc {
        word: [word0, word1, address as u32, (address >> 32) as u32],
    }
}

/// A transpose descriptor, or the code of its refusal; 1 stands for any code (TRN-1, TRN-2).
pub fn transpose(case: &Transpose) -> Result<Desc, i32> {
    if !(1..=15).contains(&case.dtype) || case.dims.contains(&0) {
        return Err(EINVAL);
    }
    if !(1..=65536).contains(&case.length) {
        return Err(1);
    }
    let word1 = word(&Word::Transpose(TransposeWord {
        arch: case.arch,
        elem_bytes: bytes(case.dtype),
        shape: case.shape,
        dtype: case.dtype,
    }));
    let word0 = META | case.ring_byte << 24 | (case.length % 65536);
    Ok(pointing(word0, word1, case.source))
}

/// Fills in what a state-buffer address is (TRN-4, TRN-5).
pub fn window(case: &mut Window) {
    let low = [0x20, 0x30, 0x60, 0x70].map(|top: u64| top << 32);
    let all = low
        .into_iter()
        .chain(low.map(|base| base + 0x8000_0000_0000));
    let mut holding = all.filter(|base| (*base..base + 0x200_0000).contains(&case.dst));
    let Some(base) = holding.next() else {
        case.ret = EINVAL;
        return;
    };
    let relative = (case.dst - base) as u32;
    let (partition, offset) = (relative / 0x4_0000, relative % 0x4_0000);
    let bytes = bytes(case.dtype);
    let top = partition.wrapping_add(case.base) % 64;
    let mut packed = u64::from((bytes * partition % 0x100) | (offset << 8) | top << 26);
    if bytes == 4 {
        packed += 0x4_0000_0000;
        if partition > 63 {
            packed += 0x80_0000_0000;
        }
    }
    case.ret = 0;
    case.window = base;
    case.packed = base + packed;
    case.partition = partition;
    case.offset = offset;
}

/// Whether a name is one of the permutations (TRN-3).
pub fn is_permutation(name: &str) -> bool {
    let mut letters: Vec<char> = name.chars().collect();
    letters.sort_unstable();
    letters == ['W', 'X', 'Y', 'Z']
}
