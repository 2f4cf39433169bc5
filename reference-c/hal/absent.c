/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What the HAL line does not do: engines, queues, rings, the register map and
 * BAR0 belong to the kernel line.
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
