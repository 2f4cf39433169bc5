//! What is generated is all of what it says it is: a generator that leaves something out makes no check
//! fail.

use std::collections::BTreeSet;

use udma_oracle::cases::opword::{FmaFrontOperation, SeedFrontOperation, width_in};
use udma_oracle::generate::vring::script;
use udma_oracle::generate::{EXHAUSTIVE, exhaustive, lengths, modes, walking};
use udma_oracle::line::{DRIVERS, driver_name, driver_number};
use udma_oracle::subject::vring::Op;
use udma_oracle::wire::PairIn;

/// Everything about a pair but where it copies from and to.
fn shape(case: &PairIn) -> (i32, u32, u32, u8) {
    (case.mode, case.rx_ring_id, case.tx_ring_id, case.dst_int)
}

#[test]
fn the_exhaustive_space_is_whole() {
    const LENGTHS: u64 = 65538;
    let mut shapes = BTreeSet::new();
    for outer in 0..EXHAUSTIVE / LENGTHS {
        // The last of one stretch of lengths and the first of the next.
        let mut batch = [PairIn::default(); 2];
        let count = if outer == 0 { 1 } else { 2 };
        let batch = &mut batch[..count];
        exhaustive(1, outer * LENGTHS + 1 - count as u64, batch);
        if let [last, _] = batch {
            assert_eq!(last.size, 65537);
        }
        let first = batch[count - 1];
        assert_eq!(first.size, 0);
        shapes.insert(shape(&first));
    }
    let mut whole = BTreeSet::new();
    for mode in -1..=5 {
        for rx in 0..8 {
            for tx in 0..8 {
                whole.extend([(mode, rx, tx, 0), (mode, rx, tx, 1)]);
            }
        }
    }
    assert_eq!(shapes, whole);

    let mut stretch = vec![PairIn::default(); LENGTHS as usize];
    exhaustive(1, 0, &mut stretch);
    let sizes = stretch.iter().map(|case| case.size);
    assert!(sizes.eq(0..LENGTHS));
    // What is seeded comes in every value.
    let archs: BTreeSet<u8> = stretch.iter().map(|case| case.arch).collect();
    assert_eq!(archs, BTreeSet::from([2, 3, 4]));
    let sows: BTreeSet<u8> = stretch.iter().map(|case| case.sow).collect();
    assert_eq!(sows, BTreeSet::from([0, 1]));
    for bit in 0..64 {
        let lit =
            |at: fn(&PairIn) -> u64| stretch.iter().filter(move |case| at(case) >> bit & 1 != 0);
        for count in [lit(|case| case.src).count(), lit(|case| case.dst).count()] {
            // Half of them, within a tenth.
            assert!(count.abs_diff(32769) < 3277, "bit {bit}: {count}");
        }
    }
}

#[test]
fn every_address_bit_walks_past_every_length_and_mode() {
    let lengths = lengths();
    assert_eq!(lengths.len(), 64);
    for bit in 1..17 {
        for length in [(1u64 << bit) - 1, 1 << bit, (1 << bit) + 1] {
            assert!(lengths.contains(&length), "{length}");
        }
    }
    let cases = walking();
    let mut walked = BTreeSet::new();
    for case in &cases {
        assert_eq!(case.src.count_ones() + case.dst.count_ones(), 1);
        walked.insert((case.size, case.mode, case.src, case.dst));
    }
    assert_eq!(walked.len(), 64 * 7 * 128);
    let modes: BTreeSet<i32> = cases.iter().map(|case| case.mode).collect();
    assert!(modes.into_iter().eq(-1..=5));
}

#[test]
fn every_mode_comes_on_every_architecture_version_and_side_of_a_size() {
    let cases: BTreeSet<_> = modes()
        .into_iter()
        .map(|case| {
            (
                case.mode,
                case.arch,
                case.driver,
                case.sow,
                case.dst_int,
                case.size,
            )
        })
        .collect();
    for mode in (-4..=12).chain([100, 255, 256, 65536, i32::MAX, i32::MIN]) {
        for arch in 2..=4 {
            for (driver, _) in DRIVERS {
                for size in [
                    0,
                    1,
                    64,
                    65535,
                    65536,
                    65537,
                    1 << 32,
                    (1 << 32) + 64,
                    u64::MAX,
                ] {
                    for flags in 0..4 {
                        let case = (mode, arch, driver, flags & 1, flags >> 1, size);
                        assert!(cases.contains(&case), "{case:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn driver_versions_have_names() {
    for (number, name) in DRIVERS {
        assert_eq!(driver_name(number), name);
        assert_eq!(driver_number(name), Some(number));
    }
    assert_eq!(driver_number("1.0.0.0"), None);
}

/// Rings are allocated for what is used and for any other count, from the first operation on.
#[test]
fn prings_are_not_all_of_the_size_that_is_used() {
    let counts: BTreeSet<u32> = (0..2000)
        .filter_map(|number| match script(1, number).ops.first() {
            Some(Op::Pring { descriptors, .. }) => Some(*descriptors),
            _ => None,
        })
        .collect();
    assert!(counts.contains(&0) && counts.len() > 5, "{counts:?}");
}

/// Operands are made as wide as their fields (CCE-2); a seed init's `x` says whether to seed.
#[test]
fn operands_are_as_wide_as_their_fields() {
    assert_eq!(width_in::<SeedFrontOperation>("x"), 1);
    for (operand, bits) in [
        ("sub", 3),
        ("x", 3),
        ("length", 24),
        ("a_sel", 2),
        ("scale", 32),
    ] {
        assert_eq!(width_in::<FmaFrontOperation>(operand), bits, "{operand}");
    }
}
