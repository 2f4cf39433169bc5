//! Transfers, pokes and packets that are added to a vring (XFER, BLDR-9).

use super::{Error, Vring};
use crate::copy::{PairBuilder, PairRequest};
use crate::desc::{Desc, MAX_LENGTH};
use crate::fault::mutant;
use crate::ordering::Ordering;
use crate::packet::{Block, PacketRequest, build_packet};
use crate::ring::FIRST_PHASE;
use crate::{Arch, Line};

/// Bytes of a full pair (XFER-1).
const CHUNK: u64 = MAX_LENGTH as u64;
/// Bytes of a poke (XFER-5).
const POKE: u64 = 4;
/// Most blocks of a packet on any architecture (BLDR-9).
const PACKET_CAP: usize = 128;

/// Ring id of everything authored (XFER-1).
fn ring_id() -> u32 {
    if mutant(214) { 0 } else { FIRST_PHASE }
}

/// What the destination advances by from chunk to chunk (XFER-1).
#[inline]
fn dst_step() -> u64 {
    if mutant(215) { 0 } else { CHUNK }
}

/// A copy of any length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Transfer {
    /// Source address.
    pub src: u64,
    /// Destination address.
    pub dst: u64,
    /// Bytes; 0 adds nothing (XFER-6).
    pub size: u64,
    /// Whether the last chunk is ordered after what comes before it (XFER-2).
    pub ordered: bool,
}

/// How an ordered transfer is ordered (XFER-2).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Sow,
    Dmb,
}

impl Form {
    #[inline]
    const fn of(arch: Arch) -> Self {
        if arch.has_sow() { Self::Sow } else { Self::Dmb }
    }
}

/// Chunks of one transfer.
struct Chunks<'t> {
    transfer: &'t Transfer,
    builder: PairBuilder,
    form: Form,
    count: u64,
}

impl Chunks<'_> {
    #[inline]
    fn size(&self, index: u64) -> u64 {
        if index + 1 < self.count || mutant(216) {
            CHUNK
        } else {
            self.transfer.size - index * CHUNK
        }
    }

    /// Whether chunk `index` carries the ordering: the last one alone (XFER-2).
    #[inline]
    fn is_ordered(&self, index: u64) -> bool {
        self.transfer.ordered
            && if mutant(219) {
                index == 0
            } else {
                index + 1 == self.count || mutant(217)
            }
    }

    /// The pair of one chunk, as the copy builder makes it.
    #[inline]
    fn pair(&self, index: u64) -> Result<(Desc, Desc), Error> {
        let mode = match self.form {
            _ if !self.is_ordered(index) => Ordering::None,
            Form::Sow => Ordering::Sow,
            // XFER-7
            Form::Dmb if mutant(226) => Ordering::WriteBarrier,
            Form::Dmb => Ordering::Dmb,
        };
        let request = PairRequest {
            src: self.transfer.src.wrapping_add(index * CHUNK),
            dst: self.transfer.dst.wrapping_add(index * dst_step()),
            size: self.size(index),
            rx_ring_id: ring_id(),
            tx_ring_id: ring_id(),
            mode: mode as i32,
            ..PairRequest::default()
        };
        let (mut tx, mut rx) = (Desc::default(), Desc::default());
        self.builder.build(&request, &mut tx, &mut rx)?;
        Ok((tx, rx))
    }
}

impl Vring {
    /// Adds a transfer: ceil(size / 65536) pairs with ring id 1 (XFER-1). An ordered one has SOW on
    /// its last RX descriptor where the architecture knows it, else DMB on its last TX one
    /// (XFER-2).
    ///
    /// # Errors
    /// [`Error::QueueFull`] at the cap: the pairs that fit stay, and TX may be one descriptor ahead
    /// (XFER-4). [`Error::NoMemory`] if a page is refused: nothing changes.
    #[inline]
    pub fn add_transfer(&mut self, arch: Arch, transfer: &Transfer) -> Result<(), Error> {
        self.append(arch, transfer, Form::of(arch))
    }

