//! Zero-copy through the context queue of 2.27.4.0 (ZC-8).

use super::completions::{Completion, CompletionRing};
use super::contexts::{ContextQueue, State};
use super::runs::Cuts;
use super::steps::Steps;
use super::{Request, check_owner, pin, send};
use crate::cycle::marker::{COMPLETION_BYTES, CompletionBuffer};
use crate::cycle::poll;
use crate::cycle::transfer::TransferQueue;
use crate::engine::Udma;
use crate::error::Error;
use crate::io::{Host, Side, UserPages};

/// Copies in flight on one transfer queue: many steps of many copies, in order.
#[derive(Debug)]
pub struct ZeroCopyQueue {
    /// CPU physical address of the completion buffers, 8 bytes a context.
    completion: u64,
    contexts: ContextQueue,
    completions: CompletionRing,
    /// Identity of the next copy.
    next_id: u64,
    /// The synchronous copy that failed last.
    failed: Option<(u64, Error)>,
}

impl ZeroCopyQueue {
    /// A queue with nothing in flight, over `contexts.capacity()` completion buffers of 8 bytes at
    /// CPU physical address `completion`.
    pub const fn new(completion: u64, contexts: ContextQueue, completions: CompletionRing) -> Self {
        Self {
            completion,
            contexts,
            completions,
            next_id: 0,
            failed: None,
        }
    }

    /// The contexts.
    pub const fn contexts(&self) -> &ContextQueue {
        &self.contexts
    }

    /// Where asynchronous completions come out.
    pub const fn completions(&self) -> &CompletionRing {
        &self.completions
    }

    /// Takes an asynchronous copy in; its completion comes out under `tag`. [`Self::advance`] moves
    /// it on. A copy of 0 bytes has no steps and completes at once.
    ///
    /// # Errors
    /// [`Error::NotOwner`] (ZC-7); [`Error::Busy`] where the queue does not hold all of its steps,
    /// or its completion could not be written. Nothing is taken in then.
    pub fn submit(
        &mut self,
        queue: &TransferQueue,
        request: &Request,
        tag: u64,
    ) -> Result<(), Error> {
        check_owner(queue.config(), request.core)?;
        let steps = Steps::new(request.user, request.size);
        let (wanted, free) = (steps.remaining(), self.contexts.free());
        let at_once = wanted == 0;
        if wanted > free as u64 || at_once && !self.completions.push(Completion { tag, result: 0 })
        {
            return Err(Error::Busy { free, wanted });
        }
        let id = self.take_id();
        for step in steps {
            self.contexts.push(*request, id, Some(tag), step);
        }
        Ok(())
    }

    /// Copies and waits. Takes steps in as places come free, behind what is in flight already.
    ///
    /// # Errors
    /// [`Error::NotOwner`]; [`Error::NotPinned`], [`Error::Timeout`] and those of staging, after
    /// which nothing more of this copy is rung; [`Error::Busy`] when steps are left and nothing
    /// moves, for the runtime does not read the completions before them.
    pub fn copy<H: Host + UserPages>(
        &mut self,
        queue: &TransferQueue,
        udma: &mut Udma,
        host: &mut H,
        request: &Request,
    ) -> Result<(), Error> {
        check_owner(queue.config(), request.core)?;
        let id = self.take_id();
        let mut steps = Steps::new(request.user, request.size).peekable();
        loop {
            while let Some(step) = steps.next_if(|_| self.contexts.free() != 0) {
                self.contexts.push(*request, id, None, step);
            }
            if steps.peek().is_none() && self.is_over(id) {
                return Ok(());
            }
            let moved = self.advance(queue, udma, host);
            if let Some((_, error)) = self.failed.take_if(|(failed, _)| *failed == id) {
                return Err(error);
            }
            if !moved {
                let free = self.contexts.free();
                // Nothing of it may be rung once the call is over.
                self.end(host, id);
                return Err(Error::Busy { free, wanted: 1 });
            }
        }
    }

    fn take_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    /// Whether nothing of a copy is on its way any more.
    fn is_over(&self, id: u64) -> bool {
        self.cursors().all(|cursor| {
            !self.is_of(cursor, id) || self.contexts.get(cursor).state == State::Completed
        })
    }

    fn cursors(&self) -> core::ops::Range<u64> {
        let [head, _, _, tail] = self.contexts.cursors();
        head..tail
    }

    fn is_of(&self, cursor: u64, id: u64) -> bool {
        let context = self.contexts.get(cursor);
        context.state != State::Invalid && context.id == id
    }

    /// Pins as far as the budget goes, rings as far as the rings go, then waits for the oldest
    /// context that was rung, in the asynchronous form (ZC-6). False when nothing could be done.
    pub fn advance<H: Host + UserPages>(
        &mut self,
        queue: &TransferQueue,
        udma: &mut Udma,
        host: &mut H,
    ) -> bool {
        let before = self.contexts.cursors();
        self.report();
        self.pin_all(udma, host);
        self.submit_all(queue, udma, host);
        let waited = self.await_oldest(queue, udma, host);
        self.report();
        waited || before != self.contexts.cursors()
    }

