//! The state of an engine: read back and changed (REGS-3..5).

use super::QUEUES;
use super::init::REVISION;
use super::regs::{self, ring, state as at};
use crate::fault::mutant;
use crate::io::{Mmio, Side, Space};

/// States by their numbers in the driver's calls (REGS-3, REGS-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum EngineState {
    /// Never reported.
    Disable = 0,
    /// Nothing runs.
    Idle = 1,
    /// Something runs.
    Normal = 2,
    /// Something was aborted.
    Abort = 3,
    /// Never reported.
    Reset = 4,
}

/// Lowest bits of the two-bit fields of a `state` register (REGS-3).
pub const STATE_FIELDS: [u32; 4] = [0, 4, 8, 12];
/// Field of the stream interface (REGS-4).
pub const STREAM_FIELD: u32 = 4;
/// A field that reads normal.
pub const FIELD_NORMAL: u32 = 1;
/// A field that reads abort.
pub const FIELD_ABORT: u32 = 2;
/// Bits of S2M `stream_cfg` that are all set when the stream is off (REGS-4).
pub const STREAM_OFF: u32 = 1 << 0 | 1 << 4 | 1 << 8;
/// Scheduling, in a queue's cfg (REGS-4).
pub const SCHEDULING: u32 = 1 << 17;
/// Prefetch, in a queue's cfg (REGS-4).
pub const PREFETCH: u32 = 1 << 16;
/// Value of `change_state` for disable (REGS-5).
pub const CHANGE_DISABLE: u32 = 2;
/// Value of `change_state` for normal.
pub const CHANGE_NORMAL: u32 = 1;
/// Value of `change_state` for abort.
pub const CHANGE_ABORT: u32 = 4;

/// What is reported of an engine (REGS-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EngineReport {
    /// Always [`REVISION`].
    pub revision: u32,
    /// Queues of the unit.
    pub max_queues: u32,
    /// Queues that may be used.
    pub num_queues: u32,
    /// State of M2S.
    pub tx: EngineState,
    /// State of S2M.
    pub rx: EngineState,
}

/// Reads an engine's state (REGS-3, REGS-4).
pub fn engine_state(mmio: &mut impl Mmio, num_queues: u32) -> EngineReport {
    let tx = decode(mmio.read32(Space::Engine, at::M2S), &STATE_FIELDS);
    let s2m = mmio.read32(Space::Engine, at::S2M);
    let rx = if stream_is_off(mmio) && !mutant(351) {
        let [first, _, rest @ ..] = STATE_FIELDS;
        decode(s2m, &[first, rest[0], rest[1]])
    } else {
        decode(s2m, &STATE_FIELDS)
    };
    EngineReport {
        revision: REVISION,
        max_queues: QUEUES as u32,
        num_queues,
        tx,
        rx,
    }
}

/// REGS-3: any abort, else any normal, else idle.
fn decode(word: u32, fields: &[u32]) -> EngineState {
    let any = |value| fields.iter().any(|low| word >> low & 3 == value);
    let (abort, normal) = (any(FIELD_ABORT), any(FIELD_NORMAL) || mutant(349) && any(3));
    if mutant(350) && normal {
        return EngineState::Normal;
    }
    if abort {
        EngineState::Abort
    } else if normal {
        EngineState::Normal
    } else {
        EngineState::Idle
    }
}

/// REGS-4: both the stream configuration and every queue must say so.
fn stream_is_off(mmio: &mut impl Mmio) -> bool {
    let cfg = mmio.read32(Space::Engine, at::S2M_STREAM_CFG);
    let bits = if mutant(353) { 1 } else { STREAM_OFF };
    let configured_off = cfg & bits == bits;
    let scheduled = (0..QUEUES as u32).any(|qid| {
        let cfg = mmio.read32(Space::Engine, regs::queue_block(Side::Rx, qid) + ring::CFG);
        // A queue with neither bit is not looked at.
        cfg & (PREFETCH | SCHEDULING) != 0 && cfg & SCHEDULING != 0
    });
    configured_off && (!scheduled || mutant(352))
}

/// Asks for a state by number (REGS-5): M2S, then S2M. Numbers that cannot be asked for write
/// nothing; the device-level call succeeds all the same. Gives whether anything was written.
pub fn set_state(mmio: &mut impl Mmio, state: i32) -> bool {
    let value = match state {
        0 => CHANGE_DISABLE,
        1 if mutant(356) => 0,
        2 => CHANGE_NORMAL,
        3 if mutant(355) => 3,
        3 => CHANGE_ABORT,
        _ => return false,
    };
    let mut registers = [at::M2S_CHANGE, at::S2M_CHANGE];
    if mutant(354) {
        registers.reverse();
    }
    for register in registers {
        mmio.write32(Space::Engine, register, value);
    }
    true
}
