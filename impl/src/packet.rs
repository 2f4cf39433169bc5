//! Packets of the HAL line: N blocks (BLDR-9, 10, 12), CME and CRC forms (BLDR-11).

use crate::copy::{PairBuilder, PairRequest, length_bits};
use crate::desc::{Desc, field};
use crate::error::Error;
use crate::fault::mutant;
use crate::line::Line;
use crate::meta::MetaCtrl;
use crate::ordering::Order;
use crate::{Arch, Ordering};

/// One block of a packet: one TX and one RX descriptor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Block {
    /// Source address.
    pub src: u64,
    /// Destination address.
    pub dst: u64,
    /// Bytes, 1..65536.
    pub size: u64,
}

/// What a packet is asked to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PacketRequest {
    /// Phase of the RX ring; the HAL line keeps two bits (BLDR-6).
    pub rx_ring_id: u32,
    /// Phase of the TX ring.
    pub tx_ring_id: u32,
    /// Ordering mode by number.
    pub mode: i32,
    /// Strong-ordered write on every RX descriptor.
    pub sow: bool,
    /// Interrupt on completion of the last RX descriptor.
    pub dst_int: bool,
    /// Notification mask on the last TX descriptor; MARIANA only.
    pub notify: bool,
}

/// Builds a packet of the HAL line: `blocks.len()` descriptors into each of `tx` and `rx`. A
/// refused call writes nothing.
///
/// # Errors
/// In this order: [`Error::UnknownMode`], [`Error::BlockCount`] (none, or above
/// [`Arch::hal_packet_cap`]), [`Error::NoNotification`], [`Error::NoSow`], then per block
/// [`Error::SizeZero`] or [`Error::Oversize`].
///
/// # Panics
/// If `tx` or `rx` holds fewer slots than there are blocks.
pub fn build_packet(
    arch: Arch,
    request: &PacketRequest,
    blocks: &[Block],
    tx: &mut [Desc],
    rx: &mut [Desc],
) -> Result<(), Error> {
    let builder = PairBuilder::new(Line::Hal, arch);
    let sow = check(&builder, request, blocks, tx)?;
    let mode = Ordering::from_number(request.mode).unwrap_or_default();
    let last = blocks.len().wrapping_sub(1);
    for (index, block) in blocks.iter().enumerate() {
        let (is_first, is_last) = (index == 0, index == last);
        tx[index] = tx_of(&builder, request, mode, block, is_first, is_last);
        let pair = PairRequest {
            dst: block.dst,
            size: block.size,
            rx_ring_id: request.rx_ring_id,
            // BLDR-10: INT_EN on the last RX descriptor.
            dst_int: request.dst_int && if mutant(46) { is_first } else { is_last },
            ..PairRequest::default()
        };
        let sow = sow && (is_last || !mutant(94));
        let order = Order {
            dmb: false,
            write_barrier: false,
            sow,
        };
        rx[index] = builder.rx(&pair, order);
    }
    Ok(())
}

/// BLDR-9, BLDR-12: whether RX gets SOW, unless the packet is refused.
fn check(
    builder: &PairBuilder,
    request: &PacketRequest,
    blocks: &[Block],
    tx: &mut [Desc],
) -> Result<bool, Error> {
    let arch = builder.arch;
    if Ordering::from_number(request.mode).is_none() {
        return Err(Error::UnknownMode { mode: request.mode });
    }
    let (count, cap) = (blocks.len(), arch.hal_packet_cap());
    let cap = if mutant(44) {
        cap.min(if arch == Arch::Mariana { 65 } else { cap })
    } else {
        cap
    };
    if count > cap || count == 0 && !mutant(96) {
        return Err(Error::BlockCount { count, cap, arch });
    }
    if request.notify && !arch.has_notification() && !mutant(95) {
        return Err(Error::NoNotification { arch });
    }
    let sow = builder.check_mode(request.mode, request.sow)?.sow;
    for (index, block) in blocks.iter().enumerate() {
        if let Err(error) = builder.check_size(block.size) {
            if mutant(50) {
                for (slot, block) in tx.iter_mut().zip(&blocks[..index]) {
                    *slot = tx_of(builder, request, Ordering::None, block, false, false);
                }
            }
            return Err(error);
        }
    }
    Ok(sow)
}

