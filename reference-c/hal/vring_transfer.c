/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Copies authored into a vring: transfers, pokes, packets (XFER).
 */
#include "pair.h"
#include "vring.h"

#define CHUNK_BYTES DESC_MAX_BYTES /* XFER-1 */
#define POKE_BYTES (UDMA_MUTANT(223) ? 8u : 4u) /* XFER-5 */
#define VRING_RING_ID (UDMA_MUTANT(214) ? 0u : AUTHORED_RING_ID)

/* Both totals count every chunk (XFER-3). */
static void count_bytes(struct vring *v, uint64_t bytes)
{
    v->total[UDMA_RING_TX] += bytes;
    if (!UDMA_MUTANT(221))
        v->total[UDMA_RING_RX] += bytes;
    if (UDMA_MUTANT(220)) {
        v->total[UDMA_RING_TX] &= UINT32_MAX;
        v->total[UDMA_RING_RX] &= UINT32_MAX;
    }
}

/* SOW where the architecture has it, else DMB; the _ex form knows DMB only (XFER-2, XFER-7). */
static struct order transfer_order(uint8_t arch, bool ex)
{
    struct order order = order_none();

    if (arch_has_sow(arch) && (!ex || UDMA_MUTANT(218)))
        order.sow = true;
    else if (UDMA_MUTANT(226))
        order.write_barrier = true;
    else
        order.dmb = true;
    return order;
}

/* n pairs of in->size bytes, source and destination advancing (XFER-1). The TX
 * slot of a pair is taken first; if RX then has no room it stays (XFER-4). */
static int32_t append_pairs(struct vring *v, struct udma_pair_in *in, struct order order,
                            uint64_t n)
{
    struct half *tx = &v->half[UDMA_RING_TX];
    struct half *rx = &v->half[UDMA_RING_RX];
    struct udma_pair_in at = *in;
    const uint64_t dst_step = UDMA_MUTANT(215) ? 0 : at.size;

    while (n > 0) {
        const uint64_t tx_room = half_room(tx, n);
        const uint64_t rx_room = half_room(rx, tx_room);
        struct span t, r;

        if (tx_room == 0)
            return UDMA_VRING_QUEUE_FULL;
        if (!half_grow(tx, &v->gate))
            return RET_ENOMEM;
        t = half_tail(tx, rx_room);
        if (rx_room == 0) {
            desc_publish(t.desc, pair_tx(&at, &order, PAIR_POSITION));
            tx->used++;
            return UDMA_VRING_QUEUE_FULL;
        }
        if (!half_grow(rx, &v->gate))
            return RET_ENOMEM;
        r = half_tail(rx, t.count);

        for (uint32_t i = 0; i < r.count; i++) {
            desc_publish(&t.desc[i], pair_tx(&at, &order, PAIR_POSITION));
            desc_publish(&r.desc[i], pair_rx(&at, &order));
            at.src += at.size;
            at.dst += dst_step;
        }
        tx->used += r.count;
        rx->used += r.count;
        count_bytes(v, at.size * r.count);
        n -= r.count;
    }
    in->src = at.src;
    in->dst = at.dst;
    return RET_OK;
}

/* All chunks: full ones, then the last, which alone is ordered (XFER-1, XFER-2). */
static int32_t append_chunks(struct vring *v, const struct udma_vring_copy *in, bool ex,
                             uint64_t chunks)
{
    const struct order plain = order_none();
    const struct order asked = in->ordered != 0 ? transfer_order(in->arch, ex) : plain;
    const bool first_ordered = UDMA_MUTANT(219) && chunks > 1;
    struct udma_pair_in pair = {
        .src = in->src,
        .dst = in->dst,
        .size = CHUNK_BYTES,
        .rx_ring_id = VRING_RING_ID,
        .tx_ring_id = VRING_RING_ID,
        .arch = in->arch,
    };
    uint64_t full = chunks - 1;
    int32_t ret;

    if (first_ordered) {
        ret = append_pairs(v, &pair, asked, 1);
        if (ret != RET_OK)
            return ret;
        full--;
    }
    if (full > 0) {
        ret = append_pairs(v, &pair, UDMA_MUTANT(217) ? asked : plain, full);
        if (ret != RET_OK)
            return ret;
    }
    if (!UDMA_MUTANT(216) && in->size != 0)
        pair.size = in->size - (chunks - 1) * CHUNK_BYTES;
    return append_pairs(v, &pair, first_ordered ? plain : asked, 1);
}

