/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cursors and phase of one ring. */
#ifndef UDMA_RING_H
#define UDMA_RING_H

#include <linux/bug.h>
#include <linux/log2.h>

#include "engine.h"
#include "version.h"

#define UDMA_NO_SLOT ((s64)-1)

/* RING-6: such a ring ends the call in old versions, and is refused in new ones. */
static inline bool udma_ring_refused(const struct udma_q *q)
{
	if (likely(is_power_of_2(q->size)))
		return false;
	BUG_ON(udma_driver_stops(udma_to_dev(q->udma)->driver) && !UDMA_MUTANT(91));
	return true;
}

/* RING-7 */
static inline bool udma_ring_hands_out(const struct udma_q *q)
{
	return (q->desc_base_ptr && q->is_allocatable) || UDMA_MUTANT(53);
}

/* RING-2: the guard is never handed out. */
static inline u32 udma_available_get(const struct udma_q *q)
{
	u32 guard = UDMA_MUTANT(8) ? UDMA_RING_GUARD - 1 : UDMA_RING_GUARD;

	if (!UDMA_MUTANT(52) && udma_ring_refused(q))
		return 0;
	return (atomic_read(&q->next_cdesc_idx) - (q->next_desc_idx + guard)) & q->size_mask;
}

/* RING-3: the index of the next slot; the free count is the caller's affair. */
static inline s64 udma_desc_get(struct udma_q *q)
{
	u32 idx = q->next_desc_idx;

	if (udma_ring_refused(q) || !udma_ring_hands_out(q))
		return UDMA_NO_SLOT;
	q->next_desc_idx = (idx + 1) & q->size_mask;
	if (UDMA_MUTANT(51) && idx + 1 >= q->size - 1)
		q->next_desc_idx = 0;
	if (UDMA_MUTANT(82))
		atomic_set(&q->next_cdesc_idx,
			   (atomic_read(&q->next_cdesc_idx) + 1) & q->size_mask);
#ifdef UDMA_MUTANTS
	q->phase_asked = false;
#endif
	return idx;
}

/* Whether a call for the phase at this moment moves it on. */
static inline bool udma_phase_steps(struct udma_q *q)
{
	if (q->next_desc_idx != 0)
		return false;
#ifdef UDMA_MUTANTS
	if (UDMA_MUTANT(81) && q->phase_asked)
		return false;
	if (UDMA_MUTANT(98) && (!is_power_of_2(q->size) || !udma_ring_hands_out(q)))
		return false;
	q->phase_asked = true;
#endif
	return true;
}

/* RING-4: to be called once per slot, after it was handed out. */
static inline u32 udma_ring_id_get(struct udma_q *q)
{
	u32 ring_id = q->desc_ring_id;

	if (udma_phase_steps(q)) {
		q->desc_ring_id = ring_id + 1;
		if (!UDMA_MUTANT(6))
			q->desc_ring_id &= UDMA_RING_ID_WRAP;
		if (UDMA_MUTANT(106))
			ring_id = q->desc_ring_id;
	}
	return ring_id;
}

/* RING-5: a count acknowledged meanwhile by another thread is kept. */
static inline int udma_cdesc_ack(struct udma_q *q, u32 count)
{
	u32 mask = UDMA_MUTANT(9) ? ~(u32)0 : q->size_mask;
	u32 old = atomic_read(&q->next_cdesc_idx);

	if (udma_ring_refused(q))
		return -1;
	while (!atomic_try_cmpxchg(&q->next_cdesc_idx, &old, (old + count) & mask))
		;
	return 0;
}

#endif
