/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Templates: symbolic pointers, and how addresses take their place (TMPL-1, TMPL-2).
 */
#include "bits.h"
#include "vring.h"

#define SYMBOLIC_BIT (UDMA_MUTANT(260) ? 63 : 61) /* TMPL-1 */
#define SYMBOL_VARIABLE_SHIFT 36
#define SYMBOL_VARIABLE_BITS (UDMA_MUTANT(263) ? 16 : 19)
#define SYMBOL_OFFSET_BITS (UDMA_MUTANT(262) ? 32 : 36)

static inline uint64_t low_bits(uint64_t value, int bits)
{
    return value & (((uint64_t)1 << bits) - 1);
}

static inline bool is_symbolic(uint64_t pointer)
{
    if (UDMA_MUTANT(261) && pointer >> 62 != 0)
        return false;
    return (pointer >> SYMBOLIC_BIT & 1) != 0; /* whatever the bits beside it */
}

static inline uint32_t symbol_variable(uint64_t pointer)
{
    return (uint32_t)low_bits(pointer >> SYMBOL_VARIABLE_SHIFT, SYMBOL_VARIABLE_BITS);
}

struct variables {
    const uint64_t *address;
    uint32_t n;
};

/* The limit is looked at before the address. */
static int32_t variable_check(uint32_t variable, uint32_t max_var_id, const struct variables *known)
{
    if (variable > max_var_id || (UDMA_MUTANT(266) && variable == max_var_id))
        return UDMA_VRING_VARIABLE_ABOVE;
    if (variable >= known->n && !UDMA_MUTANT(267))
        return UDMA_VRING_VARIABLE_MISSING;
    return RET_OK;
}

static uint64_t symbol_address(uint64_t pointer, const struct variables *known)
{
    const uint32_t variable = symbol_variable(pointer);
    const uint64_t address = variable < known->n ? known->address[variable] : 0;

    return address + low_bits(pointer, SYMBOL_OFFSET_BITS);
}

/* Go through the symbolic pointers of a half in order, up to one at fault;
 * write addresses over them if `write`. META descriptors of TX hold none. */
static int32_t resolve_half(const struct half *h, bool is_tx, const struct variables *known,
                            bool write, struct udma_resolved *out)
{
    for (uint32_t i = 0; i < h->used;) {
        const struct span s = half_span(h, i, h->used);

        for (uint32_t k = 0; k < s.count; k++) {
            struct udma_desc *d = &s.desc[k];
            const uint64_t pointer = desc_pointer(d);
            int32_t ret;

            if (!is_symbolic(pointer) || (is_tx && w0_has(le32(d->word[0]), W0_META)))
                continue;
            ret = variable_check(symbol_variable(pointer), h->max_var_id, known);
            if (ret != RET_OK) {
                out->variable = symbol_variable(pointer);
                return ret;
            }
            out->count++;
            if (write)
                desc_set_pointer(d, symbol_address(pointer, known));
        }
        i += s.count;
    }
    return RET_OK;
}

static int32_t resolve_both(const struct vring *v, const struct variables *known, bool write,
                            struct udma_resolved *out)
{
    int32_t ret;

    out->count = 0;
    ret = resolve_half(&v->half[UDMA_RING_TX], true, known, write, out);
    if (ret == RET_OK)
        ret = resolve_half(&v->half[UDMA_RING_RX], false, known, write, out);
    if (ret != RET_OK)
        out->count = 0;
    return ret;
}

/* Every pointer is looked at before the first is written: nothing is ever
 * half-resolved (TMPL-2). */
int32_t UDMA_NAME(vring_resolve)(void *vring, const uint64_t *addresses, uint32_t n,
                                 struct udma_resolved *out)
{
    struct vring *v = vring;
    const struct variables known = {addresses, n};

    out->variable = 0;
    out->ret = resolve_both(v, &known, UDMA_MUTANT(265), out);
    if (out->ret != RET_OK)
        return 0;
    if (out->count != 0 && !UDMA_MUTANT(265))
        (void)resolve_both(v, &known, true, out);
    v->half[UDMA_RING_TX].is_template = false;
    v->half[UDMA_RING_RX].is_template = false;
    return 0;
}

int32_t UDMA_NAME(vring_template)(void *vring, uint32_t max_var_id)
{
    struct vring *v = vring;

    for (uint32_t ring = UDMA_RING_TX; ring <= UDMA_RING_RX; ring++) {
        v->half[ring].is_template = true;
        v->half[ring].max_var_id = max_var_id;
    }
    return 0;
}
