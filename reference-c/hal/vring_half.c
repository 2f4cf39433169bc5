/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Halves of virtual rings: pages that come and go, and whole vrings made of
 * them (VRNG-3, VRNG-4, VRNG-7).
 */
#include "vring.h"

bool half_add_page(struct half *h, const struct udma_page_gate *gate)
{
    struct udma_vring_page *page;

    if (h->pages >= VRING_MAX_PAGES)
        return false;
    if (gate->grant != NULL && gate->grant(gate->ctx) == 0)
        return false;
    page = malloc(sizeof *page);
    if (page == NULL)
        return false;

    page->next = NULL;
    page->prev = NULL;
    if (h->pages != 0) {
        page->prev = h->page[h->pages - 1];
        page->prev->next = page;
    }
    h->page[h->pages++] = page;
    return true;
}

void half_truncate(struct half *h, uint32_t used)
{
    const uint32_t needed = used / UDMA_VRING_PAGE_DESCS + (used % UDMA_VRING_PAGE_DESCS != 0);

    while (h->pages > needed) {
        free(h->page[--h->pages]);
        h->page[h->pages] = NULL;
    }
    if (h->pages != 0)
        h->page[h->pages - 1]->next = NULL;
    h->used = used;
}

void half_put(struct half *h, const struct udma_desc *desc, uint32_t n)
{
    while (n > 0) {
        const struct span s = half_tail(h, n);

        memcpy(s.desc, desc, s.count * sizeof *desc);
        h->used += s.count;
        desc += s.count;
        n -= s.count;
    }
}

struct vring *vring_new(const char *name)
{
    struct vring *v = calloc(1, sizeof *v);

    if (v == NULL)
        return NULL;
    for (uint32_t i = 0; i < VRING_NAME_BYTES - 1 && name[i] != '\0'; i++)
        v->name[i] = name[i]; /* the NUL is there from the start */
    return v;
}

static bool half_clone(struct half *to, const struct half *from, const struct udma_page_gate *gate)
{
    for (uint32_t i = 0; i < from->used;) {
        const struct span s = half_span(from, i, from->used);

        if (!half_grow(to, gate))
            return false;
        half_put(to, s.desc, s.count);
        i += s.count;
    }
    to->is_template = from->is_template;
    to->max_var_id = from->max_var_id;
#ifdef UDMA_MUTANTS
    to->kept = from->kept;
#endif
    return true;
}

struct vring *vring_clone(const struct vring *v)
{
    struct vring *copy = vring_new(v->name);

    if (copy == NULL)
        return NULL;
    copy->gate = v->gate;
    copy->stochastic_rounding = v->stochastic_rounding;
    for (uint32_t ring = UDMA_RING_TX; ring <= UDMA_RING_RX; ring++) {
        copy->total[ring] = UDMA_MUTANT(211) ? 0 : v->total[ring];
        if (!half_clone(&copy->half[ring], &v->half[ring], &v->gate)) {
            vring_destroy(copy);
            return NULL;
        }
    }
    return copy;
}

void vring_destroy(struct vring *v)
{
    half_truncate(&v->half[UDMA_RING_TX], 0);
    half_truncate(&v->half[UDMA_RING_RX], 0);
    free(v);
}

void vring_rollback(struct vring *v, const struct vring_mark *mark)
{
    for (uint32_t ring = UDMA_RING_TX; ring <= UDMA_RING_RX; ring++) {
        half_truncate(&v->half[ring], mark->used[ring]);
        v->total[ring] = mark->total[ring];
    }
}
