//! Planted wrong beliefs: compiled in under the `mutants` feature alone, to show that the suite
//! catches each of them. Without the feature every test of a number is the constant `false`.

/// Whether this build contains the planted beliefs.
pub const COMPILED_IN: bool = cfg!(feature = "mutants");

#[cfg(feature = "mutants")]
mod chosen {
    use core::sync::atomic::{AtomicU32, Ordering};

    static CHOSEN: AtomicU32 = AtomicU32::new(0);

    /// Chooses the belief that is wrong from now on; 0 for none.
    pub fn choose(number: u32) {
        CHOSEN.store(number, Ordering::Relaxed);
    }

    /// Whether belief `number` is the wrong one.
    #[inline]
    pub(crate) fn mutant(number: u32) -> bool {
        CHOSEN.load(Ordering::Relaxed) == number
    }
}

#[cfg(feature = "mutants")]
pub use chosen::choose;
#[cfg(feature = "mutants")]
pub(crate) use chosen::mutant;

/// Always false: this build holds no planted belief.
#[cfg(not(feature = "mutants"))]
#[inline(always)]
#[allow(clippy::inline_always)] // must vanish from the builders' inner loop in every profile
pub(crate) const fn mutant(_number: u32) -> bool {
    false
}
