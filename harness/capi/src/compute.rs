//! Compute descriptors: op-class words, META descriptors, transposes, reductions.

use core::ffi::{CStr, c_char};

use udma_oracle::subject::ops::{
    Add, CceExt, DtypeCase, Flush, Fma, FmaDesc, Front, MinMax, MinMaxDesc, Ops, PayloadDesc,
    Reduction, Remap, Replication, Split, Transpose, TransposeWord, Window, Word,
};
use udma_oracle::wire::{Desc, PairOut};
use udma_reference::abi::{udma_reduction_in, udma_reduction_out};

use crate::call::{In, InOut};
use crate::{MOST_BLOCKS, SUBJECT};

/// Exports a builder of `n` values, each from one structure of operands, by what `$ask` gives.
macro_rules! each {
    ($($(#[$doc:meta])* $name:ident: $in:ty, $out:ty, $ask:expr;)*) => {
        export! {$(
            $(#[$doc])*
            fn $name(input: *const $in, out: *mut $out, n: u32) {
                // SAFETY: the caller hands over `n` of each.
                let (input, out) = unsafe { (In::new(input, n)?, InOut::new(out, n)?) };
                (0..n).try_for_each(|index| {
                    let ask: fn($in) -> Option<$out> = $ask;
                    out.set_at(index, ask(input.get(index))?);
                    Some(())
                })
            }
        )*}
    };
}

each! {
    /// OPC: striding splits.
    udma_op_split: Split, u32, |op| SUBJECT.word(&Word::Split(op));
    /// OPC: transposes.
    udma_op_transpose: TransposeWord, u32, |op| SUBJECT.word(&Word::Transpose(op));
    /// OPC: replications.
    udma_op_replication: Replication, u32, |op| SUBJECT.word(&Word::Replication(op));
    /// CCE-5.
    udma_op_add: Add, u32, |op| SUBJECT.word(&Word::Add(op));
    /// CCE-4.
    udma_op_min_max: MinMax, u32, |op| SUBJECT.word(&Word::MinMax(op));
    /// CCE-3.
    udma_op_fma: Fma, u32, |op| SUBJECT.word(&Word::Fma(op));
    /// OPC: extensions.
    udma_op_cce_ext: CceExt, u32, |op| SUBJECT.word(&Word::CceExt(op));
    /// CCE-6.
    udma_op_gradient: Fma, u32, |op| SUBJECT.word(&Word::Gradient(op));
    /// OPC-2, OPC-3.
    udma_op_decode: u32, u32, |word| SUBJECT.word_set(word);
    /// CCE-2.
    udma_desc_fma: FmaDesc, Desc, |desc| SUBJECT.front(&Front::Fma(desc));
    /// CCE-4.
    udma_desc_min_max: MinMaxDesc, Desc, |desc| SUBJECT.front(&Front::MinMax(desc));
    /// CCE-7.
    udma_desc_seed_init: PayloadDesc, Desc, |desc| SUBJECT.front(&Front::SeedInit(desc));
    /// OPC-5.
    udma_desc_replication: PayloadDesc, Desc, |desc| SUBJECT.front(&Front::Replication(desc));
    /// OPC-5.
    udma_desc_gradient: PayloadDesc, Desc, |desc| SUBJECT.front(&Front::Gradient(desc));
    /// OPC-3, CCE-1.
    udma_desc_decode: Desc, u32, |desc| SUBJECT.front_set(&desc);
}

export! {
    /// TRN-1, TRN-2.
    fn udma_build_transpose(input: *const Transpose, inout: *mut Desc, ret: *mut i32) {
        // SAFETY: the caller hands over a request, a slot and a code.
        let (input, inout, ret) = unsafe { (In::one(input)?, InOut::one(inout)?, InOut::one(ret)?) };
        let mut slot = inout.get(0);
        ret.set(SUBJECT.transpose(&input.get(0), &mut slot)?);
        inout.set(slot);
        Some(())
    }

    /// TRN-3. A name that is no text is no permutation.
    fn udma_transpose_name(name: *const c_char, ret: *mut i32) {
        // SAFETY: the caller hands over one code.
        let ret = unsafe { InOut::one(ret) }?;
        // SAFETY: the caller hands over a terminated string that outlives the call.
        let name = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) })?;
        ret.set(SUBJECT.transpose_name(name.to_str().unwrap_or_default())?);
        Some(())
    }

    /// TRN-4, TRN-5.
    fn udma_transpose_window(inout: *mut Window, n: u32) {
        // SAFETY: the caller hands over `n` cases.
        let inout = unsafe { InOut::new(inout, n) }?;
        (0..n).try_for_each(|index| {
            let mut case = inout.get(index);
            SUBJECT.window(&mut case)?;
            inout.set_at(index, case);
            Some(())
        })
    }

    /// TRN-6.
    fn udma_transpose_flush(input: *const Flush, inout: *mut PairOut) {
        // SAFETY: the caller hands over a request and a pair of slots.
        let (input, inout) = unsafe { (In::one(input)?, InOut::one(inout)?) };
        let mut pair = inout.get(0);
        SUBJECT.flush(&input.get(0), &mut pair)?;
        inout.set(pair);
        Some(())
    }

    /// CCE-12: sizes and limits.
    fn udma_dtypes(inout: *mut DtypeCase, n: u32) {
        // SAFETY: the caller hands over `n` cases.
        let inout = unsafe { InOut::new(inout, n) }?;
        (0..n).try_for_each(|index| {
            let mut case = inout.get(index);
            SUBJECT.dtype(&mut case)?;
            inout.set_at(index, case);
            Some(())
        })
    }

    /// Numbers of the runtime to those of the engine.
    fn udma_remap(inout: *mut Remap, n: u32) {
        // SAFETY: the caller hands over `n` cases.
        let inout = unsafe { InOut::new(inout, n) }?;
        (0..n).try_for_each(|index| {
            let mut case = inout.get(index);
            SUBJECT.remap(&mut case)?;
            inout.set_at(index, case);
            Some(())
        })
    }

    /// CCE-9: links.
    fn udma_combo_chain(inout: *mut Desc, n: u32) {
        // SAFETY: the caller hands over `n` descriptors.
        let inout = unsafe { InOut::new(inout, n) }?;
        let mut members = inout.all();
        SUBJECT.combo(&mut members)?;
        inout.set_all(&members);
        Some(())
    }

    /// CCE-8 to CCE-13.
    fn udma_build_reduction(
        input: *const udma_reduction_in, tx: *mut Desc, rx: *mut Desc, out: *mut udma_reduction_out
    ) {
        // SAFETY: the caller hands over one request and one result.
        let (input, out) = unsafe { (In::one(input)?.get(0), InOut::one(out)?) };
        let counts = (input.num_sources, input.num_destinations);
        if counts.0 > MOST_BLOCKS || counts.1 > MOST_BLOCKS {
            return None;
        }
        // SAFETY: the caller hands over that many addresses and slots.
        let (sources, destinations, tx, rx) = unsafe { (
            In::new(input.sources, counts.0)?,
            In::new(input.destinations, counts.1)?,
            InOut::new(tx, counts.0 + counts.1 + 2)?,
            InOut::new(rx, counts.1)?,
        ) };
        let case = Reduction {
            sources: sources.all(),
            destinations: destinations.all(),
            seed: (input.use_seed != 0).then_some(input.seed),
            size: input.size,
            arch: input.arch,
            op: input.op,
            sub: input.sub,
            in_dtype: input.in_dtype,
            out_dtype: input.out_dtype,
            accum_dtype: input.accum_dtype,
            scale: (input.use_scale != 0).then_some((input.scale_dtype, input.scale)),
            constant: (input.use_const != 0).then_some((input.const_dtype, input.constant)),
            meta_index: input.meta_index,
            tx_ring_id: input.tx_ring_id,
            rx_ring_id: input.rx_ring_id,
        };
        let (ret, sent, received) = SUBJECT.reduction(&case)?;
        tx.set_all(&sent);
        rx.set_all(&received);
        let unused = out.get(0).unused;
        let (tx_count, rx_count) = (sent.len() as u32, received.len() as u32);
        out.set(udma_reduction_out { tx_count, rx_count, ret, unused });
        Some(())
    }
}
