/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The ring operations a caller may ask for one by one. */
#include "ring.h"
#include "steps.h"

/* RING-9: room for the guard is added first; all in 32 bits. */
u32 udma_round_ring(u32 want)
{
	u32 sum = want + UDMA_RING_GUARD;

	if (want < UDMA_MIN_RING)
		return UDMA_MIN_RING * 2;
	if (UDMA_MUTANT(56))
		sum = want;
	if (UDMA_MUTANT(57))
		return (u32)roundup_pow_of_two((u64)want + UDMA_RING_GUARD);
	return (u32)roundup_pow_of_two(sum);
}

int32_t UDMA_SYM(ring_size)(const uint32_t *want, uint32_t *out, uint32_t n)
{
	for (u32 i = 0; i < n; i++)
		out[i] = udma_round_ring(want[i]);
	return 0;
}

/* The three that may end in a BUG: each has the frame that it returns to. */
static noinline s64 udma_try_get(struct udma_q *q)
{
	struct task_struct task;
	s64 slot;

	kshim_begin(&task, NULL);
	if (kshim_oops(&task))
		slot = UDMA_BUG;
	else
		slot = udma_desc_get(q);
	kshim_end(&task);
	return slot;
}

static noinline int udma_try_ack(struct udma_q *q, u32 count)
{
	struct task_struct task;
	int ret;

	kshim_begin(&task, NULL);
	if (kshim_oops(&task))
		ret = UDMA_BUG;
	else
		ret = udma_cdesc_ack(q, count);
	kshim_end(&task);
	return ret;
}

static noinline s64 udma_try_available(struct udma_q *q)
{
	struct task_struct task;
	s64 available;

	kshim_begin(&task, NULL);
	if (kshim_oops(&task))
		available = UDMA_BUG;
	else
		available = udma_available_get(q);
	kshim_end(&task);
	return available;
}

int32_t UDMA_SYM(ring_get)(void *engine, uint32_t qid, uint32_t ring, int64_t *slot)
{
	struct udma_q *q = udma_find_q(engine, qid, ring);

	if (!q)
		return UDMA_NOT_OFFERED;
	*slot = udma_try_get(q);
	return 0;
}

int32_t UDMA_SYM(ring_id)(void *engine, uint32_t qid, uint32_t ring, uint32_t *id)
{
	struct udma_q *q = udma_find_q(engine, qid, ring);

	if (!q)
		return UDMA_NOT_OFFERED;
	*id = udma_ring_id_get(q);
	return 0;
}

int32_t UDMA_SYM(ring_ack)(void *engine, uint32_t qid, uint32_t ring, uint32_t count,
			   int32_t *ret)
{
	struct udma_q *q = udma_find_q(engine, qid, ring);

	if (!q)
		return UDMA_NOT_OFFERED;
	*ret = udma_try_ack(q, count);
	return 0;
}

int32_t UDMA_SYM(ring_available)(void *engine, uint32_t qid, uint32_t ring, int64_t *out)
{
	struct udma_q *q = udma_find_q(engine, qid, ring);

	if (!q)
		return UDMA_NOT_OFFERED;
	*out = udma_try_available(q);
	return 0;
}
