/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef KSHIM_LINUX_BUILD_BUG_H
#define KSHIM_LINUX_BUILD_BUG_H

#undef static_assert
#define static_assert(expr) _Static_assert(expr, #expr)

#endif
