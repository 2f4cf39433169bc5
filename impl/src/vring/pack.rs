//! Joining of plain copies into packets (PACK).

use core::ops::Range;

use super::{Error, Vring};
use crate::desc::{Desc, field};
use crate::fault::mutant;
use crate::meta::MetaCtrl;
use crate::{Arch, bits};

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
    /// Its last descriptor so far.
    last: &'d mut Desc,
    /// Index of its first one.
    start: u32,
    /// TX descriptors.
    count: u32,
    /// Bytes.
    bytes: u64,
}

/// Keeps the books over all packets.
struct Packer {
    limits: PacketLimits,
    max_bytes: u64,
    rx_used: u32,
    over_rx: u32,
}

impl Packer {
    #[inline]
    fn fits(&self, open: &Open, desc: &Desc) -> bool {
        let most = if mutant(230) {
            self.limits.tx - 1
        } else {
            self.limits.tx
        };
        let bytes = open.bytes + size_of(desc);
        let in_bytes = if mutant(235) {
            bytes < self.max_bytes
        } else {
            bytes <= self.max_bytes
        };
        open.count < most
            && in_bytes
            && !(mutant(234) && open.last.dmb() || mutant(244) && !open.last.last())
    }

    /// LAST on the final descriptor (PACK-1).
    #[inline]
    fn close(&mut self, open: Open) {
        bits::set_last(open.last);
        if !mutant(233) {
            bits::clear_concat(open.last);
        }
        let end = open.start + open.count;
        let rx = end.min(self.rx_used) - open.start.min(self.rx_used);
        self.over_rx += u32::from(rx > self.limits.rx);
    }
}

/// Bytes of a TX descriptor, 0 as 65536 (PACK-1).
#[inline]
fn size_of(desc: &Desc) -> u64 {
    if mutant(232) {
        return desc.length_field().into();
    }
    bits::tx_desc_size(desc.word0()).into()
}

/// Whether a descriptor may be joined: it carries data, and its word is a plain copy's class
/// (PACK-2, META-4).
#[inline]
fn is_joinable(desc: &Desc) -> bool {
    !desc.meta() && MetaCtrl(desc.word1()).is_cme() || mutant(238)
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
        let mut packer = Packer {
            limits: PacketLimits::of(arch),
            max_bytes,
            rx_used: self.rx.used(),
            over_rx: 0,
        };
        if mutant(231) {
            packer.limits.tx = arch.hal_packet_cap() as u32;
        }
        // Packets by FIRST, before and after.
        let (mut before, mut after) = (0i64, 0i64);
        let mut open: Option<Open> = None;
        let mut index = range.start;
        for run in self.tx.runs_mut(range) {
            for desc in run {
                before += i64::from(is_counted(desc));
                if is_joinable(desc) {
                    match &mut open {
                        Some(packet) if packer.fits(packet, desc) => {
                            bits::set_concat(packet.last);
                            bits::clear_last(packet.last);
                            bits::clear_first(desc);
                            if mutant(243) {
                                desc.clear(field::DMB);
                            }
                            packet.count += 1;
                            packet.bytes += size_of(desc);
                            packet.last = desc;
                        }
                        _ => {
                            if let Some(full) = open.take() {
                                packer.close(full);
                            }
                            bits::set_first(desc);
                            after += 1;
                            open = Some(Open {
                                start: index,
                                count: 1,
                                bytes: size_of(desc),
                                last: desc,
                            });
                        }
                    }
                } else {
                    // PACK-2: it ends the open packet and stays as it is.
                    if !mutant(239)
                        && let Some(ended) = open.take()
                    {
                        packer.close(ended);
                    }
                    after += i64::from(desc.first());
                }
                index += 1;
            }
        }
        if let Some(ended) = open {
            packer.close(ended);
        }
        if mutant(237) && packer.over_rx > 0 {
            return Err(Error::QueueFull);
        }
        let delta = if mutant(240) {
            before - after
        } else {
            after - before
        };
        Ok(Packed {
            delta,
            over_rx: packer.over_rx,
        })
    }
}

/// Whether a descriptor opens a packet (PACK-3).
#[inline]
fn is_counted(desc: &Desc) -> bool {
    if mutant(241) {
        desc.last() && !desc.first()
    } else {
        desc.first()
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
