/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The switch of faults.h. */
#include "faults.h"

#ifdef UDMA_MUTANTS
uint32_t UDMA_SYM(mutant);

void UDMA_SYM(set_mutant)(uint32_t number)
{
	UDMA_SYM(mutant) = number;
}
#endif
