/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Taking descriptors and meta_ctrl words apart and putting them together. */
#include <linux/bitfield.h>

#include "desc.h"

static void udma_decode_one(const struct udma_desc *desc, struct udma_fields *f)
{
	u32 ctrl = le32_to_cpu(desc->word[0]);
	u32 word2 = le32_to_cpu(desc->word[2]);
	u32 word3 = le32_to_cpu(desc->word[3]);

	f->length = FIELD_GET(UDMA_CTRL_LEN, ctrl);
	if (f->length == 0 && !UDMA_MUTANT(14))
		f->length = UDMA_MAX_TRANSFER; /* DESC-3 */
	f->ring_id = FIELD_GET(UDMA_CTRL_RING_ID, ctrl);
	f->reserved = FIELD_GET(UDMA_CTRL_RESERVED, ctrl);
	f->concat = FIELD_GET(UDMA_CTRL_CONCAT, ctrl);
	f->dmb = FIELD_GET(UDMA_CTRL_DMB, ctrl);
	f->sow = FIELD_GET(UDMA_CTRL_SOW, ctrl);
	f->int_en = FIELD_GET(UDMA_CTRL_INT_EN, ctrl);
	f->last = FIELD_GET(UDMA_CTRL_LAST, ctrl);
	f->first = FIELD_GET(UDMA_CTRL_FIRST, ctrl);
	if (UDMA_MUTANT(79)) {
		f->last = FIELD_GET(UDMA_CTRL_FIRST, ctrl);
		f->first = FIELD_GET(UDMA_CTRL_LAST, ctrl);
	}
	f->meta = FIELD_GET(UDMA_CTRL_META, ctrl);
	f->word1 = le32_to_cpu(desc->word[1]);

	/* DESC-2: the view decides only what words 2 and 3 are. */
	f->meta1 = 0;
	f->meta2 = 0;
	f->pointer = 0;
	if (f->view == UDMA_VIEW_TX_META) {
		f->meta1 = word2;
		f->meta2 = word3;
	} else if (f->view == UDMA_VIEW_TX || f->view == UDMA_VIEW_RX) {
		f->pointer = (u64)word3 << 32 | word2;
	}
}

static void udma_encode_one(const struct udma_fields *f, struct udma_desc *slot)
{
	union udma_hw_desc desc;
	u32 ctrl;

	ctrl = udma_len_bits(f->length) | FIELD_PREP(UDMA_CTRL_RING_ID, f->ring_id) |
	       FIELD_PREP(UDMA_CTRL_RESERVED, f->reserved) |
	       FIELD_PREP(UDMA_CTRL_CONCAT, f->concat) | FIELD_PREP(UDMA_CTRL_DMB, f->dmb) |
	       FIELD_PREP(UDMA_CTRL_SOW, f->sow) | FIELD_PREP(UDMA_CTRL_INT_EN, f->int_en) |
	       FIELD_PREP(UDMA_CTRL_LAST, f->last) | FIELD_PREP(UDMA_CTRL_FIRST, f->first) |
	       FIELD_PREP(UDMA_CTRL_META, f->meta);

	desc.tx_meta.len_ctrl = cpu_to_le32(ctrl);
	desc.tx_meta.meta_ctrl = cpu_to_le32(f->word1);
	desc.tx_meta.meta1 = 0;
	desc.tx_meta.meta2 = 0;
	if (f->view == UDMA_VIEW_TX_META) {
		desc.tx_meta.meta1 = cpu_to_le32(f->meta1);
		desc.tx_meta.meta2 = cpu_to_le32(f->meta2);
	} else if (f->view == UDMA_VIEW_TX || f->view == UDMA_VIEW_RX) {
		desc.tx_meta.meta1 = cpu_to_le32(lower_32_bits(f->pointer));
		desc.tx_meta.meta2 = cpu_to_le32(upper_32_bits(f->pointer));
	}
	udma_publish(slot, &desc);
}

int32_t UDMA_SYM(decode)(const struct udma_desc *in, struct udma_fields *inout, uint32_t n)
{
	for (u32 i = 0; i < n; i++)
		udma_decode_one(&in[i], &inout[i]);
	return 0;
}

int32_t UDMA_SYM(encode)(const struct udma_fields *in, struct udma_desc *out, uint32_t n)
{
	for (u32 i = 0; i < n; i++)
		udma_encode_one(&in[i], &out[i]);
	return 0;
}

/* Every field of meta_ctrl once, for both directions. */
#define UDMA_META_FIELDS(X)                                                                        \
	X(is_last_block, UDMA_META_LAST_BLOCK)                                                     \
	X(is_first_block, UDMA_META_FIRST_BLOCK)                                                   \
	X(block_attribute, UDMA_META_BLOCK_ATTRIBUTE)                                              \
	X(cached_crc_iv_index, UDMA_META_CRC_IV_INDEX)                                             \
	X(result_byte_swap, UDMA_META_RESULT_BYTE_SWAP)                                            \
	X(result_bit_swap, UDMA_META_RESULT_BIT_SWAP)                                              \
	X(interim_byte_swap, UDMA_META_INTERIM_BYTE_SWAP)                                          \
	X(interim_bit_swap, UDMA_META_INTERIM_BIT_SWAP)                                            \
	X(source_byte_swap, UDMA_META_SOURCE_BYTE_SWAP)                                            \
	X(source_bit_swap, UDMA_META_SOURCE_BIT_SWAP)                                              \
	X(init_byte_swap, UDMA_META_INIT_BYTE_SWAP)                                                \
	X(init_bit_swap, UDMA_META_INIT_BIT_SWAP)                                                  \
	X(validate_crc, UDMA_META_VALIDATE_CRC)                                                    \
	X(use_stored_crc_iv, UDMA_META_USE_STORED_CRC_IV)                                          \
	X(send_crc_result, UDMA_META_SEND_CRC_RESULT)                                              \
	X(store_crc_result, UDMA_META_STORE_CRC_RESULT)                                            \
	X(store_source_crc, UDMA_META_STORE_SOURCE_CRC)                                            \
	X(copy_source_data, UDMA_META_COPY_SOURCE)                                                 \
	X(op_type, UDMA_META_OP_TYPE)                                                              \
	X(ssmae_op, UDMA_META_SSMAE_OP)                                                            \
	X(write_barrier, UDMA_META_WRITE_BARRIER)                                                  \
	X(reserved27, UDMA_META_RESERVED27)                                                        \
	X(notification, UDMA_META_NOTIFICATION)                                                    \
	X(reserved31_29, UDMA_META_RESERVED31_29)

int32_t UDMA_SYM(meta_decode)(const uint32_t *in, struct udma_meta_fields *out, uint32_t n)
{
	for (u32 i = 0; i < n; i++) {
#define X(field, mask) out[i].field = FIELD_GET(mask, in[i]);
		UDMA_META_FIELDS(X)
#undef X
		if (UDMA_MUTANT(80))
			out[i].op_type = FIELD_GET(GENMASK(23, 21), in[i]);
	}
	return 0;
}

int32_t UDMA_SYM(meta_encode)(const struct udma_meta_fields *in, uint32_t *out, uint32_t n)
{
	for (u32 i = 0; i < n; i++) {
		u32 word = 0;

#define X(field, mask) word |= FIELD_PREP(mask, in[i].field);
		UDMA_META_FIELDS(X)
#undef X
		out[i] = word;
	}
	return 0;
}
