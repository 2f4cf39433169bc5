//! The Rust implementation behind the C ABI of `udma_oracle.h`, under the plain prefix `udma_`, as
//! any library under test exports it. The kernel line; the HAL line as `harness/capi-hal`.
//!
//! A null or misaligned pointer, an absurd count, and a handle that is not open give
//! `UDMA_NOT_OFFERED`, and so does a call that would panic: nothing unwinds into the caller. An
//! engine that is busy, because a hook of the host calls back or another thread is in it, gives
//! the same.

mod call;
mod engine;
mod handles;
mod host;

use core::ffi::{c_char, c_void};

use udma_oracle::line::Line;
use udma_oracle::subject::{PacketIn, Subject};
use udma_oracle::subjects::{Rust, RustEngine};
use udma_oracle::wire::{
    BitCase, Block, Desc, Fields, MetaFields, PairIn, PairOut, Place, QueueSw, RingState,
};
use udma_reference::{Api, abi};

use call::{In, InOut, text};
use engine::{ENGINES, open, ring};

const LINE: Line = if cfg!(feature = "hal") {
    Line::Hal
} else {
    Line::Kernel
};
const SUBJECT: Rust = Rust::new(LINE);

/// Most blocks of a packet that are looked at; every original refuses far fewer (BLDR-9).
const MOST_BLOCKS: u32 = 1 << 16;

