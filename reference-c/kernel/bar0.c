/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Which words of BAR0 a user may not write (BAR0-1 to BAR0-3). */
#include <linux/kernel.h>

#include "engine.h"

#define ENGINES_V2 34u
#define ENGINES_V3 UDMA_ENGINES_PER_DEVICE /* and v4 */
#define ENGINES_V3_GROUPED 128u

#define MISC_RAM_V2 0x30fa0000u
#define MISC_RAM_V3 0x06c84000u /* and v4 */

/* BAR0-1: the same in the blocks of both directions. */
static const u64 gated_q_regs[] = {
	offsetof(struct udma_rings_regs, drbp_low),
	offsetof(struct udma_rings_regs, drbp_high),
	offsetof(struct udma_rings_regs, crbp_low),
	offsetof(struct udma_rings_regs, crbp_high),
	offsetof(struct udma_rings_regs, drtp_inc),
};

/* BAR0-3 */
static const u64 gated_misc_ram[] = { 0x1f0, 0x1f4, 0x1f8, 0x1fc, 0x800 };

static bool udma_one_of(const u64 *offsets, size_t count, u64 offset)
{
	for (size_t i = 0; i < count; i++)
		if (offsets[i] == offset)
			return true;
	return false;
}

/* offset is counted from the first of one direction's queue blocks. */
static bool udma_gated_in_blocks(u64 offset)
{
	if (offset >= UDMA_QUEUES * sizeof(union udma_q_regs))
		return false;
	return udma_one_of(gated_q_regs, ARRAY_SIZE(gated_q_regs),
			   offset % sizeof(union udma_q_regs));
}

/* BAR0-1: the words themselves, not what lies a byte beside them. */
static bool udma_gated_in_engine(u64 base, u64 offset)
{
	u64 in_engine = offset - base; /* huge for an offset before the engine */

	if (udma_gated_in_blocks(in_engine - offsetof(struct unit_regs_v4, m2s.m2s_q)))
		return true;
	if (UDMA_MUTANT(390))
		return false;
	return udma_gated_in_blocks(in_engine - offsetof(struct unit_regs_v4, s2m.s2m_q));
}

/* BAR0-2 */
static u64 udma_engine_base_v2(u32 engine)
{
	if (engine < 16)
		return 0x30000000u + (u64)engine * 0x40000;
	if (engine < 32)
		return 0x30700000u + (u64)(engine - 16) * 0x40000;
	if (engine == 32)
		return 0x30600000u;
	return UDMA_MUTANT(393) ? 0x30c00000u : 0x30d00000u;
}

/* BAR0-2: v3 and v4, four groups of 32, then two pairs. */
static u64 udma_engine_base_v3(u32 engine)
{
	static const u64 groups[] = { 0x82000000u, 0x94000000u, 0xa2000000u, 0xb4000000u };
	static const u64 pairs[] = { 0x06800000u, 0x46800000u };

	if (engine < ENGINES_V3_GROUPED)
		return groups[engine / 32] + (u64)(engine % 32) * 0x100000;
	engine -= ENGINES_V3_GROUPED;
	return pairs[engine / 2] + (u64)(engine % 2) * 0x100000;
}

static bool udma_gated_v2(u64 offset)
{
	for (u32 engine = 0; engine < ENGINES_V2; engine++)
		if (udma_gated_in_engine(udma_engine_base_v2(engine), offset))
			return true;
	return udma_one_of(gated_misc_ram, ARRAY_SIZE(gated_misc_ram), offset - MISC_RAM_V2);
}

static bool udma_gated_v3(u32 arch, u64 offset)
{
	u32 engines = UDMA_MUTANT(392) ? ENGINES_V3_GROUPED : ENGINES_V3;

	for (u32 engine = 0; engine < engines; engine++)
		if (udma_gated_in_engine(udma_engine_base_v3(engine), offset))
			return true;
	if (UDMA_MUTANT(394) && arch == UDMA_ARCH_MARIANA)
		return false;
	return udma_one_of(gated_misc_ram, ARRAY_SIZE(gated_misc_ram), offset - MISC_RAM_V3);
}

static bool udma_bar0_gated(const struct udma_bar0_case *c)
{
	u64 offset = UDMA_MUTANT(391) ? c->offset & ~(u64)3 : c->offset;

	if (c->one_engine)
		return udma_gated_in_engine(c->base, offset);
	return c->arch == UDMA_ARCH_SUNDA ? udma_gated_v2(offset) : udma_gated_v3(c->arch, offset);
}

int32_t UDMA_SYM(bar0)(struct udma_bar0_case *inout, uint32_t n)
{
	for (u32 i = 0; i < n; i++) {
		struct udma_bar0_case *c = &inout[i];

		if (!c->one_engine && (c->arch < UDMA_ARCH_SUNDA || c->arch > UDMA_ARCH_MARIANA))
			return UDMA_NOT_OFFERED; /* BAR0-2 knows no engines of it */
		c->ret = udma_bar0_gated(c) ? -1 : 0;
	}
	return 0;
}
