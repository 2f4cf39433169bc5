/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A copy of pinned pages with two contexts in turn. */
#include "pages.h"

#define UDMA_ZEROCOPY_CONTEXTS 2u

struct udma_zerocopy_context {
	struct udma_step step;
	struct udma_batch batch;
};

/* After a timeout the engine may still reach the pages: they stay pinned. */
static int udma_zerocopy_wait(struct udma_xfer *x, const struct udma_zerocopy_context *ctx)
{
	int err = udma_batch_wait(x, &ctx->batch, true);

	if (!err)
		udma_step_unpin(x, &ctx->step);
	return err;
}

static int udma_zerocopy_send(struct udma_xfer *x, struct udma_zerocopy_context *ctx,
			      u64 completion)
{
	int err = udma_step_pin(x, &ctx->step);

	if (err)
		return err;
	err = udma_step_send(x, &ctx->step, completion, &ctx->batch);
	if (err)
		udma_step_unpin(x, &ctx->step); /* nothing of it was rung */
	return err;
}

/* ZC-6: a step is rung before the one before it is waited for. */
static noinline int udma_zerocopy_work(struct udma_xfer *x, const struct udma_zerocopy_in *in)
{
	struct udma_zerocopy_context contexts[UDMA_ZEROCOPY_CONTEXTS];
	struct udma_zerocopy_context *before = NULL;
	struct udma_walk walk;
	int err;

	if (!udma_core_allowed(x, in->core))
		return -ENOENT; /* ZC-7 */
	udma_walk_open(&walk, in);
	for (u64 n = 0; walk.left; n++) {
		u32 turn = (u32)(n % UDMA_ZEROCOPY_CONTEXTS);
		struct udma_zerocopy_context *ctx = &contexts[turn];

		udma_walk_next(&walk, &ctx->step);
		err = udma_zerocopy_send(x, ctx, in->completion[UDMA_MUTANT(193) ? 0 : turn]);
		if (err) {
			if (before)
				(void)udma_zerocopy_wait(x, before);
			return err;
		}
		if (UDMA_MUTANT(192)) {
			err = udma_zerocopy_wait(x, ctx);
			if (err)
				return err;
			continue;
		}
		if (before) {
			err = udma_zerocopy_wait(x, before);
			if (err)
				return err;
		}
		before = ctx;
	}
	return before ? udma_zerocopy_wait(x, before) : 0;
}

int32_t UDMA_SYM(zerocopy)(void *engine, uint32_t qid, const struct udma_zerocopy_in *in,
			   int32_t *ret)
{
	struct udma_xfer *x = udma_find_xfer(engine, qid);

	if (!x)
		return UDMA_NOT_OFFERED;
	udma_guarded(x->dev, *ret, udma_zerocopy_work(x, in));
	return 0;
}
