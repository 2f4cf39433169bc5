/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* AXI errors abort the engine (IOFC-11); ring-id errors are masked (IOFC-12). */
#include <linux/kernel.h>

#include "iofic.h"

#define AXI_TABLES_USED 6u /* of the seven that the map has */
#define AXI_TABLE_ENTRIES 16u
#define AXI_DETECT_ALL 0xfu
#define AXI_ENTRY_DATA 0x10u
#define AXI_TIMEOUT_OFF 0xffffffffu

#define M2S_RING_ID_ERROR BIT(17)
#define S2M_RING_ID_ERROR BIT(11)
#define INTC_RING_ID_ERROR BIT(11)  /* in group 2 of the top-level controller */
#define INTC_RING_ID_SUMMARY BIT(2) /* in its group 3 */

#define DETECTION_WORD(word) offsetof(struct udma_gen_axi_error_detection_table, word)

/* IOFC-11 (a), in this order in every table. */
static const size_t axi_detection_words[] = {
	DETECTION_WORD(addr1), DETECTION_WORD(addr2),  DETECTION_WORD(addr3),
	DETECTION_WORD(addr9), DETECTION_WORD(addr10), DETECTION_WORD(addr11),
};

/* IOFC-11 (c) */
static const size_t axi_iofic_groups[] = {
	offsetof(struct unit_regs_v4, gen.iofic_base_m2s_desc_rd),
	offsetof(struct unit_regs_v4, gen.iofic_base_m2s_data_rd),
	offsetof(struct unit_regs_v4, gen.iofic_base_m2s_cmpl_wr),
	offsetof(struct unit_regs_v4, gen.iofic_base_s2m_desc_rd),
	offsetof(struct unit_regs_v4, gen.iofic_base_s2m_data_wr),
	offsetof(struct unit_regs_v4, gen.iofic_base_s2m_cmpl_wr),
};

/* IOFC-11 (a) */
static void udma_axi_detect(u32 table)
{
	char __iomem *regs = (char *)&udma_window.gen.axi_error_detection_table[table];

	for (size_t i = 0; i < ARRAY_SIZE(axi_detection_words); i++)
		writel(AXI_DETECT_ALL, regs + axi_detection_words[i]);
}

/* IOFC-11 (b): address, then data of one entry after another. */
static void udma_axi_control(u32 table)
{
	struct udma_gen_axi_error_control __iomem *regs =
		&udma_window.gen.axi_error_control[table];

	for (u32 n = 0; n < AXI_TABLE_ENTRIES; n++) {
		writel(8 * n + (UDMA_MUTANT(386) ? 0 : 7), &regs->table_addr);
		writel(AXI_ENTRY_DATA, &regs->table_data);
	}
}

void udma_iofic_axi_error_abort(void)
{
	u32 tables = UDMA_MUTANT(385) ? AXI_TABLES_USED + 1 : AXI_TABLES_USED;

	if (UDMA_MUTANT(387))
		writel(AXI_TIMEOUT_OFF, &udma_window.gen.axi.cfg_1);
	for (u32 t = 0; t < tables; t++)
		udma_axi_detect(t);
	for (u32 t = 0; t < tables; t++)
		udma_axi_control(t);
	for (size_t i = 0; i < ARRAY_SIZE(axi_iofic_groups); i++)
		udma_iofic_unmask_one(udma_window_addr(axi_iofic_groups[i]), ~(u32)0);
	/* IOFC-11 (d) */
	if (!UDMA_MUTANT(387))
		writel(AXI_TIMEOUT_OFF, &udma_window.gen.axi.cfg_1);
}

/* IOFC-12: read, then write, also where nothing changes. The word written. */
static u32 udma_mask_error(volatile void __iomem *reg, u32 bit)
{
	u32 word = readl(reg);

	if (!UDMA_MUTANT(389) || !(word & bit))
		writel(word | bit, reg);
	return word | bit;
}

/* IOFC-12: the abort mask is given the word of the mask, unread. */
static void udma_mask_group_error(u32 group, u32 bit)
{
	uintptr_t grp = udma_iofic_group(UDMA_LEVEL_SECONDARY, group);
	u32 word = udma_mask_error(iofic_reg(grp, int_mask_grp), bit);

	if (UDMA_MUTANT(388))
		word = readl(iofic_reg(grp, int_abort_msk_grp)) | bit;
	writel(word, iofic_reg(grp, int_abort_msk_grp));
}

void udma_iofic_mask_ring_id_error(struct udma_host *host)
{
	struct iofic_grp_ctrl __iomem *intc = udma_intc_window.ctrl;
	struct kshim_hooks hooks;
	struct task_struct task;

	udma_mask_group_error(IOFIC_GROUP_A, M2S_RING_ID_ERROR);
	udma_mask_group_error(IOFIC_GROUP_B, S2M_RING_ID_ERROR);

	/* The top-level controller lies in a space of its own. */
	udma_intc_hooks(&hooks, host);
	kshim_begin(&task, &hooks);
	(void)udma_mask_error(&intc[2].int_mask_grp, INTC_RING_ID_ERROR);
	(void)udma_mask_error(&intc[3].int_mask_grp, INTC_RING_ID_SUMMARY);
	kshim_end(&task);

	(void)udma_mask_error(&udma_window.m2s.m2s.err_log_mask, M2S_RING_ID_ERROR);
	(void)udma_mask_error(&udma_window.s2m.s2m.err_log_mask, S2M_RING_ID_ERROR);
}
