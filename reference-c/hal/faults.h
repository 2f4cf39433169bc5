/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Planted wrong beliefs. UDMA_MUTANT(n) tells whether belief n is the one being
 * tried; in a build without UDMA_MUTANTS it is the constant 0, and nothing of
 * the planted code is left in the object files.
 */
#ifndef UDMA_HAL_FAULTS_H
#define UDMA_HAL_FAULTS_H

#include "names.h"

#ifdef UDMA_MUTANTS
#define udma_prefixed_mutant UDMA_NAME(mutant)
extern uint32_t udma_prefixed_mutant;
void UDMA_NAME(set_mutant)(uint32_t number); /* 0: none */
#define UDMA_MUTANT(n) (udma_prefixed_mutant == (n))
#else
#define UDMA_MUTANT(n) 0
#endif

#endif
