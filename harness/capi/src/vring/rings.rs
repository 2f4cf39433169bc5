//! Open vrings, sets and caches.

use core::ffi::c_void;
use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use udma::vring::{Error, PageGate, TemplateCache, Vring, VringSet};
use udma_reference::abi::{udma_cache_stats, udma_page_gate};

use crate::handles::Table;

/// A handle as it is kept: its number, which is all that it has.
type Number = usize;

fn handle(number: Number) -> *mut c_void {
    core::ptr::without_provenance_mut(number)
}

static VRINGS: Table<Kind> = Table::new();
static SETS: Table<Set> = Table::new();
static CACHES: Table<Cache> = Table::new();

/// What a vring's handle stands for.
enum Kind {
    /// One of its own.
    Own(Box<Vring>),
    /// One of a set: the set, and the index.
    Member(Number, usize),
    /// A resolved one, which its cache holds for the caller.
    Held(Weak<Vring>),
}

struct Set {
    set: VringSet,
    members: Vec<Number>,
}

struct Cache {
    cache: TemplateCache,
    /// By the ring's handle, one for each acquisition that was not released.
    held: BTreeMap<Number, Vec<Arc<Vring>>>,
}

/// Handle of a vring.
pub fn open(vring: Vring) -> *mut c_void {
    VRINGS.open(Kind::Own(Box::new(vring)))
}

/// Closes a vring; none for one that is not closed by itself.
pub fn close(vring: *mut c_void) -> Option<()> {
    VRINGS.on(vring, |kind| matches!(kind, Kind::Own(_)).then_some(()))?;
    VRINGS.close(vring)
}

/// Works on a vring that may change; none for one of a cache.
pub fn change<R>(vring: *mut c_void, work: impl FnOnce(&mut Vring) -> Option<R>) -> Option<R> {
    VRINGS.on(vring, |kind| match kind {
        Kind::Own(vring) => work(vring),
        Kind::Member(set, index) => SETS.on(handle(*set), |set| {
            work(set.set.vrings_mut().get_mut(*index)?)
        }),
        Kind::Held(_) => None,
    })
}

/// Looks at a vring of any kind.
pub fn look<R>(vring: *mut c_void, work: impl FnOnce(&Vring) -> Option<R>) -> Option<R> {
    VRINGS.on(vring, |kind| match kind {
        Kind::Own(vring) => work(vring),
        Kind::Member(set, index) => {
            SETS.on(handle(*set), |set| work(set.set.vrings().get(*index)?))
        }
        Kind::Held(ring) => work(&*ring.upgrade()?),
    })
}

/// A set.
pub fn open_set(name: &str, stochastic_rounding: bool) -> *mut c_void {
    SETS.open(Set {
        set: VringSet::new(name, stochastic_rounding),
        members: Vec::new(),
    })
}

/// The next vring of a set.
pub fn add(number: *mut c_void) -> Option<Result<*mut c_void, Error>> {
    SETS.on(number, |set| {
        let index = set.set.vrings().len();
        Some(set.set.add().map(drop).map(|()| {
            let member = VRINGS.open(Kind::Member(number.addr(), index));
            set.members.push(member.addr());
            member
        }))
    })
}

/// Closes a set and its vrings.
pub fn close_set(set: *mut c_void) -> Option<()> {
    let members = SETS.on(set, |set| Some(core::mem::take(&mut set.members)))?;
    for member in members {
        VRINGS.close(handle(member));
    }
    SETS.close(set)
}

/// A cache whose template is a copy of a vring.
pub fn open_cache(vring: *mut c_void, capacity: u32) -> Option<Result<*mut c_void, Error>> {
    let template = look(vring, |vring| Some(vring.deep_copy()))?;
    Some(template.map(|template| {
        CACHES.open(Cache {
            cache: TemplateCache::new(template, capacity as usize),
            held: BTreeMap::new(),
        })
    }))
}

/// A resolved ring, held once more.
pub fn acquire(cache: *mut c_void, addresses: &[u64]) -> Option<Result<*mut c_void, Error>> {
    CACHES.on(cache, |cache| {
        let ring = match cache.cache.acquire(addresses) {
            Ok(ring) => ring,
            Err(error) => return Some(Err(error)),
        };
        // A kept ring that is acquired again has the same handle.
        let known = cache
            .held
            .iter_mut()
            .find(|(_, held)| Arc::ptr_eq(&held[0], &ring));
        if let Some((number, held)) = known {
            held.push(ring);
            return Some(Ok(handle(*number)));
        }
        let number = VRINGS.open(Kind::Held(Arc::downgrade(&ring)));
        cache.held.insert(number.addr(), vec![ring]);
        Some(Ok(number))
    })
}

/// Gives one holding back.
pub fn release(cache: *mut c_void, ring: *mut c_void) -> Option<()> {
    CACHES.on(cache, |cache| {
        let held = cache.held.get_mut(&ring.addr())?;
        held.pop();
        if held.is_empty() {
            cache.held.remove(&ring.addr());
            VRINGS.close(ring);
        }
        Some(())
    })
}

/// Counters of a cache.
pub fn stats(cache: *mut c_void) -> Option<udma_cache_stats> {
    CACHES.on(cache, |Cache { cache, .. }| {
        Some(udma_cache_stats {
            hits: cache.hits(),
            misses: cache.misses(),
            evictions: cache.evictions(),
            entries: cache.len() as u64,
            live: cache.live() as u64,
        })
    })
}

/// Closes a cache, and what is held of it.
pub fn close_cache(cache: *mut c_void) -> Option<()> {
    let held = CACHES.on(cache, |cache| Some(core::mem::take(&mut cache.held)))?;
    for number in held.into_keys() {
        VRINGS.close(handle(number));
    }
    CACHES.close(cache)
}

/// The caller's gate.
struct Asked {
    ctx: *mut c_void,
    grant: unsafe extern "C" fn(*mut c_void) -> i32,
}

// SAFETY: as for the hooks of an engine: it is called inside of the caller's calls alone.
unsafe impl Send for Asked {}
// SAFETY: the vring that asks is in use by one call at a time.
unsafe impl Sync for Asked {}

impl Asked {
    fn grants(&self) -> bool {
        // SAFETY: a hook of the caller with the caller's ctx, as `gate` was promised.
        unsafe { (self.grant)(self.ctx) != 0 }
    }
}

/// A gate that asks the caller; none where its hook is missing.
///
/// # Safety
/// The hook may be called with the ctx for as long as a vring has the gate.
pub unsafe fn gate(gate: &udma_page_gate) -> Option<PageGate> {
    let asked = Asked {
        ctx: gate.ctx,
        grant: gate.grant?,
    };
    Some(PageGate::asking(move || asked.grants()))
}
