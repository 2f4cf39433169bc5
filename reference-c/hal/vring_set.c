/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Sets of vrings that share a name and a flag (VRNG-6).
 */
#include "vring.h"

#include <stdio.h>

#define SET_VRINGS (UDMA_MUTANT(208) ? 17u : UDMA_VRING_SET_VRINGS)
#define SET_SEPARATOR (UDMA_MUTANT(209) ? '-' : '_')
#define SET_SUFFIX_BYTES 12u /* a separator and any index */

struct member {
    struct member *before;
    struct vring *vring;
};

struct set {
    char name[VRING_NAME_BYTES]; /* what lies beyond is cut from every vring's name too */
    struct member *last;
    uint32_t count;
    bool stochastic_rounding;
};

int32_t UDMA_NAME(set_open)(const char *name, uint32_t stochastic_rounding, void **set)
{
    struct set *s = calloc(1, sizeof *s);

    *set = s;
    if (s == NULL)
        return 0;
    for (uint32_t i = 0; i < VRING_NAME_BYTES - 1 && name[i] != '\0'; i++)
        s->name[i] = name[i];
    s->stochastic_rounding = stochastic_rounding != 0;
    return 0;
}

static struct vring *add(struct set *s)
{
    char name[VRING_NAME_BYTES + SET_SUFFIX_BYTES];
    struct member *m = malloc(sizeof *m);

    if (m == NULL)
        return NULL;
    (void)snprintf(name, sizeof name, "%s%c%u", s->name, SET_SEPARATOR, (unsigned)s->count);
    m->vring = vring_new(name);
    if (m->vring == NULL) {
        free(m);
        return NULL;
    }
    m->vring->stochastic_rounding = s->stochastic_rounding && !UDMA_MUTANT(210);
    m->before = s->last;
    s->last = m;
    s->count++;
    return m->vring;
}

int32_t UDMA_NAME(set_add)(void *set, void **vring, int32_t *ret)
{
    struct set *s = set;
    struct vring *v;

    if (s->count >= SET_VRINGS) {
        *ret = RET_EINVAL;
        return 0;
    }
    v = add(s);
    *ret = v != NULL ? RET_OK : RET_ENOMEM;
    if (v != NULL)
        *vring = v;
    return 0;
}

int32_t UDMA_NAME(set_close)(void *set)
{
    struct set *s = set;

    if (s == NULL)
        return 0;
    while (s->last != NULL) {
        struct member *m = s->last;

        s->last = m->before;
        vring_destroy(m->vring);
        free(m);
    }
    free(s);
    return 0;
}
