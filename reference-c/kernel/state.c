/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the registers of a queue say (REGS-2). */
#include <linux/io.h>

#include "engine.h"

#define UDMA_BASE_MASK (~(u64)0x3f)
#define UDMA_INDEX_MASK GENMASK(23, 0)

static u64 udma_read_base(const u32 __iomem *low, const u32 __iomem *high)
{
	u64 base = readl(low);

	return base | (u64)readl(high) << 32;
}

static void udma_ring_report(const struct udma_q *q, u32 sw_status, struct udma_ring_state *out)
{
	const struct udma_rings_regs __iomem *regs = &q->q_regs->rings;
	u32 head;

	out->hw_status = readl(&regs->status);
	out->sw_status = sw_status;
	out->raw_base = udma_read_base(&regs->drbp_low, &regs->drbp_high);
	out->base_addr = UDMA_MUTANT(69) ? out->raw_base : out->raw_base & UDMA_BASE_MASK;
	out->completion_base_addr = udma_read_base(&regs->crbp_low, &regs->crbp_high);
	out->raw_length = readl(&regs->drl);
	out->length = out->raw_length & UDMA_INDEX_MASK;
	head = readl(&regs->drhp) & UDMA_INDEX_MASK;
	out->head_pointer = UDMA_MUTANT(70) ? head & 0xffff : head;
	out->tail_pointer = readl(&regs->drtp) & UDMA_INDEX_MASK;
	out->completion_head = readl(&regs->crhp) & UDMA_INDEX_MASK;
	out->unused = 0;
}

int32_t UDMA_SYM(queue_state)(void *engine, uint32_t qid, uint32_t tx_sw_status,
			      uint32_t rx_sw_status, struct udma_ring_state *tx,
			      struct udma_ring_state *rx)
{
	struct udma_dev *dev = engine;
	struct task_struct task;

	if (!dev || qid >= UDMA_QUEUES)
		return UDMA_NOT_OFFERED;
	kshim_begin(&task, &dev->hooks);
	udma_ring_report(udma_get_q(dev, qid, UDMA_TX), tx_sw_status, tx);
	udma_ring_report(udma_get_q(dev, qid, UDMA_RX), rx_sw_status, rx);
	kshim_end(&task);
	return 0;
}
