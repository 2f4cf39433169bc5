/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The interrupt controller: calls on a group, and what engine bring-up does. */
#include <linux/errno.h>

#include "iofic.h"

/* What one direction reports, and where (IOFC-6). */
struct udma_iofic_side {
	u32 group;   /* of the secondary level */
	u32 errors;  /* in that group */
	u32 shared;  /* its half of group C */
	u32 summary; /* its bits of group D */
};

#define IOFIC_C_M2S 0x0000003fu
#define IOFIC_C_S2M 0x00000fc0u

static const struct udma_iofic_side udma_iofic_m2s = {
	.group = IOFIC_GROUP_A,
	.errors = 0x0fffffff,
	.shared = IOFIC_C_M2S,
	.summary = 0x500,
};

static const struct udma_iofic_side udma_iofic_s2m = {
	.group = IOFIC_GROUP_B,
	.errors = 0xffffef07,
	.shared = IOFIC_C_S2M,
	.summary = 0x600,
};

/* IOFC-2 */
static bool udma_iofic_group_valid(u32 rev_id, u32 level, u32 group)
{
	if (level == UDMA_LEVEL_PRIMARY)
		return group <= IOFIC_GROUP_D;
	if (rev_id < 4 || UDMA_MUTANT(369))
		return group <= IOFIC_GROUP_B;
	return group <= IOFIC_GROUP_C;
}

/* IOFC-9: unmasking looks at the group ... */
static int udma_iofic_unmask_group(u32 rev_id, u32 level, u32 group, u32 bits)
{
	if (!udma_iofic_group_valid(rev_id, level, group) && !UDMA_MUTANT(383))
		return -EINVAL;
	udma_iofic_unmask(udma_iofic_group(level, group), bits);
	return 0;
}

/* ... and arming abort does not. */
static int udma_iofic_abort_group(u32 rev_id, u32 level, u32 group, u32 bits)
{
	if (UDMA_MUTANT(382) && !udma_iofic_group_valid(rev_id, level, group))
		return -EINVAL;
	udma_iofic_arm_abort(udma_iofic_group(level, group), bits);
	return 0;
}

/* IOFC-4: the one that keeps what was masked before. */
static void udma_iofic_mask(uintptr_t grp, u32 bits)
{
	u32 word = bits;

	if (!UDMA_MUTANT(372))
		word |= readl(iofic_reg(grp, int_mask_grp));
	writel(word, iofic_reg(grp, int_mask_grp));
}

/* IOFC-4 */
static void udma_iofic_clear_cause(uintptr_t grp, u32 bits)
{
	writel(UDMA_MUTANT(371) ? bits : ~bits, iofic_reg(grp, int_cause_grp));
}

/* IOFC-6: the direction's own group and its half of group C are armed. */
static int udma_iofic_side_abort(u32 rev_id, const struct udma_iofic_side *side)
{
	u32 shared = side->shared;
	int err;

	err = udma_iofic_abort_group(rev_id, UDMA_LEVEL_SECONDARY, side->group, side->errors);
	if (err || UDMA_MUTANT(375))
		return err;
	/* S2M overwrites what M2S armed there. */
	if (UDMA_MUTANT(377) && side->group == IOFIC_GROUP_B)
		shared |= IOFIC_C_M2S;
	return udma_iofic_abort_group(rev_id, UDMA_LEVEL_SECONDARY, IOFIC_GROUP_C, shared);
}

