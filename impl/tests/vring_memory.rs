//! Peak memory of a vring at its cap: at most 1.1 times its descriptors' bytes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use udma::Arch;
use udma::vring::{CAP, Transfer, Vring};

/// Counts what is allocated.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: everything is handed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller's own promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's own promise.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn peak_at_the_cap() {
    let descriptors = 2 * 16 * CAP as usize;
    let chunk = Transfer {
        size: 65536,
        ..Transfer::default()
    };
    let whole = Transfer {
        size: u64::from(CAP) << 16,
        ..chunk
    };
    for one_by_one in [false, true] {
        let before = NOW.load(Ordering::Relaxed);
        PEAK.store(before, Ordering::Relaxed);
        let mut vring = Vring::new("v");
        if one_by_one {
            for _ in 0..CAP {
                vring.add_transfer(Arch::Cayman, &chunk).unwrap();
            }
        } else {
            vring.add_transfer(Arch::Cayman, &whole).unwrap();
        }
        let peak = PEAK.load(Ordering::Relaxed) - before;
        assert!(
            peak * 10 <= descriptors * 11,
            "{peak} bytes for {descriptors}"
        );
        vring.free();
        assert!(
            NOW.load(Ordering::Relaxed) - before < 4096,
            "freeing gives the pages back"
        );
    }
}
