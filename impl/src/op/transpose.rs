//! Transposition: what is refused, the CAYMAN state-buffer builder, the flush (TRN-1, TRN-3..6).

use super::descriptor::TransposeDescriptor;
use super::dtype::Dtype;
use super::error::OpError;
use super::words::TransposeWord;
use crate::Arch;
use crate::copy::{PairBuilder, PairRequest};
use crate::desc::Desc;
use crate::fault::mutant;
use crate::line::Line;

/// Lowest addresses of the state-buffer windows; each lies again at [`HIGH_WINDOWS`] (TRN-4).
pub const WINDOWS: [u64; 4] = [
    0x20_0000_0000,
    0x30_0000_0000,
    0x60_0000_0000,
    0x70_0000_0000,
];
/// Distance of the second four windows (TRN-4).
pub const HIGH_WINDOWS: u64 = 0x8000_0000_0000;
/// Bytes of a window: 32 MiB (TRN-4).
pub const WINDOW_BYTES: u64 = 32 << 20;
/// Bits of an offset in its partition (TRN-4).
pub const PARTITION_SHIFT: u32 = 18;
/// Offset in a partition (TRN-4).
pub const OFFSET_MASK: u64 = 0x3_ffff;
/// Place of the offset in the packed address (TRN-5).
pub const PACKED_OFFSET_SHIFT: u32 = 8;
/// Place of the partition in the packed address (TRN-5).
pub const PACKED_PARTITION_SHIFT: u32 = 26;
/// Bit 2 of byte 4: a dtype of 4 bytes (TRN-5).
pub const PACKED_FOUR_BYTES: u64 = 0x04 << 32;
/// Added to byte 4 for partitions above 63 of a dtype of 4 bytes (TRN-5).
pub const PACKED_UPPER_HALF: u64 = 0x80 << 32;
/// Where the flush writes, from the TPB's base (TRN-6).
pub const FLUSH_OFFSET: u64 = 0x0200_0000_0400_0000;
/// Bytes that the flush copies (TRN-6).
pub const FLUSH_BYTES: u64 = 4;

/// What a transpose is asked to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TransposeRequest {
    /// SDMA dtype by number.
    pub dtype: u32,
    /// Dimensions w, x, y, z.
    pub dims: [u32; 4],
    /// Output shape index, 0..255.
    pub shape: u8,
    /// Top byte of word0.
    pub ring_byte: u8,
    /// Bytes, 1..65536.
    pub length: u32,
    /// Source address.
    pub source: u64,
}

/// Builds a transpose descriptor (TRN-1, TRN-2). The dimensions are only looked at.
///
/// # Errors
/// [`OpError::Dtype`], [`OpError::ZeroDimension`], [`OpError::Size`].
pub fn build(request: &TransposeRequest) -> Result<Desc, OpError> {
    let dtype = match Dtype::from_number(request.dtype) {
        Err(_) if mutant(337) && request.dtype == 0 => Dtype::Uint8,
        dtype => dtype?,
    };
    if request.dims.contains(&0) && !(mutant(338) && request.dims[3] == 0) {
        return Err(OpError::ZeroDimension { dims: request.dims });
    }
    if request.length == 0 || request.length > crate::desc::MAX_LENGTH {
        return Err(OpError::Size {
            size: request.length.into(),
            max: crate::desc::MAX_LENGTH.into(),
        });
    }
    let word = TransposeWord {
        elem_bytes: dtype.bytes(),
        shape: request.shape.into(),
        dtype: request.dtype,
    };
    Ok(TransposeDescriptor {
        ring_byte: request.ring_byte,
        length: request.length,
        word,
        source: request.source,
    }
    .emit())
}

/// A permutation of the dimensions by its name: which of w, x, y, z (0..3) comes at each place.
/// The runtime lists 12 of the 24; which ones is not known, so any permutation is a name (TRN-3).
///
/// # Errors
/// [`OpError::TransposeName`].
pub fn permutation(name: &str) -> Result<[u8; 4], OpError> {
    let mut order = [0; 4];
    let mut seen = [false; 4];
    let letters = name.as_bytes();
    if letters.len() != order.len() {
        return Err(OpError::TransposeName);
    }
    for (place, letter) in order.iter_mut().zip(letters) {
        let dimension = b"WXYZ".iter().position(|known| known == letter);
        let dimension = dimension.ok_or(OpError::TransposeName)?;
        if core::mem::replace(&mut seen[dimension], true) && !mutant(340) {
            return Err(OpError::TransposeName);
        }
        *place = dimension as u8;
    }
    Ok(order)
}

/// A place in the state buffer, as the CAYMAN builder takes an address apart (TRN-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateBufferPlace {
    /// Base of the window.
    pub window: u64,
    /// Partition, 0..127.
    pub partition: u32,
    /// Offset in the partition, 18 bits.
    pub offset: u32,
}

