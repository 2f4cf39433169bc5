/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Transfers in batches: staging, the retry of a lost batch, copies and fills. */
#include "transfer.h"

#define UDMA_MEMSET_BUFFER 65536u

/* The clock of a transfer starts before anything of it is staged. */
void udma_job_open(struct udma_xfer *x, struct udma_job *job, const struct udma_transfer *in)
{
	const struct udma_host *host = udma_xfer_host(x);

	job->in = *in;
	job->offset = 0;
	job->left = in->size;
	job->started = host->now(host->ctx);
}

static void udma_job_advance(struct udma_job *job, u64 bytes)
{
	if (!UDMA_MUTANT(136))
		job->offset += bytes;
	job->left -= bytes; /* BTCH-6 */
}

/* BTCH-1 */
static u64 udma_chunk(const struct udma_xfer *x)
{
	if (UDMA_MUTANT(133) && x->cfg.chunk == UDMA_MAX_TRANSFER)
		return UDMA_MAX_TRANSFER - 1;
	return x->cfg.chunk;
}

/* BTCH-2: looked at before a chunk is staged, so that one more goes in (ERR-1). */
static u32 udma_threshold(const struct udma_xfer *x)
{
	u32 threshold = x->cfg.threshold;

	if (UDMA_MUTANT(127) && threshold != ~(u32)0)
		threshold++;
	if (UDMA_MUTANT(128) && threshold != 0)
		threshold--;
	return threshold;
}

static bool udma_sow_batches(const struct udma_xfer *x)
{
	return UDMA_MUTANT(132) && x->dev->arch != UDMA_ARCH_SUNDA;
}

/* BTCH-3, ERR-2, ERR-3: the marker follows what the last pair of its batch wrote. */
static s32 udma_data_mode(const struct udma_xfer *x, bool first, bool last, bool end)
{
	bool barrier = last;

	if (UDMA_MUTANT(130))
		barrier = first;
	if (UDMA_MUTANT(131))
		barrier = end;
	if (UDMA_MUTANT(129) || udma_sow_batches(x))
		barrier = false;
	return barrier ? UDMA_MODE_WRITE_BARRIER : UDMA_MODE_NONE;
}

/* BTCH-5 */
static u64 udma_side(u64 start, u32 moves, u64 offset)
{
	return moves ? start + offset : start;
}

/* The data pairs of a batch; of a transfer of 0 bytes one pair too (BTCH-6, ERR-14). */
static int udma_stage_data(struct udma_xfer *x, const struct udma_job *job,
			   struct udma_batch *batch)
{
	u32 src_moves = job->in.src_moves || UDMA_MUTANT(135);
	u64 chunk = udma_chunk(x);
	bool last;
	int err;

	if (UDMA_MUTANT(138) && job->left == 0)
		return 0;
	do {
		u64 offset = job->offset + batch->bytes;
		u64 left = job->left - batch->bytes;
		u64 bytes = min_t(u64, left, chunk);
		bool end = bytes == left;
		struct udma_copy copy = {
			.src = udma_side(job->in.src, src_moves, offset),
			.dst = udma_side(job->in.dst, job->in.dst_moves, offset),
			.size = UDMA_MUTANT(109) ? chunk : bytes,
		};

		last = end || batch->pairs >= udma_threshold(x);
		copy.mode = udma_data_mode(x, batch->pairs == 0, last, end);
		err = udma_batch_add(x, batch, &copy, last);
		if (err)
			return err;
		batch->bytes += bytes;
	} while (!last);
	return 0;
}

/* Stages the batch that sent->job stands at; the same job gives the same batch. */
int udma_sent_stage(struct udma_xfer *x, struct udma_sent *sent, u32 handle)
{
	u32 slot = UDMA_MUTANT(118) ? 0 : handle; /* MARK-4 */
	s32 mode = udma_sow_batches(x) ? UDMA_MODE_SOW : UDMA_MODE_NONE;
	int err;

	udma_batch_open(x, &sent->batch, x->cfg.completion + slot * UDMA_COMPLETION_SIZE, mode);
#ifdef UDMA_MUTANTS
	sent->batch.rearms = UDMA_MUTANT(137) && sent->job.left != sent->job.in.size;
#endif
	err = udma_stage_data(x, &sent->job, &sent->batch);
	if (err)
		return err;
	return udma_batch_mark(x, &sent->batch);
}

static int udma_sent_send(struct udma_xfer *x, struct udma_sent *sent, u32 handle)
{
	int err = udma_sent_stage(x, sent, handle);

	return err ? err : udma_batch_ring(x, &sent->batch);
}

