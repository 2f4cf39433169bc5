/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Setting up the two rings of a queue, and what is kept of them. */
#include <linux/errno.h>
#include <linux/io.h>

#include "engine.h"
#include "steps.h"

/* QINI-1, per side. */
static int udma_check_ring(const struct udma_q_params *params)
{
	u32 align = UDMA_MUTANT(59) ? 64u : UDMA_RING_ALIGN;

	if (!IS_ALIGNED(params->desc_phy_base, align))
		return -1;
	if (UDMA_MUTANT(68) && params->type == UDMA_RX)
		return 0;
	/* A whole number of 256-byte lines, so that the end is aligned too. */
	return IS_ALIGNED(params->size, UDMA_RING_ALIGN / 16) ? 0 : -1;
}

/* QINI-3, QINI-4 */
static int udma_check_q(const struct udma_dev *dev, u32 qid, const struct udma_q_params *params)
{
	u32 most = UDMA_MUTANT(62) ? 1u << 24 : UDMA_MAX_RING;

	if (!udma_has_queue(dev, qid))
		return -EINVAL;
	if (params->size < UDMA_MIN_RING || params->size > most)
		return -EINVAL;
	return 0;
}

/* QINI-6, RING-1: the state of a ring that was just set up. */
static void udma_q_fill(struct udma_q *q, u32 qid, const struct udma_q_params *params)
{
	bool keep = UDMA_MUTANT(66) && q->size != 0;

	q->size = params->size;
	q->size_mask = params->size - 1;
	if (keep) {
		q->next_desc_idx &= q->size_mask;
	} else {
		q->next_desc_idx = 0;
		q->desc_ring_id = UDMA_MUTANT(7) ? 0 : UDMA_FIRST_RING_ID;
		atomic_set(&q->next_cdesc_idx, 0);
	}
#ifdef UDMA_MUTANTS
	q->phase_asked = false;
#endif
	q->desc_base_ptr = params->desc_base;
	q->desc_phy_base = params->desc_phy_base;
	q->is_allocatable = params->allocatable;
	q->cdesc_base_ptr = params->cdesc_base; /* RING-10: always NULL */
	q->cdesc_phy_base = params->cdesc_phy_base;
	q->cdesc_size = 0;
	q->end_cdesc_ptr = NULL;
	q->comp_head_idx = 0;
	q->comp_head_ptr = NULL;
	q->pkt_crnt_descs = 0;
	q->comp_ring_id = UDMA_FIRST_RING_ID;
	q->flags = UDMA_Q_NO_COMPLETION_RING;
	q->status = UDMA_QUEUE_ENABLED;
	q->qid = qid;
	q->eng_id = params->eng_id;
	q->type = params->type;
	q->adapter_rev_id = params->adapter_rev_id;
}

/* QINI-5: steps 1 to 8 for TX, 2 to 8 for RX. */
static void udma_q_program(struct udma_q *q)
{
	union udma_q_regs __iomem *regs = q->q_regs;
	bool tx = q->type == UDMA_TX;

	if (tx && !UDMA_MUTANT(64)) {
		/* The DMB pause goes from the register only; the copy keeps it. */
		writel(q->rlimit_mask & ~UDMA_RLIMIT_DMB_PAUSE, &regs->m2s_q.rlimit.mask);
	}
	if (tx && UDMA_MUTANT(65))
		q->rlimit_mask &= ~UDMA_RLIMIT_DMB_PAUSE;

	/* The queue stands still while its ring is changed. */
	q->cfg &= ~(UDMA_Q_PREFETCH | UDMA_Q_SCHEDULING);
	writel(q->cfg, &regs->rings.cfg);
	writel(UDMA_Q_RESET,
	       tx || UDMA_MUTANT(63) ? &regs->m2s_q.q_sw_ctrl : &regs->s2m_q.q_sw_ctrl);
	writel(lower_32_bits(q->desc_phy_base), &regs->rings.drbp_low);
	writel(upper_32_bits(q->desc_phy_base), &regs->rings.drbp_high);
	writel(UDMA_MUTANT(97) ? q->size & 0xffff : q->size, &regs->rings.drl);
	writel(0, tx ? &regs->m2s_q.comp_cfg : &regs->s2m_q.comp_cfg);

	q->cfg |= UDMA_Q_PREFETCH | UDMA_Q_SCHEDULING;
	writel(q->cfg, &regs->rings.cfg);
}

