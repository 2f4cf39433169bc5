/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The interrupt controller as this line drives it (IOFC-1 to IOFC-5, 7, 8).
 */
#include "request.h"

/* Where the levels and their groups lie (IOFC-1, IOFC-2). */
#define IOFIC_PRIMARY 0x38000u
#define IOFIC_SECONDARY_DISTANCE (UDMA_MUTANT(368) ? 0x400u : 0x2000u)
#define IOFIC_GROUP_BYTES 0x40u
#define IOFIC_PRIMARY_GROUPS 4u
#define IOFIC_SECONDARY_GROUPS 3u
#define IOFIC_SECONDARY_GROUPS_OLD 2u
#define IOFIC_THIRD_GROUP_REVISION 4u /* the first with three secondary groups */
#define IOFIC_MAX_GROUPS 4u
#define IOFIC_GROUP_BITS 32

/* Registers of a group (IOFC-1). */
#define IOFIC_CAUSE 0x00u
#define IOFIC_MASK 0x10u
#define IOFIC_MASK_CLEAR (UDMA_MUTANT(367) ? 0x14u : 0x18u)
#define IOFIC_CONTROL 0x28u
#define IOFIC_ABORT_MASK 0x30u

/* The control word (IOFC-3, IOFC-7). */
#define CONTROL_AUTO_CLEAR 0x01u
#define CONTROL_SET_ON_POSEDGE 0x08u
#define CONTROL_MASK_MSIX 0x20u
#define CONTROL_CONFIG                                                                             \
    (UDMA_MUTANT(370) ? CONTROL_SET_ON_POSEDGE : CONTROL_SET_ON_POSEDGE | CONTROL_MASK_MSIX)

/* Summary bits of the secondary level (IOFC-8). */
#define SUMMARY_FIRST 0x100u
#define SUMMARY_COUNT 4u
#define SUMMARY_COUNT_OLD 2u
#define SUMMARY_OLD_REVISION 3u /* the last with two bits */

#define CAUSE_GROUP_SHIFT 8 /* how a pending cause is given */

#define RET_EIO (-5) /* IOFC-7 */

/* One group through its host. */
struct group {
    const struct udma_host *host;
    uint64_t base;
};

static struct group group_at(const struct udma_host *host, uint32_t level, uint32_t index)
{
    const struct group g = {
        host,
        (uint64_t)IOFIC_PRIMARY +
            (level == UDMA_LEVEL_SECONDARY ? IOFIC_SECONDARY_DISTANCE : 0u) +
            (uint64_t)index * IOFIC_GROUP_BYTES,
    };

    return g;
}

static uint32_t group_read(const struct group *g, uint32_t reg)
{
    return g->host->read32(g->host->ctx, UDMA_SPACE_ENGINE, g->base + reg);
}

static void group_write(const struct group *g, uint32_t reg, uint32_t value)
{
    g->host->write32(g->host->ctx, UDMA_SPACE_ENGINE, g->base + reg, value);
}

/* IOFC-2: the third secondary group lies past what the map declares. */
static uint32_t group_count(uint32_t level, uint32_t revision)
{
    if (level == UDMA_LEVEL_PRIMARY)
        return IOFIC_PRIMARY_GROUPS;
    if (level != UDMA_LEVEL_SECONDARY)
        return 0;
    return revision < IOFIC_THIRD_GROUP_REVISION || UDMA_MUTANT(369) ? IOFIC_SECONDARY_GROUPS_OLD
                                                                     : IOFIC_SECONDARY_GROUPS;
}

/* Registers in which a 0 acts and a 1 does nothing (IOFC-4). */
static uint32_t zeros_act(uint32_t bits)
{
    return UDMA_MUTANT(371) ? bits : ~bits;
}

static void clear_cause(const struct group *g, uint32_t bits)
{
    group_write(g, IOFIC_CAUSE, zeros_act(bits));
}

static void mask(const struct group *g, uint32_t bits)
{
    if (UDMA_MUTANT(372))
        group_write(g, IOFIC_MASK, bits);
    else
        group_write(g, IOFIC_MASK, group_read(g, IOFIC_MASK) | bits);
}

