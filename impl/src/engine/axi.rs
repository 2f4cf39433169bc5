//! AXI errors that abort the engine, and ring-id errors that do not (IOFC-11, IOFC-12).

use super::iofic::{Group, unmask_one};
use super::regs::{init, interrupt as at, state};
use crate::fault::mutant;
use crate::io::{Mmio, Space};

/// Detection and control tables that are written, of the seven that the map holds (IOFC-11).
pub const TABLES: u64 = 6;
/// Entries of a control table.
pub const TABLE_ENTRIES: u32 = 16;
/// Value of the detection words.
pub const DETECT: u32 = 0xf;
/// Value of every control table entry.
pub const TABLE_DATA: u32 = 0x10;
/// Address of entry n of a control table: 8n + 7.
pub const TABLE_ADDRESS_STEP: u32 = 8;
/// See [`TABLE_ADDRESS_STEP`].
pub const TABLE_ADDRESS_LOW: u32 = 7;
/// AXI timeout while errors abort.
pub const NO_TIMEOUT: u32 = 0xffff_ffff;

/// M2S ring-id error: bit 17 of group A and of the M2S error log (IOFC-12).
pub const M2S_RING_ID_ERROR: u32 = 1 << 17;
/// S2M ring-id error: bit 11 of group B, of the S2M error log and of the top level (IOFC-12).
pub const S2M_RING_ID_ERROR: u32 = 1 << 11;
/// Ring-id error in the second mask of the top level (IOFC-12).
pub const TOP_RING_ID_ERROR: u32 = 1 << 2;
/// First mask of the top-level controller, from its own base (IOFC-12).
pub const TOP_MASK_FIRST: u64 = 0x90;
/// Second mask of the top-level controller.
pub const TOP_MASK_SECOND: u64 = 0xd0;

/// Makes every AXI error abort the engine: 247 writes (IOFC-11).
pub fn abort_on_axi_errors(mmio: &mut impl Mmio) {
    let tables = if mutant(385) { TABLES + 1 } else { TABLES };
    if mutant(387) {
        mmio.write32(Space::Engine, init::AXI_TIMEOUT, NO_TIMEOUT);
    }
    for table in 0..tables {
        for word in at::DETECTION_WORDS {
            let offset = at::DETECTION + at::DETECTION_STRIDE * table + word;
            mmio.write32(Space::Engine, offset, DETECT);
        }
    }
    for table in 0..tables {
        let further = at::CONTROL_TABLE_STRIDE * table;
        for entry in 0..TABLE_ENTRIES {
            let low = if mutant(386) { 0 } else { TABLE_ADDRESS_LOW };
            let address = TABLE_ADDRESS_STEP * entry + low;
            mmio.write32(Space::Engine, at::CONTROL_TABLE_ADDRESS + further, address);
            mmio.write32(Space::Engine, at::CONTROL_TABLE_DATA + further, TABLE_DATA);
        }
    }
    for group in at::AXI_GROUPS {
        unmask_one(mmio, group, u32::MAX);
    }
    if !mutant(387) {
        mmio.write32(Space::Engine, init::AXI_TIMEOUT, NO_TIMEOUT);
    }
}

/// Masks ring-id errors, which is written even where it is masked already (IOFC-12).
pub fn mask_ring_id_errors(mmio: &mut impl Mmio) {
    let (a, b) = (Group::A.base(), Group::B.base());
    for (base, bit) in [(a, M2S_RING_ID_ERROR), (b, S2M_RING_ID_ERROR)] {
        let masked = set(mmio, Space::Engine, base + at::MASK, bit);
        if mutant(388) {
            set(mmio, Space::Engine, base + at::ABORT_MASK, bit);
        } else {
            // The same word: the abort mask is not read.
            mmio.write32(Space::Engine, base + at::ABORT_MASK, masked);
        }
    }
    let top = Space::Interrupt;
    set(mmio, top, TOP_MASK_FIRST, S2M_RING_ID_ERROR);
    set(mmio, top, TOP_MASK_SECOND, TOP_RING_ID_ERROR);
    set(
        mmio,
        Space::Engine,
        state::M2S_ERROR_LOG_MASK,
        M2S_RING_ID_ERROR,
    );
    set(
        mmio,
        Space::Engine,
        state::S2M_ERROR_LOG_MASK,
        S2M_RING_ID_ERROR,
    );
}

/// Reads a register and writes it with a bit set; gives what was written.
fn set(mmio: &mut impl Mmio, space: Space, offset: u64, bit: u32) -> u32 {
    let before = mmio.read32(space, offset);
    if before & bit == 0 || !mutant(389) {
        mmio.write32(space, offset, before | bit);
    }
    before | bit
}
