//! What the driver versions of the kernel line do differently, as data. A version that is not in the
//! table behaves like the recorded one.

use udma_reference::abi;

use super::word::EINVAL;
use crate::wire::BUG;

/// How user pages are copied without a buffer between (ZC-6, ZC-8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ZeroCopy {
    /// Two contexts in turn.
    Pair,
    /// A queue of contexts, as described.
    Queue,
}

/// One behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    /// Its number in the C ABI.
    pub number: u8,
    /// The release that stands for it.
    pub name: &'static str,
    /// Releases that behave alike.
    pub also: &'static [&'static str],
    /// Mode 3 is a strong-ordered write (BARR-5).
    pub knows_sow: bool,
    /// Code of a size above 65536 (BLDR-4).
    pub oversize: i32,
    /// Code of a bad count or ring size, where there is no other (RING-6, TRIG-4).
    pub bad_count: i32,
    /// Both counts of a start are held against their rings before anything is rung (TRIG-7).
    pub counts_first: bool,
    /// Code of a batch that is not done in time (POLL-1).
    pub timeout: i32,
    /// Estimates that a batch is waited for on CAYMAN (POLL-2).
    pub cayman_estimates: u64,
    /// Virtual platforms are waited for longer in the poller, not in the estimate (POLL-3).
    pub stretched_in_poller: bool,
    /// ZC-6, ZC-8.
    pub zero_copy: ZeroCopy,
}

impl Version {
    /// The releases that behave so: `2.18.20.0 to 2.24.7.0`.
    pub fn releases(&self) -> String {
        match self.also.last() {
            Some(last) => format!("{} to {last}", self.name),
            None => self.name.into(),
        }
    }
}

/// 2.26.5.0, the recorded one.
const RECORDED: Version = Version {
    number: abi::UDMA_DRIVER_2_26_5 as u8,
    name: "2.26.5.0",
    also: &[],
    knows_sow: true,
    oversize: -1,
    bad_count: -1,
    counts_first: true,
    timeout: -1,
    cayman_estimates: 400,
    stretched_in_poller: false,
    zero_copy: ZeroCopy::Pair,
};

/// 2.25.4.0: what is an error later stops it.
const V2_25_4: Version = Version {
    number: abi::UDMA_DRIVER_2_25_4 as u8,
    name: "2.25.4.0",
    bad_count: BUG,
    ..RECORDED
};

/// Up to 2.24.7.0: mode 3 is not known.
const V2_18_20: Version = Version {
    number: abi::UDMA_DRIVER_2_18_20 as u8,
    name: "2.18.20.0",
    also: &["2.20.28.0", "2.22.2.0", "2.24.7.0"],
    knows_sow: false,
    cayman_estimates: 100,
    ..V2_25_4
};

/// Every behaviour, by its number in the C ABI.
pub const VERSIONS: [Version; 5] = [
    RECORDED,
    Version {
        number: abi::UDMA_DRIVER_2_15_9 as u8,
        name: "2.15.9.0",
        also: &[],
        counts_first: false,
        ..V2_18_20
    },
    V2_18_20,
    V2_25_4,
    Version {
        number: abi::UDMA_DRIVER_2_27_4 as u8,
        name: "2.27.4.0",
        oversize: EINVAL,
        timeout: -110,
        stretched_in_poller: true,
        zero_copy: ZeroCopy::Queue,
        ..RECORDED
    },
];

/// Versions that know mode 3, one bit each: a sweep asks this of every pair.
const KNOW_SOW: u32 = {
    let (mut bits, mut at) = (!0, 0);
    while at < VERSIONS.len() {
        if !VERSIONS[at].knows_sow {
            bits &= !(1 << VERSIONS[at].number);
        }
        at += 1;
    }
    bits
};

/// The behaviour of a number.
pub fn version(number: u8) -> &'static Version {
    VERSIONS.get(usize::from(number)).unwrap_or(&VERSIONS[0])
}

/// Whether the version of a number knows mode 3 (BARR-5).
#[inline]
pub fn knows_sow(number: u8) -> bool {
    KNOW_SOW >> (number & 31) & 1 != 0
}
