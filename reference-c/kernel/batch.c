/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One batch: its pairs, its marker, its doorbells, the wait for it. */
#include <linux/io.h>

#include "ring.h"
#include "transfer.h"

/* Pairs and the marker: what is rung and acknowledged (BTCH-4, ACK-2). */
static u32 udma_batch_count(const struct udma_batch *batch)
{
	return batch->pairs + 1;
}

static u64 udma_store_address(const struct udma_xfer *x, u64 completion)
{
	return UDMA_MUTANT(122) ? udma_host_dma(x, completion) : completion;
}

static void udma_store_source(const struct udma_xfer *x, u64 completion)
{
	const struct udma_host *host = udma_xfer_host(x);

	host->store32(host->ctx, udma_store_address(x, completion), UDMA_MARKER);
}

static void udma_clear_poll_word(const struct udma_xfer *x, u64 completion)
{
	const struct udma_host *host = udma_xfer_host(x);

	host->store32(host->ctx, udma_store_address(x, completion) + UDMA_POLL_WORD, 0);
}

void udma_batch_open(struct udma_xfer *x, struct udma_batch *batch, u64 completion,
		     s32 marker_mode)
{
	(void)x;
	batch->completion = completion;
	batch->bytes = 0;
	batch->marker_mode = marker_mode;
	batch->pairs = 0;
#ifdef UDMA_MUTANTS
	batch->rx_first = udma_get_q(x->dev, x->qid, UDMA_RX)->next_desc_idx;
	batch->rearms = false;
	batch->marked = false;
#endif
}

static int udma_stage_pair(struct udma_xfer *x, struct udma_copy *copy)
{
	copy->arch = x->dev->arch;
	copy->driver = x->dev->driver;
	return udma_prepare_one(x->dev, x->qid, copy);
}

/* MARK-1: armed first, then the 4 bytes that copy the source over the poll word. */
static int udma_stage_marker(struct udma_xfer *x, const struct udma_batch *batch)
{
	u64 dma = UDMA_MUTANT(121) ? batch->completion : udma_host_dma(x, batch->completion);
	struct udma_copy marker = {
		.src = dma,
		.dst = dma + (UDMA_MUTANT(117) ? 2 * UDMA_POLL_WORD : UDMA_POLL_WORD),
		.size = UDMA_MUTANT(111) ? 2 * UDMA_MARKER_SIZE : UDMA_MARKER_SIZE,
		.mode = batch->marker_mode,
		.dst_int = UDMA_MUTANT(119), /* POLL-5: nobody waits for an interrupt */
	};
	bool arm = true;

	if (UDMA_MUTANT(120) && marker.mode == UDMA_MODE_NONE)
		marker.mode = UDMA_MODE_WRITE_BARRIER;
#ifdef UDMA_MUTANTS
	arm = !batch->rearms;
#endif
	if (arm) {
		udma_store_source(x, batch->completion);
		if (!UDMA_MUTANT(113))
			udma_clear_poll_word(x, batch->completion);
	}
	return udma_stage_pair(x, &marker);
}

/* One data pair; last says that the marker comes next. */
int udma_batch_add(struct udma_xfer *x, struct udma_batch *batch, struct udma_copy *copy,
		   bool last)
{
	int err;

	(void)last;
#ifdef UDMA_MUTANTS
	if (UDMA_MUTANT(110) && last) {
		err = udma_stage_marker(x, batch);
		if (err)
			return err;
		batch->marked = true;
	}
#endif
	err = udma_stage_pair(x, copy);
	if (err)
		return err;
	batch->pairs++;
	return 0;
}

/* MARK-2: after the last data pair. */
int udma_batch_mark(struct udma_xfer *x, struct udma_batch *batch)
{
#ifdef UDMA_MUTANTS
	if (batch->marked || UDMA_MUTANT(105))
		return 0;
#endif
	return udma_stage_marker(x, batch);
}

/* BTCH-4, TRIG-2 */
int udma_batch_ring(struct udma_xfer *x, struct udma_batch *batch)
{
	u32 tx = udma_batch_count(batch);
	u32 rx = tx;
	int err;

	if (UDMA_MUTANT(108)) {
		tx++;
		rx++;
	}
	if (UDMA_MUTANT(112))
		rx--;
	if (UDMA_MUTANT(134))
		tx--;
	err = udma_copy_start_q(x->dev, x->qid, tx, rx);
	if (UDMA_MUTANT(105) && !err)
		err = udma_stage_marker(x, batch);
	return err;
}

