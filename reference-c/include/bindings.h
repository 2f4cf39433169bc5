/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What the bindings are generated from: the ABI, and the functions of the two lines that are
 * linked in under prefixes of their own. */
#include "udma_oracle.h"

UDMA_ORACLE_FUNCTIONS(udma_hal_)
UDMA_ORACLE_FUNCTIONS(udma_kernel_)
