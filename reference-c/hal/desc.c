/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Descriptors taken apart and put together (DESC-1 to DESC-3).
 */
#include "bits.h"
#include "slot.h"

static uint32_t bit_at(uint32_t word, int shift)
{
    return word >> shift & 1u;
}

static uint32_t decode_length(uint32_t w0)
{
    if (UDMA_MUTANT(14))
        return w0 & W0_LENGTH_MASK;
    if (UDMA_MUTANT(15)) {
        const uint32_t wide = w0 & (W0_RESERVED_MASK | W0_LENGTH_MASK);

        return wide == 0 ? DESC_MAX_BYTES : wide;
    }
    return w0_bytes(w0);
}

static void decode_one(const struct udma_desc *in, struct udma_fields *f)
{
    const uint32_t w0 = le32(in->word[0]);
    const uint32_t w2 = le32(in->word[2]);
    const uint32_t w3 = le32(in->word[3]);
    const bool has_pointer = f->view == UDMA_VIEW_TX || f->view == UDMA_VIEW_RX;
    const bool has_meta = f->view == UDMA_VIEW_TX_META;

    f->length = decode_length(w0);
    f->ring_id = (w0 & W0_RING_ID_MASK) >> W0_RING_ID_SHIFT;
    f->reserved = (w0 & W0_RESERVED_MASK) >> W0_RESERVED_SHIFT;
    f->concat = bit_at(w0, W0_CONCAT_SHIFT);
    f->dmb = bit_at(w0, W0_DMB_SHIFT);
    f->sow = bit_at(w0, W0_SOW_SHIFT);
    f->int_en = bit_at(w0, W0_INT_EN_SHIFT);
    f->last = bit_at(w0, UDMA_MUTANT(79) ? W0_FIRST_SHIFT : W0_LAST_SHIFT);
    f->first = bit_at(w0, UDMA_MUTANT(79) ? W0_LAST_SHIFT : W0_FIRST_SHIFT);
    f->meta = bit_at(w0, W0_META_SHIFT);
    f->word1 = le32(in->word[1]);

    /* Words 2 and 3 are one address or two meta words, by the view (DESC-2). */
    f->pointer = has_pointer ? (uint64_t)w3 << 32 | w2 : 0;
    f->meta1 = has_meta ? w2 : 0;
    f->meta2 = has_meta ? w3 : 0;
}

static struct udma_desc encode_one(const struct udma_fields *f)
{
    /* Each value is held to the width of its field, so that none reaches a
     * neighbour; a length of 65536 becomes 0 by the same rule (DESC-3). */
    const uint32_t w0 = (f->concat & 1u) << W0_CONCAT_SHIFT | (f->dmb & 1u) << W0_DMB_SHIFT |
                        (f->sow & 1u) << W0_SOW_SHIFT | (f->int_en & 1u) << W0_INT_EN_SHIFT |
                        (f->last & 1u) << W0_LAST_SHIFT | (f->first & 1u) << W0_FIRST_SHIFT |
                        (f->ring_id << W0_RING_ID_SHIFT & W0_RING_ID_MASK) |
                        (f->meta & 1u) << W0_META_SHIFT |
                        (f->reserved << W0_RESERVED_SHIFT & W0_RESERVED_MASK) |
                        w0_length(f->length);
    uint64_t words23 = 0;

    if (f->view == UDMA_VIEW_TX || f->view == UDMA_VIEW_RX)
        words23 = f->pointer;
    else if (f->view == UDMA_VIEW_TX_META)
        words23 = (uint64_t)f->meta2 << 32 | f->meta1;

    return desc_make(w0, f->word1, words23);
}

int32_t UDMA_NAME(decode)(const struct udma_desc *in, struct udma_fields *inout, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        decode_one(&in[i], &inout[i]);
    return 0;
}

int32_t UDMA_NAME(encode)(const struct udma_fields *in, struct udma_desc *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct udma_desc d = encode_one(&in[i]);

        if (UDMA_MUTANT(12)) {
            for (int w = 0; w < 4; w++)
                d.word[w] = swap32(d.word[w]);
        }
        desc_publish(&out[i], d);
    }
    return 0;
}
