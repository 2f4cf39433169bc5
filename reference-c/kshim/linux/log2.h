/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef KSHIM_LINUX_LOG2_H
#define KSHIM_LINUX_LOG2_H

#include <linux/types.h>

/* 0 is no power of two. */
static inline bool is_power_of_2(u32 n)
{
	return n != 0 && (n & (n - 1)) == 0;
}

/* In 64 bits, for n up to 2^63; 0 stays 0. The caller cuts to its own width. */
static inline u64 roundup_pow_of_two(u64 n)
{
	if (n <= 1)
		return n;
	return (u64)1 << (64 - __builtin_clzll(n - 1));
}

#endif
