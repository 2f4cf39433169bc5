/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * META descriptors that stand in front of a compute packet (CCE-1, 2, 4, 7, OPC-5).
 */
#ifndef UDMA_HAL_CCE_H
#define UDMA_HAL_CCE_H

#include "bits.h"
#include "slot.h"

/* SDMA CCE operations that a reduction does (chapter 03, dtypes). */
#define CCE_OP_ADD 0
#define CCE_OP_FMA 1
#define CCE_OP_MAX 2
#define CCE_OP_MIN 3

/* word0 (CCE-1). The write barrier has here the place it has in meta_ctrl; the
 * index may fill it too. */
#define FRONT_INDEX_SHIFT (UDMA_MUTANT(314) ? 16 : 24)
#define FRONT_INDEX_MASK 0xffu
#define FRONT_WRITE_BARRIER 0x04000000u

/* word1 (CCE-2, CCE-4, CCE-7, OPC-5). Its bit 26 is the operation's (OPC-3). */
#define FMA_WORD 0x02100000u
#define FMA_SUB_MASK 7u
#define FMA_MORE_SHIFT 26
#define FRONT_X_SHIFT 29 /* FMA, gradient */
#define FRONT_X_MASK 7u
#define MIN_MAX_CONST_WORD 0x06000000u
#define MIN_MAX_CONST_SHIFT 20
#define MIN_MAX_CONST_MASK 7u
#define SEED_WORD (UDMA_MUTANT(307) ? 0x02000000u : 0x06000000u)
#define REPLICATION_WORD 0x04a00000u
#define REPLICATION_MODE_SHIFT (UDMA_MUTANT(308) ? 28 : 29)
#define GRADIENT_WORD (UDMA_MUTANT(309) ? 0x06500000u : 0x06500001u)

/* word2 (CCE-2, CCE-4) */
#define FRONT_LENGTH_MASK 0x00ffffffu
#define FMA_LENGTH_MASK (UDMA_MUTANT(316) ? 0x0000ffffu : FRONT_LENGTH_MASK)
#define FMA_A_SHIFT 24
#define FMA_B_SHIFT 26
#define FMA_C_SHIFT 28
#define FMA_SELECTOR_MASK 3u
#define MIN_MAX_TAG (UDMA_MUTANT(320) ? 0u : 0x02000000u)

/* Operand selectors and the default that makes acc' = input * scale + acc (CCE-2). */
#define FMA_SELECT_STORED 0u
#define FMA_SELECT_INPUT 1u
#define FMA_SELECT_SCALE 2u
#define FMA_DEFAULT_A (UDMA_MUTANT(315) ? FMA_SELECT_SCALE : FMA_SELECT_INPUT)
#define FMA_DEFAULT_B (UDMA_MUTANT(315) ? FMA_SELECT_INPUT : FMA_SELECT_SCALE)
#define FMA_DEFAULT_C FMA_SELECT_STORED

/* word1 bits of a combo's members (CCE-9). */
#define COMBO_MORE 0x40000000u
#define COMBO_MEMBER 0x04000000u

static inline uint32_t combo_bits(bool last)
{
    return COMBO_MEMBER | bit_if(!last || UDMA_MUTANT(327), COMBO_MORE);
}

/* A descriptor in front; words 2 and 3 are given low half first. */
static inline struct udma_desc front_make(uint32_t index, uint32_t write_barrier, uint32_t word1,
                                          uint64_t payload)
{
    const uint32_t word0 = (index & FRONT_INDEX_MASK) << FRONT_INDEX_SHIFT |
                           bit_if((write_barrier & 1u) != 0, FRONT_WRITE_BARRIER) |
                           bit_if(!UDMA_MUTANT(313), W0_META);

    return desc_make(word0, word1, payload);
}

/* CCE-2 */
static inline struct udma_desc front_fma(const struct udma_desc_fma *in)
{
    const bool standard = (in->use_default & 1u) != 0;
    const uint32_t a = standard ? FMA_DEFAULT_A : in->a_sel & FMA_SELECTOR_MASK;
    const uint32_t b = standard ? FMA_DEFAULT_B : in->b_sel & FMA_SELECTOR_MASK;
    const uint32_t c = standard ? FMA_DEFAULT_C : in->c_sel & FMA_SELECTOR_MASK;
    const uint32_t word1 = (in->sub & FMA_SUB_MASK) | (in->more & 1u) << FMA_MORE_SHIFT |
                           (in->x & FRONT_X_MASK) << FRONT_X_SHIFT | FMA_WORD;
    const uint32_t word2 =
        (in->length & FMA_LENGTH_MASK) | a << FMA_A_SHIFT | b << FMA_B_SHIFT | c << FMA_C_SHIFT;

    return front_make(in->meta_index, in->write_barrier, word1, (uint64_t)in->scale << 32 | word2);
}

/* CCE-4 */
static inline struct udma_desc front_min_max(const struct udma_desc_min_max *in)
{
    const bool with_const = (in->use_const & 1u) != 0;
    const uint32_t word1 =
        bit_if(with_const, (in->const_dtype & MIN_MAX_CONST_MASK) << MIN_MAX_CONST_SHIFT |
                               MIN_MAX_CONST_WORD);
    const uint32_t word2 = (in->length & FRONT_LENGTH_MASK) | MIN_MAX_TAG;
    const uint32_t word3 = bit_if(with_const, in->constant);

    return front_make(in->meta_index, in->write_barrier, word1, (uint64_t)word3 << 32 | word2);
}

/* CCE-7 */
static inline struct udma_desc front_seed_init(const struct udma_desc_payload *in)
{
    return front_make(in->meta_index, in->write_barrier, bit_if((in->x & 1u) != 0, SEED_WORD),
                      in->payload);
}

/* OPC-5; `link` is what a combo adds to word1 (CCE-9). */
static inline struct udma_desc front_replication(const struct udma_desc_payload *in, uint32_t link)
{
    return front_make(in->meta_index, in->write_barrier,
                      (in->x & FRONT_X_MASK) << REPLICATION_MODE_SHIFT | REPLICATION_WORD | link,
                      in->payload);
}

/* OPC-5 */
static inline struct udma_desc front_gradient(const struct udma_desc_payload *in)
{
    return front_make(in->meta_index, in->write_barrier,
                      (in->x & FRONT_X_MASK) << FRONT_X_SHIFT | GRADIENT_WORD, in->payload);
}

#endif
