/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Edits of what a vring holds already (EDIT).
 */
#include "meta.h"
#include "vring.h"

/* Where the fields of an embedded semaphore lie: all in word1 of the RX
 * descriptor, which is 0 otherwise (EDIT-4). */
#define SEMAPHORE_VALUE_SHIFT 0
#define SEMAPHORE_CSR_SHIFT 16
#define SEMAPHORE_SOW_SHIFT 24

#define W0_SEMAPHORE W0_CONCAT /* bit 31, in the last RX descriptor (EDIT-4) */

/* The last descriptor that carries FIRST; NULL if none does. */
static struct udma_desc *last_first(const struct half *h)
{
    uint32_t end = h->used;

    while (end > 0) {
        const uint32_t page_start = (end - 1) & ~VRING_SLOT_MASK;
        const struct span s = half_span(h, page_start, end);

        for (uint32_t k = s.count; k-- > 0;) {
            if (w0_has(le32(s.desc[k].word[0]), W0_FIRST))
                return &s.desc[k];
        }
        end = page_start;
    }
    return NULL;
}

/* The barrier that holds the last packet back goes on its FIRST descriptor, by
 * the set_dmb helper, which sets meta_ctrl's write barrier (EDIT-1, ERR-4). */
static int32_t dmb_on_last_packet(struct vring *v, uint32_t arch, uint32_t *set)
{
    const struct half *tx = &v->half[UDMA_RING_TX];
    struct udma_desc *d;
    uint32_t word1;

    if ((arch_has_sow(arch) && !UDMA_MUTANT(250)) || tx->used == 0) {
        *set = 0;
        return RET_OK;
    }
    d = last_first(tx);
    if (d == NULL)
        return RET_EINVAL;
    if (UDMA_MUTANT(251))
        d = half_at(tx, tx->used - 1);

    if (UDMA_MUTANT(252)) {
        d->word[0] |= le32(W0_DMB);
    } else {
        word1 = le32(d->word[1]);
        meta_set_write_barrier(&word1);
        d->word[1] = le32(word1);
    }
    *set = 1;
    return RET_OK;
}

int32_t UDMA_NAME(vring_dmb_on_last_packet)(void *vring, uint32_t arch, uint32_t *set, int32_t *ret)
{
    *ret = dmb_on_last_packet(vring, arch, set);
    return 0;
}

struct window {
    uint64_t base;
    uint64_t size;
    uint64_t new_base;
};

/* One comparison modulo 2^64, so that a window may wrap (EDIT-2). */
static inline bool in_window(const struct window *w, uint64_t pointer)
{
    const uint64_t offset = pointer - w->base;

    if (UDMA_MUTANT(253))
        return offset <= w->size;
    if (UDMA_MUTANT(254) && pointer < w->base)
        return false;
    return offset < w->size;
}

/* Pointers of a half that lie in the window are moved; how many there were.
 * META descriptors of TX hold none (DESC-2). */
static uint64_t rewrite_half(const struct half *h, const struct window *w, bool is_tx)
{
    uint64_t moved = 0;

    for (uint32_t i = 0; i < h->used;) {
        const struct span s = half_span(h, i, h->used);

        for (uint32_t k = 0; k < s.count; k++) {
            struct udma_desc *d = &s.desc[k];
            const uint64_t pointer = desc_pointer(d);

            if (!in_window(w, pointer) || (is_tx && w0_has(le32(d->word[0]), W0_META)))
                continue;
            desc_set_pointer(d, pointer + (w->new_base - w->base));
            moved++;
        }
        i += s.count;
    }
    return moved;
}

int32_t UDMA_NAME(vring_addr_rewrite)(void *vring, uint64_t base, uint64_t size, uint64_t new_base,
                                      uint64_t *moved)
{
    const struct vring *v = vring;
    const struct window w = {base, size, new_base};

    *moved = rewrite_half(&v->half[UDMA_RING_TX], &w, true);
    if (UDMA_MUTANT(255))
        *moved += rewrite_half(&v->half[UDMA_RING_RX], &w, false);
    return 0;
}

/* The RX descriptor that is to carry the semaphore; NULL if none is wanted (EDIT-3). */
static struct udma_desc *semaphore_place(const struct vring *v, const struct udma_semaphore *in)
{
    const struct half *rx = &v->half[UDMA_RING_RX];
    const bool supported =
        in->arch == UDMA_ARCH_MARIANA || (UDMA_MUTANT(258) && in->arch == UDMA_ARCH_CAYMAN);
    struct udma_desc *last;

    if (!supported || (in->enabled == 0 && !UDMA_MUTANT(259)) || rx->used == 0)
        return NULL;
    last = half_at(rx, rx->used - 1);
    if (w0_has(le32(last->word[0]), W0_SEMAPHORE) && !UDMA_MUTANT(257))
        return NULL;
    return last;
}

int32_t UDMA_NAME(vring_semaphore_wanted)(void *vring, const struct udma_semaphore *in,
                                          uint32_t *wanted)
{
    *wanted = semaphore_place(vring, in) != NULL;
    return 0;
}

int32_t UDMA_NAME(vring_embed_semaphore)(void *vring, const struct udma_semaphore *in,
                                         uint32_t *set)
{
    struct udma_desc *d = semaphore_place(vring, in);

    *set = d != NULL;
    if (d == NULL)
        return 0;
    d->word[0] |= le32(W0_SEMAPHORE);
    d->word[1] = le32((uint32_t)in->semaphore << SEMAPHORE_VALUE_SHIFT |
                      (uint32_t)in->csr_index << SEMAPHORE_CSR_SHIFT |
                      (uint32_t)(in->set_sow != 0) << SEMAPHORE_SOW_SHIFT);
    return 0;
}
