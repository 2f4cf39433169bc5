/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Bringing up an engine (EINI): its registers, in the order of EINI-3. */
#include <linux/io.h>
#include <linux/slab.h>

#include "engine.h"
#include "iofic.h"
#include "window.h"

#define UDMA_AXI_TIMEOUT 100000000u
#define UDMA_Q_CFG_ENABLE (UDMA_Q_PREFETCH | UDMA_Q_SCHEDULING)
#define UDMA_M2S_DATA_CFG_V2 0x01000400u
#define UDMA_M2S_DATA_CFG 0x010008f8u
#define UDMA_M2S_OSTAND 0x20808080u
#define UDMA_M2S_OSTAND_RESERVED 0x0000086fu
#define UDMA_M2S_CFG_LEN 0x010fffffu
#define UDMA_M2S_STREAM_CFG 0x102u
#define UDMA_S2M_OSTAND_RD 0x00400080u
#define UDMA_S2M_OSTAND_RD_RESERVED 0x00400008u
#define UDMA_S2M_OSTAND_WR 0x40804080u
#define UDMA_S2M_OSTAND_WR_2_MASK GENMASK(9, 0)
#define UDMA_S2M_OSTAND_WR_2 0x100u
#define UDMA_S2M_COMP_CFG 0x1004u
#define UDMA_RD_CFG 0x00010008u /* of data and of descriptors */
#define UDMA_PREF_CFG_2 0x10000u
#define UDMA_PREF_CFG_3 0x81u
#define UDMA_PREF_CFG_3_SHIFT 8
#define UDMA_SPARE_BIT BIT(0)
#define UDMA_VMPR_SEL_ALL 0xffffffffu

/* EINI-1: every queue, whatever the count. */
static u32 udma_programmed_queues(const struct udma *udma)
{
	return UDMA_MUTANT(359) ? udma->num_of_queues : UDMA_QUEUES;
}

/* EINI-2 */
static bool udma_packet_refused(u8 max_descs)
{
	u32 least = UDMA_MUTANT(361) ? 1 : UDMA_MIN_DESCS_PER_PACKET;

	return max_descs < least || max_descs > UDMA_MAX_DESCS_PER_PACKET;
}

/* EINI-3, step 1 */
static void udma_enable_queues(struct udma *udma)
{
	for (u32 qid = 0; qid < udma_programmed_queues(udma); qid++) {
		writel(UDMA_Q_CFG_ENABLE, &udma->udma_q_m2s[qid].q_regs->rings.cfg);
		writel(UDMA_Q_CFG_ENABLE, &udma->udma_q_s2m[qid].q_regs->rings.cfg);
	}
}

/* EINI-3, steps 2 to 9 */
static void udma_config_m2s(struct udma *udma, u32 arch, bool reserve)
{
	struct udma_m2s_regs_v4 __iomem *regs = udma->udma_regs_m2s;
	bool v2 = arch == UDMA_ARCH_SUNDA || (UDMA_MUTANT(365) && arch == UDMA_ARCH_CAYMAN);

	writel(v2 ? UDMA_M2S_DATA_CFG_V2 : UDMA_M2S_DATA_CFG, &regs->m2s_rd.data_cfg);
	writel(reserve ? UDMA_M2S_OSTAND_RESERVED : UDMA_M2S_OSTAND, &regs->axi_m2s.ostand_cfg);
	writel(UDMA_AXI_TIMEOUT, &udma->gen_axi_regs->cfg_1);
	writel(0, &regs->m2s_comp.cfg_application_ack);
	writel(UDMA_M2S_CFG_LEN, &regs->m2s.cfg_len);
	writel(UDMA_M2S_STREAM_CFG, &regs->m2s.stream_cfg);
	for (u32 qid = 0; qid < udma_programmed_queues(udma); qid++)
		writel(UDMA_VMPR_SEL_ALL, &udma->gen_ex_regs->vmpr_v4[qid].tx_sel);
	writel(UDMA_RD_CFG, &regs->axi_m2s.data_rd_cfg);
}

/* EINI-3, steps 10 to 14 */
static void udma_config_s2m(struct udma *udma, u32 arch, bool reserve)
{
	struct udma_s2m_regs_v4 __iomem *regs = udma->udma_regs_s2m;
	u32 word;

	writel(0, &regs->s2m_comp.cfg_application_ack);
	for (u32 qid = 0; qid < udma_programmed_queues(udma); qid++) {
		struct udma_gen_ex_vmpr_v4 __iomem *vmpr = &udma->gen_ex_regs->vmpr_v4[qid];

		writel(UDMA_VMPR_SEL_ALL, &vmpr->rx_sel[0]);
		writel(UDMA_VMPR_SEL_ALL, &vmpr->rx_sel[1]);
		writel(UDMA_VMPR_SEL_ALL, &vmpr->rx_sel[2]);
	}
	writel(reserve ? UDMA_S2M_OSTAND_RD_RESERVED : UDMA_S2M_OSTAND_RD,
	       &regs->axi_s2m.ostand_cfg_rd);
	writel(UDMA_S2M_OSTAND_WR, &regs->axi_s2m.ostand_cfg_wr);
	if (arch == UDMA_ARCH_MARIANA || (UDMA_MUTANT(362) && arch == UDMA_ARCH_CAYMAN)) {
		word = readl(&regs->axi_s2m.ostand_cfg_wr_2);
		word &= ~UDMA_S2M_OSTAND_WR_2_MASK;
		writel(word | UDMA_S2M_OSTAND_WR_2, &regs->axi_s2m.ostand_cfg_wr_2);
	}
}

