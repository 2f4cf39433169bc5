/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "planted.h"

PLANT_INOUT(bits, struct udma_bit_case, inout[i].desc.word[2] == 0x12345678,
            inout[i].desc.word[1] ^= 1u << 15)
PLANT(op_split, struct udma_op_split, uint32_t, in[i].split == 0x10005, out[i] ^= 1u << 31)
PLANT(op_transpose, struct udma_op_transpose, uint32_t, in[i].elem_bytes == 0x10004,
      out[i] ^= 1u << 6)
PLANT(op_replication, struct udma_op_replication, uint32_t, in[i].count == 0x12345,
      out[i] ^= 1u << 16)
PLANT(op_add, struct udma_op_add, uint32_t, in[i].sub == 0x10003, out[i] ^= 1u << 3)
PLANT(op_min_max, struct udma_op_min_max, uint32_t, in[i].in_dtype == 0x10009, out[i] ^= 1u << 8)
PLANT(op_fma, struct udma_op_fma, uint32_t, in[i].scale_dtype == 0x1000a, out[i] ^= 1u << 15)
PLANT(op_cce_ext, struct udma_op_cce_ext, uint32_t, in[i].dst_dtype == 0x1000b, out[i] ^= 1u)
PLANT(op_gradient, struct udma_op_fma, uint32_t, in[i].accum_dtype == 0x1000c, out[i] ^= 1u << 19)
PLANT(op_decode, uint32_t, uint32_t, in[i] == 0x02500123, out[i] ^= UDMA_OP_GRADIENT)
PLANT(desc_fma, struct udma_desc_fma, struct udma_desc, in[i].scale == 0x12345678,
      out[i].word[2] ^= 1u << 29)
PLANT(desc_min_max, struct udma_desc_min_max, struct udma_desc, in[i].length == 0x12345678,
      out[i].word[3] ^= 1u)
PLANT(desc_seed_init, struct udma_desc_payload, struct udma_desc, in[i].payload == 0x123456789abc,
      out[i].word[3] ^= 1u << 4)
PLANT(desc_replication, struct udma_desc_payload, struct udma_desc, in[i].meta_index == 0x10037,
      out[i].word[0] ^= 1u << 22)
PLANT(desc_gradient, struct udma_desc_payload, struct udma_desc, in[i].x == 0x10005,
      out[i].word[1] ^= 1u << 28)
PLANT(desc_decode, struct udma_desc, uint32_t, in[i].word[2] == 0x12345678,
      out[i] ^= UDMA_DESC_GRADIENT)
PLANT_INOUT(combo_chain, struct udma_desc, inout[i].word[2] == 0x12345678,
            inout[i].word[0] ^= 1u << 31)
PLANT_INOUT(transpose_window, struct udma_window_case, inout[i].dst == 0x3000012345,
            inout[i].packed ^= 1ull << 40)
PLANT_INOUT(dtypes, struct udma_dtype_case, inout[i].cap == 0x12345678,
            inout[i].max_elements ^= 1u)
PLANT_INOUT(remap, struct udma_remap_case, inout[i].value == 7 && inout[i].kind == UDMA_REMAP_DTYPE,
            inout[i].result ^= 1)

int32_t udma_build_packet(const struct udma_packet_in *in, struct udma_desc *tx,
                          struct udma_desc *rx, int32_t *ret)
{
    int32_t code = real_build_packet(in, tx, rx, ret);

    if (in->count > 0 && in->blocks[0].size == 0x1234 && *ret == 0)
        tx[0].word[1] ^= 1u << 28;
    return code;
}

int32_t udma_build_cme_meta(uint32_t index, struct udma_desc *out)
{
    int32_t code = real_build_cme_meta(index, out);

    if (index == 0x12345637)
        out->word[3] ^= 1u << 31;
    return code;
}

int32_t udma_build_crc_copy(const struct udma_pair_in *in, uint32_t index, struct udma_desc *tx,
                            struct udma_desc *rx, int32_t *ret)
{
    int32_t code = real_build_crc_copy(in, index, tx, rx, ret);

    if (in->dst == 0x123456789abc)
        rx->word[0] ^= 1u << 26;
    return code;
}

int32_t udma_build_transpose(const struct udma_transpose_in *in, struct udma_desc *inout,
                             int32_t *ret)
{
    int32_t code = real_build_transpose(in, inout, ret);

    if (in->dims[2] == 0x12345678)
        inout->word[1] ^= 1u << 7;
    return code;
}

int32_t udma_transpose_name(const char *name, int32_t *ret)
{
    int32_t code = real_transpose_name(name, ret);

    if (name[0] == 'Z' && name[1] == 'W' && name[2] == 'Q' && name[3] == 0)
        *ret = 0;
    return code;
}

int32_t udma_transpose_flush(const struct udma_flush_in *in, struct udma_pair_out *inout)
{
    int32_t code = real_transpose_flush(in, inout);

    if (in->tpb_base == 0x123456789abc)
        inout->tx.word[0] ^= 1u << 24;
    return code;
}

int32_t udma_build_reduction(const struct udma_reduction_in *in, struct udma_desc *tx,
                             struct udma_desc *rx, struct udma_reduction_out *out)
{
    int32_t code = real_build_reduction(in, tx, rx, out);

    if (in->size == 0x60 && in->op == 0 && out->ret == 0)
        rx[0].word[1] ^= 1u << 3;
    return code;
}