static int32_t transfer(struct vring *v, const struct udma_vring_copy *in, bool ex)
{
    struct vring_mark mark = vring_mark(v);
    uint64_t chunks = in->size / CHUNK_BYTES + (in->size % CHUNK_BYTES != 0);
    int32_t ret;

    if (UDMA_MUTANT(225) && chunks == 0)
        chunks = 1;
    if (chunks == 0)
        return RET_OK; /* XFER-6 */
    if (UDMA_MUTANT(222) && (half_room(&v->half[UDMA_RING_TX], chunks) < chunks ||
                             half_room(&v->half[UDMA_RING_RX], chunks) < chunks))
        return UDMA_VRING_QUEUE_FULL;

    ret = append_chunks(v, in, ex, chunks);
    if (ret == RET_ENOMEM) {
        if (UDMA_MUTANT(206))
            mark = vring_mark(v);
        vring_rollback(v, &mark);
    }
    return ret;
}

int32_t UDMA_NAME(vring_transfer)(void *vring, const struct udma_vring_copy *in, int32_t *ret)
{
    *ret = transfer(vring, in, false);
    return 0;
}

int32_t UDMA_NAME(vring_transfer_ex)(void *vring, const struct udma_vring_copy *in, int32_t *ret)
{
    *ret = transfer(vring, in, true);
    return 0;
}

int32_t UDMA_NAME(vring_poke)(void *vring, uint32_t arch, uint32_t kind, uint64_t src, uint64_t dst,
                              int32_t *ret)
{
    const struct udma_vring_copy in = {
        .src = src,
        .dst = dst,
        .size = POKE_BYTES,
        .ordered = !UDMA_MUTANT(224),
        .arch = (uint8_t)arch,
    };

    (void)kind; /* the descriptors are the same (XFER-5) */
    *ret = transfer(vring, &in, false);
    return 0;
}

/* Pages for n more descriptors. */
static bool reserve(struct vring *v, struct half *h, uint32_t n)
{
    while (((uint64_t)h->pages << VRING_SLOT_BITS) - h->used < n) {
        if (!half_add_page(h, &v->gate))
            return false;
    }
    return true;
}

static int32_t packet(struct vring *v, const struct udma_packet_in *in)
{
    const struct vring_mark mark = vring_mark(v);
    struct half *tx = &v->half[UDMA_RING_TX];
    struct half *rx = &v->half[UDMA_RING_RX];
    struct udma_desc tx_desc[PACKET_MAX_BLOCKS];
    struct udma_desc rx_desc[PACKET_MAX_BLOCKS];
    struct udma_packet_in request = *in;
    uint64_t bytes = 0;
    int32_t ret;

    request.tx_ring_id = VRING_RING_ID;
    request.rx_ring_id = VRING_RING_ID;
    UDMA_NAME(build_packet)(&request, tx_desc, rx_desc, &ret);
    if (ret != RET_OK)
        return RET_REFUSED;
    if (half_room(tx, in->count) < in->count || half_room(rx, in->count) < in->count)
        return UDMA_VRING_QUEUE_FULL;
    if (!reserve(v, tx, in->count) || !reserve(v, rx, in->count)) {
        vring_rollback(v, &mark);
        return RET_ENOMEM;
    }

    half_put(tx, tx_desc, in->count);
    half_put(rx, rx_desc, in->count);
    for (uint32_t i = 0; i < in->count; i++)
        bytes += in->blocks[i].size;
    count_bytes(v, bytes);
    return RET_OK;
}

int32_t UDMA_NAME(vring_packet)(void *vring, const struct udma_packet_in *in, int32_t *ret)
{
    *ret = packet(vring, in);
    return 0;
}
