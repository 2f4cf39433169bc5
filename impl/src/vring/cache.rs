//! Resolved rings of one template, kept under the list of addresses (TMPL-3).

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::{Error, Vring};
use crate::fault::mutant;

/// A template and its resolved rings. A ring that is handed out is live until its holding, the
/// [`Arc`], is dropped; a live one is never evicted.
///
/// ```
/// use udma::io::Side;
/// use udma::vring::{Symbol, TemplateCache, Vring};
/// use udma::Desc;
///
/// let mut template = Vring::new("template");
/// let pointer = Symbol::new(0, 0x40).unwrap().emit();
/// template.add_raw(Side::Tx, Desc::new(0x0d00_0004, 0x0108_0003, pointer))?;
/// template.mark_template(0);
/// let mut cache = TemplateCache::new(template, 8);
/// let ring = cache.acquire(&[0x1000])?;
/// assert_eq!(ring.half(Side::Tx).get(0).unwrap().pointer(), 0x1040);
/// cache.acquire(&[0x1000])?;
/// assert_eq!((cache.hits(), cache.misses(), cache.live()), (1, 1, 1));
/// # Ok::<(), udma::vring::Error>(())
/// ```
#[derive(Debug)]
pub struct TemplateCache {
    /// What is resolved; never changed.
    template: Vring,
    /// Most entries.
    capacity: usize,
    /// Resolved rings by the addresses of variables 0, 1, and so on.
    entries: BTreeMap<Vec<u64>, Entry>,
    /// Counts acquisitions, to order entries by their last use.
    clock: u64,
    /// Acquisitions that found their ring.
    hits: u64,
    /// Acquisitions that resolved.
    misses: u64,
    /// Entries given up for others.
    evictions: u64,
}

#[derive(Debug)]
struct Entry {
    ring: Arc<Vring>,
    last_use: u64,
}

impl Entry {
    fn live(&self) -> usize {
        Arc::strong_count(&self.ring) - 1
    }
}

impl TemplateCache {
    /// A cache of at most `capacity` resolved rings.
    pub const fn new(template: Vring, capacity: usize) -> Self {
        Self {
            template,
            capacity,
            entries: BTreeMap::new(),
            clock: 0,
            hits: 0,
            misses: 0,
            evictions: 0,
        }
    }

    /// The template.
    pub const fn template(&self) -> &Vring {
        &self.template
    }

    /// The ring resolved with these addresses, from the cache or anew. When the cache is full the
    /// least recently acquired entry that is not live makes room; when all are live, the new ring
    /// is handed out without being kept.
    ///
    /// # Errors
    /// [`Error::NoMemory`], and as [`Vring::resolve`]; counts as a miss and changes nothing else.
    pub fn acquire(&mut self, addresses: &[u64]) -> Result<Arc<Vring>, Error> {
        let key = if mutant(269) {
            &addresses[..addresses.len().min(1)]
        } else {
            addresses
        };
        self.clock += 1;
        if let Some(entry) = self.entries.get_mut(key) {
            self.hits += 1;
            if !mutant(271) {
                entry.last_use = self.clock;
            }
            return Ok(Arc::clone(&entry.ring));
        }
        self.misses += 1;
        let mut ring = self.template.deep_copy()?;
        ring.resolve(addresses)?;
        let ring = Arc::new(ring);
        if self.make_room() {
            let entry = Entry {
                ring: Arc::clone(&ring),
                last_use: self.clock,
            };
            self.entries.insert(key.into(), entry);
        }
        Ok(ring)
    }

    /// Whether one more entry may be kept, after the eviction of another if need be.
    fn make_room(&mut self) -> bool {
        if self.entries.len() < self.capacity {
            return true;
        }
        let oldest = self
            .entries
            .iter()
            .filter(|(_, entry)| entry.live() == 0 || mutant(270))
            .min_by_key(|(_, entry)| entry.last_use)
            .map(|(key, _)| key.clone());
        let Some(oldest) = oldest else {
            return false;
        };
        self.entries.remove(&oldest);
        self.evictions += 1;
        true
    }

    /// Entries kept.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no entry is kept.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Holdings of the entries kept; those of rings that are not kept do not count.
    pub fn live(&self) -> usize {
        self.entries.values().map(Entry::live).sum()
    }

    /// Acquisitions that found their ring.
    pub const fn hits(&self) -> u64 {
        self.hits
    }

    /// Acquisitions that resolved, or failed to.
    pub const fn misses(&self) -> u64 {
        self.misses
    }

    /// Entries given up for others.
    pub const fn evictions(&self) -> u64 {
        self.evictions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Desc;
    use crate::io::Side;
    use crate::vring::Symbol;

    fn cache(capacity: usize) -> TemplateCache {
        let mut template = Vring::new("t");
        let pointer = Symbol::new(1, 0).unwrap().emit();
        let desc = Desc::new(0x0d00_0004, 0x0108_0003, pointer);
        template.add_raw(Side::Tx, desc).unwrap();
        template.mark_template(1);
        TemplateCache::new(template, capacity)
    }

    #[test]
    fn the_least_recently_used_goes_first() {
        let mut cache = cache(2);
        for last in [1, 2, 1, 3] {
            cache.acquire(&[0, last]).unwrap();
        }
        // 3 took the place of 2, not of 1.
        assert_eq!((cache.hits(), cache.misses(), cache.evictions()), (1, 3, 1));
        cache.acquire(&[0, 1]).unwrap();
        assert_eq!(cache.hits(), 2);
        assert_eq!(cache.live(), 0);
    }

    #[test]
    fn a_live_entry_is_never_evicted() {
        let mut cache = cache(1);
        let held = cache.acquire(&[0, 1]).unwrap();
        let unkept = cache.acquire(&[0, 2]).unwrap();
        assert_eq!(unkept.half(Side::Tx).get(0).unwrap().pointer(), 2);
        assert_eq!((cache.len(), cache.live(), cache.evictions()), (1, 1, 0));
        assert!(Arc::ptr_eq(&held, &cache.acquire(&[0, 1]).unwrap()));
        drop(held);
        cache.acquire(&[0, 2]).unwrap();
        assert_eq!((cache.len(), cache.evictions()), (1, 1));
    }

    #[test]
    fn a_failed_resolution_is_not_kept() {
        let mut cache = cache(1);
        assert!(cache.acquire(&[0]).is_err());
        assert!(cache.is_empty());
    }
}
