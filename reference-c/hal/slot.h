/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Descriptors in memory: byte order, and how a finished one reaches its slot.
 */
#ifndef UDMA_HAL_SLOT_H
#define UDMA_HAL_SLOT_H

#include "faults.h"

#include <string.h>

_Static_assert(sizeof(struct udma_desc) == 16, "a descriptor is 16 bytes"); /* DESC-1 */

static inline uint32_t swap32(uint32_t v)
{
    return v >> 24 | (v >> 8 & 0x0000ff00u) | (v << 8 & 0x00ff0000u) | v << 24;
}

/* Words are little-endian in memory (DESC-1). The conversion is its own
 * inverse, so one function serves for loading and for storing. */
static inline uint32_t le32(uint32_t v)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return v;
#elif defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return swap32(v);
#else
#error "the byte order of this host is not known"
#endif
}

/* A descriptor with a 64-bit address in words 2 and 3 (DESC-1). */
static inline struct udma_desc desc_make(uint32_t word0, uint32_t word1, uint64_t pointer)
{
    const struct udma_desc d = {
        {le32(word0), le32(word1), le32((uint32_t)pointer), le32((uint32_t)(pointer >> 32))},
    };

    return d;
}

/* The address in words 2 and 3, read and replaced. */
static inline uint64_t desc_pointer(const struct udma_desc *d)
{
    return (uint64_t)le32(d->word[3]) << 32 | le32(d->word[2]);
}

static inline void desc_set_pointer(struct udma_desc *d, uint64_t pointer)
{
    d->word[2] = le32((uint32_t)pointer);
    d->word[3] = le32((uint32_t)(pointer >> 32));
}

/* Publish a finished descriptor: one 16-byte copy, so that a slot never shows a
 * half-made one of ours (DESC-5). The slot may be less aligned than DESC-1 asks
 * of a ring, hence no wider type. */
static inline void desc_publish(struct udma_desc *slot, struct udma_desc scratch)
{
    memcpy(slot, &scratch, sizeof scratch);
}

/* An RX descriptor's word1, buf2_ptr_lo, is written as 0 whatever the slot held (DESC-2). */
static inline void desc_publish_rx(struct udma_desc *slot, struct udma_desc scratch)
{
    if (UDMA_MUTANT(17))
        scratch.word[1] = slot->word[1];
    desc_publish(slot, scratch);
}

#endif
