/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Register blocks of an engine, as they lie in its window (REGS-1). */
#ifndef UDMA_REGS_H
#define UDMA_REGS_H

#include <linux/build_bug.h>
#include <linux/types.h>

#define UDMA_QUEUES 16

/* The part of a queue block that both directions share. */
struct udma_rings_regs {
	u32 rsrvd0[8];
	u32 cfg;
	u32 status;
	u32 drbp_low;
	u32 drbp_high;
	u32 drl;
	u32 drhp;
	u32 drtp_inc; /* a write adds to the tail */
	u32 drtp;
	u32 dcp;
	u32 crbp_low;
	u32 crbp_high;
	u32 crhp;
	u32 rsrvd1;
};

struct udma_rlimit_common {
	u32 rsrvd[5];
	u32 mask;
};

struct udma_m2s_q {
	u32 desc_pref_cfg;
	u32 rsrvd0[7];
	u32 cfg;
	u32 status;
	u32 tdrbp_low;
	u32 tdrbp_high;
	u32 tdrl;
	u32 tdrhp;
	u32 tdrtp_inc;
	u32 tdrtp;
	u32 tdcp;
	u32 tcrbp_low;
	u32 tcrbp_high;
	u32 tcrhp;
	u32 rsrvd1[4];
	struct udma_rlimit_common rlimit;
	u32 rsrvd2[10];
	u32 comp_cfg;
	u32 rsrvd3[3];
	u32 q_sw_ctrl;
	u32 rsrvd4[979];
};

struct udma_s2m_q {
	u32 rsrvd0[8];
	u32 cfg;
	u32 status;
	u32 rdrbp_low;
	u32 rdrbp_high;
	u32 rdrl;
	u32 rdrhp;
	u32 rdrtp_inc;
	u32 rdrtp;
	u32 rdcp;
	u32 rcrbp_low;
	u32 rcrbp_high;
	u32 rcrhp;
	u32 rsrvd1;
	u32 comp_cfg;
	u32 rsrvd2[3];
	u32 q_sw_ctrl;
	u32 rsrvd3[998];
};

union udma_q_regs {
	struct udma_rings_regs rings;
	struct udma_m2s_q m2s_q;
	struct udma_s2m_q s2m_q;
};

struct udma_axi_m2s {
	u32 comp_wr_cfg_1;
	u32 comp_wr_cfg_2;
	u32 data_rd_cfg_1;
	u32 data_rd_cfg_2;
	u32 desc_rd_cfg_1;
	u32 desc_rd_cfg_2;
	u32 data_rd_cfg;
	u32 desc_rd_cfg_3;
	u32 desc_wr_cfg_1;
	u32 ostand_cfg;
	u32 rsrvd[54];
};

struct udma_axi_s2m {
	u32 data_wr_cfg_1;
	u32 data_wr_cfg_2;
	u32 desc_rd_cfg_4;
	u32 desc_rd_cfg_5;
	u32 comp_wr_cfg_1;
	u32 comp_wr_cfg_2;
	u32 data_wr_cfg;
	u32 desc_rd_cfg_3;
	u32 desc_wr_cfg_1;
	u32 ostand_cfg_rd;
	u32 ostand_cfg_wr;
	u32 ostand_cfg_wr_2;
	u32 rsrvd[52];
};

struct udma_m2s {
	u32 state;
	u32 change_state;
	u32 rsrvd0;
	u32 err_log_mask;
	u32 rsrvd1[17];
	u32 cfg_len;
	u32 stream_cfg;
	u32 rsrvd2[41];
};

struct udma_s2m {
	u32 state;
	u32 change_state;
	u32 rsrvd0;
	u32 err_log_mask;
	u32 rsrvd1[16];
	u32 stream_cfg;
	u32 rsrvd2[43];
};

struct udma_m2s_rd {
	u32 desc_pref_cfg_1;
	u32 desc_pref_cfg_2;
	u32 desc_pref_cfg_3;
	u32 rsrvd0;
	u32 data_cfg;
	u32 rsrvd1[11];
};

struct udma_s2m_rd {
	u32 desc_pref_cfg_1;
	u32 desc_pref_cfg_2;
	u32 desc_pref_cfg_3;
	u32 desc_pref_cfg_4;
	u32 rsrvd[12];
};

struct udma_m2s_stream_rate_limiter {
	struct udma_rlimit_common rlimit;
	u32 rsrvd[10];
};

struct udma_m2s_comp {
	u32 rsrvd0[2];
	u32 cfg_application_ack;
	u32 rsrvd1[61];
};

struct udma_s2m_comp {
	u32 cfg_1c;
	u32 rsrvd0[2];
	u32 cfg_application_ack;
	u32 rsrvd1[12];
};

struct udma_m2s_feature {
	u32 rsrvd0;
	u32 dma_version;
	u32 rsrvd1[62];
};

