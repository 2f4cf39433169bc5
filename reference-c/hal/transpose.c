/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Transposes: the descriptor, its name, state-buffer addresses, the flush.
 */
#include "dtype.h"
#include "opword.h"
#include "request.h"
#include "slot.h"

#define TRANSPOSE_RING_BYTE_SHIFT 24 /* TRN-2 */

/* TRN-3 */
#define TRANSPOSE_DIMS "WXYZ"
#define TRANSPOSE_RANK 4

/* State-buffer windows (TRN-4). */
#define WINDOW_BYTES (UDMA_MUTANT(341) ? (uint64_t)16 << 20 : (uint64_t)32 << 20)
#define WINDOW_UPPER 0x800000000000u /* the second four lie this much above the first */
#define WINDOW_PARTITION_SHIFT (UDMA_MUTANT(343) ? 17 : 18)

/* Packed addresses (TRN-5). */
#define PACKED_BYTE_MASK 0xffu
#define PACKED_OFFSET_SHIFT 8
#define PACKED_PARTITION_SHIFT 26
#define PACKED_WIDE_BYTES 4u
#define PACKED_WIDE 0x400000000u         /* bit 2 of byte 4: a 4-byte dtype */
#define PACKED_WIDE_UPPER 0x8000000000u  /* 0x80 of byte 4: its upper partitions */
#define PACKED_LOWER_PARTITION_MAX 63u

/* TRN-6 */
#define FLUSH_OFFSET (UDMA_MUTANT(347) ? 0x20000000400000u : 0x200000004000000u)
#define FLUSH_BYTES 4u

static int32_t transpose_check(const struct udma_transpose_in *in)
{
    const int dims = UDMA_MUTANT(338) ? TRANSPOSE_RANK - 1 : TRANSPOSE_RANK;

    /* TRN-1 */
    if (!dtype_valid(in->dtype) && !(UDMA_MUTANT(337) && in->dtype == 0))
        return RET_EINVAL;
    for (int i = 0; i < dims; i++) {
        if (in->dims[i] == 0)
            return RET_EINVAL;
    }
    /* A length that DESC-3 has no field for. */
    if (in->length == 0 || in->length > DESC_MAX_BYTES)
        return RET_REFUSED;
    return RET_OK;
}

int32_t UDMA_NAME(build_transpose)(const struct udma_transpose_in *in, struct udma_desc *inout,
                                   int32_t *ret)
{
    *ret = transpose_check(in);
    if (*ret == RET_OK) {
        /* TRN-2 */
        const uint32_t word0 =
            W0_META | in->ring_byte << TRANSPOSE_RING_BYTE_SHIFT | w0_length(in->length);
        const uint32_t word1 = opw_transpose(dtype_bytes(in->dtype), in->shape, in->dtype);

        desc_publish(inout, desc_make(word0, word1, source_address(in->source)));
    }
    return 0;
}

/* Whether the name is the four dimensions in some order (TRN-3). */
static int32_t name_check(const char *name)
{
    static const char dims[] = TRANSPOSE_DIMS;
    bool used[TRANSPOSE_RANK] = {false};

    if (name == NULL || strlen(name) != TRANSPOSE_RANK)
        return RET_EINVAL;
    for (int i = 0; i < TRANSPOSE_RANK; i++) {
        const char *at = strchr(dims, name[i]);

        if (at == NULL || (used[at - dims] && !UDMA_MUTANT(340)))
            return RET_EINVAL;
        used[at - dims] = true;
    }
    return RET_OK;
}

int32_t UDMA_NAME(transpose_name)(const char *name, int32_t *ret)
{
    *ret = name_check(name);
    return 0;
}

/* The window that an address lies in (TRN-4). */
static bool window_find(uint64_t address, uint64_t *window)
{
    static const uint64_t bases[] = {0x2000000000u, 0x3000000000u, 0x6000000000u, 0x7000000000u};
    const int halves = UDMA_MUTANT(342) ? 1 : 2;

    for (int half = 0; half < halves; half++) {
        for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
            const uint64_t base = bases[i] + (half == 0 ? 0 : WINDOW_UPPER);

            if (address >= base && address - base < WINDOW_BYTES) {
                *window = base;
                return true;
            }
        }
    }
    return false;
}

/* TRN-5, the window's base not yet added. */
static uint64_t pack(const struct udma_window_case *c)
{
    const uint32_t bytes = dtype_bytes(c->dtype);
    uint64_t packed = (bytes * c->partition & PACKED_BYTE_MASK) |
                      c->offset << PACKED_OFFSET_SHIFT |
                      (c->partition + c->base) << PACKED_PARTITION_SHIFT;

    if (bytes == PACKED_WIDE_BYTES) {
        packed += PACKED_WIDE;
        if (c->partition > PACKED_LOWER_PARTITION_MAX && !UDMA_MUTANT(344))
            packed += PACKED_WIDE_UPPER;
    }
    return packed;
}

static int32_t window_one(struct udma_window_case *c)
{
    uint64_t window;
    uint32_t relative;

    if (!dtype_valid(c->dtype) || !window_find(c->dst, &window))
        return RET_EINVAL;
    relative = (uint32_t)(c->dst - window);
    c->window = window;
    c->partition = relative >> WINDOW_PARTITION_SHIFT;
    c->offset = relative & (((uint32_t)1 << WINDOW_PARTITION_SHIFT) - 1);
    c->packed = pack(c) + (UDMA_MUTANT(345) ? 0 : window);
    return RET_OK;
}

int32_t UDMA_NAME(transpose_window)(struct udma_window_case *inout, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        inout[i].ret = window_one(&inout[i]);
    return 0;
}

/* TRN-6: an ordinary copy but for where it goes. */
int32_t UDMA_NAME(transpose_flush)(const struct udma_flush_in *in, struct udma_pair_out *inout)
{
    const struct udma_pair_in copy = {
        .src = in->source,
        .dst = in->tpb_base + FLUSH_OFFSET,
        .size = FLUSH_BYTES,
        .rx_ring_id = in->rx_ring_id,
        .tx_ring_id = in->tx_ring_id,
        .mode = UDMA_MODE_NONE,
        .arch = (uint8_t)in->arch,
    };

    if (in->arch == UDMA_ARCH_SUNDA && !UDMA_MUTANT(346)) {
        inout->ret = RET_REFUSED;
        return 0;
    }
    return UDMA_NAME(build_pairs)(&copy, inout, 1);
}
