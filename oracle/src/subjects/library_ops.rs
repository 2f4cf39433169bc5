//! The further operations of a library behind the C ABI.

use std::ffi::CString;

use udma_reference::abi;

use super::Library;
use super::library::{host, offered};
use crate::subject::Tape;
use crate::subject::ops::{
    Bar0, DtypeCase, EngineInit, EngineReport, EngineSw, Flush, Front, Iofic, Ops, Reduced,
    Reduction, Remap, Transpose, Window, Word,
};
use crate::wire::{Desc, FILL, PairOut};

/// One structure in, one value out.
macro_rules! one {
    ($self:ident.$function:ident($input:expr)) => {{
        let mut out = Default::default();
        // SAFETY: one structure in, one value out.
        offered(unsafe { $self.api.$function?($input, &raw mut out, 1) })?;
        Some(out)
    }};
}

impl Ops for Library {
    fn word(&self, word: &Word) -> Option<u32> {
        match word {
            Word::Split(op) => one!(self.op_split(op)),
            Word::Transpose(op) => one!(self.op_transpose(op)),
            Word::Replication(op) => one!(self.op_replication(op)),
            Word::Add(op) => one!(self.op_add(op)),
            Word::MinMax(op) => one!(self.op_min_max(op)),
            Word::Fma(op) => one!(self.op_fma(op)),
            Word::CceExt(op) => one!(self.op_cce_ext(op)),
            Word::Gradient(op) => one!(self.op_gradient(op)),
        }
    }

    fn word_set(&self, word: u32) -> Option<u32> {
        one!(self.op_decode(&raw const word))
    }

    fn front(&self, front: &Front) -> Option<Desc> {
        match front {
            Front::Fma(desc) => one!(self.desc_fma(desc)),
            Front::MinMax(desc) => one!(self.desc_min_max(desc)),
            Front::SeedInit(desc) => one!(self.desc_seed_init(desc)),
            Front::Replication(desc) => one!(self.desc_replication(desc)),
            Front::Gradient(desc) => one!(self.desc_gradient(desc)),
        }
    }

    fn front_set(&self, desc: &Desc) -> Option<u32> {
        one!(self.desc_decode(desc))
    }

    fn transpose(&self, case: &Transpose, slot: &mut Desc) -> Option<i32> {
        let mut ret = 0;
        // SAFETY: one structure in, one slot, one code out.
        offered(unsafe { self.api.build_transpose?(case, slot, &raw mut ret) })?;
        Some(ret)
    }

    fn transpose_name(&self, name: &str) -> Option<i32> {
        let name = CString::new(name).ok()?;
        let mut ret = 0;
        // SAFETY: a terminated string in, one code out.
        offered(unsafe { self.api.transpose_name?(name.as_ptr(), &raw mut ret) })?;
        Some(ret)
    }

    fn window(&self, case: &mut Window) -> Option<()> {
        // SAFETY: one case.
        offered(unsafe { self.api.transpose_window?(case, 1) })
    }

    fn flush(&self, case: &Flush, out: &mut PairOut) -> Option<()> {
        // SAFETY: one structure in, one pair of slots.
        offered(unsafe { self.api.transpose_flush?(case, out) })
    }

    fn dtype(&self, case: &mut DtypeCase) -> Option<()> {
        // SAFETY: one case.
        offered(unsafe { self.api.dtypes?(case, 1) })
    }

    fn remap(&self, case: &mut Remap) -> Option<()> {
        // SAFETY: one case.
        offered(unsafe { self.api.remap?(case, 1) })
    }

    fn combo(&self, members: &mut [Desc]) -> Option<()> {
        // SAFETY: the pointer covers that many descriptors.
        offered(unsafe { self.api.combo_chain?(members.as_mut_ptr(), members.len() as u32) })
    }

