/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Where register addresses lie, and the way from an access to its host. */
#ifndef UDMA_WINDOW_H
#define UDMA_WINDOW_H

#include <linux/sched.h>

#include "names.h"
#include "regs.h"

/* Used across files: the names carry the library's prefix. */
#define udma_window UDMA_SYM(engine_window)
#define udma_intc_window UDMA_SYM(intc_window)
#define udma_engine_hooks UDMA_SYM(engine_hooks)
#define udma_intc_hooks UDMA_SYM(intc_hooks)

/*
 * Stand in for the mapped windows of every engine and of every top-level
 * interrupt controller: their addresses are taken, nothing is ever stored in
 * them or loaded from them.
 */
extern struct unit_regs_v4 udma_window __hidden;
extern struct iofic_regs udma_intc_window __hidden;

/* Hooks for accesses in one of the windows; host must outlive them. */
void udma_engine_hooks(struct kshim_hooks *hooks, struct udma_host *host) __hidden;
void udma_intc_hooks(struct kshim_hooks *hooks, struct udma_host *host) __hidden;

/* An address by its offset, which may lie outside the mapped registers. */
static inline uintptr_t udma_window_addr(u64 offset)
{
	return (uintptr_t)&udma_window + (uintptr_t)offset;
}

#endif
