/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Bits of meta_ctrl, the second word of a TX descriptor.
 */
#ifndef UDMA_HAL_META_H
#define UDMA_HAL_META_H

#include "faults.h"

#include <stdbool.h>

#define META_PLAIN_COPY (UDMA_MUTANT(22) ? 0x01080001u : 0x01080003u)  /* META-1 */
#define META_WRITE_BARRIER_SHIFT (UDMA_MUTANT(1) ? 28 : 26)            /* META-2 */
#define META_NOTIFICATION_SHIFT (UDMA_MUTANT(23) ? 27 : 28)            /* META-3 */
#define META_OP_TYPE_SHIFT 20
#define META_SSMAE_OP_SHIFT 23
#define META_OP_MASK 7u  /* width of op_type and of ssmae_op */
#define META_SSMAE_CME 2u /* META-4 */

#define META_WRITE_BARRIER ((uint32_t)1 << META_WRITE_BARRIER_SHIFT)
#define META_NOTIFICATION ((uint32_t)1 << META_NOTIFICATION_SHIFT)

static inline void meta_set_write_barrier(uint32_t *meta)
{
    *meta |= META_WRITE_BARRIER;
}

static inline void meta_set_notification(uint32_t *meta)
{
    *meta |= META_NOTIFICATION;
}

/* True for plain copies, false for every op-class word (META-4). */
static inline bool meta_is_cme(uint32_t meta)
{
    const int shift = UDMA_MUTANT(24) ? META_OP_TYPE_SHIFT : META_SSMAE_OP_SHIFT;

    return ((meta >> shift) & META_OP_MASK) == META_SSMAE_CME;
}

#endif
