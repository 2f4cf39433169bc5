/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The selector of the planted beliefs; empty in ordinary builds.
 */
#include "faults.h"

#ifdef UDMA_MUTANTS
uint32_t udma_prefixed_mutant;

void UDMA_NAME(set_mutant)(uint32_t number)
{
    udma_prefixed_mutant = number;
}
#endif
