/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A DMA driver of somebody's own, in its own style: it knows nothing of the suite.
 */
#include "tiny_dma.h"

#define TD_OP_COPY     0x01080003u
#define TD_OP_BARRIER  (1u << 26)

#define TD_CTL_SOURCE  (1u << 30)
#define TD_CTL_STRONG  (1u << 29)
#define TD_CTL_IRQ     (1u << 28)
#define TD_CTL_WHOLE   (3u << 26) /* a packet of one */

#define TD_GUARD       16u
#define TD_RING_MIN    64u

enum td_status td_describe(const td_copy_t *copy, td_desc_t *from, td_desc_t *to)
{
	const uint32_t length = (uint32_t)copy->bytes & 0xffffu; /* 0 stands for 65536 */

	if (copy->order < TD_ORDER_NONE || copy->order > TD_ORDER_STRONG)
		return TD_BAD_ORDER;
	if (copy->bytes > TD_MAX_COPY)
		return TD_TOO_LONG;

	from->ctl = TD_CTL_WHOLE | copy->from_lap << 24 | length;
	from->op = TD_OP_COPY;
	from->addr = copy->from;
	to->ctl = copy->to_lap << 24 | length;
	to->op = 0;
	to->addr = copy->to;

	if (copy->order == TD_ORDER_SOURCE)
		from->ctl |= TD_CTL_SOURCE;
	if (copy->order == TD_ORDER_WRITES)
		from->op |= TD_OP_BARRIER;
	if (copy->order == TD_ORDER_STRONG)
		to->ctl |= TD_CTL_STRONG;
	if (copy->interrupt)
		to->ctl |= TD_CTL_IRQ;
	return TD_OK;
}

/* The guard slots come on top, then the next power of two; in 32 bits, as ever. */
uint32_t td_ring_slots(uint32_t wanted)
{
	uint32_t slots = wanted + TD_GUARD, size = 1;

	if (wanted < TD_RING_MIN / 2)
		return TD_RING_MIN;
	if (slots == 0)
		return 0;
	while (size != 0 && size < slots)
		size <<= 1;
	return size;
}
