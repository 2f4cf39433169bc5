//! The dump of a half to a physical ring (DUMP).

use super::{Error, Pring, PringType, Vring};
use crate::copy::{PairBuilder, PairRequest};
use crate::desc::Desc;
use crate::fault::mutant;
use crate::io::Side;
use crate::ring::FIRST_PHASE;
use crate::{Arch, Line};

/// Bytes that a no-op copies (DUMP-3).
const NO_OP_BYTES: u64 = 4;

/// How a half is dumped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dump {
    /// Slots to fill, the rest with no-ops; none pads to the descriptors there are (DUMP-5).
    pub padded: Option<u32>,
    /// Address that the no-ops copy from and to.
    pub scratch: u64,
    /// Whether the half is freed afterwards (DUMP-4).
    pub free: bool,
}

/// The no-op's side of a pair (DUMP-3). The architecture moves no bit of a plain pair.
fn no_op(side: Side, scratch: u64) -> Result<Desc, Error> {
    let ring_id = if mutant(280) { 0 } else { FIRST_PHASE };
    let request = PairRequest {
        src: scratch,
        dst: scratch,
        size: NO_OP_BYTES,
        rx_ring_id: ring_id,
        tx_ring_id: ring_id,
        ..PairRequest::default()
    };
    let (mut tx, mut rx) = (Desc::default(), Desc::default());
    PairBuilder::new(Line::Hal, Arch::Sunda).build(&request, &mut tx, &mut rx)?;
    Ok(match side {
        _ if mutant(281) => Desc::default(),
        Side::Rx if !mutant(282) => rx,
        _ => tx,
    })
}

impl Vring {
    /// Copies the descriptors of a half to a pring in order, fills up with no-ops, and sets the
    /// pring's used count (DUMP-1..4).
    ///
    /// # Errors
    /// [`Error::PringType`], [`Error::TooFew`], [`Error::TooMany`]; the pring is untouched and the
    /// half is not freed.
    pub fn dump<M: AsRef<[Desc]> + AsMut<[Desc]>>(
        &mut self,
        side: Side,
        pring: &mut Pring<M>,
        dump: &Dump,
    ) -> Result<(), Error> {
        self.dump_with(side, pring, dump, <[Desc]>::copy_from_slice)
    }

    /// [`Self::dump`] with a copy of the caller's: for ring memory that wants stores of its own
    /// kind, as a mapped device does, or that is too large to be worth caching. `copy` gets two
    /// slices of the same length, at most one page (DUMP-2), in order.
    ///
    /// # Errors
    /// As [`Self::dump`].
    pub fn dump_with<M: AsRef<[Desc]> + AsMut<[Desc]>>(
        &mut self,
        side: Side,
        pring: &mut Pring<M>,
        dump: &Dump,
        copy: impl FnMut(&mut [Desc], &[Desc]),
    ) -> Result<(), Error> {
        self.fill(side, pring, dump, copy)?;
        if dump.free && !mutant(284) {
            self.half_mut(side).free();
        }
        Ok(())
    }

    /// [`Self::dump`] of a vring that others hold too, such as one of a
    /// [`TemplateCache`](super::TemplateCache): `free` of `dump` is not looked at (TMPL-3).
    ///
    /// # Errors
    /// As [`Self::dump`].
    pub fn dump_shared<M: AsRef<[Desc]> + AsMut<[Desc]>>(
        &self,
        side: Side,
        pring: &mut Pring<M>,
        dump: &Dump,
    ) -> Result<(), Error> {
        self.fill(side, pring, dump, <[Desc]>::copy_from_slice)
    }

    fn fill<M: AsRef<[Desc]> + AsMut<[Desc]>>(
        &self,
        side: Side,
        pring: &mut Pring<M>,
        dump: &Dump,
        mut copy: impl FnMut(&mut [Desc], &[Desc]),
    ) -> Result<(), Error> {
        let half = self.half(side);
        let used = half.used();
        let unpadded = if mutant(287) { pring.allocated() } else { used };
        let padded = dump.padded.unwrap_or(unpadded);
        check(side, used, padded, pring).inspect_err(|_| {
            if mutant(277) {
                pring.set_used(padded);
            }
        })?;
        let filler = no_op(side, dump.scratch)?;
        let (mut slots, rest) = pring.slots_mut()[..padded as usize].split_at_mut(used as usize);
        if mutant(279) {
            for (slot, desc) in slots.iter_mut().zip(half.runs(0..used).rev().flatten()) {
                *slot = *desc;
            }
        } else {
            for run in half.runs(0..used) {
                let (to, left) = slots.split_at_mut(run.len());
                copy(to, run);
                slots = left;
            }
        }
        rest.fill(filler);
        pring.set_used(if mutant(283) { used } else { padded });
        Ok(())
    }

