/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Builders of op-class words, and which operations may have given a word.
 */
#include "opword.h"

/* Bits that the operands of each word can fill. */
#define DTYPE_AT(shift) (OPW_DTYPE_MASK << (shift))
#define FLAG_AT(shift) ((uint32_t)1 << (shift))
#define SHAPE_BITS (OPW_SHAPE_MASK << OPW_SHAPE_SHIFT | FLAG_AT(OPW_SHAPE_FLAG_SHIFT))

#define SPLIT_BITS (OPW_SPLIT_COUNT_MASK | SHAPE_BITS | DTYPE_AT(OPW_TOP_DTYPE_SHIFT))
#define TRANSPOSE_BITS (OPW_ELEM_BYTES_MASK | SHAPE_BITS | DTYPE_AT(OPW_TOP_DTYPE_SHIFT))
#define ADD_BITS                                                                                   \
    (OPW_SUB_MASK | FLAG_AT(OPW_FLAG_SHIFT) | FLAG_AT(OPW_BARRIER_SHIFT) |                         \
     FLAG_AT(ADD_LAST_SHIFT) | DTYPE_AT(OPW_MID_DTYPE_SHIFT) | DTYPE_AT(OPW_TOP_DTYPE_SHIFT))
#define MIN_MAX_BITS                                                                               \
    (OPW_SUB_MASK | FLAG_AT(MIN_MAX_LAST_SHIFT) | FLAG_AT(OPW_BARRIER_SHIFT) |                     \
     FLAG_AT(MIN_MAX_NOTIFICATION_SHIFT) | DTYPE_AT(OPW_IN_DTYPE_SHIFT) |                          \
     DTYPE_AT(OPW_TOP_DTYPE_SHIFT))
#define MIN_MAX_CONST_BITS                                                                         \
    (MIN_MAX_BITS | DTYPE_AT(OPW_MID_DTYPE_SHIFT) |                                                \
     MIN_MAX_CONST_DTYPE_MASK << MIN_MAX_CONST_DTYPE_SHIFT)
#define SCALED_BITS                                                                                \
    (OPW_SUB_MASK | FLAG_AT(OPW_FLAG_SHIFT) | FLAG_AT(OPW_BARRIER_SHIFT) |                         \
     FLAG_AT(OPW_LAST_SHIFT) | DTYPE_AT(OPW_IN_DTYPE_SHIFT) | DTYPE_AT(OPW_MID_DTYPE_SHIFT) |      \
     DTYPE_AT(OPW_TOP_DTYPE_SHIFT))
#define EXT_BITS (OPW_SUB_MASK | DTYPE_AT(OPW_MID_DTYPE_SHIFT) | DTYPE_AT(OPW_TOP_DTYPE_SHIFT))

#define OPW_WITH_CONST (OPW_ADD_MIN_MAX | FLAG_AT(MIN_MAX_USE_CONST_SHIFT)) /* OPC-2 */

/* Whether `base` with some operands gives the word. */
static bool gives(uint32_t word, uint32_t base, uint32_t operands)
{
    return (word & ~operands) == base;
}

/* The flag beside the shape index is a function of it (OPC-1, TRN-2). */
static bool gives_shaped(uint32_t word, uint32_t base, uint32_t operands)
{
    return gives(word, base, operands) && (word & SHAPE_BITS) == opw_shape(word >> OPW_SHAPE_SHIFT);
}

/* What bits 22:20 alone say of a word with bit 25. */
static uint32_t set_by_class(uint32_t word)
{
    switch (word >> META_OP_TYPE_SHIFT & META_OP_MASK) {
    case 0:
        return UDMA_OP_MIN_MAX;
    case 1:
        return UDMA_OP_FMA;
    case 4:
        return UDMA_OP_CCE_EXT;
    case 5:
        return UDMA_OP_GRADIENT;
    default:
        return 0;
    }
}

static uint32_t op_set(uint32_t full)
{
    /* A write barrier may stand on top of any word (OPC-3). */
    const uint32_t bare = full & ~META_WRITE_BARRIER;
    const uint32_t word = UDMA_MUTANT(304) ? full : bare;

    if ((bare & ~META_NOTIFICATION) == META_PLAIN_COPY)
        return UDMA_OP_PLAIN_COPY; /* META-1, META-3 */

    /* Bit 5 comes first: beside it bits 22:20 are the constant's dtype (OPC-2). */
    if (gives(word, OPW_WITH_CONST, MIN_MAX_CONST_BITS))
        return UDMA_MUTANT(302) ? set_by_class(word) : UDMA_OP_MIN_MAX;

    /* Without a constant the two cannot be told apart (OPC-2). */
    if (gives(word, OPW_ADD_MIN_MAX, ADD_BITS) || gives(word, OPW_ADD_MIN_MAX, MIN_MAX_BITS))
        return UDMA_MUTANT(303) ? UDMA_OP_ADD : UDMA_OP_ADD | UDMA_OP_MIN_MAX;

    if (gives_shaped(word, OPW_SPLIT, SPLIT_BITS))
        return UDMA_OP_STRIDING_SPLIT;
    if (gives_shaped(word, OPW_TRANSPOSE, TRANSPOSE_BITS))
        return UDMA_OP_TRANSPOSE;
    if (gives(word, OPW_REPLICATION, OPW_REPLICATION_MASK))
        return UDMA_OP_REPLICATION;
    if (gives(word, OPW_FMA, SCALED_BITS))
        return UDMA_OP_FMA;
    if (gives(word, OPW_CCE_EXT, EXT_BITS))
        return UDMA_OP_CCE_EXT;
    if (gives(word, OPW_GRADIENT, SCALED_BITS))
        return UDMA_OP_GRADIENT;
    return 0;
}

int32_t UDMA_NAME(op_split)(const struct udma_op_split *in, uint32_t *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        out[i] = opw_split(&in[i]);
    return 0;
}

int32_t UDMA_NAME(op_transpose)(const struct udma_op_transpose *in, uint32_t *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        out[i] = opw_transpose(in[i].elem_bytes, in[i].shape, in[i].dtype);
    return 0;
}

int32_t UDMA_NAME(op_replication)(const struct udma_op_replication *in, uint32_t *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        out[i] = opw_replication(&in[i]);
    return 0;
}

int32_t UDMA_NAME(op_add)(const struct udma_op_add *in, uint32_t *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        out[i] = opw_add(&in[i]);
    return 0;
}

int32_t UDMA_NAME(op_min_max)(const struct udma_op_min_max *in, uint32_t *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        out[i] = opw_min_max(&in[i]);
    return 0;
}

int32_t UDMA_NAME(op_fma)(const struct udma_op_fma *in, uint32_t *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        out[i] = opw_fma(&in[i]);
    return 0;
}

int32_t UDMA_NAME(op_cce_ext)(const struct udma_op_cce_ext *in, uint32_t *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        out[i] = opw_cce_ext(&in[i]);
    return 0;
}

int32_t UDMA_NAME(op_gradient)(const struct udma_op_fma *in, uint32_t *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        out[i] = opw_gradient(&in[i]);
    return 0;
}

int32_t UDMA_NAME(op_decode)(const uint32_t *in, uint32_t *sets, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        sets[i] = op_set(in[i]);
    return 0;
}