    /// [`Self::add_transfer`] that is ordered by DMB on every architecture (XFER-2).
    ///
    /// # Errors
    /// As [`Self::add_transfer`].
    #[inline]
    pub fn add_transfer_ex(&mut self, arch: Arch, transfer: &Transfer) -> Result<(), Error> {
        let form = if mutant(218) {
            Form::of(arch)
        } else {
            Form::Dmb
        };
        self.append(arch, transfer, form)
    }

    /// Adds the poke of an event or a semaphore: an ordered transfer of 4 bytes from a constant in
    /// memory to the target's address (XFER-5).
    ///
    /// # Errors
    /// As [`Self::add_transfer`].
    pub fn add_poke(&mut self, arch: Arch, constant: u64, target: u64) -> Result<(), Error> {
        let poke = Transfer {
            src: constant,
            dst: target,
            size: if mutant(223) { 8 } else { POKE },
            ordered: !mutant(224),
        };
        self.add_transfer(arch, &poke)
    }

    /// Adds a packet with ring id 1, whatever ids the request names. All of it is added or nothing.
    ///
    /// # Errors
    /// [`Error::Refused`] as the builder refuses it (BLDR-9, BLDR-12), [`Error::QueueFull`],
    /// [`Error::NoMemory`]; nothing changes.
    pub fn add_packet(
        &mut self,
        arch: Arch,
        request: &PacketRequest,
        blocks: &[Block],
    ) -> Result<(), Error> {
        let request = PacketRequest {
            rx_ring_id: ring_id(),
            tx_ring_id: ring_id(),
            ..*request
        };
        let mut tx = [Desc::default(); PACKET_CAP];
        let mut rx = [Desc::default(); PACKET_CAP];
        build_packet(arch, &request, blocks, &mut tx, &mut rx)?;
        let count = blocks.len() as u32;
        if self.tx.room() < count || self.rx.room() < count {
            return Err(Error::QueueFull);
        }
        self.reserve(count, count)?;
        for (tx, rx) in tx.iter().zip(&rx).take(blocks.len()) {
            self.tx.put(*tx);
            self.rx.put(*rx);
        }
        self.count(blocks.iter().map(|block| block.size).sum());
        Ok(())
    }

    /// XFER-3.
    #[inline]
    fn count(&mut self, bytes: u64) {
        self.total_tx = self.total_tx.wrapping_add(bytes);
        if !mutant(221) {
            self.total_rx = self.total_rx.wrapping_add(bytes);
        }
        if mutant(220) {
            self.total_tx &= u64::from(u32::MAX);
            self.total_rx &= u64::from(u32::MAX);
        }
    }

    #[inline]
    fn append(&mut self, arch: Arch, transfer: &Transfer, form: Form) -> Result<(), Error> {
        if transfer.size == 0 {
            if mutant(225) {
                let full = Transfer {
                    size: CHUNK,
                    ..*transfer
                };
                return self.append(arch, &full, form);
            }
            return Ok(()); // XFER-6
        }
        let chunks = Chunks {
            transfer,
            builder: PairBuilder::new(Line::Hal, arch),
            form,
            count: transfer.size.div_ceil(CHUNK),
        };
        // One pair on pages that are there is the common case.
        if chunks.count == 1 && self.tx.has_slot() && self.rx.has_slot() {
            let (tx, rx) = chunks.pair(0)?;
            self.tx.put(tx);
            self.rx.put(rx);
            self.count(transfer.size);
            return Ok(());
        }
        self.append_all(&chunks)
    }

    fn append_all(&mut self, chunks: &Chunks) -> Result<(), Error> {
        let (tx_room, rx_room) = (u64::from(self.tx.room()), u64::from(self.rx.room()));
        let mut fit = chunks.count.min(tx_room).min(rx_room) as u32;
        let mut result = Ok(());
        if u64::from(fit) < chunks.count {
            result = Err(Error::QueueFull);
        }
        // XFER-4: the TX slot is taken before RX refuses.
        let ahead = result.is_err() && tx_room > u64::from(fit);
        if mutant(222) && result.is_err() {
            return result;
        }
        if let Err(refused) = self.reserve(fit + u32::from(ahead), fit) {
            if !mutant(206) {
                return Err(refused);
            }
            fit = self.tx.granted().min(self.rx.granted()).min(fit);
            result = Err(refused);
        }
        self.put_chunks(chunks, fit)?;
        if ahead && result == Err(Error::QueueFull) {
            self.tx.put(chunks.pair(fit.into())?.0);
        }
        self.tx.trim();
        self.rx.trim();
        result
    }

