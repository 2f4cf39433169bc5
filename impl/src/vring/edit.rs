//! Edits of a finished vring: the barrier on the last packet, the address rewrite, the embedded
//! semaphore (EDIT).

use super::{Error, Vring};
use crate::desc::field;
use crate::fault::mutant;
use crate::{Arch, bits};

/// What an embedded semaphore carries beside bit 31 (EDIT-4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Semaphore {
    /// Strong-ordered write wanted.
    pub set_sow: bool,
    /// Index of the control register.
    pub csr_index: u8,
    /// Semaphore number.
    pub semaphore: u16,
}

impl Vring {
    /// Sets the write barrier on the FIRST descriptor of the last TX packet where the architecture
    /// has no SOW; whether there was anything to do (EDIT-1).
    ///
    /// # Errors
    /// [`Error::NoPacket`] if no TX descriptor of a half that is not empty carries FIRST.
    pub fn dmb_on_last_packet(&mut self, arch: Arch) -> Result<bool, Error> {
        let used = self.tx.used();
        if used == 0 || arch.has_sow() && !mutant(250) {
            return Ok(false);
        }
        let back = self.tx.iter().rev().position(crate::Desc::first);
        let back = if mutant(251) { Some(0) } else { back };
        let back = back.ok_or(Error::NoPacket)? as u32;
        if let Some(desc) = self.tx.get_mut(used - 1 - back) {
            if mutant(252) {
                desc.set(field::DMB);
            } else {
                bits::set_dmb_helper(desc);
            }
        }
        Ok(true)
    }

    /// Moves every TX pointer p with p - base < size, modulo 2^64, by `new_base - base`; how many
    /// there were (EDIT-2). Symbolic pointers are plain numbers here. META descriptors hold no
    /// pointer (DESC-2) and are left alone.
    pub fn rewrite_addresses(&mut self, base: u64, size: u64, new_base: u64) -> u64 {
        let mut moved = rewrite(&mut self.tx, base, size, new_base);
        if mutant(255) {
            moved += rewrite(&mut self.rx, base, size, new_base);
        }
        moved
    }

    /// Whether a semaphore is to be embedded: MARIANA, enabled, and the last RX descriptor is there
    /// with bit 31 clear (EDIT-3).
    pub fn wants_semaphore(&self, arch: Arch, enabled: bool) -> bool {
        let supported = arch == Arch::Mariana || mutant(258) && arch == Arch::Cayman;
        let last = self
            .rx
            .used()
            .checked_sub(1)
            .and_then(|last| self.rx.get(last));
        let enabled = enabled || mutant(259);
        supported && enabled && last.is_some_and(|desc| !desc.concat() || mutant(257))
    }

    /// Embeds a semaphore in the last RX descriptor if [wanted](Self::wants_semaphore); whether it
    /// was (EDIT-4). Where the fields go is not known beyond bit 31: here SOW takes `set_sow`, and
    /// word1 the other two.
    pub fn embed_semaphore(&mut self, arch: Arch, enabled: bool, fields: Semaphore) -> bool {
        if !self.wants_semaphore(arch, enabled) {
            return false;
        }
        let last = self.rx.used() - 1;
        if let Some(desc) = self.rx.get_mut(last) {
            desc.set(field::CONCAT);
            if fields.set_sow {
                desc.set(field::SOW);
            }
            desc.set_word1(u32::from(fields.csr_index) << 16 | u32::from(fields.semaphore));
        }
        true
    }
}

fn rewrite(half: &mut super::Half, base: u64, size: u64, new_base: u64) -> u64 {
    let step = new_base.wrapping_sub(base);
    let inside = |pointer: u64| {
        if mutant(253) {
            pointer.wrapping_sub(base) <= size
        } else if mutant(254) {
            pointer >= base && pointer < base.saturating_add(size)
        } else {
            pointer.wrapping_sub(base) < size
        }
    };
    let mut moved = 0;
    for run in half.runs_mut(0..half.used()) {
        for desc in run {
            let pointer = desc.pointer();
            if inside(pointer) && !desc.meta() {
                set_pointer(desc, pointer.wrapping_add(step));
                moved += 1;
            }
        }
    }
    moved
}