fn tx_of(
    builder: &PairBuilder,
    request: &PacketRequest,
    mode: Ordering,
    block: &Block,
    is_first: bool,
    is_last: bool,
) -> Desc {
    let mut word0 = builder.ring_bits(request.tx_ring_id) | length_bits(block.size);
    if is_first || mutant(42) {
        word0 |= field::FIRST;
    }
    if is_last {
        word0 |= field::LAST;
    }
    if !is_last || mutant(43) {
        word0 |= field::CONCAT;
    }
    // BLDR-10: DMB before anything of the packet, barrier and notification after all of it.
    if mode == Ordering::Dmb && if mutant(45) { is_last } else { is_first } {
        word0 |= field::DMB;
    }
    let mut meta = MetaCtrl::plain_copy();
    if mode == Ordering::WriteBarrier && if mutant(47) { is_first } else { is_last } {
        meta = meta.with_write_barrier();
    }
    if request.notify && is_last {
        meta = meta.with_notification();
    }
    Desc::new(word0, meta.0, block.src)
}

/// The meta descriptor in front of a CME packet (BLDR-11); informative beyond word0.
pub fn cme_meta(index: u32) -> Desc {
    let shift = if mutant(48) { 16 } else { field::RING_ID_SHIFT };
    let flags = field::FIRST | if mutant(49) { 0 } else { field::META };
    Desc::from_words([index << shift | flags, 0, 0, 0])
}

/// A CRC copy (BLDR-11): the meta descriptor, which opens the packet, the data one, which ends it,
/// and one RX descriptor. CONCAT is on all but the last data descriptor (BLDR-9), so on none here.
///
/// # Errors
/// As [`PairBuilder::build`] of the HAL line; nothing is written then.
pub fn build_crc_copy(
    arch: Arch,
    request: &PairRequest,
    index: u32,
    tx: &mut [Desc; 2],
    rx: &mut Desc,
) -> Result<(), Error> {
    let (mut data, mut receive) = (Desc::default(), *rx);
    PairBuilder::new(Line::Hal, arch).build(request, &mut data, &mut receive)?;
    data.clear(field::FIRST);
    *tx = [cme_meta(index), data];
    if mutant(348) {
        tx.reverse();
    }
    *rx = receive;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    // Derived from BLDR-9 and BLDR-10: three blocks, write barrier, interrupt, phase 2.
    #[test]
    fn three_blocks() {
        let blocks = [(0x10, 0x20, 1), (0x30, 0x40, 65536), (0x50, 0x60, 4)]
            .map(|(src, dst, size)| Block { src, dst, size });
        let request = PacketRequest {
            rx_ring_id: 2,
            tx_ring_id: 2,
            mode: 2,
            dst_int: true,
            ..PacketRequest::default()
        };
        let (mut tx, mut rx) = ([Desc::default(); 3], [Desc::default(); 3]);
        build_packet(Arch::Cayman, &request, &blocks, &mut tx, &mut rx).unwrap();
        assert_eq!(
            tx,
            [
                Desc::new(0x8600_0001, 0x0108_0003, 0x10),
                Desc::new(0x8200_0000, 0x0108_0003, 0x30),
                Desc::new(0x0a00_0004, 0x0508_0003, 0x50),
            ]
        );
        assert_eq!(
            rx,
            [
                Desc::new(0x0200_0001, 0, 0x20),
                Desc::new(0x0200_0000, 0, 0x40),
                Desc::new(0x1200_0004, 0, 0x60),
            ]
        );
    }

    #[test]
    fn meta_descriptor_in_front() {
        // 3 << 24 is 0x0300_0000; FIRST and META are 0x0480_0000 (BLDR-11).
        assert_eq!(cme_meta(3).word0(), 0x0780_0000);
    }
}
