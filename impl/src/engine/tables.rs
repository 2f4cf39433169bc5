//! Register blocks and regions of the engine, as data (REGS-1). Names are those of the register
//! map; reserved words are left out.

use super::map::{Block, Reg, Region};

/// Every register block.
pub const BLOCKS: &[Block] = &[
    Block {
        name: "udma_m2s_q",
        size: 0x1000,
        regs: &[
            Reg {
                name: "desc_pref_cfg",
                offset: 0x0,
                size: 4,
            },
            Reg {
                name: "cfg",
                offset: 0x20,
                size: 4,
            },
            Reg {
                name: "status",
                offset: 0x24,
                size: 4,
            },
            Reg {
                name: "tdrbp_low",
                offset: 0x28,
                size: 4,
            },
            Reg {
                name: "tdrbp_high",
                offset: 0x2c,
                size: 4,
            },
            Reg {
                name: "tdrl",
                offset: 0x30,
                size: 4,
            },
            Reg {
                name: "tdrhp",
                offset: 0x34,
                size: 4,
            },
            Reg {
                name: "tdrtp_inc",
                offset: 0x38,
                size: 4,
            },
            Reg {
                name: "tdrtp",
                offset: 0x3c,
                size: 4,
            },
            Reg {
                name: "tdcp",
                offset: 0x40,
                size: 4,
            },
            Reg {
                name: "tcrbp_low",
                offset: 0x44,
                size: 4,
            },
            Reg {
                name: "tcrbp_high",
                offset: 0x48,
                size: 4,
            },
            Reg {
                name: "tcrhp",
                offset: 0x4c,
                size: 4,
            },
            Reg {
                name: "rlimit",
                offset: 0x60,
                size: 24,
            },
            Reg {
                name: "comp_cfg",
                offset: 0xa0,
                size: 4,
            },
            Reg {
                name: "q_sw_ctrl",
                offset: 0xb0,
                size: 4,
            },
        ],
    },
    Block {
        name: "udma_s2m_q",
        size: 0x1000,
        regs: &[
            Reg {
                name: "cfg",
                offset: 0x20,
                size: 4,
            },
            Reg {
                name: "status",
                offset: 0x24,
                size: 4,
            },
            Reg {
                name: "rdrbp_low",
                offset: 0x28,
                size: 4,
            },
            Reg {
                name: "rdrbp_high",
                offset: 0x2c,
                size: 4,
            },
            Reg {
                name: "rdrl",
                offset: 0x30,
                size: 4,
            },
            Reg {
                name: "rdrhp",
                offset: 0x34,
                size: 4,
            },
            Reg {
                name: "rdrtp_inc",
                offset: 0x38,
                size: 4,
            },
            Reg {
                name: "rdrtp",
                offset: 0x3c,
                size: 4,
            },
            Reg {
                name: "rdcp",
                offset: 0x40,
                size: 4,
            },
            Reg {
                name: "rcrbp_low",
                offset: 0x44,
                size: 4,
            },
            Reg {
                name: "rcrbp_high",
                offset: 0x48,
                size: 4,
            },
            Reg {
                name: "rcrhp",
                offset: 0x4c,
                size: 4,
            },
            Reg {
                name: "comp_cfg",
                offset: 0x54,
                size: 4,
            },
            Reg {
                name: "q_sw_ctrl",
                offset: 0x64,
                size: 4,
            },
        ],
    },
    Block {
        name: "udma_rings_regs",
        size: 0x54,
        regs: &[
            Reg {
                name: "cfg",
                offset: 0x20,
                size: 4,
            },
            Reg {
                name: "status",
                offset: 0x24,
                size: 4,
            },
            Reg {
                name: "drbp_low",
                offset: 0x28,
                size: 4,
            },
            Reg {
                name: "drbp_high",
                offset: 0x2c,
                size: 4,
            },
            Reg {
                name: "drl",
                offset: 0x30,
                size: 4,
            },
            Reg {
                name: "drhp",
                offset: 0x34,
                size: 4,
            },
            Reg {
                name: "drtp_inc",
                offset: 0x38,
                size: 4,
            },
            Reg {
                name: "drtp",
                offset: 0x3c,
                size: 4,
            },
            Reg {
                name: "dcp",
                offset: 0x40,
                size: 4,
            },
            Reg {
                name: "crbp_low",
                offset: 0x44,
                size: 4,
            },
            Reg {
                name: "crbp_high",
                offset: 0x48,
                size: 4,
            },
            Reg {
                name: "crhp",
                offset: 0x4c,
                size: 4,
            },
        ],
    },
    Block {
        name: "udma_rlimit_common",
        size: 0x18,
        regs: &[Reg {
            name: "mask",
            offset: 0x14,
            size: 4,
        }],
    },
    Block {
        name: "udma_axi_m2s",
        size: 0x100,
        regs: &[
            Reg {
                name: "comp_wr_cfg_1",
                offset: 0x0,
                size: 4,
            },
            Reg {
                name: "comp_wr_cfg_2",
                offset: 0x4,
                size: 4,
            },
            Reg {
                name: "data_rd_cfg_1",
                offset: 0x8,
                size: 4,
            },
            Reg {
                name: "data_rd_cfg_2",
                offset: 0xc,
                size: 4,
            },
            Reg {
                name: "desc_rd_cfg_1",
                offset: 0x10,
                size: 4,
            },
            Reg {
                name: "desc_rd_cfg_2",
                offset: 0x14,
                size: 4,
            },
            Reg {
                name: "data_rd_cfg",
                offset: 0x18,
                size: 4,
            },
            Reg {
                name: "desc_rd_cfg_3",
                offset: 0x1c,
                size: 4,
            },
            Reg {
                name: "desc_wr_cfg_1",
                offset: 0x20,
                size: 4,
            },
            Reg {
                name: "ostand_cfg",
                offset: 0x24,
                size: 4,
            },
        ],
    },
    Block {
        name: "udma_axi_s2m",
        size: 0x100,
        regs: &[
            Reg {
                name: "data_wr_cfg_1",
                offset: 0x0,
                size: 4,
            },
            Reg {
                name: "data_wr_cfg_2",
                offset: 0x4,
                size: 4,
            },
            Reg {
                name: "desc_rd_cfg_4",
                offset: 0x8,
                size: 4,
            },
            Reg {
                name: "desc_rd_cfg_5",
                offset: 0xc,
                size: 4,
            },
            Reg {
                name: "comp_wr_cfg_1",
                offset: 0x10,
                size: 4,
            },
            Reg {
                name: "comp_wr_cfg_2",
                offset: 0x14,
                size: 4,
            },
            Reg {
                name: "data_wr_cfg",
                offset: 0x18,
                size: 4,
            },
            Reg {
                name: "desc_rd_cfg_3",
                offset: 0x1c,
                size: 4,
            },
            Reg {
                name: "desc_wr_cfg_1",
                offset: 0x20,
                size: 4,
            },
            Reg {
                name: "ostand_cfg_rd",
                offset: 0x24,
                size: 4,
            },
            Reg {
                name: "ostand_cfg_wr",
                offset: 0x28,
                size: 4,
            },
            Reg {
                name: "ostand_cfg_wr_2",
                offset: 0x2c,
                size: 4,
            },
        ],
    },
    Block {
        name: "udma_m2s",
        size: 0x100,
        regs: &[
            Reg {
                name: "state",
                offset: 0x0,
                size: 4,
            },
            Reg {
                name: "change_state",
                offset: 0x4,
                size: 4,
            },
            Reg {
                name: "err_log_mask",
                offset: 0xc,
                size: 4,
            },
            Reg {
                name: "cfg_len",
                offset: 0x54,
                size: 4,
            },
            Reg {
                name: "stream_cfg",
                offset: 0x58,
                size: 4,
            },
        ],
    },
    Block {
        name: "udma_s2m",
        size: 0x100,
        regs: &[
            Reg {
                name: "state",
                offset: 0x0,
                size: 4,
            },
            Reg {
                name: "change_state",
                offset: 0x4,
                size: 4,
            },
            Reg {
                name: "err_log_mask",
                offset: 0xc,
                size: 4,
            },
            Reg {
                name: "stream_cfg",
                offset: 0x50,
                size: 4,
            },
        ],
    },
    Block {
        name: "udma_m2s_rd",
        size: 0x40,
        regs: &[
            Reg {
                name: "desc_pref_cfg_1",
                offset: 0x0,
                size: 4,
            },
            Reg {
                name: "desc_pref_cfg_2",
                offset: 0x4,
                size: 4,
            },
            Reg {
                name: "desc_pref_cfg_3",
                offset: 0x8,
                size: 4,
            },
            Reg {
                name: "data_cfg",
                offset: 0x10,
                size: 4,
            },
        ],
    },
    Block {
        name: "udma_s2m_rd",
        size: 0x40,
        regs: &[
            Reg {
                name: "desc_pref_cfg_1",
                offset: 0x0,
                size: 4,
            },
            Reg {
                name: "desc_pref_cfg_2",
                offset: 0x4,
                size: 4,
            },
            Reg {
                name: "desc_pref_cfg_3",
                offset: 0x8,
                size: 4,
            },
            Reg {
                name: "desc_pref_cfg_4",
                offset: 0xc,
                size: 4,
            },
        ],
    },
    Block {
        name: "udma_m2s_stream_rate_limiter",
        size: 0x40,
        regs: &[Reg {
            name: "rlimit",
            offset: 0x0,
            size: 24,
        }],
    },
    Block {
        name: "udma_m2s_comp",
        size: 0x100,
        regs: &[Reg {
            name: "cfg_application_ack",
            offset: 0x8,
            size: 4,
        }],
    },
    Block {
        name: "udma_s2m_comp",
        size: 0x40,
        regs: &[
            Reg {
                name: "cfg_1c",
                offset: 0x0,
                size: 4,
            },
            Reg {
                name: "cfg_application_ack",
                offset: 0xc,
                size: 4,
            },
        ],
    },
    Block {
        name: "udma_m2s_feature",
        size: 0x100,
        regs: &[Reg {
            name: "dma_version",
            offset: 0x4,
            size: 4,
        }],
    },
    Block {
        name: "udma_m2s_regs_v4",
        size: 0x11000,
        regs: &[
            Reg {
                name: "axi_m2s",
                offset: 0x100,
                size: 256,
            },
            Reg {
                name: "m2s",
                offset: 0x200,
                size: 256,
            },
            Reg {
                name: "m2s_rd",
                offset: 0x300,
                size: 64,
            },
            Reg {
                name: "m2s_stream_rate_limiter",
                offset: 0x3c0,
                size: 64,
            },
            Reg {
                name: "m2s_comp",
                offset: 0x400,
                size: 256,
            },
            Reg {
                name: "m2s_feature",
                offset: 0x600,
                size: 256,
            },
            Reg {
                name: "m2s_q",
                offset: 0x1000,
                size: 65536,
            },
        ],
    },
    Block {
        name: "udma_s2m_regs_v4",
        size: 0x11000,
        regs: &[
            Reg {
                name: "axi_s2m",
                offset: 0x100,
                size: 256,
            },
            Reg {
                name: "s2m",
                offset: 0x200,
                size: 256,
            },
            Reg {
                name: "s2m_rd",
                offset: 0x300,
                size: 64,
            },
            Reg {
                name: "s2m_comp",
                offset: 0x380,
                size: 64,
            },
            Reg {
                name: "s2m_q",
                offset: 0x1000,
                size: 65536,
            },
        ],
    },
    Block {
        name: "iofic_grp_ctrl",
        size: 0x40,
        regs: &[
            Reg {
                name: "int_cause_grp",
                offset: 0x0,
                size: 4,
            },
            Reg {
                name: "int_cause_set_grp",
                offset: 0x8,
                size: 4,
            },
            Reg {
                name: "int_mask_grp",
                offset: 0x10,
                size: 4,
            },
            Reg {
                name: "int_mask_clear_grp",
                offset: 0x18,
                size: 4,
            },
            Reg {
                name: "int_status_grp",
                offset: 0x20,
                size: 4,
            },
            Reg {
                name: "int_control_grp",
                offset: 0x28,
                size: 4,
            },
            Reg {
                name: "int_abort_msk_grp",
                offset: 0x30,
                size: 4,
            },
        ],
    },
    Block {
        name: "udma_iofic_regs",
        size: 0x2080,
        regs: &[
            Reg {
                name: "main_iofic",
                offset: 0x0,
                size: 1024,
            },
            Reg {
                name: "secondary_iofic_ctrl",
                offset: 0x2000,
                size: 128,
            },
        ],
    },
    Block {
        name: "udma_gen_axi",
        size: 0x100,
        regs: &[Reg {
            name: "cfg_1",
            offset: 0x0,
            size: 4,
        }],
    },
    Block {
        name: "udma_gen_axi_error_detection_table",
        size: 0x40,
        regs: &[
            Reg {
                name: "addr0",
                offset: 0x0,
                size: 4,
            },
            Reg {
                name: "addr1",
                offset: 0x4,
                size: 4,
            },
            Reg {
                name: "addr2",
                offset: 0x8,
                size: 4,
            },
            Reg {
                name: "addr3",
                offset: 0xc,
                size: 4,
            },
            Reg {
                name: "addr4",
                offset: 0x10,
                size: 4,
            },
            Reg {
                name: "addr5",
                offset: 0x14,
                size: 4,
            },
            Reg {
                name: "addr6",
                offset: 0x18,
                size: 4,
            },
            Reg {
                name: "addr7",
                offset: 0x1c,
                size: 4,
            },
            Reg {
                name: "addr8",
                offset: 0x20,
                size: 4,
            },
            Reg {
                name: "addr9",
                offset: 0x24,
                size: 4,
            },
            Reg {
                name: "addr10",
                offset: 0x28,
                size: 4,
            },
            Reg {
                name: "addr11",
                offset: 0x2c,
                size: 4,
            },
            Reg {
                name: "addr12",
                offset: 0x30,
                size: 4,
            },
            Reg {
                name: "addr13",
                offset: 0x34,
                size: 4,
            },
            Reg {
                name: "addr14",
                offset: 0x38,
                size: 4,
            },
            Reg {
                name: "addr15",
                offset: 0x3c,
                size: 4,
            },
        ],
    },
    Block {
        name: "udma_gen_axi_error_control",
        size: 0x8,
        regs: &[
            Reg {
                name: "table_addr",
                offset: 0x0,
                size: 4,
            },
            Reg {
                name: "table_data",
                offset: 0x4,
                size: 4,
            },
        ],
    },
    Block {
        name: "udma_gen_axi_queue",
        size: 0xc,
        regs: &[
            Reg {
                name: "state_request",
                offset: 0x0,
                size: 4,
            },
            Reg {
                name: "error_status",
                offset: 0x4,
                size: 4,
            },
            Reg {
                name: "cfg",
                offset: 0x8,
                size: 4,
            },
        ],
    },
    Block {
        name: "udma_gen_spare_reg",
        size: 0x10,
        regs: &[
            Reg {
                name: "zeroes0",
                offset: 0x0,
                size: 4,
            },
            Reg {
                name: "zeroes1",
                offset: 0x4,
                size: 4,
            },
            Reg {
                name: "ones0",
                offset: 0x8,
                size: 4,
            },
            Reg {
                name: "ones1",
                offset: 0xc,
                size: 4,
            },
        ],
    },
    Block {
        name: "udma_gen_regs_v4",
        size: 0x3470,
        regs: &[
            Reg {
                name: "interrupt_regs",
                offset: 0x0,
                size: 8320,
            },
            Reg {
                name: "axi",
                offset: 0x2300,
                size: 256,
            },
            Reg {
                name: "axi_error_detection_table",
                offset: 0x2900,
                size: 448,
            },
            Reg {
                name: "axi_error_control",
                offset: 0x2b00,
                size: 56,
            },
            Reg {
                name: "axi_queue",
                offset: 0x2c00,
                size: 192,
            },
            Reg {
                name: "iofic_base_m2s_desc_rd",
                offset: 0x2d00,
                size: 4,
            },
            Reg {
                name: "iofic_base_m2s_data_rd",
                offset: 0x2e00,
                size: 4,
            },
            Reg {
                name: "iofic_base_m2s_cmpl_wr",
                offset: 0x2f00,
                size: 4,
            },
            Reg {
                name: "iofic_base_s2m_desc_rd",
                offset: 0x3000,
                size: 4,
            },
            Reg {
                name: "iofic_base_s2m_data_wr",
                offset: 0x3100,
                size: 4,
            },
            Reg {
                name: "iofic_base_s2m_cmpl_wr",
                offset: 0x3200,
                size: 4,
            },
            Reg {
                name: "iofic_base_msix",
                offset: 0x3300,
                size: 4,
            },
            Reg {
                name: "spare_reg",
                offset: 0x3460,
                size: 16,
            },
        ],
    },
    Block {
        name: "udma_gen_ex_vmpr_v4",
        size: 0x40,
        regs: &[
            Reg {
                name: "tx_sel",
                offset: 0x0,
                size: 4,
            },
            Reg {
                name: "rx_sel",
                offset: 0x4,
                size: 12,
            },
        ],
    },
    Block {
        name: "udma_gen_ex_regs",
        size: 0x800,
        regs: &[Reg {
            name: "vmpr_v4",
            offset: 0x400,
            size: 1024,
        }],
    },
    Block {
        name: "unit_regs_v4",
        size: 0x3c800,
        regs: &[
            Reg {
                name: "m2s",
                offset: 0x0,
                size: 69632,
            },
            Reg {
                name: "s2m",
                offset: 0x20000,
                size: 69632,
            },
            Reg {
                name: "gen",
                offset: 0x38000,
                size: 13424,
            },
            Reg {
                name: "gen_ex",
                offset: 0x3c000,
                size: 2048,
            },
        ],
    },
    Block {
        name: "iofic_regs",
        size: 0x400,
        regs: &[Reg {
            name: "ctrl",
            offset: 0x0,
            size: 1024,
        }],
    },
    Block {
        name: "udma_q_regs",
        size: 0x1000,
        regs: &[
            Reg {
                name: "rings",
                offset: 0x0,
                size: 84,
            },
            Reg {
                name: "m2s_q",
                offset: 0x0,
                size: 4096,
            },
            Reg {
                name: "s2m_q",
                offset: 0x0,
                size: 4096,
            },
        ],
    },
];

