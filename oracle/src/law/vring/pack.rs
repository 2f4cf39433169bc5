//! PACK.

use udma_reference::abi;

use crate::law::word::word0;
use crate::wire::Desc;

/// Class bits of `meta_ctrl`, and their value in a plain copy (META-4).
const CLASS: u32 = 7 << 23;
const CLASS_CME: u32 = 2 << 23;

/// Most TX and RX descriptors of a packet by the runtime's policy (PACK-1, ERR-9).
pub fn packet_limits(arch: u8) -> [u64; 2] {
    if u32::from(arch) == abi::UDMA_ARCH_SUNDA {
        [128, 128]
    } else {
        [65, 60]
    }
}

/// PACK-2.
pub fn is_joinable(desc: &Desc) -> bool {
    desc.word[0] & word0::META == 0 && desc.word[1] & CLASS == CLASS_CME
}

/// DESC-3.
fn bytes(desc: &Desc) -> u64 {
    match desc.word[0] & word0::LENGTH {
        0 => 65_536,
        length => length.into(),
    }
}

fn packets(descs: &[Desc]) -> i64 {
    let first = |desc: &&Desc| desc.word[0] & word0::FIRST != 0;
    descs.iter().filter(first).count() as i64
}

/// Packs descriptors `start..end`: packets after − before, and packets above the RX maximum, where
/// RX has `rx_used` descriptors.
pub fn pack(
    descs: &mut [Desc],
    (start, end): (usize, usize),
    rx_used: usize,
    arch: u8,
    max_bytes: u64,
) -> (i64, u32) {
    let [most, most_rx] = packet_limits(arch);
    let before = packets(&descs[start..end]);
    let (mut at, mut over_rx) = (start, 0);
    while at < end {
        if !is_joinable(&descs[at]) {
            at += 1;
            continue;
        }
        let mut next = at + 1;
        let mut sum = bytes(&descs[at]);
        while next < end
            && is_joinable(&descs[next])
            && ((next - at) as u64) < most
            && sum + bytes(&descs[next]) <= max_bytes
        {
            sum += bytes(&descs[next]);
            next += 1;
        }
        for (index, desc) in descs.iter_mut().enumerate().take(next).skip(at) {
            let (first, last) = (index == at, index + 1 == next);
            for (bit, set) in [
                (word0::FIRST, first),
                (word0::LAST, last),
                (word0::CONCAT, !last),
            ] {
                if set {
                    desc.word[0] |= bit;
                } else {
                    desc.word[0] &= !bit;
                }
            }
        }
        let received = next.min(rx_used) - at.min(rx_used);
        over_rx += u32::from(received as u64 > most_rx);
        at = next;
    }
    (packets(&descs[start..end]) - before, over_rx)
}
