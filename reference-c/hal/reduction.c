/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Reductions: several sources computed into one destination or more (CCE-8 to CCE-13).
 */
#include "cce.h"
#include "dtype.h"
#include "opword.h"
#include "request.h"

#define REDUCTION_MAX_SOURCES (UDMA_MUTANT(325) ? 31u : 32u) /* CCE-8 */

/* CCE-13 */
#define BAND_FIRST DTYPE_INT32
#define BAND_LAST DTYPE_FP32R

static bool is_min_max(const struct udma_reduction_in *r)
{
    return r->op == CCE_OP_MIN || r->op == CCE_OP_MAX;
}

static bool has_constant(const struct udma_reduction_in *r)
{
    return is_min_max(r) && (r->use_const & 1u) != 0;
}

static bool in_band(uint32_t dtype)
{
    return dtype >= BAND_FIRST && dtype <= BAND_LAST;
}

/* A constant's dtype counts where there is a constant. */
static bool dtypes_valid(const struct udma_reduction_in *r)
{
    return dtype_valid(r->in_dtype) && dtype_valid(r->out_dtype) && dtype_valid(r->accum_dtype) &&
           (!has_constant(r) || dtype_valid(r->const_dtype));
}

static bool band_judged(uint32_t arch)
{
    return (arch == UDMA_ARCH_SUNDA || UDMA_MUTANT(335)) && !UDMA_MUTANT(336);
}

/* CCE-11: one source of 1-byte elements that go out as they came in. */
static void promote(struct udma_reduction_in *r)
{
    if (r->num_sources != 1 || r->in_dtype != r->out_dtype || dtype_bytes(r->in_dtype) != 1 ||
        UDMA_MUTANT(330))
        return;
    r->in_dtype = DTYPE_UINT16;
    if (!UDMA_MUTANT(331))
        r->out_dtype = DTYPE_UINT16;
}

/* Every refusal of a reduction, all before the first slot is written. */
static int32_t reduction_check(struct udma_reduction_in *r)
{
    uint64_t limit;

    if (r->op > CCE_OP_MIN) {
        if (!UDMA_MUTANT(329))
            return RET_REFUSED; /* CCE-10 */
        r->op = CCE_OP_ADD;
    }
    if (r->num_sources == 0 || r->num_sources > REDUCTION_MAX_SOURCES) /* CCE-8 */
        return RET_REFUSED;
    if (r->num_destinations == 0)
        return RET_REFUSED;
    if (r->num_destinations > 1 && r->arch == UDMA_ARCH_SUNDA && !UDMA_MUTANT(326))
        return RET_REFUSED; /* CCE-9 */
    if (!dtypes_valid(r))
        return RET_REFUSED;
    if (r->op == CCE_OP_FMA && !UDMA_MUTANT(328) &&
        ((r->use_scale & 1u) == 0 || r->scale_dtype != DTYPE_FP32))
        return RET_REFUSED; /* CCE-10 */

    promote(r);
    if (band_judged(r->arch) && in_band(r->in_dtype) != in_band(r->out_dtype))
        return RET_REFUSED; /* CCE-13 */
    /* A dtype without a CCE size leaves no room at all (CCE-12, ERR-10). */
    limit = (uint64_t)cce_max_elements(r->arch) * dtype_cce_bytes(r->in_dtype);
    return r->size == 0 || r->size > limit ? RET_REFUSED : RET_OK;
}

/* The op's meta word; of its flags only `last` may be set (CCE-3 to CCE-5). */
static uint32_t reduction_word(const struct udma_reduction_in *r, uint32_t last)
{
    if (r->op == CCE_OP_FMA) {
        const struct udma_op_fma fma = {
            .arch = r->arch,
            .sub = r->sub,
            .last = last,
            .in_dtype = r->in_dtype,
            .scale_dtype = r->scale_dtype,
            .accum_dtype = r->accum_dtype,
        };

        return opw_fma(&fma);
    }
    if (is_min_max(r)) {
        const struct udma_op_min_max min_max = {
            .arch = r->arch,
            .sub = r->sub,
            .last = last,
            .use_const = r->use_const,
            .in_dtype = r->in_dtype,
            .out_dtype = r->out_dtype,
            .accum_dtype = r->accum_dtype,
            .const_dtype = r->const_dtype,
        };

        return opw_min_max(&min_max);
    }

    const struct udma_op_add add = {
        .arch = r->arch,
        .sub = r->sub,
        .last = last,
        .out_dtype = r->out_dtype,
        .accum_dtype = r->accum_dtype,
    };

    return opw_add(&add);
}

