//! Generated cases: exhaustive where the space is small, edge lists, walking bits, then proptest
//! over the whole input space. Everything follows from the seed.

pub mod cycle;
pub mod uniform;
pub mod vring;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use udma_reference::abi;

use crate::cases::ring_script::{Op, Script};
use crate::wire::{PairIn, Ring};

/// One step of a counter-based generator: the same for an index whatever came before.
#[inline]
pub fn mix(seed: u64, index: u64) -> u64 {
    let mut z = seed ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Calls `each` with `count` values of a strategy.
pub fn sample<S: Strategy>(
    seed: u64,
    count: u64,
    strategy: S,
    mut each: impl FnMut(u64, S::Value),
) {
    let mut bytes = [0; 32];
    for (index, chunk) in bytes.chunks_exact_mut(8).enumerate() {
        chunk.copy_from_slice(&mix(seed, index as u64).to_le_bytes());
    }
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    for index in 0..count {
        let tree = strategy
            .new_tree(&mut runner)
            .expect("the strategies reject nothing");
        each(index, tree.current());
    }
}

/// Lengths 0..=65537, modes -1..=5, both ring ids 0..=7, the interrupt flag.
pub const EXHAUSTIVE: u64 = 65538 * 7 * 8 * 8 * 2;

/// Pairs of the exhaustive space from an index on; addresses, architecture and the HAL line's own
/// flag are seeded. Lengths turn fastest, so that any stretch of indices has all of them.
pub fn exhaustive(seed: u64, first: u64, batch: &mut [PairIn]) {
    const LENGTHS: u64 = 65538;
    let (mut size, mut outer) = (first % LENGTHS, first / LENGTHS);
    let mut digits = Digits::of(outer);
    for (index, case) in (first..).zip(batch) {
        let random = mix(seed, index);
        *case = PairIn {
            src: random,
            dst: random.rotate_left(23) ^ 0xd1b5_4a32_d192_ed03,
            size,
            rx_ring_id: digits.rx_ring_id,
            tx_ring_id: digits.tx_ring_id,
            mode: digits.mode,
            dst_int: digits.dst_int,
            sow: u8::from((random >> 40) & 7 == 0),
            arch: 2 + ((((random >> 32) & 0xff) * 3) >> 8) as u8,
            driver: 0,
        };
        size += 1;
        if size == LENGTHS {
            size = 0;
            outer += 1;
            digits = Digits::of(outer);
        }
    }
}

/// What stays the same over all lengths.
struct Digits {
    mode: i32,
    rx_ring_id: u32,
    tx_ring_id: u32,
    dst_int: u8,
}

impl Digits {
    fn of(outer: u64) -> Self {
        Self {
            mode: (outer % 7) as i32 - 1,
            rx_ring_id: (outer / 7 % 8) as u32,
            tx_ring_id: (outer / 56 % 8) as u32,
            dst_int: (outer / 448 % 2) as u8,
        }
    }
}

/// 64 lengths around every power of two, the ends, and a few in between.
pub fn lengths() -> Vec<u64> {
    let mut lengths = vec![0, 1, 65535, 65536, 65537, 0xffff_ffff, 1 << 32, u64::MAX];
    for bit in 1..17 {
        lengths.extend([(1 << bit) - 1, 1 << bit, (1 << bit) + 1]);
    }
    lengths.extend([
        100, 1000, 4095, 10_000, 12_345, 33_333, 50_000, 60_000, 65_520, 65_532,
    ]);
    let mut seen = std::collections::BTreeSet::new();
    let filler = (0..).map(|index| mix(7, index) % 65537);
    lengths
        .into_iter()
        .chain(filler)
        .filter(|length| seen.insert(*length))
        .take(64)
        .collect()
}

/// Walking bits through both addresses, against the lengths and every mode.
pub fn walking() -> Vec<PairIn> {
    let mut cases = Vec::new();
    for (at, size) in lengths().into_iter().enumerate() {
        for mode in -1..=5 {
            for bit in 0..128 {
                let lit = |wanted: bool| if wanted { 1u64 << (bit % 64) } else { 0 };
                cases.push(PairIn {
                    src: lit(bit < 64),
                    dst: lit(bit >= 64),
                    size,
                    rx_ring_id: (at as u32 + 1) & 3,
                    tx_ring_id: at as u32 & 3,
                    mode,
                    dst_int: (bit & 1) as u8,
                    sow: 0,
                    arch: 2 + (at % 3) as u8,
                    driver: 0,
                });
            }
        }
    }
    cases
}

/// Every mode near and far on every architecture and driver version, with and without the HAL's
/// own flag, at the sizes where verdicts change.
pub fn modes() -> Vec<PairIn> {
    let sizes = [
        0,
        1,
        64,
        65535,
        65536,
        65537,
        1 << 32,
        (1 << 32) + 64,
        u64::MAX,
    ];
    let mut cases = Vec::new();
    for mode in (-4..=12).chain([100, 255, 256, 1 << 16, i32::MAX, i32::MIN]) {
        for arch in 2..=4 {
            for (driver, _) in crate::line::DRIVERS {
                for sow in 0..=1 {
                    for dst_int in 0..=1 {
                        for (at, size) in sizes.into_iter().enumerate() {
                            cases.push(PairIn {
                                src: 0x0123_4567_89ab_cdef,
                                dst: 0xfedc_ba98_7654_3210,
                                size,
                                rx_ring_id: at as u32 & 3,
                                tx_ring_id: (at as u32 + 1) & 3,
                                mode,
                                dst_int,
                                sow,
                                arch,
                                driver,
                            });
                        }
                    }
                }
            }
        }
    }
    cases
}

/// A number of 64 bits with all sizes alike.
pub fn any_width() -> impl Strategy<Value = u64> {
    (any::<u64>(), 0u32..64).prop_map(|(value, shift)| value >> shift)
}

/// Any pair request.
pub fn pair() -> impl Strategy<Value = PairIn> {
    let size =
        prop_oneof![4 => 0u64..=65537, 1 => any_width(), 1 => (0u64..4).prop_map(|n| n << 32)];
    let id = prop_oneof![3 => 0u32..4, 1 => 0u32..64, 1 => any::<u32>()];
    let mode = prop_oneof![6 => 0i32..4, 1 => -3i32..9, 1 => any::<i32>()];
    let address = prop_oneof![any::<u64>(), any_width()];
    (
        (address.clone(), address, size),
        (id.clone(), id, mode),
        (any::<bool>(), any::<bool>(), 2u8..=4, 0u8..5),
    )
        .prop_map(
            |((src, dst, size), (rx_ring_id, tx_ring_id, mode), (int, sow, arch, driver))| PairIn {
                src,
                dst,
                size,
                rx_ring_id,
                tx_ring_id,
                mode,
                dst_int: int.into(),
                sow: sow.into(),
                arch,
                driver,
            },
        )
}

/// A script on one queue: mostly operations that succeed, in runs long enough for several laps of
/// a small ring.
pub fn script() -> impl Strategy<Value = Script> {
    let even = (5u32..=9).prop_map(|bits| 1 << bits);
    let odd = (3u32..20)
        .prop_map(|n| n * 16)
        .prop_filter("odd", |n| !n.is_power_of_two());
    let size = prop_oneof![
        6 => (even.clone(), even).prop_map(|(tx, rx)| [tx, rx]),
        1 => (odd.clone(), odd).prop_map(|(tx, rx)| [tx, rx]),
    ];
    let memory = prop_oneof![
        8 => Just(([true, true], true)),
        1 => Just(([true, true], false)),
        1 => Just(([false, false], true)),
        1 => Just(([true, false], true)),
        1 => Just(([false, true], true)),
    ];
    let driver = prop_oneof![4 => Just(0u8), 1 => 1u8..5];
    (0u32..16, size, memory, driver).prop_flat_map(
        |(qid, size, (has_memory, allocatable), driver)| {
            let ops = prop::collection::vec(ops(qid), 1..40);
            ops.prop_map(move |runs| Script {
                driver,
                qid,
                size,
                has_memory,
                allocatable,
                ops: runs.concat(),
            })
        },
    )
}

fn ops(qid: u32) -> impl Strategy<Value = Vec<Op>> {
    let ring = prop_oneof![Just(Ring::Tx), Just(Ring::Rx)];
    let take = (ring.clone(), 1usize..20)
        .prop_map(|(ring, count)| [Op::Get(ring), Op::RingId(ring)].repeat(count));
    let single = (ring.clone(), 0u8..3).prop_map(|(ring, which)| {
        vec![match which {
            0 => Op::Get(ring),
            1 => Op::RingId(ring),
            _ => Op::Available(ring),
        }]
    });
    let count = prop_oneof![6 => 0u32..20, 1 => any::<u32>()];
    let ack = (ring, count.clone()).prop_map(|(ring, count)| vec![Op::Ack(ring, count)]);
    let ack_both = count.prop_map(|count| vec![Op::Ack(Ring::Rx, count), Op::Ack(Ring::Tx, count)]);
    let target =
        prop_oneof![12 => Just(qid), 1 => 16u32..18, 1 => any::<u32>().prop_map(|q| q | 16)];
    let prepare = (target, pair(), 1usize..8).prop_map(|(qid, pair, count)| {
        // The rings give ids and version; the kernel line looks at nothing else.
        let pair = PairIn {
            rx_ring_id: 0,
            tx_ring_id: 0,
            sow: 0,
            arch: abi::UDMA_ARCH_CAYMAN as u8,
            driver: 0,
            ..pair
        };
        vec![Op::Prepare(qid, pair); count]
    });
    prop_oneof![2 => take, 1 => single, 1 => ack, 2 => ack_both, 4 => prepare]
}
