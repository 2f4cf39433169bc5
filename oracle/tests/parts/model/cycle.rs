//! Doorbells, laps, phases, resets, publication: MODL-1, 2, 4, 6.

use super::driver::{Driver, Modes, PACKET, RX_RING, SOURCE, TARGET, TX_RING, block};
use udma_oracle::law::word::meta;
use udma_oracle::model::{Arch, Cause, Schedule};
use udma_oracle::wire::Ring;

const SEEDS: u64 = 64;

fn both(each: impl Fn(Schedule)) {
    each(Schedule::Prompt);
    for seed in 0..SEEDS {
        each(Schedule::Seeded(seed));
    }
}

/// Writes `count` pairs and lets them finish.
fn round(driver: &mut Driver, count: u32) {
    for at in 0..u64::from(count) {
        driver.pair(SOURCE + at * 64, TARGET + at * 64, 64, Modes::NONE);
    }
    driver.start(count);
    driver.engine.settle();
}

#[test]
fn phases_over_five_laps_and_registers() {
    both(|schedule| {
        let mut driver = Driver::new(Arch::V2, schedule, 32);
        for lap in 0..10u32 {
            round(&mut driver, 16);
            for ring in Ring::BOTH {
                let slot = (lap + 1) * 16 % 32;
                assert_eq!(driver.read(ring, 0x3c), slot);
                assert_eq!(driver.read(ring, 0x34), slot);
            }
        }
        assert_eq!(driver.engine.visible(0), 160);
        assert_eq!(driver.rules(), [""; 0]);
        assert_eq!(driver.read(Ring::Tx, 0x30), 32);
        let base =
            u64::from(driver.read(Ring::Rx, 0x28)) | u64::from(driver.read(Ring::Rx, 0x2c)) << 32;
        assert_eq!(base, Arch::V2.host(RX_RING));
    });
}

#[test]
fn every_wrong_phase_is_a_ring_id_error() {
    both(|schedule| {
        for lap in 0..5 {
            for wrong in 0..4 {
                for ring in Ring::BOTH {
                    for armed in [false, true] {
                        let mut driver = Driver::new(Arch::V3, schedule, 32);
                        wrong_phase(&mut driver, lap, wrong, ring, armed);
                    }
                }
            }
        }
    });
}

fn wrong_phase(driver: &mut Driver, lap: u64, wrong: u32, ring: Ring, armed: bool) {
    let (group, bit) = match ring {
        Ring::Tx => (0x3_a000, 1 << 17),
        Ring::Rx => (0x3_a040, 1 << 11),
    };
    for _ in 0..lap {
        round(driver, 32);
    }
    if armed {
        driver.engine.write32(group + 0x30, !bit);
    }
    let right = driver.phase(lap * 32);
    driver.pair(SOURCE, TARGET, 64, Modes::NONE);
    let word0 = 64 | wrong << 24;
    match ring {
        Ring::Tx => {
            let words = [PACKET | word0, meta::PLAIN_COPY];
            driver.raw(ring, lap * 32, words, driver.arch.host(SOURCE));
        }
        Ring::Rx => driver.raw(ring, lap * 32, [word0, 0], driver.arch.host(TARGET)),
    }
    driver.start(1);
    while driver.engine.step() {}
    if wrong == right {
        assert_eq!(driver.rules(), [""; 0]);
        assert_eq!(driver.engine.visible(0), lap * 32 + 1);
        return;
    }
    assert_eq!(driver.rules(), ["MODL-2"]);
    let fault = driver.engine.faults()[0];
    assert_eq!((fault.cause, fault.ring), (Cause::RingId, ring));
    assert_eq!(driver.engine.read32(group), bit);
    assert_eq!(driver.order().len() as u64, lap * 32, "not executed");
    let stopped = armed.then_some(Cause::RingId);
    assert_eq!(driver.engine.stopped(0), stopped);
    // IOFC-4: the cause goes when its bit is written as 0.
    driver.engine.write32(group, !bit);
    assert_eq!(driver.engine.read32(group), 0);
}

