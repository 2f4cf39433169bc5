/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Steps of a copy, the pages of a step, and the pairs that they make. */
#include "pages.h"

#define UDMA_STEP_SPAN (2 * UDMA_STEP_SIZE)

static u64 udma_page_offset(u64 address)
{
	return address & (UDMA_PAGE_SIZE - 1);
}

/* ZC-1; compared so that offset and size need not be added first. */
static u64 udma_step_size(u64 offset, u64 size)
{
	u64 span, half;

	if (size > UDMA_STEP_SPAN - offset)
		return UDMA_STEP_SIZE;
	span = offset + size;
	if (span <= UDMA_STEP_SIZE)
		return span;
	if (UDMA_MUTANT(183))
		return UDMA_STEP_SIZE;
	half = span / 2;
	if (UDMA_MUTANT(184))
		return half;
	return (half + UDMA_PAGE_SIZE - 1) & ~(u64)(UDMA_PAGE_SIZE - 1);
}

void udma_walk_open(struct udma_walk *walk, const struct udma_zerocopy_in *in)
{
	walk->user = in->user;
	walk->device = in->device;
	walk->left = in->size;
	walk->size = udma_step_size(udma_page_offset(in->user), in->size);
	walk->to_device = in->to_device != 0;
	walk->begun = false;
}

/* ZC-2: the first step ends where a page does, so that the others begin with one. */
static u64 udma_walk_bytes(const struct udma_walk *walk)
{
	u64 bytes = walk->size;

	if (!walk->begun && !UDMA_MUTANT(185))
		bytes -= udma_page_offset(walk->user);
	return min_t(u64, bytes, walk->left);
}

u64 udma_walk_steps(const struct udma_walk *walk)
{
	u64 left = walk->left, steps = 0;

	if (!walk->begun && left) {
		left -= udma_walk_bytes(walk);
		steps = 1;
	}
	if (!left)
		return steps;
	return steps + left / walk->size + (left % walk->size != 0);
}

/* Something must be left. */
void udma_walk_next(struct udma_walk *walk, struct udma_step *step)
{
	u64 bytes = udma_walk_bytes(walk);
	u64 covered = udma_page_offset(walk->user) + bytes;

	step->user = walk->user;
	step->device = walk->device;
	step->bytes = bytes;
	step->to_device = walk->to_device;
	step->last = bytes == walk->left;
	step->pages = (u32)((covered + UDMA_PAGE_SIZE - 1) / UDMA_PAGE_SIZE);
	walk->user += bytes;
	walk->device += bytes;
	walk->left -= bytes;
	walk->begun = true;
}

int udma_step_pin(struct udma_xfer *x, struct udma_step *step)
{
	const struct udma_host *host = udma_xfer_host(x);
	u64 page = step->user - udma_page_offset(step->user);

	return host->pin(host->ctx, page, step->pages, step->frames) ? -EFAULT : 0;
}

void udma_step_unpin(struct udma_xfer *x, const struct udma_step *step)
{
	const struct udma_host *host = udma_xfer_host(x);

	host->unpin(host->ctx, step->user - udma_page_offset(step->user), step->pages);
}

/* ZC-3: the pairs of a step one after another. */
struct udma_cuts {
	const struct udma_step *step;
	u64 left; /* bytes of the step that belong to no run yet */
	u64 addr; /* what is left of the present run */
	u64 run;
	u32 page; /* the first page after it */
};

static void udma_cuts_open(struct udma_cuts *cuts, const struct udma_step *step)
{
	cuts->step = step;
	cuts->left = step->bytes;
	cuts->addr = 0;
	cuts->run = 0;
	cuts->page = 0;
}

static bool udma_pages_join(u64 page, u64 next)
{
	if (UDMA_MUTANT(186) && next == page + 2 * UDMA_PAGE_SIZE)
		return true;
	return next == page + UDMA_PAGE_SIZE;
}

