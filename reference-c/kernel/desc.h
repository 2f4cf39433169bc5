/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Bits of a descriptor and of meta_ctrl. */
#ifndef UDMA_DESC_H
#define UDMA_DESC_H

#include <asm/byteorder.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>

#include "faults.h"

/* word0, both directions unless the name says otherwise. */
#define UDMA_CTRL_CONCAT BIT(31)
#define UDMA_CTRL_DMB BIT(30)
#define UDMA_CTRL_SOW BIT(29)
#define UDMA_CTRL_INT_EN BIT(28)
#define UDMA_CTRL_LAST BIT(27)
#define UDMA_CTRL_FIRST BIT(26)
#define UDMA_CTRL_RING_ID GENMASK(25, 24)
#define UDMA_CTRL_RING_ID_SHIFT 24
#define UDMA_CTRL_META BIT(23)
#define UDMA_CTRL_RESERVED GENMASK(22, 16)
#define UDMA_CTRL_LEN GENMASK(15, 0)

#define UDMA_MAX_TRANSFER 65536u

/* meta_ctrl (TX word1); the same numbers as in word0 mean other things (BITS-1). */
#define UDMA_META_LAST_BLOCK BIT(0)
#define UDMA_META_FIRST_BLOCK BIT(1)
#define UDMA_META_BLOCK_ATTRIBUTE BIT(2)
#define UDMA_META_CRC_IV_INDEX GENMASK(5, 3)
#define UDMA_META_RESULT_BYTE_SWAP BIT(6)
#define UDMA_META_RESULT_BIT_SWAP BIT(7)
#define UDMA_META_INTERIM_BYTE_SWAP BIT(8)
#define UDMA_META_INTERIM_BIT_SWAP BIT(9)
#define UDMA_META_SOURCE_BYTE_SWAP BIT(10)
#define UDMA_META_SOURCE_BIT_SWAP BIT(11)
#define UDMA_META_INIT_BYTE_SWAP BIT(12)
#define UDMA_META_INIT_BIT_SWAP BIT(13)
#define UDMA_META_VALIDATE_CRC BIT(14)
#define UDMA_META_USE_STORED_CRC_IV BIT(15)
#define UDMA_META_SEND_CRC_RESULT BIT(16)
#define UDMA_META_STORE_CRC_RESULT BIT(17)
#define UDMA_META_STORE_SOURCE_CRC BIT(18)
#define UDMA_META_COPY_SOURCE BIT(19)
#define UDMA_META_OP_TYPE GENMASK(22, 20)
#define UDMA_META_SSMAE_OP GENMASK(25, 23)
#define UDMA_META_WRITE_BARRIER (UDMA_MUTANT(1) ? BIT(28) : BIT(26)) /* META-2 */
#define UDMA_META_RESERVED27 BIT(27)
#define UDMA_META_NOTIFICATION BIT(28)
#define UDMA_META_RESERVED31_29 GENMASK(31, 29)

/* META-1: one block that is first and last, source copied, ssmae_op 2. */
#define UDMA_META_PLAIN_COPY                                                                       \
	(UDMA_META_LAST_BLOCK | (UDMA_MUTANT(22) ? 0u : UDMA_META_FIRST_BLOCK) |                   \
	 UDMA_META_COPY_SOURCE | (2u << 23))

struct udma_desc_tx {
	__le32 len_ctrl;
	__le32 meta_ctrl;
	__le64 buf_ptr;
};

struct udma_desc_tx_meta {
	__le32 len_ctrl;
	__le32 meta_ctrl;
	__le32 meta1;
	__le32 meta2;
};

struct udma_desc_rx {
	__le32 len_ctrl;
	__le32 buf2_ptr_lo;
	__le64 buf1_ptr;
};

/* DESC-1, DESC-2: a descriptor as the engine reads it. */
union udma_hw_desc {
	_Alignas(16) struct udma_desc_tx tx;
	struct udma_desc_tx_meta tx_meta;
	struct udma_desc_rx rx;
};

static_assert(sizeof(union udma_hw_desc) == 16);
static_assert(sizeof(struct udma_desc) == sizeof(union udma_hw_desc));

/* DESC-3: 65536 is written as 0. */
static inline u32 udma_len_bits(u64 size)
{
	if (UDMA_MUTANT(4) && size == UDMA_MAX_TRANSFER)
		return UDMA_MAX_TRANSFER;
	return (u32)size & UDMA_CTRL_LEN;
}

/* DESC-5: the slot changes in one copy, from a finished descriptor. */
static __always_inline void udma_publish(struct udma_desc *slot, const union udma_hw_desc *desc)
{
	memcpy(slot, desc, sizeof(*slot));
}

#endif
