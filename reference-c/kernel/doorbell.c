/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Telling the engine how many descriptors were added. */
#include <asm/barrier.h>
#include <linux/bug.h>
#include <linux/io.h>

#include "engine.h"
#include "steps.h"
#include "version.h"

/* TX counts are taken as they are in mutant 73. */
static bool udma_count_fits(const struct udma_q *q, enum udma_type type, u32 count)
{
	if (UDMA_MUTANT(73) && type == UDMA_TX)
		return true;
	return count <= q->size;
}

/* TRIG-4, TRIG-5 */
static int udma_ring_doorbell(struct udma_q *q, enum udma_type type, u32 count)
{
	if (count == 0 || !udma_count_fits(q, type, count)) {
		BUG_ON(udma_driver_stops(udma_to_dev(q->udma)->driver));
		return -1;
	}
	/* The descriptors must be in memory before the engine hears of them. */
	if ((!UDMA_MUTANT(74) || type == UDMA_RX) && !UDMA_MUTANT(101) && !UDMA_MUTANT(102))
		mb();
	if (UDMA_MUTANT(103))
		mb();
	writel(count, UDMA_MUTANT(71) ? &q->q_regs->rings.drtp : &q->q_regs->rings.drtp_inc);
	if (UDMA_MUTANT(101))
		mb();
	return 0;
}

/* TRIG-3: a TX count of 0 rings RX only. */
static int udma_ring_tx(struct udma_q *txq, u32 count)
{
	return count ? udma_ring_doorbell(txq, UDMA_TX, count) : 0;
}

static int udma_ring_rx(struct udma_q *rxq, u32 count)
{
	if (UDMA_MUTANT(76) && count == 0)
		return 0;
	return udma_ring_doorbell(rxq, UDMA_RX, count);
}

noinline int udma_copy_start_q(struct udma_dev *dev, u32 qid, u32 m2s_count, u32 s2m_count)
{
	struct udma_q *txq, *rxq;
	int err;

	if (!udma_has_queue(dev, qid))
		return -1; /* TRIG-1 */
	txq = udma_get_q(dev, qid, UDMA_TX);
	rxq = udma_get_q(dev, qid, UDMA_RX);

	/* TRIG-1, TRIG-7: later versions look at both counts before ringing. */
	if (udma_driver_checks_counts(dev->driver) &&
	    (!udma_count_fits(txq, UDMA_TX, m2s_count) || !udma_count_fits(rxq, UDMA_RX, s2m_count)))
		return -1;
	if (UDMA_MUTANT(75) && m2s_count == 0)
		return -1;

	if (UDMA_MUTANT(72) && s2m_count != 0) {
		err = udma_ring_tx(txq, m2s_count);
		return err ? err : udma_ring_rx(rxq, s2m_count);
	}
	/* TRIG-2: the destination is armed before the source may be read. */
	err = udma_ring_rx(rxq, UDMA_MUTANT(104) && m2s_count != 0 && s2m_count != 0 ? m2s_count : s2m_count);
	if (err) {
		if (UDMA_MUTANT(78))
			(void)udma_ring_tx(txq, m2s_count);
		return err; /* TRIG-6 */
	}
	return udma_ring_tx(txq, m2s_count);
}

int32_t UDMA_SYM(copy_start)(void *engine, uint32_t qid, uint32_t m2s_count, uint32_t s2m_count,
			     int32_t *ret)
{
	struct udma_dev *dev = engine;
	struct task_struct task;

	if (!dev)
		return UDMA_NOT_OFFERED;
	kshim_begin(&task, &dev->hooks);
	if (kshim_oops(&task))
		*ret = UDMA_BUG;
	else
		*ret = udma_copy_start_q(dev, qid, m2s_count, s2m_count);
	kshim_end(&task);
	return 0;
}
