/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the kernel line does not do: compute descriptors belong to the HAL line. */
#include "names.h"

int32_t UDMA_SYM(op_split)(const struct udma_op_split *in, uint32_t *out, uint32_t n)
{
	(void)in;
	(void)out;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(op_transpose)(const struct udma_op_transpose *in, uint32_t *out, uint32_t n)
{
	(void)in;
	(void)out;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(op_replication)(const struct udma_op_replication *in, uint32_t *out, uint32_t n)
{
	(void)in;
	(void)out;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(op_add)(const struct udma_op_add *in, uint32_t *out, uint32_t n)
{
	(void)in;
	(void)out;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(op_min_max)(const struct udma_op_min_max *in, uint32_t *out, uint32_t n)
{
	(void)in;
	(void)out;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(op_fma)(const struct udma_op_fma *in, uint32_t *out, uint32_t n)
{
	(void)in;
	(void)out;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(op_cce_ext)(const struct udma_op_cce_ext *in, uint32_t *out, uint32_t n)
{
	(void)in;
	(void)out;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(op_gradient)(const struct udma_op_fma *in, uint32_t *out, uint32_t n)
{
	(void)in;
	(void)out;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(op_decode)(const uint32_t *in, uint32_t *sets, uint32_t n)
{
	(void)in;
	(void)sets;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(desc_fma)(const struct udma_desc_fma *in, struct udma_desc *out, uint32_t n)
{
	(void)in;
	(void)out;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(desc_min_max)(const struct udma_desc_min_max *in, struct udma_desc *out,
		uint32_t n)
{
	(void)in;
	(void)out;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(desc_seed_init)(const struct udma_desc_payload *in, struct udma_desc *out,
		uint32_t n)
{
	(void)in;
	(void)out;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(desc_replication)(const struct udma_desc_payload *in, struct udma_desc *out,
		uint32_t n)
{
	(void)in;
	(void)out;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(desc_gradient)(const struct udma_desc_payload *in, struct udma_desc *out,
		uint32_t n)
{
	(void)in;
	(void)out;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(desc_decode)(const struct udma_desc *in, uint32_t *sets, uint32_t n)
{
	(void)in;
	(void)sets;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(build_transpose)(const struct udma_transpose_in *in, struct udma_desc *inout,
		int32_t *ret)
{
	(void)in;
	(void)inout;
	(void)ret;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(transpose_name)(const char *name, int32_t *ret)
{
	(void)name;
	(void)ret;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(transpose_window)(struct udma_window_case *inout, uint32_t n)
{
	(void)inout;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(transpose_flush)(const struct udma_flush_in *in, struct udma_pair_out *inout)
{
	(void)in;
	(void)inout;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(dtypes)(struct udma_dtype_case *inout, uint32_t n)
{
	(void)inout;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(remap)(struct udma_remap_case *inout, uint32_t n)
{
	(void)inout;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(combo_chain)(struct udma_desc *inout, uint32_t n)
{
	(void)inout;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(build_reduction)(const struct udma_reduction_in *in, struct udma_desc *tx,
		struct udma_desc *rx, struct udma_reduction_out *out)
{
	(void)in;
	(void)tx;
	(void)rx;
	(void)out;
	return UDMA_NOT_OFFERED;
}
