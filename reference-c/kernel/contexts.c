/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Taking copies into the context queue, and the runtime's side of it. */
#include <linux/log2.h>
#include <linux/slab.h>

#include "contexts.h"

bool udma_completion_put(struct udma_completion_ring *ring, u64 tag, s32 result)
{
	u32 tail = atomic_read(&ring->tail);
	struct udma_completion *entry = &ring->entries[tail & (ring->size - 1)];

	if (tail - atomic_read_acquire(&ring->head) >= ring->size && !UDMA_MUTANT(180))
		return false;
	entry->tag = tag;
	entry->result = result;
	entry->unused = 0;
	atomic_set_release(&ring->tail, tail + 1); /* the entry is seen before the tail */
	return true;
}

static bool udma_completion_get(struct udma_completion_ring *ring, struct udma_completion *out)
{
	u32 head = atomic_read(&ring->head);

	if (head == atomic_read_acquire(&ring->tail))
		return false;
	*out = ring->entries[head & (ring->size - 1)];
	atomic_set_release(&ring->head, head + 1); /* read before it is given back */
	return true;
}

static struct udma_contexts *udma_find_contexts(void *engine, u32 qid)
{
	struct udma_xfer *x = udma_find_xfer(engine, qid);

	return x ? x->contexts : NULL;
}

void udma_contexts_close(struct udma_contexts *cq)
{
	if (!cq)
		return;
	kfree(cq->completions.entries);
	kfree(cq->slots);
	kfree(cq);
}

int32_t UDMA_SYM(contexts_open)(void *engine, uint32_t qid, const struct udma_contexts_cfg *cfg)
{
	struct udma_xfer *x = udma_find_xfer(engine, qid);
	struct udma_contexts *cq;

	if (!x || cfg->capacity == 0 || !is_power_of_2(cfg->entries))
		return UDMA_NOT_OFFERED;
	cq = kzalloc(sizeof(*cq), GFP_KERNEL);
	if (!cq)
		return UDMA_NOT_OFFERED;
	cq->cfg = *cfg;
	cq->slots = kzalloc(cfg->capacity * sizeof(*cq->slots), GFP_KERNEL);
	cq->completions.size = cfg->entries;
	cq->completions.entries =
		kzalloc(cfg->entries * sizeof(*cq->completions.entries), GFP_KERNEL);
	if (!cq->slots || !cq->completions.entries) {
		udma_contexts_close(cq);
		return UDMA_NOT_OFFERED;
	}
	udma_contexts_close(x->contexts);
	x->contexts = cq;
	return 0;
}

/* Makes no access: contexts_advance does the work. */
static int udma_submit_work(struct udma_xfer *x, const struct udma_zerocopy_in *in, u64 tag)
{
	struct udma_contexts *cq = x->contexts;
	int full = UDMA_MUTANT(182) ? -ENOMEM : -EBUSY;
	struct udma_walk walk;
	u64 copy;

	if (!udma_core_allowed(x, in->core))
		return -ENOENT; /* ZC-7 */
	if (in->size == 0)
		return udma_completion_put(&cq->completions, tag, 0) ? 0 : -EBUSY;
	udma_walk_open(&walk, in);
	if (udma_walk_steps(&walk) > udma_contexts_free(cq))
		return full;
	copy = ++cq->copies;
	while (walk.left)
		udma_contexts_take(cq, &walk, copy, tag, false);
	return 0;
}

int32_t UDMA_SYM(contexts_submit)(void *engine, uint32_t qid, const struct udma_zerocopy_in *in,
				  uint64_t tag, int32_t *ret)
{
	struct udma_xfer *x = udma_find_xfer(engine, qid);

	if (!x || !x->contexts)
		return UDMA_NOT_OFFERED;
	*ret = udma_submit_work(x, in, tag);
	return 0;
}

/*
 * Steps go in as places come free. A caller that gives up takes its steps along:
 * nothing may reach its pages once it has returned.
 */
static noinline int udma_contexts_copy_work(struct udma_xfer *x,
					    const struct udma_zerocopy_in *in)
{
	struct udma_contexts *cq = x->contexts;
	struct udma_walk walk;
	u64 copy, steps;

	if (!udma_core_allowed(x, in->core))
		return -ENOENT; /* ZC-7 */
	if (in->size == 0)
		return 0;
	udma_walk_open(&walk, in);
	steps = udma_walk_steps(&walk);
	copy = ++cq->copies;
	cq->sync_copy = copy;
	cq->sync_done = 0;
	cq->sync_code = 0;
	for (;;) {
		bool moved;

		while (walk.left && udma_contexts_free(cq))
			udma_contexts_take(cq, &walk, copy, 0, true);
		moved = udma_contexts_round(x, cq);
		if (cq->sync_code)
			return cq->sync_code;
		if (cq->sync_done == steps)
			return 0;
		if (!moved) {
			udma_contexts_end(x, cq, copy, 0, true, -EBUSY);
			return -EBUSY;
		}
	}
}

int32_t UDMA_SYM(contexts_copy)(void *engine, uint32_t qid, const struct udma_zerocopy_in *in,
				int32_t *ret)
{
	struct udma_xfer *x = udma_find_xfer(engine, qid);

	if (!x || !x->contexts)
		return UDMA_NOT_OFFERED;
	udma_guarded(x->dev, *ret, udma_contexts_copy_work(x, in));
	return 0;
}

static noinline int udma_advance_work(struct udma_xfer *x)
{
	return udma_contexts_round(x, x->contexts);
}

int32_t UDMA_SYM(contexts_advance)(void *engine, uint32_t qid, uint32_t *moved)
{
	struct udma_xfer *x = udma_find_xfer(engine, qid);
	int result;

	if (!x || !x->contexts)
		return UDMA_NOT_OFFERED;
	udma_guarded(x->dev, result, udma_advance_work(x));
	*moved = result == 1;
	return result == UDMA_BUG ? UDMA_BUG : 0;
}

int32_t UDMA_SYM(contexts_state)(void *engine, uint32_t qid, struct udma_contexts_state *out)
{
	const struct udma_contexts *cq = udma_find_contexts(engine, qid);

	if (!cq)
		return UDMA_NOT_OFFERED;
	out->head = cq->head;
	out->first_pinned_unsubmitted = cq->first_pinned_unsubmitted;
	out->first_unpinned = cq->first_unpinned;
	out->tail = cq->tail;
	out->pinned = cq->pinned;
	return 0;
}

int32_t UDMA_SYM(contexts_at)(void *engine, uint32_t qid, uint32_t index, uint32_t *state)
{
	const struct udma_contexts *cq = udma_find_contexts(engine, qid);

	if (!cq || index >= cq->cfg.capacity)
		return UDMA_NOT_OFFERED;
	*state = udma_context_at(cq, index)->state;
	return 0;
}

int32_t UDMA_SYM(completion_pop)(void *engine, uint32_t qid, struct udma_completion *out,
				 uint32_t *got)
{
	struct udma_contexts *cq = udma_find_contexts(engine, qid);

	if (!cq)
		return UDMA_NOT_OFFERED;
	*got = udma_completion_get(&cq->completions, out);
	return 0;
}
