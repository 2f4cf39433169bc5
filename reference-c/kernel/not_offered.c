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

int32_t UDMA_SYM(shadow_init)(struct udma_shadow *queue, uint32_t count)
{
	(void)queue;
	(void)count;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(shadow_reserve)(struct udma_shadow *tx, struct udma_shadow *rx, uint32_t n,
				 uint32_t *tx_idx, uint32_t *rx_idx, int32_t *ret)
{
	(void)tx;
	(void)rx;
	(void)n;
	(void)tx_idx;
	(void)rx_idx;
	(void)ret;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(shadow_ring_id_at)(const struct udma_shadow *queue, uint32_t index, uint32_t *id)
{
	(void)queue;
	(void)index;
	(void)id;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(shadow_commit)(const struct udma_commit_in *in, uint32_t *runs, int32_t *ret)
{
	(void)in;
	(void)runs;
	(void)ret;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(bare_copy_start)(const struct udma_host *host, uint32_t qid, uint32_t m2s_count,
				  uint32_t s2m_count, int32_t *ret)
{
	(void)host;
	(void)qid;
	(void)m2s_count;
	(void)s2m_count;
	(void)ret;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(software_poll)(const struct udma_host *host, uint64_t poll_word, uint64_t looks,
				int32_t *ret)
{
	(void)host;
	(void)poll_word;
	(void)looks;
	(void)ret;
	return UDMA_NOT_OFFERED;
}
