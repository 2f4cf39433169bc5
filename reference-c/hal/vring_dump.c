/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Halves written out to physical rings, and the size of those (DUMP, PRNG).
 */
#include "pair.h"
#include "vring.h"

#define PRING_OFFSET_UNIT 256u /* PRNG-1 */

#define PRING_SMALL (UDMA_MUTANT(291) ? 30u : 31u) /* PRNG-2: up to here .. */
#define PRING_SMALL_DESCS 64u                      /* .. this many */
#define PRING_GUARD 16u                            /* PRNG-2 */
#define PRING_UNIT 16u                             /* PRNG-2, linear */

#define NOOP_BYTES 4u /* DUMP-3 */
#define NOOP_RING_ID (UDMA_MUTANT(280) ? 0u : AUTHORED_RING_ID)

int32_t UDMA_NAME(pring_size)(uint32_t descriptors, uint32_t wrap, uint64_t *out)
{
    const bool guarded = !UDMA_MUTANT(wrap != 0 ? 293 : 292);
    const uint64_t wanted = (uint64_t)descriptors + (guarded ? PRING_GUARD : 0u);
    uint64_t size = 1;

    if (descriptors <= PRING_SMALL) {
        *out = PRING_SMALL_DESCS;
        return 0;
    }
    if (wrap == 0) {
        *out = (wanted + PRING_UNIT - 1) / PRING_UNIT * PRING_UNIT;
        return 0;
    }
    while (size < wanted)
        size <<= 1;
    if (UDMA_MUTANT(207) && descriptors == UDMA_VRING_CAP)
        size = UDMA_VRING_CAP;
    *out = size;
    return 0;
}

/* The counts of a pring, at the places they are documented to lie (PRNG-1). */
static uint32_t pring_allocated(const struct udma_pring *p)
{
    if (UDMA_MUTANT(290))
        return p->used < p->allocated ? p->used : p->allocated; /* never beyond its memory */
    return p->allocated;
}

static void pring_set_used(struct udma_pring *p, uint32_t used)
{
    if (UDMA_MUTANT(290))
        p->allocated = used;
    else
        p->used = used;
}

static bool type_matches(uint32_t type, uint32_t ring)
{
    if (UDMA_MUTANT(276))
        return type == UDMA_PRING_TX || type == UDMA_PRING_RX;
    return type == (ring == UDMA_RING_RX ? UDMA_PRING_RX : UDMA_PRING_TX);
}

/* The half's own side of a copy that moves nothing anywhere (DUMP-3). */
static struct udma_desc noop(uint32_t ring, uint64_t scratch)
{
    const struct udma_pair_in in = {
        .src = scratch,
        .dst = scratch,
        .size = NOOP_BYTES,
        .rx_ring_id = NOOP_RING_ID,
        .tx_ring_id = NOOP_RING_ID,
    };
    const struct order order = order_none();
    const struct udma_desc zero = {{0, 0, 0, 0}};

    if (UDMA_MUTANT(281))
        return zero;
    return ring == UDMA_RING_RX && !UDMA_MUTANT(282) ? pair_rx(&in, &order)
                                                     : pair_tx(&in, &order, PAIR_POSITION);
}

/* In order, in runs that never cross a page (DUMP-2). */
static void copy_out(const struct half *h, struct udma_desc *to)
{
    for (uint32_t i = 0; i < h->used;) {
        const struct span s = half_span(h, i, h->used);

        memcpy(to, s.desc, s.count * sizeof *to);
        to += s.count;
        i += s.count;
    }
}

static void copy_out_backwards(const struct half *h, struct udma_desc *to)
{
    uint32_t end = h->used;

    while (end > 0) {
        const uint32_t start = (end - 1) & ~VRING_SLOT_MASK;
        const struct span s = half_span(h, start, end);

        memcpy(to, s.desc, s.count * sizeof *to);
        to += s.count;
        end = start;
    }
}

static int32_t dump(struct vring *v, uint32_t ring, struct udma_pring *p,
                    const struct udma_dump *in)
{
    struct half *h = vring_half(v, ring);
    const uint32_t used = h->used;
    const uint32_t allocated = pring_allocated(p);
    const uint32_t plain = UDMA_MUTANT(287) ? allocated : used; /* DUMP-5 */
    const uint32_t padded = in->plain != 0 ? plain : in->padded;
    const bool too_small = UDMA_MUTANT(275) ? padded >= allocated : padded > allocated;
    struct udma_desc *slot;

    if (!type_matches(p->type, ring) || used > padded || too_small ||
        p->offset % PRING_OFFSET_UNIT != 0) {
        if (UDMA_MUTANT(277))
            pring_set_used(p, padded);
        return RET_EINVAL; /* DUMP-1 */
    }

    slot = p->memory;
    if (!UDMA_MUTANT(278))
        slot += p->offset / sizeof *slot;
    if (UDMA_MUTANT(279))
        copy_out_backwards(h, slot);
    else
        copy_out(h, slot);
    if (padded > used) {
        const struct udma_desc filler = noop(ring, in->scratch);

        for (uint32_t i = used; i < padded; i++)
            desc_publish(&slot[i], filler);
    }
    pring_set_used(p, UDMA_MUTANT(283) ? used : padded); /* DUMP-4 */
    if (in->free != 0 && !UDMA_MUTANT(284))
        half_free(h);
    return RET_OK;
}

int32_t UDMA_NAME(vring_dump)(void *vring, uint32_t ring, struct udma_pring *pring,
                              const struct udma_dump *in, int32_t *ret)
{
    *ret = dump(vring, ring, pring, in);
    return 0;
}

/* TX, then RX, each with its own padding; a refusal ends it (DUMP-5). */
int32_t UDMA_NAME(vring_dump_both)(void *vring, struct udma_pring *tx,
                                   const struct udma_dump *tx_in, struct udma_pring *rx,
                                   const struct udma_dump *rx_in, int32_t *ret)
{
    struct udma_dump rx_dump = *rx_in;

    if (UDMA_MUTANT(285)) {
        rx_dump.padded = tx_in->padded;
        rx_dump.plain = tx_in->plain;
    }
    if (UDMA_MUTANT(286)) {
        *ret = dump(vring, UDMA_RING_RX, rx, &rx_dump);
        if (*ret == RET_OK)
            *ret = dump(vring, UDMA_RING_TX, tx, tx_in);
        return 0;
    }
    *ret = dump(vring, UDMA_RING_TX, tx, tx_in);
    if (*ret == RET_OK)
        *ret = dump(vring, UDMA_RING_RX, rx, &rx_dump);
    return 0;
}
