//! Ring cycles of the Rust implementation.

use udma::cycle::zerocopy::is_offered;
use udma::cycle::{Platform, host, wait};
use udma::io::{Clock, Memory, Mmio, Observer, RingMemory, Side, Space, UserPages};
use udma::shadow::{ShadowQueue, reserve};

use super::RustEngine;
use super::rust::{Rust, arch, code, version};
use crate::line::Line;
use crate::subject::cycle::{
    Commit, Contexts, Cursors, Cycle, Fill, Host, HostPlace, Setup, Shadow, Transfer, Transfers,
    WaitCase, ZeroCopy,
};
use crate::subject::{EngineCfg, QueueCfg};
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

/// An engine, and the queue of it that carries transfers.
struct Opened<'a> {
    engine: RustEngine,
    qid: u32,
    host: Outside<'a>,
}

impl Transfers for Opened<'_> {
    fn copy(&mut self, asked: &Transfer) -> Option<i32> {
        self.engine.copy(&mut self.host, self.qid, asked)
    }

    fn submit(&mut self, asked: &Transfer, previous: i32) -> Option<(i32, i32)> {
        self.engine
            .submit(&mut self.host, self.qid, asked, previous)
    }

    fn wait(&mut self, handle: i32) -> Option<i32> {
        self.engine.wait(&mut self.host, self.qid, handle)
    }

    fn memset(&mut self, fill: &Fill) -> Option<i32> {
        self.engine.memset(&mut self.host, self.qid, fill)
    }

    fn zero_copy(&mut self, copy: &ZeroCopy) -> Option<i32> {
        self.engine.zero_copy(&mut self.host, self.qid, copy)
    }

    fn contexts_open(&mut self, contexts: &Contexts) -> Option<()> {
        self.engine.contexts_open(self.qid, contexts)
    }

    fn contexts_submit(&mut self, copy: &ZeroCopy, tag: u64) -> Option<i32> {
        self.engine.contexts_submit(self.qid, copy, tag)
    }

    fn contexts_copy(&mut self, copy: &ZeroCopy) -> Option<i32> {
        self.engine.contexts_copy(&mut self.host, self.qid, copy)
    }

    fn contexts_advance(&mut self) -> Option<bool> {
        self.engine.contexts_advance(&mut self.host, self.qid)
    }

    fn contexts_state(&self) -> Option<[u64; 5]> {
        self.engine.contexts_state(self.qid)
    }

    fn contexts_at(&self, index: u32) -> Option<u32> {
        self.engine.contexts_at(self.qid, index)
    }

    fn completion_pop(&mut self) -> Option<Option<(u64, i32)>> {
        self.engine.completion_pop(self.qid)
    }

    fn cursors(&self) -> Option<Cursors> {
        let of = |ring| {
            let queue = self.engine.queue_sw(self.qid, ring)?;
            Some([
                queue.next_desc_idx,
                queue.next_cdesc_idx,
                queue.desc_ring_id,
            ])
        };
        Some([of(Ring::Tx)?, of(Ring::Rx)?])
    }
}

impl Cycle for Rust {
    fn transfers<'a>(&self, setup: &Setup, host: &'a dyn Host) -> Option<Box<dyn Transfers + 'a>> {
        let mut host = Outside(host);
        let cfg = EngineCfg {
            arch: setup.arch,
            driver: setup.driver,
            num_queues: setup.num_queues,
            engine_id: setup.engine,
        };
        let mut engine = RustEngine::open(self.line, &cfg)?;
        let rings = QueueCfg {
            size: setup.size,
            base: setup.base,
            has_memory: [true, true],
            allocatable: true,
            completion_ring: false,
        };
        if engine.queue_init(&mut host, setup.qid, &rings) != 0 {
            return None;
        }
        let cfg = abi::udma_transfer_cfg {
            completion: setup.completion,
            core: setup.core,
            platform: setup.platform,
            chunk: setup.chunk,
            threshold: setup.threshold,
        };
        engine.transfer_open(setup.qid, &cfg)?;
        Some(Box::new(Opened {
            engine,
            qid: setup.qid,
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
        self.shadow_commit_on(ring.len() as u32, asked, |slot, run| {
            for (slot, desc) in ring[slot as usize..].iter_mut().zip(run) {
                slot.word = desc.words();
            }
        })
    }

    fn bare_copy_start(&self, qid: u32, m2s: u32, s2m: u32, host: &dyn Host) -> Option<i32> {
        self.bare_copy_start_on(&mut Outside(host), qid, m2s, s2m)
    }

    fn software_poll(&self, word: u64, looks: u64, host: &dyn Host) -> Option<i32> {
        self.software_poll_on(&mut Outside(host), word, looks)
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
