//! Offsets that the code uses, from the engine base (REGS-1).

use super::map::{RINGS, base, offset, stride};
use crate::fault::mutant;
use crate::io::Side;

const TX: &str = "m2s.m2s_q";
const RX: &str = "s2m.s2m_q";

/// Offsets in a queue block that both sides share.
pub mod ring {
    use super::{RINGS, offset};

    /// Configuration: prefetch bit 16, scheduling bit 17.
    pub const CFG: u64 = offset(RINGS, "cfg");
    /// Status.
    pub const STATUS: u64 = offset(RINGS, "status");
    /// Ring base, low word.
    pub const BASE_LOW: u64 = offset(RINGS, "drbp_low");
    /// Ring base, high word.
    pub const BASE_HIGH: u64 = offset(RINGS, "drbp_high");
    /// Ring length in descriptors.
    pub const LENGTH: u64 = offset(RINGS, "drl");
    /// Head, advanced by the engine.
    pub const HEAD: u64 = offset(RINGS, "drhp");
    /// Doorbell: write-to-add to the tail.
    pub const DOORBELL: u64 = offset(RINGS, "drtp_inc");
    /// Absolute tail.
    pub const TAIL: u64 = offset(RINGS, "drtp");
    /// Completion ring base, low word.
    pub const COMPLETION_LOW: u64 = offset(RINGS, "crbp_low");
    /// Completion ring base, high word.
    pub const COMPLETION_HIGH: u64 = offset(RINGS, "crbp_high");
    /// Completion ring head.
    pub const COMPLETION_HEAD: u64 = offset(RINGS, "crhp");
}

/// Rate-limit mask of a TX block.
pub const RATE_LIMIT_MASK: u64 =
    offset("udma_m2s_q", "rlimit") + offset("udma_rlimit_common", "mask");

/// Start of the block of queue `qid`.
pub fn queue_block(side: Side, qid: u32) -> u64 {
    match side {
        Side::Tx => base(TX) + stride(TX) * u64::from(qid),
        Side::Rx if mutant(87) => base("s2m") + stride(RX) * u64::from(qid),
        Side::Rx => base(RX) + stride(RX) * u64::from(qid),
    }
}

/// Queue reset register in the block of a side.
pub fn reset(side: Side) -> u64 {
    match side {
        Side::Rx if !mutant(63) => offset("udma_s2m_q", "q_sw_ctrl"),
        _ => offset("udma_m2s_q", "q_sw_ctrl"),
    }
}

/// Completion configuration in the block of a side.
pub const fn completion_cfg(side: Side) -> u64 {
    match side {
        Side::Tx => offset("udma_m2s_q", "comp_cfg"),
        Side::Rx => offset("udma_s2m_q", "comp_cfg"),
    }
}

/// Doorbell of a queue, from the engine base.
pub fn doorbell(side: Side, qid: u32) -> u64 {
    queue_block(side, qid)
        + if mutant(71) {
            ring::TAIL
        } else {
            ring::DOORBELL
        }
}

/// Registers of engine initialisation, from the engine base.
pub mod init {
    use super::{base, offset, stride};

    /// M2S data configuration.
    pub const M2S_DATA_CFG: u64 = base("m2s.m2s_rd") + offset("udma_m2s_rd", "data_cfg");
    /// M2S outstanding reads.
    pub const M2S_OUTSTANDING: u64 = base("m2s.axi_m2s") + offset("udma_axi_m2s", "ostand_cfg");
    /// AXI timeout.
    pub const AXI_TIMEOUT: u64 = base("gen.axi") + offset("udma_gen_axi", "cfg_1");
    /// M2S completion application acknowledge.
    pub const M2S_APPLICATION_ACK: u64 =
        base("m2s.m2s_comp") + offset("udma_m2s_comp", "cfg_application_ack");
    /// M2S packet length limits.
    pub const M2S_CFG_LEN: u64 = base("m2s.m2s") + offset("udma_m2s", "cfg_len");
    /// M2S stream configuration.
    pub const M2S_STREAM_CFG: u64 = base("m2s.m2s") + offset("udma_m2s", "stream_cfg");
    /// M2S data reads.
    pub const M2S_DATA_READ: u64 = base("m2s.axi_m2s") + offset("udma_axi_m2s", "data_rd_cfg");
    /// S2M completion application acknowledge.
    pub const S2M_APPLICATION_ACK: u64 =
        base("s2m.s2m_comp") + offset("udma_s2m_comp", "cfg_application_ack");
    /// S2M outstanding reads.
    pub const S2M_OUTSTANDING_READ: u64 =
        base("s2m.axi_s2m") + offset("udma_axi_s2m", "ostand_cfg_rd");
    /// S2M outstanding writes.
    pub const S2M_OUTSTANDING_WRITE: u64 =
        base("s2m.axi_s2m") + offset("udma_axi_s2m", "ostand_cfg_wr");
    /// S2M outstanding writes, second register.
    pub const S2M_OUTSTANDING_WRITE_2: u64 =
        base("s2m.axi_s2m") + offset("udma_axi_s2m", "ostand_cfg_wr_2");
    /// Spare register with reset value 0.
    pub const SPARE: u64 = base("gen.spare_reg") + offset("udma_gen_spare_reg", "zeroes0");
    /// S2M completion configuration.
    pub const S2M_COMPLETION: u64 = base("s2m.s2m_comp") + offset("udma_s2m_comp", "cfg_1c");
    /// M2S prefetch, second register.
    pub const M2S_PREFETCH_2: u64 = base("m2s.m2s_rd") + offset("udma_m2s_rd", "desc_pref_cfg_2");
    /// M2S prefetch, third register.
    pub const M2S_PREFETCH_3: u64 = base("m2s.m2s_rd") + offset("udma_m2s_rd", "desc_pref_cfg_3");
    /// S2M prefetch, third register.
    pub const S2M_PREFETCH_3: u64 = base("s2m.s2m_rd") + offset("udma_s2m_rd", "desc_pref_cfg_3");
    /// M2S descriptor reads.
    pub const M2S_DESCRIPTOR_READ: u64 =
        base("m2s.axi_m2s") + offset("udma_axi_m2s", "desc_rd_cfg_3");
    /// S2M descriptor reads.
    pub const S2M_DESCRIPTOR_READ: u64 =
        base("s2m.axi_s2m") + offset("udma_axi_s2m", "desc_rd_cfg_3");
    /// TX select of queue 0.
    pub const TX_SELECT: u64 = base("gen_ex.vmpr_v4") + offset("udma_gen_ex_vmpr_v4", "tx_sel");
    /// First of the three RX selects of queue 0.
    pub const RX_SELECT: u64 = base("gen_ex.vmpr_v4") + offset("udma_gen_ex_vmpr_v4", "rx_sel");
    /// From one queue's selects to the next queue's.
    pub const SELECT_STRIDE: u64 = stride("gen_ex.vmpr_v4");
}

