//! What the HAL line has of the cycle, and small questions without a machine.

use udma::cycle::doorbell::hal_copy_start;
use udma::cycle::poll::software_poll;
use udma::cycle::zerocopy::is_offered;
use udma::cycle::{Platform, Wait, wait};
use udma::io::{Memory, Side};
use udma::shadow::{ShadowQueue, commit, reserve};
use udma::{Arch, Desc, DriverVersion, Error};

use super::machine::{Event, Machine};
use super::{Outcome, holds, same};

// TRIG-2, TRIG-3, TRIG-5, POLL-4
pub fn start_and_poll() -> Outcome {
    let mut machine = Machine::new(Arch::Cayman, 32);
    same("start", hal_copy_start(&mut machine, 3, 7, 9), Ok(()))?;
    same("prefetch", hal_copy_start(&mut machine, 3, 0, 9), Ok(()))?;
    let rx = [Event::Barrier, Event::Write(Side::Rx, 0x38, 0x2_4038, 9)];
    let tx = [Event::Barrier, Event::Write(Side::Tx, 0x38, 0x4038, 7)];
    same("events", &machine.events[..], &[rx, tx, rx].concat()[..])?;

    let word = 0x1_0000_0004;
    let mut machine = Machine::new(Arch::Cayman, 32);
    same(
        "poll",
        software_poll(&mut machine, word, 3),
        Err(Error::Timeout),
    )?;
    same("delays", &machine.delays[..], &[10, 10, 10])?;
    machine.store32(word, 0xabcd_ef01);
    machine.events.clear();
    same("poll", software_poll(&mut machine, word, 3), Ok(()))?;
    same("events", &machine.events[..], &[Event::Poll(1)])
}

// SWQ-1 to SWQ-5
pub fn shadow_queue() -> Outcome {
    for count in [1, 3, 32, 100] {
        let mut tx = ShadowQueue::new(count);
        let mut rx = ShadowQueue::new(count);
        same(
            "SWQ-1",
            (tx.next_desc_idx, tx.desc_ring_id, tx.desc_count),
            (0, 1, count),
        )?;
        // Slots counted from the start say where everything must be.
        let mut slots = 0;
        for step in (0..200).map(|number| number * 7 % (count + 1)) {
            same(
                "reserve",
                reserve(&mut tx, &mut rx, step),
                Ok((slots % count, slots % count)),
            )?;
            for slot in slots..slots + step {
                same("SWQ-3", tx.ring_id_at(slot % count), (1 + slot / count) % 4)?;
            }
            slots += step;
            let state = (tx.next_desc_idx, tx.desc_ring_id);
            same(
                "SWQ-2, SWQ-5",
                state,
                (slots % count, (1 + slots / count) % 4),
            )?;
        }
        let before = (tx, rx);
        holds("too many", reserve(&mut tx, &mut rx, count + 1).is_err())?;
        let mut small = ShadowQueue::new(count - 1);
        holds(
            "too many for RX",
            reserve(&mut tx, &mut small, count).is_err(),
        )?;
        same("after a refusal", (tx, rx), before)?;
    }
    let mut descs = [Desc::new(0x0c00_0004, 7, 1); 6];
    let mut ring = [Desc::default(); 8];
    let addresses = [10, 11, 12, 13, 14, 15];
    let mut runs = 0;
    let committed = commit(8, 5, 3, &mut descs, Some(&addresses), |slot, run| {
        ring[slot as usize..slot as usize + run.len()].copy_from_slice(run);
        runs += 1;
    });
    same("commit", committed, Ok(()))?;
    same("runs", runs, 2)?;
    for (number, slot) in [5, 6, 7, 0, 1, 2].into_iter().enumerate() {
        let word0 = if number < 3 { 0x0f00_0004 } else { 0x0c00_0004 };
        same("SWQ-4", ring[slot], Desc::new(word0, 7, addresses[number]))?;
    }
    Ok(())
}

// RTRY-2
pub fn offered() -> Outcome {
    for arch in Arch::ALL {
        same(arch.short(), is_offered(arch, false), arch != Arch::Sunda)?;
        same(arch.short(), is_offered(arch, true), true)?;
    }
    Ok(())
}

// POLL-3: 2.27.4.0 stretches in the poller, by the same factor on both virtual platforms.
pub fn new_poller() -> Outcome {
    let wait = Wait {
        first: 3,
        following: 70,
    };
    for (version, platform, following) in [
        (DriverVersion::V2_26_5, Platform::Qemu, 70),
        (DriverVersion::V2_27_4, Platform::Hardware, 70),
        (DriverVersion::V2_27_4, Platform::Qemu, 7_000_000),
        (DriverVersion::V2_27_4, Platform::Emulator, 7_000_000),
    ] {
        let stretched = wait::stretched(version, platform, wait);
        same("stretched", stretched, Wait { following, ..wait })?;
    }
    Ok(())
}
