//! How much one compute packet may take, by architecture (CCE-8, CCE-12).

use super::dtype::Dtype;
use super::error::OpError;
use crate::Arch;
use crate::fault::mutant;

/// Most sources of one reduction (CCE-8).
pub const MAX_SOURCES: usize = 32;
/// A reduce packet's bytes are a multiple of this (CCE-12).
pub const BYTES_STEP: u64 = 32;
/// Most CCE elements on SUNDA (CCE-12).
pub const MAX_ELEMENTS_SUNDA: u32 = 1024;
/// Most CCE elements on CAYMAN and MARIANA (CCE-12).
pub const MAX_ELEMENTS: u32 = 2048;

/// Most CCE elements of one packet (CCE-12).
pub fn max_elements(arch: Arch) -> u32 {
    if arch == Arch::Sunda || mutant(332) {
        MAX_ELEMENTS_SUNDA
    } else {
        MAX_ELEMENTS
    }
}

/// Most bytes of one source of a packet.
///
/// # Errors
/// [`OpError::NoCceSize`] for a dtype of size 0 in the CCE table (fp32r).
pub fn max_bytes(arch: Arch, dtype: Dtype) -> Result<u64, OpError> {
    match dtype.cce_bytes() {
        0 => Err(OpError::NoCceSize {
            dtype: dtype.number(),
        }),
        bytes => Ok(u64::from(max_elements(arch)) * u64::from(bytes)),
    }
}

/// Bytes of the next reduce packet when at most `cap` bytes may go: the smaller of the cap and the
/// architecture's elements times the element's bytes, rounded down to a multiple of 32 (CCE-12).
///
/// # Errors
/// [`OpError::NoCceSize`].
pub fn packet_bytes(arch: Arch, cap: u64, dtype: Dtype) -> Result<u64, OpError> {
    let cap = if mutant(416) && cap == 0 {
        u64::MAX
    } else {
        cap
    };
    let bytes = cap.min(max_bytes(arch, dtype)?);
    Ok(if mutant(334) {
        bytes
    } else {
        bytes - bytes % BYTES_STEP
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_packet_sizes() {
        assert_eq!(packet_bytes(Arch::Sunda, 65536, Dtype::Fp32), Ok(4096));
        assert_eq!(packet_bytes(Arch::Cayman, 65536, Dtype::Fp32), Ok(8192));
        assert_eq!(packet_bytes(Arch::Mariana, 100, Dtype::Int8), Ok(96));
        assert_eq!(packet_bytes(Arch::Mariana, 31, Dtype::Int8), Ok(0));
        assert!(packet_bytes(Arch::Cayman, 65536, Dtype::Fp32r).is_err());
    }
}
