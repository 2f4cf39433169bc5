/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Virtual rings as they are kept in memory. Pages have the documented form; a
 * half keeps a directory of them beside, so that descriptor i is found in one
 * step (VRNG-3).
 */
#ifndef UDMA_HAL_VRING_H
#define UDMA_HAL_VRING_H

#include "request.h"
#include "slot.h"

#include <stddef.h>
#include <stdlib.h>

#define RET_ENOMEM (-12) /* a refused page (VRNG-4) */

#define VRING_NAME_BYTES 256u /* VRNG-1 */
#define VRING_SLOT_BITS 16    /* VRNG-3 */
#define VRING_SLOT_MASK (UDMA_VRING_PAGE_DESCS - 1u)
#define VRING_MAX_PAGES 256u /* what a half at its cap takes */
#define VRING_CAP (UDMA_MUTANT(205) ? (uint32_t)1 << 24 : UDMA_VRING_CAP)

#define AUTHORED_RING_ID 1u /* XFER-1, DUMP-3 */

_Static_assert(UDMA_VRING_PAGE_DESCS == 1u << VRING_SLOT_BITS, "slots of a page"); /* VRNG-3 */
_Static_assert(UDMA_VRING_CAP <= VRING_MAX_PAGES << VRING_SLOT_BITS, "pages of a full half");

struct half {
    uint32_t used;  /* descriptors */
    uint32_t pages; /* always the fewest that hold `used` when no call is under way */
    struct udma_vring_page *page[VRING_MAX_PAGES];
    uint32_t max_var_id; /* TMPL-2 */
    bool is_template;
#ifdef UDMA_MUTANTS
    uint32_t kept; /* counted but gone (belief 213) */
#endif
};

struct vring {
    char name[VRING_NAME_BYTES];
    struct half half[2];        /* by UDMA_RING_* */
    uint64_t total[2];          /* bytes, by UDMA_RING_* (XFER-3) */
    struct udma_page_gate gate; /* grant is NULL: every page is granted */
    bool stochastic_rounding;   /* VRNG-1 */
};

/* Counts at one moment, to go back to. */
struct vring_mark {
    uint32_t used[2];
    uint64_t total[2];
};

/* Descriptors that lie side by side in one page. */
struct span {
    struct udma_desc *desc;
    uint32_t count;
};

/* Shared between the files of this layer; prefixed like all external names. */
#define half_add_page UDMA_NAME(hal_half_add_page)
#define half_truncate UDMA_NAME(hal_half_truncate)
#define half_put UDMA_NAME(hal_half_put)
#define vring_new UDMA_NAME(hal_vring_new)
#define vring_clone UDMA_NAME(hal_vring_clone)
#define vring_destroy UDMA_NAME(hal_vring_destroy)
#define vring_rollback UDMA_NAME(hal_vring_rollback)

/* One more page at the tail; false if it is refused, and nothing has changed (VRNG-4). */
bool half_add_page(struct half *h, const struct udma_page_gate *gate);

/* Keep the first `used` descriptors and give back the pages that hold none of them. */
void half_truncate(struct half *h, uint32_t used);

/* Append n descriptors, for which there are pages. */
void half_put(struct half *h, const struct udma_desc *desc, uint32_t n);

/* An empty vring, its name cut to what fits (VRNG-1); NULL if there is no memory. */
struct vring *vring_new(const char *name);

/* VRNG-7; NULL if memory or a page is refused. */
struct vring *vring_clone(const struct vring *v);

void vring_destroy(struct vring *v);

/* Back to a mark; what was appended since is dropped. */
void vring_rollback(struct vring *v, const struct vring_mark *mark);

static inline struct vring_mark vring_mark(const struct vring *v)
{
    const struct vring_mark mark = {
        {v->half[UDMA_RING_TX].used, v->half[UDMA_RING_RX].used},
        {v->total[UDMA_RING_TX], v->total[UDMA_RING_RX]},
    };

    return mark;
}

static inline struct half *vring_half(struct vring *v, uint32_t ring)
{
    return &v->half[ring == UDMA_RING_RX ? UDMA_RING_RX : UDMA_RING_TX];
}

/* The descriptor count that a half shows. */
static inline uint32_t half_count(const struct half *h)
{
#ifdef UDMA_MUTANTS
    return h->used + h->kept;
#else
    return h->used;
#endif
}

/* Free a half: head, tail and count become 0; may be repeated (VRNG-7). */
static inline void half_free(struct half *h)
{
#ifdef UDMA_MUTANTS
    if (UDMA_MUTANT(213))
        h->kept += h->used;
    else
        h->kept = 0;
#endif
    half_truncate(h, 0);
}

/* Of `most` descriptors, those that the half still takes (VRNG-4). */
static inline uint64_t half_room(const struct half *h, uint64_t most)
{
    const uint32_t count = half_count(h);
    const uint64_t room = count < VRING_CAP ? VRING_CAP - count : 0;

    return most < room ? most : room;
}

/* See to it that the next descriptor has a page; false if the page is refused. */
static inline bool half_grow(struct half *h, const struct udma_page_gate *gate)
{
    return h->used >> VRING_SLOT_BITS < h->pages || half_add_page(h, gate);
}

/* Where the next descriptors go, to the end of the page or at most `most`; after half_grow. */
static inline struct span half_tail(const struct half *h, uint64_t most)
{
    const uint32_t slot = h->used & VRING_SLOT_MASK;
    const uint32_t in_page = UDMA_VRING_PAGE_DESCS - slot;
    const struct span s = {
        &h->page[h->used >> VRING_SLOT_BITS]->desc[slot],
        most < in_page ? (uint32_t)most : in_page,
    };

    return s;
}

/* Descriptors from `index` on, to the end of its page or to `end`, which the
 * half has; index < end. */
static inline struct span half_span(const struct half *h, uint32_t index, uint32_t end)
{
    const uint32_t slot = index & VRING_SLOT_MASK;
    const uint32_t in_page = UDMA_VRING_PAGE_DESCS - slot;
    const struct span s = {
        &h->page[index >> VRING_SLOT_BITS]->desc[slot],
        end - index < in_page ? end - index : in_page,
    };

    return s;
}

/* One descriptor, which the half has (VRNG-3). */
static inline struct udma_desc *half_at(const struct half *h, uint32_t index)
{
    const uint32_t mask = UDMA_MUTANT(204) ? 0x7fffu : VRING_SLOT_MASK;

    return &h->page[index >> VRING_SLOT_BITS]->desc[index & mask];
}

/* Only SUNDA has no strong-ordered write (BARR-4, XFER-2, EDIT-1). */
static inline bool arch_has_sow(uint32_t arch)
{
    return arch != UDMA_ARCH_SUNDA;
}

#endif
