//! Fills (MSET): a host buffer is filled and copied to the start, which is then replicated.

use super::batch::Transfer;
use super::host::host_address;
use super::transfer::TransferQueue;
use crate::engine::Udma;
use crate::error::Error;
use crate::fault::mutant;
use crate::io::Host;

/// Bytes of the host buffer that a fill starts from.
pub const FILL_BYTES: u64 = 0x1_0000;

impl TransferQueue {
    /// Fills `size` bytes at `dst`, an address as the engine sees it, with the low byte of `value`.
    /// `buffer` is the CPU physical address of 65536 bytes of host memory. Size 0 fills nothing and
    /// copies 65536 bytes of whatever the buffer held (MSET-1).
    ///
    /// # Errors
    /// Those of [`TransferQueue::copy`].
    pub fn memset(
        &mut self,
        udma: &mut Udma,
        host: &mut impl Host,
        buffer: u64,
        dst: u64,
        value: u32,
        size: u64,
    ) -> Result<(), Error> {
        let first = size.min(FILL_BYTES);
        let byte = if mutant(175) { value >> 8 } else { value };
        let filled = if mutant(177) && size == 0 {
            FILL_BYTES
        } else {
            first
        };
        host.fill(buffer, byte as u8, filled);
        let source = host_address(self.config().arch, buffer);
        self.copy(udma, host, &Transfer::copy(source, dst, first))?;
        if size == first {
            return Ok(());
        }
        let rest = Transfer {
            src_moves: mutant(176),
            ..Transfer::copy(dst, dst.wrapping_add(first), size - first)
        };
        self.copy(udma, host, &rest)
    }
}
