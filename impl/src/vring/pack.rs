//! Joining of plain copies into packets (PACK).

use core::ops::Range;
use core::slice;

use super::{Error, Vring};
use crate::Arch;
use crate::desc::{Desc, field};
use crate::fault::mutant;

/// Most descriptors of one packet by the runtime's policy, which is stricter than the HAL's own on
/// MARIANA (ERR-9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PacketLimits {
    /// TX descriptors; the packer keeps to it.
    pub tx: u32,
    /// RX descriptors; the packer reports packets above it.
    pub rx: u32,
}

impl PacketLimits {
    /// The policy on an architecture.
    pub const fn of(arch: Arch) -> Self {
        match arch {
            Arch::Sunda => Self { tx: 128, rx: 128 },
            Arch::Cayman | Arch::Mariana => Self { tx: 65, rx: 60 },
        }
    }
}

/// What packing did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// Packets after minus packets before, each counted by its FIRST in the range (PACK-3).
    pub delta: i64,
    /// Packets of the packer with more RX descriptors, at the same indices as its TX ones, than
    /// the architecture's maximum (PACK-1).
    pub over_rx: u32,
}

/// The packet that is being filled.
struct Open<'d> {
    /// Its last descriptor, and that one's head without LAST and CONCAT: which of them it gets is
    /// known once the next one was looked at, so that every descriptor is stored once.
    last: &'d mut Desc,
    head: u64,
    /// Bytes in it.
    bytes: u32,
    /// Index of the first descriptor that is too many.
    limit: u32,
}

/// What packets are filled up to, and the books.
struct Packer {
    /// Most TX descriptors.
    most: u32,
    /// Most bytes; no packet comes near 2^32.
    max_bytes: u32,
    /// Packets by their FIRST, before and after (PACK-3).
    before: u32,
    after: u32,
    /// Descriptors of the RX half.
    rx_used: u32,
    /// Most RX descriptors.
    most_rx: u32,
    /// Packets above that.
    over_rx: u32,
}

impl Packer {
    /// Opens a packet with the descriptor of an index, whatever its size (PACK-1).
    #[inline]
    fn open<'d>(&self, desc: &'d mut Desc, index: u32) -> Open<'d> {
        let head = desc.head();
        Open {
            last: desc,
            head: cleared(head) | FIRST,
            bytes: size_of(head),
            limit: index + self.most,
        }
    }

    /// Ends a packet before an index (PACK-1).
    #[inline]
    fn close(&mut self, open: Open, end: u32) {
        open.last.set_head(open.head | LAST);
        if end + self.most - open.limit > self.most_rx {
            self.count_rx(open.limit - self.most, end);
        }
    }

    /// Looks at the RX side of a packet (PACK-1).
    #[cold]
    #[inline(never)]
    fn count_rx(&mut self, start: u32, end: u32) {
        let rx = end.min(self.rx_used) - start.min(self.rx_used);
        self.over_rx += u32::from(rx > self.most_rx);
    }

    /// Packs one run of descriptors, the first of which has this index, on from the packet that
    /// the run before left open; gives the one that it leaves open itself.
    #[inline(never)] // alone in its function, the inner loop keeps to registers
    fn run<'d>(
        &mut self,
        open: Option<Open<'d>>,
        mut index: u32,
        run: &'d mut [Desc],
    ) -> Option<Open<'d>> {
        let mut run = run.iter_mut();
        let mut open = match open {
            Some(open) => open,
            None => self.find(&mut index, &mut run)?,
        };
        let mut before = 0;
        while let Some(desc) = run.next() {
            let head = desc.head();
            let bytes = open.bytes + size_of(head);
            let fits = is_joinable(head) && bytes <= self.max_bytes || is_skipped(head);
            if fits && index < open.limit && !is_parted(open.head) {
                before += counted(head);
                open.join(desc, head, bytes);
                index += 1;
                continue;
            }
            self.close(open, index);
            before += counted(head);
            if is_joinable(head) {
                self.after += 1;
                open = self.open(desc, index);
                index += 1;
                continue;
            }
            // PACK-2: it stays as it is.
            index += 1;
            self.after += is_first(head);
            self.before += before;
            before = 0;
            open = self.find(&mut index, &mut run)?;
        }
        self.before += before;
        Some(open)
    }

    /// Opens a packet with the next plain copy. What comes before it stays as it is (PACK-2).
    #[inline]
    fn find<'d>(
        &mut self,
        index: &mut u32,
        run: &mut slice::IterMut<'d, Desc>,
    ) -> Option<Open<'d>> {
        for desc in run {
            let head = desc.head();
            let at = *index;
            *index += 1;
            self.before += counted(head);
            if is_joinable(head) {
                self.after += 1;
                return Some(self.open(desc, at));
            }
            self.after += is_first(head);
        }
        None
    }
}

