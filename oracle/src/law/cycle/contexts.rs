//! The context queue of 2.27.4.0 (ZC-8), by what each cursor means.

use std::collections::VecDeque;

use super::super::word::ENOMEM;
use super::Driver;
use super::pages::{EFAULT, ENOENT, Part, cuts, parts};
use crate::cycle::trace::Aside;
use crate::model::Outside;
use crate::subject::cycle::{Contexts, ZeroCopy};

/// -EBUSY.
const EBUSY: i32 = -16;
/// States of contexts that are told.
const MOST_STATES: u64 = 16;

/// ZC-8, with its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Invalid = 0,
    Unpinned = 1,
    Pinned = 2,
    Submitted = 3,
    Completed = 4,
}

#[derive(Clone, Debug)]
struct Context {
    state: State,
    copy: ZeroCopy,
    id: u64,
    /// None for a synchronous copy.
    tag: Option<u64>,
    part: Part,
    frames: Vec<u64>,
    pairs: u32,
}

/// Every context that ever was, by its cursor.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    completion: u64,
    budget: u64,
    capacity: u64,
    entries: usize,
    contexts: Vec<Context>,
    completions: VecDeque<(u64, i32)>,
    pinned: u64,
    copies: u64,
    failed: Option<(u64, i32)>,
}

impl Queue {
    pub(super) fn open(open: &Contexts) -> Self {
        Self {
            completion: open.completion,
            budget: open.budget,
            capacity: open.capacity.into(),
            entries: open.entries as usize,
            ..Self::default()
        }
    }

    fn tail(&self) -> u64 {
        self.contexts.len() as u64
    }

    fn first(&self, wanted: impl Fn(State) -> bool) -> Option<u64> {
        let at = self
            .contexts
            .iter()
            .position(|context| wanted(context.state));
        at.map(|at| at as u64)
    }

    /// Head, first pinned-unsubmitted, first unpinned, tail.
    fn cursors(&self) -> [u64; 4] {
        let tail = self.tail();
        let unpinned = self.first(|state| state == State::Unpinned).unwrap_or(tail);
        let pinned = self
            .first(|state| state == State::Pinned)
            .unwrap_or(unpinned);
        let head = self.first(|state| state != State::Invalid).unwrap_or(tail);
        [head, pinned, unpinned, tail]
    }

    fn free(&self) -> u64 {
        self.capacity - (self.tail() - self.cursors()[0])
    }

    /// A value, then cursors and pinned pages.
    pub(super) fn state(&self, value: i64) -> Vec<i64> {
        let cursors = self.cursors().map(|cursor| cursor as i64);
        [&[value], &cursors[..], &[self.pinned as i64]].concat()
    }

    /// States by index.
    pub(super) fn states(&self) -> Vec<i64> {
        let state = |index: u64| {
            let latest = (0..self.tail())
                .rev()
                .find(|cursor| cursor % self.capacity == index);
            latest.map_or(0, |cursor| self.contexts[cursor as usize].state as i64)
        };
        (0..self.capacity.min(MOST_STATES)).map(state).collect()
    }

    pub(super) fn pop_all(&mut self) -> Vec<i64> {
        let all = self.completions.drain(..);
        all.flat_map(|(tag, code)| [tag as i64, code.into()])
            .collect()
    }

    fn complete(&mut self, tag: u64, code: i32) -> bool {
        let room = self.completions.len() < self.entries;
        if room {
            self.completions.push_back((tag, code));
        }
        room
    }

    fn push(&mut self, copy: &ZeroCopy, id: u64, tag: Option<u64>, part: Part) {
        self.contexts.push(Context {
            state: State::Unpinned,
            copy: *copy,
            id,
            tag,
            part,
            frames: Vec::new(),
            pairs: 0,
        });
    }

    /// Steps 1 and 5 of a round.
    fn release(&mut self) {
        while let Some(at) = self.first(|state| state != State::Invalid) {
            let context = &self.contexts[at as usize];
            if context.state != State::Completed {
                return;
            }
            let ended = context.tag.filter(|_| context.part.is_last);
            if ended.is_some_and(|tag| !self.complete(tag, 0)) {
                return;
            }
            self.contexts[at as usize].state = State::Invalid;
        }
    }
}