/// The place of a destination (TRN-4).
///
/// # Errors
/// [`OpError::Window`].
pub fn place(dst: u64) -> Result<StateBufferPlace, OpError> {
    let bytes = if mutant(341) {
        WINDOW_BYTES / 2
    } else {
        WINDOW_BYTES
    };
    let high = if mutant(342) { 0 } else { HIGH_WINDOWS };
    let window = WINDOWS
        .into_iter()
        .flat_map(|window| [window, window + high])
        .find(|window| {
            let inside = dst.wrapping_sub(*window);
            (inside < bytes || mutant(413) && inside == bytes) && !(mutant(414) && inside == 0)
        })
        .ok_or(OpError::Window { dst })?;
    let relative = dst - window;
    let shift = if mutant(343) { 17 } else { PARTITION_SHIFT };
    Ok(StateBufferPlace {
        window,
        partition: (relative >> shift) as u32,
        offset: (relative & OFFSET_MASK) as u32,
    })
}

/// The destination as the CAYMAN builder packs it (TRN-5). The low word holds bytes * partition
/// (eight bits kept), the offset, and partition + `base` (six bits kept); byte 4 holds what is
/// said of dtypes of 4 bytes; the window's base is added back.
///
/// # Errors
/// [`OpError::Window`].
pub fn packed_destination(dst: u64, dtype: Dtype, base: u32) -> Result<u64, OpError> {
    let StateBufferPlace {
        window,
        partition,
        offset,
    } = place(dst)?;
    let low = (dtype.bytes() * partition) & 0xff
        | offset << PACKED_OFFSET_SHIFT
        | partition.wrapping_add(base) << PACKED_PARTITION_SHIFT;
    let mut packed = u64::from(low);
    if dtype.bytes() == 4 {
        packed |= PACKED_FOUR_BYTES;
        let upper = partition > 63 || mutant(415) && partition == 63;
        if upper && !mutant(344) {
            packed += PACKED_UPPER_HALF;
        }
    }
    Ok(if mutant(345) { packed } else { packed + window })
}

/// The flush after a transpose: one 4-byte copy (TRN-6).
///
/// # Errors
/// [`OpError::NoFlush`] on SUNDA.
pub fn flush(
    arch: Arch,
    source: u64,
    tpb_base: u64,
    ring_ids: [u32; 2],
) -> Result<[Desc; 2], OpError> {
    if arch == Arch::Sunda && !mutant(346) {
        return Err(OpError::NoFlush { arch });
    }
    let offset = if mutant(347) {
        FLUSH_OFFSET >> 4
    } else {
        FLUSH_OFFSET
    };
    let [tx_ring_id, rx_ring_id] = ring_ids;
    let request = PairRequest {
        src: source,
        dst: tpb_base.wrapping_add(offset),
        size: FLUSH_BYTES,
        tx_ring_id,
        rx_ring_id,
        ..PairRequest::default()
    };
    let (mut tx, mut rx) = (Desc::default(), Desc::default());
    PairBuilder::new(Line::Hal, arch)
        .build(&request, &mut tx, &mut rx)
        .expect("a 4-byte copy in mode NONE is never refused");
    Ok([tx, rx])
}

#[cfg(test)]
mod tests {
    use super::*;

    // Worked from TRN-4 and TRN-5: 0x3000000000 + 65 * 2^18 + 0x123, fp32.
    #[test]
    fn worked_packed_destination() {
        let dst = 0x30_0000_0000 + (65 << 18) + 0x123;
        let at = place(dst).unwrap();
        assert_eq!((at.partition, at.offset), (65, 0x123));
        // 4 * 65 = 0x104, eight bits: 0x04; 65 << 26, 32 bits: 0x04000000.
        let expected = 0x30_0000_0000 + 0x84_0000_0000 + 0x0401_2304;
        assert_eq!(packed_destination(dst, Dtype::Fp32, 0), Ok(expected));
        assert_eq!(
            packed_destination(dst, Dtype::Int8, 0),
            Ok(0x30_0000_0000 + 0x0401_2341)
        );
    }

    #[test]
    fn windows_end_after_32_mib() {
        for window in WINDOWS
            .into_iter()
            .flat_map(|base| [base, base + HIGH_WINDOWS])
        {
            assert_eq!(place(window).unwrap().partition, 0);
            let last = place(window + WINDOW_BYTES - 1).unwrap();
            assert_eq!((last.partition, last.offset), (127, 0x3_ffff));
            assert!(place(window - 1).is_err());
            assert!(place(window + WINDOW_BYTES).is_err());
        }
    }

    #[test]
    fn names() {
        assert_eq!(permutation("XWYZ"), Ok([1, 0, 2, 3]));
        for name in ["", "WXY", "WXYZZ", "WXYW", "wxyz", "ABCD"] {
            assert_eq!(permutation(name), Err(OpError::TransposeName), "{name}");
        }
    }
}
