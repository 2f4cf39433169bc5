/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Reserved descriptors copied into their ring (SWQ-4).
 */
#include "bits.h"
#include "phase.h"
#include "slot.h"

#define COMMIT_REFUSED (-1)

/* The descriptor as it goes into the ring. The phase is ORed in, all other bits
 * stay: a ring id that the input carries is not taken out (SWQ-4). */
static struct udma_desc commit_stamp(const struct udma_commit_in *in, uint32_t i, uint32_t phase)
{
    struct udma_desc d = in->descs[i];

    d.word[0] |= le32(phase << W0_RING_ID_SHIFT & W0_RING_ID_MASK);
    if (in->addresses != NULL) {
        d.word[2] = le32((uint32_t)in->addresses[i]); /* DESC-1 */
        d.word[3] = le32((uint32_t)(in->addresses[i] >> 32));
    }
    return d;
}

/* One contiguous run: descriptors from..from + len - 1 into the slots from `slot` on. */
static void commit_run(const struct udma_commit_in *in, uint32_t from, uint32_t len, uint32_t slot,
                       uint32_t phase)
{
    for (uint32_t i = 0; i < len; i++)
        desc_publish(&in->ring[slot + i], commit_stamp(in, from + i, phase)); /* DESC-5 */
}

/* At most two runs: n is no more than the ring holds, so what is left at the
 * wrap ends before `first` is met again. The phase steps at the wrap (SWQ-4). */
static int32_t commit(const struct udma_commit_in *in, uint32_t *runs)
{
    uint32_t to_wrap;

    *runs = 0;
    if (in->n > in->ring_count)
        return COMMIT_REFUSED;
    if (in->n == 0)
        return 0; /* nothing to place, so `first` does not count */
    if (in->first >= in->ring_count)
        return COMMIT_REFUSED;

    to_wrap = in->ring_count - in->first;
    if (in->n <= to_wrap) {
        commit_run(in, 0, in->n, in->first, in->phase);
        *runs = 1;
        return 0;
    }
    commit_run(in, 0, to_wrap, in->first, in->phase);
    commit_run(in, to_wrap, in->n - to_wrap, 0,
               UDMA_MUTANT(199) ? in->phase : phase_next(in->phase));
    *runs = 2;
    return 0;
}

int32_t UDMA_NAME(shadow_commit)(const struct udma_commit_in *in, uint32_t *runs, int32_t *ret)
{
    *ret = commit(in, runs);
    return 0;
}
