/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * META descriptors one by one, and which operations may have given one.
 */
#include "cce.h"
#include "dtype.h"
#include "opword.h"

#define X_BITS (FRONT_X_MASK << FRONT_X_SHIFT)
#define MODE_BITS (FRONT_X_MASK << REPLICATION_MODE_SHIFT)
#define FMA_WORD1_BITS (FMA_SUB_MASK | (uint32_t)1 << FMA_MORE_SHIFT | X_BITS)
#define FMA_WORD2_BITS                                                                             \
    (FMA_LENGTH_MASK | FMA_SELECTOR_MASK << FMA_A_SHIFT | FMA_SELECTOR_MASK << FMA_B_SHIFT |       \
     FMA_SELECTOR_MASK << FMA_C_SHIFT)
#define CONST_BITS (MIN_MAX_CONST_MASK << MIN_MAX_CONST_SHIFT)

/* word0 of what stands in front (CCE-1) and of a transpose (TRN-2): bits that may be set. */
#define FRONT_WORD0_BITS (FRONT_INDEX_MASK << FRONT_INDEX_SHIFT | FRONT_WRITE_BARRIER | W0_META)
#define TRANSPOSE_WORD0_BITS (~W0_RESERVED_MASK)

/* With a constant word1 and word3 tell of it; without one they are 0 (CCE-4). */
static bool is_min_max(uint32_t w1, uint32_t w2, uint32_t w3)
{
    if ((w2 & ~FRONT_LENGTH_MASK) != MIN_MAX_TAG)
        return false;
    return (w1 == 0 && w3 == 0) || (w1 & ~CONST_BITS) == MIN_MAX_CONST_WORD;
}

static uint32_t front_set(uint32_t w1, uint32_t w2, uint32_t w3)
{
    uint32_t set = 0;

    if ((w1 & ~FMA_WORD1_BITS) == FMA_WORD && (w2 & ~FMA_WORD2_BITS) == 0)
        set |= UDMA_DESC_FMA;
    if (is_min_max(w1, w2, w3))
        set |= UDMA_DESC_MIN_MAX;
    if (w1 == 0 || w1 == SEED_WORD)
        set |= UDMA_DESC_SEED_INIT;
    if ((w1 & ~MODE_BITS) == REPLICATION_WORD)
        set |= UDMA_DESC_REPLICATION;
    if ((w1 & ~X_BITS) == GRADIENT_WORD)
        set |= UDMA_DESC_GRADIENT;
    return set;
}

/* A transpose's word1 follows from its dtype and shape: the element's bytes are
 * those of the size table, and no other dtype is built (TRN-1, TRN-2). */
static bool is_transpose(uint32_t w1)
{
    const uint32_t dtype = w1 >> OPW_TOP_DTYPE_SHIFT & OPW_DTYPE_MASK;

    return dtype_valid(dtype) &&
           w1 == opw_transpose(dtype_bytes(dtype), w1 >> OPW_SHAPE_SHIFT, dtype);
}

static uint32_t desc_set(const struct udma_desc *d)
{
    const uint32_t w0 = le32(d->word[0]);
    const uint32_t word1 = le32(d->word[1]);
    const uint32_t w1 = UDMA_MUTANT(305) ? word1 & ~META_WRITE_BARRIER : word1;
    uint32_t set = 0;

    if (!w0_has(w0, W0_META))
        return 0;
    if ((w0 & ~FRONT_WORD0_BITS) == 0)
        set |= front_set(w1, le32(d->word[2]), le32(d->word[3]));
    if ((w0 & ~TRANSPOSE_WORD0_BITS) == 0 && is_transpose(w1))
        set |= UDMA_DESC_TRANSPOSE;
    return set;
}

int32_t UDMA_NAME(desc_fma)(const struct udma_desc_fma *in, struct udma_desc *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        desc_publish(&out[i], front_fma(&in[i]));
    return 0;
}

int32_t UDMA_NAME(desc_min_max)(const struct udma_desc_min_max *in, struct udma_desc *out,
                                uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        desc_publish(&out[i], front_min_max(&in[i]));
    return 0;
}

int32_t UDMA_NAME(desc_seed_init)(const struct udma_desc_payload *in, struct udma_desc *out,
                                  uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        desc_publish(&out[i], front_seed_init(&in[i]));
    return 0;
}

int32_t UDMA_NAME(desc_replication)(const struct udma_desc_payload *in, struct udma_desc *out,
                                    uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        desc_publish(&out[i], front_replication(&in[i], 0));
    return 0;
}

int32_t UDMA_NAME(desc_gradient)(const struct udma_desc_payload *in, struct udma_desc *out,
                                 uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        desc_publish(&out[i], front_gradient(&in[i]));
    return 0;
}

int32_t UDMA_NAME(desc_decode)(const struct udma_desc *in, uint32_t *sets, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        sets[i] = desc_set(&in[i]);
    return 0;
}
