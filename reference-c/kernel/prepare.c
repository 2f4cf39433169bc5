/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One copy into the two rings of a queue. */
#include "pair.h"
#include "ring.h"
#include "steps.h"

/* RING-11: a ring without room; one that is not a power of two has none. */
static int udma_need_slot(const struct udma_q *q)
{
	if (likely(udma_available_get(q) >= 1))
		return 0;
	if (UDMA_MUTANT(99) && !is_power_of_2(q->size))
		return -EINVAL;
	return UDMA_MUTANT(83) ? -1 : -ENOMEM;
}

/* TX is asked first. */
static int udma_need_slots(const struct udma_q *txq, const struct udma_q *rxq)
{
	int err = UDMA_MUTANT(84) ? 0 : udma_need_slot(txq);

	return err ? err : udma_need_slot(rxq);
}

static struct udma_desc *udma_slot(const struct udma_q *q, s64 idx, struct udma_desc *nowhere)
{
	if (UDMA_MUTANT(53) && !q->desc_base_ptr)
		return nowhere;
	return q->desc_base_ptr + idx;
}

#ifdef UDMA_MUTANTS
/* An oversize request that costs a slot on both rings. */
static void udma_waste_slots(struct udma_q *txq, struct udma_q *rxq)
{
	if (!is_power_of_2(txq->size) || !is_power_of_2(rxq->size) || udma_need_slots(txq, rxq))
		return;
	if (udma_desc_get(rxq) != UDMA_NO_SLOT)
		(void)udma_ring_id_get(rxq);
	if (udma_desc_get(txq) != UDMA_NO_SLOT)
		(void)udma_ring_id_get(txq);
}
#endif

/* Slots and phases, RX first; whatever is refused later, they stay taken (ERR-16). */
static int udma_stage(struct udma_q *txq, struct udma_q *rxq, struct udma_copy *copy)
{
	u32 rx_idx = rxq->next_desc_idx, tx_idx = txq->next_desc_idx;
	u32 rx_phase = rxq->desc_ring_id, tx_phase = txq->desc_ring_id;
	s64 rx_slot = udma_desc_get(rxq);
	s64 tx_slot = udma_desc_get(txq);
	struct udma_desc nowhere = { { 0 } };
	int err;

	if (rx_slot == UDMA_NO_SLOT || tx_slot == UDMA_NO_SLOT) {
		if (UDMA_MUTANT(86)) {
			rxq->next_desc_idx = rx_idx;
			txq->next_desc_idx = tx_idx;
		}
		return -EINVAL; /* RING-7, RING-11 */
	}
	copy->rx_ring_id = udma_ring_id_get(rxq);
	copy->tx_ring_id = udma_ring_id_get(txq);

	err = udma_build_pair(udma_slot(rxq, rx_slot, &nowhere), udma_slot(txq, tx_slot, &nowhere),
			      copy);
	if (UDMA_MUTANT(11) && err == -EINVAL) {
		rxq->next_desc_idx = rx_idx;
		txq->next_desc_idx = tx_idx;
		rxq->desc_ring_id = rx_phase;
		txq->desc_ring_id = tx_phase;
	}
	return err;
}

/* RING-8, RING-11: qid, size, room, slots, phases, pair. */
noinline int udma_prepare_one(struct udma_dev *dev, u32 qid, struct udma_copy *copy)
{
	struct udma_q *txq, *rxq;
	int err;

	if (!udma_has_queue(dev, qid))
		return -1;
	txq = udma_get_q(dev, qid, UDMA_TX);
	rxq = udma_get_q(dev, qid, UDMA_RX);

	if (UDMA_MUTANT(54)) {
		err = udma_need_slots(txq, rxq);
		if (err)
			return err;
	}
	err = udma_check_size(copy->size, copy->driver);
#ifdef UDMA_MUTANTS
	if (UDMA_MUTANT(55) && copy->size > UDMA_MAX_TRANSFER)
		udma_waste_slots(txq, rxq);
#endif
	if (err)
		return err;
	err = udma_need_slots(txq, rxq);
	if (err)
		return err;
	return udma_stage(txq, rxq, copy);
}

int32_t UDMA_SYM(prepare)(void *engine, uint32_t qid, const struct udma_pair_in *in, int32_t *ret)
{
	struct udma_dev *dev = engine;
	struct task_struct task;
	struct udma_copy copy;

	if (!dev)
		return UDMA_NOT_OFFERED;
	copy.src = in->src;
	copy.dst = in->dst;
	copy.size = in->size;
	copy.mode = in->mode;
	copy.dst_int = in->dst_int != 0;
	copy.arch = dev->arch;
	copy.driver = dev->driver;

	kshim_begin(&task, NULL);
	if (kshim_oops(&task))
		*ret = UDMA_BUG;
	else
		*ret = udma_prepare_one(dev, qid, &copy);
	kshim_end(&task);
	return 0;
}
