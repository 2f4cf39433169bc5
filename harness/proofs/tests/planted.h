/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A C line with one bit flipped in every operation, for one rare input alone. The line itself is
 * compiled with UDMA_PREFIX=real_. */
#ifndef UDMA_PLANTED_H
#define UDMA_PLANTED_H

#include "udma_oracle.h"

UDMA_ORACLE_FUNCTIONS(real_)

/* n elements in, n out: where `rare` holds of the i-th, `flip` is done to it. */
#define PLANT(name, in_type, out_type, rare, flip)                                                 \
    int32_t udma_##name(const in_type *in, out_type *out, uint32_t n)                              \
    {                                                                                              \
        int32_t code = real_##name(in, out, n);                                                    \
                                                                                                   \
        for (uint32_t i = 0; code == 0 && i < n; i++) {                                            \
            if (rare)                                                                              \
                flip;                                                                              \
        }                                                                                          \
        return code;                                                                               \
    }

/* n elements in place. */
#define PLANT_INOUT(name, type, rare, flip)                                                        \
    int32_t udma_##name(type *inout, uint32_t n)                                                   \
    {                                                                                              \
        int32_t code = real_##name(inout, n);                                                      \
                                                                                                   \
        for (uint32_t i = 0; code == 0 && i < n; i++) {                                            \
            if (rare)                                                                              \
                flip;                                                                              \
        }                                                                                          \
        return code;                                                                               \
    }

int32_t udma_info(struct udma_info *out)
{
    return real_info(out);
}

PLANT(build_pairs, struct udma_pair_in, struct udma_pair_out, in[i].size == 0x1234,
      out[i].rx.word[1] ^= 1u << 31)
PLANT(decode, struct udma_desc, struct udma_fields, in[i].word[3] == 0x12345678,
      out[i].first ^= 1u)
PLANT(encode, struct udma_fields, struct udma_desc, in[i].pointer == 0x123456789abc,
      out[i].word[1] ^= 1u << 5)
PLANT(meta_decode, uint32_t, struct udma_meta_fields, in[i] == 0x12345678,
      out[i].store_crc_result ^= 1u)
PLANT(meta_encode, struct udma_meta_fields, uint32_t, in[i].op_type == 0x80000006,
      out[i] ^= 1u << 27)

#endif
