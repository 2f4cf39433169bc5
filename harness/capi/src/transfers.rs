//! The ring cycle: host transfers on a queue, zero-copy, and what stands by itself.

use core::ffi::c_void;

use udma_oracle::subject::cycle::{Contexts, Cycle, Fill, Shadow, Transfer, WaitCase, ZeroCopy};
use udma_reference::abi::{
    udma_completion, udma_contexts_cfg, udma_contexts_state, udma_host_place, udma_memset_in,
    udma_transfer, udma_transfer_cfg, udma_wait_in, udma_wait_out, udma_zerocopy_in,
};

use crate::SUBJECT;
use crate::call::{In, InOut, MOST, narrow};
use crate::engine::{ENGINES, on_queue};

fn transfer(asked: &udma_transfer) -> Transfer {
    Transfer {
        src: asked.src,
        dst: asked.dst,
        size: asked.size,
        src_moves: asked.src_moves != 0,
        dst_moves: asked.dst_moves != 0,
    }
}

fn zero_copy(asked: &udma_zerocopy_in) -> ZeroCopy {
    ZeroCopy {
        user: asked.user,
        device: asked.device,
        size: asked.size,
        completion: asked.completion,
        core: asked.core,
        to_device: asked.to_device != 0,
    }
}

export! {
    /// Queue `qid` carries host transfers from now on.
    fn udma_transfer_open(engine: *mut c_void, qid: u32, cfg: *const udma_transfer_cfg) {
        // SAFETY: the caller hands over one structure.
        let cfg = unsafe { In::one(cfg) }?.get(0);
        on_queue(engine, qid, |engine, _| engine.transfer_open(qid, &cfg))
    }

    /// BTCH, POLL, ACK, RTRY.
    fn udma_copy(engine: *mut c_void, qid: u32, input: *const udma_transfer, ret: *mut i32) {
        // SAFETY: the caller hands over a request and a code.
        let (asked, ret) = unsafe { (transfer(&In::one(input)?.get(0)), InOut::one(ret)?) };
        ret.set(on_queue(engine, qid, |engine, outside| engine.copy(outside, qid, &asked))?);
        Some(())
    }

    /// ASYN.
    fn udma_copy_async(
        engine: *mut c_void, qid: u32, input: *const udma_transfer, previous: i32,
        handle: *mut i32, ret: *mut i32
    ) {
        // SAFETY: the caller hands over a request, a handle and a code.
        let (asked, handle, ret) = unsafe {
            (transfer(&In::one(input)?.get(0)), InOut::one(handle)?, InOut::one(ret)?)
        };
        let (code, number) = on_queue(engine, qid, |engine, outside| {
            engine.submit(outside, qid, &asked, previous)
        })?;
        if code == 0 {
            handle.set(number);
        }
        ret.set(code);
        Some(())
    }

    /// ASYN-4.
    fn udma_wait(engine: *mut c_void, qid: u32, handle: i32, ret: *mut i32) {
        // SAFETY: the caller hands over one number.
        let ret = unsafe { InOut::one(ret) }?;
        ret.set(on_queue(engine, qid, |engine, outside| engine.wait(outside, qid, handle))?);
        Some(())
    }

    /// MSET.
    fn udma_memset(engine: *mut c_void, qid: u32, input: *const udma_memset_in, ret: *mut i32) {
        // SAFETY: the caller hands over a request and a code.
        let (asked, ret) = unsafe { (In::one(input)?.get(0), InOut::one(ret)?) };
        let fill = Fill { buffer: asked.buffer, dst: asked.dst, size: asked.size, value: asked.value };
        ret.set(on_queue(engine, qid, |engine, outside| engine.memset(outside, qid, &fill))?);
        Some(())
    }

    /// ZC-1 to ZC-7.
    fn udma_zerocopy(engine: *mut c_void, qid: u32, input: *const udma_zerocopy_in, ret: *mut i32) {
        // SAFETY: the caller hands over a request and a code.
        let (asked, ret) = unsafe { (zero_copy(&In::one(input)?.get(0)), InOut::one(ret)?) };
        ret.set(on_queue(engine, qid, |engine, outside| engine.zero_copy(outside, qid, &asked))?);
        Some(())
    }

    /// ZC-8: a context queue.
    fn udma_contexts_open(engine: *mut c_void, qid: u32, cfg: *const udma_contexts_cfg) {
        // SAFETY: the caller hands over one structure.
        let cfg = unsafe { In::one(cfg) }?.get(0);
        if cfg.capacity > MOST || cfg.entries > MOST {
            return None;
        }
        let contexts = Contexts {
            completion: cfg.completion,
            budget: cfg.budget,
            capacity: cfg.capacity,
            entries: cfg.entries,
        };
        ENGINES.on(engine, |opened| opened.engine.contexts_open(qid, &contexts))
    }

    /// ZC-8: an asynchronous copy.
    fn udma_contexts_submit(
        engine: *mut c_void, qid: u32, input: *const udma_zerocopy_in, tag: u64, ret: *mut i32
    ) {
        // SAFETY: the caller hands over a request and a code.
        let (asked, ret) = unsafe { (zero_copy(&In::one(input)?.get(0)), InOut::one(ret)?) };
        ret.set(ENGINES.on(engine, |opened| opened.engine.contexts_submit(qid, &asked, tag))?);
        Some(())
    }

    /// ZC-8: a synchronous copy.
    fn udma_contexts_copy(
        engine: *mut c_void, qid: u32, input: *const udma_zerocopy_in, ret: *mut i32
    ) {
        // SAFETY: the caller hands over a request and a code.
        let (asked, ret) = unsafe { (zero_copy(&In::one(input)?.get(0)), InOut::one(ret)?) };
        ret.set(on_queue(engine, qid, |engine, outside| engine.contexts_copy(outside, qid, &asked))?);
        Some(())
    }

    /// ZC-8: one round.
    fn udma_contexts_advance(engine: *mut c_void, qid: u32, moved: *mut u32) {
        // SAFETY: the caller hands over one number.
        let moved = unsafe { InOut::one(moved) }?;
        let result = on_queue(engine, qid, |engine, outside| engine.contexts_advance(outside, qid))?;
        moved.set(result.into());
        Some(())
    }

    /// ZC-8: cursors and pinned pages.
    fn udma_contexts_state(engine: *mut c_void, qid: u32, out: *mut udma_contexts_state) {
        // SAFETY: the caller hands over one structure.
        let out = unsafe { InOut::one(out) }?;
        let [head, first_pinned_unsubmitted, first_unpinned, tail, pinned] =
            ENGINES.on(engine, |opened| opened.engine.contexts_state(qid))?;
        out.set(udma_contexts_state { head, first_pinned_unsubmitted, first_unpinned, tail, pinned });
        Some(())
    }

    /// ZC-8: state of one context.
    fn udma_contexts_at(engine: *mut c_void, qid: u32, index: u32, state: *mut u32) {
        // SAFETY: the caller hands over one number.
        let state = unsafe { InOut::one(state) }?;
        state.set(ENGINES.on(engine, |opened| opened.engine.contexts_at(qid, index))?);
        Some(())
    }

    /// ZC-8: the oldest unread completion.
    fn udma_completion_pop(
        engine: *mut c_void, qid: u32, out: *mut udma_completion, got: *mut u32
    ) {
        // SAFETY: the caller hands over a structure and a number.
        let (out, got) = unsafe { (InOut::one(out)?, InOut::one(got)?) };
        let popped = ENGINES.on(engine, |opened| opened.engine.completion_pop(qid))?;
        if let Some((tag, result)) = popped {
            out.set(udma_completion { tag, result, unused: 0 });
        }
        got.set(popped.is_some().into());
        Some(())
    }

    /// RTRY-2.
    fn udma_zerocopy_offered(arch: u32, overridden: u32, offered: *mut u32) {
        // SAFETY: the caller hands over one number.
        let offered = unsafe { InOut::one(offered) }?;
        offered.set(SUBJECT.zerocopy_offered(narrow(arch), overridden != 0)?.into());
        Some(())
    }

    /// POLL-2, POLL-3.
    fn udma_wait_estimate(input: *const udma_wait_in, out: *mut udma_wait_out, n: u32) {
        // SAFETY: the caller hands over `n` of each.
        let (input, out) = unsafe { (In::new(input, n)?, InOut::new(out, n)?) };
        (0..n).try_for_each(|index| {
            let asked = input.get(index);
            let [first_wait, following_wait] = SUBJECT.wait_estimate(&WaitCase {
                arch: narrow(asked.arch),
                driver: narrow(asked.driver),
                platform: asked.platform,
                count: asked.count,
                is_async: asked.is_async != 0,
            })?;
            out.set_at(index, udma_wait_out { first_wait, following_wait });
            Some(())
        })
    }

    /// HOST-1, HOST-2; -1 for a core that the architecture does not have.
    fn udma_host_queue(arch: u32, core: u32, out: *mut udma_host_place, ret: *mut i32) {
        // SAFETY: the caller hands over a structure and a code.
        let (out, ret) = unsafe { (InOut::one(out)?, InOut::one(ret)?) };
        let place = SUBJECT.host_place(narrow(arch), core)?;
        if let Some(place) = place {
            out.set(udma_host_place {
                window: place.window,
                engine: place.engine,
                queue: place.queue,
                ring_size: place.ring_size,
                unused: 0,
            });
        }
        ret.set(if place.is_some() { 0 } else { -1 });
        Some(())
    }

    /// SWQ-1.
    fn udma_shadow_init(queue: *mut Shadow, count: u32) {
        // SAFETY: the caller hands over one structure.
        let queue = unsafe { InOut::one(queue) }?;
        queue.set(SUBJECT.shadow(count)?);
        Some(())
    }

    /// SWQ-2, SWQ-5.
    fn udma_shadow_reserve(
        tx: *mut Shadow, rx: *mut Shadow, n: u32, tx_idx: *mut u32, rx_idx: *mut u32, ret: *mut i32
    ) {
        // SAFETY: the caller hands over two structures, two slots and a code.
        let (tx, rx, first, ret) = unsafe {
            (InOut::one(tx)?, InOut::one(rx)?, [InOut::one(tx_idx)?, InOut::one(rx_idx)?],
                InOut::one(ret)?)
        };
        let (mut own_tx, mut own_rx) = (tx.get(0), rx.get(0));
        let (code, slots) = SUBJECT.shadow_reserve(&mut own_tx, &mut own_rx, n)?;
        tx.set(own_tx);
        rx.set(own_rx);
        if code == 0 {
            for (to, slot) in first.iter().zip(slots) {
                to.set(slot);
            }
        }
        ret.set(code);
        Some(())
    }

    /// SWQ-3.
    fn udma_shadow_ring_id_at(queue: *const Shadow, index: u32, id: *mut u32) {
        // SAFETY: the caller hands over a structure and a number.
        let (queue, id) = unsafe { (In::one(queue)?, InOut::one(id)?) };
        id.set(SUBJECT.shadow_ring_id_at(&queue.get(0), index)?);
        Some(())
    }
}