/// The functions of this library, for those that link it in; holds each to the header's types.
pub const API: Api = Api {
    info: Some(udma_info),
    decode: Some(udma_decode),
    encode: Some(udma_encode),
    meta_decode: Some(udma_meta_decode),
    meta_encode: Some(udma_meta_encode),
    bits: Some(udma_bits),
    build_pairs: Some(udma_build_pairs),
    build_packet: Some(udma_build_packet),
    build_cme_meta: Some(udma_build_cme_meta),
    build_crc_copy: Some(udma_build_crc_copy),
    ring_size: Some(udma_ring_size),
    engine_open: Some(udma_engine_open),
    engine_close: Some(udma_engine_close),
    queue_init: Some(udma_queue_init),
    queue_sw: Some(udma_queue_sw),
    ring_get: Some(udma_ring_get),
    ring_id: Some(udma_ring_id),
    ring_ack: Some(udma_ring_ack),
    ring_available: Some(udma_ring_available),
    prepare: Some(udma_prepare),
    copy_start: Some(udma_copy_start),
    queue_state: Some(udma_queue_state),
    layout: Some(udma_layout),
    op_split: Some(compute::udma_op_split),
    op_transpose: Some(compute::udma_op_transpose),
    op_replication: Some(compute::udma_op_replication),
    op_add: Some(compute::udma_op_add),
    op_min_max: Some(compute::udma_op_min_max),
    op_fma: Some(compute::udma_op_fma),
    op_cce_ext: Some(compute::udma_op_cce_ext),
    op_gradient: Some(compute::udma_op_gradient),
    op_decode: Some(compute::udma_op_decode),
    desc_fma: Some(compute::udma_desc_fma),
    desc_min_max: Some(compute::udma_desc_min_max),
    desc_seed_init: Some(compute::udma_desc_seed_init),
    desc_replication: Some(compute::udma_desc_replication),
    desc_gradient: Some(compute::udma_desc_gradient),
    desc_decode: Some(compute::udma_desc_decode),
    build_transpose: Some(compute::udma_build_transpose),
    transpose_name: Some(compute::udma_transpose_name),
    transpose_window: Some(compute::udma_transpose_window),
    transpose_flush: Some(compute::udma_transpose_flush),
    dtypes: Some(compute::udma_dtypes),
    remap: Some(compute::udma_remap),
    combo_chain: Some(compute::udma_combo_chain),
    build_reduction: Some(compute::udma_build_reduction),
    transfer_open: Some(transfers::udma_transfer_open),
    copy: Some(transfers::udma_copy),
    copy_async: Some(transfers::udma_copy_async),
    wait: Some(transfers::udma_wait),
    memset: Some(transfers::udma_memset),
    zerocopy: Some(transfers::udma_zerocopy),
    contexts_open: Some(transfers::udma_contexts_open),
    contexts_submit: Some(transfers::udma_contexts_submit),
    contexts_copy: Some(transfers::udma_contexts_copy),
    contexts_advance: Some(transfers::udma_contexts_advance),
    contexts_state: Some(transfers::udma_contexts_state),
    contexts_at: Some(transfers::udma_contexts_at),
    completion_pop: Some(transfers::udma_completion_pop),
    zerocopy_offered: Some(transfers::udma_zerocopy_offered),
    wait_estimate: Some(transfers::udma_wait_estimate),
    host_queue: Some(transfers::udma_host_queue),
    shadow_init: Some(transfers::udma_shadow_init),
    shadow_reserve: Some(transfers::udma_shadow_reserve),
    shadow_ring_id_at: Some(transfers::udma_shadow_ring_id_at),
    shadow_commit: Some(registers::udma_shadow_commit),
    bare_copy_start: Some(registers::udma_bare_copy_start),
    software_poll: Some(registers::udma_software_poll),
    engine_init: Some(registers::udma_engine_init),
    engine_state: Some(registers::udma_engine_state),
    set_state: Some(registers::udma_set_state),
    iofic: Some(registers::udma_iofic),
    iofic_causes: Some(registers::udma_iofic_causes),
    bar0: Some(registers::udma_bar0),
    vring_open: Some(vring::udma_vring_open),
    vring_close: Some(vring::udma_vring_close),
    vring_page_gate: Some(vring::udma_vring_page_gate),
    vring_transfer: Some(vring::udma_vring_transfer),
    vring_transfer_ex: Some(vring::udma_vring_transfer_ex),
    vring_poke: Some(vring::udma_vring_poke),
    vring_packet: Some(vring::udma_vring_packet),
    vring_raw: Some(vring::udma_vring_raw),
    vring_deep_copy: Some(vring::udma_vring_deep_copy),
    vring_free: Some(vring::udma_vring_free),
    vring_image: Some(vring::udma_vring_image),
    vring_read: Some(vring::udma_vring_read),
    vring_pack: Some(vring::udma_vring_pack),
    vring_dmb_on_last_packet: Some(vring::udma_vring_dmb_on_last_packet),
    vring_addr_rewrite: Some(vring::udma_vring_addr_rewrite),
    vring_semaphore_wanted: Some(vring::udma_vring_semaphore_wanted),
    vring_embed_semaphore: Some(vring::udma_vring_embed_semaphore),
    vring_template: Some(vring::udma_vring_template),
    vring_resolve: Some(vring::udma_vring_resolve),
    pring_size: Some(vring::udma_pring_size),
    vring_dump: Some(vring::prings::udma_vring_dump),
    vring_dump_both: Some(vring::prings::udma_vring_dump_both),
    cache_open: Some(vring::udma_cache_open),
    cache_acquire: Some(vring::udma_cache_acquire),
    cache_release: Some(vring::udma_cache_release),
    cache_stats: Some(vring::udma_cache_stats),
    cache_close: Some(vring::udma_cache_close),
    set_open: Some(vring::udma_set_open),
    set_add: Some(vring::udma_set_add),
    set_close: Some(vring::udma_set_close),
    vring_layout: Some(vring::udma_vring_layout),
};

/// An exported function: its body says what it gives, or that the operation is not offered.
macro_rules! export {
    ($(#[$doc:meta] fn $name:ident($($arg:ident: $type:ty),*) $body:block)*) => {$(
        #[$doc]
        ///
        /// # Safety
        /// Every pointer is null or points to what the header asks for, for as long as it asks.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $type),*) -> i32 {
            $crate::call::call(|| $body)
        }
    )*};
}

mod compute;
mod registers;
mod transfers;
mod vring;

