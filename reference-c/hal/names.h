/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Names of the exported functions: every one is UDMA_NAME(x), which puts the
 * prefix of the build in front, so that two lines can live in one process.
 */
#ifndef UDMA_HAL_NAMES_H
#define UDMA_HAL_NAMES_H

#include "udma_oracle.h"

#ifdef UDMA_PREFIX
#define UDMA_DECLARE_ALL(prefix) UDMA_ORACLE_FUNCTIONS(prefix)
UDMA_DECLARE_ALL(UDMA_PREFIX)
#else
#define UDMA_PREFIX udma_ /* declared by udma_oracle.h itself */
#endif

/* Two steps, so that UDMA_PREFIX is expanded before it is pasted. */
#define UDMA_PASTE_(a, b) a##b
#define UDMA_PASTE(a, b) UDMA_PASTE_(a, b)
#define UDMA_NAME(x) UDMA_PASTE(UDMA_PREFIX, x)

#endif
