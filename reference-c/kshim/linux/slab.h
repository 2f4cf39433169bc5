/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef KSHIM_LINUX_SLAB_H
#define KSHIM_LINUX_SLAB_H

#include <linux/types.h>

#include <stdlib.h>
#include <string.h>

#define GFP_KERNEL 0
#define KSHIM_CACHELINE ((size_t)64)

/* Cache-line aligned, as the structures with aligned members need it. */
static inline void *kzalloc(size_t size, int flags)
{
	size_t whole = (size + KSHIM_CACHELINE - 1) & ~(KSHIM_CACHELINE - 1);
	void *p = aligned_alloc(KSHIM_CACHELINE, whole);

	(void)flags;
	if (p)
		memset(p, 0, whole);
	return p;
}

static inline void kfree(void *p)
{
	free(p);
}

#endif