/* CCE-7 */
static uint32_t emit_seed(const struct udma_reduction_in *r, struct udma_desc *tx)
{
    const struct udma_desc_payload seed = {
        .payload = r->seed,
        .meta_index = r->meta_index,
        .x = 1,
    };

    if ((r->use_seed & 1u) == 0)
        return 0;
    desc_publish(tx, front_seed_init(&seed));
    return 1;
}

/* CCE-9: where there is one destination the RX descriptor says it all. */
static uint32_t emit_combo(const struct udma_reduction_in *r, struct udma_desc *tx)
{
    if (r->num_destinations == 1)
        return 0;
    for (uint32_t i = 0; i < r->num_destinations; i++) {
        const struct udma_desc_payload member = {
            .payload = r->destinations[i],
            .meta_index = r->meta_index,
        };

        desc_publish(&tx[i], front_replication(&member, combo_bits(i == r->num_destinations - 1)));
    }
    return r->num_destinations;
}

/* The op's own descriptor: always for fma, for min and max with a constant (CCE-2, CCE-4). */
static uint32_t emit_operand(const struct udma_reduction_in *r, struct udma_desc *tx)
{
    if (r->op == CCE_OP_FMA) {
        const struct udma_desc_fma fma = {
            .meta_index = r->meta_index,
            .sub = r->sub,
            .length = (uint32_t)r->size,
            .scale = r->scale,
            .use_default = 1,
        };

        desc_publish(tx, front_fma(&fma));
        return 1;
    }
    if (has_constant(r)) {
        const struct udma_desc_min_max min_max = {
            .meta_index = r->meta_index,
            .length = (uint32_t)r->size,
            .use_const = 1,
            .const_dtype = r->const_dtype,
            .constant = r->constant,
        };

        desc_publish(tx, front_min_max(&min_max));
        return 1;
    }
    return 0;
}

/* One descriptor a source, a FIRST..LAST run of its own (CCE-8, BLDR-9). */
static uint32_t emit_sources(const struct udma_reduction_in *r, struct udma_desc *tx)
{
    for (uint32_t i = 0; i < r->num_sources; i++) {
        const bool last = i == r->num_sources - 1;
        const uint32_t word0 = w0_ring_id(r->tx_ring_id) | w0_length(r->size) |
                               bit_if(i == 0, W0_FIRST) | bit_if(last, W0_LAST) |
                               bit_if(!last, W0_CONCAT);
        const uint32_t word1 = reduction_word(r, last || UDMA_MUTANT(324));

        desc_publish(&tx[i], desc_make(word0, word1, source_address(r->sources[i])));
    }
    return r->num_sources;
}

static uint32_t emit_rx(const struct udma_reduction_in *r, struct udma_desc *rx)
{
    const uint32_t word0 = w0_ring_id(r->rx_ring_id) | w0_length(r->size);

    for (uint32_t i = 0; i < r->num_destinations; i++)
        desc_publish_rx(&rx[i], desc_make(word0, 0, destination_address(r->destinations[i])));
    return r->num_destinations;
}

int32_t UDMA_NAME(build_reduction)(const struct udma_reduction_in *in, struct udma_desc *tx,
                                   struct udma_desc *rx, struct udma_reduction_out *out)
{
    struct udma_reduction_in r = *in;
    const bool seed_behind = UDMA_MUTANT(323);
    uint32_t n = 0;

    out->tx_count = 0;
    out->rx_count = 0;
    out->ret = reduction_check(&r);
    if (out->ret != RET_OK)
        return 0;

    if (!seed_behind)
        n += emit_seed(&r, tx); /* CCE-7 */
    n += emit_combo(&r, &tx[n]);
    n += emit_operand(&r, &tx[n]);
    n += emit_sources(&r, &tx[n]);
    if (seed_behind)
        n += emit_seed(&r, &tx[n]);
    out->tx_count = n;
    out->rx_count = emit_rx(&r, rx);
    return 0;
}

/* CCE-9: bits are set, none is cleared. */
int32_t UDMA_NAME(combo_chain)(struct udma_desc *inout, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        inout[i].word[1] |= le32(combo_bits(i == n - 1));
    return 0;
}
