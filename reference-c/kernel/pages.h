/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Copies between pages of a user and the device, cut into steps. */
#ifndef UDMA_PAGES_H
#define UDMA_PAGES_H

#include "transfer.h"

#define UDMA_PAGE_SIZE 4096u
#define UDMA_STEP_SIZE 262144u
/* The largest step, and one page more for one that does not begin with a page. */
#define UDMA_STEP_PAGES (UDMA_STEP_SIZE / UDMA_PAGE_SIZE + 1)

struct udma_step {
	u64 user;
	u64 device;
	u64 bytes;
	bool to_device;
	bool last; /* of its copy */
	u32 pages;
	u64 frames[UDMA_STEP_PAGES]; /* CPU addresses, once pinned */
};

/* Where in a copy the next step begins. */
struct udma_walk {
	u64 user;
	u64 device;
	u64 left;
	u64 size; /* of a step, from its first page on (ZC-1) */
	bool to_device;
	bool begun;
};

#define udma_walk_open UDMA_SYM(walk_open)
#define udma_walk_steps UDMA_SYM(walk_steps)
#define udma_walk_next UDMA_SYM(walk_next)
#define udma_step_pin UDMA_SYM(step_pin)
#define udma_step_unpin UDMA_SYM(step_unpin)
#define udma_step_pairs UDMA_SYM(step_pairs)
#define udma_step_send UDMA_SYM(step_send)
#define udma_core_allowed UDMA_SYM(core_allowed)

void udma_walk_open(struct udma_walk *walk, const struct udma_zerocopy_in *in) __hidden;
u64 udma_walk_steps(const struct udma_walk *walk) __hidden; /* still to come */
void udma_walk_next(struct udma_walk *walk, struct udma_step *step) __hidden;

int udma_step_pin(struct udma_xfer *x, struct udma_step *step) __hidden;
void udma_step_unpin(struct udma_xfer *x, const struct udma_step *step) __hidden;
u32 udma_step_pairs(const struct udma_step *step) __hidden; /* without the marker */
int udma_step_send(struct udma_xfer *x, const struct udma_step *step, u64 completion,
		   struct udma_batch *batch) __hidden;

/* ZC-7 */
bool udma_core_allowed(const struct udma_xfer *x, u32 core) __hidden;

#endif