/* EINI-3, step 15: written also when the bit was clear. */
static void udma_config_spare(struct udma *udma)
{
	u32 __iomem *reg = &udma->gen_regs->spare_reg.zeroes0;
	u32 word = readl(reg);

	if (!UDMA_MUTANT(363) || (word & UDMA_SPARE_BIT))
		writel(word & ~UDMA_SPARE_BIT, reg);
}

/* EINI-3, steps 19 to 23 */
static void udma_config_prefetch(struct udma *udma, u8 max_descs)
{
	struct udma_m2s_regs_v4 __iomem *m2s = udma->udma_regs_m2s;
	struct udma_s2m_regs_v4 __iomem *s2m = udma->udma_regs_s2m;
	u32 pref_cfg_3 = (u32)max_descs << UDMA_PREF_CFG_3_SHIFT | UDMA_PREF_CFG_3;

	writel(UDMA_PREF_CFG_2 | max_descs, &m2s->m2s_rd.desc_pref_cfg_2);
	writel(pref_cfg_3, &m2s->m2s_rd.desc_pref_cfg_3);
	writel(pref_cfg_3, &s2m->s2m_rd.desc_pref_cfg_3);
	writel(UDMA_RD_CFG, &m2s->axi_m2s.desc_rd_cfg_3);
	writel(UDMA_RD_CFG, &s2m->axi_s2m.desc_rd_cfg_3);
}

static int udma_engine_program(struct udma_dev *dev, const struct udma_engine_init_in *in)
{
	bool reserve = (in->reserve_read_id != 0) != UDMA_MUTANT(364);
	u8 max_descs = (u8)(in->max_desc & 0xff); /* EINI-2, QINI-8 */
	struct udma *udma = &dev->udma;
	int err;

	err = udma_handle_init(dev, in->num_queues, in->reserve_read_id != 0);
	if (err)
		return err;
	if (UDMA_MUTANT(360) && udma_packet_refused(max_descs))
		return -1;

	udma_enable_queues(udma);
	udma_config_m2s(udma, in->arch, reserve);
	udma_config_s2m(udma, in->arch, reserve);
	udma_config_spare(udma);
	err = udma_iofic_m2s_unmask(udma->rev_id);
	if (err)
		return err;
	err = udma_iofic_s2m_unmask(udma->rev_id);
	if (err)
		return err;
	writel(UDMA_S2M_COMP_CFG, &udma->udma_regs_s2m->s2m_comp.cfg_1c);
	if (udma_packet_refused(max_descs))
		return -1; /* EINI-2: the steps so far stay */
	udma_config_prefetch(udma, max_descs);
	return 0;
}

/* 0 for a region that is not known (EINI-4, a refused count). */
static u64 udma_region_offset(const struct udma *udma, const volatile void __iomem *region)
{
	return region ? (u64)((uintptr_t)region - (uintptr_t)udma->unit_regs_base) : 0;
}

static void udma_engine_report(const struct udma *udma, struct udma_engine_init_out *out)
{
	out->num_of_queues = udma->num_of_queues;
	out->num_of_queues_max = udma->num_of_queues_max;
	out->rev_id = udma->rev_id;
	out->state_m2s = (u32)udma->state_m2s;
	out->state_s2m = (u32)udma->state_s2m;
	out->cdesc_size = udma->cdesc_size;
	out->reserve_max_read_axi_id = udma->reserve_max_read_axi_id;
	out->m2s_offset = udma_region_offset(udma, udma->udma_regs_m2s);
	out->s2m_offset = udma_region_offset(udma, udma->udma_regs_s2m);
	out->gen_offset = udma_region_offset(udma, udma->gen_regs);
	out->gen_ex_offset = udma_region_offset(udma, udma->gen_ex_regs);
}

int32_t UDMA_SYM(engine_init)(const struct udma_engine_init_in *in,
			      struct udma_engine_init_out *out)
{
	struct task_struct task;
	struct udma_dev *dev;

	if (in->arch < UDMA_ARCH_SUNDA || in->arch > UDMA_ARCH_MARIANA)
		return UDMA_NOT_OFFERED;
	dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	if (!dev)
		return UDMA_NOT_OFFERED;
	dev->arch = in->arch;
	dev->driver = in->driver;
	dev->host = in->host;
	udma_engine_hooks(&dev->hooks, &dev->host);
	kshim_begin(&task, &dev->hooks);
	out->ret = udma_engine_program(dev, in);
	kshim_end(&task);
	udma_engine_report(&dev->udma, out);
	kfree(dev);
	return 0;
}
