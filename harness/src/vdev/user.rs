//! The caller's memory.

/// Memory of the process that makes a call.
pub trait User {
    /// Reads; gives the number of bytes at the end that could not be read.
    fn read(&mut self, address: u64, out: &mut [u8]) -> usize;
    /// Writes; gives the number of bytes at the end that could not be written.
    fn write(&mut self, address: u64, bytes: &[u8]) -> usize;
}

/// A caller in the same process: its memory is the windows it hands over.
#[derive(Debug, Default)]
pub struct Windows<'a> {
    windows: Vec<(u64, &'a mut [u8])>,
}

/// Distance of windows.
const STRIDE: u64 = 1 << 40;

impl<'a> Windows<'a> {
    /// No memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Hands a window over; its address.
    pub fn add(&mut self, bytes: &'a mut [u8]) -> u64 {
        let address = STRIDE * (self.windows.len() as u64 + 1);
        self.windows.push((address, bytes));
        address
    }

    /// The part of a range that is in a window.
    fn part(&mut self, address: u64, length: usize) -> &mut [u8] {
        for (start, bytes) in &mut self.windows {
            let inside = address.wrapping_sub(*start);
            if inside < bytes.len() as u64 {
                let inside = inside as usize;
                let end = inside.saturating_add(length).min(bytes.len());
                return &mut bytes[inside..end];
            }
        }
        &mut []
    }
}

impl User for Windows<'_> {
    fn read(&mut self, address: u64, out: &mut [u8]) -> usize {
        let part = self.part(address, out.len());
        out[..part.len()].copy_from_slice(part);
        out.len() - part.len()
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> usize {
        let part = self.part(address, bytes.len());
        let length = part.len();
        part.copy_from_slice(&bytes[..length]);
        bytes.len() - length
    }
}
