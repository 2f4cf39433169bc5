//! The two original lines and the driver versions whose behaviour differs.

/// Which original is followed where they disagree (ERR-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Line {
    /// The kernel driver, at a version.
    Kernel(DriverVersion),
    /// The user-space HAL.
    Hal,
}

impl Line {
    /// Driver version of the kernel line; none for the HAL line.
    pub const fn driver(self) -> Option<DriverVersion> {
        match self {
            Self::Kernel(version) => Some(version),
            Self::Hal => None,
        }
    }
}

impl Default for Line {
    fn default() -> Self {
        Self::Kernel(DriverVersion::default())
    }
}

/// Driver versions, grouped by behaviour, oldest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DriverVersion {
    /// 2.15.9.0.
    V2_15_9,
    /// 2.18.20.0 to 2.24.7.0.
    V2_18_20,
    /// 2.25.4.0: strong-ordered write.
    V2_25_4,
    /// 2.26.5.0, the recorded one: bad counts are errors.
    #[default]
    V2_26_5,
    /// 2.27.4.0, as described.
    V2_27_4,
}

impl DriverVersion {
    /// Every version, oldest first.
    pub const ALL: [Self; 5] = [
        Self::V2_15_9,
        Self::V2_18_20,
        Self::V2_25_4,
        Self::V2_26_5,
        Self::V2_27_4,
    ];

    /// The version as released: `2.26.5.0`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::V2_15_9 => "2.15.9.0",
            Self::V2_18_20 => "2.18.20.0",
            Self::V2_25_4 => "2.25.4.0",
            Self::V2_26_5 => "2.26.5.0",
            Self::V2_27_4 => "2.27.4.0",
        }
    }

    /// Whether mode 3 is known (BARR-5).
    #[inline]
    pub(crate) fn knows_sow(self) -> bool {
        self >= Self::V2_25_4 || crate::fault::mutant(30)
    }

    /// Whether a bad count or ring size stops the driver instead of giving an error (ERR-7).
    pub(crate) fn stops_on_bad_count(self) -> bool {
        self <= Self::V2_25_4
    }
}
