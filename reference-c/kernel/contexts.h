/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The queue of zero-copy contexts and its completion ring (ZC-8). */
#ifndef UDMA_CONTEXTS_H
#define UDMA_CONTEXTS_H

#include <linux/atomic.h>

#include "pages.h"

/* One step of a copy. A slot not in use, or a tombstone, is UDMA_CONTEXT_INVALID. */
struct udma_context {
	struct udma_step step;
	struct udma_batch batch;
	u64 copy; /* number of the copy that it belongs to */
	u64 tag;
	u32 state; /* UDMA_CONTEXT_* */
	bool sync; /* its caller waits: no completion is written */
};

/* One writer, the driver; one reader, the runtime. */
struct udma_completion_ring {
	struct udma_completion *entries;
	u32 size; /* a power of two */
	atomic_t head; /* the reader's */
	atomic_t tail; /* the writer's */
};

/* head <= first_pinned_unsubmitted <= first_unpinned <= tail, all without end. */
struct udma_contexts {
	struct udma_contexts_cfg cfg;
	u64 head;
	u64 first_pinned_unsubmitted;
	u64 first_unpinned;
	u64 tail;
	u64 pinned; /* pages counted against the budget */
	u64 copies;
	u64 sync_copy; /* the copy whose caller waits */
	u64 sync_done; /* its completed steps */
	s32 sync_code; /* what ended it */
	struct udma_completion_ring completions;
	struct udma_context *slots;
};

static inline struct udma_context *udma_context_at(const struct udma_contexts *cq, u64 cursor)
{
	return &cq->slots[cursor % cq->cfg.capacity];
}

static inline u64 udma_contexts_free(const struct udma_contexts *cq)
{
	return cq->cfg.capacity - (cq->tail - cq->head);
}

#define udma_completion_put UDMA_SYM(completion_put)
#define udma_contexts_take UDMA_SYM(contexts_take)
#define udma_contexts_end UDMA_SYM(contexts_end)
#define udma_contexts_round UDMA_SYM(contexts_round)

/* contexts.c: false where the ring is full. */
bool udma_completion_put(struct udma_completion_ring *ring, u64 tag, s32 result) __hidden;

/* contexts_round.c */
void udma_contexts_take(struct udma_contexts *cq, struct udma_walk *walk, u64 copy, u64 tag,
			bool sync) __hidden;
void udma_contexts_end(struct udma_xfer *x, struct udma_contexts *cq, u64 copy, u64 tag,
		       bool sync, s32 code) __hidden;
bool udma_contexts_round(struct udma_xfer *x, struct udma_contexts *cq) __hidden;

#endif
