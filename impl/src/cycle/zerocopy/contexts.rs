//! The context queue of 2.27.4.0: states, cursors, tombstones, pin budget (ZC-8).

use alloc::vec;
use alloc::vec::Vec;

use super::Request;
use super::steps::Step;
use crate::fault::mutant;

/// Contexts of the queue.
pub const CONTEXTS: usize = 1024;
/// Pages that may be pinned at a time.
pub const PIN_BUDGET: u64 = 524_288;

/// State of a context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum State {
    /// Not used; between head and tail a tombstone.
    #[default]
    Invalid = 0,
    /// Its pages are not pinned yet.
    Unpinned = 1,
    /// Pinned, not rung.
    PinnedUnsubmitted = 2,
    /// Rung.
    Submitted = 3,
    /// Its marker was seen; not released yet.
    Completed = 4,
}

/// One step of a copy on its way.
#[derive(Clone, Debug)]
pub struct Context {
    /// Where it stands.
    pub state: State,
    /// The copy that it is part of.
    pub request: Request,
    /// The copy, counted by the queue: all contexts of one copy have the same.
    pub id: u64,
    /// What a completion of the copy is reported under; none for a synchronous one.
    pub tag: Option<u64>,
    /// The step.
    pub step: Step,
    /// CPU physical addresses of its pages, once pinned.
    pub frames: Vec<u64>,
    /// Pairs rung.
    pub pairs: u32,
}

impl Context {
    const fn unused() -> Self {
        Self {
            state: State::Invalid,
            request: Request {
                user: 0,
                device: 0,
                size: 0,
                to_device: false,
                core: 0,
            },
            id: 0,
            tag: None,
            step: Step {
                user: 0,
                bytes: 0,
                moved: 0,
                is_last: false,
            },
            frames: Vec::new(),
            pairs: 0,
        }
    }
}

/// Contexts in order of submission. Cursors count up without end; a context lies at its cursor
/// modulo the capacity. `head ≤ first_pinned ≤ first_unpinned ≤ tail` always holds.
#[derive(Debug)]
pub struct ContextQueue {
    contexts: Vec<Context>,
    /// Oldest context that is not released.
    head: u64,
    /// First context that is pinned and not rung.
    first_pinned: u64,
    /// First context that is not pinned.
    first_unpinned: u64,
    /// Where the next context goes.
    tail: u64,
    /// Pages pinned now.
    pinned: u64,
    /// Most of them.
    budget: u64,
}

impl Default for ContextQueue {
    /// The driver's: 1024 contexts, 524288 pages.
    fn default() -> Self {
        Self::new(CONTEXTS, PIN_BUDGET)
    }
}

impl ContextQueue {
    /// A queue of `capacity` contexts, at least one, and a budget of pages.
    pub fn new(capacity: usize, budget: u64) -> Self {
        Self {
            contexts: vec![Context::unused(); capacity.max(1)],
            head: 0,
            first_pinned: 0,
            first_unpinned: 0,
            tail: 0,
            pinned: 0,
            budget,
        }
    }

    /// Head, first pinned-unsubmitted, first unpinned, tail.
    pub const fn cursors(&self) -> [u64; 4] {
        [self.head, self.first_pinned, self.first_unpinned, self.tail]
    }

    /// Contexts.
    pub fn capacity(&self) -> usize {
        self.contexts.len()
    }

    /// Places from tail to head; a tombstone takes one.
    pub fn free(&self) -> usize {
        self.capacity() - (self.tail - self.head) as usize
    }

    /// Pages pinned now.
    pub const fn pinned(&self) -> u64 {
        self.pinned
    }

    /// Index in memory of the context at a cursor: its completion buffer has the same.
    pub fn index(&self, cursor: u64) -> usize {
        (cursor % self.contexts.len() as u64) as usize
    }

    /// The context at a cursor.
    pub fn get(&self, cursor: u64) -> &Context {
        &self.contexts[self.index(cursor)]
    }

    fn get_mut(&mut self, cursor: u64) -> &mut Context {
        let index = self.index(cursor);
        &mut self.contexts[index]
    }

    /// Adds a context, unpinned; false when the queue is full.
    pub fn push(&mut self, request: Request, id: u64, tag: Option<u64>, step: Step) -> bool {
        if self.free() == 0 {
            return false;
        }
        let tail = self.tail;
        *self.get_mut(tail) = Context {
            state: State::Unpinned,
            request,
            id,
            tag,
            step,
            frames: Vec::new(),
            pairs: 0,
        };
        self.tail += 1;
        true
    }

    /// The context to be pinned next, if the budget holds its pages.
    pub fn next_to_pin(&self) -> Option<u64> {
        let context = self.at(self.first_unpinned, State::Unpinned)?;
        let pages = self.pinned + context.step.pages() as u64;
        (pages <= self.budget || mutant(179)).then_some(self.first_unpinned)
    }

