/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Builder of multi-descriptor copy packets: one TX and one RX descriptor a
 * block, all of one FIRST..LAST run (BLDR-9, BLDR-10).
 */
#include "meta.h"
#include "request.h"
#include "slot.h"

static uint32_t packet_max_blocks(uint8_t arch)
{
    if (arch == UDMA_ARCH_CAYMAN || (UDMA_MUTANT(44) && arch == UDMA_ARCH_MARIANA))
        return PACKET_MAX_BLOCKS_CAYMAN;
    return PACKET_MAX_BLOCKS;
}

static int32_t packet_check(const struct udma_packet_in *in, struct order *order)
{
    int32_t ret = order_from_mode(in->mode, in->sow, order);

    if (ret != RET_OK)
        return ret;
    if (in->count == 0 && !UDMA_MUTANT(96))
        return RET_EINVAL;
    if (in->count > packet_max_blocks(in->arch))
        return RET_EINVAL;
    /* Only MARIANA has the notification mask (BLDR-9). */
    if (in->notify != 0 && in->arch != UDMA_ARCH_MARIANA && !UDMA_MUTANT(95))
        return RET_EINVAL;
    return order_gate(order, in->arch);
}

static struct udma_desc packet_tx(const struct udma_packet_in *in, const struct order *order,
                                  uint32_t i)
{
    const struct udma_block *block = &in->blocks[i];
    const bool first = i == 0;
    const bool last = i == in->count - 1;
    const bool dmb_here = UDMA_MUTANT(45) ? last : first;
    const bool barrier_here = UDMA_MUTANT(47) ? first : last;
    uint32_t word0 = w0_ring_id(in->tx_ring_id) | w0_length(block->size);
    uint32_t meta = META_PLAIN_COPY; /* on each (BLDR-9) */

    word0 |= bit_if(first || UDMA_MUTANT(42), W0_FIRST);
    word0 |= bit_if(last, W0_LAST);
    word0 |= bit_if(!last || UDMA_MUTANT(43), W0_CONCAT); /* joined to the next (BLDR-9) */

    /* DMB holds the packet back before it starts; the write barrier and the
     * notification speak of its end (BLDR-10). */
    word0 |= bit_if(order->dmb && dmb_here, W0_DMB);
    if (order->write_barrier && barrier_here)
        meta_set_write_barrier(&meta);
    if (in->notify != 0 && last)
        meta_set_notification(&meta);

    return desc_make(word0, meta, source_address(block->src));
}

/* No FIRST, LAST or CONCAT on this side; SOW on each, INT_EN on the last (BLDR-9, BLDR-10). */
static struct udma_desc packet_rx(const struct udma_packet_in *in, const struct order *order,
                                  uint32_t i)
{
    const struct udma_block *block = &in->blocks[i];
    const bool last = i == in->count - 1;
    const bool sow_here = UDMA_MUTANT(94) ? last : true;
    const bool int_here = UDMA_MUTANT(46) ? i == 0 : last;
    uint32_t word0 = w0_ring_id(in->rx_ring_id) | w0_length(block->size);

    word0 |= bit_if(order->sow && sow_here, W0_SOW);
    word0 |= bit_if(in->dst_int != 0 && int_here, W0_INT_EN);

    return desc_make(word0, 0, destination_address(block->dst));
}

static void packet_publish(const struct udma_packet_in *in, const struct order *order,
                           uint32_t count, struct udma_desc *tx, struct udma_desc *rx)
{
    for (uint32_t i = 0; i < count; i++)
        desc_publish(&tx[i], packet_tx(in, order, i));
    for (uint32_t i = 0; i < count; i++)
        desc_publish_rx(&rx[i], packet_rx(in, order, i));
#ifdef UDMA_PLANTED_OVERFLOW
    /* Compiled in only to show that a sanitizer sees it: the slot behind the packet. */
    desc_publish(&rx[count], desc_make(0, 0, 0));
#endif
}

/* Sizes are all looked at before anything is written: a refused packet leaves
 * every slot as it was (BLDR-9, DESC-5). */
static int32_t packet_build(const struct udma_packet_in *in, struct udma_desc *tx,
                            struct udma_desc *rx)
{
    struct order order;
    int32_t ret = packet_check(in, &order);

    if (ret != RET_OK)
        return ret;
    for (uint32_t i = 0; i < in->count; i++) {
        ret = size_check(in->blocks[i].size);
        if (ret != RET_OK) {
            if (UDMA_MUTANT(50))
                packet_publish(in, &order, i, tx, rx);
            return ret;
        }
    }
    packet_publish(in, &order, in->count, tx, rx);
    return RET_OK;
}

int32_t UDMA_NAME(build_packet)(const struct udma_packet_in *in, struct udma_desc *tx,
                                struct udma_desc *rx, int32_t *ret)
{
    *ret = packet_build(in, tx, rx);
    return 0;
}
