//! Joining of plain copies into packets (PACK).

use core::ops::Range;

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

/// `ssmae_op` of `meta_ctrl`, and its value in plain copies (META-4). Looked at in place: this is
/// the inner loop of packing.
const SSMAE_OP: u32 = 7 << 23;
const SSMAE_CME: u32 = 2 << 23;

/// What packets are filled up to, the packet that is being filled, and the books.
struct Packer<'d> {
    /// Most TX descriptors.
    most: u32,
    /// Most bytes.
    max_bytes: u64,
    /// Last descriptor of the packet and its word0 to be: settled once the next one was looked at.
    last: Option<(&'d mut Desc, u32)>,
    /// First index of the packet, and the descriptors and bytes that it still takes.
    start: u32,
    left: u32,
    bytes_left: u64,
    /// Packets by their FIRST, before and after (PACK-3).
    before: i64,
    after: i64,
    /// Descriptors of the RX half.
    rx_used: u32,
    /// Most RX descriptors.
    most_rx: u32,
    /// Packets above that.
    over_rx: u32,
}

/// Stores word0 where it changed.
#[inline]
fn settle(desc: &mut Desc, word0: u32) {
    if desc.word0() != word0 {
        desc.set_word0(word0);
    }
}

impl<'d> Packer<'d> {
    /// Ends the packet with its last descriptor (PACK-1).
    #[inline]
    fn close(&mut self) {
        let Some((last, word0)) = self.last.take() else {
            return;
        };
        let ended = word0 | field::LAST;
        settle(
            last,
            if mutant(233) {
                ended
            } else {
                ended & !field::CONCAT
            },
        );
        let end = self.start + self.most - self.left;
        let rx = end.min(self.rx_used) - self.start.min(self.rx_used);
        self.over_rx += u32::from(rx > self.most_rx);
    }

    /// Packs one run of descriptors, the first of which has this index.
    #[inline]
    fn run(&mut self, first_index: u32, run: &'d mut [Desc]) {
        for (index, desc) in (first_index..).zip(run) {
            let (size, joinable) = (size_of(desc), is_joinable(desc));
            let fits = joinable && self.left > 0 && size <= self.bytes_left;
            self.before += i64::from(is_counted(desc));
            let word0 = desc.word0();
            match self.last.take() {
                Some((last, before))
                    if (fits || self.left > 0 && is_skipped(desc)) && !is_parted(before) =>
                {
                    // CONCAT in place of LAST: the next one belongs to the same packet (PACK-1).
                    settle(last, before & !field::LAST | field::CONCAT);
                    self.left -= 1;
                    self.bytes_left = self.bytes_left.saturating_sub(size);
                    let dropped = if mutant(243) { field::DMB } else { 0 };
                    self.last = Some((desc, word0 & !(field::FIRST | dropped)));
                }
                open => {
                    self.last = open;
                    self.close();
                    if joinable {
                        // A packet begins with one descriptor, whatever its size.
                        self.after += 1;
                        self.start = index;
                        self.left = self.most - 1;
                        self.bytes_left = self.max_bytes.saturating_sub(size);
                        self.last = Some((desc, word0 | field::FIRST));
                    } else {
                        // PACK-2: it stays as it is.
                        self.after += i64::from(is_first(desc));
                    }
                }
            }
        }
    }
}

/// Whether a planted belief ends a packet behind a descriptor.
#[inline]
fn is_parted(word0: u32) -> bool {
    mutant(234) && word0 & field::DMB != 0 || mutant(244) && word0 & field::LAST == 0
}

/// Whether a planted belief joins over a descriptor of another class.
#[inline]
fn is_skipped(desc: &Desc) -> bool {
    mutant(239) && !is_joinable(desc)
}

/// Bytes of a TX descriptor, 0 as 65536 (PACK-1).
#[inline]
fn size_of(desc: &Desc) -> u64 {
    if mutant(232) {
        return (desc.word0() & field::LENGTH).into();
    }
    // One less than the length wraps from 0 to 65535.
    u64::from(desc.word0().wrapping_sub(1) & field::LENGTH) + 1
}

/// Whether a descriptor may be joined: it carries data, and its word is a plain copy's class
/// (PACK-2).
#[inline]
fn is_joinable(desc: &Desc) -> bool {
    desc.word0() & field::META == 0 && desc.word1() & SSMAE_OP == SSMAE_CME || mutant(238)
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
            max_bytes: max_bytes.saturating_sub(u64::from(mutant(235))),
            last: None,
            start: 0,
            left: 0,
            bytes_left: 0,
            before: 0,
            after: 0,
            rx_used: self.rx.used(),
            most_rx: limits.rx,
            over_rx: 0,
        };
        let mut index = range.start;
        for run in self.tx.runs_mut(range).filter(|run| !run.is_empty()) {
            let length = run.len() as u32;
            packer.run(index, run);
            index += length;
        }
        packer.close();
        if mutant(237) && packer.over_rx > 0 {
            return Err(Error::QueueFull);
        }
        let delta = packer.after - packer.before;
        Ok(Packed {
            delta: if mutant(240) { -delta } else { delta },
            over_rx: packer.over_rx,
        })
    }
}

/// FIRST, which opens a packet (PACK-3).
#[inline]
fn is_first(desc: &Desc) -> bool {
    desc.word0() & field::FIRST != 0
}

/// Whether a descriptor counts as a packet before packing (PACK-3).
#[inline]
fn is_counted(desc: &Desc) -> bool {
    if mutant(241) {
        desc.last() && !is_first(desc)
    } else {
        is_first(desc)
    }
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
