/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What a copy may ask for: ordering, sizes, addresses, and the refusals that
 * pairs, packets and CRC copies have in common. The order in which a builder
 * calls these is the order of its refusals (BLDR-12).
 */
#ifndef UDMA_HAL_REQUEST_H
#define UDMA_HAL_REQUEST_H

#include "bits.h"

#define RET_OK 0
#define RET_REFUSED (-1) /* BARR-4, BLDR-4, BLDR-5 */
#define RET_EINVAL (-22) /* BARR-3, BLDR-9 */

/* Most blocks of one packet. The HAL's own caps, not the runtime's smaller
 * policy (BLDR-9, ERR-9). */
#define PACKET_MAX_BLOCKS 128u
#define PACKET_MAX_BLOCKS_CAYMAN 65u

/* Ordering wanted of one copy. SOW is a flag of its own here, and may come
 * beside DMB or a write barrier (BLDR-12). */
struct order {
    bool dmb;
    bool write_barrier;
    bool sow;
};

static inline struct order order_none(void)
{
    const struct order none = {false, false, false};

    return none;
}

/* Take a mode apart; RET_EINVAL when there is no such mode (BARR-1, BARR-3).
 * Mode 3 is mode NONE with SOW asked for (BLDR-12). */
static inline int32_t order_from_mode(int32_t mode, uint8_t sow, struct order *order)
{
    const int32_t dmb_mode = UDMA_MUTANT(25) ? 2 : UDMA_MODE_DMB;
    const int32_t barrier_mode = UDMA_MUTANT(25) ? 1 : UDMA_MODE_WRITE_BARRIER;

    order->dmb = mode == dmb_mode;
    order->write_barrier = mode == barrier_mode;
    order->sow = (sow != 0) | (mode == UDMA_MODE_SOW);

    if (mode < UDMA_MODE_NONE || mode > UDMA_MODE_SOW)
        return UDMA_MUTANT(26) ? RET_OK : RET_EINVAL;
    return RET_OK;
}

/* SUNDA has no strong-ordered write (BARR-4). */
static inline int32_t order_gate(struct order *order, uint8_t arch)
{
    if (order->sow && arch == UDMA_ARCH_SUNDA && !UDMA_MUTANT(28))
        return RET_REFUSED;
    if (UDMA_MUTANT(85) && (order->dmb || order->write_barrier))
        order->sow = false;
    return RET_OK;
}

/* All 64 bits of the size count; there is no zero-byte copy (BLDR-4, BLDR-5). */
static inline int32_t size_check(uint64_t size)
{
    if (UDMA_MUTANT(34) && size > DESC_MAX_BYTES)
        return RET_OK;
    if (UDMA_MUTANT(37) && size == 0)
        return RET_OK;
    if (UDMA_MUTANT(93) && size != 0 && (uint32_t)size == 0)
        return RET_OK;
    return size == 0 || size > DESC_MAX_BYTES ? RET_REFUSED : RET_OK;
}

/* Addresses go into a descriptor as given, all 64 bits (DESC-1). */
static inline uint64_t source_address(uint64_t src)
{
    return UDMA_MUTANT(88) ? src & ~((uint64_t)1 << 63) : src;
}

static inline uint64_t destination_address(uint64_t dst)
{
    if (UDMA_MUTANT(89) && dst >> 31 == 1)
        return dst | (uint64_t)UINT32_MAX << 32;
    return dst;
}

#endif
