/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What moves the contexts of a queue on: pin, submit, wait, release. */
#include "contexts.h"
#include "ring.h"

/* Cursors skip what they do not look for, tombstones with it (ZC-8). */
static void udma_contexts_settle(struct udma_contexts *cq)
{
	while (cq->first_unpinned < cq->tail) {
		u32 state = udma_context_at(cq, cq->first_unpinned)->state;

		if (state == UDMA_CONTEXT_UNPINNED)
			break;
		if (UDMA_MUTANT(178) && state == UDMA_CONTEXT_INVALID)
			break;
		cq->first_unpinned++;
	}
	while (cq->first_pinned_unsubmitted < cq->first_unpinned &&
	       udma_context_at(cq, cq->first_pinned_unsubmitted)->state !=
		       UDMA_CONTEXT_PINNED_UNSUBMITTED)
		cq->first_pinned_unsubmitted++;
	while (cq->head < cq->first_pinned_unsubmitted &&
	       udma_context_at(cq, cq->head)->state == UDMA_CONTEXT_INVALID)
		cq->head++;
}

/* The next step of a copy goes in; the caller has seen that there is a place. */
void udma_contexts_take(struct udma_contexts *cq, struct udma_walk *walk, u64 copy, u64 tag,
			bool sync)
{
	struct udma_context *ctx = udma_context_at(cq, cq->tail);

	udma_walk_next(walk, &ctx->step);
	ctx->copy = copy;
	ctx->tag = tag;
	ctx->sync = sync;
	ctx->state = UDMA_CONTEXT_UNPINNED;
	cq->tail++;
}

static void udma_context_unpin(struct udma_xfer *x, struct udma_contexts *cq,
			       const struct udma_context *ctx)
{
	udma_step_unpin(x, &ctx->step);
	cq->pinned -= ctx->step.pages;
}

/*
 * Ends a copy: its contexts become tombstones. Pages that the engine was told of
 * stay pinned and counted, since it may still reach them.
 */
void udma_contexts_end(struct udma_xfer *x, struct udma_contexts *cq, u64 copy, u64 tag,
		       bool sync, s32 code)
{
	for (u64 cursor = cq->head; cursor < cq->tail; cursor++) {
		struct udma_context *ctx = udma_context_at(cq, cursor);

		if (ctx->state == UDMA_CONTEXT_INVALID || ctx->copy != copy)
			continue;
		if (ctx->state == UDMA_CONTEXT_PINNED_UNSUBMITTED)
			udma_context_unpin(x, cq, ctx);
		ctx->state = UDMA_CONTEXT_INVALID;
	}
	if (sync)
		cq->sync_code = code;
	else
		(void)udma_completion_put(&cq->completions, tag, code); /* or lost */
	udma_contexts_settle(cq);
}

static void udma_context_fail(struct udma_xfer *x, struct udma_contexts *cq,
			      const struct udma_context *ctx, s32 code)
{
	udma_contexts_end(x, cq, ctx->copy, ctx->tag, ctx->sync, code);
}

/* Steps 1 and 5: in order, so that completions come in the order of submits. */
static void udma_contexts_release(struct udma_contexts *cq)
{
	while (cq->head < cq->first_pinned_unsubmitted) {
		struct udma_context *ctx = udma_context_at(cq, cq->head);

		if (ctx->state == UDMA_CONTEXT_COMPLETED) {
			if (ctx->step.last && !ctx->sync &&
			    !udma_completion_put(&cq->completions, ctx->tag, 0))
				return;
			ctx->state = UDMA_CONTEXT_INVALID;
		}
		if (ctx->state != UDMA_CONTEXT_INVALID)
			return;
		cq->head++;
	}
}

static bool udma_budget_holds(const struct udma_contexts *cq, u32 pages)
{
	if (UDMA_MUTANT(179))
		return true;
	return cq->pinned <= cq->cfg.budget && pages <= cq->cfg.budget - cq->pinned;
}

