/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Bits of word0 and the helpers that read and edit them. The helpers work on
 * words in host order; slot.h takes words out of a slot and puts them back.
 *
 * The same number means different things in word0 and in meta_ctrl, so every
 * name starts with the word it belongs to: W0_ here, META_ in meta.h (BITS-1).
 */
#ifndef UDMA_HAL_BITS_H
#define UDMA_HAL_BITS_H

#include "faults.h"

#include <stdbool.h>

#define W0_CONCAT_SHIFT 31 /* BITS-2 */
#define W0_DMB_SHIFT 30    /* BARR-2 */
#define W0_SOW_SHIFT 29    /* BARR-2 */
#define W0_INT_EN_SHIFT 28 /* BLDR-2 */
#define W0_LAST_SHIFT 27   /* BITS-2 */
#define W0_FIRST_SHIFT 26  /* BITS-2 */
#define W0_RING_ID_SHIFT 24
#define W0_META_SHIFT 23     /* BITS-2 */
#define W0_RESERVED_SHIFT 16 /* DESC-4 */

#define W0_CONCAT ((uint32_t)1 << W0_CONCAT_SHIFT)
#define W0_DMB ((uint32_t)1 << W0_DMB_SHIFT)
#define W0_SOW ((uint32_t)1 << W0_SOW_SHIFT)
#define W0_INT_EN ((uint32_t)1 << W0_INT_EN_SHIFT)
#define W0_LAST ((uint32_t)1 << W0_LAST_SHIFT)
#define W0_FIRST ((uint32_t)1 << W0_FIRST_SHIFT)
#define W0_META ((uint32_t)1 << W0_META_SHIFT)

#define W0_RING_ID_MASK 0x03000000u /* BLDR-6 */
#define W0_RESERVED_MASK 0x007f0000u
#define W0_LENGTH_MASK 0x0000ffffu /* DESC-3 */

#define DESC_MAX_BYTES 65536u /* DESC-3: what a length field of 0 stands for */

/* `mask` when `on`, else 0. No branch: ordering is often mixed within a batch. */
static inline uint32_t bit_if(bool on, uint32_t mask)
{
    return (0u - (uint32_t)on) & mask;
}

static inline bool w0_has(uint32_t w0, uint32_t mask)
{
    return (w0 & mask) != 0;
}

/* Setters and clearers touch their one bit (BITS-2). */
static inline void w0_set_first(uint32_t *w0)
{
    *w0 |= W0_FIRST;
}

static inline void w0_set_last(uint32_t *w0)
{
    *w0 |= W0_LAST;
}

static inline void w0_set_concat(uint32_t *w0)
{
    *w0 |= UDMA_MUTANT(19) ? (uint32_t)1 << 30 : W0_CONCAT;
}

static inline void w0_clear_first(uint32_t *w0)
{
    *w0 &= ~(UDMA_MUTANT(20) ? W0_FIRST | W0_LAST : W0_FIRST);
}

static inline void w0_clear_last(uint32_t *w0)
{
    *w0 &= ~W0_LAST;
}

static inline void w0_clear_concat(uint32_t *w0)
{
    *w0 &= ~W0_CONCAT;
}

/* A length as word0 holds it: 65536 folds to 0 (DESC-3, BLDR-1). */
static inline uint32_t w0_length(uint64_t bytes)
{
    if (UDMA_MUTANT(4) && bytes == DESC_MAX_BYTES)
        return DESC_MAX_BYTES;
    return (uint32_t)(bytes & W0_LENGTH_MASK);
}

/* The bytes that a length field stands for (DESC-3). */
static inline uint32_t w0_bytes(uint32_t w0)
{
    const uint32_t field = w0 & W0_LENGTH_MASK;

    return field == 0 ? DESC_MAX_BYTES : field;
}

/* The phase, held to its two bits so that no id reaches FIRST (BLDR-6). */
static inline uint32_t w0_ring_id(uint32_t id)
{
    const uint32_t shifted = id << W0_RING_ID_SHIFT;

    return UDMA_MUTANT(39) ? shifted : shifted & W0_RING_ID_MASK;
}

#endif
