/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Operations that exist in the HAL line only. */
#include "names.h"

int32_t UDMA_SYM(bits)(struct udma_bit_case *inout, uint32_t n)
{
	(void)inout;
	(void)n;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(build_packet)(const struct udma_packet_in *in, struct udma_desc *tx,
			       struct udma_desc *rx, int32_t *ret)
{
	(void)in;
	(void)tx;
	(void)rx;
	(void)ret;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(build_cme_meta)(uint32_t index, struct udma_desc *out)
{
	(void)index;
	(void)out;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(build_crc_copy)(const struct udma_pair_in *in, uint32_t index,
				 struct udma_desc *tx, struct udma_desc *rx, int32_t *ret)
{
	(void)in;
	(void)index;
	(void)tx;
	(void)rx;
	(void)ret;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(iofic_causes)(const struct udma_host *host, uint32_t revision, uint32_t level,
			       uint32_t *pending, uint32_t *count)
{
	(void)host;
	(void)revision;
	(void)level;
	(void)pending;
	(void)count;
	return UDMA_NOT_OFFERED;
}
