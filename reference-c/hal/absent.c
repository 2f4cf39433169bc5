/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What the HAL line does not do: engines, queues, rings, the register map and
 * host transfers belong to the kernel line.
 */
#include "names.h"

int32_t UDMA_NAME(ring_size)(const uint32_t *want, uint32_t *out, uint32_t n)
{
    (void)want;
    (void)out;
    (void)n;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(engine_open)(const struct udma_engine_cfg *cfg, void **engine)
{
    (void)cfg;
    (void)engine;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(engine_close)(void *engine)
{
    (void)engine;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(queue_init)(void *engine, uint32_t qid, const struct udma_queue_cfg *cfg, int32_t
                              *ret)
{
    (void)engine;
    (void)qid;
    (void)cfg;
    (void)ret;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(queue_sw)(void *engine, uint32_t qid, uint32_t ring, struct udma_queue_sw *out)
{
    (void)engine;
    (void)qid;
    (void)ring;
    (void)out;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(ring_get)(void *engine, uint32_t qid, uint32_t ring, int64_t *slot)
{
    (void)engine;
    (void)qid;
    (void)ring;
    (void)slot;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(ring_id)(void *engine, uint32_t qid, uint32_t ring, uint32_t *id)
{
    (void)engine;
    (void)qid;
    (void)ring;
    (void)id;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(ring_ack)(void *engine, uint32_t qid, uint32_t ring, uint32_t count, int32_t *ret)
{
    (void)engine;
    (void)qid;
    (void)ring;
    (void)count;
    (void)ret;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(ring_available)(void *engine, uint32_t qid, uint32_t ring, int64_t *out)
{
    (void)engine;
    (void)qid;
    (void)ring;
    (void)out;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(prepare)(void *engine, uint32_t qid, const struct udma_pair_in *in, int32_t *ret)
{
    (void)engine;
    (void)qid;
    (void)in;
    (void)ret;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(copy_start)(void *engine, uint32_t qid, uint32_t m2s_count, uint32_t s2m_count,
                              int32_t *ret)
{
    (void)engine;
    (void)qid;
    (void)m2s_count;
    (void)s2m_count;
    (void)ret;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(queue_state)(void *engine, uint32_t qid, uint32_t tx_sw_status, uint32_t
                               rx_sw_status, struct udma_ring_state *tx, struct udma_ring_state *rx)
{
    (void)engine;
    (void)qid;
    (void)tx_sw_status;
    (void)rx_sw_status;
    (void)tx;
    (void)rx;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(layout)(const char *kind, const char *name, const char *field, struct udma_place
                          *out)
{
    (void)kind;
    (void)name;
    (void)field;
    (void)out;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(transfer_open)(void *engine, uint32_t qid, const struct udma_transfer_cfg *cfg)
{
    (void)engine;
    (void)qid;
    (void)cfg;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(copy)(void *engine, uint32_t qid, const struct udma_transfer *in, int32_t *ret)
{
    (void)engine;
    (void)qid;
    (void)in;
    (void)ret;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(copy_async)(void *engine, uint32_t qid, const struct udma_transfer *in,
                              int32_t previous, int32_t *handle, int32_t *ret)
{
    (void)engine;
    (void)qid;
    (void)in;
    (void)previous;
    (void)handle;
    (void)ret;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(wait)(void *engine, uint32_t qid, int32_t handle, int32_t *ret)
{
    (void)engine;
    (void)qid;
    (void)handle;
    (void)ret;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(memset)(void *engine, uint32_t qid, const struct udma_memset_in *in, int32_t *ret)
{
    (void)engine;
    (void)qid;
    (void)in;
    (void)ret;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(zerocopy)(void *engine, uint32_t qid, const struct udma_zerocopy_in *in,
                            int32_t *ret)
{
    (void)engine;
    (void)qid;
    (void)in;
    (void)ret;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(contexts_open)(void *engine, uint32_t qid, const struct udma_contexts_cfg *cfg)
{
    (void)engine;
    (void)qid;
    (void)cfg;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(contexts_submit)(void *engine, uint32_t qid, const struct udma_zerocopy_in *in,
                                   uint64_t tag, int32_t *ret)
{
    (void)engine;
    (void)qid;
    (void)in;
    (void)tag;
    (void)ret;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(contexts_copy)(void *engine, uint32_t qid, const struct udma_zerocopy_in *in,
                                 int32_t *ret)
{
    (void)engine;
    (void)qid;
    (void)in;
    (void)ret;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(contexts_advance)(void *engine, uint32_t qid, uint32_t *moved)
{
    (void)engine;
    (void)qid;
    (void)moved;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(contexts_state)(void *engine, uint32_t qid, struct udma_contexts_state *out)
{
    (void)engine;
    (void)qid;
    (void)out;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(contexts_at)(void *engine, uint32_t qid, uint32_t index, uint32_t *state)
{
    (void)engine;
    (void)qid;
    (void)index;
    (void)state;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(completion_pop)(void *engine, uint32_t qid, struct udma_completion *out,
                                  uint32_t *got)
{
    (void)engine;
    (void)qid;
    (void)out;
    (void)got;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(zerocopy_offered)(uint32_t arch, uint32_t overridden, uint32_t *offered)
{
    (void)arch;
    (void)overridden;
    (void)offered;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(wait_estimate)(const struct udma_wait_in *in, struct udma_wait_out *out,
                                 uint32_t n)
{
    (void)in;
    (void)out;
    (void)n;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(host_queue)(uint32_t arch, uint32_t core, struct udma_host_place *out,
                              int32_t *ret)
{
    (void)arch;
    (void)core;
    (void)out;
    (void)ret;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(engine_init)(const struct udma_engine_init_in *in, struct udma_engine_init_out
                               *out)
{
    (void)in;
    (void)out;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(engine_state)(const struct udma_host *host, uint32_t num_queues, struct
                                udma_engine_state *out)
{
    (void)host;
    (void)num_queues;
    (void)out;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(set_state)(const struct udma_host *host, int32_t state, int32_t *ret)
{
    (void)host;
    (void)state;
    (void)ret;
    return UDMA_NOT_OFFERED;
}

int32_t UDMA_NAME(bar0)(struct udma_bar0_case *inout, uint32_t n)
{
    (void)inout;
    (void)n;
    return UDMA_NOT_OFFERED;
}
