//! Answers to "where does it lie": registers, regions, structures, constants (REGS-1).

use core::mem::{align_of, offset_of, size_of};

use super::driver_structs::{
    RxView, TxMetaView, TxView, Udma, UdmaCdesc, UdmaDesc, UdmaParams, UdmaQ, UdmaQParams,
    UdmaRingPtr,
};
use super::map::{Block, RINGS, block, region};
use super::queue::{BASE_ALIGN, MAX_LENGTH, MIN_LENGTH};
use super::{QUEUES, regs};
use crate::desc::{self, field};
use crate::ring::{FIRST_PHASE, GUARD_GAP, PHASE_MASK};

/// A place, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Offset; the value of a constant.
    pub offset: u64,
    /// Size.
    pub size: u64,
    /// Elements of an array of regions.
    pub count: u64,
    /// Bytes between those elements; alignment of a whole structure.
    pub stride: u64,
}

impl Place {
    const fn at(offset: u64, size: u64) -> Self {
        Self {
            offset,
            size,
            count: 0,
            stride: 0,
        }
    }
}

/// The place of `field` (or of the whole, where empty) of `name`, among things of a kind; none for
/// a name that is not known.
pub fn place(kind: &str, name: &str, field: &str) -> Option<Place> {
    match kind {
        "register_block" => in_block(block(name)?, field),
        "region" if field.is_empty() => {
            let region = region(name)?;
            Some(Place {
                offset: region.offset,
                size: region.size,
                count: region.count,
                stride: region.stride,
            })
        }
        "queue_block" => queue_block(name, field),
        "software_struct" => structure(name, field),
        "constant" if field.is_empty() => constant(name).map(|value| Place::at(value, 0)),
        _ => None,
    }
}

fn in_block(block: &Block, field: &str) -> Option<Place> {
    if field.is_empty() {
        return Some(Place::at(0, block.size));
    }
    block.reg(field).map(|reg| Place::at(reg.offset, reg.size))
}

fn queue_block(ring: &str, field: &str) -> Option<Place> {
    let name = match ring {
        "common" => RINGS,
        "tx" => "udma_m2s_q",
        "rx" => "udma_s2m_q",
        _ => return None,
    };
    if ring == "tx" && field == "rlimit.mask" {
        return Some(Place::at(regs::RATE_LIMIT_MASK, 4));
    }
    in_block(block(name)?, field)
}

/// Values as compiled, by what they are.
fn constant(what: &str) -> Option<u64> {
    Some(match what {
        "tx descriptor: barrier (DMB) bit" => field::DMB.into(),
        "tx descriptor: interrupt bit" | "rx descriptor: interrupt bit" => field::INT_EN.into(),
        "tx descriptor: last bit" => field::LAST.into(),
        "tx descriptor: first bit" => field::FIRST.into(),
        "tx descriptor: ring id shift" | "rx descriptor: ring id shift" => {
            field::RING_ID_SHIFT.into()
        }
        "tx descriptor: ring id mask" | "rx descriptor: ring id mask" => field::RING_ID.into(),
        "tx descriptor: length mask" => field::LENGTH.into(),
        "rx descriptor: strong-order write bit" => field::SOW.into(),
        "largest transfer of one descriptor (bytes)" => desc::MAX_LENGTH.into(),
        "smallest ring (descriptors)" => MIN_LENGTH.into(),
        "largest ring (descriptors)" => MAX_LENGTH.into(),
        "ring base and end alignment (bytes)" => BASE_ALIGN,
        "guard gap (descriptors)" => GUARD_GAP.into(),
        "first ring id" => FIRST_PHASE.into(),
        "ring id wrap mask" => PHASE_MASK.into(),
        "queues per engine" => QUEUES as u64,
        "host-transfer ring request (descriptors)" => HOST_RING_REQUEST,
        "engines per device (table size)" => ENGINES,
        "most descriptors per packet" => MAX_PACKET,
        "completion descriptor size (bytes)" => COMPLETION_SIZE,
        "all queues marker for engine initialisation" => ALL_QUEUES,
        _ => return None,
    })
}

/// Descriptors asked for a host-transfer ring (HOST-2).
pub const HOST_RING_REQUEST: u64 = 4096;
/// Entries of a device's engine table.
pub const ENGINES: u64 = 132;
/// Most descriptors of a packet that engine initialisation accepts (EINI-2).
pub const MAX_PACKET: u64 = 128;
/// Bytes of a completion descriptor (EINI-4).
pub const COMPLETION_SIZE: u64 = 16;
/// Queue count that means all of them (EINI-1).
pub const ALL_QUEUES: u64 = 0xff;

macro_rules! members {
    ($field:expr, $ty:ty, [$($name:literal = $($member:ident).+ : $size:expr),* $(,)?]) => {
        match $field {
            "" => Some(Place {
                size: size_of::<$ty>() as u64,
                stride: align_of::<$ty>() as u64,
                ..Place::default()
            }),
            $($name => Some(Place::at(offset_of!($ty, $($member).+) as u64, $size)),)*
            _ => None,
        }
    };
}

