//! Physical rings and the cache of a library.

use std::ptr;

use udma_reference::abi;

use super::{Holding, LibraryMachine, Pring, resolved};
use crate::law::word::EINVAL;
use crate::subject::vring::{Dump, FRESH, Outcome};
use crate::subjects::library::offered;
use crate::wire::Ring;

impl LibraryMachine {
    pub(super) fn size(&self, descriptors: u32, wrap: bool) -> Option<u64> {
        let mut out = 0;
        // SAFETY: one number out.
        offered(unsafe { self.api.pring_size?(descriptors, wrap.into(), &raw mut out) })?;
        Some(out)
    }

    pub(super) fn make(
        &mut self,
        half: Ring,
        descriptors: u32,
        wrap: bool,
        offset: u64,
    ) -> Option<Outcome> {
        let allocated = self.size(descriptors, wrap)?;
        let memory = vec![FRESH; (offset.div_ceil(16) + allocated) as usize];
        let made = abi::udma_pring {
            type_: match half {
                Ring::Tx => abi::UDMA_PRING_TX,
                Ring::Rx => abi::UDMA_PRING_RX,
            },
            offset,
            allocated: allocated as u32,
            ..abi::udma_pring::default()
        };
        self.prings[half as usize] = Some(Pring { made, memory });
        Some(Outcome::of(allocated as i64))
    }

    pub(super) fn dump(&mut self, half: Ring, pring: Ring, dump: &Dump) -> Option<Outcome> {
        let Some(pring) = &mut self.prings[pring as usize] else {
            return Some(Outcome::refused(EINVAL));
        };
        let (how, mut ret) = (how(dump), 0);
        pring.made.memory = pring.memory.as_mut_ptr();
        // SAFETY: the handle is open; the pring's memory holds its slots from the offset on.
        offered(unsafe {
            self.api.vring_dump?(
                self.vring,
                half as u32,
                &raw mut pring.made,
                &raw const how,
                &raw mut ret,
            )
        })?;
        Some(Outcome::refused(ret))
    }

    pub(super) fn dump_both(&mut self, tx: &Dump, rx: &Dump) -> Option<Outcome> {
        let [Some(tx_pring), Some(rx_pring)] = &mut self.prings else {
            return Some(Outcome::refused(EINVAL));
        };
        let (tx, rx, mut ret) = (how(tx), how(rx), 0);
        for pring in [&mut *tx_pring, &mut *rx_pring] {
            pring.made.memory = pring.memory.as_mut_ptr();
        }
        // SAFETY: as above, for both.
        offered(unsafe {
            self.api.vring_dump_both?(
                self.vring,
                &raw mut tx_pring.made,
                &raw const tx,
                &raw mut rx_pring.made,
                &raw const rx,
                &raw mut ret,
            )
        })?;
        Some(Outcome::refused(ret))
    }

    pub(super) fn open_cache(&mut self, capacity: u32) -> Option<Outcome> {
        let (mut cache, mut ret) = (ptr::null_mut(), 0);
        // SAFETY: the handle is open; one handle and one code out.
        offered(unsafe {
            self.api.cache_open?(self.vring, capacity, &raw mut cache, &raw mut ret)
        })?;
        if !cache.is_null() {
            self.caches.push(cache);
        }
        Some(Outcome::refused(ret))
    }

    pub(super) fn acquire(&mut self, addresses: &[u64]) -> Option<Outcome> {
        let Some(cache) = self.caches.len().checked_sub(1) else {
            return Some(Outcome::refused(EINVAL));
        };
        let (mut ring, mut out) = (ptr::null_mut(), abi::udma_resolved::default());
        // SAFETY: the cache is open; the list outlives the call; one handle, one structure out.
        offered(unsafe {
            self.api.cache_acquire?(
                self.caches[cache],
                addresses.as_ptr(),
                addresses.len() as u32,
                &raw mut ring,
                &raw mut out,
            )
        })?;
        if !ring.is_null() {
            self.holdings.push(Some(Holding { cache, ring }));
        }
        Some(resolved(&out, self.holdings.len() as i64 - 1))
    }

    pub(super) fn release(&mut self, holding: u32) -> Option<Outcome> {
        let held = self.holdings.get_mut(holding as usize);
        let Some(held) = held.and_then(Option::take) else {
            return Some(Outcome::refused(EINVAL));
        };
        // SAFETY: the cache is open and this holding of the ring was not released before.
        offered(unsafe { self.api.cache_release?(self.caches[held.cache], held.ring) })?;
        Some(Outcome::of(0))
    }
}

fn how(dump: &Dump) -> abi::udma_dump {
    abi::udma_dump {
        scratch: dump.scratch,
        padded: dump.padded.unwrap_or_default(),
        plain: dump.padded.is_none().into(),
        free: dump.free.into(),
        ..abi::udma_dump::default()
    }
}
