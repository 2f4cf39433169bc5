//! Whole transfers: how soon a missing order is found, and how little memory a long one takes.

use super::driver::{Driver, Modes, SOURCE, TARGET};
use udma_oracle::model::{Arch, Pattern, Schedule};
use udma_oracle::wire::Ring;

const MARKER: u64 = SOURCE + 0x3_0000;

/// Mode of each pair of a batch.
type Choice = Box<dyn Fn(u64) -> Modes>;

/// One batch of `pairs` pairs and a marker, polled as the driver does. Whether all data of the
/// batch were visible when the marker was seen.
fn batch(driver: &mut Driver, pairs: u64, modes: impl Fn(u64) -> Modes) -> bool {
    let staged = driver.staged[1];
    for at in 0..pairs {
        driver.pair(SOURCE + at * 64, TARGET + at * 64, 64, modes(at));
    }
    driver.engine.store32(MARKER, 0xabcd_ef01).unwrap();
    driver.engine.store32(MARKER + 4, 0).unwrap();
    driver.pair(MARKER, MARKER + 4, 4, modes(pairs));
    driver.start(pairs as u32 + 1);
    for _ in 0..200 {
        driver.engine.advance();
        if driver.engine.load32(MARKER + 4).unwrap() == 0xabcd_ef01 {
            return driver.engine.visible(0) > staged + pairs;
        }
    }
    panic!("the batch is never done");
}

/// Seeds, from `start` on, until a batch is caught.
fn seeds_until_found(start: u64, arch: Arch, pairs: u64, modes: &dyn Fn(u64) -> Modes) -> u64 {
    (1..=1000)
        .find(|tried| {
            let seed = start * 1_000_003 + tried;
            let mut driver = Driver::new(arch, Schedule::Seeded(seed), 4096);
            !batch(&mut driver, pairs, modes)
        })
        .expect("never found")
}

#[test]
fn a_missing_barrier_is_found_soon() {
    let last = |pairs: u64, on: u64| {
        move |at: u64| {
            if at + on == pairs {
                Modes::WRITE_BARRIER
            } else {
                Modes::NONE
            }
        }
    };
    for arch in Arch::ALL {
        for pairs in [1, 2, 20, 2032] {
            let wrong: [(&str, Choice); 4] = [
                ("no barrier", Box::new(|_| Modes::NONE)),
                ("on the first pair", Box::new(last(pairs, pairs))),
                ("on the last pair but one", Box::new(last(pairs, 2))),
                ("on the marker", Box::new(last(pairs, 0))),
            ];
            for (what, modes) in wrong {
                if pairs == 1 && what == "on the first pair" {
                    continue; // which is right
                }
                let starts = if pairs > 100 { 20 } else { 100 };
                let mut tried: Vec<_> = (0..starts)
                    .map(|start| seeds_until_found(start, arch, pairs, &modes))
                    .collect();
                tried.sort_unstable();
                let (median, most) = (tried[tried.len() / 2], tried[tried.len() - 1]);
                println!("{arch:?}, {pairs} pairs, {what}: median {median}, most {most} seeds");
                assert!(median <= 8 && most <= 64);
            }
        }
    }
}

#[test]
fn the_right_cycle_is_never_blamed() {
    for arch in Arch::ALL {
        for seed in 0..2000 {
            let mut driver = Driver::new(arch, Schedule::Seeded(seed), 32);
            for round in 0..12 {
                let pairs = 1 + (seed + round * 5) % 14;
                let barrier = |at| {
                    if at + 1 == pairs {
                        Modes::WRITE_BARRIER
                    } else {
                        Modes::NONE
                    }
                };
                let strong = |at| if at == pairs { Modes::SOW } else { Modes::NONE };
                let seen = if arch == Arch::V2 || seed % 2 == 0 {
                    batch(&mut driver, pairs, barrier)
                } else {
                    batch(&mut driver, pairs, strong)
                };
                assert!(seen, "{arch:?} seed {seed}");
            }
            assert_eq!(driver.rules(), [""; 0]);
            assert!(driver.engine.faults().is_empty());
        }
    }
}

/// BARR-4 and MODL-5: on SUNDA the bit of a strong-ordered write means nothing.
#[test]
fn sow_is_no_order_on_v2() {
    let strong = |at| if at == 4 { Modes::SOW } else { Modes::NONE };
    assert!(seeds_until_found(1, Arch::V2, 4, &strong) <= 64);
}

/// 1 GiB from a stream into a region that is expected to hold it, in 64 KiB pairs.
#[test]
fn a_gibibyte_needs_next_to_nothing() {
    const BYTES: u64 = 1 << 30;
    const CHUNK: u64 = 1 << 16;
    for schedule in [Schedule::Prompt, Schedule::Seeded(4), Schedule::Seeded(5)] {
        let mut driver = Driver::new(Arch::V3, schedule, 4096);
        let (from, to) = (1 << 32, 2 << 32);
        let stream = Pattern::stream(11);
        let memory = driver.engine.memory_mut();
        memory.add_extents(from, BYTES, stream).unwrap();
        memory.add_extents(to, BYTES, Pattern::Repeat(0)).unwrap();
        memory.expect(to, stream).unwrap();
        let mut most = 0;
        for batch in 0..BYTES / CHUNK / 2048 {
            for at in batch * 2048..(batch + 1) * 2048 {
                driver.stage(Ring::Tx, [0x0c00_0000, 0x0108_0003], from + at * CHUNK);
                driver.stage(Ring::Rx, [0, 0], to + at * CHUNK);
            }
            driver.start(2048);
            while driver.engine.step() {
                most = most.max(driver.engine.memory().runs());
            }
            driver.engine.take_events();
        }
        assert_eq!(
            driver.engine.memory().first_difference(to, BYTES, stream),
            Ok(None)
        );
        assert_eq!(driver.engine.memory().runs(), 2);
        println!("{schedule:?}: at most {most} runs at a time");
        assert!(most < 300);
    }
}