fn structure(name: &str, field: &str) -> Option<Place> {
    match name {
        "udma_desc" => members!(field, UdmaDesc, [
            "tx" = tx: 16,
            "tx_meta" = tx_meta: 16,
            "rx" = rx: 16,
        ]),
        "udma_cdesc" => members!(field, UdmaCdesc, [
            "desc_comp_tx" = desc_comp_tx: 4,
            "desc_comp_rx" = desc_comp_rx: 4,
        ]),
        "udma_q" => members!(field, UdmaQ, [
            "size_mask" = size_mask: 4,
            "q_regs" = q_regs: 8,
            "desc_base_ptr" = desc_base_ptr: 8,
            "is_allocatable" = is_allocatable: 4,
            "next_desc_idx" = next_desc_idx: 4,
            "desc_ring_id" = desc_ring_id: 4,
            "cdesc_base_ptr" = cdesc_base_ptr: 8,
            "cdesc_size" = cdesc_size: 4,
            "next_cdesc_idx" = next_cdesc_idx: 4,
            "end_cdesc_ptr" = end_cdesc_ptr: 8,
            "comp_head_idx" = comp_head_idx: 4,
            "comp_head_ptr" = comp_head_ptr: 8,
            "pkt_crnt_descs" = pkt_crnt_descs: 4,
            "comp_ring_id" = comp_ring_id: 4,
            "desc_phy_base" = desc_phy_base: 8,
            "cdesc_phy_base" = cdesc_phy_base: 8,
            "flags" = flags: 4,
            "size" = size: 4,
            "status" = status: 4,
            "udma" = udma: 8,
            "qid" = qid: 4,
            "eng_id" = eng_id: 4,
            "type" = r#type: 4,
            "adapter_rev_id" = adapter_rev_id: 1,
            "cfg" = cfg: 4,
            "rlimit_mask" = rlimit_mask: 4,
        ]),
        "udma" => members!(field, Udma, [
            "name" = name: 25,
            "state_m2s" = state_m2s: 4,
            "state_s2m" = state_s2m: 4,
            "num_of_queues_max" = num_of_queues_max: 1,
            "num_of_queues" = num_of_queues: 1,
            "unit_regs_base" = unit_regs_base: 8,
            "udma_regs_m2s" = udma_regs_m2s: 8,
            "udma_regs_s2m" = udma_regs_s2m: 8,
            "gen_regs" = gen_regs: 8,
            "gen_axi_regs" = gen_axi_regs: 8,
            "gen_int_regs" = gen_int_regs: 8,
            "gen_ex_regs" = gen_ex_regs: 8,
            "udma_q_m2s" = udma_q_m2s: 3072,
            "udma_q_s2m" = udma_q_s2m: 3072,
            "rev_id" = rev_id: 4,
            "cdesc_size" = cdesc_size: 4,
            "reserve_max_read_axi_id" = reserve_max_read_axi_id: 1,
        ]),
        "udma_q_params" => members!(field, UdmaQParams, [
            "size" = size: 4,
            "allocatable" = allocatable: 4,
            "desc_base" = desc_base: 8,
            "desc_phy_base" = desc_phy_base: 8,
            "cdesc_base" = cdesc_base: 8,
            "cdesc_phy_base" = cdesc_phy_base: 8,
            "adapter_rev_id" = adapter_rev_id: 1,
            "type" = r#type: 4,
            "eng_id" = eng_id: 4,
        ]),
        "udma_params" => members!(field, UdmaParams, [
            "udma_regs_base" = udma_regs_base: 8,
            "cdesc_size" = cdesc_size: 4,
            "num_of_queues" = num_of_queues: 1,
            "flags" = flags: 4,
            "name" = name: 8,
            "reserve_max_read_axi_id" = reserve_max_read_axi_id: 1,
        ]),
        "udma_ring_ptr" => members!(field, UdmaRingPtr, [
            "addr" = addr: 8,
            "ptr" = ptr: 8,
        ]),
        "udma_desc words" => words(field),
        _ => None,
    }
}

/// Words of the three views of a descriptor (DESC-2).
fn words(name: &str) -> Option<Place> {
    let (view, member) = name.split_once('.')?;
    let place = match view {
        "tx" => members!(member, TxView, [
            "len_ctrl" = len_ctrl: 4,
            "meta_ctrl" = meta_ctrl: 4,
            "buf_ptr" = buf_ptr: 8,
        ]),
        "tx_meta" => members!(member, TxMetaView, [
            "len_ctrl" = len_ctrl: 4,
            "meta_ctrl" = meta_ctrl: 4,
            "meta1" = meta1: 4,
            "meta2" = meta2: 4,
        ]),
        "rx" => members!(member, RxView, [
            "len_ctrl" = len_ctrl: 4,
            "buf2_ptr_lo" = buf2_ptr_lo: 4,
            "buf1_ptr" = buf1_ptr: 8,
        ]),
        _ => None,
    };
    place.filter(|_| !member.is_empty())
}
