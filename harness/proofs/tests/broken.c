/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What no proof may pass over, each for one rare input: a path that never ends, one that writes
 * past its buffer, one that keeps something for the next call, one that ends the process, one that
 * reads through a pointer that it made up. And a function that is not there. */
#include <stdlib.h>

#include "udma_oracle.h"

static uint32_t kept;

int32_t udma_info(struct udma_info *out)
{
    out->abi_version = UDMA_ABI_VERSION;
    out->line = UDMA_LINE_HAL;
    return 0;
}

int32_t udma_meta_encode(const struct udma_meta_fields *in, uint32_t *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (volatile uint32_t forever = in[i].op_type; forever == 0x1234;)
            ;
        out[i] = 0;
    }
    return 0;
}

int32_t udma_op_replication(const struct udma_op_replication *in, uint32_t *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        out[in[i].count == 0x1234 ? n : i] = 0;
    return 0;
}

int32_t udma_op_split(const struct udma_op_split *in, uint32_t *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (in[i].split == 0x1234)
            kept++;
        out[i] = kept;
    }
    return 0;
}

int32_t udma_op_transpose(const struct udma_op_transpose *in, uint32_t *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (in[i].shape == 0x1234)
            abort();
        out[i] = 0;
    }
    return 0;
}

int32_t udma_desc_seed_init(const struct udma_desc_payload *in, struct udma_desc *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        out[i].word[0] = *(const uint32_t *)(uintptr_t)in[i].payload;
    return 0;
}
