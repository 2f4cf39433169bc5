//! Arguments: structures in the caller's memory, by the driver's layout.

use crate::vdev::user::User;

/// Bytes of one structure.
#[derive(Clone, Debug)]
pub struct Argument(Vec<u8>);

/// Offset of a member of one of `udma::abi`'s structures.
macro_rules! field {
    ($kind:ty, $member:ident) => {
        ::std::mem::offset_of!($kind, $member)
    };
}
pub(in crate::vdev) use field;

impl Argument {
    /// A structure of zeroes.
    pub fn new<T>() -> Self {
        Self(vec![0; size_of::<T>()])
    }

    /// Reads a structure; the number of bytes that could not be read otherwise (DEV-13).
    pub fn read<T>(user: &mut dyn User, at: u64) -> Result<Self, i64> {
        let mut bytes = vec![0; size_of::<T>()];
        match user.read(at, &mut bytes) {
            0 => Ok(Self(bytes)),
            left => Err(left as i64),
        }
    }

    /// Writes it back.
    pub fn write(&self, user: &mut dyn User, at: u64) -> Result<i64, i64> {
        copied(user.write(at, &self.0))
    }

    /// A 32-bit member.
    pub fn word(&self, offset: usize) -> u32 {
        let mut word = [0; 4];
        word.copy_from_slice(&self.0[offset..offset + 4]);
        u32::from_le_bytes(word)
    }

    /// A 64-bit member.
    pub fn long(&self, offset: usize) -> u64 {
        u64::from(self.word(offset)) | u64::from(self.word(offset + 4)) << 32
    }

    /// Sets a 32-bit member.
    pub fn set_word(&mut self, offset: usize, value: u32) {
        self.0[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
    }

    /// Sets a 64-bit member.
    pub fn set_long(&mut self, offset: usize, value: u64) {
        self.0[offset..offset + 8].copy_from_slice(&value.to_le_bytes());
    }
}

/// 0, or the bytes that were left over.
pub fn copied(left: usize) -> Result<i64, i64> {
    match left {
        0 => Ok(0),
        left => Err(left as i64),
    }
}
