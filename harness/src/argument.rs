//! Arguments of calls: structures by the driver's layout, member by member.

use crate::vdev::User;

/// Bytes of one structure.
#[derive(Clone, Debug)]
pub struct Argument(Vec<u8>);

impl Argument {
    /// A structure of zeroes.
    pub fn new<T>() -> Self {
        Self(vec![0; size_of::<T>()])
    }

    /// Its bytes.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }

    /// Reads a structure; the number of bytes that could not be read otherwise (DEV-13).
    ///
    /// # Errors
    /// That number.
    pub fn read<T>(user: &mut dyn User, at: u64) -> Result<Self, i64> {
        let mut bytes = vec![0; size_of::<T>()];
        match user.read(at, &mut bytes) {
            0 => Ok(Self(bytes)),
            left => Err(left as i64),
        }
    }

    /// Writes it back.
    ///
    /// # Errors
    /// The number of bytes that could not be written.
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
///
/// # Errors
/// The bytes, where there are any.
pub fn copied(left: usize) -> Result<i64, i64> {
    match left {
        0 => Ok(0),
        left => Err(left as i64),
    }
}
