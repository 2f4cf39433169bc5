/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What differs from one architecture to the next in host transfers. */
#ifndef UDMA_ARCH_H
#define UDMA_ARCH_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "faults.h"

#define UDMA_HOST_WINDOW_V2 0x100000000000u
#define UDMA_HOST_WINDOW_V3 0x400000000000u

/* HOST-1: OR-ed into a host address where the engine gets to see it. */
static inline u64 udma_host_window(u32 arch)
{
	if (arch == UDMA_ARCH_SUNDA && !UDMA_MUTANT(123))
		return UDMA_HOST_WINDOW_V2;
	return UDMA_HOST_WINDOW_V3;
}

/* RTRY-1: where a reset may swallow what is on its way. */
static inline bool udma_arch_retries(u32 arch)
{
	return arch == UDMA_ARCH_SUNDA || UDMA_MUTANT(169);
}

/* POLL-2, POLL-3 */
#define udma_estimate UDMA_SYM(estimate)
void udma_estimate(const struct udma_wait_in *in, struct udma_wait_out *out) __hidden;

/* POLL-3: how much longer the poller itself lets a wait become. */
#define UDMA_POLLER_STRETCH 100000u

#endif
