/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A batch of independent pairs. */
#include "pair.h"

int32_t UDMA_SYM(build_pairs)(const struct udma_pair_in *in, struct udma_pair_out *inout,
			      uint32_t n)
{
	for (u32 i = 0; i < n; i++) {
		struct udma_copy copy = {
			.src = in[i].src,
			.dst = in[i].dst,
			.size = in[i].size,
			.rx_ring_id = in[i].rx_ring_id,
			.tx_ring_id = in[i].tx_ring_id,
			.mode = in[i].mode,
			.arch = in[i].arch,
			.driver = in[i].driver,
			.dst_int = in[i].dst_int != 0,
		};

		inout[i].ret = udma_build_pair(&inout[i].rx, &inout[i].tx, &copy);
	}
	return 0;
}
