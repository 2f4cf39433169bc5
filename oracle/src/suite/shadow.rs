//! The user-space shadow queue (SWQ).

use super::{Check, CheckError, Level};
use crate::cases::cycle::question::Of;
use crate::cases::cycle::shadow::{Commits, Script};
use crate::generate::mix;
use crate::session::Session;

pub const CHECKS: &[Check] = &[
    Check {
        suite: "shadow",
        name: "reserve",
        rules: &["SWQ-1", "SWQ-2", "SWQ-3", "SWQ-5"],
        level: Level::Quick,
        run: reserve,
    },
    Check {
        suite: "shadow",
        name: "commit",
        rules: &["SWQ-4"],
        level: Level::Quick,
        run: commit,
    },
];

/// Every script of three reserves on small rings, long ones on larger rings, rings of two sizes,
/// sums beyond 32 bits.
fn reserve(session: &mut Session) -> Result<(), CheckError> {
    let mut attempt = |case: Vec<u64>| {
        session.try_case::<Of<Script>>(&|| format!("reserve {case:?}"), &case, None);
    };
    for count in 1..=5 {
        for first in 0..=count + 1 {
            for second in 0..=count + 1 {
                for third in 0..=count + 1 {
                    attempt(vec![count, count, first, second, third, 1]);
                }
            }
        }
    }
    for count in [7, 32, 100, 8192] {
        let steps = (0..40).map(|number| mix(count, number) % (count + 2));
        attempt([count, count].into_iter().chain(steps).collect());
        attempt(vec![
            count, count, count, count, count, count, count, 1, count,
        ]);
    }
    for (tx, rx) in [(8, 5), (5, 8), (64, 32)] {
        for number in 0..=tx.max(rx) + 1 {
            attempt(vec![tx, rx, number, 2, number]);
        }
    }
    let most = u64::from(u32::MAX);
    attempt(vec![most, most, most - 1, most - 1, 5, most]);
    attempt(vec![most, most, most, 1]);
    Ok(())
}

/// Every place and number on small rings, every phase, with and without addresses; descriptors
/// with ring id 0, and such as a vring has, which the engine would refuse in other laps.
fn commit(session: &mut Session) -> Result<(), CheckError> {
    let mut attempt = |case: Vec<u64>| {
        session.try_case::<Of<Commits>>(&|| format!("commit {case:?}"), &case, None);
    };
    for count in [1, 2, 5, 8] {
        for first in 0..=count {
            for descs in 0..=count + 1 {
                for phase in 0..4 {
                    for (addresses, ring_id) in [(0, 0), (1, 0), (0, 1)] {
                        attempt(vec![count, first, phase, descs, addresses, ring_id]);
                    }
                }
            }
        }
    }
    for first in [0, 1000, 1023] {
        attempt(vec![1024, first, 3, 1024, 1, 0]);
    }
    Ok(())
}
