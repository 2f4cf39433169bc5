//! Virtual rings (HAL line).

pub mod prings;
mod rings;

use core::ffi::{c_char, c_void};

use udma::Arch;
use udma::io::Side;
use udma::packet::{Block, PacketRequest};
use udma::vring::{Error, PageGate, Semaphore, Transfer, Vring, pring_size};
use udma_oracle::line::Line;
use udma_oracle::subject::vring::Vrings;
use udma_oracle::subjects::arch;
use udma_oracle::wire::{Block as BlockIn, Desc, Place};
use udma_reference::abi::{
    UDMA_RING_RX, UDMA_RING_TX, udma_cache_stats, udma_packed, udma_packet_in, udma_page_gate,
    udma_resolved, udma_semaphore, udma_vring_copy, udma_vring_half, udma_vring_image,
};

use crate::call::{In, InOut, narrow, text};
use crate::{LINE, MOST_BLOCKS, SUBJECT};

fn offered() -> Option<()> {
    (LINE == Line::Hal).then_some(())
}

fn side(half: u32) -> Option<Side> {
    match half {
        UDMA_RING_TX => Some(Side::Tx),
        UDMA_RING_RX => Some(Side::Rx),
        _ => None,
    }
}

fn code<T>(result: Result<T, Error>) -> i32 {
    result.err().map_or(0, |error: Error| error.code())
}

fn transfer(copy: &udma_vring_copy) -> Transfer {
    Transfer {
        src: copy.src,
        dst: copy.dst,
        size: copy.size,
        ordered: copy.ordered != 0,
    }
}

/// Adds a transfer in one of its two forms.
///
/// # Safety
/// The pointers are null or point to a structure and a code.
unsafe fn add(
    vring: *mut c_void,
    input: *const udma_vring_copy,
    ret: *mut i32,
    form: fn(&mut Vring, Arch, &Transfer) -> Result<(), Error>,
) -> Option<()> {
    // SAFETY: as asked of this function's caller.
    let (input, ret) = unsafe { (In::one(input)?.get(0), InOut::one(ret)?) };
    ret.set(rings::change(vring, |vring| {
        Some(code(form(vring, arch(input.arch), &transfer(&input))))
    })?);
    Some(())
}

fn fields(input: &udma_semaphore) -> Semaphore {
    Semaphore {
        set_sow: input.set_sow != 0,
        csr_index: input.csr_index,
        semaphore: input.semaphore,
    }
}

fn resolved(result: &Result<u64, Error>) -> udma_resolved {
    match result {
        Ok(count) => udma_resolved {
            count: *count,
            variable: 0,
            ret: 0,
        },
        Err(error) => udma_resolved {
            count: 0,
            variable: error.variable(),
            ret: error.code(),
        },
    }
}

/// Sets a handle and a code: the handle is null where the code is not 0.
fn give(result: Result<*mut c_void, Error>, to: InOut<*mut c_void>, ret: InOut<i32>) {
    ret.set(code(result));
    to.set(result.unwrap_or(core::ptr::null_mut()));
}

fn image(vring: &Vring) -> Box<udma_vring_image> {
    let image = vring.image();
    let page = |number: u64| core::ptr::without_provenance_mut(number as usize);
    let half = |half: &udma::vring::layout::HalfImage| udma_vring_half {
        used_desc_count: half.used_desc_count,
        head: page(half.head),
        tail: page(half.tail),
        is_template: half.is_template,
        max_var_id: half.max_var_id,
        ..udma_vring_half::default()
    };
    Box::new(udma_vring_image {
        name: image.name.map(|byte| byte as c_char),
        tx: half(&image.tx),
        rx: half(&image.rx),
        total_tx_size: image.total_tx_size,
        total_rx_size: image.total_rx_size,
        stochastic_rounding: image.stochastic_rounding,
        unused: image.unused,
    })
}

