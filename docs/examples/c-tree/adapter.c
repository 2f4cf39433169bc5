/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Puts the driver behind the C ABI: the functions that it has, and no others.
 */
#include "tiny_dma.h"
#include "udma_oracle.h"

#include <string.h>

int32_t udma_info(struct udma_info *out)
{
	out->abi_version = UDMA_ABI_VERSION;
	out->line = UDMA_LINE_KERNEL;
	return 0;
}

/* The driver's descriptor is the descriptor, on a little-endian machine. */
_Static_assert(sizeof(td_desc_t) == sizeof(struct udma_desc), "a descriptor is 16 bytes");

int32_t udma_build_pairs(const struct udma_pair_in *in, struct udma_pair_out *inout, uint32_t n)
{
	static const int32_t codes[] = {[TD_OK] = 0, [TD_BAD_ORDER] = -22, [TD_TOO_LONG] = -1};

	for (uint32_t i = 0; i < n; i++) {
		/* It follows one release: udma check --driver 2.26.5.0. */
		if (in[i].driver != UDMA_DRIVER_2_26_5)
			return UDMA_NOT_OFFERED;
	}
	for (uint32_t i = 0; i < n; i++) {
		const td_copy_t copy = {
			.from = in[i].src,
			.to = in[i].dst,
			.bytes = in[i].size,
			.from_lap = in[i].tx_ring_id,
			.to_lap = in[i].rx_ring_id,
			.order = in[i].mode,
			.interrupt = in[i].dst_int,
		};
		td_desc_t from, to;
		enum td_status status = td_describe(&copy, &from, &to);

		if (status == TD_OK) {
			memcpy(&inout[i].tx, &from, sizeof from);
			memcpy(&inout[i].rx, &to, sizeof to);
		}
		inout[i].ret = codes[status];
	}
	return 0;
}

int32_t udma_ring_size(const uint32_t *want, uint32_t *out, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		out[i] = td_ring_slots(want[i]);
	return 0;
}
