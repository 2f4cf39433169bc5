/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One group of the interrupt controller, and what is done to it. */
#ifndef UDMA_IOFIC_H
#define UDMA_IOFIC_H

#include <linux/bits.h>
#include <linux/io.h>

#include "faults.h"
#include "window.h"

#define IOFIC_SET_ON_POSEDGE BIT(3)
#define IOFIC_MASK_MSI_X BIT(5)

/* Groups A, B, C are of the secondary level, D is of the primary one. */
#define IOFIC_GROUP_A 0u
#define IOFIC_GROUP_B 1u
#define IOFIC_GROUP_C 2u
#define IOFIC_GROUP_D 3u

/* Used across files: the names carry the library's prefix. */
#define udma_iofic_m2s_unmask UDMA_SYM(iofic_m2s_unmask)
#define udma_iofic_s2m_unmask UDMA_SYM(iofic_s2m_unmask)
#define udma_iofic_axi_error_abort UDMA_SYM(iofic_axi_error_abort)
#define udma_iofic_mask_ring_id_error UDMA_SYM(iofic_mask_ring_id_error)

/* IOFC-6, for an engine of that revision. */
int udma_iofic_m2s_unmask(u32 rev_id) __hidden;
int udma_iofic_s2m_unmask(u32 rev_id) __hidden;
/* IOFC-11 */
void udma_iofic_axi_error_abort(void) __hidden;
/* IOFC-12; the top-level controller is the host's too. */
void udma_iofic_mask_ring_id_error(struct udma_host *host) __hidden;

/* The address of a register in the group at grp (IOFC-1). */
#define iofic_reg(grp, member)                                                                     \
	((volatile void __iomem *)((grp) + offsetof(struct iofic_grp_ctrl, member)))

/*
 * IOFC-2: by arithmetic, since the third secondary group lies past the end of
 * its structure, and since most calls take any group (IOFC-9).
 */
static inline uintptr_t udma_iofic_group(u32 level, u32 group)
{
	u64 offset = offsetof(struct unit_regs_v4, gen.interrupt_regs.main_iofic);

	if (level == UDMA_LEVEL_SECONDARY) {
		if (UDMA_MUTANT(368))
			offset += sizeof(struct iofic_regs);
		else
			offset = offsetof(struct unit_regs_v4,
					  gen.interrupt_regs.secondary_iofic_ctrl);
	}
	return udma_window_addr(offset + (u64)group * sizeof(struct iofic_grp_ctrl));
}

/* IOFC-3 */
static inline void udma_iofic_config(uintptr_t grp)
{
	u32 control = IOFIC_SET_ON_POSEDGE;

	if (!UDMA_MUTANT(370))
		control |= IOFIC_MASK_MSI_X;
	writel(control, iofic_reg(grp, int_control_grp));
}

/* IOFC-4 */
static inline void udma_iofic_unmask(uintptr_t grp, u32 bits)
{
	volatile void __iomem *reg = iofic_reg(grp, int_mask_clear_grp);

	if (UDMA_MUTANT(367))
		reg = (volatile void __iomem *)(grp + 0x14);
	writel(UDMA_MUTANT(371) ? bits : ~bits, reg);
}

/* IOFC-5: the whole word, so that only these bits are armed afterwards. */
static inline void udma_iofic_arm_abort(uintptr_t grp, u32 bits)
{
	u32 word = ~bits;

	if (UDMA_MUTANT(373))
		word &= readl(iofic_reg(grp, int_abort_msk_grp));
	writel(word, iofic_reg(grp, int_abort_msk_grp));
}

/* IOFC-10: abort is armed before the cause can be seen. */
static inline void udma_iofic_unmask_one(uintptr_t grp, u32 bits)
{
	udma_iofic_config(grp);
	if (UDMA_MUTANT(384)) {
		udma_iofic_unmask(grp, bits);
		udma_iofic_arm_abort(grp, bits);
		return;
	}
	udma_iofic_arm_abort(grp, bits);
	udma_iofic_unmask(grp, bits);
}

#endif
