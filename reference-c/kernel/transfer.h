/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A queue that carries host transfers, and one batch on it. */
#ifndef UDMA_TRANSFER_H
#define UDMA_TRANSFER_H

#include <linux/errno.h>
#include <linux/minmax.h>

#include "arch.h"
#include "steps.h"
#include "version.h"

#define UDMA_MARKER 0xabcdef01u
#define UDMA_MARKER_SIZE 4u
#define UDMA_POLL_WORD 4u          /* in a completion buffer (MARK-1) */
#define UDMA_COMPLETION_SIZE 8u
#define UDMA_HANDLES 3u            /* SYNC, ASYNC1, ASYNC2 (MARK-4) */

/* Data pairs with the marker that tells when they are done. */
struct udma_batch {
	u64 completion; /* CPU address */
	u64 bytes;
	s32 marker_mode;
	u32 pairs; /* data pairs */
#ifdef UDMA_MUTANTS
	u32 rx_first; /* slot of its first RX descriptor */
	bool rearms;  /* its marker was armed before */
	bool marked;
#endif
};

/* What is left of a transfer, from the start of a batch on. */
struct udma_job {
	struct udma_transfer in;
	u64 offset;
	u64 left;
	u64 started; /* the clock of RTRY-1 */
};

/* A batch of a transfer; the job is kept so that it can be staged again. */
struct udma_sent {
	struct udma_job job;
	struct udma_batch batch;
	u64 order; /* of asynchronous submits */
	bool in_use;
};

struct udma_contexts;

struct udma_xfer {
	struct udma_dev *dev;
	u32 qid;
	struct udma_transfer_cfg cfg;
	u64 submits;
	struct udma_sent sent[UDMA_HANDLES];
	struct udma_contexts *contexts;
};

/* An operation that a BUG may end. The work is a noinline function. */
#define udma_guarded(dev, result, work)                                                            \
	do {                                                                                       \
		struct task_struct task;                                                           \
                                                                                                   \
		kshim_begin(&task, &(dev)->hooks);                                                 \
		if (kshim_oops(&task))                                                             \
			(result) = UDMA_BUG;                                                       \
		else                                                                               \
			(result) = (work);                                                         \
		kshim_end(&task);                                                                  \
	} while (0)

/* NULL unless the queue was opened for transfers. */
static inline struct udma_xfer *udma_find_xfer(void *engine, u32 qid)
{
	struct udma_dev *dev = engine;

	return dev && qid < UDMA_QUEUES ? dev->xfer[qid] : NULL;
}

static inline const struct udma_host *udma_xfer_host(const struct udma_xfer *x)
{
	return &x->dev->host;
}

/* HOST-1: host memory as the engine sees it. */
static inline u64 udma_host_dma(const struct udma_xfer *x, u64 cpu)
{
	return cpu | udma_host_window(x->dev->arch);
}

#define udma_batch_open UDMA_SYM(batch_open)
#define udma_batch_add UDMA_SYM(batch_add)
#define udma_batch_mark UDMA_SYM(batch_mark)
#define udma_batch_ring UDMA_SYM(batch_ring)
#define udma_batch_wait UDMA_SYM(batch_wait)
#define udma_copy_sync UDMA_SYM(copy_sync)
#define udma_job_open UDMA_SYM(job_open)
#define udma_sent_stage UDMA_SYM(sent_stage)
#define udma_sent_wait UDMA_SYM(sent_wait)
#define udma_contexts_close UDMA_SYM(contexts_close)

/* batch.c: add data pairs, mark, ring, wait. */
void udma_batch_open(struct udma_xfer *x, struct udma_batch *batch, u64 completion,
		     s32 marker_mode) __hidden;
int udma_batch_add(struct udma_xfer *x, struct udma_batch *batch, struct udma_copy *copy,
		   bool last) __hidden;
int udma_batch_mark(struct udma_xfer *x, struct udma_batch *batch) __hidden;
int udma_batch_ring(struct udma_xfer *x, struct udma_batch *batch) __hidden;
int udma_batch_wait(struct udma_xfer *x, const struct udma_batch *batch, bool is_async) __hidden;

/* copy.c */
void udma_job_open(struct udma_xfer *x, struct udma_job *job, const struct udma_transfer *in)
	__hidden;
int udma_sent_stage(struct udma_xfer *x, struct udma_sent *sent, u32 handle) __hidden;
int udma_sent_wait(struct udma_xfer *x, u32 handle, struct udma_sent *sent, u32 newer_handle,
		   struct udma_sent *newer, bool is_async) __hidden;
int udma_copy_sync(struct udma_xfer *x, const struct udma_transfer *in) __hidden;

/* contexts.c: NULL is let through. */
void udma_contexts_close(struct udma_contexts *cq) __hidden;

#endif
