//! Ring cycles of the Rust implementation.

use udma::cycle::doorbell::hal_copy_start;
use udma::cycle::poll::software_poll;
use udma::cycle::zerocopy::completions::CompletionRing;
use udma::cycle::zerocopy::contexts::{ContextQueue, State};
use udma::cycle::zerocopy::queue::ZeroCopyQueue;
use udma::cycle::zerocopy::{Request, is_offered};
use udma::cycle::{Batching, Handle, Platform, QueueConfig, TransferQueue, host, wait};
use udma::engine::Udma;
use udma::engine::queue::QueueParams;
use udma::error::Error;
use udma::io::{Clock, Memory, Mmio, Observer, RingMemory, Side, Space, UserPages};
use udma::shadow::{ShadowQueue, commit, reserve};

use super::rust::{Rust, arch, code, version};
use crate::line::Line;
use crate::subject::cycle::{
    Commit, Contexts, Cursors, Cycle, Fill, Host, HostPlace, Setup, Shadow, Transfer, Transfers,
    WaitCase, ZeroCopy,
};
use crate::wire::{Desc, Ring};
use udma_reference::abi;

/// The suite's host in the implementation's terms.
struct Outside<'a>(&'a dyn Host);

fn ring(side: Side) -> Ring {
    match side {
        Side::Tx => Ring::Tx,
        Side::Rx => Ring::Rx,
    }
}

fn space(space: Space) -> u32 {
    match space {
        Space::Engine => abi::UDMA_SPACE_ENGINE,
        Space::Interrupt => abi::UDMA_SPACE_INTC,
    }
}

impl Mmio for Outside<'_> {
    fn read32(&mut self, at: Space, offset: u64) -> u32 {
        self.0.read32(space(at), offset)
    }
    fn write32(&mut self, at: Space, offset: u64, value: u32) {
        self.0.write32(space(at), offset, value);
    }
    fn barrier(&mut self) {
        self.0.barrier();
    }
}

impl RingMemory for Outside<'_> {
    fn publish(&mut self, side: Side, slot: u32, desc: &udma::Desc) {
        let desc = Desc { word: desc.words() };
        self.0.rings().set(ring(side), slot, desc);
    }
}

impl Memory for Outside<'_> {
    fn store32(&mut self, address: u64, value: u32) {
        self.0.store32(address, value);
    }
    fn load32(&mut self, address: u64) -> u32 {
        self.0.load32(address)
    }
    fn fill(&mut self, address: u64, byte: u8, length: u64) {
        self.0.fill(address, byte, length);
    }
}

impl Clock for Outside<'_> {
    fn now(&mut self) -> u64 {
        self.0.now()
    }
    fn delay(&mut self, us: u64) {
        self.0.delay(us);
    }
    fn in_reset_window(&mut self, start: u64) -> bool {
        self.0.in_reset_window(start)
    }
}

impl Observer for Outside<'_> {
    fn acked(&mut self, _: u32, side: Side, cursors: udma::io::Cursors) {
        let cursors = [cursors.next_desc, cursors.next_cdesc, cursors.ring_id];
        self.0.acked(ring(side), cursors);
    }
}

impl UserPages for Outside<'_> {
    fn pin(&mut self, page: u64, frames: &mut [u64]) -> bool {
        self.0.pin(page, frames)
    }
    fn unpin(&mut self, page: u64, count: usize) {
        self.0.unpin(page, count as u32);
    }
}

/// An engine, its transfer queue, and a context queue once it is opened.
struct Opened<'a> {
    udma: Udma,
    queue: TransferQueue,
    contexts: Option<ZeroCopyQueue>,
    host: Outside<'a>,
}

impl Opened<'_> {
    fn code<T>(&self, result: Result<T, Error>) -> i32 {
        code(result, self.udma.line())
    }
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