static void udma_ack_ring(struct udma_xfer *x, enum udma_type type, u32 count)
{
	const struct udma_host *host = udma_xfer_host(x);
	struct udma_q *q = udma_get_q(x->dev, x->qid, type);

	/* Never refused: the ring that a batch came out of is a power of two. */
	if (udma_cdesc_ack(q, count))
		return;
	host->acked(host->ctx, x->qid, type == UDMA_TX ? UDMA_RING_TX : UDMA_RING_RX,
		    q->next_desc_idx, atomic_read(&q->next_cdesc_idx), q->desc_ring_id);
}

/* ACK-1, ACK-2 */
static void udma_batch_ack(struct udma_xfer *x, const struct udma_batch *batch)
{
	u32 count = udma_batch_count(batch);

	if (UDMA_MUTANT(156))
		count--;
	if (UDMA_MUTANT(155))
		udma_ack_ring(x, UDMA_TX, count);
	if (!UDMA_MUTANT(153))
		udma_ack_ring(x, UDMA_RX, count);
	if (!UDMA_MUTANT(155))
		udma_ack_ring(x, UDMA_TX, count);
}

/* POLL-5: the marker alone tells. */
static bool udma_batch_seen(struct udma_xfer *x, const struct udma_batch *batch)
{
	const struct udma_host *host = udma_xfer_host(x);

#ifdef UDMA_MUTANTS
	if (UDMA_MUTANT(150)) {
		struct udma_q *rxq = udma_get_q(x->dev, x->qid, UDMA_RX);
		u32 head = readl(&rxq->q_regs->rings.drhp);

		return ((head - batch->rx_first) & rxq->size_mask) >= udma_batch_count(batch);
	}
#endif
	return host->load32(host->ctx, batch->completion + UDMA_POLL_WORD) == UDMA_MARKER;
}

/* POLL-2, POLL-3: the architecture's estimate and what the poller adds. */
static void udma_batch_estimate(const struct udma_xfer *x, const struct udma_batch *batch,
				bool is_async, struct udma_wait_out *out)
{
	struct udma_wait_in in = {
		.arch = x->dev->arch,
		.driver = x->dev->driver,
		.platform = x->cfg.platform,
		.count = udma_batch_count(batch),
		.is_async = is_async,
	};

	udma_estimate(&in, out);
	if (UDMA_MUTANT(166) && is_async) {
		struct udma_wait_out sync;

		in.is_async = 0;
		udma_estimate(&in, &sync);
		out->first_wait = sync.first_wait;
	}
	if (!udma_driver_poller_stretches(in.driver))
		return;
	if (in.platform == UDMA_PLATFORM_QEMU || in.platform == UDMA_PLATFORM_EMU) {
		out->following_wait *= UDMA_POLLER_STRETCH;
		if (UDMA_MUTANT(146))
			out->first_wait *= UDMA_POLLER_STRETCH;
	}
}

/* POLL-1: whether the marker was seen in time. A miss costs its delay, the last too. */
static bool udma_batch_poll(struct udma_xfer *x, const struct udma_batch *batch, bool is_async)
{
	const struct udma_host *host = udma_xfer_host(x);
	struct udma_wait_out wait;
	u64 looks;

	udma_batch_estimate(x, batch, is_async, &wait);
	looks = wait.following_wait + (UDMA_MUTANT(140) ? 1 : 2);
	if (!UDMA_MUTANT(139))
		host->delay(host->ctx, wait.first_wait);
	for (u64 i = 0; i < looks; i++) {
		if (udma_batch_seen(x, batch))
			return true;
		if (!UDMA_MUTANT(141) || i + 1 < looks)
			host->delay(host->ctx, 1);
	}
	return false;
}

/* MARK-3: the next batch finds the buffer as an armed one. */
static void udma_batch_rearm(struct udma_xfer *x, const struct udma_batch *batch)
{
	if (UDMA_MUTANT(115))
		return;
	if (UDMA_MUTANT(116))
		udma_store_source(x, batch->completion);
	udma_clear_poll_word(x, batch->completion);
	if (!UDMA_MUTANT(116))
		udma_store_source(x, batch->completion);
}

/* 0, acknowledged; or the code of a timeout, with the slots still taken (POLL-1). */
int udma_batch_wait(struct udma_xfer *x, const struct udma_batch *batch, bool is_async)
{
	if (UDMA_MUTANT(152))
		udma_batch_ack(x, batch);
	if (!udma_batch_poll(x, batch, is_async)) {
		if (UDMA_MUTANT(151))
			udma_batch_ack(x, batch);
		return udma_driver_timeout_code(x->dev->driver);
	}
	udma_batch_rearm(x, batch);
	if (!UDMA_MUTANT(152))
		udma_batch_ack(x, batch);
	return 0;
}