/* RTRY-1: whether a reset may have swallowed the batch. */
static bool udma_retry_wanted(const struct udma_xfer *x, const struct udma_sent *sent, u32 tries)
{
	const struct udma_host *host = udma_xfer_host(x);
	bool in_window;

	if (!udma_arch_retries(x->dev->arch))
		return false;
	in_window = host->in_reset_window(host->ctx, sent->job.started);
	if (UDMA_MUTANT(168) && x->dev->arch == UDMA_ARCH_SUNDA && tries == 0)
		return true;
	if (UDMA_MUTANT(170) && tries != 0)
		return false;
	return in_window;
}

/* RTRY-1: the clock, the queue as after queue_init, the batches that are out. */
static int udma_retry(struct udma_xfer *x, u32 handle, struct udma_sent *sent, u32 newer_handle,
		      struct udma_sent *newer)
{
	const struct udma_host *host = udma_xfer_host(x);
	int err;

	if (UDMA_MUTANT(172))
		newer = NULL;
	if (!UDMA_MUTANT(173)) {
		sent->job.started = host->now(host->ctx);
		if (newer)
			newer->job.started = sent->job.started;
	}
	if (!UDMA_MUTANT(167)) {
		err = udma_m2m_init(x->dev, x->qid, &x->dev->queue_cfg[x->qid]);
		if (err)
			return err;
	}
	err = udma_sent_send(x, sent, handle);
	if (!err && newer)
		err = udma_sent_send(x, newer, newer_handle);
	return err;
}

/* Waits, with retries; newer, if any, is a batch that was rung after this one. */
int udma_sent_wait(struct udma_xfer *x, u32 handle, struct udma_sent *sent, u32 newer_handle,
		   struct udma_sent *newer, bool is_async)
{
	for (u32 tries = 0;; tries++) {
		int err = udma_batch_wait(x, &sent->batch, is_async);

		if (!err || !udma_retry_wanted(x, sent, tries))
			return err;
		err = udma_retry(x, handle, sent, newer_handle, newer);
		if (err)
			return err;
		if (!UDMA_MUTANT(171))
			is_async = false;
	}
}

/* BTCH-6: batch after batch, each waited for. */
int udma_copy_sync(struct udma_xfer *x, const struct udma_transfer *in)
{
	struct udma_sent *sent = &x->sent[UDMA_HANDLE_SYNC];
	int err;

	udma_job_open(x, &sent->job, in);
	do {
		err = udma_sent_send(x, sent, UDMA_HANDLE_SYNC);
		if (err)
			return err;
		err = udma_sent_wait(x, UDMA_HANDLE_SYNC, sent, 0, NULL, false);
		if (err)
			return err;
		udma_job_advance(&sent->job, sent->batch.bytes);
	} while (sent->job.left);
	return 0;
}

static noinline int udma_copy_work(struct udma_xfer *x, const struct udma_transfer *in)
{
	return udma_copy_sync(x, in);
}

int32_t UDMA_SYM(copy)(void *engine, uint32_t qid, const struct udma_transfer *in, int32_t *ret)
{
	struct udma_xfer *x = udma_find_xfer(engine, qid);

	if (!x)
		return UDMA_NOT_OFFERED;
	udma_guarded(x->dev, *ret, udma_copy_work(x, in));
	return 0;
}

/* MSET-1: the start from the host, the rest from the start. */
static noinline int udma_memset_work(struct udma_xfer *x, const struct udma_memset_in *in)
{
	const struct udma_host *host = udma_xfer_host(x);
	u32 byte = (UDMA_MUTANT(175) ? in->value >> 8 : in->value) & 0xff;
	u64 start = min_t(u64, in->size, UDMA_MEMSET_BUFFER);
	u64 filled = UDMA_MUTANT(177) && start == 0 ? UDMA_MEMSET_BUFFER : start;
	struct udma_transfer from_host = {
		.src = udma_host_dma(x, in->buffer),
		.dst = in->dst,
		.size = start,
		.src_moves = 1,
		.dst_moves = 1,
	};
	struct udma_transfer rest = {
		.src = in->dst,
		.dst = in->dst + start,
		.size = in->size - start,
		.src_moves = UDMA_MUTANT(176),
		.dst_moves = 1,
	};
	int err;

	if (filled)
		host->fill(host->ctx, in->buffer, byte, filled);
	err = udma_copy_sync(x, &from_host); /* of size 0 too */
	if (err || rest.size == 0)
		return err;
	return udma_copy_sync(x, &rest);
}

int32_t UDMA_SYM(memset)(void *engine, uint32_t qid, const struct udma_memset_in *in,
			 int32_t *ret)
{
	struct udma_xfer *x = udma_find_xfer(engine, qid);

	if (!x)
		return UDMA_NOT_OFFERED;
	udma_guarded(x->dev, *ret, udma_memset_work(x, in));
	return 0;
}
