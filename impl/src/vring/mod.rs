//! Virtual rings: paged host lists of descriptors that are authored, packed, edited and resolved,
//! and at last dumped to a physical ring.
//!
//! A [`Vring`] has two halves of pages. Everything authored carries ring id 1, which is right for a
//! ring that is filled once from slot 0 (XFER-1). The HAL line is followed throughout.
//!
//! ```
//! use udma::Arch;
//! use udma::io::Side;
//! use udma::vring::{Dump, Pring, Transfer, Vring, pring_size};
//!
//! let mut vring = Vring::new("program");
//! for offset in [0, 0x30000] {
//!     vring.add_transfer(Arch::Cayman, &Transfer {
//!         src: 0x10_0000 + offset,
//!         dst: 0x90_0000 + offset,
//!         size: 0x30000, // three pairs of 64 KiB (XFER-1)
//!         ordered: true,
//!     })?;
//! }
//! assert_eq!(vring.half(Side::Tx).used(), 6);
//! // Six packets become one (PACK-3).
//! assert_eq!(vring.pack(Arch::Cayman, 0..6, 1 << 20)?.delta, -5);
//!
//! let allocated = pring_size(6, false); // PRNG-2
//! let mut pring = Pring::allocate(Side::Tx, allocated as u32)?;
//! vring.dump(Side::Tx, &mut pring, &Dump { padded: Some(8), scratch: 0x8000, free: false })?;
//! assert_eq!(pring.used(), 8); // six descriptors, two no-ops (DUMP-3)
//! # Ok::<(), udma::vring::Error>(())
//! ```

pub mod cache;
pub mod dump;
pub mod edit;
pub mod error;
pub mod gate;
pub mod layout;
pub mod name;
pub mod pack;
pub mod pages;
pub mod pring;
pub mod rows;
pub mod script;
pub mod set;
pub mod template;
pub mod transfer;

pub use cache::TemplateCache;
pub use dump::Dump;
pub use edit::Semaphore;
pub use error::Error;
pub use gate::PageGate;
pub use name::Name;
pub use pack::{Packed, PacketLimits};
pub use pages::{CAP, Half, PAGE_DESCS};
pub use pring::{Pring, PringType, pring_size};
pub use rows::{Difference, Row};
pub use set::VringSet;
pub use template::Symbol;
pub use transfer::Transfer;

use crate::desc::Desc;
use crate::fault::mutant;
use crate::io::Side;

/// A virtual ring (VRNG-1).
#[derive(Debug)]
pub struct Vring {
    /// Name, at most 255 bytes.
    name: Name,
    /// Descriptors that read sources.
    tx: Half,
    /// Descriptors that write destinations.
    rx: Half,
    /// Bytes of all transfers and packets added, TX side (XFER-3).
    total_tx: u64,
    /// The same of the RX side.
    total_rx: u64,
    /// Handed on to whoever programs the compute engines; nothing here looks at it.
    stochastic_rounding: bool,
    /// Asked before every page.
    gate: PageGate,
}

impl Vring {
    /// An empty vring. A name longer than 255 bytes is cut (VRNG-1).
    pub fn new(name: &str) -> Self {
        Self {
            name: Name::new(name),
            tx: Half::new(),
            rx: Half::new(),
            total_tx: 0,
            total_rx: 0,
            stochastic_rounding: false,
            gate: PageGate::open(),
        }
    }

    /// Name.
    pub const fn name(&self) -> &Name {
        &self.name
    }

    /// One half.
    #[inline]
    pub const fn half(&self, side: Side) -> &Half {
        match side {
            Side::Tx => &self.tx,
            Side::Rx => &self.rx,
        }
    }

    #[inline]
    pub(crate) fn half_mut(&mut self, side: Side) -> &mut Half {
        match side {
            Side::Tx => &mut self.tx,
            Side::Rx => &mut self.rx,
        }
    }

