//! The consumer cursor of a ring, which acks of several threads move at a time (RING-5).

use core::sync::atomic::{AtomicU32, Ordering};

/// What the cursor needs of an atomic word: the operations of [`AtomicU32`] by the same names, so
/// that the tests can put one in whose interleavings are searched.
pub(crate) trait AtomicWord {
    fn load(&self, order: Ordering) -> u32;
    fn compare_exchange_weak(
        &self,
        current: u32,
        new: u32,
        success: Ordering,
        failure: Ordering,
    ) -> Result<u32, u32>;
}

impl AtomicWord for AtomicU32 {
    fn load(&self, order: Ordering) -> u32 {
        self.load(order)
    }

    fn compare_exchange_weak(
        &self,
        current: u32,
        new: u32,
        success: Ordering,
        failure: Ordering,
    ) -> Result<u32, u32> {
        self.compare_exchange_weak(current, new, success, failure)
    }
}

/// The cursor: an index into the ring.
#[derive(Debug)]
pub(crate) struct Consumer<A = AtomicU32>(A);

impl Consumer {
    /// A cursor at `index`.
    pub(crate) const fn at(index: u32) -> Self {
        Self(AtomicU32::new(index))
    }
}

impl Clone for Consumer {
    fn clone(&self) -> Self {
        Self(AtomicU32::new(self.get()))
    }
}

impl<A: AtomicWord> Consumer<A> {
    /// The index. What the acks that led to it were made for has happened before.
    pub(crate) fn get(&self) -> u32 {
        self.0.load(Ordering::Acquire)
    }

    /// Slots from `producer`, modulo the ring, up to the index (RING-2).
    pub(crate) fn free(&self, producer: u32, mask: u32) -> u32 {
        self.get().wrapping_sub(producer) & mask
    }

    /// Moves on by `count`, modulo the ring, by compare-and-swap: of concurrent acks none is lost.
    pub(crate) fn ack(&self, count: u32, mask: u32) {
        let mut seen = self.0.load(Ordering::Relaxed);
        loop {
            let next = seen.wrapping_add(count) & mask;
            match self
                .0
                .compare_exchange_weak(seen, next, Ordering::AcqRel, Ordering::Relaxed)
            {
                Ok(_) => return,
                Err(now) => seen = now,
            }
        }
    }
}

/// Every interleaving of a few threads.
#[cfg(test)]
mod tests {
    use super::*;
    use alloc::sync::Arc;
    use alloc::vec::Vec;
    use shuttle::sync::atomic::AtomicU32 as Searched;
    use shuttle::{check_dfs, thread};

    const MASK: u32 = 31;

    impl AtomicWord for Searched {
        fn load(&self, order: Ordering) -> u32 {
            self.load(order)
        }

        fn compare_exchange_weak(
            &self,
            current: u32,
            new: u32,
            success: Ordering,
            failure: Ordering,
        ) -> Result<u32, u32> {
            self.compare_exchange_weak(current, new, success, failure)
        }
    }

    /// The belief that looking and storing is as good.
    struct LoadThenStore(Searched);

    impl AtomicWord for LoadThenStore {
        fn load(&self, order: Ordering) -> u32 {
            self.0.load(order)
        }

        fn compare_exchange_weak(
            &self,
            current: u32,
            new: u32,
            _: Ordering,
            failure: Ordering,
        ) -> Result<u32, u32> {
            match self.0.load(failure) {
                seen if seen == current => {
                    self.0.store(new, Ordering::Release);
                    Ok(seen)
                }
                seen => Err(seen),
            }
        }
    }

    /// Three acks at a time, over the wrap of a ring of 32.
    fn concurrent_acks<A: AtomicWord + Send + Sync + 'static>(word: fn(Searched) -> A) {
        let search = move || {
            let consumer = Arc::new(Consumer(word(Searched::new(27))));
            let threads: Vec<_> = [3, 5]
                .map(|count| {
                    let consumer = Arc::clone(&consumer);
                    thread::spawn(move || consumer.ack(count, MASK))
                })
                .into();
            consumer.ack(1, MASK);
            for thread in threads {
                thread.join().unwrap();
            }
            assert_eq!(consumer.get(), (27 + 3 + 5 + 1) & MASK, "a count was lost");
        };
        check_dfs(search, None);
    }

    /// Two acks of one slot each while the producer takes what is free. The ring begins full: 16
    /// slots from 31 on are out, and 16 are the guard gap.
    fn acks_and_takes<A: AtomicWord + Send + Sync + 'static>(word: fn(Searched) -> A) {
        let search = move || {
            let consumer = Arc::new(Consumer(word(Searched::new(31))));
            let mut producer = 15u32;
            let threads: Vec<_> = [1, 2]
                .map(|count| {
                    let consumer = Arc::clone(&consumer);
                    thread::spawn(move || consumer.ack(count, MASK))
                })
                .into();
            let mut taken = 0;
            for _ in 0..2 {
                let free = consumer.free(producer + 16, MASK);
                taken += free;
                assert!(taken <= 3, "{taken} slots of 3 acknowledged ones were free");
                producer += free;
            }
            for thread in threads {
                thread.join().unwrap();
            }
            let left = consumer.free(producer + 16, MASK);
            assert_eq!(taken + left, 3, "a count was lost");
        };
        check_dfs(search, None);
    }

    #[test]
    fn no_count_is_lost_by_concurrent_acks() {
        concurrent_acks(|word| word);
    }

    #[test]
    fn no_count_is_lost_by_acks_during_takes() {
        acks_and_takes(|word| word);
    }

    #[test]
    #[should_panic(expected = "a count was lost")]
    fn a_load_and_a_store_lose_a_count() {
        concurrent_acks(LoadThenStore);
    }

    #[test]
    #[should_panic(expected = "a count was lost")]
    fn a_load_and_a_store_lose_a_count_during_takes() {
        acks_and_takes(LoadThenStore);
    }
}
