/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Doorbells without an engine object, and the software poll (TRIG-2, TRIG-3,
 * TRIG-5, POLL-4).
 */
#include "faults.h"

#define CYCLE_REFUSED (-1)

/* Queue blocks (REGS-1). */
#define QUEUES 16u
#define QUEUE_BLOCK_TX 0x1000u
#define QUEUE_BLOCK_RX 0x21000u
#define QUEUE_BLOCK_STRIDE 0x1000u
#define QUEUE_DRTP_INC 0x38u /* TRIG-5 */

#define MARKER 0xabcdef01u                         /* MARK-1 */
#define POLL_INTERVAL (UDMA_MUTANT(149) ? 1u : 10u) /* microseconds (POLL-4) */

/* The barrier makes the descriptors visible before the count is; exactly one
 * comes before each doorbell (TRIG-5). */
static void ring_doorbell(const struct udma_host *host, uint32_t block, uint32_t qid,
                          uint32_t count)
{
    const uint64_t offset = block + qid * QUEUE_BLOCK_STRIDE + QUEUE_DRTP_INC;

    if (!UDMA_MUTANT(101) && !UDMA_MUTANT(102))
        host->barrier(host->ctx);
    if (UDMA_MUTANT(103))
        host->barrier(host->ctx);
    host->write32(host->ctx, UDMA_SPACE_ENGINE, offset, count);
    if (UDMA_MUTANT(101))
        host->barrier(host->ctx);
}

/* No ring is known here, so a count is not held against a size; but a doorbell
 * of 0 is none (TRIG-4). Both refusals come before anything is written. */
static int32_t bare_start(const struct udma_host *host, uint32_t qid, uint32_t m2s_count,
                          uint32_t s2m_count)
{
    if (qid >= QUEUES || s2m_count == 0)
        return CYCLE_REFUSED;

    /* RX first, so that the destination is armed when the source is read (TRIG-2). */
    ring_doorbell(host, QUEUE_BLOCK_RX, qid, UDMA_MUTANT(104) && m2s_count != 0 && s2m_count != 0 ? m2s_count : s2m_count);
    if (m2s_count != 0) /* 0: RX alone, a prefetch (TRIG-3) */
        ring_doorbell(host, QUEUE_BLOCK_TX, qid, m2s_count);
    return 0;
}

int32_t UDMA_NAME(bare_copy_start)(const struct udma_host *host, uint32_t qid, uint32_t m2s_count,
                                   uint32_t s2m_count, int32_t *ret)
{
    *ret = bare_start(host, qid, m2s_count, s2m_count);
    return 0;
}

/* A wait follows each miss, the last one too. A match changes nothing: re-arming
 * and acknowledging are not the poll's here (POLL-4). */
static int32_t poll_word_until(const struct udma_host *host, uint64_t poll_word, uint64_t looks)
{
    for (uint64_t i = 0; i < looks; i++) {
        if (host->load32(host->ctx, poll_word) == MARKER)
            return 0;
        host->delay(host->ctx, POLL_INTERVAL);
    }
    return CYCLE_REFUSED;
}

int32_t UDMA_NAME(software_poll)(const struct udma_host *host, uint64_t poll_word, uint64_t looks,
                                 int32_t *ret)
{
    *ret = poll_word_until(host, poll_word, looks);
    return 0;
}