export! {
    /// VRNG-1: an empty vring.
    fn udma_vring_open(name: *const c_char, vring: *mut *mut c_void) {
        offered()?;
        // SAFETY: the caller hands over a terminated name and a place for the handle.
        let (name, vring) = unsafe { (text(name)?, InOut::one(vring)?) };
        vring.set(rings::open(Vring::new(name)));
        Some(())
    }

    /// Closes a vring.
    fn udma_vring_close(vring: *mut c_void) {
        rings::close(vring)
    }

    /// VRNG-4: what is asked before every page.
    fn udma_vring_page_gate(vring: *mut c_void, gate: *const udma_page_gate) {
        let gate = if gate.is_null() {
            PageGate::open()
        } else {
            // SAFETY: the caller hands over a structure, whose hook stays valid for as long as the
            // vring, and its copies, have it.
            unsafe { rings::gate(&In::one(gate)?.get(0)) }?
        };
        rings::change(vring, |vring| {
            vring.set_page_gate(gate);
            Some(())
        })
    }

    /// XFER.
    fn udma_vring_transfer(vring: *mut c_void, input: *const udma_vring_copy, ret: *mut i32) {
        // SAFETY: the caller hands over a structure and a code.
        unsafe { add(vring, input, ret, Vring::add_transfer) }
    }

    /// XFER.
    fn udma_vring_transfer_ex(vring: *mut c_void, input: *const udma_vring_copy, ret: *mut i32) {
        // SAFETY: the caller hands over a structure and a code.
        unsafe { add(vring, input, ret, Vring::add_transfer_ex) }
    }

    /// XFER-5; the descriptors of both kinds are the same.
    fn udma_vring_poke(
        vring: *mut c_void, number: u32, _kind: u32, src: u64, dst: u64, ret: *mut i32
    ) {
        // SAFETY: the caller hands over a code.
        let ret = unsafe { InOut::one(ret) }?;
        ret.set(rings::change(vring, |vring| {
            Some(code(vring.add_poke(arch(narrow(number)), src, dst)))
        })?);
        Some(())
    }

    /// BLDR-9, BLDR-10.
    fn udma_vring_packet(vring: *mut c_void, input: *const udma_packet_in, ret: *mut i32) {
        // SAFETY: the caller hands over a request and a code.
        let (input, ret) = unsafe { (In::one(input)?.get(0), InOut::one(ret)?) };
        if input.count > MOST_BLOCKS {
            return None;
        }
        // SAFETY: the request says how many blocks there are.
        let blocks: In<BlockIn> = unsafe { In::new(input.blocks, input.count) }?;
        let blocks: Vec<Block> = blocks
            .all()
            .iter()
            .map(|block| Block { src: block.src, dst: block.dst, size: block.size })
            .collect();
        let request = PacketRequest {
            mode: input.mode,
            sow: input.sow != 0,
            dst_int: input.dst_int != 0,
            notify: input.notify != 0,
            ..PacketRequest::default()
        };
        ret.set(rings::change(vring, |vring| {
            Some(code(vring.add_packet(arch(input.arch), &request, &blocks)))
        })?);
        Some(())
    }

    /// VRNG-4.
    fn udma_vring_raw(vring: *mut c_void, half: u32, desc: *const Desc, n: u32, ret: *mut i32) {
        // SAFETY: the caller hands over `n` descriptors and a code.
        let (desc, ret) = unsafe { (In::new(desc, n)?, InOut::one(ret)?) };
        let half = side(half)?;
        ret.set(rings::change(vring, |vring| {
            let mut descs = (0..n).map(|index| udma::Desc::from_words(desc.get(index).word));
            Some(code(descs.try_for_each(|desc| vring.add_raw(half, desc))))
        })?);
        Some(())
    }

    /// VRNG-7.
    fn udma_vring_deep_copy(vring: *mut c_void, copy: *mut *mut c_void, ret: *mut i32) {
        // SAFETY: the caller hands over places for a handle and a code.
        let (copy, ret) = unsafe { (InOut::one(copy)?, InOut::one(ret)?) };
        let copied = rings::look(vring, |vring| Some(vring.deep_copy()))?;
        give(copied.map(rings::open), copy, ret);
        Some(())
    }

    /// VRNG-7.
    fn udma_vring_free(vring: *mut c_void) {
        rings::change(vring, |vring| {
            vring.free();
            Some(())
        })
    }

    /// VRNG-1, VRNG-2.
    fn udma_vring_image(vring: *mut c_void, out: *mut udma_vring_image) {
        // SAFETY: the caller hands over one structure.
        let out = unsafe { InOut::one(out) }?;
        out.set(*rings::look(vring, |vring| Some(image(vring)))?);
        Some(())
    }

    /// Descriptors of a half.
    fn udma_vring_read(
        vring: *mut c_void, half: u32, first: u32, n: u32, out: *mut Desc, count: *mut u32
    ) {
        // SAFETY: the caller hands over `n` slots and a count.
        let (out, count) = unsafe { (InOut::new(out, n)?, InOut::one(count)?) };
        let half = side(half)?;
        let descs = rings::look(vring, |vring| {
            let mut descs = vec![udma::Desc::default(); n as usize];
            let count = vring.half(half).read(first, &mut descs);
            descs.truncate(count);
            Some(descs)
        })?;
        for (index, desc) in (0..).zip(&descs) {
            out.set_at(index, Desc { word: desc.words() });
        }
        count.set(descs.len() as u32);
        Some(())
    }

    /// PACK.
    fn udma_vring_pack(
        vring: *mut c_void, number: u32, start: u32, end: u32, max_bytes: u64, out: *mut udma_packed
    ) {
        // SAFETY: the caller hands over one structure.
        let out = unsafe { InOut::one(out) }?;
        let result = rings::change(vring, |vring| {
            Some(vring.pack(arch(narrow(number)), start..end, max_bytes))
        })?;
        out.set(match result {
            Ok(packed) => udma_packed { delta: packed.delta, over_rx: packed.over_rx, ret: 0 },
            Err(error) => udma_packed { ret: error.code(), ..udma_packed::default() },
        });
        Some(())
    }

    /// EDIT-1.
    fn udma_vring_dmb_on_last_packet(
        vring: *mut c_void, number: u32, set: *mut u32, ret: *mut i32
    ) {
        // SAFETY: the caller hands over two numbers.
        let (set, ret) = unsafe { (InOut::one(set)?, InOut::one(ret)?) };
        let result = rings::change(vring, |vring| {
            Some(vring.dmb_on_last_packet(arch(narrow(number))))
        })?;
        set.set(result.is_ok_and(|set| set).into());
        ret.set(code(result));
        Some(())
    }

    /// EDIT-2.
    fn udma_vring_addr_rewrite(
        vring: *mut c_void, base: u64, size: u64, new_base: u64, moved: *mut u64
    ) {
        // SAFETY: the caller hands over one number.
        let moved = unsafe { InOut::one(moved) }?;
        moved.set(rings::change(vring, |vring| {
            Some(vring.rewrite_addresses(base, size, new_base))
        })?);
        Some(())
    }

    /// EDIT-3.
    fn udma_vring_semaphore_wanted(
        vring: *mut c_void, input: *const udma_semaphore, wanted: *mut u32
    ) {
        // SAFETY: the caller hands over a structure and a number.
        let (input, wanted) = unsafe { (In::one(input)?.get(0), InOut::one(wanted)?) };
        let result = rings::look(vring, |vring| {
            Some(vring.wants_semaphore(arch(input.arch), input.enabled != 0))
        })?;
        wanted.set(result.into());
        Some(())
    }

    /// EDIT-4.
    fn udma_vring_embed_semaphore(
        vring: *mut c_void, input: *const udma_semaphore, set: *mut u32
    ) {
        // SAFETY: the caller hands over a structure and a number.
        let (input, set) = unsafe { (In::one(input)?.get(0), InOut::one(set)?) };
        let result = rings::change(vring, |vring| {
            Some(vring.embed_semaphore(arch(input.arch), input.enabled != 0, fields(&input)))
        })?;
        set.set(result.into());
        Some(())
    }

    /// TMPL-1.
    fn udma_vring_template(vring: *mut c_void, max_var_id: u32) {
        rings::change(vring, |vring| {
            vring.mark_template(max_var_id);
            Some(())
        })
    }

    /// TMPL-2.
    fn udma_vring_resolve(
        vring: *mut c_void, addresses: *const u64, n: u32, out: *mut udma_resolved
    ) {
        // SAFETY: the caller hands over `n` addresses and a structure.
        let (addresses, out) = unsafe { (In::new(addresses, n)?.all(), InOut::one(out)?) };
        out.set(resolved(&rings::change(vring, |vring| Some(vring.resolve(&addresses)))?));
        Some(())
    }

    /// PRNG-2.
    fn udma_pring_size(descriptors: u32, wrap: u32, out: *mut u64) {
        offered()?;
        // SAFETY: the caller hands over one number.
        let out = unsafe { InOut::one(out) }?;
        out.set(pring_size(descriptors, wrap != 0));
        Some(())
    }

    /// TMPL-3.
    fn udma_cache_open(
        vring: *mut c_void, capacity: u32, cache: *mut *mut c_void, ret: *mut i32
    ) {
        // SAFETY: the caller hands over places for a handle and a code.
        let (cache, ret) = unsafe { (InOut::one(cache)?, InOut::one(ret)?) };
        give(rings::open_cache(vring, capacity)?, cache, ret);
        Some(())
    }

    /// TMPL-3.
    fn udma_cache_acquire(
        cache: *mut c_void, addresses: *const u64, n: u32, ring: *mut *mut c_void,
        out: *mut udma_resolved
    ) {
        // SAFETY: the caller hands over `n` addresses, a place for the handle and a structure.
        let (addresses, ring, out) = unsafe {
            (In::new(addresses, n)?.all(), InOut::one(ring)?, InOut::one(out)?)
        };
        let acquired = rings::acquire(cache, &addresses)?;
        out.set(resolved(&acquired.map(|_| 0)));
        ring.set(acquired.unwrap_or(core::ptr::null_mut()));
        Some(())
    }

    /// TMPL-3.
    fn udma_cache_release(cache: *mut c_void, ring: *mut c_void) {
        rings::release(cache, ring)
    }

    /// TMPL-3.
    fn udma_cache_stats(cache: *mut c_void, out: *mut udma_cache_stats) {
        // SAFETY: the caller hands over one structure.
        let out = unsafe { InOut::one(out) }?;
        out.set(rings::stats(cache)?);
        Some(())
    }

    /// TMPL-3.
    fn udma_cache_close(cache: *mut c_void) {
        rings::close_cache(cache)
    }

    /// VRNG-6.
    fn udma_set_open(name: *const c_char, stochastic_rounding: u32, set: *mut *mut c_void) {
        offered()?;
        // SAFETY: the caller hands over a terminated name and a place for the handle.
        let (name, set) = unsafe { (text(name)?, InOut::one(set)?) };
        set.set(rings::open_set(name, stochastic_rounding != 0));
        Some(())
    }

    /// VRNG-6.
    fn udma_set_add(set: *mut c_void, vring: *mut *mut c_void, ret: *mut i32) {
        // SAFETY: the caller hands over places for a handle and a code.
        let (vring, ret) = unsafe { (InOut::one(vring)?, InOut::one(ret)?) };
        give(rings::add(set)?, vring, ret);
        Some(())
    }

    /// VRNG-6.
    fn udma_set_close(set: *mut c_void) {
        rings::close_set(set)
    }

    /// VRNG-1..3, VRNG-6, PRNG-1.
    fn udma_vring_layout(name: *const c_char, field: *const c_char, out: *mut Place) {
        offered()?;
        // SAFETY: the caller hands over two terminated strings and a structure.
        let (name, field, out) = unsafe { (text(name)?, text(field)?, InOut::one(out)?) };
        out.set(SUBJECT.place(name, field)??);
        Some(())
    }
}