    /// Dumps TX, then RX, each with its own padding (DUMP-5).
    ///
    /// # Errors
    /// As [`Self::dump`]: a refused TX half ends it; a refused RX half leaves TX dumped.
    pub fn dump_both<M, N>(
        &mut self,
        (tx, tx_dump): (&mut Pring<M>, &Dump),
        (rx, rx_dump): (&mut Pring<N>, &Dump),
    ) -> Result<(), Error>
    where
        M: AsRef<[Desc]> + AsMut<[Desc]>,
        N: AsRef<[Desc]> + AsMut<[Desc]>,
    {
        let rx_dump = &if mutant(285) {
            Dump {
                padded: tx_dump.padded,
                ..*rx_dump
            }
        } else {
            *rx_dump
        };
        if mutant(286) {
            self.dump(Side::Rx, rx, rx_dump)?;
            return self.dump(Side::Tx, tx, tx_dump);
        }
        self.dump(Side::Tx, tx, tx_dump)?;
        self.dump(Side::Rx, rx, rx_dump)
    }
}

/// DUMP-1.
fn check<M: AsRef<[Desc]> + AsMut<[Desc]>>(
    side: Side,
    used: u32,
    padded: u32,
    pring: &Pring<M>,
) -> Result<(), Error> {
    let wanted = PringType::of(side);
    let found = pring.ring_type();
    if found != wanted && !(mutant(276) && found != PringType::INVALID) {
        return Err(Error::PringType {
            found: found.0,
            wanted: wanted.0,
        });
    }
    if used > padded {
        return Err(Error::TooFew { used, padded });
    }
    let allocated = pring.allocated();
    if padded > allocated || mutant(275) && padded == allocated {
        return Err(Error::TooMany { padded, allocated });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vring::Transfer;
    use alloc::vec;

    fn vring() -> Vring {
        let mut vring = Vring::new("v");
        let transfer = Transfer {
            src: 0x10,
            dst: 0x20,
            size: 1,
            ordered: false,
        };
        vring.add_transfer(Arch::Cayman, &transfer).unwrap();
        vring
    }

    fn padded(padded: u32) -> Dump {
        Dump {
            padded: Some(padded),
            scratch: 0xabc0,
            free: false,
        }
    }

    #[test]
    fn a_shared_one_is_dumped_and_stays() {
        let vring = alloc::sync::Arc::new(vring());
        let mut pring = Pring::allocate(Side::Tx, 64).unwrap();
        let dump = Dump {
            free: true,
            ..padded(2)
        };
        vring.dump_shared(Side::Tx, &mut pring, &dump).unwrap();
        assert_eq!(pring.slots()[0], Desc::new(0x0d00_0001, 0x0108_0003, 0x10));
        assert_eq!(
            pring.slots()[1],
            Desc::new(0x0d00_0004, 0x0108_0003, 0xabc0)
        );
        assert_eq!((pring.used(), vring.half(Side::Tx).used()), (2, 1));
        assert!(vring.dump_shared(Side::Rx, &mut pring, &dump).is_err());
    }

    #[test]
    fn no_ops_after_the_descriptors() {
        let mut vring = vring();
        let (mut tx, mut rx) = (
            Pring::allocate(Side::Tx, 64).unwrap(),
            Pring::allocate(Side::Rx, 64).unwrap(),
        );
        vring
            .dump_both((&mut tx, &padded(3)), (&mut rx, &padded(2)))
            .unwrap();
        let tx_no_op = Desc::new(0x0d00_0004, 0x0108_0003, 0xabc0);
        assert_eq!(tx.slots()[0], Desc::new(0x0d00_0001, 0x0108_0003, 0x10));
        assert_eq!(tx.slots()[1..4], [tx_no_op, tx_no_op, Desc::default()]);
        assert_eq!(rx.slots()[0], Desc::new(0x0100_0001, 0, 0x20));
        assert_eq!(
            rx.slots()[1..3],
            [Desc::new(0x0100_0004, 0, 0xabc0), Desc::default()]
        );
        assert_eq!((tx.used(), rx.used()), (3, 2));
    }

    #[test]
    fn refused_dumps_touch_nothing() {
        let mut vring = vring();
        let fresh = vec![Desc::from_words([0xa5a5_a5a5; 4]); 80];
        for (ring_type, slots) in [
            (PringType::RX, 1),
            (PringType::INVALID, 1),
            (PringType(3), 1),
            (PringType::TX, 0),
            (PringType::TX, 65),
        ] {
            let mut pring = Pring::new(ring_type, fresh.clone(), 256, 64).unwrap();
            let dump = Dump {
                free: true,
                ..padded(slots)
            };
            let error = vring.dump(Side::Tx, &mut pring, &dump).unwrap_err();
            assert_eq!(error.code(), -22, "{error}");
            assert_eq!((pring.used(), pring.memory()), (0, &fresh[..]));
            assert_eq!(vring.half(Side::Tx).used(), 1);
        }
    }

    #[test]
    fn from_the_offset_on_and_freed() {
        let mut vring = vring();
        let fresh = vec![Desc::from_words([0xa5a5_a5a5; 4]); 80];
        let mut pring = Pring::new(PringType::TX, fresh.clone(), 256, 64).unwrap();
        let dump = Dump {
            free: true,
            ..Dump::default()
        };
        vring.dump(Side::Tx, &mut pring, &dump).unwrap();
        assert_eq!(pring.memory()[..16], fresh[..16]);
        assert_eq!(pring.memory()[16].pointer(), 0x10);
        assert_eq!(pring.memory()[17..], fresh[17..]);
        assert_eq!(vring.half(Side::Tx).used(), 0);
        assert_eq!(vring.half(Side::Rx).used(), 1);
    }
}
