/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The two descriptors of one copy, made in host scratch values. Inline: a batch
 * makes tens of millions of them a second.
 */
#ifndef UDMA_HAL_PAIR_H
#define UDMA_HAL_PAIR_H

#include "meta.h"
#include "request.h"
#include "slot.h"

/* A packet of its own (BLDR-1). */
#define PAIR_POSITION (UDMA_MUTANT(31) ? W0_FIRST : W0_FIRST | W0_LAST)

static inline uint32_t pair_meta(const struct order *order)
{
    return META_PLAIN_COPY | bit_if(order->write_barrier, META_WRITE_BARRIER); /* META-1, BARR-2 */
}

/* BLDR-1; `position` is FIRST and LAST as the descriptor's place in its packet asks. */
static inline struct udma_desc pair_tx(const struct udma_pair_in *in, const struct order *order,
                                       uint32_t position)
{
    uint32_t word0 = position | w0_ring_id(in->tx_ring_id) | w0_length(in->size);

    if (!UDMA_MUTANT(2))
        word0 |= bit_if(order->dmb, W0_DMB);
    if (UDMA_MUTANT(5))
        word0 |= bit_if(order->sow, W0_SOW);

    return desc_make(word0, pair_meta(order),
                     UDMA_MUTANT(10) ? destination_address(in->dst) : source_address(in->src));
}

/* BLDR-2: no FIRST, no LAST, word1 is 0. Its own ring's phase (BLDR-3). */
static inline struct udma_desc pair_rx(const struct udma_pair_in *in, const struct order *order)
{
    const bool interrupt = in->dst_int != 0;
    const bool sow = order->sow && !UDMA_MUTANT(5) && !(UDMA_MUTANT(40) && interrupt);
    uint32_t word0 = w0_ring_id(UDMA_MUTANT(33) ? in->tx_ring_id : in->rx_ring_id);

    word0 |= bit_if(sow, W0_SOW);
    word0 |= bit_if(interrupt, UDMA_MUTANT(32) ? (uint32_t)1 << 27 : W0_INT_EN);
    word0 |= w0_length(in->size);
    if (UDMA_MUTANT(2))
        word0 |= bit_if(order->dmb, W0_DMB);
    if (UDMA_MUTANT(3))
        word0 |= W0_FIRST;

    return desc_make(word0, UDMA_MUTANT(13) ? pair_meta(order) : 0,
                     UDMA_MUTANT(10) ? source_address(in->src) : destination_address(in->dst));
}

#endif