    fn pin_all<H: Host + UserPages>(&mut self, udma: &Udma, host: &mut H) {
        while let Some(cursor) = self.contexts.next_to_pin() {
            match pin(host, &self.contexts.get(cursor).step) {
                Ok(frames) => self.contexts.pin(cursor, frames),
                Err(error) => self.fail(udma, host, cursor, error),
            }
        }
    }

    fn submit_all<H: Host + UserPages>(
        &mut self,
        queue: &TransferQueue,
        udma: &mut Udma,
        host: &mut H,
    ) {
        while let Some(cursor) = self.contexts.next_to_submit() {
            let context = self.contexts.get(cursor);
            let cuts = Cuts::new(&context.frames, context.step.offset(), context.step.bytes);
            let pairs = cuts.count() as u32 + 1;
            let is_short = room(udma, queue.config().qid) < pairs;
            if is_short && self.oldest_submitted().is_some() {
                return; // what is out will make room
            }
            let completion = self.completion_of(queue, cursor);
            let sent = if is_short {
                Err(Error::RingFull)
            } else {
                send(
                    queue.config(),
                    udma,
                    host,
                    &context.request,
                    &context.step,
                    &context.frames,
                    &completion,
                )
            };
            match sent {
                Ok(pairs) => self.contexts.submit(cursor, pairs),
                Err(error) => self.fail(udma, host, cursor, error),
            }
        }
    }

    fn oldest_submitted(&self) -> Option<u64> {
        self.cursors()
            .find(|&cursor| self.contexts.get(cursor).state == State::Submitted)
    }

    /// Whether there was something to wait for.
    fn await_oldest<H: Host + UserPages>(
        &mut self,
        queue: &TransferQueue,
        udma: &mut Udma,
        host: &mut H,
    ) -> bool {
        let Some(cursor) = self.oldest_submitted() else {
            return false;
        };
        let context = self.contexts.get(cursor);
        let (pairs, step) = (context.pairs, context.step);
        let completion = self.completion_of(queue, cursor);
        let wait = queue.wait_of(udma, pairs, true);
        match poll::complete(udma, host, queue.config().qid, &completion, pairs, wait) {
            Ok(()) => {
                host.unpin(step.page(), step.pages());
                self.contexts.complete(cursor);
            }
            Err(error) => self.fail(udma, host, cursor, error),
        }
        true
    }

    /// Releases completed contexts from the oldest on, writing a completion for each copy that ends
    /// with one; stops where the runtime has left no place for it.
    fn report(&mut self) {
        while let Some(cursor) = self.contexts.oldest() {
            let context = self.contexts.get(cursor);
            if context.state != State::Completed {
                return;
            }
            let ended = context.tag.filter(|_| context.step.is_last);
            let written =
                ended.is_none_or(|tag| self.completions.push(Completion { tag, result: 0 }));
            if !written {
                return;
            }
            self.contexts.release(cursor, true);
        }
    }

    /// Ends the copy of a context with an error.
    fn fail<H: Host + UserPages>(&mut self, udma: &Udma, host: &mut H, cursor: u64, error: Error) {
        let context = self.contexts.get(cursor);
        let (id, tag) = (context.id, context.tag);
        self.end(host, id);
        match tag {
            // A reader that left no place for it loses the error, as it would lose any.
            Some(tag) => {
                let result = error.code(udma.line()).unwrap_or(crate::error::FAILED);
                self.completions.push(Completion { tag, result });
            }
            None => self.failed = Some((id, error)),
        }
    }

    /// Makes tombstones of what is left of a copy. What was not rung is unpinned; the pages of what
    /// was stay pinned, and its slots taken, for the engine may yet use them.
    fn end(&mut self, host: &mut impl UserPages, id: u64) {
        for cursor in self.cursors() {
            if !self.is_of(cursor, id) {
                continue;
            }
            let context = self.contexts.get(cursor);
            let (state, step) = (context.state, context.step);
            if state == State::PinnedUnsubmitted {
                host.unpin(step.page(), step.pages());
            }
            self.contexts.release(cursor, state != State::Submitted);
        }
    }

    fn completion_of(&self, queue: &TransferQueue, cursor: u64) -> CompletionBuffer {
        let index = self.contexts.index(cursor) as u64;
        let address = self.completion + COMPLETION_BYTES * index;
        CompletionBuffer::new(queue.config().arch, address)
    }
}

/// Free slots of the fuller of the two rings.
fn room(udma: &Udma, qid: u32) -> u32 {
    [Side::Tx, Side::Rx]
        .iter()
        .filter_map(|&side| udma.queue(qid, side))
        .map(|queue| queue.ring.available().unwrap_or(0))
        .min()
        .unwrap_or(0)
}
