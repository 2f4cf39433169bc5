/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef KSHIM_LINUX_COMPILER_H
#define KSHIM_LINUX_COMPILER_H

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#undef __always_inline
#define __always_inline inline __attribute__((__always_inline__))
#define noinline __attribute__((__noinline__))
#define __hidden __attribute__((__visibility__("hidden")))

/* Marks an address of device registers: only readl and writel may follow it. */
#define __iomem

#endif
