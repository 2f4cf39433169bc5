//! Random choices.

use crate::generate::mix;

/// Random choices that follow from a seed alone.
#[derive(Clone, Debug)]
pub struct Draw {
    seed: u64,
    next: u64,
}

impl Draw {
    /// A fresh sequence.
    pub fn new(seed: u64) -> Self {
        Self { seed, next: 0 }
    }

    /// Any number.
    pub fn any(&mut self) -> u64 {
        self.next += 1;
        mix(self.seed, self.next)
    }

    /// A number below a bound that is not 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.any() % bound
    }

    /// One time in so many.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// One of a list that is not empty.
    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }
}
