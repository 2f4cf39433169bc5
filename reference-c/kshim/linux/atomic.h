/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef KSHIM_LINUX_ATOMIC_H
#define KSHIM_LINUX_ATOMIC_H

#include <linux/types.h>

#include <stdatomic.h>

/* Unsigned, unlike the kernel's: what is counted here wraps at 2^32. */
typedef struct {
	_Atomic uint32_t counter;
} atomic_t;

static inline u32 atomic_read(const atomic_t *v)
{
	return atomic_load_explicit(&v->counter, memory_order_relaxed);
}

static inline void atomic_set(atomic_t *v, u32 value)
{
	atomic_store_explicit(&v->counter, value, memory_order_relaxed);
}

/* On failure *old gets the value found. */
static inline bool atomic_try_cmpxchg(atomic_t *v, u32 *old, u32 value)
{
	return atomic_compare_exchange_strong(&v->counter, old, value);
}

static inline u32 atomic_read_acquire(const atomic_t *v)
{
	return atomic_load_explicit(&v->counter, memory_order_acquire);
}

static inline void atomic_set_release(atomic_t *v, u32 value)
{
	atomic_store_explicit(&v->counter, value, memory_order_release);
}

#endif