/* Step 2. With what a failure leaves behind, the next copy's turn has come. */
static void udma_contexts_pin(struct udma_xfer *x, struct udma_contexts *cq)
{
	while (cq->first_unpinned < cq->tail) {
		struct udma_context *ctx = udma_context_at(cq, cq->first_unpinned);
		int err;

		if (UDMA_MUTANT(178) && ctx->state != UDMA_CONTEXT_UNPINNED)
			return;
		if (!udma_budget_holds(cq, ctx->step.pages))
			return;
		err = udma_step_pin(x, &ctx->step);
		if (err) {
			udma_context_fail(x, cq, ctx, err);
			continue;
		}
		cq->pinned += ctx->step.pages;
		ctx->state = UDMA_CONTEXT_PINNED_UNSUBMITTED;
		udma_contexts_settle(cq);
	}
}

static struct udma_context *udma_oldest_submitted(const struct udma_contexts *cq)
{
	for (u64 cursor = cq->head; cursor < cq->first_pinned_unsubmitted; cursor++) {
		struct udma_context *ctx = udma_context_at(cq, cursor);

		if (ctx->state == UDMA_CONTEXT_SUBMITTED)
			return ctx;
	}
	return NULL;
}

static bool udma_rings_hold(struct udma_xfer *x, u32 count)
{
	return udma_available_get(udma_get_q(x->dev, x->qid, UDMA_TX)) >= count &&
	       udma_available_get(udma_get_q(x->dev, x->qid, UDMA_RX)) >= count;
}

/* Step 3. With nothing submitted no slot would ever come free. */
static void udma_contexts_send(struct udma_xfer *x, struct udma_contexts *cq)
{
	while (cq->first_pinned_unsubmitted < cq->first_unpinned) {
		u64 cursor = cq->first_pinned_unsubmitted;
		struct udma_context *ctx = udma_context_at(cq, cursor);
		u64 completion = cq->cfg.completion +
				 cursor % cq->cfg.capacity * UDMA_COMPLETION_SIZE;
		int err;

		if (udma_rings_hold(x, udma_step_pairs(&ctx->step) + 1)) {
			err = udma_step_send(x, &ctx->step, completion, &ctx->batch);
		} else {
			if (udma_oldest_submitted(cq))
				return;
			err = -ENOMEM;
		}
		if (err) {
			udma_context_fail(x, cq, ctx, err);
			continue;
		}
		ctx->state = UDMA_CONTEXT_SUBMITTED;
		udma_contexts_settle(cq);
	}
}

/* Step 4 */
static bool udma_contexts_await(struct udma_xfer *x, struct udma_contexts *cq)
{
	struct udma_context *ctx = udma_oldest_submitted(cq);
	int err;

	if (!ctx)
		return false;
	err = udma_batch_wait(x, &ctx->batch, true);
	if (err) {
		udma_context_fail(x, cq, ctx, err);
		return true;
	}
	udma_context_unpin(x, cq, ctx);
	if (UDMA_MUTANT(181))
		cq->pinned += ctx->step.pages;
	ctx->state = UDMA_CONTEXT_COMPLETED;
	if (ctx->copy == cq->sync_copy)
		cq->sync_done++;
	return true;
}

/* Whether something was waited for or a cursor moved. */
bool udma_contexts_round(struct udma_xfer *x, struct udma_contexts *cq)
{
	u64 head = cq->head;
	u64 first_pinned_unsubmitted = cq->first_pinned_unsubmitted;
	u64 first_unpinned = cq->first_unpinned;
	bool waited;

	udma_contexts_release(cq);
	udma_contexts_pin(x, cq);
	udma_contexts_send(x, cq);
	waited = udma_contexts_await(x, cq);
	udma_contexts_release(cq);
	return waited || head != cq->head || first_unpinned != cq->first_unpinned ||
	       first_pinned_unsubmitted != cq->first_pinned_unsubmitted;
}
