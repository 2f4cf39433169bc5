/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The prefix of the library's symbols, and the declarations under it. */
#ifndef UDMA_NAMES_H
#define UDMA_NAMES_H

#include "udma_oracle.h"

#ifndef UDMA_PREFIX
#define UDMA_PREFIX udma_
#endif

#define UDMA_PASTE2(a, b) a##b
#define UDMA_PASTE(a, b) UDMA_PASTE2(a, b)
#define UDMA_SYM(name) UDMA_PASTE(UDMA_PREFIX, name)

/* One more step, so that the prefix is expanded before it is pasted. */
#define UDMA_DECLARE2(p) UDMA_ORACLE_FUNCTIONS(p)
#define UDMA_DECLARE(p) UDMA_DECLARE2(p)
UDMA_DECLARE(UDMA_PREFIX)

#endif
