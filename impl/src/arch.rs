//! Architectures: what may be asked for. They never move a bit of a descriptor.

/// An architecture of the device, by its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Arch {
    /// v2: Trn1, Inf2.
    #[default]
    Sunda = 2,
    /// v3: Trn2.
    Cayman = 3,
    /// v4: Trn3.
    Mariana = 4,
}

impl Arch {
    /// Every architecture, in order.
    pub const ALL: [Self; 3] = [Self::Sunda, Self::Cayman, Self::Mariana];

    /// The architecture of a number: 2, 3 or 4.
    pub const fn from_number(number: u8) -> Option<Self> {
        match number {
            2 => Some(Self::Sunda),
            3 => Some(Self::Cayman),
            4 => Some(Self::Mariana),
            _ => None,
        }
    }

    /// Short name as in the vectors: `v2`, `v3`, `v4`.
    pub const fn short(self) -> &'static str {
        match self {
            Self::Sunda => "v2",
            Self::Cayman => "v3",
            Self::Mariana => "v4",
        }
    }

    /// Whether strong-ordered writes exist.
    pub const fn has_sow(self) -> bool {
        !matches!(self, Self::Sunda)
    }

    /// Whether the notification mask of `meta_ctrl` exists.
    pub const fn has_notification(self) -> bool {
        matches!(self, Self::Mariana)
    }

    /// Most blocks in one packet at the HAL's own boundary (BLDR-9, ERR-9).
    pub const fn hal_packet_cap(self) -> usize {
        match self {
            Self::Cayman => 65,
            Self::Sunda | Self::Mariana => 128,
        }
    }
}
