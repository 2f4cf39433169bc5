//! Permission for pages: what lets a test or a caller refuse an allocation.

use alloc::sync::Arc;
use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering};

/// Asked once before every page is allocated; a refusal has the effect of failed memory (VRNG-4).
/// Clones ask the same source.
#[derive(Clone, Default)]
pub struct PageGate(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl PageGate {
    /// Every page is granted.
    pub const fn open() -> Self {
        Self(None)
    }

    /// Grants `pages` more pages, then none.
    pub fn budget(pages: u32) -> Self {
        let left = AtomicU32::new(pages);
        Self::asking(move || {
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                left.checked_sub(1)
            })
            .is_ok()
        })
    }

    /// Asks a function.
    pub fn asking(grant: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(grant)))
    }

    pub(crate) fn grants(&self) -> bool {
        self.0.as_ref().is_none_or(|grant| grant())
    }
}

impl fmt::Debug for PageGate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "PageGate(asking)"
        } else {
            "PageGate(open)"
        })
    }
}