static int udma_q_init(struct udma_dev *dev, u32 qid, const struct udma_q_params *params)
{
	struct udma_q *q;
	int err = udma_check_q(dev, qid, params);

	if (err)
		return err;
	q = udma_get_q(dev, qid, params->type);
	udma_q_fill(q, qid, params);
	udma_q_program(q);
	return 0;
}

int udma_m2m_init(struct udma_dev *dev, u32 qid, const struct udma_queue_cfg *cfg)
{
	struct udma_q_params tx = {
		.size = cfg->tx_size,
		.allocatable = cfg->allocatable,
		.desc_base = cfg->tx_mem,
		.desc_phy_base = cfg->tx_base,
		.type = UDMA_TX,
		.eng_id = dev->eng_id,
	};
	struct udma_q_params rx = {
		.size = cfg->rx_size,
		.allocatable = cfg->allocatable,
		.desc_base = cfg->rx_mem,
		.desc_phy_base = cfg->rx_base,
		.type = UDMA_RX,
		.eng_id = UDMA_MUTANT(67) ? dev->eng_id : 0, /* QINI-8: TX only */
	};
	int err;

	/* QINI-1: all of it before the first write. */
	if (udma_check_ring(&tx) || udma_check_ring(&rx))
		return -1;
	if (cfg->completion_ring && !UDMA_MUTANT(58))
		return -1; /* QINI-2 */

	if (UDMA_MUTANT(60)) {
		err = udma_check_q(dev, qid, &rx);
		if (err)
			return err;
	}
	err = udma_q_init(dev, qid, &tx);
	if (err)
		return err;
	return udma_q_init(dev, qid, &rx); /* QINI-7: TX stays programmed if refused */
}

int32_t UDMA_SYM(queue_init)(void *engine, uint32_t qid, const struct udma_queue_cfg *cfg,
			     int32_t *ret)
{
	struct udma_dev *dev = engine;
	struct task_struct task;

	if (!dev)
		return UDMA_NOT_OFFERED;
	kshim_begin(&task, &dev->hooks);
	*ret = udma_m2m_init(dev, qid, cfg);
	kshim_end(&task);
	if (*ret == 0 && qid < UDMA_QUEUES) {
		dev->queue_cfg[qid] = *cfg; /* for a retry (RTRY-1) */
		dev->queue_ready[qid] = true;
	}
	return 0;
}

int32_t UDMA_SYM(queue_sw)(void *engine, uint32_t qid, uint32_t ring, struct udma_queue_sw *out)
{
	const struct udma_q *q = udma_find_q(engine, qid, ring);

	if (!q)
		return UDMA_NOT_OFFERED;
	out->desc_phy_base = q->desc_phy_base;
	out->size_mask = q->size_mask;
	out->next_desc_idx = q->next_desc_idx;
	out->desc_ring_id = q->desc_ring_id;
	out->next_cdesc_idx = atomic_read(&q->next_cdesc_idx);
	out->size = q->size;
	out->status = (u32)q->status;
	out->qid = q->qid;
	out->type = (u32)q->type;
	out->cfg = q->cfg;
	out->rlimit_mask = q->rlimit_mask;
	out->is_allocatable = q->is_allocatable;
	out->flags = q->flags;
	out->cdesc_size = q->cdesc_size;
	out->comp_ring_id = q->comp_ring_id;
	out->engine_id = q->eng_id;
	out->unused = 0;
	return 0;
}