/* Other bits keep what they had (IOFC-5, ERR-8). */
static void arm_abort(const struct group *g, uint32_t bits)
{
    if (UDMA_MUTANT(374))
        group_write(g, IOFIC_ABORT_MASK, ~bits);
    else
        group_write(g, IOFIC_ABORT_MASK, group_read(g, IOFIC_ABORT_MASK) & ~bits);
}

/* Causes that clear themselves are left alone (IOFC-7). */
static uint32_t read_and_clear(const struct group *g, uint32_t bits)
{
    const uint32_t cause = group_read(g, IOFIC_CAUSE);
    const uint32_t control = group_read(g, IOFIC_CONTROL);

    if ((control & CONTROL_AUTO_CLEAR) == 0 || UDMA_MUTANT(378))
        clear_cause(g, cause & bits);
    return cause;
}

static int32_t clear_verify(const struct group *g, uint32_t bits)
{
    clear_cause(g, bits);
    if (UDMA_MUTANT(379))
        return RET_OK;
    return (group_read(g, IOFIC_CAUSE) & bits) != 0 ? RET_EIO : RET_OK; /* IOFC-7 */
}

/* IOFC-8 */
static uint32_t summary_bit(uint32_t group, uint32_t revision)
{
    const uint32_t count =
        revision <= SUMMARY_OLD_REVISION || UDMA_MUTANT(381) ? SUMMARY_COUNT_OLD : SUMMARY_COUNT;

    return group < count ? SUMMARY_FIRST << group : 0;
}

/* Only unmasking asks whether there is such a group (IOFC-9); elsewhere it is the caller's word. */
int32_t UDMA_NAME(iofic)(const struct udma_iofic_in *in, struct udma_iofic_out *out)
{
    const struct group g = group_at(&in->host, in->level, in->group);
    struct udma_iofic_out result = {RET_OK, 0};

    switch (in->call) {
    case UDMA_IOFIC_CONFIG:
        group_write(&g, IOFIC_CONTROL, CONTROL_CONFIG); /* IOFC-3 */
        break;
    case UDMA_IOFIC_UNMASK:
        if (in->group < group_count(in->level, in->revision))
            group_write(&g, IOFIC_MASK_CLEAR, zeros_act(in->bits)); /* IOFC-4 */
        else
            result.ret = RET_EINVAL;
        break;
    case UDMA_IOFIC_MASK:
        mask(&g, in->bits);
        break;
    case UDMA_IOFIC_CLEAR_CAUSE:
        clear_cause(&g, in->bits);
        break;
    case UDMA_IOFIC_ARM_ABORT:
        arm_abort(&g, in->bits);
        break;
    case UDMA_IOFIC_READ_AND_CLEAR:
        result.value = read_and_clear(&g, in->bits);
        break;
    case UDMA_IOFIC_CLEAR_VERIFY:
        result.ret = clear_verify(&g, in->bits);
        break;
    case UDMA_IOFIC_SUMMARY_BIT:
        result.value = summary_bit(in->group, in->revision);
        break;
    default:
        return UDMA_NOT_OFFERED; /* the kernel line's, or no call at all */
    }
    *out = result;
    return 0;
}

/* IOFC-7: all groups are read first, so that what is given is one moment's picture. */
int32_t UDMA_NAME(iofic_causes)(const struct udma_host *host, uint32_t revision, uint32_t level,
                                uint32_t *pending, uint32_t *count)
{
    const uint32_t groups = group_count(level, revision);
    uint32_t causes[IOFIC_MAX_GROUPS] = {0};
    uint32_t n = 0;

    for (uint32_t i = 0; i < groups; i++) {
        const struct group g = group_at(host, level, i);

        causes[i] = group_read(&g, IOFIC_CAUSE);
    }
    for (uint32_t i = 0; i < groups; i++) {
        for (uint32_t k = 0; k < IOFIC_GROUP_BITS; k++) {
            const uint32_t bit = UDMA_MUTANT(380) ? IOFIC_GROUP_BITS - 1u - k : k;

            if ((causes[i] >> bit & 1u) != 0)
                pending[n++] = i << CAUSE_GROUP_SHIFT | bit;
        }
    }
    *count = n;
    return 0;
}
