/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef KSHIM_LINUX_IO_H
#define KSHIM_LINUX_IO_H

#include <linux/sched.h>

/* The address is only reported; nothing is loaded or stored through it. */
static inline u32 readl(const volatile void __iomem *addr)
{
	return kshim_current->hooks->readl(kshim_current->hooks->ctx, addr);
}

static inline void writel(u32 value, volatile void __iomem *addr)
{
	kshim_current->hooks->writel(kshim_current->hooks->ctx, value, addr);
}

#endif
