//! Ring cycles of a library behind the C ABI: the suite's host as its callbacks.

use std::ffi::c_void;
use std::ptr;

use udma_reference::{Api, abi};

use super::Library;
use super::library::offered;
use crate::subject::cycle::{
    Commit, Contexts, Cursors, Cycle, Fill, Host, HostPlace, Setup, Shadow, Transfer, Transfers,
    WaitCase, ZeroCopy,
};
use crate::wire::{Desc, QueueSw, Ring};

/// What `ctx` points to.
struct Outside<'a>(&'a dyn Host);

/// The host as callbacks; `outside` must outlive every use.
fn host(outside: &Outside) -> abi::udma_host {
    abi::udma_host {
        ctx: (&raw const *outside).cast_mut().cast(),
        read32: Some(read32),
        write32: Some(write32),
        barrier: Some(barrier),
        load32: Some(load32),
        store32: Some(store32),
        fill: Some(fill),
        now: Some(now),
        delay: Some(delay),
        in_reset_window: Some(in_reset_window),
        acked: Some(acked),
        pin: Some(pin),
        unpin: Some(unpin),
    }
}

/// The host behind `ctx`.
///
/// # Safety
/// `ctx` is what [`host`] was made with, and that is alive.
unsafe fn outside<'a>(ctx: *mut c_void) -> &'a dyn Host {
    // SAFETY: the caller answers for it.
    unsafe { (*ctx.cast::<Outside<'a>>()).0 }
}

unsafe extern "C" fn read32(ctx: *mut c_void, space: u32, offset: u64) -> u32 {
    // SAFETY: ctx came with the callback.
    unsafe { outside(ctx) }.read32(space, offset)
}

unsafe extern "C" fn write32(ctx: *mut c_void, space: u32, offset: u64, value: u32) {
    // SAFETY: as above.
    unsafe { outside(ctx) }.write32(space, offset, value);
}

unsafe extern "C" fn barrier(ctx: *mut c_void) {
    // SAFETY: as above.
    unsafe { outside(ctx) }.barrier();
}

unsafe extern "C" fn load32(ctx: *mut c_void, address: u64) -> u32 {
    // SAFETY: as above.
    unsafe { outside(ctx) }.load32(address)
}

unsafe extern "C" fn store32(ctx: *mut c_void, address: u64, value: u32) {
    // SAFETY: as above.
    unsafe { outside(ctx) }.store32(address, value);
}

unsafe extern "C" fn fill(ctx: *mut c_void, address: u64, byte: u32, length: u64) {
    // SAFETY: as above.
    unsafe { outside(ctx) }.fill(address, byte as u8, length);
}

unsafe extern "C" fn now(ctx: *mut c_void) -> u64 {
    // SAFETY: as above.
    unsafe { outside(ctx) }.now()
}

unsafe extern "C" fn delay(ctx: *mut c_void, us: u64) {
    // SAFETY: as above.
    unsafe { outside(ctx) }.delay(us);
}

unsafe extern "C" fn in_reset_window(ctx: *mut c_void, started: u64) -> u32 {
    // SAFETY: as above.
    unsafe { outside(ctx) }.in_reset_window(started).into()
}

unsafe extern "C" fn acked(
    ctx: *mut c_void,
    _qid: u32,
    ring: u32,
    producer: u32,
    consumer: u32,
    phase: u32,
) {
    let ring = if ring == abi::UDMA_RING_TX {
        Ring::Tx
    } else {
        Ring::Rx
    };
    // SAFETY: as above.
    unsafe { outside(ctx) }.acked(ring, [producer, consumer, phase]);
}

unsafe extern "C" fn pin(ctx: *mut c_void, page: u64, count: u32, frames: *mut u64) -> i32 {
    // SAFETY: the library hands over room for `count` addresses.
    let frames = unsafe { std::slice::from_raw_parts_mut(frames, count as usize) };
    // SAFETY: as above.
    if unsafe { outside(ctx) }.pin(page, frames) {
        0
    } else {
        -1
    }
}

unsafe extern "C" fn unpin(ctx: *mut c_void, page: u64, count: u32) {
    // SAFETY: as above.
    unsafe { outside(ctx) }.unpin(page, count);
}

/// An engine with one queue open for transfers.
struct Opened<'a> {
    api: Api,
    handle: *mut c_void,
    qid: u32,
    // Behind the handle's ctx; its rings are the queue's memory.
    _outside: Box<Outside<'a>>,
}

impl Drop for Opened<'_> {
    fn drop(&mut self) {
        if let Some(close) = self.api.engine_close {
            // SAFETY: the handle came from engine_open and is not used afterwards.
            unsafe { close(self.handle) };
        }
    }
}

