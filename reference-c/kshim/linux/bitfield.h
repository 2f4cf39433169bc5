/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef KSHIM_LINUX_BITFIELD_H
#define KSHIM_LINUX_BITFIELD_H

#include <linux/bits.h>

/* The lowest bit of the mask is the field's unit. */
#define FIELD_GET(mask, word) (((word) & (mask)) / ((mask) & -(mask)))
#define FIELD_PREP(mask, value) (((value) * ((mask) & -(mask))) & (mask))

#endif