impl<'d> Open<'d> {
    /// Takes in a descriptor with this head, which makes so many bytes of it.
    #[inline]
    fn join(&mut self, desc: &'d mut Desc, head: u64, bytes: u32) {
        self.last.set_head(concatenated(self.head));
        self.last = desc;
        let dropped = if mutant(243) { DMB } else { 0 };
        self.head = cleared(head) & !dropped;
        self.bytes = bytes;
    }
}

impl Vring {
    /// Joins the plain copies among TX descriptors `range` into packets of at most the
    /// architecture's TX maximum and `max_bytes` bytes; a single larger descriptor is a packet of
    /// its own. Only FIRST, LAST and CONCAT change (PACK-1, 2, 5).
    ///
    /// # Errors
    /// [`Error::Range`] if the range goes beyond the descriptors or backwards (PACK-4); nothing
    /// changes.
    pub fn pack(&mut self, arch: Arch, range: Range<u32>, max_bytes: u64) -> Result<Packed, Error> {
        let used = self.tx.used();
        if (range.end > used && !mutant(242)) || range.start > range.end {
            return Err(Error::Range {
                start: range.start,
                end: range.end,
                used,
            });
        }
        let limits = PacketLimits::of(arch);
        let mut packer = Packer {
            most: match limits.tx {
                _ if mutant(231) => arch.hal_packet_cap() as u32,
                most => most - u32::from(mutant(230)),
            },
            max_bytes: max_bytes
                .saturating_sub(u64::from(mutant(235)))
                .min(u32::MAX.into()) as u32,
            before: 0,
            after: 0,
            rx_used: self.rx.used(),
            most_rx: limits.rx,
            over_rx: 0,
        };
        let (mut index, mut open) = (range.start, None);
        for run in self.tx.runs_mut(range) {
            let length = run.len() as u32;
            open = packer.run(open, index, run);
            index += length;
        }
        if let Some(open) = open {
            packer.close(open, index);
        }
        if mutant(237) && packer.over_rx > 0 {
            return Err(Error::QueueFull);
        }
        let delta = i64::from(packer.after) - i64::from(packer.before);
        Ok(Packed {
            delta: if mutant(240) { -delta } else { delta },
            over_rx: packer.over_rx,
        })
    }
}

/// Bits of a descriptor's head: word0 below, word1 above.
const FIRST: u64 = field::FIRST as u64;
const LAST: u64 = field::LAST as u64;
const DMB: u64 = field::DMB as u64;
const CONCAT: u64 = field::CONCAT as u64;

/// The class of a descriptor, and what it is in plain copies: no META, and `ssmae_op` of
/// `meta_ctrl` (META-4). Looked at in place: this is the inner loop of packing.
const CLASS: u64 = field::META as u64 | 7 << (32 + 23);
const CME: u64 = 2 << (32 + 23);

/// The head of a descriptor in a packet, without the bits of its place there (PACK-5).
#[inline]
fn cleared(head: u64) -> u64 {
    let last = if mutant(244) { 0 } else { LAST };
    let concat = if mutant(233) { 0 } else { CONCAT };
    head & !(FIRST | last | concat)
}

/// A cleared head when another descriptor follows in the packet (PACK-1).
#[inline]
fn concatenated(head: u64) -> u64 {
    let last = if mutant(244) { LAST } else { 0 };
    head & !last | CONCAT
}

