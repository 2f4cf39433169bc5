/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef KSHIM_ASM_BARRIER_H
#define KSHIM_ASM_BARRIER_H

#include <linux/sched.h>

/* Full memory barrier: the host's. */
static inline void mb(void)
{
	kshim_current->hooks->mb(kshim_current->hooks->ctx);
}

#endif