fn transfer(transfer: &Transfer) -> abi::udma_transfer {
    abi::udma_transfer {
        src: transfer.src,
        dst: transfer.dst,
        size: transfer.size,
        src_moves: transfer.src_moves.into(),
        dst_moves: transfer.dst_moves.into(),
    }
}

fn zero_copy(copy: &ZeroCopy) -> abi::udma_zerocopy_in {
    abi::udma_zerocopy_in {
        user: copy.user,
        device: copy.device,
        size: copy.size,
        completion: copy.completion,
        core: copy.core,
        to_device: copy.to_device.into(),
    }
}

impl Transfers for Opened<'_> {
    fn copy(&mut self, asked: &Transfer) -> Option<i32> {
        let (asked, mut ret) = (transfer(asked), 0);
        // SAFETY: the handle is open, its queue too; one structure in, one number out.
        offered(unsafe { self.api.copy?(self.handle, self.qid, &raw const asked, &raw mut ret) })?;
        Some(ret)
    }

    fn submit(&mut self, asked: &Transfer, previous: i32) -> Option<(i32, i32)> {
        let (asked, mut handle, mut ret) = (transfer(asked), 0, 0);
        // SAFETY: as in `copy`, with two numbers out.
        offered(unsafe {
            self.api.copy_async?(
                self.handle,
                self.qid,
                &raw const asked,
                previous,
                &raw mut handle,
                &raw mut ret,
            )
        })?;
        Some((ret, if ret == 0 { handle } else { 0 }))
    }

    fn wait(&mut self, handle: i32) -> Option<i32> {
        let mut ret = 0;
        // SAFETY: as in `copy`.
        offered(unsafe { self.api.wait?(self.handle, self.qid, handle, &raw mut ret) })?;
        Some(ret)
    }

    fn memset(&mut self, fill: &Fill) -> Option<i32> {
        let asked = abi::udma_memset_in {
            buffer: fill.buffer,
            dst: fill.dst,
            size: fill.size,
            value: fill.value,
            unused: 0,
        };
        let mut ret = 0;
        // SAFETY: as in `copy`.
        offered(unsafe {
            self.api.memset?(self.handle, self.qid, &raw const asked, &raw mut ret)
        })?;
        Some(ret)
    }

    fn zero_copy(&mut self, copy: &ZeroCopy) -> Option<i32> {
        let (asked, mut ret) = (zero_copy(copy), 0);
        // SAFETY: as in `copy`.
        offered(unsafe {
            self.api.zerocopy?(self.handle, self.qid, &raw const asked, &raw mut ret)
        })?;
        Some(ret)
    }

    fn contexts_open(&mut self, contexts: &Contexts) -> Option<()> {
        let cfg = abi::udma_contexts_cfg {
            completion: contexts.completion,
            budget: contexts.budget,
            capacity: contexts.capacity,
            entries: contexts.entries,
        };
        // SAFETY: as in `copy`.
        offered(unsafe { self.api.contexts_open?(self.handle, self.qid, &raw const cfg) })
    }

    fn contexts_submit(&mut self, copy: &ZeroCopy, tag: u64) -> Option<i32> {
        let (asked, mut ret) = (zero_copy(copy), 0);
        // SAFETY: as in `copy`.
        offered(unsafe {
            self.api.contexts_submit?(self.handle, self.qid, &raw const asked, tag, &raw mut ret)
        })?;
        Some(ret)
    }

    fn contexts_copy(&mut self, copy: &ZeroCopy) -> Option<i32> {
        let (asked, mut ret) = (zero_copy(copy), 0);
        // SAFETY: as in `copy`.
        offered(unsafe {
            self.api.contexts_copy?(self.handle, self.qid, &raw const asked, &raw mut ret)
        })?;
        Some(ret)
    }

    fn contexts_advance(&mut self) -> Option<bool> {
        let mut moved = 0;
        // SAFETY: as in `copy`.
        offered(unsafe { self.api.contexts_advance?(self.handle, self.qid, &raw mut moved) })?;
        Some(moved != 0)
    }

    fn contexts_state(&self) -> Option<[u64; 5]> {
        let mut out = abi::udma_contexts_state::default();
        // SAFETY: as in `copy`.
        offered(unsafe { self.api.contexts_state?(self.handle, self.qid, &raw mut out) })?;
        Some([
            out.head,
            out.first_pinned_unsubmitted,
            out.first_unpinned,
            out.tail,
            out.pinned,
        ])
    }

    fn contexts_at(&self, index: u32) -> Option<u32> {
        let mut state = 0;
        // SAFETY: as in `copy`.
        offered(unsafe { self.api.contexts_at?(self.handle, self.qid, index, &raw mut state) })?;
        Some(state)
    }

    fn completion_pop(&mut self) -> Option<Option<(u64, i32)>> {
        let (mut out, mut got) = (abi::udma_completion::default(), 0);
        // SAFETY: as in `copy`.
        offered(unsafe {
            self.api.completion_pop?(self.handle, self.qid, &raw mut out, &raw mut got)
        })?;
        Some((got != 0).then_some((out.tag, out.result)))
    }

    fn cursors(&self) -> Option<Cursors> {
        let mut cursors = [[0; 3]; 2];
        for ring in Ring::BOTH {
            let mut out = QueueSw::default();
            // SAFETY: as in `copy`.
            offered(unsafe {
                self.api.queue_sw?(self.handle, self.qid, ring as u32, &raw mut out)
            })?;
            cursors[ring as usize] = [out.next_desc_idx, out.next_cdesc_idx, out.desc_ring_id];
        }
        Some(cursors)
    }
}

