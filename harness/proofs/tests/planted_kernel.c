/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "planted.h"

PLANT(ring_size, uint32_t, uint32_t, in[i] == 0x12345, out[i] ^= 1u << 30)
