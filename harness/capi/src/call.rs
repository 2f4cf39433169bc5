//! The boundary: panics end here, and the caller's memory is reached by value alone, so that no
//! reference is ever made to memory that is shared, overlapping or not filled.

use core::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use udma_reference::abi::UDMA_NOT_OFFERED;

/// Most elements of one call; more is a count that went wrong.
pub const MOST: u32 = 1 << 24;

/// Code of a call: 0, or that the operation is not offered, which is also what a panic becomes.
pub fn call(body: impl FnOnce() -> Option<()>) -> i32 {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Some(())) => 0,
        Ok(None) | Err(_) => UDMA_NOT_OFFERED,
    }
}

/// A small number; one that does not fit is an unknown one.
pub fn narrow(number: u32) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

/// A name, whatever its bytes: of what is no text, none.
///
/// # Safety
/// Null, or terminated.
pub unsafe fn text<'a>(name: *const c_char) -> Option<&'a str> {
    // SAFETY: as asked of this function's caller.
    (!name.is_null())
        .then(|| unsafe { CStr::from_ptr(name) })?
        .to_str()
        .ok()
}

/// Whether `n` elements may lie there: none at all, or an aligned pointer and a sane count.
fn plausible<T>(pointer: *const T, n: u32) -> bool {
    let bytes = n as usize * size_of::<T>();
    n == 0
        || !pointer.is_null()
            && pointer.is_aligned()
            && n <= MOST
            && pointer.addr().checked_add(bytes).is_some()
}

/// Elements of the caller that are read.
#[derive(Clone, Copy)]
pub struct In<T> {
    pointer: *const T,
    count: u32,
}

impl<T: Copy> In<T> {
    /// `count` elements; none where that cannot be.
    ///
    /// # Safety
    /// Unless the pointer is null, that many filled elements lie there for as long as the value is
    /// used.
    pub unsafe fn new(pointer: *const T, count: u32) -> Option<Self> {
        plausible(pointer, count).then_some(Self { pointer, count })
    }

    /// One element.
    ///
    /// # Safety
    /// As [`In::new`].
    pub unsafe fn one(pointer: *const T) -> Option<Self> {
        // SAFETY: the same is asked of this function's caller.
        unsafe { Self::new(pointer, 1) }
    }

    /// Copy of an element.
    pub fn get(&self, index: u32) -> T {
        assert!(index < self.count);
        // SAFETY: inside the elements promised to `new`.
        unsafe { self.pointer.add(index as usize).read() }
    }

    /// Copies of all.
    pub fn all(&self) -> Vec<T> {
        // SAFETY: that many filled elements were promised to `new`.
        unsafe { copies(self.pointer, self.count) }
    }
}

/// Copies of `count` elements.
///
/// # Safety
/// That many filled elements lie there.
unsafe fn copies<T: Copy>(pointer: *const T, count: u32) -> Vec<T> {
    let count = count as usize;
    let mut copies = Vec::with_capacity(count);
    // SAFETY: the caller promises what is read; there is room for it, in memory of its own.
    unsafe {
        ptr::copy_nonoverlapping(pointer, copies.as_mut_ptr(), count);
        copies.set_len(count);
    }
    copies
}

/// Elements of the caller that are written, and read where they were filled.
#[derive(Clone, Copy)]
pub struct InOut<T> {
    pointer: *mut T,
    count: u32,
}

impl<T: Copy> InOut<T> {
    /// `count` elements; none where that cannot be.
    ///
    /// # Safety
    /// Unless the pointer is null, there is room for that many elements for as long as the value is
    /// used; those that are read were filled.
    pub unsafe fn new(pointer: *mut T, count: u32) -> Option<Self> {
        plausible(pointer, count).then_some(Self { pointer, count })
    }

    /// One element.
    ///
    /// # Safety
    /// As [`InOut::new`].
    pub unsafe fn one(pointer: *mut T) -> Option<Self> {
        // SAFETY: the same is asked of this function's caller.
        unsafe { Self::new(pointer, 1) }
    }

    /// Pointer to an element.
    pub fn at(&self, index: u32) -> *mut T {
        assert!(index < self.count);
        // SAFETY: inside the elements promised to `new`.
        unsafe { self.pointer.add(index as usize) }
    }

    /// Copy of an element that the caller filled.
    pub fn get(&self, index: u32) -> T {
        // SAFETY: `at` checked the index, and what is read was filled.
        unsafe { self.at(index).read() }
    }

    /// Copies of all.
    pub fn all(&self) -> Vec<T> {
        // SAFETY: that many elements were promised to `new`; what is read was filled.
        unsafe { copies(self.pointer, self.count) }
    }

    /// Writes an element.
    pub fn set_at(&self, index: u32, value: T) {
        // SAFETY: `at` checked the index.
        unsafe { self.at(index).write(value) }
    }

    /// Writes the first element.
    pub fn set(&self, value: T) {
        self.set_at(0, value);
    }

    /// Writes elements from the first on.
    pub fn set_all(&self, values: &[T]) {
        assert!(values.len() <= self.count as usize);
        // SAFETY: inside the elements promised to `new`; `values` lie in memory of our own.
        unsafe { ptr::copy_nonoverlapping(values.as_ptr(), self.pointer, values.len()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_code() {
        assert_eq!(call(|| panic!("expected by the test")), UDMA_NOT_OFFERED);
        assert_eq!(call(|| None), UDMA_NOT_OFFERED);
        assert_eq!(call(|| Some(())), 0);
    }

    #[test]
    fn what_cannot_be_is_not_looked_at() {
        let words = [7_u32; 4];
        let pointer = words.as_ptr();
        assert!(plausible(pointer, 4) && plausible::<u32>(core::ptr::null(), 0));
        assert!(!plausible::<u32>(core::ptr::null(), 1));
        assert!(!plausible(pointer.wrapping_byte_add(1), 1));
        assert!(!plausible(pointer, MOST + 1));
        let near_the_end = core::ptr::without_provenance::<u32>(usize::MAX - 7);
        assert!(!plausible(near_the_end, 4));
    }
}