#[test]
fn a_doorbell_beyond_the_ring_or_on_a_disabled_queue() {
    both(|schedule| {
        let mut driver = Driver::new(Arch::V3, schedule, 32);
        driver.ring(Ring::Rx, 33);
        assert_eq!(driver.rules(), ["MODL-1"]);
        driver.ring(Ring::Rx, 32);
        driver.ring(Ring::Rx, 1);
        assert_eq!(driver.rules(), ["MODL-1"; 2]);
        for cfg in [0x0300_0000, 0x0301_0000, 0x0302_0000] {
            let mut driver = Driver::new(Arch::V3, schedule, 32);
            driver.write(Ring::Tx, 0x20, cfg);
            driver.pair(SOURCE, TARGET, 64, Modes::NONE);
            driver.start(1);
            driver.engine.settle();
            assert_eq!(driver.rules(), ["MODL-1"]);
            assert_eq!(driver.engine.progress(Ring::Tx, 0).fetched, 0);
        }
        let mut driver = Driver::new(Arch::V3, schedule, 32);
        driver.engine.write32(block(Ring::Tx, 15) + 0x38, 1);
        assert_eq!(driver.rules(), ["MODL-1"], "queue 15 was never set up");
    });
}

#[test]
fn reset_goes_back_to_slot_0_of_lap_1() {
    let mut lost = 0;
    let mut landed = 0;
    for seed in 0..256 {
        let mut driver = Driver::new(Arch::V2, Schedule::Seeded(seed), 32);
        driver
            .engine
            .memory_mut()
            .write(Arch::V2.host(SOURCE), &[7; 1024])
            .unwrap();
        round(&mut driver, 32);
        for at in 0..16 {
            driver.pair(SOURCE, TARGET + 0x1000 + at * 64, 64, Modes::NONE);
        }
        driver.start(16);
        for _ in 0..seed % 40 {
            driver.engine.step();
        }
        let before = driver.order().len();
        driver.init();
        let after = driver.order().len();
        landed += after - before;
        lost += 48 - after;
        assert_eq!(driver.read(Ring::Tx, 0x34), 0);
        while driver.engine.step() {}
        assert_eq!(driver.order().len(), after, "nothing comes after the reset");
        round(&mut driver, 32);
        assert_eq!(driver.rules(), [""; 0], "lap 1 again");
        assert_eq!(driver.engine.visible(0), 32);
    }
    assert!(lost > 0 && landed > 0);
}

#[test]
fn tx_before_rx_is_found_on_every_seed() {
    both(|schedule| {
        let mut driver = Driver::new(Arch::V3, schedule, 32);
        round(&mut driver, 3);
        driver.pair(SOURCE, TARGET, 64, Modes::NONE);
        driver.ring(Ring::Tx, 1);
        while driver.engine.step() {}
        assert_eq!(driver.engine.visible(0), 3, "nothing runs yet");
        driver.ring(Ring::Rx, 1);
        driver.engine.settle();
        assert_eq!(driver.engine.visible(0), 4);
        assert_eq!(driver.rules(), ["MODL-4"]);
        assert!(
            driver.engine.findings()[0]
                .text
                .contains("source read before destination armed")
        );
        // Never armed at all.
        driver.pair(SOURCE, TARGET, 64, Modes::NONE);
        driver.ring(Ring::Tx, 1);
        driver.engine.settle();
        assert_eq!(driver.rules(), ["MODL-4"; 2]);
    });
}

#[test]
fn a_prefetch_of_rx_alone_is_fine() {
    both(|schedule| {
        let mut driver = Driver::new(Arch::V3, schedule, 32);
        for at in 0..8 {
            driver.pair(SOURCE + at * 64, TARGET + at * 64, 64, Modes::NONE);
        }
        driver.ring(Ring::Rx, 8);
        while driver.engine.step() {}
        driver.ring(Ring::Tx, 3);
        driver.ring(Ring::Tx, 5);
        driver.engine.settle();
        assert_eq!((driver.engine.visible(0), driver.rules()), (8, vec![]));
    });
}

#[test]
fn late_publish_is_found_and_shows() {
    let mut stale = 0;
    for seed in 0..SEEDS {
        let mut driver = Driver::new(Arch::V3, Schedule::Seeded(seed), 32);
        driver.pair(SOURCE, TARGET, 64, Modes::NONE);
        // The doorbells without a barrier.
        driver.write(Ring::Rx, 0x38, 1);
        driver.write(Ring::Tx, 0x38, 1);
        assert_eq!(driver.rules(), ["MODL-6"; 2]);
        while driver.engine.step() {}
        stale += u64::from(!driver.engine.faults().is_empty());
    }
    println!("late publish: found on {SEEDS} of {SEEDS} seeds, an empty slot fetched on {stale}");
    assert!(stale > 0 && stale < SEEDS);
}

