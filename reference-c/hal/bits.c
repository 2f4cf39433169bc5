/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The helpers on one descriptor, by number (BITS-2, META-2 to META-4, ERR-4).
 */
#include "bits.h"
#include "meta.h"
#include "slot.h"

/* Result of helper `op`; setters edit *w0 or *w1 and give 0. */
static uint32_t apply(uint32_t op, uint32_t *w0, uint32_t *w1)
{
    switch (op) {
    case UDMA_BIT_SET_FIRST:
        w0_set_first(w0);
        return 0;
    case UDMA_BIT_SET_LAST:
        w0_set_last(w0);
        return 0;
    case UDMA_BIT_SET_CONCAT:
        w0_set_concat(w0);
        return 0;
    case UDMA_BIT_CLEAR_FIRST:
        w0_clear_first(w0);
        return 0;
    case UDMA_BIT_CLEAR_LAST:
        w0_clear_last(w0);
        return 0;
    case UDMA_BIT_CLEAR_CONCAT:
        w0_clear_concat(w0);
        return 0;
    case UDMA_BIT_IS_META:
        return w0_has(*w0, W0_META);
    case UDMA_BIT_IS_FIRST:
        return w0_has(*w0, W0_FIRST);
    case UDMA_BIT_IS_LAST:
        return w0_has(*w0, W0_LAST);
    case UDMA_BIT_IS_CONCAT:
        return w0_has(*w0, W0_CONCAT);
    case UDMA_BIT_TX_DESC_SIZE:
        return UDMA_MUTANT(21) ? *w0 & W0_LENGTH_MASK : w0_bytes(*w0);
    case UDMA_BIT_IS_CME_DESC:
        return meta_is_cme(*w1);
    case UDMA_BIT_SET_WRITE_BARRIER:
        meta_set_write_barrier(w1);
        return 0;
    case UDMA_BIT_SET_NOTIFICATION:
        meta_set_notification(w1);
        return 0;
    case UDMA_BIT_SET_DMB_HELPER:
        /* In spite of its name it sets the write barrier, not word0's DMB (ERR-4). */
        if (UDMA_MUTANT(90))
            *w0 |= W0_DMB;
        else
            meta_set_write_barrier(w1);
        return 0;
    default:
        return 0; /* no such helper: nothing changes */
    }
}

int32_t UDMA_NAME(bits)(struct udma_bit_case *inout, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct udma_bit_case *c = &inout[i];
        uint32_t w0 = le32(c->desc.word[0]);
        uint32_t w1 = le32(c->desc.word[1]);

        c->value = apply(c->op, &w0, &w1);
        c->desc.word[0] = le32(w0);
        c->desc.word[1] = le32(w1);
    }
    return 0;
}
