/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Packing: neighbouring plain copies of the TX half joined into packets (PACK).
 */
#include "meta.h"
#include "vring.h"

/* Most descriptors of a packet, by the runtime's policy and not by the HAL's
 * own caps (01-terms, ERR-9). */
#define PACK_MAX_TX_SUNDA 128u
#define PACK_MAX_RX_SUNDA 128u
#define PACK_MAX_TX 65u
#define PACK_MAX_RX 60u

struct limits {
    uint64_t bytes;
    uint32_t tx;
    uint32_t rx;
};

/* The packet under way, and its last descriptor, whose place in the packet is
 * settled when the next one has been seen. */
struct packer {
    struct udma_desc *prev; /* NULL: no packet is open */
    uint32_t prev_word0;
    uint32_t left;       /* descriptors that the packet still takes; 0 if none is open */
    uint64_t bytes_left; /* bytes that it still takes */
    uint32_t first;      /* index of its first descriptor */
    uint32_t over_rx;
};

static struct limits pack_limits(uint32_t arch, uint64_t max_bytes)
{
    struct limits l = {max_bytes, PACK_MAX_TX, PACK_MAX_RX};

    if (arch == UDMA_ARCH_SUNDA) {
        l.tx = PACK_MAX_TX_SUNDA;
        l.rx = PACK_MAX_RX_SUNDA;
    }
    if (UDMA_MUTANT(231) && arch == UDMA_ARCH_MARIANA)
        l.tx = PACKET_MAX_BLOCKS;
    if (UDMA_MUTANT(230))
        l.tx--;
    if (UDMA_MUTANT(235) && l.bytes > 0)
        l.bytes--;
    return l;
}

/* Write word0 of the last descriptor, if packing changed it. */
static inline void settle(struct packer *p)
{
    const uint32_t stored = le32(p->prev_word0);

    if (p->prev->word[0] != stored)
        p->prev->word[0] = stored;
}

/* RX descriptors at the indices of the open packet, as far as that half goes. */
static inline uint32_t packet_rx(const struct packer *p, const struct limits *l, uint32_t rx_used)
{
    const uint32_t count = l->tx - p->left;
    const uint32_t there = p->first < rx_used ? rx_used - p->first : 0;

    return count < there ? count : there;
}

static inline void close_packet(struct packer *p, const struct limits *l, uint32_t rx_used)
{
    if (p->prev == NULL)
        return;
    w0_set_last(&p->prev_word0);
    if (!UDMA_MUTANT(233))
        w0_clear_concat(&p->prev_word0);
    settle(p);
    if (packet_rx(p, l, rx_used) > l->rx)
        p->over_rx++;
    p->prev = NULL;
    p->left = 0;
}

/* Plain copies are joined, nothing else is (PACK-2); a META descriptor's word1
 * is not of that kind (OPC-3). */
static inline bool joinable(uint32_t word0, uint32_t word1)
{
    return !w0_has(word0, W0_META) && (meta_is_cme(word1) || UDMA_MUTANT(238));
}

static inline bool fits(const struct packer *p, uint32_t bytes)
{
    if (UDMA_MUTANT(234) && w0_has(p->prev_word0, W0_DMB))
        return false;
    if (UDMA_MUTANT(244) && !w0_has(p->prev_word0, W0_LAST))
        return false;
    return p->left != 0 && bytes <= p->bytes_left;
}

/* Take in the joinable descriptor at `index`; true if it opened a packet (PACK-1). */
static inline bool take(struct packer *p, const struct limits *l, struct udma_desc *d,
                        uint32_t index, uint32_t word0, uint32_t rx_used)
{
    const uint32_t bytes = UDMA_MUTANT(232) ? word0 & W0_LENGTH_MASK : w0_bytes(word0);
    const bool joined = fits(p, bytes);

    if (joined) {
        w0_set_concat(&p->prev_word0);
        w0_clear_last(&p->prev_word0);
        settle(p);
        w0_clear_first(&word0);
        if (UDMA_MUTANT(243))
            word0 &= ~W0_DMB;
        p->left--;
        p->bytes_left -= bytes;
    } else {
        close_packet(p, l, rx_used);
        w0_set_first(&word0);
        p->first = index;
        p->left = l->tx - 1;
        p->bytes_left = bytes < l->bytes ? l->bytes - bytes : 0; /* above it: alone */
    }
    p->prev = d;
    p->prev_word0 = word0;
    return !joined;
}

/* A packet is counted by its FIRST (PACK-3). */
static inline bool counts_before(uint32_t word0)
{
    if (UDMA_MUTANT(241) && w0_has(word0, W0_LAST))
        return false;
    return w0_has(word0, W0_FIRST);
}

static int32_t pack(struct vring *v, const struct limits *limits, uint32_t start, uint32_t end,
                    struct udma_packed *out)
{
    const struct half *tx = &v->half[UDMA_RING_TX];
    const uint32_t rx_used = v->half[UDMA_RING_RX].used;
    const struct limits l = *limits;
    struct packer p = {NULL, 0, 0, 0, 0, 0};
    int64_t delta = 0; /* packets after minus packets before (PACK-3) */

    if (UDMA_MUTANT(242) && end > tx->used)
        end = tx->used;
    if (end > tx->used || start > end)
        return RET_EINVAL; /* PACK-4 */

    for (uint32_t i = start; i < end;) {
        const struct span s = half_span(tx, i, end);

        for (uint32_t k = 0; k < s.count; k++, i++) {
            struct udma_desc *d = &s.desc[k];
            const uint32_t word0 = le32(d->word[0]);

            delta -= counts_before(word0);
            if (joinable(word0, le32(d->word[1]))) {
                delta += take(&p, &l, d, i, word0, rx_used);
            } else {
                delta += w0_has(word0, W0_FIRST); /* left as it is (PACK-2) */
                if (!UDMA_MUTANT(239))
                    close_packet(&p, &l, rx_used);
            }
        }
    }
    close_packet(&p, &l, rx_used);

    if (UDMA_MUTANT(237) && p.over_rx != 0)
        return RET_EINVAL;
    out->delta = UDMA_MUTANT(240) ? -delta : delta;
    out->over_rx = p.over_rx;
    return RET_OK;
}

int32_t UDMA_NAME(vring_pack)(void *vring, uint32_t arch, uint32_t start, uint32_t end,
                              uint64_t max_bytes, struct udma_packed *out)
{
    const struct limits limits = pack_limits(arch, max_bytes);

    out->ret = pack(vring, &limits, start, end, out);
    return 0;
}
