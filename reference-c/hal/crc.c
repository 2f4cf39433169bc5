/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * CME packets: the meta descriptor in front, and the CRC copy (BLDR-11, CRC-1).
 */
#include "pair.h"

#define CME_INDEX_SHIFT (UDMA_MUTANT(48) ? 16 : 24) /* BLDR-11 */

/* FIRST and META beside the index; every other word is 0 (BLDR-11). The index
 * loses what lies above its eight bits; its bits overlap the flags by rule. */
static inline struct udma_desc cme_meta(uint32_t index)
{
    return desc_make(index << CME_INDEX_SHIFT | W0_FIRST | W0_META, 0, 0);
}

int32_t UDMA_NAME(build_cme_meta)(uint32_t index, struct udma_desc *out)
{
    desc_publish(out, cme_meta(index));
    return 0;
}

/* The data descriptor ends the packet that the meta descriptor opened: LAST, no
 * FIRST. CONCAT goes on all but the last descriptor of the packet that follows
 * the meta one (BLDR-9), which here is that one alone; the meta descriptor's
 * own word0 is given whole by BLDR-11 and has no CONCAT. */
static int32_t crc_copy(const struct udma_pair_in *in, uint32_t index, struct udma_desc *tx,
                        struct udma_desc *rx)
{
    struct udma_desc meta = cme_meta(index);
    struct order order;
    int32_t ret = order_from_mode(in->mode, in->sow, &order);

    if (ret == RET_OK)
        ret = order_gate(&order, in->arch);
    if (ret == RET_OK)
        ret = size_check(in->size);
    if (ret != RET_OK)
        return ret; /* as for a pair (BLDR-12) */

    if (UDMA_MUTANT(49))
        meta.word[0] &= ~le32(W0_META);

    desc_publish(&tx[UDMA_MUTANT(348) ? 1 : 0], meta);
    desc_publish(&tx[UDMA_MUTANT(348) ? 0 : 1], pair_tx(in, &order, W0_LAST));
    desc_publish_rx(&rx[0], pair_rx(in, &order));
    return RET_OK;
}

int32_t UDMA_NAME(build_crc_copy)(const struct udma_pair_in *in, uint32_t index,
                                  struct udma_desc *tx, struct udma_desc *rx, int32_t *ret)
{
    *ret = crc_copy(in, index, tx, rx);
    return 0;
}
