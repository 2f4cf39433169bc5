//! The two lines as the suite sees them, and the driver versions as numbers of the C ABI.

use udma_reference::abi;

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
pub const DRIVERS: [(u8, &str); 5] = [
    (abi::UDMA_DRIVER_2_26_5 as u8, "2.26.5.0"),
    (abi::UDMA_DRIVER_2_15_9 as u8, "2.15.9.0"),
    (abi::UDMA_DRIVER_2_18_20 as u8, "2.18.20.0"),
    (abi::UDMA_DRIVER_2_25_4 as u8, "2.25.4.0"),
    (abi::UDMA_DRIVER_2_27_4 as u8, "2.27.4.0"),
];

/// Name of a driver version by its number.
pub fn driver_name(number: u8) -> &'static str {
    DRIVERS
        .iter()
        .find(|(known, _)| *known == number)
        .map_or("unknown", |(_, name)| name)
}

/// Number of a driver version by its name.
pub fn driver_number(name: &str) -> Option<u8> {
    DRIVERS
        .iter()
        .find(|(_, known)| *known == name)
        .map(|(number, _)| *number)
}
