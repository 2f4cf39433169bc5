//! Transposition (TRN).

use proptest::prelude::*;

use super::{Check, CheckError, Level};
use crate::cases::operation::Call;
use crate::cases::transpose::{FlushPair, Name, Transpose, Window, name_call};
use crate::generate::{mix, sample};
use crate::session::Session;

pub const CHECKS: &[Check] = &[
    Check {
        suite: "transpose",
        name: "descriptors",
        rules: &["TRN-1", "TRN-2"],
        level: Level::Quick,
        run: descriptors,
    },
    Check {
        suite: "transpose",
        name: "names",
        rules: &["TRN-3"],
        level: Level::Quick,
        run: names,
    },
    Check {
        suite: "transpose",
        name: "windows",
        rules: &["TRN-4", "TRN-5"],
        level: Level::Quick,
        run: windows,
    },
    Check {
        suite: "transpose",
        name: "flush",
        rules: &["TRN-6"],
        level: Level::Quick,
        run: flush,
    },
];

/// Every dtype and every way for dimensions to be 0; shapes and ring bytes; lengths at the ends.
fn descriptors(session: &mut Session) -> Result<(), CheckError> {
    const SOURCE: u64 = 0x0123_4567_89ab_cdef;
    let mut tried = 0;
    let mut attempt = |session: &mut Session, arch, dtype, dims: [u64; 4], rest: [u64; 4]| {
        let mut args = vec![arch, dtype];
        args.extend(dims);
        args.extend(rest);
        tried += 1;
        session.try_case::<Transpose>(&|| format!("descriptors#{tried}"), &Call::of(args), None);
    };
    for arch in 2..=4 {
        for dtype in (0..18).chain([32, 255, 256 + 10, u32::MAX.into()]) {
            for zero in 0..16 {
                let dims = std::array::from_fn(|at| 1 - (zero >> at & 1));
                attempt(session, arch, dtype, dims, [1, 1, 64, SOURCE]);
            }
        }
        for length in [0, 1, 2, 65535, 65536, 65537, u32::MAX.into()] {
            attempt(session, arch, 10, [1; 4], [0, 0, length, SOURCE]);
        }
        for byte in 0..256 {
            attempt(session, arch, 6, [4, 3, 2, 1], [byte, 0, 2, SOURCE]);
            attempt(session, arch, 6, [4, 3, 2, 1], [2, byte, 2, SOURCE]);
        }
    }
    let (seed, count) = (mix(session.options.seed, 70), session.options.cases / 10);
    let dims = any::<[u32; 4]>().prop_map(|dims| dims.map(u64::from));
    let rest = (0u64..256, 0u64..256, 1u64..=65536, any::<u64>());
    sample(
        seed,
        count,
        (2u64..=4, 1u64..=15, dims, rest),
        |_, (arch, dtype, dims, (shape, ring, length, source))| {
            attempt(session, arch, dtype, dims, [shape, ring, length, source]);
        },
    );
    Ok(())
}

/// Every word of four of the letters, shorter and longer ones, and other letters.
fn names(session: &mut Session) -> Result<(), CheckError> {
    let mut attempt = |name: &str| {
        session.try_case::<Name>(&|| format!("name {name:?}"), &name_call(name), None);
    };
    let letters = ["W", "X", "Y", "Z"];
    for number in 0..256 {
        let name: String = (0..4).map(|at| letters[number >> (2 * at) & 3]).collect();
        attempt(&name);
        attempt(&name[..3]);
        attempt(&name.to_lowercase());
        attempt(&format!("{name}W"));
        attempt(&name.replace('Z', "V"));
    }
    for name in ["", "W", " WXYZ", "WXYZ ", "WXYZWXYZ", "1234"] {
        attempt(name);
    }
    Ok(())
}

/// Bases of the windows and of what could be taken for one.
const BASES: [u64; 12] = [
    0x20_0000_0000,
    0x30_0000_0000,
    0x60_0000_0000,
    0x70_0000_0000,
    0x8020_0000_0000,
    0x8030_0000_0000,
    0x8060_0000_0000,
    0x8070_0000_0000,
    0x10_0000_0000,
    0x40_0000_0000,
    0x8000_0000_0000,
    0,
];

/// Both ends of every window, every partition, every dtype.
fn windows(session: &mut Session) -> Result<(), CheckError> {
    let mut tried = 0;
    let mut attempt = |session: &mut Session, dst: u64, dtype: u64, base: u64| {
        tried += 1;
        let call = Call::of([dst, dtype, base]);
        session.try_case::<Window>(&|| format!("windows#{tried}"), &call, None);
    };
    for window in BASES {
        for inside in [0, 1, 0x3_ffff, 0x4_0000, 0xff_ffff, 0x100_0000, 0x1ff_ffff] {
            attempt(session, window + inside, 3, 0);
            attempt(session, window + inside, 10, 1);
        }
        attempt(session, window.wrapping_sub(1), 10, 0);
        attempt(session, window + 0x200_0000, 10, 0);
        for partition in 0..128 {
            for dtype in 1..=15 {
                let dst = window + (partition << 18) + 0x123;
                attempt(session, dst, dtype, partition & 3);
            }
        }
    }
    let (seed, count) = (mix(session.options.seed, 71), session.options.cases / 10);
    let strategy = (0usize..12, 0u64..0x240_0000, 1u64..=15, any::<u32>());
    sample(seed, count, strategy, |_, (window, inside, dtype, base)| {
        attempt(session, BASES[window] + inside, dtype, base.into());
    });
    Ok(())
}

fn flush(session: &mut Session) -> Result<(), CheckError> {
    let (seed, count) = (mix(session.options.seed, 72), session.options.cases / 10);
    let strategy = (2u64..=4, 0u64..4, 0u64..4, any::<[u64; 2]>());
    sample(
        seed,
        count,
        strategy,
        |index, (arch, rx, tx, [source, base])| {
            let call = Call::of([arch, rx, tx, source, base]);
            session.try_case::<FlushPair>(&|| format!("flush#{index}"), &call, None);
        },
    );
    Ok(())
}