    /// The first `fit` chunks, on pages that are there.
    fn put_chunks(&mut self, chunks: &Chunks, fit: u32) -> Result<(), Error> {
        let is_whole = u64::from(fit) == chunks.count;
        // All before the last chunk differ in the addresses alone.
        let alike = fit - u32::from(is_whole);
        if alike > 0 && !mutant(219) {
            let (tx, rx) = chunks.pair(0)?;
            let Transfer { src, dst, .. } = *chunks.transfer;
            self.tx.put_run(alike, tx, src, CHUNK);
            self.rx.put_run(alike, rx, dst, dst_step());
        }
        for index in if mutant(219) { 0 } else { alike }..fit {
            let (tx, rx) = chunks.pair(index.into())?;
            self.tx.put(tx);
            self.rx.put(rx);
        }
        self.count(if is_whole {
            chunks.transfer.size
        } else {
            u64::from(fit) * CHUNK
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::Side;
    use alloc::vec::Vec;

    fn descs(vring: &Vring, side: Side) -> Vec<Desc> {
        vring.half(side).iter().copied().collect()
    }

    // Derived from XFER-1 and XFER-2: 196608 + 3392 bytes.
    #[test]
    fn four_pairs_the_last_ordered() {
        let transfer = Transfer {
            src: 0x10_0000,
            dst: 0x90_0000,
            size: 200_000,
            ordered: true,
        };
        let mut vring = Vring::new("v");
        vring.add_transfer(Arch::Mariana, &transfer).unwrap();
        let tx = |word0, pointer| Desc::new(word0, 0x0108_0003, pointer);
        let rx = |word0, pointer| Desc::new(word0, 0, pointer);
        let expected_tx = [
            tx(0x0d00_0000, 0x10_0000),
            tx(0x0d00_0000, 0x11_0000),
            tx(0x0d00_0000, 0x12_0000),
            tx(0x0d00_0d40, 0x13_0000),
        ];
        let expected_rx = [
            rx(0x0100_0000, 0x90_0000),
            rx(0x0100_0000, 0x91_0000),
            rx(0x0100_0000, 0x92_0000),
            rx(0x2100_0d40, 0x93_0000),
        ];
        assert_eq!(descs(&vring, Side::Tx), expected_tx);
        assert_eq!(descs(&vring, Side::Rx), expected_rx);

        let mut vring = Vring::new("v");
        vring.add_transfer_ex(Arch::Mariana, &transfer).unwrap();
        assert_eq!(descs(&vring, Side::Tx)[3].word0(), 0x4d00_0d40);
        assert_eq!(descs(&vring, Side::Rx)[3].word0(), 0x0100_0d40);
        assert_eq!(vring.total(Side::Tx), 200_000);
    }

    #[test]
    fn a_packet_is_added_whole_or_not() {
        let mut vring = Vring::new("v");
        let block = Block {
            src: 0x10,
            dst: 0x20,
            size: 8,
        };
        let request = PacketRequest {
            tx_ring_id: 3,
            ..PacketRequest::default()
        };
        let refused = [block, Block { size: 0, ..block }];
        assert_eq!(
            vring.add_packet(Arch::Sunda, &request, &refused),
            Err(Error::Refused(crate::Error::SizeZero))
        );
        assert_eq!(vring.half(Side::Tx).used(), 0);
        vring
            .add_packet(Arch::Sunda, &request, &[block; 2])
            .unwrap();
        let word0s: Vec<u32> = vring.half(Side::Tx).iter().map(Desc::word0).collect();
        assert_eq!(word0s, [0x8500_0008, 0x0900_0008]);
        assert_eq!(vring.total(Side::Rx), 16);
    }
}