impl Cycle for Library {
    fn transfers<'a>(&self, setup: &Setup, outer: &'a dyn Host) -> Option<Box<dyn Transfers + 'a>> {
        let outside = Box::new(Outside(outer));
        let engine_cfg = abi::udma_engine_cfg {
            arch: setup.arch.into(),
            driver: setup.driver.into(),
            num_queues: setup.num_queues,
            engine_id: setup.engine,
            host: host(&outside),
        };
        let mut handle = ptr::null_mut();
        // SAFETY: what `ctx` points to is boxed and outlives the handle.
        offered(unsafe { self.api.engine_open?(&raw const engine_cfg, &raw mut handle) })?;
        let opened = Opened {
            api: self.api,
            handle,
            qid: setup.qid,
            _outside: outside,
        };
        let queue_cfg = abi::udma_queue_cfg {
            tx_size: setup.size[0],
            rx_size: setup.size[1],
            tx_mem: outer.rings().base(Ring::Tx),
            rx_mem: outer.rings().base(Ring::Rx),
            tx_base: setup.base[0],
            rx_base: setup.base[1],
            allocatable: 1,
            completion_ring: 0,
        };
        let mut ret = 0;
        // SAFETY: the rings outlive 'a, and so the handle.
        offered(unsafe {
            self.api.queue_init?(handle, setup.qid, &raw const queue_cfg, &raw mut ret)
        })?;
        let transfer_cfg = abi::udma_transfer_cfg {
            completion: setup.completion,
            core: setup.core,
            platform: setup.platform,
            chunk: setup.chunk,
            threshold: setup.threshold,
        };
        // SAFETY: the queue is initialised; one structure in.
        offered(unsafe { self.api.transfer_open?(handle, setup.qid, &raw const transfer_cfg) })?;
        (ret == 0).then(|| Box::new(opened) as Box<dyn Transfers + 'a>)
    }

    fn wait_estimate(&self, case: &WaitCase) -> Option<[u64; 2]> {
        let asked = abi::udma_wait_in {
            arch: case.arch.into(),
            driver: case.driver.into(),
            platform: case.platform,
            count: case.count,
            is_async: case.is_async.into(),
            unused: 0,
        };
        let mut out = abi::udma_wait_out::default();
        // SAFETY: one structure in, one out.
        offered(unsafe { self.api.wait_estimate?(&raw const asked, &raw mut out, 1) })?;
        Some([out.first_wait, out.following_wait])
    }

    fn host_place(&self, arch: u8, core: u32) -> Option<Option<HostPlace>> {
        let (mut out, mut ret) = (abi::udma_host_place::default(), 0);
        // SAFETY: one structure and one number out.
        offered(unsafe { self.api.host_queue?(arch.into(), core, &raw mut out, &raw mut ret) })?;
        Some((ret == 0).then_some(HostPlace {
            window: out.window,
            engine: out.engine,
            queue: out.queue,
            ring_size: out.ring_size,
        }))
    }

    fn zerocopy_offered(&self, arch: u8, overridden: bool) -> Option<bool> {
        let mut out = 0;
        // SAFETY: one number out.
        offered(unsafe {
            self.api.zerocopy_offered?(arch.into(), overridden.into(), &raw mut out)
        })?;
        Some(out != 0)
    }

    fn shadow(&self, count: u32) -> Option<Shadow> {
        let mut out = Shadow::default();
        // SAFETY: one structure out.
        offered(unsafe { self.api.shadow_init?(&raw mut out, count) })?;
        Some(out)
    }

    fn shadow_reserve(
        &self,
        tx: &mut Shadow,
        rx: &mut Shadow,
        count: u32,
    ) -> Option<(i32, [u32; 2])> {
        let (mut first, mut ret) = ([0; 2], 0);
        let [tx_idx, rx_idx] = &mut first;
        // SAFETY: two structures in and out, three numbers out.
        offered(unsafe { self.api.shadow_reserve?(tx, rx, count, tx_idx, rx_idx, &raw mut ret) })?;
        Some((ret, first))
    }

    fn shadow_ring_id_at(&self, queue: &Shadow, index: u32) -> Option<u32> {
        let mut id = 0;
        // SAFETY: one structure in, one number out.
        offered(unsafe { self.api.shadow_ring_id_at?(queue, index, &raw mut id) })?;
        Some(id)
    }

    fn shadow_commit(&self, commit: &Commit, ring: &mut [Desc]) -> Option<(i32, u32)> {
        let mut descs = commit.descs.clone();
        let asked = abi::udma_commit_in {
            ring: ring.as_mut_ptr(),
            descs: descs.as_mut_ptr(),
            addresses: commit.addresses.as_ref().map_or(ptr::null(), Vec::as_ptr),
            ring_count: ring.len() as u32,
            n: descs.len() as u32,
            first: commit.first,
            phase: commit.phase,
        };
        let (mut runs, mut ret) = (0, 0);
        // SAFETY: the ring and the lists are as long as the structure says, the addresses as long
        // as the descriptors.
        offered(unsafe { self.api.shadow_commit?(&raw const asked, &raw mut runs, &raw mut ret) })?;
        Some((ret, runs))
    }

    fn bare_copy_start(&self, qid: u32, m2s: u32, s2m: u32, outer: &dyn Host) -> Option<i32> {
        let outside = Outside(outer);
        let (host, mut ret) = (host(&outside), 0);
        // SAFETY: what `ctx` points to outlives the call.
        offered(unsafe {
            self.api.bare_copy_start?(&raw const host, qid, m2s, s2m, &raw mut ret)
        })?;
        Some(ret)
    }

    fn software_poll(&self, word: u64, looks: u64, outer: &dyn Host) -> Option<i32> {
        let outside = Outside(outer);
        let (host, mut ret) = (host(&outside), 0);
        // SAFETY: what `ctx` points to outlives the call.
        offered(unsafe { self.api.software_poll?(&raw const host, word, looks, &raw mut ret) })?;
        Some(ret)
    }
}
