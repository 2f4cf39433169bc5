//! The BAR0 gate as the rules list it (BAR0).

use std::collections::BTreeSet;

use udma_reference::abi;

use super::program::block;
use crate::wire::Ring;

/// Blocked words of one ring's block: drbp_low, drbp_high, crbp_low, crbp_high, drtp_inc.
const BLOCKED: [u64; 5] = [0x28, 0x2c, 0x44, 0x48, 0x38];

/// Bases of the engines, by number (BAR0-2).
pub fn engines(arch: u32) -> Vec<u64> {
    if arch == abi::UDMA_ARCH_SUNDA {
        let low = (0..16).map(|n| 0x3000_0000 + n * 0x4_0000);
        let high = (16..32).map(|n| 0x3070_0000 + (n - 16) * 0x4_0000);
        return low.chain(high).chain([0x3060_0000, 0x30d0_0000]).collect();
    }
    let run = |first: u64| (0..32).map(move |n| first + n * 0x10_0000);
    [0x8200_0000, 0x9400_0000, 0xa200_0000, 0xb400_0000]
        .into_iter()
        .flat_map(run)
        .chain([0x0680_0000, 0x0690_0000, 0x4680_0000, 0x4690_0000])
        .collect()
}

/// Start of the miscellaneous RAM (BAR0-3).
pub fn misc_ram(arch: u32) -> u64 {
    if arch == abi::UDMA_ARCH_SUNDA {
        0x30fa_0000
    } else {
        0x06c8_4000
    }
}

/// Refused offsets of one engine, from its base (BAR0-1).
pub fn in_engine() -> BTreeSet<u64> {
    let mut refused = BTreeSet::new();
    for ring in Ring::BOTH {
        for qid in 0..16 {
            refused.extend(BLOCKED.map(|word| block(ring, qid) + word));
        }
    }
    refused
}

/// Refused offsets of the miscellaneous RAM (BAR0-3).
pub fn in_ram(arch: u32) -> BTreeSet<u64> {
    [0x1f0, 0x1f4, 0x1f8, 0x1fc, 0x800]
        .map(|word| misc_ram(arch) + word)
        .into()
}

/// Every refused offset of an architecture.
pub fn refused(arch: u32) -> BTreeSet<u64> {
    let words = in_engine();
    engines(arch)
        .into_iter()
        .flat_map(|base| words.iter().map(move |word| base + word))
        .chain(in_ram(arch))
        .collect()
}

/// Whether an offset is refused.
pub fn is_refused(arch: u32, offset: u64) -> bool {
    let words = in_engine();
    let in_an_engine = engines(arch)
        .into_iter()
        .filter_map(|base| offset.checked_sub(base))
        .any(|inside| words.contains(&inside));
    in_an_engine || in_ram(arch).contains(&offset)
}