    fn reduction(&self, case: &Reduction) -> Option<Reduced> {
        let (scale, constant) = (
            case.scale.unwrap_or_default(),
            case.constant.unwrap_or_default(),
        );
        let input = abi::udma_reduction_in {
            sources: case.sources.as_ptr(),
            destinations: case.destinations.as_ptr(),
            seed: case.seed.unwrap_or_default(),
            size: case.size,
            num_sources: case.sources.len() as u32,
            num_destinations: case.destinations.len() as u32,
            arch: case.arch,
            op: case.op,
            sub: case.sub,
            in_dtype: case.in_dtype,
            out_dtype: case.out_dtype,
            accum_dtype: case.accum_dtype,
            use_scale: case.scale.is_some().into(),
            scale_dtype: scale.0,
            scale: scale.1,
            use_const: case.constant.is_some().into(),
            const_dtype: constant.0,
            constant: constant.1,
            use_seed: case.seed.is_some().into(),
            meta_index: case.meta_index,
            tx_ring_id: case.tx_ring_id,
            rx_ring_id: case.rx_ring_id,
        };
        let mut tx = vec![FILL; case.sources.len() + case.destinations.len() + 2];
        let mut rx = vec![FILL; case.destinations.len() + 1];
        let mut out = abi::udma_reduction_out::default();
        // SAFETY: the lists outlive the call and the slots are as many as the header asks.
        offered(unsafe {
            self.api.build_reduction?(
                &raw const input,
                tx.as_mut_ptr(),
                rx.as_mut_ptr(),
                &raw mut out,
            )
        })?;
        // Slots beyond the counts stay in where they were written: they must not be.
        for (slots, count) in [(&mut tx, out.tx_count), (&mut rx, out.rx_count)] {
            let written = slots.iter().rposition(|slot| *slot != FILL);
            slots.truncate(written.map_or(0, |last| last + 1).max(count as usize));
        }
        Some((out.ret, tx, rx))
    }

    fn engine_init(&self, case: &EngineInit, tape: &Tape) -> Option<EngineSw> {
        let input = abi::udma_engine_init_in {
            host: host(tape),
            arch: case.arch,
            driver: abi::UDMA_DRIVER_2_26_5,
            num_queues: case.num_queues,
            max_desc: case.max_desc,
            reserve_read_id: case.reserve_read_id.into(),
            unused: 0,
        };
        let mut out = EngineSw::default();
        // SAFETY: the tape outlives the call; one structure in, one out.
        offered(unsafe { self.api.engine_init?(&raw const input, &raw mut out) })?;
        Some(out)
    }

    fn engine_state(&self, num_queues: u32, tape: &Tape) -> Option<EngineReport> {
        let (host, mut out) = (host(tape), EngineReport::default());
        // SAFETY: the tape outlives the call; one structure out.
        offered(unsafe { self.api.engine_state?(&raw const host, num_queues, &raw mut out) })?;
        Some(out)
    }

    fn set_state(&self, state: i32, tape: &Tape) -> Option<i32> {
        let (host, mut ret) = (host(tape), 0);
        // SAFETY: the tape outlives the call; one code out.
        offered(unsafe { self.api.set_state?(&raw const host, state, &raw mut ret) })?;
        Some(ret)
    }

    fn iofic(&self, case: &Iofic, tape: &Tape) -> Option<(i32, u32)> {
        let input = abi::udma_iofic_in {
            host: host(tape),
            group_base: case.group_base,
            call: case.call,
            revision: case.revision,
            level: case.level,
            group: case.group,
            bits: case.bits,
            unused: 0,
        };
        let mut out = abi::udma_iofic_out::default();
        // SAFETY: the tape outlives the call; one structure in, one out.
        offered(unsafe { self.api.iofic?(&raw const input, &raw mut out) })?;
        Some((out.ret, out.value))
    }

    fn causes(&self, revision: u32, level: u32, tape: &Tape) -> Option<Vec<u32>> {
        let (host, mut count) = (host(tape), 0);
        let mut pending = vec![0; 128];
        // SAFETY: the tape outlives the call; `pending` holds 128 numbers, as the header asks.
        offered(unsafe {
            self.api.iofic_causes?(
                &raw const host,
                revision,
                level,
                pending.as_mut_ptr(),
                &raw mut count,
            )
        })?;
        pending.truncate(count as usize);
        Some(pending)
    }

    fn bar0(&self, cases: &mut [Bar0]) -> Option<()> {
        // SAFETY: the pointer covers that many cases.
        offered(unsafe { self.api.bar0?(cases.as_mut_ptr(), cases.len() as u32) })
    }
}
