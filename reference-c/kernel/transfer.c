/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Opening a queue for host transfers. */
#include <linux/slab.h>

#include "transfer.h"

int32_t UDMA_SYM(transfer_open)(void *engine, uint32_t qid, const struct udma_transfer_cfg *cfg)
{
	struct udma_dev *dev = engine;
	struct udma_xfer *x;

	if (!dev || qid >= UDMA_QUEUES || !dev->queue_ready[qid])
		return UDMA_NOT_OFFERED;
	/* A transfer could not be cut into chunks of 0, nor a chunk go into one pair. */
	if (cfg->chunk == 0 || cfg->chunk > UDMA_MAX_TRANSFER)
		return UDMA_NOT_OFFERED;
	x = kzalloc(sizeof(*x), GFP_KERNEL);
	if (!x)
		return UDMA_NOT_OFFERED;
	x->dev = dev;
	x->qid = qid;
	x->cfg = *cfg;

	udma_transfer_close(dev, qid);
	dev->xfer[qid] = x;
	return 0;
}

void udma_transfer_close(struct udma_dev *dev, u32 qid)
{
	struct udma_xfer *x = dev->xfer[qid];

	if (!x)
		return;
	udma_contexts_close(x->contexts);
	kfree(x);
	dev->xfer[qid] = NULL;
}
