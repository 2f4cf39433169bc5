/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef KSHIM_LINUX_BUG_H
#define KSHIM_LINUX_BUG_H

#include <linux/sched.h>

/* Ends the running call, as an oops ends the thread in the kernel. */
static inline _Noreturn void BUG(void)
{
	longjmp(kshim_current->oops, 1);
}

#define BUG_ON(condition)                                                                          \
	do {                                                                                       \
		if (unlikely(condition))                                                           \
			BUG();                                                                     \
	} while (0)

#endif
