/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef TINY_DMA_H
#define TINY_DMA_H

#include <stddef.h>
#include <stdint.h>

/* One hardware descriptor. */
typedef struct {
	uint32_t ctl;
	uint32_t op;
	uint64_t addr;
} td_desc_t;

enum td_order { TD_ORDER_NONE, TD_ORDER_SOURCE, TD_ORDER_WRITES, TD_ORDER_STRONG };

enum td_status { TD_OK, TD_BAD_ORDER, TD_TOO_LONG };

/* What one copy is made of. */
typedef struct {
	uint64_t from, to, bytes;
	unsigned from_lap, to_lap;
	int order; /* enum td_order */
	int interrupt;
} td_copy_t;

enum td_status td_describe(const td_copy_t *copy, td_desc_t *from, td_desc_t *to);
uint32_t td_ring_slots(uint32_t wanted);

#endif
