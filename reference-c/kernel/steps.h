/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Steps of single operations that a transfer is put together from. */
#ifndef UDMA_STEPS_H
#define UDMA_STEPS_H

#include "engine.h"
#include "pair.h"

/* Several builds of the library may be linked together: the names are theirs. */
#define udma_prepare_one UDMA_SYM(prepare_one)
#define udma_copy_start_q UDMA_SYM(copy_start_q)
#define udma_m2m_init UDMA_SYM(m2m_init)
#define udma_round_ring UDMA_SYM(round_ring)
#define udma_transfer_close UDMA_SYM(transfer_close)

/* RING-8, RING-11 */
int udma_prepare_one(struct udma_dev *dev, u32 qid, struct udma_copy *copy) __hidden;
/* TRIG */
int udma_copy_start_q(struct udma_dev *dev, u32 qid, u32 m2s_count, u32 s2m_count) __hidden;
/* QINI */
int udma_m2m_init(struct udma_dev *dev, u32 qid, const struct udma_queue_cfg *cfg) __hidden;
/* RING-9 */
u32 udma_round_ring(u32 want) __hidden;
/* Forgets what transfer_open set up, if it was called. */
void udma_transfer_close(struct udma_dev *dev, u32 qid) __hidden;

#endif