struct udma_m2s_regs_v4 {
	u32 rsrvd0[64];
	struct udma_axi_m2s axi_m2s;
	struct udma_m2s m2s;
	struct udma_m2s_rd m2s_rd;
	u32 rsrvd1[32];
	struct udma_m2s_stream_rate_limiter m2s_stream_rate_limiter;
	struct udma_m2s_comp m2s_comp;
	u32 rsrvd2[64];
	struct udma_m2s_feature m2s_feature;
	u32 rsrvd3[576];
	struct udma_m2s_q m2s_q[UDMA_QUEUES];
};

struct udma_s2m_regs_v4 {
	u32 rsrvd0[64];
	struct udma_axi_s2m axi_s2m;
	struct udma_s2m s2m;
	struct udma_s2m_rd s2m_rd;
	u32 rsrvd1[16];
	struct udma_s2m_comp s2m_comp;
	u32 rsrvd2[784];
	struct udma_s2m_q s2m_q[UDMA_QUEUES];
};

struct iofic_grp_ctrl {
	u32 int_cause_grp;
	u32 rsrvd0;
	u32 int_cause_set_grp;
	u32 rsrvd1;
	u32 int_mask_grp;
	u32 rsrvd2;
	u32 int_mask_clear_grp;
	u32 rsrvd3;
	u32 int_status_grp;
	u32 rsrvd4;
	u32 int_control_grp;
	u32 rsrvd5;
	u32 int_abort_msk_grp;
	u32 rsrvd6[3];
};

struct iofic_regs {
	struct iofic_grp_ctrl ctrl[16];
};

struct udma_iofic_regs {
	struct iofic_regs main_iofic;
	u32 rsrvd[1792];
	struct iofic_grp_ctrl secondary_iofic_ctrl[2]; /* a third one follows (IOFC-2) */
};

struct udma_gen_axi {
	u32 cfg_1;
	u32 rsrvd[63];
};

struct udma_gen_axi_error_detection_table {
	u32 addr0;
	u32 addr1;
	u32 addr2;
	u32 addr3;
	u32 addr4;
	u32 addr5;
	u32 addr6;
	u32 addr7;
	u32 addr8;
	u32 addr9;
	u32 addr10;
	u32 addr11;
	u32 addr12;
	u32 addr13;
	u32 addr14;
	u32 addr15;
};

struct udma_gen_axi_error_control {
	u32 table_addr;
	u32 table_data;
};

struct udma_gen_axi_queue {
	u32 state_request;
	u32 error_status;
	u32 cfg;
};

struct udma_gen_spare_reg {
	u32 zeroes0;
	u32 zeroes1;
	u32 ones0;
	u32 ones1;
};

struct udma_gen_regs_v4 {
	struct udma_iofic_regs interrupt_regs;
	u32 rsrvd0[160];
	struct udma_gen_axi axi;
	u32 rsrvd1[320];
	struct udma_gen_axi_error_detection_table axi_error_detection_table[7];
	u32 rsrvd2[16];
	struct udma_gen_axi_error_control axi_error_control[7];
	u32 rsrvd3[50];
	struct udma_gen_axi_queue axi_queue[UDMA_QUEUES];
	u32 rsrvd4[16];
	u32 iofic_base_m2s_desc_rd;
	u32 rsrvd5[63];
	u32 iofic_base_m2s_data_rd;
	u32 rsrvd6[63];
	u32 iofic_base_m2s_cmpl_wr;
	u32 rsrvd7[63];
	u32 iofic_base_s2m_desc_rd;
	u32 rsrvd8[63];
	u32 iofic_base_s2m_data_wr;
	u32 rsrvd9[63];
	u32 iofic_base_s2m_cmpl_wr;
	u32 rsrvd10[63];
	u32 iofic_base_msix;
	u32 rsrvd11[87];
	struct udma_gen_spare_reg spare_reg;
};

struct udma_gen_ex_vmpr_v4 {
	u32 tx_sel;
	u32 rx_sel[3];
	u32 rsrvd[12];
};

struct udma_gen_ex_regs {
	u32 rsrvd0[256];
	struct udma_gen_ex_vmpr_v4 vmpr_v4[UDMA_QUEUES];
};

struct unit_regs_v4 {
	struct udma_m2s_regs_v4 m2s;
	u32 rsrvd0[15360];
	struct udma_s2m_regs_v4 s2m;
	u32 rsrvd1[7168];
	struct udma_gen_regs_v4 gen;
	u32 rsrvd2[740];
	struct udma_gen_ex_regs gen_ex;
};

static_assert(sizeof(struct udma_rings_regs) == 0x54);
static_assert(sizeof(struct udma_m2s_q) == 0x1000);
static_assert(sizeof(struct udma_s2m_q) == 0x1000);
static_assert(offsetof(struct unit_regs_v4, m2s.m2s_q) == 0x1000);
static_assert(offsetof(struct unit_regs_v4, s2m.s2m_q) == 0x21000);
static_assert(offsetof(struct unit_regs_v4, gen) == 0x38000);
static_assert(offsetof(struct unit_regs_v4, gen_ex) == 0x3c000);
static_assert(sizeof(struct unit_regs_v4) == 0x3c800);

#endif
