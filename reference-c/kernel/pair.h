/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The builder of one TX and RX descriptor pair, inlined into its callers. */
#ifndef UDMA_PAIR_H
#define UDMA_PAIR_H

#include "desc.h"
#include "version.h"

/* What one copy asks for, ring ids and version settled by the caller. */
struct udma_copy {
	u64 src;
	u64 dst;
	u64 size;
	u32 rx_ring_id;
	u32 tx_ring_id;
	s32 mode;
	u32 arch;
	u32 driver;
	bool dst_int;
};

/* BLDR-4; a size of 0 is let through (BLDR-5). */
static __always_inline int udma_check_size(u64 size, u32 driver)
{
	if (UDMA_MUTANT(36) && size == 0)
		return -1;
	if (unlikely(size > UDMA_MAX_TRANSFER) && !UDMA_MUTANT(34))
		return udma_driver_size_code(driver);
	return 0;
}

/* BARR-3, BARR-5 */
static __always_inline bool udma_mode_known(s32 mode, u32 driver)
{
	if (mode == UDMA_MODE_SOW)
		return udma_driver_has_sow(driver);
	return mode >= UDMA_MODE_NONE && mode < UDMA_MODE_SOW;
}

/* BLDR-6: not masked, so that an id above 3 spills into the bits above. */
static __always_inline u32 udma_ring_id_bits(u32 ring_id)
{
	if (UDMA_MUTANT(38))
		ring_id &= 3;
	return ring_id << UDMA_CTRL_RING_ID_SHIFT;
}

static __always_inline u32 udma_plain_meta(s32 mode)
{
	s32 wanted = UDMA_MUTANT(25) ? UDMA_MODE_DMB : UDMA_MODE_WRITE_BARRIER;

	return UDMA_META_PLAIN_COPY | (mode == wanted ? UDMA_META_WRITE_BARRIER : 0); /* BARR-2 */
}

static __always_inline u32 udma_dmb_bits(s32 mode)
{
	s32 wanted = UDMA_MUTANT(25) ? UDMA_MODE_WRITE_BARRIER : UDMA_MODE_DMB;

	return mode == wanted ? UDMA_CTRL_DMB : 0; /* BARR-2 */
}

static __always_inline u32 udma_sow_bits(s32 mode)
{
	return mode == UDMA_MODE_SOW ? UDMA_CTRL_SOW : 0; /* BARR-2 */
}

/* BLDR-1 */
static __always_inline int udma_build_tx(struct udma_desc *slot, const struct udma_copy *copy)
{
	union udma_hw_desc desc;
	u64 pointer = UDMA_MUTANT(10) ? copy->dst : copy->src;
	u32 ctrl = UDMA_CTRL_FIRST | UDMA_CTRL_LAST;
	int err = udma_check_size(copy->size, copy->driver);

	if (unlikely(err))
		return err;
	if (UDMA_MUTANT(31))
		ctrl &= ~UDMA_CTRL_LAST;
	if (UDMA_MUTANT(5))
		ctrl |= udma_sow_bits(copy->mode);
	if (UDMA_MUTANT(88))
		pointer = copy->src & ~((u64)1 << 63);
	if (!UDMA_MUTANT(2))
		ctrl |= udma_dmb_bits(copy->mode);
	ctrl |= udma_ring_id_bits(copy->tx_ring_id) | udma_len_bits(copy->size);

	desc.tx.len_ctrl = cpu_to_le32(ctrl);
	desc.tx.meta_ctrl = cpu_to_le32(udma_plain_meta(copy->mode));
	desc.tx.buf_ptr = cpu_to_le64(pointer);
	udma_publish(slot, &desc);
	return 0;
}

/* BLDR-2: no FIRST, no LAST; word1 is written as 0. */
static __always_inline void udma_build_rx(struct udma_desc *slot, const struct udma_copy *copy)
{
	union udma_hw_desc desc;
	u64 pointer = UDMA_MUTANT(10) ? copy->src : copy->dst;
	u32 ring_id = UDMA_MUTANT(33) ? copy->tx_ring_id : copy->rx_ring_id;
	u32 int_en = UDMA_MUTANT(32) ? BIT(27) : UDMA_CTRL_INT_EN;
	u32 ctrl = copy->dst_int ? int_en : 0;
	u64 size = copy->size;

	if (!UDMA_MUTANT(5) && !(UDMA_MUTANT(40) && copy->dst_int))
		ctrl |= udma_sow_bits(copy->mode);
	if (UDMA_MUTANT(2))
		ctrl |= udma_dmb_bits(copy->mode);
	if (UDMA_MUTANT(3))
		ctrl |= UDMA_CTRL_FIRST;
	if (UDMA_MUTANT(89) && copy->dst >= BIT(31) && copy->dst <= 0xffffffffu)
		pointer = copy->dst | (u64)0xffffffffu << 32;
	if (UDMA_MUTANT(107) && size != 1)
		size = (size ? size : UDMA_MAX_TRANSFER) - 1;
	ctrl |= udma_ring_id_bits(ring_id) | udma_len_bits(size);

	desc.rx.len_ctrl = cpu_to_le32(ctrl);
	desc.rx.buf2_ptr_lo = 0;
	if (UDMA_MUTANT(13))
		desc.rx.buf2_ptr_lo = cpu_to_le32(udma_plain_meta(copy->mode));
	if (UDMA_MUTANT(17))
		desc.rx.buf2_ptr_lo = slot->word[1];
	desc.rx.buf1_ptr = cpu_to_le64(pointer);
	udma_publish(slot, &desc);
}

/*
 * BARR-3: the mode is looked at before the size. BLDR-8: TX is published before
 * RX is built, and finds the size error. The architecture decides nothing here
 * (BARR-4).
 */
static __always_inline int udma_build_pair(struct udma_desc *rx_slot, struct udma_desc *tx_slot,
					   const struct udma_copy *copy)
{
	int err;

	if (UDMA_MUTANT(27)) {
		err = udma_check_size(copy->size, copy->driver);
		if (err)
			return err;
	}
	if (unlikely(!udma_mode_known(copy->mode, copy->driver))) {
		struct udma_copy plain = *copy;

		plain.mode = UDMA_MODE_NONE;
		if (UDMA_MUTANT(26)) {
			err = udma_build_tx(tx_slot, &plain);
			if (!err)
				udma_build_rx(rx_slot, &plain);
			return err;
		}
		if (UDMA_MUTANT(16))
			(void)udma_build_tx(tx_slot, &plain);
		return -EINVAL;
	}
	if (UDMA_MUTANT(29) && copy->mode == UDMA_MODE_SOW && copy->arch == UDMA_ARCH_SUNDA)
		return -1;
	if (UDMA_MUTANT(41))
		udma_build_rx(rx_slot, copy);

	err = udma_build_tx(tx_slot, copy);
	if (unlikely(err))
		return err;
	udma_build_rx(rx_slot, copy);
	return 0;
}

#endif