export! {
    /// Version of the ABI, and the line.
    fn udma_info(out: *mut abi::udma_info) {
        // SAFETY: the caller hands over one structure.
        let out = unsafe { InOut::one(out) }?;
        let line = match LINE {
            Line::Kernel => abi::UDMA_LINE_KERNEL,
            Line::Hal => abi::UDMA_LINE_HAL,
        };
        out.set(abi::udma_info { abi_version: abi::UDMA_ABI_VERSION, line });
        Some(())
    }

    /// DESC: takes descriptors apart.
    fn udma_decode(input: *const Desc, inout: *mut Fields, n: u32) {
        // SAFETY: the caller hands over `n` of each.
        let (input, inout) = unsafe { (In::new(input, n)?, InOut::new(inout, n)?) };
        (0..n).try_for_each(|index| {
            // SAFETY: inside the element; the view alone is filled beforehand.
            let view = unsafe { (&raw const (*inout.at(index)).view).read() };
            let mut fields = [Fields { view, ..Fields::default() }];
            SUBJECT.decode(&[input.get(index)], &mut fields)?;
            inout.set_at(index, fields[0]);
            Some(())
        })
    }

    /// DESC: puts descriptors together.
    fn udma_encode(input: *const Fields, out: *mut Desc, n: u32) {
        // SAFETY: the caller hands over `n` of each.
        let (input, out) = unsafe { (In::new(input, n)?, InOut::new(out, n)?) };
        (0..n).try_for_each(|index| {
            let mut desc = [Desc::default()];
            SUBJECT.encode(&[input.get(index)], &mut desc)?;
            out.set_at(index, desc[0]);
            Some(())
        })
    }

    /// META: takes `meta_ctrl` words apart.
    fn udma_meta_decode(input: *const u32, out: *mut MetaFields, n: u32) {
        // SAFETY: the caller hands over `n` of each.
        let (input, out) = unsafe { (In::new(input, n)?, InOut::new(out, n)?) };
        (0..n).try_for_each(|index| {
            out.set_at(index, SUBJECT.meta_decode(input.get(index))?);
            Some(())
        })
    }

    /// META: puts `meta_ctrl` words together.
    fn udma_meta_encode(input: *const MetaFields, out: *mut u32, n: u32) {
        // SAFETY: the caller hands over `n` of each.
        let (input, out) = unsafe { (In::new(input, n)?, InOut::new(out, n)?) };
        (0..n).try_for_each(|index| {
            out.set_at(index, SUBJECT.meta_encode(&input.get(index))?);
            Some(())
        })
    }

    /// BITS: the helpers on one descriptor.
    fn udma_bits(inout: *mut BitCase, n: u32) {
        // SAFETY: the caller hands over `n` cases.
        let inout = unsafe { InOut::new(inout, n) }?;
        (0..n).try_for_each(|index| {
            let at = inout.at(index);
            // SAFETY: inside the element; the value is not filled beforehand.
            let (desc, op) = unsafe { ((&raw const (*at).desc).read(), (&raw const (*at).op).read()) };
            let mut case = [BitCase { desc, op, value: 0 }];
            SUBJECT.bits(&mut case)?;
            inout.set_at(index, case[0]);
            Some(())
        })
    }

    /// BLDR: independent pairs.
    fn udma_build_pairs(input: *const PairIn, inout: *mut PairOut, n: u32) {
        // SAFETY: the caller hands over `n` of each.
        let (input, inout) = unsafe { (In::new(input, n)?, InOut::new(inout, n)?) };
        (0..n).try_for_each(|index| {
            let at = inout.at(index);
            // SAFETY: inside the element; the two slots alone are filled beforehand.
            let (tx, rx) = unsafe { ((&raw const (*at).tx).read(), (&raw const (*at).rx).read()) };
            let mut out = [PairOut { tx, rx, ..PairOut::default() }];
            SUBJECT.build_pairs(&[input.get(index)], &mut out)?;
            // SAFETY: as above; what is unused is left as it is.
            unsafe {
                (&raw mut (*at).tx).write(out[0].tx);
                (&raw mut (*at).rx).write(out[0].rx);
                (&raw mut (*at).ret).write(out[0].ret);
            }
            Some(())
        })
    }

    /// BLDR-9, BLDR-10: a packet.
    fn udma_build_packet(input: *const abi::udma_packet_in, tx: *mut Desc, rx: *mut Desc, ret: *mut i32) {
        // SAFETY: the caller hands over one request and one code.
        let (packet, ret) = unsafe { (In::one(input)?.get(0), InOut::one(ret)?) };
        if packet.count > MOST_BLOCKS {
            return None;
        }
        let slots = packet.count.max(1);
        // SAFETY: the caller hands over that many blocks and slots.
        let (blocks, tx, rx): (In<Block>, _, _) = unsafe {
            (In::new(packet.blocks, packet.count)?, InOut::new(tx, slots)?, InOut::new(rx, slots)?)
        };
        let case = PacketIn {
            blocks: blocks.all(),
            rx_ring_id: packet.rx_ring_id,
            tx_ring_id: packet.tx_ring_id,
            mode: packet.mode,
            dst_int: packet.dst_int != 0,
            sow: packet.sow != 0,
            notify: packet.notify != 0,
            arch: packet.arch,
        };
        let (mut sent, mut received) = (tx.all(), rx.all());
        ret.set(SUBJECT.build_packet(&case, &mut sent, &mut received)?);
        tx.set_all(&sent);
        rx.set_all(&received);
        Some(())
    }

    /// BLDR-11: the meta descriptor of a CME packet.
    fn udma_build_cme_meta(index: u32, out: *mut Desc) {
        // SAFETY: the caller hands over one slot.
        let out = unsafe { InOut::one(out) }?;
        out.set(SUBJECT.build_cme_meta(index)?);
        Some(())
    }

    /// BLDR-11: a CRC copy.
    fn udma_build_crc_copy(input: *const PairIn, index: u32, tx: *mut Desc, rx: *mut Desc, ret: *mut i32) {
        // SAFETY: the caller hands over a request, two TX slots, an RX slot and a code.
        let (input, tx, rx, ret) = unsafe {
            (In::one(input)?, InOut::new(tx, 2)?, InOut::one(rx)?, InOut::one(ret)?)
        };
        let (mut sent, mut received) = ([tx.get(0), tx.get(1)], rx.get(0));
        ret.set(SUBJECT.build_crc_copy(&input.get(0), index, &mut sent, &mut received)?);
        tx.set_all(&sent);
        rx.set(received);
        Some(())
    }

    /// RING-9: descriptor counts rounded.
    fn udma_ring_size(want: *const u32, out: *mut u32, n: u32) {
        // SAFETY: the caller hands over `n` of each.
        let (want, out) = unsafe { (In::new(want, n)?, InOut::new(out, n)?) };
        (0..n).try_for_each(|index| {
            let mut size = [0];
            SUBJECT.ring_size(&[want.get(index)], &mut size)?;
            out.set_at(index, size[0]);
            Some(())
        })
    }

    /// An engine right after its initialisation.
    fn udma_engine_open(cfg: *const abi::udma_engine_cfg, engine: *mut *mut c_void) {
        // SAFETY: the caller hands over a configuration, whose hooks stay valid until the engine is
        // closed, and a place for the handle.
        let (cfg, engine) = unsafe { (In::one(cfg)?.get(0), InOut::one(engine)?) };
        engine.set(core::ptr::null_mut());
        // SAFETY: as above.
        engine.set(unsafe { open(LINE, &cfg) }?);
        Some(())
    }

    /// Ends an engine.
    fn udma_engine_close(engine: *mut c_void) {
        ENGINES.close(engine)
    }

    /// QINI.
    fn udma_queue_init(engine: *mut c_void, qid: u32, cfg: *const abi::udma_queue_cfg, ret: *mut i32) {
        // SAFETY: the caller hands over a configuration and a code.
        let (cfg, ret) = unsafe { (In::one(cfg)?.get(0), InOut::one(ret)?) };
        // SAFETY: the rings hold what the configuration says until they are replaced.
        ret.set(ENGINES.on(engine, |opened| unsafe { opened.queue_init(qid, &cfg) })?);
        Some(())
    }

    /// Software state of one side of a queue.
    fn udma_queue_sw(engine: *mut c_void, qid: u32, side: u32, out: *mut QueueSw) {
        // SAFETY: the caller hands over one structure.
        let out = unsafe { InOut::one(out) }?;
        out.set(ENGINES.on(engine, |opened| opened.engine.queue_sw(qid, ring(side)?))?);
        Some(())
    }

    /// RING-3.
    fn udma_ring_get(engine: *mut c_void, qid: u32, side: u32, slot: *mut i64) {
        // SAFETY: the caller hands over one number.
        let slot = unsafe { InOut::one(slot) }?;
        slot.set(ENGINES.on(engine, |opened| opened.engine.get(qid, ring(side)?))?);
        Some(())
    }

    /// RING-4.
    fn udma_ring_id(engine: *mut c_void, qid: u32, side: u32, id: *mut u32) {
        // SAFETY: the caller hands over one number.
        let id = unsafe { InOut::one(id) }?;
        id.set(ENGINES.on(engine, |opened| opened.engine.ring_id(qid, ring(side)?))?);
        Some(())
    }

    /// RING-5.
    fn udma_ring_ack(engine: *mut c_void, qid: u32, side: u32, count: u32, ret: *mut i32) {
        // SAFETY: the caller hands over one number.
        let ret = unsafe { InOut::one(ret) }?;
        ret.set(ENGINES.on(engine, |opened| opened.engine.ack(qid, ring(side)?, count))?);
        Some(())
    }

    /// RING-2.
    fn udma_ring_available(engine: *mut c_void, qid: u32, side: u32, out: *mut i64) {
        // SAFETY: the caller hands over one number.
        let out = unsafe { InOut::one(out) }?;
        out.set(ENGINES.on(engine, |opened| opened.engine.available(qid, ring(side)?))?);
        Some(())
    }

    /// RING-8, RING-11.
    fn udma_prepare(engine: *mut c_void, qid: u32, pair: *const PairIn, ret: *mut i32) {
        // SAFETY: the caller hands over a request and a code.
        let (pair, ret) = unsafe { (In::one(pair)?.get(0), InOut::one(ret)?) };
        ret.set(ENGINES.on(engine, |opened| Some(opened.prepare(qid, &pair)))?);
        Some(())
    }

    /// TRIG.
    fn udma_copy_start(engine: *mut c_void, qid: u32, m2s_count: u32, s2m_count: u32, ret: *mut i32) {
        // SAFETY: the caller hands over one number.
        let ret = unsafe { InOut::one(ret) }?;
        ret.set(ENGINES.on(engine, |opened| {
            Some(opened.engine.copy_start(&mut opened.host, qid, m2s_count, s2m_count))
        })?);
        Some(())
    }

    /// REGS-2.
    fn udma_queue_state(
        engine: *mut c_void, qid: u32, tx_sw_status: u32, rx_sw_status: u32,
        tx: *mut RingState, rx: *mut RingState
    ) {
        // SAFETY: the caller hands over two structures.
        let (tx, rx) = unsafe { (InOut::one(tx)?, InOut::one(rx)?) };
        let [sent, received] = ENGINES.on(engine, |opened| {
            RustEngine::queue_state(&mut opened.host, qid, [tx_sw_status, rx_sw_status])
        })?;
        tx.set(sent);
        rx.set(received);
        Some(())
    }

    /// REGS-1.
    fn udma_layout(kind: *const c_char, name: *const c_char, field: *const c_char, out: *mut Place) {
        // SAFETY: the caller hands over terminated strings that outlive the call, and one structure.
        let (kind, name, field, out) = unsafe {
            (text(kind)?, text(name)?, text(field)?, InOut::one(out)?)
        };
        out.set(SUBJECT.layout(kind, name, field)?);
        Some(())
    }
}
