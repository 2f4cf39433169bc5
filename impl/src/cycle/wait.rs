//! How long a batch is waited for (POLL-2, POLL-3).

use crate::arch::Arch;
use crate::fault::mutant;
use crate::line::DriverVersion;

/// What the device runs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Platform {
    /// Silicon.
    #[default]
    Hardware = 0,
    /// QEMU.
    Qemu = 1,
    /// Emulator.
    Emulator = 2,
}

impl Platform {
    /// Every platform.
    pub const ALL: [Self; 3] = [Self::Hardware, Self::Qemu, Self::Emulator];

    /// The platform of a number.
    pub const fn from_number(number: u32) -> Option<Self> {
        match number {
            0 => Some(Self::Hardware),
            1 => Some(Self::Qemu),
            2 => Some(Self::Emulator),
            _ => None,
        }
    }
}

/// The two waits of a poll, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// One delay before the first look.
    pub first: u64,
    /// Budget of the looks, one a microsecond, that follow.
    pub following: u64,
}

/// From 2.27.4.0 on, qemu and emulator alike (POLL-3).
const POLLER_STRETCH: u64 = 100_000;

/// The architecture's own estimate for a batch of `pairs` pairs, marker included (POLL-2), with the
/// stretch that 2.26.5.0 and older put into it on virtual platforms (POLL-3). The estimate itself is
/// a 32-bit product; everything after it wraps at 2^64, so that one pair gives a wrapped first wait.
pub fn estimate(
    version: DriverVersion,
    arch: Arch,
    platform: Platform,
    pairs: u32,
    is_async: bool,
) -> Wait {
    // (us per data pair, us the first wait is short of the estimate, budget in estimates)
    let (per_pair, early, budget) = match arch {
        Arch::Sunda => (4, 3, 100),
        // Read of the older versions, not run: the budget was 100 estimates.
        Arch::Cayman if version <= DriverVersion::V2_18_20 || mutant(145) => (2, 1, 100),
        Arch::Cayman | Arch::Mariana if mutant(142) => (4, 1, 400),
        Arch::Cayman | Arch::Mariana => (2, 1, 400),
    };
    let data_pairs = if mutant(143) {
        pairs
    } else {
        pairs.wrapping_sub(1)
    };
    let whole = u64::from(data_pairs.wrapping_mul(per_pair));
    let first = if is_async && !mutant(166) {
        1
    } else if mutant(144) {
        whole.saturating_sub(early)
    } else {
        whole.wrapping_sub(early)
    };
    let following = whole
        .wrapping_mul(budget)
        .wrapping_sub(first)
        .wrapping_mul(100);
    let stretch = match platform {
        _ if version >= DriverVersion::V2_27_4 && !mutant(148) => 1,
        Platform::Hardware => 1,
        Platform::Qemu => 10_000,
        Platform::Emulator if mutant(147) => 10_000,
        Platform::Emulator => 100_000,
    };
    Wait {
        first: if mutant(146) {
            first.wrapping_mul(stretch)
        } else {
            first
        },
        following: following.wrapping_mul(stretch),
    }
}

/// What the poller of a version makes of an estimate: 2.27.4.0 stretches here (POLL-3).
pub fn stretched(version: DriverVersion, platform: Platform, wait: Wait) -> Wait {
    let virtual_platform = platform != Platform::Hardware;
    if version >= DriverVersion::V2_27_4 && virtual_platform && !mutant(148) {
        Wait {
            following: wait.following.wrapping_mul(POLLER_STRETCH),
            ..wait
        }
    } else {
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platforms_have_their_numbers() {
        for (number, platform) in (0..).zip(Platform::ALL) {
            assert_eq!(Platform::from_number(number), Some(platform));
        }
        assert_eq!(Platform::from_number(3), None);
    }

    // POLL-2's own examples, and golden/memcpy_trace case 59 (4 pairs on v3).
    #[test]
    fn worked_waits() {
        let of = |arch, pairs, is_async| {
            estimate(
                DriverVersion::V2_26_5,
                arch,
                Platform::Hardware,
                pairs,
                is_async,
            )
        };
        assert_eq!(of(Arch::Sunda, 1, false).first, u64::MAX - 2);
        assert_eq!(of(Arch::Cayman, 1, false).first, u64::MAX);
        assert_eq!(of(Arch::Cayman, 1, true).following, u64::MAX - 99);
        let wait = of(Arch::Cayman, 4, false);
        assert_eq!((wait.first, wait.following), (5, 239_500));
    }

    #[test]
    fn the_new_poller_stretches_both_platforms_alike() {
        let version = DriverVersion::V2_27_4;
        for platform in [Platform::Qemu, Platform::Emulator] {
            let wait = estimate(version, Arch::Sunda, platform, 2, true);
            assert_eq!(wait.following, 39_900);
            assert_eq!(stretched(version, platform, wait).following, 3_990_000_000);
        }
    }
}
