/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The phase of a lap: 1 on the first, then 2, 3, 0, 1 and so on.
 */
#ifndef UDMA_HAL_PHASE_H
#define UDMA_HAL_PHASE_H

#include "faults.h"

#define PHASE_FIRST_LAP 1u /* SWQ-1 */
#define PHASE_MASK 3u      /* SWQ-2 */

static inline uint32_t phase_next(uint32_t phase)
{
    return (phase + 1u) & PHASE_MASK; /* SWQ-2 */
}

static inline uint32_t phase_previous(uint32_t phase)
{
    return (phase - 1u) & PHASE_MASK; /* SWQ-3 */
}

#endif
