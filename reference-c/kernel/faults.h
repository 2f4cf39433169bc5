/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Wrong beliefs that can be switched on one at a time, to see whether tests
 * find them. In a build without UDMA_MUTANTS every switch is the constant 0.
 */
#ifndef UDMA_FAULTS_H
#define UDMA_FAULTS_H

#include "names.h"

#ifdef UDMA_MUTANTS
extern uint32_t UDMA_SYM(mutant);
void UDMA_SYM(set_mutant)(uint32_t number);
#define UDMA_MUTANT(n) (UDMA_SYM(mutant) == n##u)
#else
#define UDMA_MUTANT(n) (0)
#endif

#endif
