//! What works on the caller's registers and memory by itself: engine initialisation, states, the
//! interrupt controller, BAR0, and the HAL line's doorbells, poll and commit.

use core::ptr;

use udma_oracle::subject::cycle::Commit;
use udma_oracle::subject::ops::{Bar0, EngineInit, EngineReport, EngineSw, Iofic, Ops};
use udma_oracle::wire::Desc;
use udma_reference::abi::{
    udma_commit_in, udma_engine_init_in, udma_host, udma_iofic_in, udma_iofic_out,
};

use crate::SUBJECT;
use crate::call::{In, InOut};
use crate::host::{Hooks, Outside, Registers, Slots};

/// Most causes of a level (IOFC-7).
const PENDING: u32 = 128;

export! {
    /// EINI.
    fn udma_engine_init(input: *const udma_engine_init_in, out: *mut EngineSw) {
        // SAFETY: the caller hands over a structure with its hooks, and one to be filled.
        let (input, out) = unsafe { (In::one(input)?.get(0), InOut::one(out)?) };
        let case = EngineInit {
            arch: input.arch,
            num_queues: input.num_queues,
            max_desc: input.max_desc,
            reserve_read_id: input.reserve_read_id != 0,
        };
        // SAFETY: the hooks are used in this call alone.
        let mut host = unsafe { Registers::new(&input.host) }?;
        out.set(SUBJECT.engine_init_on(&mut host, &case)?);
        Some(())
    }

    /// REGS-3, REGS-4.
    fn udma_engine_state(host: *const udma_host, num_queues: u32, out: *mut EngineReport) {
        // SAFETY: the caller hands over hooks for this call, and a structure.
        let (mut host, out) = unsafe { (Registers::new(&In::one(host)?.get(0))?, InOut::one(out)?) };
        out.set(SUBJECT.engine_state_on(&mut host, num_queues)?);
        Some(())
    }

    /// REGS-5.
    fn udma_set_state(host: *const udma_host, state: i32, ret: *mut i32) {
        // SAFETY: the caller hands over hooks for this call, and a code.
        let (mut host, ret) = unsafe { (Registers::new(&In::one(host)?.get(0))?, InOut::one(ret)?) };
        ret.set(SUBJECT.set_state_on(&mut host, state)?);
        Some(())
    }

    /// IOFC-1..12.
    fn udma_iofic(input: *const udma_iofic_in, out: *mut udma_iofic_out) {
        // SAFETY: the caller hands over a structure with its hooks, and one to be filled.
        let (input, out) = unsafe { (In::one(input)?.get(0), InOut::one(out)?) };
        let case = Iofic {
            call: input.call,
            revision: input.revision,
            level: input.level,
            group: input.group,
            group_base: input.group_base,
            bits: input.bits,
        };
        // SAFETY: the hooks are used in this call alone.
        let mut host = unsafe { Registers::new(&input.host) }?;
        let (ret, value) = SUBJECT.iofic_on(&mut host, &case)?;
        out.set(udma_iofic_out { ret, value });
        Some(())
    }

    /// IOFC-7.
    fn udma_iofic_causes(
        host: *const udma_host, revision: u32, level: u32, pending: *mut u32, count: *mut u32
    ) {
        // SAFETY: the caller hands over hooks for this call, that many numbers and a count.
        let (mut host, pending, count) = unsafe {
            (Registers::new(&In::one(host)?.get(0))?, InOut::new(pending, PENDING)?,
                InOut::one(count)?)
        };
        let causes = SUBJECT.causes_on(&mut host, revision, level)?;
        pending.set_all(&causes);
        count.set(causes.len() as u32);
        Some(())
    }

    /// BAR0-1..3.
    fn udma_bar0(inout: *mut Bar0, n: u32) {
        // SAFETY: the caller hands over `n` cases.
        let inout = unsafe { InOut::new(inout, n) }?;
        (0..n).try_for_each(|index| {
            let at = inout.at(index);
            // SAFETY: inside the element; what is in is filled, the code is not.
            let (offset, base, arch, one_engine) = unsafe {
                (
                    (&raw const (*at).offset).read(),
                    (&raw const (*at).base).read(),
                    (&raw const (*at).arch).read(),
                    (&raw const (*at).one_engine).read(),
                )
            };
            let mut case = [Bar0 { offset, base, arch, one_engine, ret: 0, unused: 0 }];
            SUBJECT.bar0(&mut case)?;
            // SAFETY: as above.
            unsafe { (&raw mut (*at).ret).write(case[0].ret) };
            Some(())
        })
    }

    /// TRIG-2, TRIG-3, TRIG-5 without an engine.
    fn udma_bare_copy_start(
        host: *const udma_host, qid: u32, m2s_count: u32, s2m_count: u32, ret: *mut i32
    ) {
        // SAFETY: the caller hands over hooks for this call, and a code.
        let (mut host, ret) = unsafe { (Registers::new(&In::one(host)?.get(0))?, InOut::one(ret)?) };
        ret.set(SUBJECT.bare_copy_start_on(&mut host, qid, m2s_count, s2m_count)?);
        Some(())
    }

    /// POLL-4.
    fn udma_software_poll(host: *const udma_host, poll_word: u64, looks: u64, ret: *mut i32) {
        // SAFETY: the caller hands over hooks for this call, and a code.
        let (hooks, ret) = unsafe { (Hooks::new(&In::one(host)?.get(0))?, InOut::one(ret)?) };
        let slots = Slots([ptr::null_mut(); 2]);
        let mut outside = Outside { hooks, slots };
        ret.set(SUBJECT.software_poll_on(&mut outside, poll_word, looks)?);
        Some(())
    }

    /// SWQ-4.
    fn udma_shadow_commit(input: *const udma_commit_in, runs: *mut u32, ret: *mut i32) {
        // SAFETY: the caller hands over a structure and two numbers.
        let (input, runs, ret) = unsafe { (In::one(input)?.get(0), InOut::one(runs)?, InOut::one(ret)?) };
        // SAFETY: the structure says how many lie where.
        let (ring, descs) = unsafe {
            (InOut::<Desc>::new(input.ring, input.ring_count)?, InOut::<Desc>::new(input.descs, input.n)?)
        };
        let addresses = if input.addresses.is_null() {
            None
        } else {
            // SAFETY: as above.
            Some(unsafe { In::new(input.addresses, input.n) }?.all())
        };
        let asked = Commit {
            descs: descs.all(),
            addresses,
            first: input.first,
            phase: input.phase,
        };
        let (code, copied) = SUBJECT.shadow_commit_on(input.ring_count, &asked, |slot, run| {
            for (slot, desc) in (slot..).zip(run) {
                ring.set_at(slot, Desc { word: desc.words() });
            }
        })?;
        runs.set(copied);
        ret.set(code);
        Some(())
    }
}
