/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The documented layouts of this layer, checked and told (VRNG-1 to VRNG-3,
 * VRNG-6, PRNG-1).
 */
#include "vring.h"

/* Whole structures: what they are called, type, bytes. */
#define LAYOUT_WHOLES(X)                                                                           \
    X("vring", struct udma_vring_image, 344)     /* VRNG-1 */                                      \
    X("half", struct udma_vring_half, 32)        /* VRNG-2 */                                      \
    X("page", struct udma_vring_page, 0x100010)  /* VRNG-3 */                                      \
    X("pring", struct udma_pring, 32)            /* PRNG-1 */

/* Members: structure, type, member, offset. */
#define LAYOUT_MEMBERS(X)                                                                          \
    X("vring", struct udma_vring_image, name, 0x000)                                               \
    X("vring", struct udma_vring_image, tx, 0x100)                                                 \
    X("vring", struct udma_vring_image, rx, 0x120)                                                 \
    X("vring", struct udma_vring_image, total_tx_size, 0x140)                                      \
    X("vring", struct udma_vring_image, total_rx_size, 0x148)                                      \
    X("vring", struct udma_vring_image, stochastic_rounding, 0x150)                                \
    X("vring", struct udma_vring_image, unused, 0x151)                                             \
    X("half", struct udma_vring_half, used_desc_count, 0x00)                                       \
    X("half", struct udma_vring_half, unused, 0x04)                                                \
    X("half", struct udma_vring_half, head, 0x08)                                                  \
    X("half", struct udma_vring_half, tail, 0x10)                                                  \
    X("half", struct udma_vring_half, is_template, 0x18)                                           \
    X("half", struct udma_vring_half, unused2, 0x19)                                               \
    X("half", struct udma_vring_half, max_var_id, 0x1c)                                            \
    X("page", struct udma_vring_page, desc, 0x000000)                                              \
    X("page", struct udma_vring_page, next, 0x100000)                                              \
    X("page", struct udma_vring_page, prev, 0x100008)                                              \
    X("pring", struct udma_pring, type, 0x00)                                                      \
    X("pring", struct udma_pring, unused, 0x04)                                                    \
    X("pring", struct udma_pring, memory, 0x08)                                                    \
    X("pring", struct udma_pring, offset, 0x10)                                                    \
    X("pring", struct udma_pring, used, 0x18)                                                      \
    X("pring", struct udma_pring, allocated, 0x1c)

#define SET_BYTES 5520u      /* VRNG-6 */
#define SET_OWN_BYTES 16u    /* of these, not of its vrings */
#define SET_NAME "set"

#define CHECK_WHOLE(name, type, bytes) _Static_assert(sizeof(type) == (bytes), name);
#define CHECK_MEMBER(name, type, member, at) _Static_assert(offsetof(type, member) == (at), name);
LAYOUT_WHOLES(CHECK_WHOLE)
LAYOUT_MEMBERS(CHECK_MEMBER)
_Static_assert(UDMA_VRING_SET_VRINGS * sizeof(struct udma_vring_image) + SET_OWN_BYTES == SET_BYTES,
               "a set is its vrings and little more");

struct row {
    const char *name;
    const char *field; /* "": the whole */
    uint64_t offset;
    uint64_t size;
    uint64_t align; /* of a whole, else 0 */
};

#define ROW_WHOLE(name, type, bytes) {name, "", 0, bytes, _Alignof(type)},
#define ROW_MEMBER(name, type, member, at) {name, #member, at, sizeof(((type *)0)->member), 0},

static const struct row rows[] = {
    LAYOUT_WHOLES(ROW_WHOLE)
    LAYOUT_MEMBERS(ROW_MEMBER)
    {SET_NAME, "", 0, SET_BYTES, _Alignof(struct udma_vring_image)},
};

static const struct row *find(const char *name, const char *field)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, name) == 0 && strcmp(rows[i].field, field) == 0)
            return &rows[i];
    }
    return NULL;
}

#ifdef UDMA_MUTANTS
/* The member of which `row` takes the place under the belief being tried. */
static const struct row *believed(const struct row *row)
{
    static const struct {
        uint32_t number;
        const char *name, *one, *other;
    } swaps[] = {
        {201, "vring", "total_tx_size", "total_rx_size"},
        {202, "half", "is_template", "max_var_id"},
        {203, "page", "next", "prev"},
        {290, "pring", "used", "allocated"},
    };

    for (size_t i = 0; i < sizeof swaps / sizeof swaps[0]; i++) {
        if (!UDMA_MUTANT(swaps[i].number) || strcmp(row->name, swaps[i].name) != 0)
            continue;
        if (strcmp(row->field, swaps[i].one) == 0)
            return find(row->name, swaps[i].other);
        if (strcmp(row->field, swaps[i].other) == 0)
            return find(row->name, swaps[i].one);
    }
    return row;
}
#else
#define believed(row) (row)
#endif

int32_t UDMA_NAME(vring_layout)(const char *name, const char *field, struct udma_place *out)
{
    const struct row *row = find(name, field);

    if (row == NULL)
        return UDMA_NOT_OFFERED;
    out->offset = believed(row)->offset;
    out->size = row->size;
    out->count = 0;
    out->stride = row->align;
    return 0;
}
