//! The further operations of a subject behind pipes.

use udma_oracle::subject::Tape;
use udma_oracle::subject::cycle::{
    Commit, Cycle, Host, HostPlace, Setup, Shadow, Transfers, WaitCase,
};
use udma_oracle::subject::ops::{
    Bar0, DtypeCase, EngineInit, EngineReport, EngineSw, Flush, Front, Iofic, Ops, Reduced,
    Reduction, Remap, Request, Structure, Transpose, Window, Word,
};
use udma_oracle::wire::{Desc, PairOut};

use super::call::typed;
use super::client::Remote;
use super::client_steps::Queue;

impl Ops for Remote {
    fn word(&self, word: &Word) -> Option<u32> {
        self.shared.call(typed::OpWord { word: *word })
    }

    fn word_set(&self, word: u32) -> Option<u32> {
        self.shared.call(typed::OpDecode { word })
    }

    fn front(&self, front: &Front) -> Option<Desc> {
        self.shared.call(typed::MetaDesc { front: *front })
    }

    fn front_set(&self, desc: &Desc) -> Option<u32> {
        self.shared.call(typed::DescDecode { desc: *desc })
    }

    fn transpose(&self, case: &Transpose, slot: &mut Desc) -> Option<i32> {
        let (ret, built) = self.shared.call(typed::BuildTranspose {
            transpose: *case,
            slot: *slot,
        })?;
        *slot = built;
        Some(ret)
    }

    fn transpose_name(&self, name: &str) -> Option<i32> {
        let name = name.into();
        self.shared.call(typed::TransposeName { name })
    }

    fn window(&self, case: &mut Window) -> Option<()> {
        *case = self.shared.call(typed::TransposeWindow { case: *case })?;
        Some(())
    }

    fn flush(&self, case: &Flush, out: &mut PairOut) -> Option<()> {
        *out = self.shared.call(typed::TransposeFlush {
            flush: *case,
            out: *out,
        })?;
        Some(())
    }

    fn dtype(&self, case: &mut DtypeCase) -> Option<()> {
        *case = self.shared.call(typed::Dtypes { case: *case })?;
        Some(())
    }

    fn remap(&self, case: &mut Remap) -> Option<()> {
        *case = self.shared.call(typed::Remap { case: *case })?;
        Some(())
    }

    fn combo(&self, members: &mut [Desc]) -> Option<()> {
        let call = typed::ComboChain {
            members: members.to_vec(),
        };
        self.shared.fill(members, call)
    }

    fn reduction(&self, case: &Reduction) -> Option<Reduced> {
        let reduction = case.clone();
        self.shared.call(typed::BuildReduction { reduction })
    }

    fn engine_init(&self, case: &EngineInit, tape: &Tape) -> Option<EngineSw> {
        let call = typed::EngineInit {
            init: *case,
            host: tape.contents(),
        };
        self.shared.on_tape(tape, call)
    }

    fn engine_state(&self, num_queues: u32, tape: &Tape) -> Option<EngineReport> {
        let call = typed::EngineState {
            num_queues,
            host: tape.contents(),
        };
        self.shared.on_tape(tape, call)
    }

    fn set_state(&self, state: i32, tape: &Tape) -> Option<i32> {
        let call = typed::SetState {
            state,
            host: tape.contents(),
        };
        self.shared.on_tape(tape, call)
    }

    fn iofic(&self, case: &Iofic, tape: &Tape) -> Option<(i32, u32)> {
        let call = typed::Iofic {
            call: *case,
            host: tape.contents(),
        };
        self.shared.on_tape(tape, call)
    }

    fn causes(&self, revision: u32, level: u32, tape: &Tape) -> Option<Vec<u32>> {
        let call = typed::IoficCauses {
            revision,
            level,
            host: tape.contents(),
        };
        self.shared.on_tape(tape, call)
    }

    fn bar0(&self, cases: &mut [Bar0]) -> Option<()> {
        let call = typed::Bar0 {
            cases: cases.to_vec(),
        };
        self.shared.fill(cases, call)
    }

    fn request(&self, name: &str) -> Option<Option<Request>> {
        let name = name.into();
        self.shared.call(typed::IoctlRequest { name })
    }

    fn request_name(&self, number: u32) -> Option<Option<String>> {
        self.shared.call(typed::IoctlName { number })
    }

    fn compose(&self, dir: u32, size: u32, nr: u32) -> Option<u32> {
        self.shared.call(typed::IoctlCompose { dir, size, nr })
    }

    fn structure(&self, name: &str) -> Option<Option<Structure>> {
        let name = name.into();
        self.shared.call(typed::IoctlStructure { name })
    }

    fn constant(&self, what: &str) -> Option<Option<i64>> {
        let what = what.into();
        self.shared.call(typed::IoctlConstant { what })
    }
}

impl Cycle for Remote {
    fn transfers<'a>(&self, setup: &Setup, host: &'a dyn Host) -> Option<Box<dyn Transfers + 'a>> {
        let held = self.hold(typed::TransfersOpen { setup: *setup }, Some(host))?;
        Some(Box::new(Queue { held, host }))
    }

    fn bare_copy_start(
        &self,
        qid: u32,
        m2s_count: u32,
        s2m_count: u32,
        host: &dyn Host,
    ) -> Option<i32> {
        let call = typed::BareCopyStart {
            qid,
            m2s_count,
            s2m_count,
        };
        self.shared.hosted(call, host)
    }

    fn software_poll(&self, word: u64, looks: u64, host: &dyn Host) -> Option<i32> {
        self.shared
            .hosted(typed::SoftwarePoll { word, looks }, host)
    }

    fn wait_estimate(&self, case: &WaitCase) -> Option<[u64; 2]> {
        self.shared.call(typed::WaitEstimate { case: *case })
    }

    fn host_place(&self, arch: u8, core: u32) -> Option<Option<HostPlace>> {
        self.shared.call(typed::HostPlace { arch, core })
    }

    fn zerocopy_offered(&self, arch: u8, overridden: bool) -> Option<bool> {
        self.shared
            .call(typed::ZerocopyOffered { arch, overridden })
    }

    fn shadow(&self, count: u32) -> Option<Shadow> {
        self.shared.call(typed::ShadowInit { count })
    }

    fn shadow_reserve(
        &self,
        tx: &mut Shadow,
        rx: &mut Shadow,
        count: u32,
    ) -> Option<(i32, [u32; 2])> {
        let call = typed::ShadowReserve {
            tx: *tx,
            rx: *rx,
            count,
        };
        let (code, first, new_tx, new_rx) = self.shared.call(call)?;
        (*tx, *rx) = (new_tx, new_rx);
        Some((code, first))
    }

    fn shadow_ring_id_at(&self, queue: &Shadow, index: u32) -> Option<u32> {
        let queue = *queue;
        self.shared.call(typed::ShadowRingIdAt { queue, index })
    }

    fn shadow_commit(&self, commit: &Commit, ring: &mut [Desc]) -> Option<(i32, u32)> {
        let call = typed::ShadowCommit {
            commit: commit.clone(),
            ring: ring.to_vec(),
        };
        let (code, runs, filled) = self.shared.call(call)?;
        self.shared.filled(ring, &filled)?;
        Some((code, runs))
    }
}
