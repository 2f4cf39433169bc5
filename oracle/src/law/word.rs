//! Bits of the words as the tables of the rules give them.

/// word0 (DESC, table of word0 bits).
pub mod word0 {
    /// Length, DESC-3.
    pub const LENGTH: u32 = 0x0000_ffff;
    /// Bits 22:16, DESC-4.
    pub const RESERVED: u32 = 0x007f_0000;
    /// Bit 23.
    pub const META: u32 = 0x0080_0000;
    /// Bits 25:24.
    pub const RING_ID: u32 = 0x0300_0000;
    /// Bit 26.
    pub const FIRST: u32 = 0x0400_0000;
    /// Bit 27.
    pub const LAST: u32 = 0x0800_0000;
    /// Bit 28.
    pub const INT_EN: u32 = 0x1000_0000;
    /// Bit 29.
    pub const SOW: u32 = 0x2000_0000;
    /// Bit 30.
    pub const DMB: u32 = 0x4000_0000;
    /// Bit 31.
    pub const CONCAT: u32 = 0x8000_0000;
}

/// `meta_ctrl`.
pub mod meta {
    /// META-1.
    pub const PLAIN_COPY: u32 = 0x0108_0003;
    /// META-2: byte 3, bit 2.
    pub const WRITE_BARRIER: u32 = 0x0400_0000;
    /// META-3: byte 3, bit 4.
    pub const NOTIFICATION: u32 = 0x1000_0000;
}

/// Most bytes of one descriptor (DESC-3).
pub const MOST_BYTES: u64 = 65536;
/// -EINVAL.
pub const EINVAL: i32 = -22;
/// -ENOMEM.
pub const ENOMEM: i32 = -12;
