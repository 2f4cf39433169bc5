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
