/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Virtual rings from outside: opened, filled as they are, copied, freed, shown
 * (VRNG-1 to VRNG-4, VRNG-7).
 */
#include "vring.h"

int32_t UDMA_NAME(vring_open)(const char *name, void **vring)
{
    *vring = vring_new(name);
    return 0;
}

int32_t UDMA_NAME(vring_close)(void *vring)
{
    if (vring != NULL)
        vring_destroy(vring);
    return 0;
}

int32_t UDMA_NAME(vring_page_gate)(void *vring, const struct udma_page_gate *gate)
{
    static const struct udma_page_gate open = {NULL, NULL};
    struct vring *v = vring;

    v->gate = gate != NULL ? *gate : open;
    return 0;
}

/* VRNG-4, for as many descriptors at a time as a page takes. */
static int32_t raw(struct vring *v, struct half *h, const struct udma_desc *desc, uint32_t n)
{
    while (n > 0) {
        const uint64_t room = half_room(h, n);
        uint32_t fit;

        if (room == 0)
            return UDMA_VRING_QUEUE_FULL;
        if (!half_grow(h, &v->gate))
            return RET_ENOMEM;
        fit = half_tail(h, room).count;
        half_put(h, desc, fit);
        desc += fit;
        n -= fit;
    }
    return RET_OK;
}

int32_t UDMA_NAME(vring_raw)(void *vring, uint32_t ring, const struct udma_desc *desc, uint32_t n,
                             int32_t *ret)
{
    *ret = raw(vring, vring_half(vring, ring), desc, n);
    return 0;
}

int32_t UDMA_NAME(vring_deep_copy)(void *vring, void **copy, int32_t *ret)
{
    *copy = vring_clone(vring);
    *ret = *copy != NULL ? RET_OK : RET_ENOMEM;
    return 0;
}

int32_t UDMA_NAME(vring_free)(void *vring)
{
    struct vring *v = vring;

    half_free(&v->half[UDMA_RING_TX]);
    half_free(&v->half[UDMA_RING_RX]);
    return 0;
}

/* VRNG-2 */
static void half_image(const struct half *h, struct udma_vring_half *out)
{
    out->used_desc_count = half_count(h);
    out->head = h->pages != 0 ? h->page[0] : NULL;
    out->tail = h->pages != 0 ? h->page[h->pages - 1] : NULL;
    if (UDMA_MUTANT(202)) {
        unsigned char *bytes = (unsigned char *)out;

        memcpy(bytes + offsetof(struct udma_vring_half, is_template), &h->max_var_id,
               sizeof h->max_var_id);
        bytes[offsetof(struct udma_vring_half, max_var_id)] = h->is_template;
        return;
    }
    out->is_template = h->is_template;
    out->max_var_id = h->max_var_id;
}

int32_t UDMA_NAME(vring_image)(void *vring, struct udma_vring_image *out)
{
    const struct vring *v = vring;
    const bool swapped = UDMA_MUTANT(201);

    memset(out, 0, sizeof *out);
    memcpy(out->name, v->name, sizeof v->name);
    half_image(&v->half[UDMA_RING_TX], &out->tx);
    half_image(&v->half[UDMA_RING_RX], &out->rx);
    out->total_tx_size = v->total[swapped ? UDMA_RING_RX : UDMA_RING_TX];
    out->total_rx_size = v->total[swapped ? UDMA_RING_TX : UDMA_RING_RX];
    out->stochastic_rounding = v->stochastic_rounding;
    return 0;
}

int32_t UDMA_NAME(vring_read)(void *vring, uint32_t ring, uint32_t first, uint32_t n,
                              struct udma_desc *out, uint32_t *count)
{
    const struct half *h = vring_half(vring, ring);
    uint32_t end;

    *count = 0;
    if (first >= h->used)
        return 0;
    *count = n < h->used - first ? n : h->used - first;
    if (*count == 1) {
        *out = *half_at(h, first);
        return 0;
    }
    end = first + *count;
    while (first < end) {
        const struct span s = half_span(h, first, end);

        memcpy(out, s.desc, s.count * sizeof *out);
        out += s.count;
        first += s.count;
    }
    return 0;
}
