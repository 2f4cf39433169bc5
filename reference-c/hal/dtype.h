/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * SDMA dtypes: their sizes and what a compute packet may hold of them.
 */
#ifndef UDMA_HAL_DTYPE_H
#define UDMA_HAL_DTYPE_H

#include "faults.h"

#include <stdbool.h>

/* SDMA numbers, 1 to 15 (chapter 03, dtypes). */
#define DTYPE_UINT64 1u
#define DTYPE_INT8 2u
#define DTYPE_UINT8 3u
#define DTYPE_INT16 4u
#define DTYPE_UINT16 5u
#define DTYPE_BF16 6u
#define DTYPE_FP16 7u
#define DTYPE_INT32 8u
#define DTYPE_UINT32 9u
#define DTYPE_FP32 10u
#define DTYPE_FP32R 11u
#define DTYPE_INT64 12u
#define DTYPE_FP8_E3 13u
#define DTYPE_FP8_E4 14u
#define DTYPE_FP8_E5 15u
#define DTYPE_COUNT 16u

#define CCE_MAX_ELEMENTS 2048u       /* CCE-12 */
#define CCE_MAX_ELEMENTS_SUNDA 1024u /* CCE-12 */
#define CCE_PACKET_STEP 32u          /* CCE-12: packets are whole multiples of it */

static inline bool dtype_valid(uint32_t dtype)
{
    return dtype >= DTYPE_UINT64 && dtype < DTYPE_COUNT;
}

/* Bytes of an element in the descriptor size tables; 0 for an invalid dtype. */
static inline uint32_t dtype_bytes(uint32_t dtype)
{
    static const uint8_t bytes[DTYPE_COUNT] = {
        [DTYPE_UINT64] = 8, [DTYPE_INT8] = 1,    [DTYPE_UINT8] = 1,   [DTYPE_INT16] = 2,
        [DTYPE_UINT16] = 2, [DTYPE_BF16] = 2,    [DTYPE_FP16] = 2,    [DTYPE_INT32] = 4,
        [DTYPE_UINT32] = 4, [DTYPE_FP32] = 4,    [DTYPE_FP32R] = 4,   [DTYPE_INT64] = 8,
        [DTYPE_FP8_E3] = 1, [DTYPE_FP8_E4] = 1,  [DTYPE_FP8_E5] = 1,
    };

    return dtype_valid(dtype) ? bytes[dtype] : 0;
}

/* The CCE packet-size table: the same but for fp32r, which has no size there (ERR-10). */
static inline uint32_t dtype_cce_bytes(uint32_t dtype)
{
    return dtype == DTYPE_FP32R && !UDMA_MUTANT(333) ? 0 : dtype_bytes(dtype);
}

static inline uint32_t cce_max_elements(uint32_t arch)
{
    return arch == UDMA_ARCH_SUNDA || UDMA_MUTANT(332) ? CCE_MAX_ELEMENTS_SUNDA : CCE_MAX_ELEMENTS;
}

#endif
