/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Estimates of a wait, and where the transfers of a core go. */
#include "arch.h"
#include "steps.h"
#include "version.h"

#define UDMA_STRETCH_QEMU 10000u
#define UDMA_STRETCH_EMU 100000u

/* POLL-3: in the estimate, up to 2.26.5.0. */
static u64 udma_estimate_stretch(const struct udma_wait_in *in)
{
	if (udma_driver_poller_stretches(in->driver))
		return 1;
	if (in->platform == UDMA_PLATFORM_QEMU)
		return UDMA_STRETCH_QEMU;
	if (in->platform != UDMA_PLATFORM_EMU)
		return 1;
	if (UDMA_MUTANT(147) && in->driver == UDMA_DRIVER_2_26_5)
		return UDMA_STRETCH_QEMU;
	return UDMA_STRETCH_EMU;
}

/* POLL-2: how many estimates a wait may take. */
static u64 udma_estimate_budget(const struct udma_wait_in *in)
{
	if (in->arch == UDMA_ARCH_SUNDA)
		return 100;
	if (in->arch == UDMA_ARCH_CAYMAN &&
	    (udma_driver_short_budget(in->driver) || UDMA_MUTANT(145)))
		return 100;
	return 400;
}

/*
 * The product has 32 bits, everything after it 64; both wrap. A batch of the
 * marker alone so begins with a wait just below 2^64 (POLL-2).
 */
void udma_estimate(const struct udma_wait_in *in, struct udma_wait_out *out)
{
	bool v2 = in->arch == UDMA_ARCH_SUNDA;
	u32 us = v2 || UDMA_MUTANT(142) ? 4 : 2;
	u32 early = v2 ? 3 : 1;
	u32 pairs = UDMA_MUTANT(143) ? in->count : in->count - 1;
	u64 est = (u32)(us * pairs);
	u64 first = in->is_async ? 1 : est - early;

	if (UDMA_MUTANT(144) && !in->is_async && est < early)
		first = 0;
	out->following_wait = (est * udma_estimate_budget(in) - first) * 100;
	out->following_wait *= udma_estimate_stretch(in);
	if (UDMA_MUTANT(146))
		first *= udma_estimate_stretch(in);
	out->first_wait = first;
}

int32_t UDMA_SYM(wait_estimate)(const struct udma_wait_in *in, struct udma_wait_out *out,
				uint32_t n)
{
	for (u32 i = 0; i < n; i++)
		udma_estimate(&in[i], &out[i]);
	return 0;
}

/* RTRY-2: pages of a user cannot be handed to a copy that may have to be repeated. */
int32_t UDMA_SYM(zerocopy_offered)(uint32_t arch, uint32_t overridden, uint32_t *offered)
{
	*offered = arch != UDMA_ARCH_SUNDA || overridden != 0 || UDMA_MUTANT(174);
	return 0;
}

/* HOST-2 */
static int udma_host_place(u32 arch, u32 core, struct udma_host_place *out)
{
	if (arch == UDMA_ARCH_SUNDA) {
		if (core >= 2)
			return -1;
		out->engine = 32 + core;
		out->queue = 0;
	} else if (arch == UDMA_ARCH_CAYMAN || arch == UDMA_ARCH_MARIANA) {
		if (core >= 8)
			return -1;
		out->engine = 128 + (UDMA_MUTANT(124) ? core : core / 2);
		out->queue = UDMA_MUTANT(125) ? 0 : core % 2;
	} else {
		return -1;
	}
	out->window = udma_host_window(arch);
	out->ring_size = UDMA_MUTANT(126) ? UDMA_HOST_RING_REQUEST :
					    udma_round_ring(UDMA_HOST_RING_REQUEST);
	out->unused = 0;
	return 0;
}

int32_t UDMA_SYM(host_queue)(uint32_t arch, uint32_t core, struct udma_host_place *out,
			     int32_t *ret)
{
	*ret = udma_host_place(arch, core, out);
	return 0;
}
