//! In-memory structures of the driver, as a reader of its memory sees them on x86-64 (REGS-1).
//!
//! Pointers are 64-bit numbers here: the structures describe another program's memory.

#![allow(missing_docs)] // The members are the driver's own names, documented by the register map.

/// `struct udma_q`.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct UdmaQ {
    pub size_mask: u32,
    pub q_regs: u64,
    pub desc_base_ptr: u64,
    pub is_allocatable: u32,
    pub next_desc_idx: u32,
    pub desc_ring_id: u32,
    pub cdesc_base_ptr: u64,
    pub cdesc_size: u32,
    pub next_cdesc_idx: u32,
    pub end_cdesc_ptr: u64,
    pub comp_head_idx: u32,
    pub comp_head_ptr: u64,
    pub pkt_crnt_descs: u32,
    pub comp_ring_id: u32,
    pub desc_phy_base: u64,
    pub cdesc_phy_base: u64,
    pub flags: u32,
    pub size: u32,
    pub status: u32,
    pub udma: u64,
    pub qid: u32,
    pub eng_id: u32,
    pub r#type: u32,
    pub adapter_rev_id: u8,
    pub cfg: u32,
    pub rlimit_mask: u32,
}

/// `struct udma`.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Udma {
    pub name: [u8; 25],
    pub state_m2s: u32,
    pub state_s2m: u32,
    pub num_of_queues_max: u8,
    pub num_of_queues: u8,
    pub unit_regs_base: u64,
    pub udma_regs_m2s: u64,
    pub udma_regs_s2m: u64,
    pub gen_regs: u64,
    pub gen_axi_regs: u64,
    pub gen_int_regs: u64,
    pub gen_ex_regs: u64,
    pub udma_q_m2s: [UdmaQ; 16],
    pub udma_q_s2m: [UdmaQ; 16],
    pub rev_id: u32,
    pub cdesc_size: u32,
    pub reserve_max_read_axi_id: u8,
}

/// `struct udma_q_params`.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
pub struct UdmaQParams {
    pub size: u32,
    pub allocatable: u32,
    pub desc_base: u64,
    pub desc_phy_base: u64,
    pub cdesc_base: u64,
    pub cdesc_phy_base: u64,
    pub adapter_rev_id: u8,
    pub r#type: u32,
    pub eng_id: u32,
}

/// `struct udma_params`.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
pub struct UdmaParams {
    pub udma_regs_base: u64,
    pub cdesc_size: u32,
    pub num_of_queues: u8,
    pub flags: u32,
    pub name: u64,
    pub reserve_max_read_axi_id: u8,
}

/// `struct udma_ring_ptr`.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
pub struct UdmaRingPtr {
    pub addr: u64,
    pub ptr: u64,
}

/// `union udma_desc`: the three views of a descriptor (DESC-2).
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub union UdmaDesc {
    pub tx: TxView,
    pub tx_meta: TxMetaView,
    pub rx: RxView,
}

/// TX view.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct TxView {
    pub len_ctrl: u32,
    pub meta_ctrl: u32,
    pub buf_ptr: u64,
}

/// TX-meta view.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct TxMetaView {
    pub len_ctrl: u32,
    pub meta_ctrl: u32,
    pub meta1: u32,
    pub meta2: u32,
}

/// RX view.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct RxView {
    pub len_ctrl: u32,
    pub buf2_ptr_lo: u32,
    pub buf1_ptr: u64,
}

/// `union udma_cdesc`: a completion descriptor.
#[derive(Clone, Copy)]
#[repr(C)]
pub union UdmaCdesc {
    pub desc_comp_tx: u32,
    pub desc_comp_rx: u32,
}