    /// Bytes of all transfers and packets added so far, per side (XFER-3). Freeing does not touch
    /// them (VRNG-7).
    pub const fn total(&self, side: Side) -> u64 {
        match side {
            Side::Tx => self.total_tx,
            Side::Rx => self.total_rx,
        }
    }

    /// The stochastic-rounding flag.
    pub const fn stochastic_rounding(&self) -> bool {
        self.stochastic_rounding
    }

    /// Sets the stochastic-rounding flag.
    pub fn set_stochastic_rounding(&mut self, on: bool) {
        self.stochastic_rounding = on;
    }

    /// Replaces what is asked before every page from now on.
    pub fn set_page_gate(&mut self, gate: PageGate) {
        self.gate = gate;
    }

    /// Appends one descriptor as it is to one half; no total grows.
    ///
    /// # Errors
    /// [`Error::QueueFull`], [`Error::NoMemory`]; nothing changes (VRNG-4).
    #[inline]
    pub fn add_raw(&mut self, side: Side, desc: Desc) -> Result<(), Error> {
        let gate = self.gate.clone();
        self.half_mut(side).push(&gate, desc)
    }

    /// A copy of every page and all counters (VRNG-7). It has the same page gate.
    ///
    /// # Errors
    /// [`Error::NoMemory`].
    pub fn deep_copy(&self) -> Result<Self, Error> {
        let tx = self.tx.deep_copy(&self.gate)?;
        let rx = self.rx.deep_copy(&self.gate)?;
        let counted = !mutant(211);
        Ok(Self {
            name: self.name,
            tx,
            rx,
            total_tx: if counted { self.total_tx } else { 0 },
            total_rx: if counted { self.total_rx } else { 0 },
            stochastic_rounding: self.stochastic_rounding,
            gate: self.gate.clone(),
        })
    }

    /// Frees both halves; may be repeated (VRNG-7).
    pub fn free(&mut self) {
        self.tx.free();
        self.rx.free();
    }

    /// Grants pages for descriptors to come, in both halves or in none (VRNG-4): the page that is
    /// refused takes those granted before it along.
    fn reserve(&mut self, tx: u32, rx: u32) -> Result<(), Error> {
        let granted = self
            .tx
            .reserve(&self.gate, tx)
            .and_then(|()| self.rx.reserve(&self.gate, rx));
        if granted.is_err() && !mutant(206) {
            self.tx.trim();
            self.rx.trim();
        }
        granted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arch;

    fn vring_of(pairs: u64) -> Vring {
        let mut vring = Vring::new("v");
        vring
            .add_transfer(
                Arch::Cayman,
                &Transfer {
                    src: 0,
                    dst: 1 << 44,
                    size: pairs << 16,
                    ordered: false,
                },
            )
            .unwrap();
        vring
    }

    #[test]
    fn a_copy_stands_alone() {
        let mut vring = vring_of(3);
        vring.set_stochastic_rounding(true);
        vring.mark_template(7);
        let mut copy = vring.deep_copy().unwrap();
        for side in [Side::Tx, Side::Rx] {
            assert!(copy.half(side).iter().eq(vring.half(side).iter()));
            assert_eq!(copy.total(side), 3 << 16);
            assert_eq!(copy.half(side).max_var_id(), 7);
            assert!(copy.half(side).is_template());
        }
        assert!(copy.stochastic_rounding());
        copy.free();
        copy.free();
        assert_eq!(copy.half(Side::Tx).used(), 0);
        assert_eq!(vring.half(Side::Tx).used(), 3);
    }

    #[test]
    fn a_copy_that_gets_no_page_is_none() {
        let mut vring = vring_of(65537);
        vring.set_page_gate(PageGate::budget(3));
        assert_eq!(vring.deep_copy().unwrap_err(), Error::NoMemory);
        assert_eq!(vring.half(Side::Rx).used(), 65537);
        vring.set_page_gate(PageGate::budget(4));
        assert_eq!(vring.deep_copy().unwrap().half(Side::Rx).used(), 65537);
    }
}