impl Driver<'_> {
    pub(super) fn enqueue(&mut self, copy: &ZeroCopy, tag: u64) -> i32 {
        if copy.core != self.run.setup.core {
            return ENOENT;
        }
        let queue = &mut self.contexts;
        if copy.size == 0 {
            return if queue.complete(tag, 0) { 0 } else { EBUSY };
        }
        let parts = parts(copy.user, copy.size);
        if parts.len() as u64 > queue.free() {
            return EBUSY;
        }
        queue.copies += 1;
        for part in parts {
            queue.push(copy, queue.copies, Some(tag), part);
        }
        0
    }

    pub(super) fn contexts_copy(&mut self, copy: &ZeroCopy) -> Result<i32, Outside> {
        if copy.core != self.run.setup.core {
            return Ok(ENOENT);
        }
        self.contexts.copies += 1;
        let id = self.contexts.copies;
        let mut parts = VecDeque::from(parts(copy.user, copy.size));
        if parts.is_empty() {
            return Ok(0);
        }
        loop {
            while self.contexts.free() > 0
                && let Some(part) = parts.pop_front()
            {
                self.contexts.push(copy, id, None, part);
            }
            let moved = self.round()?;
            if let Some((_, code)) = self.contexts.failed.take_if(|(failed, _)| *failed == id) {
                return Ok(code);
            }
            let is_open = |context: &Context| {
                context.id == id && !matches!(context.state, State::Invalid | State::Completed)
            };
            if parts.is_empty() && !self.contexts.contexts.iter().any(is_open) {
                return Ok(0);
            }
            if !moved {
                // Nothing of it may be rung once the call is over.
                self.end_copy(id);
                return Ok(EBUSY);
            }
        }
    }

    /// One round: whether something was waited for or a cursor moved.
    pub(super) fn round(&mut self) -> Result<bool, Outside> {
        let before = self.contexts.cursors();
        self.contexts.release();
        self.pin_contexts();
        self.submit_contexts()?;
        let waited = self.await_oldest()?;
        self.contexts.release();
        Ok(waited || before != self.contexts.cursors())
    }

    fn pin_contexts(&mut self) {
        while let Some(at) = self.contexts.first(|state| state == State::Unpinned) {
            let at = at as usize;
            let part = self.contexts.contexts[at].part;
            let pages = u64::from(part.pages());
            if self.contexts.pinned + pages > self.contexts.budget {
                return;
            }
            if let Some(frames) = self.pin(&part) {
                self.contexts.pinned += pages;
                let context = &mut self.contexts.contexts[at];
                context.frames = frames;
                context.state = State::Pinned;
            } else {
                self.fail(at, EFAULT);
            }
        }
    }

    fn submit_contexts(&mut self) -> Result<(), Outside> {
        while let Some(at) = self.contexts.first(|state| state == State::Pinned) {
            let cursor = at;
            let at = at as usize;
            let Context {
                copy, part, frames, ..
            } = self.contexts.contexts[at].clone();
            let pairs = cuts(&part, &frames).len() as i64 + 1;
            if self.queue.rings.iter().any(|ring| ring.available() < pairs) {
                if self
                    .contexts
                    .first(|state| state == State::Submitted)
                    .is_some()
                {
                    return Ok(());
                }
                self.fail(at, ENOMEM);
                continue;
            }
            let completion = self.contexts.completion + 8 * (cursor % self.contexts.capacity);
            match self.send_part(&copy, &part, &frames, completion)? {
                Ok(pairs) => {
                    let context = &mut self.contexts.contexts[at];
                    context.pairs = pairs;
                    context.state = State::Submitted;
                }
                Err(code) => self.fail(at, code),
            }
        }
        Ok(())
    }

    fn await_oldest(&mut self) -> Result<bool, Outside> {
        let Some(cursor) = self.contexts.first(|state| state == State::Submitted) else {
            return Ok(false);
        };
        let at = cursor as usize;
        let Context { part, pairs, .. } = self.contexts.contexts[at];
        let completion = self.contexts.completion + 8 * (cursor % self.contexts.capacity);
        if self.await_marker(completion, pairs, true)? {
            self.aside(Aside::Unpin(part.page(), part.pages()));
            self.contexts.pinned -= u64::from(part.pages());
            self.contexts.contexts[at].state = State::Completed;
        } else {
            self.fail(at, self.timeout());
        }
        Ok(true)
    }

    /// Ends the copy of a context with a code.
    fn fail(&mut self, at: usize, code: i32) {
        let Context { id, tag, .. } = self.contexts.contexts[at];
        self.end_copy(id);
        match tag {
            Some(tag) => {
                self.contexts.complete(tag, code); // or lost
            }
            None => self.contexts.failed = Some((id, code)),
        }
    }

    /// Tombstones in place of a copy's contexts; what was rung stays pinned and counted.
    fn end_copy(&mut self, id: u64) {
        for at in 0..self.contexts.contexts.len() {
            let Context {
                id: of,
                state,
                part,
                ..
            } = self.contexts.contexts[at];
            if of != id || state == State::Invalid {
                continue;
            }
            if state == State::Pinned {
                self.aside(Aside::Unpin(part.page(), part.pages()));
                self.contexts.pinned -= u64::from(part.pages());
            }
            self.contexts.contexts[at].state = State::Invalid;
        }
    }
}
