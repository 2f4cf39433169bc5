/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef KSHIM_LINUX_BITS_H
#define KSHIM_LINUX_BITS_H

#include <linux/types.h>

/* 32-bit forms: every word of a descriptor and every register has 32 bits. */
#define BIT(n) ((u32)1 << (n))
#define GENMASK(h, l) ((u32)((0xffffffffu >> (31 - (h))) & (0xffffffffu << (l))))

#define lower_32_bits(n) ((u32)((n) & 0xffffffffu))
#define upper_32_bits(n) ((u32)((n) >> 32))

#endif
