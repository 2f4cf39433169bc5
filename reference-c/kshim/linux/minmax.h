/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef KSHIM_LINUX_MINMAX_H
#define KSHIM_LINUX_MINMAX_H

/* Arguments are looked at twice, unlike the kernel's: they have no side effects. */
#define min_t(type, a, b) ((type)(a) < (type)(b) ? (type)(a) : (type)(b))

#endif
