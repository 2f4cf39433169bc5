/*
 * What the parts of the driving program share.
 */
#ifndef DRIVE_H
#define DRIVE_H

#include "udma_oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define CALL(name) PASTE(DRIVE_PREFIX, name)
#define DECLARE2(p) UDMA_ORACLE_FUNCTIONS(p)
#define DECLARE(p) DECLARE2(p)

#ifdef DRIVE_DECLARE
DECLARE(DRIVE_PREFIX)
#endif

#define COUNT(a) ((uint32_t)(sizeof(a) / sizeof((a)[0])))

#define HOLD(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static inline int32_t offered(uint32_t line, uint32_t of)
{
    return line == of ? 0 : UDMA_NOT_OFFERED;
}

/* Zeroed memory of exactly `count` elements. */
static inline void *room(size_t count, size_t size)
{
    void *p = calloc(count, size);

    HOLD(p != NULL);
    return p;
}

static const uint32_t edges32[] = {0u,          1u,          15u,         16u,         31u,
                                   32u,         64u,         65535u,      65536u,      65537u,
                                   0x00fffff0u, 0x01000000u, 0x7fffffffu, 0x80000000u, 0xffffffffu};
static const uint64_t edges64[] = {0u,
                                   1u,
                                   65535u,
                                   65536u,
                                   65537u,
                                   UINT64_C(0x7fffffff),
                                   UINT64_C(0x80000000),
                                   UINT64_C(0x100000000),
                                   UINT64_C(0x100000001),
                                   UINT64_C(0x8000000000000000),
                                   UINT64_MAX};

/* Each call here must be refused, with nothing touched. */
#define REFUSED(call) HOLD(CALL(call) == UDMA_NOT_OFFERED)

/* Virtual rings, the ring cycle and what works on registers alone: rings.c, cycle.c. */
void drive_vrings(uint32_t line);
void drive_transfers(uint32_t line);
void drive_registers(uint32_t line);

#endif
