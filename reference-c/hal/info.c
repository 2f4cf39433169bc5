/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What this library is.
 */
#include "names.h"

int32_t UDMA_NAME(info)(struct udma_info *out)
{
    out->abi_version = UDMA_ABI_VERSION;
    out->line = UDMA_LINE_HAL;
    return 0;
}