/* Adjacent pages are joined; the offset is that of the first page. */
static void udma_cuts_run(struct udma_cuts *cuts)
{
	const struct udma_step *step = cuts->step;
	u64 offset = cuts->page == 0 ? udma_page_offset(step->user) : 0;
	u64 bytes;

	cuts->addr = step->frames[cuts->page] + offset;
	cuts->run = UDMA_PAGE_SIZE - offset;
	while (++cuts->page < step->pages &&
	       udma_pages_join(step->frames[cuts->page - 1], step->frames[cuts->page]))
		cuts->run += UDMA_PAGE_SIZE;
	bytes = min_t(u64, cuts->run, cuts->left);
	cuts->left -= bytes;
	if (!UDMA_MUTANT(187))
		cuts->run = bytes;
}

/* False after the last pair. */
static bool udma_cuts_next(struct udma_cuts *cuts, u64 *addr, u64 *bytes, bool *last)
{
	u64 most = UDMA_MAX_TRANSFER;

	if (cuts->run == 0) {
		if (cuts->left == 0)
			return false;
		udma_cuts_run(cuts);
	}
	if (UDMA_MUTANT(188))
		most -= cuts->addr & (UDMA_MAX_TRANSFER - 1);
	*addr = cuts->addr;
	*bytes = min_t(u64, cuts->run, most);
	cuts->addr += *bytes;
	cuts->run -= *bytes;
	*last = cuts->run == 0 && cuts->left == 0;
	return true;
}

u32 udma_step_pairs(const struct udma_step *step)
{
	struct udma_cuts cuts;
	u64 addr, bytes;
	u32 pairs = 0;
	bool last;

	udma_cuts_open(&cuts, step);
	while (udma_cuts_next(&cuts, &addr, &bytes, &last))
		pairs++;
	return pairs;
}

/* ZC-5: only the end of a write is ordered, by its data on v2, by its marker from v3 on. */
static s32 udma_step_data_mode(const struct udma_xfer *x, const struct udma_step *step, bool last)
{
	bool v2 = x->dev->arch == UDMA_ARCH_SUNDA;

	if (last && step->last && step->to_device && (v2 || UDMA_MUTANT(190)))
		return UDMA_MODE_WRITE_BARRIER;
	return UDMA_MODE_NONE;
}

static s32 udma_step_marker_mode(const struct udma_xfer *x, const struct udma_step *step)
{
	if (x->dev->arch == UDMA_ARCH_SUNDA || UDMA_MUTANT(191))
		return UDMA_MODE_NONE;
	return step->last && step->to_device ? UDMA_MODE_SOW : UDMA_MODE_NONE;
}

/* Stages the pairs of a pinned step and its marker, and rings them (ZC-6). */
int udma_step_send(struct udma_xfer *x, const struct udma_step *step, u64 completion,
		   struct udma_batch *batch)
{
	u64 device = step->device, addr, bytes;
	struct udma_cuts cuts;
	bool last;
	int err;

	udma_batch_open(x, batch, completion, udma_step_marker_mode(x, step));
	udma_cuts_open(&cuts, step);
	while (udma_cuts_next(&cuts, &addr, &bytes, &last)) {
		u64 host = udma_host_dma(x, addr);
		bool from_host = step->to_device && !UDMA_MUTANT(189);
		struct udma_copy copy = {
			.src = from_host ? host : device,
			.dst = from_host ? device : host,
			.size = bytes,
			.mode = udma_step_data_mode(x, step, last),
		};

		err = udma_batch_add(x, batch, &copy, last);
		if (err)
			return err;
		batch->bytes += bytes;
		device += bytes;
	}
	err = udma_batch_mark(x, batch);
	return err ? err : udma_batch_ring(x, batch);
}

bool udma_core_allowed(const struct udma_xfer *x, u32 core)
{
	return core == x->cfg.core || UDMA_MUTANT(194);
}
