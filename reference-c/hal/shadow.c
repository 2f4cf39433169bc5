/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Shadow queues: the user-space count of slots handed out and of laps (SWQ-1 to
 * SWQ-3, SWQ-5).
 */
#include "phase.h"

#include <stdbool.h>

#define SHADOW_REFUSED (-1) /* SWQ-2 */

_Static_assert(sizeof(struct udma_shadow) == 12, "a shadow queue is 12 bytes"); /* SWQ */

int32_t UDMA_NAME(shadow_init)(struct udma_shadow *queue, uint32_t count)
{
    queue->next_desc_idx = 0; /* SWQ-1 */
    queue->desc_ring_id = UDMA_MUTANT(198) ? 0 : PHASE_FIRST_LAP;
    queue->desc_count = count;
    return 0;
}

static bool shadow_has(const struct udma_shadow *queue, uint32_t n)
{
    return n <= queue->desc_count; /* SWQ-2 */
}

/* Whether a queue that moves on to `end`, not yet cut to the ring, enters the
 * next lap. Ending exactly at the count does: the next slot is slot 0 (SWQ-5). */
static bool shadow_wraps(const struct udma_shadow *queue, uint64_t end, uint32_t n)
{
    if (UDMA_MUTANT(195))
        return end > queue->desc_count;
    if (UDMA_MUTANT(196) && n == queue->desc_count)
        return false;
    return end >= queue->desc_count;
}

/* Move on by n slots that the queue has. The sum takes 64 bits, so that it is
 * right for every count; 0 slots change nothing, and so a queue without slots
 * never gets as far as the division (SWQ-2). */
static void shadow_advance(struct udma_shadow *queue, uint32_t n)
{
    const uint64_t end = (uint64_t)queue->next_desc_idx + n;

    if (n == 0)
        return;
    if (shadow_wraps(queue, end, n))
        queue->desc_ring_id = phase_next(queue->desc_ring_id);
    queue->next_desc_idx = (uint32_t)(end % queue->desc_count);
}

/* Both rings are asked before either moves (SWQ-2). */
static int32_t reserve(struct udma_shadow *tx, struct udma_shadow *rx, uint32_t n,
                       uint32_t *tx_idx, uint32_t *rx_idx)
{
    const uint32_t tx_first = tx->next_desc_idx;
    const uint32_t rx_first = rx->next_desc_idx;

    if (!shadow_has(tx, n))
        return SHADOW_REFUSED;
    if (!shadow_has(rx, n)) {
        if (UDMA_MUTANT(114))
            shadow_advance(tx, n);
        return SHADOW_REFUSED;
    }

    shadow_advance(tx, n);
    shadow_advance(rx, n);
    *tx_idx = tx_first;
    *rx_idx = rx_first;
    return 0;
}

int32_t UDMA_NAME(shadow_reserve)(struct udma_shadow *tx, struct udma_shadow *rx, uint32_t n,
                                  uint32_t *tx_idx, uint32_t *rx_idx, int32_t *ret)
{
    *ret = reserve(tx, rx, n, tx_idx, rx_idx);
    return 0;
}

/* Slots from the next one on were last handed out in the lap before, those below
 * it in this one (SWQ-3). A queue without slots answers for every index as a
 * fresh one does for slot 0. */
int32_t UDMA_NAME(shadow_ring_id_at)(const struct udma_shadow *queue, uint32_t index, uint32_t *id)
{
    const uint32_t slot = queue->desc_count == 0 ? 0 : index % queue->desc_count;
    bool lap_before = slot >= queue->next_desc_idx;

    if (UDMA_MUTANT(197))
        lap_before = slot > queue->next_desc_idx;

    *id = lap_before ? phase_previous(queue->desc_ring_id) : queue->desc_ring_id;
    return 0;
}
