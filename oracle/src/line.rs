//! The two lines as the suite sees them, and the driver versions as numbers of the C ABI.

use crate::law::version::VERSIONS;

/// Which original a subject follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Line {
    /// The kernel driver's.
    Kernel,
    /// The user-space HAL's.
    Hal,
}

impl Line {
    /// `kernel` or `hal`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kernel => "kernel",
            Self::Hal => "hal",
        }
    }
}

/// Driver versions whose behaviour differs: number in the C ABI, and name. The first is the
/// recorded one.
pub const DRIVERS: [(u8, &str); VERSIONS.len()] = {
    let mut drivers = [(0, ""); VERSIONS.len()];
    let mut at = 0;
    while at < VERSIONS.len() {
        drivers[at] = (VERSIONS[at].number, VERSIONS[at].name);
        at += 1;
    }
    drivers
};

/// Name of a driver version by its number.
pub fn driver_name(number: u8) -> &'static str {
    DRIVERS
        .iter()
        .find(|(known, _)| *known == number)
        .map_or("unknown", |(_, name)| name)
}

/// Number of a driver version by the name of any release that behaves so.
pub fn driver_number(name: &str) -> Option<u8> {
    VERSIONS
        .iter()
        .find(|version| version.name == name || version.also.contains(&name))
        .map(|version| version.number)
}

/// Names of all releases that are known, oldest first.
pub fn releases() -> Vec<&'static str> {
    let mut releases: Vec<&str> = VERSIONS
        .iter()
        .flat_map(|version| std::iter::once(version.name).chain(version.also.iter().copied()))
        .collect();
    releases.sort_by_key(|name| {
        name.split('.')
            .map(|part| part.parse().unwrap_or(u32::MAX))
            .collect::<Vec<u32>>()
    });
    releases
}
