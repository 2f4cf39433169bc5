//! Operations of the Rust implementation on registers, memory and rings, whoever they belong to: the
//! suite, or a caller of the exported library. None where the line has no such call.

use udma::cycle::doorbell::hal_copy_start;
use udma::cycle::poll::software_poll;
use udma::engine::init::{EngineParams, InitError, init_engine};
use udma::engine::iofic::{Group, Iofic as Controller, IoficError, Level};
use udma::engine::{axi, control, iofic, map};
use udma::io::{Clock, Memory, Mmio};
use udma::shadow::commit;
use udma_reference::abi;

use super::rust::{Rust, arch, code};
use crate::line::Line;
use crate::subject::cycle::Commit;
use crate::subject::ops::{EngineInit, EngineReport, EngineSw, Iofic};

fn level(number: u32) -> Level {
    if number == abi::UDMA_LEVEL_PRIMARY {
        Level::Primary
    } else {
        Level::Secondary
    }
}

impl Rust {
    pub(super) fn only(&self, line: Line) -> Option<()> {
        (self.line == line).then_some(())
    }

    fn controller(&self, revision: u32) -> Controller {
        let line = match self.line {
            Line::Kernel => udma::Line::default(),
            Line::Hal => udma::Line::Hal,
        };
        Controller::new(line, revision)
    }

    /// EINI.
    pub fn engine_init_on(&self, mmio: &mut impl Mmio, case: &EngineInit) -> Option<EngineSw> {
        self.only(Line::Kernel)?;
        let params = EngineParams {
            arch: arch(case.arch as u8),
            num_queues: case.num_queues,
            max_packet: case.max_desc,
            reserve_read_id: case.reserve_read_id,
        };
        let (state, result) = init_engine(mmio, &params);
        let region = |path| match map::region(path) {
            Some(region) if state.regions_set => region.offset,
            _ => 0,
        };
        Some(EngineSw {
            ret: result.err().map_or(0, InitError::code),
            num_of_queues: state.num_queues.into(),
            num_of_queues_max: state.max_queues.into(),
            rev_id: state.revision,
            state_m2s: state.state_m2s,
            state_s2m: state.state_s2m,
            cdesc_size: state.completion_size,
            reserve_max_read_axi_id: state.reserve_read_id.into(),
            m2s_offset: region("m2s"),
            s2m_offset: region("s2m"),
            gen_offset: region("gen"),
            gen_ex_offset: region("gen_ex"),
        })
    }

    /// REGS-3, REGS-4.
    pub fn engine_state_on(&self, mmio: &mut impl Mmio, num_queues: u32) -> Option<EngineReport> {
        self.only(Line::Kernel)?;
        let report = control::engine_state(mmio, num_queues);
        Some(EngineReport {
            revision_id: report.revision,
            max_queues: report.max_queues,
            num_queues: report.num_queues,
            tx_state: report.tx as u32,
            rx_state: report.rx as u32,
        })
    }

    /// REGS-5.
    pub fn set_state_on(&self, mmio: &mut impl Mmio, state: i32) -> Option<i32> {
        self.only(Line::Kernel)?;
        control::set_state(mmio, state);
        Some(0)
    }

    /// IOFC: code and value.
    pub fn iofic_on(&self, mmio: &mut impl Mmio, case: &Iofic) -> Option<(i32, u32)> {
        let line = match case.call {
            abi::UDMA_IOFIC_READ_AND_CLEAR..=abi::UDMA_IOFIC_SUMMARY_BIT => Line::Hal,
            abi::UDMA_IOFIC_UNMASK_ONE..abi::UDMA_IOFIC_CALLS => Line::Kernel,
            _ => self.line,
        };
        self.only(line)?;
        let controller = self.controller(case.revision);
        let group = Group {
            level: level(case.level),
            number: case.group,
        };
        let mut outcome = (0, 0);
        match case.call {
            abi::UDMA_IOFIC_CONFIG => controller.config(mmio, group),
            abi::UDMA_IOFIC_UNMASK => {
                let result = controller.unmask(mmio, group, case.bits);
                outcome.0 = result.err().map_or(0, IoficError::code);
            }
            abi::UDMA_IOFIC_MASK => controller.mask(mmio, group, case.bits),
            abi::UDMA_IOFIC_CLEAR_CAUSE => controller.clear_cause(mmio, group, case.bits),
            abi::UDMA_IOFIC_ARM_ABORT => controller.arm_abort(mmio, group, case.bits),
            abi::UDMA_IOFIC_READ_AND_CLEAR => {
                outcome.1 = controller.read_and_clear(mmio, group, case.bits);
            }
            abi::UDMA_IOFIC_CLEAR_VERIFY => {
                let result = controller.clear_verify(mmio, group, case.bits);
                outcome.0 = result.err().map_or(0, IoficError::code);
            }
            abi::UDMA_IOFIC_SUMMARY_BIT => {
                outcome.1 = controller.summary_bit(case.group).unwrap_or(0);
            }
            abi::UDMA_IOFIC_UNMASK_ONE => iofic::unmask_one(mmio, case.group_base, case.bits),
            abi::UDMA_IOFIC_UNMASK_M2S => iofic::unmask_m2s_errors(&controller, mmio),
            abi::UDMA_IOFIC_UNMASK_S2M => iofic::unmask_s2m_errors(&controller, mmio),
            abi::UDMA_IOFIC_AXI_ERROR_ABORT => axi::abort_on_axi_errors(mmio),
            abi::UDMA_IOFIC_MASK_RING_ID_ERROR => axi::mask_ring_id_errors(mmio),
            _ => return None,
        }
        Some(outcome)
    }

    /// IOFC-7: the causes of a level, group << 8 | bit.
    pub fn causes_on(&self, mmio: &mut impl Mmio, revision: u32, number: u32) -> Option<Vec<u32>> {
        self.only(Line::Hal)?;
        let causes = self.controller(revision).causes(mmio, level(number));
        Some(causes.map(|(group, bit)| group << 8 | bit).collect())
    }

    /// TRIG-2, TRIG-3, TRIG-5 without an engine object.
    pub fn bare_copy_start_on(
        &self,
        mmio: &mut impl Mmio,
        qid: u32,
        m2s: u32,
        s2m: u32,
    ) -> Option<i32> {
        self.only(Line::Hal)?;
        Some(code(hal_copy_start(mmio, qid, m2s, s2m), udma::Line::Hal))
    }

    /// POLL-4.
    pub fn software_poll_on(
        &self,
        host: &mut (impl Memory + Clock),
        word: u64,
        looks: u64,
    ) -> Option<i32> {
        self.only(Line::Hal)?;
        Some(code(software_poll(host, word, looks), udma::Line::Hal))
    }

    /// SWQ-4 into a ring of `count` slots, which `copy` fills from a slot on: code and runs.
    pub fn shadow_commit_on(
        &self,
        count: u32,
        asked: &Commit,
        mut copy: impl FnMut(u32, &[udma::Desc]),
    ) -> Option<(i32, u32)> {
        self.only(Line::Hal)?;
        let descs = asked.descs.iter();
        let mut descs: Vec<_> = descs
            .map(|desc| udma::Desc::from_words(desc.word))
            .collect();
        let mut runs = 0;
        let addresses = asked.addresses.as_deref();
        let result = commit(
            count,
            asked.first,
            asked.phase,
            &mut descs,
            addresses,
            |slot, run| {
                runs += 1;
                copy(slot, run);
            },
        );
        Some((code(result, udma::Line::Hal), runs))
    }
}
