/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Op-class words: what stands in a TX descriptor's word1 in place of a plain
 * copy's meta_ctrl. A word is its base and its interior, nothing else (OPC-1),
 * and the same on every architecture (OPC-4).
 */
#ifndef UDMA_HAL_OPWORD_H
#define UDMA_HAL_OPWORD_H

#include "bits.h"
#include "meta.h"

/* Bases (OPC-1). Add and min/max have one in common (OPC-2). */
#define OPW_SPLIT 0x00800000u
#define OPW_TRANSPOSE 0x00900000u
#define OPW_REPLICATION 0x00a00000u
#define OPW_ADD_MIN_MAX 0x02000000u
#define OPW_FMA 0x02100000u
#define OPW_CCE_EXT 0x02400000u
#define OPW_GRADIENT 0x02500000u

/* Fields that several words have in common (OPC-1, CCE-3 to CCE-6). */
#define OPW_SUB_MASK 7u
#define OPW_FLAG_SHIFT 4
#define OPW_BARRIER_SHIFT 6
#define OPW_LAST_SHIFT 7
#define OPW_IN_DTYPE_SHIFT 8
#define OPW_MID_DTYPE_SHIFT 12 /* output, scale or source */
#define OPW_TOP_DTYPE_SHIFT 16 /* accumulator or destination */
#define OPW_DTYPE_MASK 15u

/* Striding split, transpose, replication (OPC-1, TRN-2). */
#define OPW_SPLIT_COUNT_MASK 7u
#define OPW_ELEM_BYTES_MASK (UDMA_MUTANT(339) ? 7u : 31u)
#define OPW_SHAPE_FLAG_SHIFT 5
#define OPW_SHAPE_FLAG_ABOVE (UDMA_MUTANT(310) ? 0u : 1u) /* shape indices above it set the flag */
#define OPW_SHAPE_SHIFT 8
#define OPW_SHAPE_MASK 0xffu
#define OPW_REPLICATION_MASK (UDMA_MUTANT(312) ? 0xffu : 0xffffu)

/* Add (CCE-5). */
#define ADD_LAST_SHIFT (UDMA_MUTANT(321) ? 4 : OPW_LAST_SHIFT)

/* Min and max (CCE-4, ERR-11). */
#define MIN_MAX_LAST_SHIFT (UDMA_MUTANT(318) ? 5 : 4)
#define MIN_MAX_USE_CONST_SHIFT (UDMA_MUTANT(318) ? 4 : 5)
#define MIN_MAX_NOTIFICATION_SHIFT 7
#define MIN_MAX_CONST_DTYPE_SHIFT 20
#define MIN_MAX_CONST_DTYPE_MASK (UDMA_MUTANT(399) ? 15u : 7u)

/* FMA (CCE-3), gradient (CCE-6), cce_ext (OPC-1). */
#define FMA_SCALE_DTYPE_SHIFT (UDMA_MUTANT(317) ? OPW_TOP_DTYPE_SHIFT : OPW_MID_DTYPE_SHIFT)
#define FMA_ACCUM_DTYPE_SHIFT (UDMA_MUTANT(317) ? OPW_MID_DTYPE_SHIFT : OPW_TOP_DTYPE_SHIFT)
#define GRADIENT_IN_DTYPE_SHIFT (UDMA_MUTANT(322) ? OPW_MID_DTYPE_SHIFT : OPW_IN_DTYPE_SHIFT)
#define GRADIENT_SCALE_DTYPE_SHIFT (UDMA_MUTANT(322) ? OPW_IN_DTYPE_SHIFT : OPW_MID_DTYPE_SHIFT)
#define EXT_SRC_DTYPE_SHIFT (UDMA_MUTANT(311) ? OPW_TOP_DTYPE_SHIFT : OPW_MID_DTYPE_SHIFT)
#define EXT_DST_DTYPE_SHIFT (UDMA_MUTANT(311) ? OPW_MID_DTYPE_SHIFT : OPW_TOP_DTYPE_SHIFT)

static inline uint32_t opw_flag(uint32_t value, int shift)
{
    return (value & 1u) << shift;
}

static inline uint32_t opw_dtype(uint32_t dtype, int shift)
{
    return (dtype & OPW_DTYPE_MASK) << shift;
}

/* OPC-1: not built upon a plain copy's word. */
static inline uint32_t opw_make(uint32_t base, uint32_t interior)
{
    return base | interior | (UDMA_MUTANT(301) ? META_PLAIN_COPY : 0u);
}

/* A shape index, cut to its field, and the flag that goes with it (OPC-1, TRN-2). */
static inline uint32_t opw_shape(uint32_t shape)
{
    const uint32_t index = shape & OPW_SHAPE_MASK;

    return index << OPW_SHAPE_SHIFT | opw_flag(index > OPW_SHAPE_FLAG_ABOVE, OPW_SHAPE_FLAG_SHIFT);
}

