/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What changed from one driver version to the next (11-errata, versions). */
#ifndef UDMA_VERSION_H
#define UDMA_VERSION_H

#include <linux/errno.h>
#include <linux/types.h>

#include "faults.h"

/* BARR-5: SOW came with 2.25.4.0. */
static inline bool udma_driver_has_sow(u32 driver)
{
	return (driver != UDMA_DRIVER_2_15_9 && driver != UDMA_DRIVER_2_18_20) || UDMA_MUTANT(30);
}

/* RING-6, TRIG-4: up to 2.25.4.0 a bad ring or count is a BUG, not an error. */
static inline bool udma_driver_stops(u32 driver)
{
	return driver == UDMA_DRIVER_2_15_9 || driver == UDMA_DRIVER_2_18_20 ||
	       driver == UDMA_DRIVER_2_25_4;
}

/* TRIG-7: 2.15.9.0 leaves the counts to the doorbells. */
static inline bool udma_driver_checks_counts(u32 driver)
{
	return driver != UDMA_DRIVER_2_15_9 || UDMA_MUTANT(77);
}

/* BLDR-4, ERR-6: the code of an oversize request. */
static inline int udma_driver_size_code(u32 driver)
{
	if (UDMA_MUTANT(35) && driver == UDMA_DRIVER_2_26_5)
		return -EINVAL;
	if (driver == UDMA_DRIVER_2_27_4 && !UDMA_MUTANT(92))
		return -EINVAL;
	return -1;
}

/* POLL-1, ERR-12: the code of a timeout. */
static inline int udma_driver_timeout_code(u32 driver)
{
	if (UDMA_MUTANT(154) && driver == UDMA_DRIVER_2_26_5)
		return -ETIMEDOUT;
	return driver == UDMA_DRIVER_2_27_4 ? -ETIMEDOUT : -1;
}

/* POLL-3: from 2.27.4.0 on the poller stretches a wait, not the estimate. */
static inline bool udma_driver_poller_stretches(u32 driver)
{
	return driver == UDMA_DRIVER_2_27_4 && !UDMA_MUTANT(148);
}

/* Up to 2.24.7.0 the budget of CAYMAN was that of SUNDA. */
static inline bool udma_driver_short_budget(u32 driver)
{
	return driver == UDMA_DRIVER_2_15_9 || driver == UDMA_DRIVER_2_18_20;
}

#endif