/// Registers of the engine's state, from the engine base.
pub mod state {
    use super::{base, offset};

    /// M2S state.
    pub const M2S: u64 = base("m2s.m2s") + offset("udma_m2s", "state");
    /// S2M state.
    pub const S2M: u64 = base("s2m.s2m") + offset("udma_s2m", "state");
    /// M2S state to be.
    pub const M2S_CHANGE: u64 = base("m2s.m2s") + offset("udma_m2s", "change_state");
    /// S2M state to be.
    pub const S2M_CHANGE: u64 = base("s2m.s2m") + offset("udma_s2m", "change_state");
    /// S2M stream configuration.
    pub const S2M_STREAM_CFG: u64 = base("s2m.s2m") + offset("udma_s2m", "stream_cfg");
    /// M2S error log mask.
    pub const M2S_ERROR_LOG_MASK: u64 = base("m2s.m2s") + offset("udma_m2s", "err_log_mask");
    /// S2M error log mask.
    pub const S2M_ERROR_LOG_MASK: u64 = base("s2m.s2m") + offset("udma_s2m", "err_log_mask");
}

/// The interrupt controller and the AXI error controllers, from the engine base.
pub mod interrupt {
    use super::{base, offset, stride};

    /// Primary level.
    pub const PRIMARY: u64 = base("gen.interrupt_regs.main_iofic");
    /// Secondary level. The region ends before its third group (IOFC-2).
    pub const SECONDARY: u64 = base("gen.interrupt_regs.secondary_iofic_ctrl");
    /// Bytes of a group's window.
    pub const GROUP: u64 = stride("gen.interrupt_regs.secondary_iofic_ctrl");
    const GROUP_REGS: &str = "iofic_grp_ctrl";
    /// Cause.
    pub const CAUSE: u64 = offset(GROUP_REGS, "int_cause_grp");
    /// Sets causes.
    pub const CAUSE_SET: u64 = offset(GROUP_REGS, "int_cause_set_grp");
    /// Mask: a set bit is masked.
    pub const MASK: u64 = offset(GROUP_REGS, "int_mask_grp");
    /// Clears mask bits that are written as 0.
    pub const MASK_CLEAR: u64 = offset(GROUP_REGS, "int_mask_clear_grp");
    /// Status.
    pub const STATUS: u64 = offset(GROUP_REGS, "int_status_grp");
    /// Control.
    pub const CONTROL: u64 = offset(GROUP_REGS, "int_control_grp");
    /// Abort mask: a clear bit aborts.
    pub const ABORT_MASK: u64 = offset(GROUP_REGS, "int_abort_msk_grp");

    /// First AXI error detection table.
    pub const DETECTION: u64 = base("gen.axi_error_detection_table");
    /// From one detection table to the next.
    pub const DETECTION_STRIDE: u64 = stride("gen.axi_error_detection_table");
    /// Words of a detection table that error abort writes, from the table's base.
    pub const DETECTION_WORDS: [u64; 6] = [
        offset("udma_gen_axi_error_detection_table", "addr1"),
        offset("udma_gen_axi_error_detection_table", "addr2"),
        offset("udma_gen_axi_error_detection_table", "addr3"),
        offset("udma_gen_axi_error_detection_table", "addr9"),
        offset("udma_gen_axi_error_detection_table", "addr10"),
        offset("udma_gen_axi_error_detection_table", "addr11"),
    ];
    /// Address of the first error control table.
    pub const CONTROL_TABLE_ADDRESS: u64 =
        base("gen.axi_error_control") + offset("udma_gen_axi_error_control", "table_addr");
    /// Data of the first error control table.
    pub const CONTROL_TABLE_DATA: u64 =
        base("gen.axi_error_control") + offset("udma_gen_axi_error_control", "table_data");
    /// From one error control table to the next.
    pub const CONTROL_TABLE_STRIDE: u64 = stride("gen.axi_error_control");
    /// Groups of the AXI error interrupts.
    pub const AXI_GROUPS: [u64; 6] = [
        base("gen.iofic_base_m2s_desc_rd"),
        base("gen.iofic_base_m2s_data_rd"),
        base("gen.iofic_base_m2s_cmpl_wr"),
        base("gen.iofic_base_s2m_desc_rd"),
        base("gen.iofic_base_s2m_data_wr"),
        base("gen.iofic_base_s2m_cmpl_wr"),
    ];
}