impl Transfers for Opened<'_> {
    fn copy(&mut self, asked: &Transfer) -> Option<i32> {
        let result = self
            .queue
            .copy(&mut self.udma, &mut self.host, &transfer(asked));
        Some(self.code(result))
    }

    fn submit(&mut self, asked: &Transfer, previous: i32) -> Option<(i32, i32)> {
        let result = Handle::from_number(previous).and_then(|previous| {
            self.queue
                .submit(&mut self.udma, &mut self.host, &transfer(asked), previous)
        });
        let handle = result.map_or(0, Handle::number);
        Some((self.code(result), handle))
    }

    fn wait(&mut self, handle: i32) -> Option<i32> {
        let result = Handle::from_number(handle)
            .and_then(|handle| self.queue.wait(&mut self.udma, &mut self.host, handle));
        Some(self.code(result))
    }

    fn memset(&mut self, fill: &Fill) -> Option<i32> {
        let Fill {
            buffer,
            dst,
            size,
            value,
        } = *fill;
        let result = self
            .queue
            .memset(&mut self.udma, &mut self.host, buffer, dst, value, size);
        Some(self.code(result))
    }

    fn zero_copy(&mut self, copy: &ZeroCopy) -> Option<i32> {
        let request = zero_copy(copy);
        let result =
            self.queue
                .zero_copy(&mut self.udma, &mut self.host, &request, copy.completion);
        Some(self.code(result))
    }

    fn contexts_open(&mut self, contexts: &Contexts) -> Option<()> {
        self.contexts = Some(ZeroCopyQueue::new(
            contexts.completion,
            ContextQueue::new(contexts.capacity as usize, contexts.budget),
            CompletionRing::new(contexts.entries as usize),
        ));
        Some(())
    }

    fn contexts_submit(&mut self, copy: &ZeroCopy, tag: u64) -> Option<i32> {
        let contexts = self.contexts.as_mut()?;
        let result = contexts.submit(&self.queue, &zero_copy(copy), tag);
        Some(self.code(result))
    }

    fn contexts_copy(&mut self, copy: &ZeroCopy) -> Option<i32> {
        let contexts = self.contexts.as_mut()?;
        let request = zero_copy(copy);
        let result = contexts.copy(&self.queue, &mut self.udma, &mut self.host, &request);
        Some(self.code(result))
    }

    fn contexts_advance(&mut self) -> Option<bool> {
        let contexts = self.contexts.as_mut()?;
        Some(contexts.advance(&self.queue, &mut self.udma, &mut self.host))
    }

    fn contexts_state(&self) -> Option<[u64; 5]> {
        let contexts = self.contexts.as_ref()?.contexts();
        let [head, pinned, unpinned, tail] = contexts.cursors();
        Some([head, pinned, unpinned, tail, contexts.pinned()])
    }

    fn contexts_at(&self, index: u32) -> Option<u32> {
        let state: State = self.contexts.as_ref()?.contexts().get(index.into()).state;
        Some(state as u32)
    }

    fn completion_pop(&mut self) -> Option<Option<(u64, i32)>> {
        let popped = self.contexts.as_ref()?.completions().pop();
        Some(popped.map(|completion| (completion.tag, completion.result)))
    }

    fn cursors(&self) -> Option<Cursors> {
        let qid = self.queue.config().qid;
        let of = |side| {
            let ring = &self.udma.queue(qid, side)?.ring;
            Some([ring.next_desc_idx(), ring.next_cdesc_idx(), ring.ring_id()])
        };
        Some([of(Side::Tx)?, of(Side::Rx)?])
    }
}

