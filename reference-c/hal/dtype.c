/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Sizes and limits of dtypes, and the runtime's numbers turned into SDMA ones.
 */
#include "dtype.h"
#include "cce.h"
#include "request.h"

/* CCE-12: as many whole steps as the cap and the elements allow. */
static int64_t packet_bytes(const struct udma_dtype_case *c)
{
    uint64_t bytes = (uint64_t)c->max_elements * c->cce_bytes;

    if (c->cce_bytes == 0)
        return RET_EINVAL;
    if (c->cap < bytes)
        bytes = c->cap;
    if (!UDMA_MUTANT(334))
        bytes -= bytes % CCE_PACKET_STEP;
    return (int64_t)bytes;
}

int32_t UDMA_NAME(dtypes)(struct udma_dtype_case *inout, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct udma_dtype_case *c = &inout[i];

        c->bytes = dtype_bytes(c->dtype);
        c->cce_bytes = dtype_cce_bytes(c->dtype);
        c->max_elements = cce_max_elements(c->arch);
        c->packet_bytes = packet_bytes(c);
    }
    return 0;
}

/* Runtime dtypes 1 to 15 in order (chapter 03, dtypes). */
static int32_t remap_dtype(uint32_t value)
{
    static const uint8_t sdma[DTYPE_COUNT] = {
        0,          DTYPE_FP8_E3, DTYPE_FP8_E4, DTYPE_FP8_E5, DTYPE_FP16,  DTYPE_FP32,
        DTYPE_FP32R, DTYPE_BF16,  DTYPE_UINT8,  DTYPE_UINT16, DTYPE_UINT32, DTYPE_UINT64,
        DTYPE_INT8, DTYPE_INT16,  DTYPE_INT32,  DTYPE_INT64,
    };

    return dtype_valid(value) ? sdma[value] : RET_EINVAL;
}

/* Runtime ops (chapter 03, dtypes): copy 0, transpose 5 and the rest are no CCE ops. */
static int32_t remap_op(uint32_t value)
{
    switch (value) {
    case 1:
        return CCE_OP_FMA;
    case 2:
        return CCE_OP_ADD;
    case 3:
        return CCE_OP_MIN;
    case 4:
        return CCE_OP_MAX;
    default:
        return RET_EINVAL;
    }
}

static int32_t remap_one(const struct udma_remap_case *c)
{
    switch (c->kind) {
    case UDMA_REMAP_DTYPE:
        return remap_dtype(c->value);
    case UDMA_REMAP_OP:
        return remap_op(c->value);
    default:
        return RET_EINVAL;
    }
}

int32_t UDMA_NAME(remap)(struct udma_remap_case *inout, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        inout[i].result = remap_one(&inout[i]);
    return 0;
}