#[test]
fn an_edit_after_the_doorbell_is_found_and_shows() {
    let mut edited = 0;
    for seed in 0..SEEDS {
        let mut driver = Driver::new(Arch::V3, Schedule::Seeded(seed), 32);
        driver
            .engine
            .memory_mut()
            .write(Arch::V3.host(SOURCE), &[1; 64])
            .unwrap();
        for at in 0..4 {
            driver.pair(SOURCE, TARGET + at * 64, 64, Modes::NONE);
        }
        driver.start(4);
        for _ in 0..3 {
            driver.engine.step();
        }
        if driver.engine.progress(Ring::Rx, 0).started == 4 {
            continue;
        }
        driver.raw(
            Ring::Rx,
            3,
            [64 | 1 << 24, 0],
            Arch::V3.host(TARGET + 0x800),
        );
        driver.engine.barrier();
        assert_eq!(driver.rules(), ["MODL-6"]);
        // A slot that is not rung may be written.
        driver.raw(Ring::Rx, 4, [64 | 1 << 24, 0], Arch::V3.host(TARGET));
        assert_eq!(driver.rules(), ["MODL-6"]);
        driver.engine.settle();
        let mut byte = [0];
        driver.engine.load(TARGET + 0x800, &mut byte).unwrap();
        edited += u64::from(byte == [1]);
    }
    println!(
        "edit after the doorbell: taken on {edited} of {SEEDS} seeds, the old one on the rest"
    );
    assert!(edited > 0 && edited < SEEDS);
}

#[test]
fn an_unpublished_source_is_found() {
    let mut found = 0;
    for seed in 0..SEEDS {
        let mut driver = Driver::new(Arch::V3, Schedule::Seeded(seed), 32);
        driver.pair(SOURCE, TARGET, 4, Modes::NONE);
        driver.start(1);
        driver.engine.store32(SOURCE, 0xabcd_ef01).unwrap();
        assert_eq!(
            driver.engine.load32(SOURCE).unwrap(),
            0xabcd_ef01,
            "the CPU sees its own"
        );
        driver.engine.settle();
        found += u64::from(driver.rules() == ["MODL-6"]);
    }
    assert!(found > 0);
}

#[test]
fn a_lost_batch_moves_the_cursors() {
    let mut driver = Driver::new(Arch::V2, Schedule::Prompt, 32);
    driver.pair(SOURCE, TARGET, 64, Modes::NONE);
    driver.start(1);
    driver.engine.lose(0);
    round(&mut driver, 1);
    assert_eq!(driver.order(), [1]);
    assert_eq!(driver.rules(), [""; 0]);
}

#[test]
fn the_trace_reads_well() {
    let mut driver = Driver::new(Arch::V3, Schedule::Prompt, 32);
    driver.engine.take_events();
    driver.pair(SOURCE, TARGET, 4, Modes::SOW);
    driver.start(1);
    driver.engine.advance();
    let lines: Vec<_> = driver
        .engine
        .events()
        .iter()
        .map(ToString::to_string)
        .collect();
    let tx = Arch::V3.host(TX_RING);
    assert_eq!(lines[0], format!("cpu store {tx:#x}, 16 bytes"));
    assert_eq!(
        lines[2..],
        [
            "cpu barrier",
            "q0 rx doorbell 1",
            "cpu barrier",
            "q0 tx doorbell 1",
            "q0 tx fetch #0 from slot 0",
            "q0 rx fetch #0 from slot 0",
            "q0 start tx #0 rx #0",
            "q0 visible rx #0 0x400000140000, 4 bytes",
        ]
    );
}

/// The tail may be written itself: the ring is rung up to there, over its end, too (MODL-1).
#[test]
fn a_tail_that_is_written_is_rung_up_to() {
    both(|schedule| {
        let mut driver = Driver::new(Arch::V3, schedule, 32);
        round(&mut driver, 20);
        for at in 0..16 {
            driver.pair(SOURCE + at * 64, TARGET + at * 64, 64, Modes::NONE);
        }
        driver.engine.barrier();
        for ring in [Ring::Rx, Ring::Tx] {
            driver.write(ring, 0x3c, 4);
        }
        driver.engine.settle();
        assert_eq!(driver.engine.visible(0), 36);
        for ring in Ring::BOTH {
            assert_eq!(driver.read(ring, 0x3c), 4);
        }
        assert_eq!(driver.rules(), [""; 0]);
    });
}
