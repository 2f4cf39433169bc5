//! What the model needs to know of an architecture.

/// Architecture, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arch {
    /// SUNDA.
    V2,
    /// CAYMAN.
    V3,
    /// MARIANA.
    V4,
}

impl Arch {
    /// All, lowest number first.
    pub const ALL: [Self; 3] = [Self::V2, Self::V3, Self::V4];

    /// Bit that makes a CPU physical address one of the engine's (HOST-1).
    pub const fn window(self) -> u64 {
        match self {
            Self::V2 => 0x1000_0000_0000,
            Self::V3 | Self::V4 => 0x4000_0000_0000,
        }
    }

    /// Host memory at a CPU physical address as the engine sees it (HOST-1).
    pub const fn host(self, cpu: u64) -> u64 {
        cpu | self.window()
    }

    /// CPU physical address of an address of the engine; none for device memory.
    pub const fn cpu(self, address: u64) -> Option<u64> {
        if address & self.window() == 0 {
            None
        } else {
            Some(address & !self.window())
        }
    }

    /// Whether a strong-ordered write means anything: v3 and later.
    pub const fn strong_ordered_writes(self) -> bool {
        !matches!(self, Self::V2)
    }
}