impl Cycle for Rust {
    fn transfers<'a>(&self, setup: &Setup, host: &'a dyn Host) -> Option<Box<dyn Transfers + 'a>> {
        if self.line != Line::Kernel {
            return None;
        }
        let mut host = Outside(host);
        let mut udma = Udma::initialised(version(setup.driver), setup.num_queues, setup.engine);
        let rings = QueueParams {
            size: setup.size,
            base: setup.base,
            has_memory: [true, true],
            allocatable: true,
            completion_ring: false,
        };
        udma.init_queue(&mut host, setup.qid, &rings).ok()?;
        let queue = TransferQueue::new(QueueConfig {
            arch: arch(setup.arch),
            platform: Platform::from_number(setup.platform)?,
            qid: setup.qid,
            core: setup.core,
            rings,
            completion: setup.completion,
            batching: Batching {
                chunk: setup.chunk,
                threshold: setup.threshold,
            },
        });
        Some(Box::new(Opened {
            udma,
            queue,
            contexts: None,
            host,
        }))
    }

    fn wait_estimate(&self, case: &WaitCase) -> Option<[u64; 2]> {
        if self.line != Line::Kernel {
            return None;
        }
        let wait = wait::estimate(
            version(case.driver),
            arch(case.arch),
            Platform::from_number(case.platform)?,
            case.count,
            case.is_async,
        );
        Some([wait.first, wait.following])
    }

    fn host_place(&self, number: u8, core: u32) -> Option<Option<HostPlace>> {
        if self.line != Line::Kernel {
            return None;
        }
        let arch = arch(number);
        Some(host::host_queue(arch, core).map(|place| HostPlace {
            window: host::host_window(arch),
            engine: place.engine,
            queue: place.queue,
            ring_size: host::host_ring_size(),
        }))
    }

    fn zerocopy_offered(&self, number: u8, overridden: bool) -> Option<bool> {
        (self.line == Line::Kernel).then(|| is_offered(arch(number), overridden))
    }

    fn shadow(&self, count: u32) -> Option<Shadow> {
        (self.line == Line::Hal).then(|| shadow_out(&ShadowQueue::new(count)))
    }

    fn shadow_reserve(
        &self,
        tx: &mut Shadow,
        rx: &mut Shadow,
        count: u32,
    ) -> Option<(i32, [u32; 2])> {
        if self.line != Line::Hal {
            return None;
        }
        let (mut own_tx, mut own_rx) = (shadow_in(tx), shadow_in(rx));
        let result = reserve(&mut own_tx, &mut own_rx, count);
        (*tx, *rx) = (shadow_out(&own_tx), shadow_out(&own_rx));
        let first = result.map_or([0; 2], |(tx, rx)| [tx, rx]);
        Some((code(result, udma::Line::Hal), first))
    }

    fn shadow_ring_id_at(&self, queue: &Shadow, index: u32) -> Option<u32> {
        (self.line == Line::Hal).then(|| shadow_in(queue).ring_id_at(index))
    }

    fn shadow_commit(&self, asked: &Commit, ring: &mut [Desc]) -> Option<(i32, u32)> {
        if self.line != Line::Hal {
            return None;
        }
        let mut descs: Vec<udma::Desc> = asked
            .descs
            .iter()
            .map(|desc| udma::Desc::from_words(desc.word))
            .collect();
        let mut runs = 0;
        let result = commit(
            ring.len() as u32,
            asked.first,
            asked.phase,
            &mut descs,
            asked.addresses.as_deref(),
            |slot, run| {
                runs += 1;
                for (slot, desc) in ring[slot as usize..].iter_mut().zip(run) {
                    slot.word = desc.words();
                }
            },
        );
        Some((code(result, udma::Line::Hal), runs))
    }

    fn bare_copy_start(&self, qid: u32, m2s: u32, s2m: u32, host: &dyn Host) -> Option<i32> {
        (self.line == Line::Hal).then(|| {
            let result = hal_copy_start(&mut Outside(host), qid, m2s, s2m);
            code(result, udma::Line::Hal)
        })
    }

    fn software_poll(&self, word: u64, looks: u64, host: &dyn Host) -> Option<i32> {
        (self.line == Line::Hal).then(|| {
            let result = software_poll(&mut Outside(host), word, looks);
            code(result, udma::Line::Hal)
        })
    }
}

fn shadow_in(queue: &Shadow) -> ShadowQueue {
    ShadowQueue {
        next_desc_idx: queue.next_desc_idx,
        desc_ring_id: queue.desc_ring_id,
        desc_count: queue.desc_count,
    }
}

fn shadow_out(queue: &ShadowQueue) -> Shadow {
    Shadow {
        next_desc_idx: queue.next_desc_idx,
        desc_ring_id: queue.desc_ring_id,
        desc_count: queue.desc_count,
    }
}
