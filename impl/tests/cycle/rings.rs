//! Small rings over several laps, full rings, and the versions that were not recorded.

use udma::cycle::{Batching, Platform};
use udma::io::Side;
use udma::{Arch, DriverVersion};

use super::checks::{DST, SRC, chunks_of_64, open};
use super::subject::{Setup, Subject};
use super::{Outcome, holds, same};

// POLL-1, ERR-12
pub fn timeout_codes<S: Subject>() -> Outcome {
    for version in DriverVersion::ALL {
        let setup = Setup {
            version,
            ..Setup::of(Arch::Sunda, 64)
        };
        let (mut machine, mut subject) = open::<S>(&setup);
        machine.model.lost_batches = 1;
        let named = version == DriverVersion::V2_27_4;
        let ret = subject.copy(&mut machine, SRC, DST, 64);
        same(version.name(), ret, if named { -110 } else { -1 })?;
    }
    Ok(())
}

/// Every batch is the right length, the copy arrives, what was taken is given back (ACK-3).
pub fn small_rings<S: Subject>() -> Outcome {
    for (size, arch) in [(32, Arch::Sunda), (64, Arch::Cayman), (32, Arch::Mariana)] {
        let batching = Batching {
            chunk: 64,
            ..Batching::filling(size, 1)
        };
        let setup = Setup {
            batching,
            ..Setup::of(arch, size)
        };
        let (mut machine, mut subject) = open::<S>(&setup);
        let full = 64 * u64::from(batching.threshold + 1);
        // More than four laps; sizes around every boundary.
        for size in [
            1,
            63,
            64,
            65,
            full - 1,
            full,
            full + 1,
            3 * full,
            12 * full + 5,
        ] {
            let dst = DST + size * 0x1_0000;
            machine.forget();
            same("ret", subject.copy(&mut machine, SRC, dst, size), 0)?;
            let batches = size.div_ceil(full).max(1);
            same("batches", machine.rung.len() as u64, batches)?;
            for (number, rung) in machine.rung.iter().enumerate() {
                let left = (size - full * number as u64).min(full);
                let pairs = left.div_ceil(64) as usize + 1;
                same("pairs", rung.descs[0].len(), pairs)?;
                let barriers: Vec<usize> = (0..pairs)
                    .filter(|&pair| rung.descs[0][pair].word1() == 0x0508_0003)
                    .collect();
                same("write barriers", &barriers[..], &[pairs - 2])?; // BTCH-3
            }
            holds("copied", machine.arena.is_same(SRC, dst, size))?;
            holds("behind", machine.arena.is_untouched(dst + size, 64))?;
            for side in [Side::Tx, Side::Rx] {
                let cursors = subject.cursors(side);
                same("given back", cursors.next_cdesc, cursors.next_desc)?;
            }
        }
        same("faults", &machine.faults[..], &[])?;
    }
    Ok(())
}

pub fn small_rings_in_flight<S: Subject>() -> Outcome {
    for size in [32, 64] {
        let batching = Batching {
            chunk: 64,
            ..Batching::filling(size, 2)
        };
        let setup = Setup {
            batching,
            ..Setup::of(Arch::Cayman, size)
        };
        let (mut machine, mut subject) = open::<S>(&setup);
        let full = 64 * u64::from(batching.threshold + 1);
        let mut previous = -1;
        for number in 0..100 {
            let transfer = [SRC + number, DST + number * 0x1_0000, full - number % 64];
            previous = subject
                .submit(&mut machine, transfer, previous)
                .map_err(|code| format!("submit {number}: {code}"))?;
        }
        same("wait", subject.wait(&mut machine, previous), 0)?;
        for number in 0..100 {
            let (src, dst) = (SRC + number, DST + number * 0x1_0000);
            holds(
                "copied",
                machine.arena.is_same(src, dst, full - number % 64),
            )?;
        }
        same("faults", &machine.faults[..], &[])?;
    }
    Ok(())
}

/// A batch that does not fit is refused with nothing rung (RING-8); its slots are lost.
pub fn full_ring<S: Subject>() -> Outcome {
    let setup = Setup {
        batching: chunks_of_64(30),
        ..Setup::of(Arch::Sunda, 32)
    };
    let (mut machine, mut subject) = open::<S>(&setup);
    same("ret", subject.copy(&mut machine, SRC, DST, 64 * 20), -12)?;
    same("rung", machine.rung.len(), 0)?;
    same("slots lost", subject.cursors(Side::Tx).next_desc, 16)
}

/// POLL-2, POLL-3 of the versions that were read, not run.
pub fn other_versions<S: Subject>() -> Outcome {
    let of = |version, arch, platform| {
        let setup = Setup {
            version,
            platform,
            ..Setup::of(arch, 32)
        };
        S::estimate(&setup, 4, true).following
    };
    let old = of(DriverVersion::V2_18_20, Arch::Cayman, Platform::Hardware);
    same("v3 up to 2.24.7.0", old, (6 * 100 - 1) * 100)?;
    let newer = of(DriverVersion::V2_25_4, Arch::Cayman, Platform::Qemu);
    same("v3 of 2.25.4.0", newer, (6 * 400 - 1) * 100 * 10_000)?;
    let new = of(DriverVersion::V2_27_4, Arch::Sunda, Platform::Emulator);
    same("2.27.4.0", new, (12 * 100 - 1) * 100)
}