    /// The context to be rung next.
    pub fn next_to_submit(&self) -> Option<u64> {
        self.at(self.first_pinned, State::PinnedUnsubmitted)
            .map(|_| self.first_pinned)
    }

    /// The oldest context that is not released.
    pub fn oldest(&self) -> Option<u64> {
        (self.head < self.tail).then_some(self.head)
    }

    fn at(&self, cursor: u64, state: State) -> Option<&Context> {
        (cursor < self.tail)
            .then(|| self.get(cursor))
            .filter(|context| context.state == state)
    }

    /// The context at [`Self::next_to_pin`] was pinned.
    pub fn pin(&mut self, cursor: u64, frames: Vec<u64>) {
        self.pinned += frames.len() as u64;
        let context = self.get_mut(cursor);
        context.frames = frames;
        context.state = State::PinnedUnsubmitted;
        self.advance();
    }

    /// The context at [`Self::next_to_submit`] was rung with `pairs` pairs.
    pub fn submit(&mut self, cursor: u64, pairs: u32) {
        let context = self.get_mut(cursor);
        context.pairs = pairs;
        context.state = State::Submitted;
        self.advance();
    }

    /// The marker of a context was seen and its pages were unpinned: they leave the budget.
    pub fn complete(&mut self, cursor: u64) {
        let context = self.get_mut(cursor);
        let pages = core::mem::take(&mut context.frames).len() as u64;
        context.state = State::Completed;
        if !mutant(181) {
            self.pinned -= pages;
        }
    }

    /// Releases a context: a tombstone until the head has passed it. `pages_back` is false where
    /// its pages must stay pinned.
    pub fn release(&mut self, cursor: u64, pages_back: bool) {
        let context = self.get_mut(cursor);
        let pages = core::mem::take(&mut context.frames).len() as u64;
        context.state = State::Invalid;
        if pages_back {
            self.pinned -= pages;
        }
        self.advance();
    }

    /// Moves each cursor to what it stands for, over tombstones and over what is past it.
    fn advance(&mut self) {
        while self.head < self.tail && self.get(self.head).state == State::Invalid {
            self.head += 1;
        }
        self.first_unpinned = self.first_unpinned.max(self.head);
        while self.first_unpinned < self.tail {
            match self.get(self.first_unpinned).state {
                State::Unpinned => break,
                State::Invalid if mutant(178) => break,
                _ => self.first_unpinned += 1,
            }
        }
        self.first_pinned = self.first_pinned.max(self.head);
        while self.first_pinned < self.first_unpinned
            && self.get(self.first_pinned).state != State::PinnedUnsubmitted
        {
            self.first_pinned += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step() -> Step {
        Step {
            user: 0,
            bytes: 2 * 4096,
            moved: 0,
            is_last: true,
        }
    }

    fn queue(capacity: usize, budget: u64, count: u64) -> ContextQueue {
        let mut queue = ContextQueue::new(capacity, budget);
        for id in 0..count {
            assert!(queue.push(Context::unused().request, id, None, step()));
        }
        queue
    }

    #[test]
    fn the_budget_holds_pinning_back_until_pages_come_back() {
        let mut queue = queue(4, 5, 3);
        for cursor in 0..2 {
            assert_eq!(queue.next_to_pin(), Some(cursor));
            queue.pin(cursor, vec![0; 2]);
        }
        assert_eq!((queue.next_to_pin(), queue.pinned()), (None, 4));
        queue.submit(0, 3);
        queue.complete(0);
        queue.release(0, true);
        assert_eq!((queue.next_to_pin(), queue.pinned()), (Some(2), 2));
        assert_eq!(queue.cursors(), [1, 1, 2, 3]);
    }

    #[test]
    fn cursors_skip_tombstones_and_a_full_queue_takes_nothing() {
        let mut queue = queue(4, 100, 4);
        assert!(!queue.push(Context::unused().request, 9, None, step()));
        queue.release(1, true);
        assert_eq!(queue.free(), 0); // a tombstone still takes a place
        queue.pin(0, vec![0; 2]);
        assert_eq!(queue.next_to_pin(), Some(2));
        assert_eq!(queue.cursors(), [0, 0, 2, 4]);
        queue.submit(0, 3);
        assert_eq!(queue.cursors(), [0, 2, 2, 4]);
        queue.release(0, true);
        assert_eq!((queue.cursors(), queue.free()), ([2, 2, 2, 4], 2));
        // What was pinned and never rung gives its pages back as it is released.
        queue.pin(2, vec![0; 2]);
        assert_eq!(queue.pinned(), 2);
        queue.release(2, true);
        assert_eq!(queue.pinned(), 0);
        queue.release(3, true);
        assert_eq!((queue.cursors(), queue.oldest()), ([4, 4, 4, 4], None));
    }
}