/// Whether a planted belief ends a packet behind a descriptor.
#[inline]
fn is_parted(head: u64) -> bool {
    mutant(234) && head & DMB != 0 || mutant(244) && head & LAST == 0
}

/// Whether a planted belief joins over a descriptor of another class.
#[inline]
fn is_skipped(head: u64) -> bool {
    mutant(239) && !is_joinable(head)
}

/// Bytes of a TX descriptor, 0 as 65536 (PACK-1).
#[inline]
fn size_of(head: u64) -> u32 {
    let word0 = head as u32;
    if mutant(232) {
        return word0 & field::LENGTH;
    }
    // One less than the length wraps from 0 to 65535.
    (word0.wrapping_sub(1) & field::LENGTH) + 1
}

/// Whether a descriptor may be joined: it carries data, and its word is a plain copy's class
/// (PACK-2).
#[inline]
fn is_joinable(head: u64) -> bool {
    head & CLASS == CME || mutant(238)
}

/// 1 with FIRST, which opens a packet (PACK-3).
#[inline]
fn is_first(head: u64) -> u32 {
    u32::from(head & FIRST != 0)
}

/// 1 for a descriptor that counts as a packet before packing (PACK-3).
#[inline]
fn counted(head: u64) -> u32 {
    if mutant(241) {
        return u32::from(head & (FIRST | LAST) == LAST);
    }
    is_first(head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::Side;
    use crate::vring::Transfer;
    use alloc::vec::Vec;

    fn vring_of(sizes: &[u64]) -> Vring {
        let mut vring = Vring::new("v");
        for &size in sizes {
            let transfer = Transfer {
                size,
                ..Transfer::default()
            };
            vring.add_transfer(Arch::Cayman, &transfer).unwrap();
        }
        vring
    }

    fn word0s(vring: &Vring) -> Vec<u32> {
        vring.half(Side::Tx).iter().map(Desc::word0).collect()
    }

    #[test]
    fn three_join_and_part_again() {
        let mut vring = vring_of(&[65536, 65536, 4]);
        let before = word0s(&vring);
        let packed = vring.pack(Arch::Cayman, 0..3, 131_076).unwrap();
        assert_eq!(packed.delta, -2);
        assert_eq!(word0s(&vring), [0x8500_0000, 0x8100_0000, 0x0900_0004]);
        assert_eq!(vring.pack(Arch::Cayman, 0..3, 131_076).unwrap().delta, 0);
        // One byte less: the third stands alone.
        assert_eq!(vring.pack(Arch::Cayman, 0..3, 131_075).unwrap().delta, 1);
        assert_eq!(word0s(&vring), [0x8500_0000, 0x0900_0000, 0x0d00_0004]);
        assert_eq!(vring.pack(Arch::Cayman, 0..3, 0).unwrap().delta, 1);
        assert_eq!(word0s(&vring), before);
    }

    #[test]
    fn ranges() {
        let mut vring = vring_of(&[4, 4]);
        assert_eq!(vring.pack(Arch::Cayman, 2..2, 9), Ok(Packed::default()));
        let error = Error::Range {
            start: 0,
            end: 3,
            used: 2,
        };
        assert_eq!(vring.pack(Arch::Cayman, 0..3, 9), Err(error));
        #[allow(clippy::reversed_empty_ranges)] // what is to be refused
        let backwards = vring.pack(Arch::Cayman, 2..1, 9);
        assert!(backwards.is_err());
        assert_eq!(word0s(&vring), [0x0d00_0004; 2]);
    }

    #[test]
    fn a_packet_of_65_on_cayman_is_reported() {
        let mut vring = vring_of(&[1; 66]);
        let packed = vring.pack(Arch::Cayman, 0..66, 1 << 20).unwrap();
        assert_eq!((packed.delta, packed.over_rx), (-64, 1));
        assert_eq!(word0s(&vring)[64..], [0x0900_0001, 0x0d00_0001]);
    }
}