static inline uint32_t opw_split(const struct udma_op_split *in)
{
    return opw_make(OPW_SPLIT, (in->split & OPW_SPLIT_COUNT_MASK) | opw_shape(in->shape) |
                                   opw_dtype(in->dtype, OPW_TOP_DTYPE_SHIFT) |
                                   bit_if(UDMA_MUTANT(306) && in->arch == UDMA_ARCH_MARIANA,
                                          (uint32_t)1 << 27));
}

static inline uint32_t opw_transpose(uint32_t elem_bytes, uint32_t shape, uint32_t dtype)
{
    return opw_make(OPW_TRANSPOSE, (elem_bytes & OPW_ELEM_BYTES_MASK) | opw_shape(shape) |
                                       opw_dtype(dtype, OPW_TOP_DTYPE_SHIFT));
}

static inline uint32_t opw_replication(const struct udma_op_replication *in)
{
    return opw_make(OPW_REPLICATION, in->count & OPW_REPLICATION_MASK);
}

/* CCE-5 */
static inline uint32_t opw_add(const struct udma_op_add *in)
{
    return opw_make(OPW_ADD_MIN_MAX, (in->sub & OPW_SUB_MASK) |
                                         opw_flag(in->flag, OPW_FLAG_SHIFT) |
                                         opw_flag(in->write_barrier, OPW_BARRIER_SHIFT) |
                                         opw_flag(in->last, ADD_LAST_SHIFT) |
                                         opw_dtype(in->out_dtype, OPW_MID_DTYPE_SHIFT) |
                                         opw_dtype(in->accum_dtype, OPW_TOP_DTYPE_SHIFT));
}

/* CCE-4: without a constant neither its dtype nor the output's is written. */
static inline uint32_t opw_min_max(const struct udma_op_min_max *in)
{
    uint32_t interior = (in->sub & OPW_SUB_MASK) | opw_flag(in->last, MIN_MAX_LAST_SHIFT) |
                        opw_flag(in->use_const, MIN_MAX_USE_CONST_SHIFT) |
                        opw_flag(in->write_barrier, OPW_BARRIER_SHIFT) |
                        opw_flag(in->notification, MIN_MAX_NOTIFICATION_SHIFT) |
                        opw_dtype(in->in_dtype, OPW_IN_DTYPE_SHIFT) |
                        opw_dtype(in->accum_dtype, OPW_TOP_DTYPE_SHIFT);

    if ((in->use_const & 1u) != 0 || UDMA_MUTANT(319))
        interior |= opw_dtype(in->out_dtype, OPW_MID_DTYPE_SHIFT) |
                    (in->const_dtype & MIN_MAX_CONST_DTYPE_MASK) << MIN_MAX_CONST_DTYPE_SHIFT;
    return opw_make(OPW_ADD_MIN_MAX, interior);
}

/* Sub-op and flags of FMA and gradient (CCE-3, CCE-6). */
static inline uint32_t opw_scaled_flags(const struct udma_op_fma *in)
{
    return (in->sub & OPW_SUB_MASK) | opw_flag(in->flag, OPW_FLAG_SHIFT) |
           opw_flag(in->write_barrier, OPW_BARRIER_SHIFT) | opw_flag(in->last, OPW_LAST_SHIFT);
}

/* CCE-3 */
static inline uint32_t opw_fma(const struct udma_op_fma *in)
{
    return opw_make(OPW_FMA, opw_scaled_flags(in) | opw_dtype(in->in_dtype, OPW_IN_DTYPE_SHIFT) |
                                 opw_dtype(in->scale_dtype, FMA_SCALE_DTYPE_SHIFT) |
                                 opw_dtype(in->accum_dtype, FMA_ACCUM_DTYPE_SHIFT));
}

static inline uint32_t opw_cce_ext(const struct udma_op_cce_ext *in)
{
    return opw_make(OPW_CCE_EXT, (in->sub & OPW_SUB_MASK) |
                                     opw_dtype(in->src_dtype, EXT_SRC_DTYPE_SHIFT) |
                                     opw_dtype(in->dst_dtype, EXT_DST_DTYPE_SHIFT));
}

/* CCE-6 */
static inline uint32_t opw_gradient(const struct udma_op_fma *in)
{
    return opw_make(OPW_GRADIENT, opw_scaled_flags(in) |
                                      opw_dtype(in->in_dtype, GRADIENT_IN_DTYPE_SHIFT) |
                                      opw_dtype(in->scale_dtype, GRADIENT_SCALE_DTYPE_SHIFT) |
                                      opw_dtype(in->accum_dtype, OPW_TOP_DTYPE_SHIFT));
}

#endif