/* IOFC-6: the summary in group D is the last to be let through. */
static int udma_iofic_side_unmask(u32 rev_id, const struct udma_iofic_side *side)
{
	int err;

	udma_iofic_config(udma_iofic_group(UDMA_LEVEL_SECONDARY, side->group));
	udma_iofic_config(udma_iofic_group(UDMA_LEVEL_PRIMARY, IOFIC_GROUP_D));
	err = udma_iofic_side_abort(rev_id, side);
	if (err)
		return err;

	if (UDMA_MUTANT(376)) {
		err = udma_iofic_unmask_group(rev_id, UDMA_LEVEL_PRIMARY, IOFIC_GROUP_D,
					      side->summary);
		if (err)
			return err;
	}
	err = udma_iofic_unmask_group(rev_id, UDMA_LEVEL_SECONDARY, side->group, side->errors);
	if (err)
		return err;
	if (!UDMA_MUTANT(375)) {
		err = udma_iofic_unmask_group(rev_id, UDMA_LEVEL_SECONDARY, IOFIC_GROUP_C,
					      side->shared);
		if (err)
			return err;
	}
	if (UDMA_MUTANT(376))
		return 0;
	return udma_iofic_unmask_group(rev_id, UDMA_LEVEL_PRIMARY, IOFIC_GROUP_D, side->summary);
}

int udma_iofic_m2s_unmask(u32 rev_id)
{
	return udma_iofic_side_unmask(rev_id, &udma_iofic_m2s);
}

int udma_iofic_s2m_unmask(u32 rev_id)
{
	return udma_iofic_side_unmask(rev_id, &udma_iofic_s2m);
}

/* The calls of this line; those on a group need one of the two levels. */
static bool udma_iofic_offered(const struct udma_iofic_in *in)
{
	switch (in->call) {
	case UDMA_IOFIC_CONFIG:
	case UDMA_IOFIC_UNMASK:
	case UDMA_IOFIC_MASK:
	case UDMA_IOFIC_CLEAR_CAUSE:
	case UDMA_IOFIC_ARM_ABORT:
		return in->level <= UDMA_LEVEL_SECONDARY;
	case UDMA_IOFIC_UNMASK_ONE:
	case UDMA_IOFIC_UNMASK_M2S:
	case UDMA_IOFIC_UNMASK_S2M:
	case UDMA_IOFIC_AXI_ERROR_ABORT:
	case UDMA_IOFIC_MASK_RING_ID_ERROR:
		return true;
	default:
		return false;
	}
}

static int udma_iofic_call(const struct udma_iofic_in *in, struct udma_host *host)
{
	uintptr_t grp = udma_iofic_group(in->level, in->group);

	switch (in->call) {
	case UDMA_IOFIC_CONFIG:
		udma_iofic_config(grp);
		return 0;
	case UDMA_IOFIC_UNMASK:
		return udma_iofic_unmask_group(in->revision, in->level, in->group, in->bits);
	case UDMA_IOFIC_MASK:
		udma_iofic_mask(grp, in->bits);
		return 0;
	case UDMA_IOFIC_CLEAR_CAUSE:
		udma_iofic_clear_cause(grp, in->bits);
		return 0;
	case UDMA_IOFIC_ARM_ABORT:
		return udma_iofic_abort_group(in->revision, in->level, in->group, in->bits);
	case UDMA_IOFIC_UNMASK_ONE:
		udma_iofic_unmask_one(udma_window_addr(in->group_base), in->bits);
		return 0;
	case UDMA_IOFIC_UNMASK_M2S:
		return udma_iofic_m2s_unmask(in->revision);
	case UDMA_IOFIC_UNMASK_S2M:
		return udma_iofic_s2m_unmask(in->revision);
	case UDMA_IOFIC_AXI_ERROR_ABORT:
		udma_iofic_axi_error_abort();
		return 0;
	default:
		udma_iofic_mask_ring_id_error(host);
		return 0;
	}
}

int32_t UDMA_SYM(iofic)(const struct udma_iofic_in *in, struct udma_iofic_out *out)
{
	struct udma_host host = in->host;
	struct kshim_hooks hooks;
	struct task_struct task;

	if (!udma_iofic_offered(in))
		return UDMA_NOT_OFFERED;
	udma_engine_hooks(&hooks, &host);
	kshim_begin(&task, &hooks);
	out->ret = udma_iofic_call(in, &host);
	kshim_end(&task);
	out->value = 0; /* no call of this line gives one */
	return 0;
}