/// Replaces the address, words 2 and 3.
#[inline]
pub(super) fn set_pointer(desc: &mut crate::Desc, pointer: u64) {
    *desc = crate::Desc::new(desc.word0(), desc.word1(), pointer);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Desc;
    use crate::io::Side;
    use alloc::vec::Vec;

    fn vring_of(pointers: &[u64]) -> Vring {
        let mut vring = Vring::new("v");
        for &pointer in pointers {
            vring
                .add_raw(Side::Tx, Desc::new(0x0d00_0001, 0x0108_0003, pointer))
                .unwrap();
            vring
                .add_raw(Side::Rx, Desc::new(0x0100_0001, 0, pointer))
                .unwrap();
        }
        vring
    }

    fn pointers(vring: &Vring) -> Vec<u64> {
        vring.half(Side::Tx).iter().map(Desc::pointer).collect()
    }

    #[test]
    fn windows_at_both_ends_of_the_range() {
        // The window goes over the end of the 64-bit range.
        let edges = [
            u64::MAX - 0x1000,
            u64::MAX - 0xfff,
            u64::MAX,
            0,
            0xfff,
            0x1000,
        ];
        let mut vring = vring_of(&edges);
        assert_eq!(vring.rewrite_addresses(u64::MAX - 0xfff, 0x2000, 0x5000), 4);
        assert_eq!(
            pointers(&vring),
            [u64::MAX - 0x1000, 0x5000, 0x5fff, 0x6000, 0x6fff, 0x1000]
        );
        let rx: Vec<u64> = vring.half(Side::Rx).iter().map(Desc::pointer).collect();
        assert_eq!(rx, edges);
        // Everything but the last address, and nothing at all.
        let mut vring = vring_of(&edges);
        assert_eq!(vring.rewrite_addresses(0, u64::MAX, 1), 5);
        assert_eq!(
            pointers(&vring)[..3],
            [u64::MAX - 0xfff, u64::MAX - 0xffe, u64::MAX]
        );
        assert_eq!(vring.rewrite_addresses(0, 0, 1), 0);
    }

    #[test]
    fn meta_descriptors_hold_no_pointer() {
        let mut vring = Vring::new("v");
        let meta = Desc::from_words([0x0480_0000, 0x0210_0000, 0x10, 0x0]);
        vring.add_raw(Side::Tx, meta).unwrap();
        assert_eq!(vring.rewrite_addresses(0, 0x100, 0x5000), 0);
        assert_eq!(vring.half(Side::Tx).get(0), Some(&meta));
    }

    #[test]
    fn the_barrier_goes_on_first_of_the_last_packet() {
        let mut vring = Vring::new("v");
        assert_eq!(vring.dmb_on_last_packet(Arch::Sunda), Ok(false));
        for word0 in [0x0d00_0001, 0x8500_0001, 0x0900_0001] {
            vring
                .add_raw(Side::Tx, Desc::new(word0, 0x0108_0003, 0))
                .unwrap();
        }
        assert_eq!(vring.dmb_on_last_packet(Arch::Cayman), Ok(false));
        assert_eq!(vring.dmb_on_last_packet(Arch::Sunda), Ok(true));
        let word1s: Vec<u32> = vring.half(Side::Tx).iter().map(Desc::word1).collect();
        assert_eq!(word1s, [0x0108_0003, 0x0508_0003, 0x0108_0003]);

        let mut headless = Vring::new("v");
        headless
            .add_raw(Side::Tx, Desc::new(0x0900_0001, 0, 0))
            .unwrap();
        assert_eq!(
            headless.dmb_on_last_packet(Arch::Sunda),
            Err(Error::NoPacket)
        );
    }
}
