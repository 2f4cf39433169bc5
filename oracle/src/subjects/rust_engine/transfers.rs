//! Host transfers on a queue of the engine.

use udma::cycle::zerocopy::Request;
use udma::cycle::zerocopy::completions::CompletionRing;
use udma::cycle::zerocopy::contexts::{ContextQueue, State};
use udma::cycle::zerocopy::queue::ZeroCopyQueue;
use udma::cycle::{Batching, Handle, Platform, QueueConfig, TransferQueue};
use udma::engine::Udma;
use udma::error::Error;
use udma::io::{Host, UserPages};
use udma_reference::abi::udma_transfer_cfg;

use super::RustEngine;
use crate::subject::cycle::{Contexts, Fill, Transfer, ZeroCopy};
use crate::subjects::rust::code;

/// A queue that carries host transfers, and its context queue once that is opened.
pub(super) struct Carrying {
    queue: TransferQueue,
    contexts: Option<ZeroCopyQueue>,
}

fn transfer(transfer: &Transfer) -> udma::cycle::Transfer {
    udma::cycle::Transfer {
        src: transfer.src,
        dst: transfer.dst,
        size: transfer.size,
        src_moves: transfer.src_moves,
        dst_moves: transfer.dst_moves,
    }
}

fn zero_copy(copy: &ZeroCopy) -> Request {
    Request {
        user: copy.user,
        device: copy.device,
        size: copy.size,
        to_device: copy.to_device,
        core: copy.core,
    }
}

/// Each is not offered on a queue that carries no transfers, and what needs a context queue where
/// there is none.
impl RustEngine {
    /// Queue `qid`, which was initialised, carries host transfers from now on, with nothing out.
    pub fn transfer_open(&mut self, qid: u32, cfg: &udma_transfer_cfg) -> Option<()> {
        let queue = TransferQueue::new(QueueConfig {
            arch: self.arch,
            platform: Platform::from_number(cfg.platform)?,
            qid,
            core: cfg.core,
            rings: *self.rings.get(&qid)?,
            completion: cfg.completion,
            batching: Batching {
                chunk: cfg.chunk,
                threshold: cfg.threshold,
            },
        });
        let contexts = None;
        self.carrying.insert(qid, Carrying { queue, contexts });
        Some(())
    }

    fn carry<T>(
        &mut self,
        qid: u32,
        work: impl FnOnce(&mut TransferQueue, &mut Udma) -> Result<T, Error>,
    ) -> Option<Result<T, i32>> {
        let carrying = self.carrying.get_mut(&qid)?;
        let result = work(&mut carrying.queue, &mut self.udma);
        let line = self.udma.line();
        Some(result.map_err(|error| code::<T>(Err(error), line)))
    }

    /// A copy, waited for.
    pub fn copy(&mut self, host: &mut impl Host, qid: u32, asked: &Transfer) -> Option<i32> {
        let asked = transfer(asked);
        let result = self.carry(qid, |queue, udma| queue.copy(udma, host, &asked))?;
        Some(result.err().unwrap_or(0))
    }

    /// A copy that is waited for later: code and handle.
    pub fn submit(
        &mut self,
        host: &mut impl Host,
        qid: u32,
        asked: &Transfer,
        previous: i32,
    ) -> Option<(i32, i32)> {
        let asked = transfer(asked);
        let result = self.carry(qid, |queue, udma| {
            let previous = Handle::from_number(previous)?;
            queue.submit(udma, host, &asked, previous)
        })?;
        Some(result.map_or_else(|code| (code, 0), |handle| (0, handle.number())))
    }

    /// Waits for a handle.
    pub fn wait(&mut self, host: &mut impl Host, qid: u32, handle: i32) -> Option<i32> {
        let result = self.carry(qid, |queue, udma| {
            queue.wait(udma, host, Handle::from_number(handle)?)
        })?;
        Some(result.err().unwrap_or(0))
    }

    /// A fill.
    pub fn memset(&mut self, host: &mut impl Host, qid: u32, fill: &Fill) -> Option<i32> {
        let Fill {
            buffer,
            dst,
            size,
            value,
        } = *fill;
        let result = self.carry(qid, |queue, udma| {
            queue.memset(udma, host, buffer, dst, value, size)
        })?;
        Some(result.err().unwrap_or(0))
    }

    /// A copy of user pages by steps.
    pub fn zero_copy<H: Host + UserPages>(
        &mut self,
        host: &mut H,
        qid: u32,
        copy: &ZeroCopy,
    ) -> Option<i32> {
        let request = zero_copy(copy);
        let result = self.carry(qid, |queue, udma| {
            queue.zero_copy(udma, host, &request, copy.completion)
        })?;
        Some(result.err().unwrap_or(0))
    }

    /// Opens a context queue.
    pub fn contexts_open(&mut self, qid: u32, contexts: &Contexts) -> Option<()> {
        self.carrying.get_mut(&qid)?.contexts = Some(ZeroCopyQueue::new(
            contexts.completion,
            ContextQueue::new(contexts.capacity as usize, contexts.budget),
            CompletionRing::new(contexts.entries as usize),
        ));
        Some(())
    }

    fn contexts(&self, qid: u32) -> Option<&ZeroCopyQueue> {
        self.carrying.get(&qid)?.contexts.as_ref()
    }

    /// Puts a copy into the context queue.
    pub fn contexts_submit(&mut self, qid: u32, copy: &ZeroCopy, tag: u64) -> Option<i32> {
        let carrying = self.carrying.get_mut(&qid)?;
        let contexts = carrying.contexts.as_mut()?;
        let result = contexts.submit(&carrying.queue, &zero_copy(copy), tag);
        Some(code(result, self.udma.line()))
    }

    /// A copy through the context queue, waited for.
    pub fn contexts_copy<H: Host + UserPages>(
        &mut self,
        host: &mut H,
        qid: u32,
        copy: &ZeroCopy,
    ) -> Option<i32> {
        let carrying = self.carrying.get_mut(&qid)?;
        let contexts = carrying.contexts.as_mut()?;
        let result = contexts.copy(&carrying.queue, &mut self.udma, host, &zero_copy(copy));
        Some(code(result, self.udma.line()))
    }

    /// One pass over the context queue: whether something moved.
    pub fn contexts_advance<H: Host + UserPages>(
        &mut self,
        host: &mut H,
        qid: u32,
    ) -> Option<bool> {
        let carrying = self.carrying.get_mut(&qid)?;
        let contexts = carrying.contexts.as_mut()?;
        Some(contexts.advance(&carrying.queue, &mut self.udma, host))
    }

    /// Head, first pinned and unsubmitted, first unpinned, tail; pages pinned.
    pub fn contexts_state(&self, qid: u32) -> Option<[u64; 5]> {
        let contexts = self.contexts(qid)?.contexts();
        let [head, pinned, unpinned, tail] = contexts.cursors();
        Some([head, pinned, unpinned, tail, contexts.pinned()])
    }

    /// State of the context at an index.
    pub fn contexts_at(&self, qid: u32, index: u32) -> Option<u32> {
        let state: State = self.contexts(qid)?.contexts().get(index.into()).state;
        Some(state as u32)
    }

    /// The next completion: tag and result.
    pub fn completion_pop(&mut self, qid: u32) -> Option<Option<(u64, i32)>> {
        let popped = self.contexts(qid)?.completions().pop();
        Some(popped.map(|completion| (completion.tag, completion.result)))
    }
}
