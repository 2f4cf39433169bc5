/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Builder of single-descriptor copies.
 */
#include "pair.h"

/* Every refusal comes before the first byte is written, and in this order:
 * mode, SOW gate, size (BLDR-12). */
static inline int32_t build_pair(const struct udma_pair_in *in, struct udma_desc *tx,
                                 struct udma_desc *rx)
{
    struct order order;
    int32_t ret = order_from_mode(in->mode, in->sow, &order);

    if (ret != RET_OK) {
        if (UDMA_MUTANT(16)) {
            order = order_none();
            desc_publish(tx, pair_tx(in, &order, PAIR_POSITION));
        }
        return ret;
    }
    ret = order_gate(&order, in->arch);
    if (ret != RET_OK)
        return ret;
    ret = size_check(in->size);
    if (ret != RET_OK) {
        if (UDMA_MUTANT(41) && in->size > DESC_MAX_BYTES)
            desc_publish_rx(rx, pair_rx(in, &order));
        return ret;
    }

    desc_publish(tx, pair_tx(in, &order, PAIR_POSITION)); /* BLDR-8: TX first */
    desc_publish_rx(rx, pair_rx(in, &order));
    return RET_OK;
}

int32_t UDMA_NAME(build_pairs)(const struct udma_pair_in *in, struct udma_pair_out *inout,
                               uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        inout[i].ret = build_pair(&in[i], &inout[i].tx, &inout[i].rx);
    return 0;
}
