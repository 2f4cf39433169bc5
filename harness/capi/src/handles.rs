//! Handles. Each is a number that is looked up, never followed, and is given once: a stale or foreign
//! one is refused, whatever it was of.

use core::ffi::c_void;
use core::ptr;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

static LAST: AtomicUsize = AtomicUsize::new(0);

/// What is open of one kind.
pub struct Table<T>(Mutex<BTreeMap<usize, Arc<Mutex<T>>>>);

impl<T> Table<T> {
    /// Nothing.
    pub const fn new() -> Self {
        Self(Mutex::new(BTreeMap::new()))
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<usize, Arc<Mutex<T>>>> {
        // Nothing panics between two changes of the table.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Handle of a value from now on.
    pub fn open(&self, value: T) -> *mut c_void {
        let number = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        self.lock().insert(number, Arc::new(Mutex::new(value)));
        ptr::without_provenance_mut(number)
    }

    /// Ends a handle; none for one that is not open. What is in use elsewhere ends with that use.
    pub fn close(&self, handle: *mut c_void) -> Option<()> {
        let mut open = self.lock();
        let closed = open.remove(&handle.addr());
        if open.is_empty() {
            // An emptied map keeps a node, which would be lost when the library is unloaded.
            *open = BTreeMap::new();
        }
        drop(open);
        closed.map(drop)
    }

    /// Works on what is open; none for a handle that is not, or is in use.
    pub fn on<R>(&self, handle: *mut c_void, work: impl FnOnce(&mut T) -> Option<R>) -> Option<R> {
        let opened = self.lock().get(&handle.addr()).cloned()?;
        let mut opened = opened.try_lock().ok()?;
        work(&mut opened)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_of_one_table_and_ends() {
        let (numbers, texts) = (Table::new(), Table::new());
        let number = numbers.open(7);
        let text = texts.open("seven");
        assert_eq!(numbers.on(number, |value| Some(*value)), Some(7));
        assert_eq!(numbers.on(text, |value| Some(*value)), None);
        assert_eq!(texts.on(ptr::null_mut(), |value| Some(*value)), None);
        assert_eq!(
            (numbers.close(text), numbers.close(number)),
            (None, Some(()))
        );
        assert_eq!(numbers.close(number), None);
        assert_ne!(numbers.open(7), number);
    }

    #[test]
    fn what_is_in_use_is_refused() {
        let numbers = Table::new();
        let number = numbers.open(7);
        let inside = numbers.on(number, |_| Some(numbers.on(number, |value| Some(*value))));
        assert_eq!(inside, Some(None));
    }
}
