/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * meta_ctrl taken apart and put together.
 */
#include "meta.h"

/* Every field once, low bits first: member, lowest bit, width. The fields cover
 * the whole word, so encoding is the exact inverse of decoding. */
#define META_FIELDS(X)                                                                             \
    X(is_last_block, 0, 1)                                                                         \
    X(is_first_block, 1, 1)                                                                        \
    X(block_attribute, 2, 1)                                                                       \
    X(cached_crc_iv_index, 3, 3)                                                                   \
    X(result_byte_swap, 6, 1)                                                                      \
    X(result_bit_swap, 7, 1)                                                                       \
    X(interim_byte_swap, 8, 1)                                                                     \
    X(interim_bit_swap, 9, 1)                                                                      \
    X(source_byte_swap, 10, 1)                                                                     \
    X(source_bit_swap, 11, 1)                                                                      \
    X(init_byte_swap, 12, 1)                                                                       \
    X(init_bit_swap, 13, 1)                                                                        \
    X(validate_crc, 14, 1)                                                                         \
    X(use_stored_crc_iv, 15, 1)                                                                    \
    X(send_crc_result, 16, 1)                                                                      \
    X(store_crc_result, 17, 1)                                                                     \
    X(store_source_crc, 18, 1)                                                                     \
    X(copy_source_data, 19, 1)                                                                     \
    X(op_type, META_OP_TYPE_SHIFT, 3)                                                              \
    X(ssmae_op, META_SSMAE_OP_SHIFT, 3)                                                            \
    X(write_barrier, META_WRITE_BARRIER_SHIFT, 1)                                                  \
    X(reserved27, 27, 1)                                                                           \
    X(notification, META_NOTIFICATION_SHIFT, 1)                                                    \
    X(reserved31_29, 29, 3)

static uint32_t field_get(uint32_t word, int shift, int width)
{
    return word >> shift & (((uint32_t)1 << width) - 1u);
}

/* A value wider than its field is cut to it. */
static uint32_t field_put(uint32_t value, int shift, int width)
{
    return (value & (((uint32_t)1 << width) - 1u)) << shift;
}

int32_t UDMA_NAME(meta_decode)(const uint32_t *in, struct udma_meta_fields *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t word = in[i];
        struct udma_meta_fields *f = &out[i];

#define META_GET(member, shift, width) f->member = field_get(word, shift, width);
        META_FIELDS(META_GET)
#undef META_GET
        if (UDMA_MUTANT(80))
            f->op_type = field_get(word, META_OP_TYPE_SHIFT + 1, 3);
    }
    return 0;
}

int32_t UDMA_NAME(meta_encode)(const struct udma_meta_fields *in, uint32_t *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct udma_meta_fields *f = &in[i];
        uint32_t word = 0;

#define META_PUT(member, shift, width) word |= field_put(f->member, shift, width);
        META_FIELDS(META_PUT)
#undef META_PUT
        out[i] = word;
    }
    return 0;
}
