/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Resolved rings of one template, kept under the whole list of addresses they
 * were resolved with (TMPL-3).
 */
#include "vring.h"

struct entry {
    struct entry *next;
    struct vring *ring;
    uint64_t *addresses;
    uint32_t n;
    uint64_t live; /* holdings not yet released */
};

struct cache {
    struct vring *template;
    struct entry *kept;  /* the one acquired last is first */
    struct entry *loose; /* handed out unkept; gone with their last holding */
    uint32_t capacity;
    uint64_t hits;
    uint64_t misses;
    uint64_t evictions;
    uint64_t entries; /* of `kept` */
};

static void push(struct entry **list, struct entry *e)
{
    e->next = *list;
    *list = e;
}

static struct entry *pull(struct entry **link)
{
    struct entry *e = *link;

    *link = e->next;
    return e;
}

static void entry_destroy(struct entry *e)
{
    vring_destroy(e->ring);
    free(e->addresses);
    free(e);
}

static bool same_addresses(const struct entry *e, const uint64_t *addresses, uint32_t n)
{
    if (UDMA_MUTANT(269) && n != 0 && e->n != 0)
        return e->addresses[0] == addresses[0];
    return e->n == n && (n == 0 || memcmp(e->addresses, addresses, n * sizeof *addresses) == 0);
}

int32_t UDMA_NAME(cache_open)(void *vring, uint32_t capacity, void **cache, int32_t *ret)
{
    struct cache *c = calloc(1, sizeof *c);

    *cache = NULL;
    *ret = RET_ENOMEM;
    if (c == NULL)
        return 0;
    c->template = vring_clone(vring);
    if (c->template == NULL) {
        free(c);
        return 0;
    }
    c->capacity = capacity;
    *cache = c;
    *ret = RET_OK;
    return 0;
}

static struct entry *entry_new(const struct cache *c, const uint64_t *addresses, uint32_t n,
                               struct udma_resolved *out)
{
    struct entry *e = calloc(1, sizeof *e);

    out->ret = RET_ENOMEM;
    if (e == NULL)
        return NULL;
    e->ring = vring_clone(c->template);
    if (e->ring == NULL) {
        free(e);
        return NULL;
    }
    UDMA_NAME(vring_resolve)(e->ring, addresses, n, out);
    if (out->ret == RET_OK && n != 0) {
        e->n = n;
        e->addresses = malloc(n * sizeof *addresses);
        if (e->addresses != NULL)
            memcpy(e->addresses, addresses, n * sizeof *addresses);
        else
            out->ret = RET_ENOMEM;
    }
    if (out->ret != RET_OK) {
        entry_destroy(e);
        return NULL;
    }
    return e;
}

/* Make room by giving up the least recently acquired entry that nobody holds, if there is one. */
static void evict(struct cache *c)
{
    struct entry **victim = NULL;
    struct entry *e;

    for (struct entry **link = &c->kept; *link != NULL; link = &(*link)->next) {
        if ((*link)->live == 0 || UDMA_MUTANT(270))
            victim = link;
    }
    if (victim == NULL)
        return;
    e = pull(victim);
    c->entries--;
    c->evictions++;
    if (e->live == 0)
        entry_destroy(e);
    else
        push(&c->loose, e);
}

static struct entry *acquire(struct cache *c, const uint64_t *addresses, uint32_t n,
                             struct udma_resolved *out)
{
    struct entry *e;

    for (struct entry **link = &c->kept; *link != NULL; link = &(*link)->next) {
        if (!same_addresses(*link, addresses, n))
            continue;
        c->hits++;
        e = *link;
        if (!UDMA_MUTANT(271))
            push(&c->kept, pull(link));
        return e;
    }

    c->misses++;
    e = entry_new(c, addresses, n, out);
    if (e == NULL)
        return NULL;
    if (c->entries >= c->capacity)
        evict(c);
    if (c->entries < c->capacity) {
        push(&c->kept, e);
        c->entries++;
    } else {
        push(&c->loose, e);
    }
    return e;
}

int32_t UDMA_NAME(cache_acquire)(void *cache, const uint64_t *addresses, uint32_t n, void **ring,
                                 struct udma_resolved *out)
{
    struct entry *e;

    *ring = NULL;
    out->variable = 0;
    out->ret = RET_OK;
    e = acquire(cache, addresses, n, out);
    out->count = 0;
    if (e != NULL) {
        e->live++;
        *ring = e->ring;
    }
    return 0;
}

static struct entry **find_ring(struct entry **list, const void *ring)
{
    struct entry **link = list;

    while (*link != NULL && (*link)->ring != ring)
        link = &(*link)->next;
    return link;
}

int32_t UDMA_NAME(cache_release)(void *cache, void *ring)
{
    struct cache *c = cache;
    struct entry **link = find_ring(&c->kept, ring);

    if (*link != NULL) {
        if ((*link)->live > 0)
            (*link)->live--;
        return 0;
    }
    link = find_ring(&c->loose, ring);
    if (*link != NULL && --(*link)->live == 0)
        entry_destroy(pull(link));
    return 0;
}

int32_t UDMA_NAME(cache_stats)(void *cache, struct udma_cache_stats *out)
{
    const struct cache *c = cache;

    out->hits = c->hits;
    out->misses = c->misses;
    out->evictions = c->evictions;
    out->entries = c->entries;
    out->live = 0;
    for (const struct entry *e = c->kept; e != NULL; e = e->next)
        out->live += e->live;
    return 0;
}

int32_t UDMA_NAME(cache_close)(void *cache)
{
    struct cache *c = cache;

    if (c == NULL)
        return 0;
    while (c->kept != NULL)
        entry_destroy(pull(&c->kept));
    while (c->loose != NULL)
        entry_destroy(pull(&c->loose));
    vring_destroy(c->template);
    free(c);
    return 0;
}
