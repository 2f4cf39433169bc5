/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The software state of an engine, and opening one. */
#include <linux/errno.h>
#include <linux/slab.h>

#include "engine.h"
#include "steps.h"
#include "window.h"

_Thread_local struct task_struct *kshim_current;

/* REGS-1: the blocks of a direction lie one after another. */
static union udma_q_regs __iomem *udma_q_window(u32 qid, enum udma_type type)
{
	size_t base = offsetof(struct unit_regs_v4, m2s.m2s_q);

	if (type == UDMA_RX)
		base = UDMA_MUTANT(87) ? offsetof(struct unit_regs_v4, s2m) :
					 offsetof(struct unit_regs_v4, s2m.s2m_q);
	return (void *)((char *)&udma_window + base + qid * sizeof(union udma_q_regs));
}

/* QINI-6: what engine initialisation leaves in a queue. */
static void udma_q_reset(struct udma_dev *dev, struct udma_q *q, u32 qid, enum udma_type type)
{
	q->udma = &dev->udma;
	q->q_regs = udma_q_window(qid, type);
	q->status = UDMA_QUEUE_ENABLED;
	q->cfg = UDMA_Q_CFG_RESET;
	q->rlimit_mask = type == UDMA_TX ? UDMA_RLIMIT_MASK_RESET : 0;
}

/* EINI-1: above 16 there is no such engine. */
static bool udma_count_refused(u32 count, u8 num_of_queues)
{
	if (UDMA_MUTANT(357) && count > 0xff)
		return true;
	if (UDMA_MUTANT(358) && count == 0)
		return true;
	return num_of_queues > UDMA_QUEUES;
}

int udma_handle_init(struct udma_dev *dev, u32 count, bool reserve_max_read_axi_id)
{
	u8 num_of_queues = (u8)(count & 0xff); /* EINI-1, QINI-8 */
	struct udma *udma = &dev->udma;

	if (num_of_queues == UDMA_ALL_QUEUES)
		num_of_queues = UDMA_QUEUES;
	udma->state_m2s = UDMA_DISABLE;
	udma->state_s2m = UDMA_DISABLE;
	udma->num_of_queues_max = UDMA_QUEUES;
	udma->num_of_queues = num_of_queues;
	udma->rev_id = UDMA_REV_ID;
	udma->reserve_max_read_axi_id = reserve_max_read_axi_id && !UDMA_MUTANT(366);
	if (udma_count_refused(count, num_of_queues))
		return -EINVAL;

	udma->cdesc_size = UDMA_CDESC_SIZE;
	udma->unit_regs_base = &udma_window;
	udma->udma_regs_m2s = &udma_window.m2s;
	udma->udma_regs_s2m = &udma_window.s2m;
	udma->gen_regs = &udma_window.gen;
	udma->gen_axi_regs = &udma_window.gen.axi;
	udma->gen_int_regs = &udma_window.gen.interrupt_regs;
	udma->gen_ex_regs = &udma_window.gen_ex;
	for (u32 qid = 0; qid < UDMA_QUEUES; qid++) {
		udma_q_reset(dev, &udma->udma_q_m2s[qid], qid, UDMA_TX);
		udma_q_reset(dev, &udma->udma_q_s2m[qid], qid, UDMA_RX);
	}
#ifdef UDMA_MUTANTS
	udma_q_reset(dev, &dev->past_end[UDMA_TX], UDMA_QUEUES, UDMA_TX);
	udma_q_reset(dev, &dev->past_end[UDMA_RX], UDMA_QUEUES, UDMA_RX);
#endif
	return 0;
}

int32_t UDMA_SYM(info)(struct udma_info *out)
{
	out->abi_version = UDMA_ABI_VERSION;
	out->line = UDMA_LINE_KERNEL;
	return 0;
}

int32_t UDMA_SYM(engine_open)(const struct udma_engine_cfg *cfg, void **engine)
{
	struct udma_dev *dev;

	*engine = NULL;
	dev = kzalloc(sizeof(*dev), GFP_KERNEL);
	if (!dev)
		return UDMA_NOT_OFFERED;
	dev->arch = cfg->arch;
	dev->driver = cfg->driver;
	dev->eng_id = cfg->engine_id;
	dev->host = cfg->host;
	udma_engine_hooks(&dev->hooks, &dev->host);
	if (udma_handle_init(dev, cfg->num_queues, false)) {
		kfree(dev);
		return UDMA_NOT_OFFERED;
	}
	*engine = dev;
	return 0;
}

int32_t UDMA_SYM(engine_close)(void *engine)
{
	struct udma_dev *dev = engine;

	if (dev) {
		for (u32 qid = 0; qid < UDMA_QUEUES; qid++)
			udma_transfer_close(dev, qid);
	}
	kfree(dev);
	return 0;
}
