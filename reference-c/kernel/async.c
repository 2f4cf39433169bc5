/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Transfers of one batch that are waited for later. */
#include "transfer.h"

/* ASYN-1: the handle of a transfer submitted after another; UDMA_HANDLE_NONE: no such. */
static s32 udma_handle_after(s32 previous)
{
	switch (previous) {
	case UDMA_HANDLE_NONE:
	case UDMA_HANDLE_ASYNC2:
		return UDMA_HANDLE_ASYNC1;
	case UDMA_HANDLE_SYNC:
		return UDMA_MUTANT(157) ? UDMA_HANDLE_ASYNC1 : UDMA_HANDLE_SYNC;
	case UDMA_HANDLE_ASYNC1:
		return UDMA_HANDLE_ASYNC2;
	default:
		return UDMA_HANDLE_NONE;
	}
}

static bool udma_handle_async(s32 handle)
{
	return handle == UDMA_HANDLE_ASYNC1 || handle == UDMA_HANDLE_ASYNC2;
}

static s32 udma_handle_taken(s32 handle)
{
	return UDMA_MUTANT(158) && handle == 3 ? UDMA_HANDLE_ASYNC1 : handle;
}

/* The batch of a handle in use. A timeout leaves the slot in use (ASYN-2). */
static int udma_async_wait(struct udma_xfer *x, s32 handle)
{
	u32 mine = (u32)handle;
	u32 other = mine == UDMA_HANDLE_ASYNC1 ? UDMA_HANDLE_ASYNC2 : UDMA_HANDLE_ASYNC1;
	struct udma_sent *sent = &x->sent[mine];
	struct udma_sent *newer = &x->sent[other];
	int err;

	if (!newer->in_use || newer->order < sent->order)
		newer = NULL;
	err = udma_sent_wait(x, mine, sent, other, newer, true);
	if (!err || UDMA_MUTANT(165))
		sent->in_use = false;
	return err;
}

/* ASYN-3, as far as it could be told beforehand. */
static bool udma_async_too_large(const struct udma_xfer *x, u64 size)
{
	return size > (u64)x->cfg.chunk * ((u64)x->cfg.threshold + 1);
}

/* Stages and rings into the slot of a handle, which is in use from the doorbell on. */
static int udma_async_send(struct udma_xfer *x, s32 handle, const struct udma_transfer *in,
			   s32 waited_first)
{
	struct udma_sent *sent = &x->sent[handle];
	int err;

	sent->in_use = false;
	udma_job_open(x, &sent->job, in);
	err = udma_sent_stage(x, sent, (u32)handle);
	if (err)
		return err;
	if (udma_handle_async(waited_first)) {
		err = udma_async_wait(x, waited_first);
		if (err)
			return err;
	}
	err = udma_batch_ring(x, &sent->batch);
	if (err)
		return err;
	sent->order = ++x->submits;
	sent->in_use = true;
	if (sent->batch.bytes < sent->job.left && !UDMA_MUTANT(161))
		return -EINVAL; /* ASYN-3: only now, with the first batch on its way */
	return 0;
}

/* ASYN-2, ASYN-4 */
static noinline int udma_async_work(struct udma_xfer *x, const struct udma_transfer *in,
				    s32 previous, s32 *handle)
{
	s32 next;
	int err;

	previous = udma_handle_taken(previous);
	next = udma_handle_after(previous);
	if (next == UDMA_HANDLE_NONE)
		return -EINVAL;
	if (next == UDMA_HANDLE_SYNC) {
		err = udma_copy_sync(x, in);
		if (!err)
			*handle = next;
		return err;
	}
	if (udma_handle_async(previous) && !x->sent[previous].in_use) {
		if (!UDMA_MUTANT(163))
			return -EINVAL;
		previous = UDMA_HANDLE_NONE;
	}
	if (UDMA_MUTANT(162) && udma_async_too_large(x, in->size))
		return -EINVAL;

	/* The new batch is on its way before the old one is waited for. */
	err = udma_async_send(x, next, in, UDMA_MUTANT(160) ? previous : UDMA_HANDLE_NONE);
	if (err)
		return err;
	if (UDMA_MUTANT(160))
		previous = UDMA_HANDLE_NONE;
	if (UDMA_MUTANT(159))
		previous = next;
	if (udma_handle_async(previous)) {
		err = udma_async_wait(x, previous);
		if (err)
			return err;
	}
	*handle = next;
	return 0;
}

int32_t UDMA_SYM(copy_async)(void *engine, uint32_t qid, const struct udma_transfer *in,
			     int32_t previous, int32_t *handle, int32_t *ret)
{
	struct udma_xfer *x = udma_find_xfer(engine, qid);

	if (!x)
		return UDMA_NOT_OFFERED;
	udma_guarded(x->dev, *ret, udma_async_work(x, in, previous, handle));
	return 0;
}

/* ASYN-4 */
static noinline int udma_wait_work(struct udma_xfer *x, s32 handle)
{
	handle = udma_handle_taken(handle);
	if (!udma_handle_async(handle))
		return -EINVAL;
	if (!x->sent[handle].in_use)
		return UDMA_MUTANT(164) ? 0 : -EINVAL;
	return udma_async_wait(x, handle);
}

int32_t UDMA_SYM(wait)(void *engine, uint32_t qid, int32_t handle, int32_t *ret)
{
	struct udma_xfer *x = udma_find_xfer(engine, qid);

	if (!x)
		return UDMA_NOT_OFFERED;
	udma_guarded(x->dev, *ret, udma_wait_work(x, handle));
	return 0;
}
