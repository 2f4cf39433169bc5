/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef KSHIM_ASM_BYTEORDER_H
#define KSHIM_ASM_BYTEORDER_H

#include <linux/types.h>

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define cpu_to_le32(x) ((__le32)__builtin_bswap32(x))
#define cpu_to_le64(x) ((__le64)__builtin_bswap64(x))
#define le32_to_cpu(x) ((u32)__builtin_bswap32(x))
#else
#define cpu_to_le32(x) ((__le32)(x))
#define cpu_to_le64(x) ((__le64)(x))
#define le32_to_cpu(x) ((u32)(x))
#endif

#endif