/// Every region, by path from the engine base.
pub const REGIONS: &[Region] = &[
    Region {
        path: "m2s",
        offset: 0x0,
        size: 0x11000,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "m2s.axi_m2s",
        offset: 0x100,
        size: 0x100,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "m2s.m2s",
        offset: 0x200,
        size: 0x100,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "m2s.m2s_rd",
        offset: 0x300,
        size: 0x40,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "m2s.m2s_stream_rate_limiter",
        offset: 0x3c0,
        size: 0x40,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "m2s.m2s_comp",
        offset: 0x400,
        size: 0x100,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "m2s.m2s_feature",
        offset: 0x600,
        size: 0x100,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "m2s.m2s_q",
        offset: 0x1000,
        size: 0x10000,
        count: 16,
        stride: 0x1000,
    },
    Region {
        path: "s2m",
        offset: 0x20000,
        size: 0x11000,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "s2m.axi_s2m",
        offset: 0x20100,
        size: 0x100,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "s2m.s2m",
        offset: 0x20200,
        size: 0x100,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "s2m.s2m_rd",
        offset: 0x20300,
        size: 0x40,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "s2m.s2m_comp",
        offset: 0x20380,
        size: 0x40,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "s2m.s2m_q",
        offset: 0x21000,
        size: 0x10000,
        count: 16,
        stride: 0x1000,
    },
    Region {
        path: "gen",
        offset: 0x38000,
        size: 0x3470,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "gen.interrupt_regs",
        offset: 0x38000,
        size: 0x2080,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "gen.interrupt_regs.main_iofic",
        offset: 0x38000,
        size: 0x400,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "gen.interrupt_regs.secondary_iofic_ctrl",
        offset: 0x3a000,
        size: 0x80,
        count: 2,
        stride: 0x40,
    },
    Region {
        path: "gen.axi",
        offset: 0x3a300,
        size: 0x100,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "gen.axi_error_detection_table",
        offset: 0x3a900,
        size: 0x1c0,
        count: 7,
        stride: 0x40,
    },
    Region {
        path: "gen.axi_error_control",
        offset: 0x3ab00,
        size: 0x38,
        count: 7,
        stride: 0x8,
    },
    Region {
        path: "gen.axi_queue",
        offset: 0x3ac00,
        size: 0xc0,
        count: 16,
        stride: 0xc,
    },
    Region {
        path: "gen.iofic_base_m2s_desc_rd",
        offset: 0x3ad00,
        size: 0x4,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "gen.iofic_base_m2s_data_rd",
        offset: 0x3ae00,
        size: 0x4,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "gen.iofic_base_m2s_cmpl_wr",
        offset: 0x3af00,
        size: 0x4,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "gen.iofic_base_s2m_desc_rd",
        offset: 0x3b000,
        size: 0x4,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "gen.iofic_base_s2m_data_wr",
        offset: 0x3b100,
        size: 0x4,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "gen.iofic_base_s2m_cmpl_wr",
        offset: 0x3b200,
        size: 0x4,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "gen.iofic_base_msix",
        offset: 0x3b300,
        size: 0x4,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "gen.spare_reg",
        offset: 0x3b460,
        size: 0x10,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "gen_ex",
        offset: 0x3c000,
        size: 0x800,
        count: 0,
        stride: 0x0,
    },
    Region {
        path: "gen_ex.vmpr_v4",
        offset: 0x3c400,
        size: 0x400,
        count: 16,
        stride: 0x40,
    },
];
