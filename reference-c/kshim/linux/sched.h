/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The running call. The kernel's register access, barrier and BUG take no
 * context, so what they report to is kept here, one chain per thread: a hook
 * may call into the library again.
 */
#ifndef KSHIM_LINUX_SCHED_H
#define KSHIM_LINUX_SCHED_H

#include <linux/compiler.h>
#include <linux/types.h>

#include <setjmp.h>

struct kshim_hooks {
	void *ctx;
	u32 (*readl)(void *ctx, const volatile void __iomem *addr);
	void (*writel)(void *ctx, u32 value, volatile void __iomem *addr);
	void (*mb)(void *ctx);
};

struct task_struct {
	const struct kshim_hooks *hooks;
	struct task_struct *parent;
	jmp_buf oops;
};

/* Several builds of one library may live in one program: the name is theirs. */
#ifndef UDMA_PREFIX
#define UDMA_PREFIX udma_
#endif
#define KSHIM_PASTE2(a, b) a##b
#define KSHIM_PASTE(a, b) KSHIM_PASTE2(a, b)
#define kshim_current KSHIM_PASTE(UDMA_PREFIX, kshim_current)
extern _Thread_local struct task_struct *kshim_current __hidden;

/* hooks may be NULL for a call that touches no register. */
static inline void kshim_begin(struct task_struct *task, const struct kshim_hooks *hooks)
{
	task->hooks = hooks;
	task->parent = kshim_current;
	kshim_current = task;
}

static inline void kshim_end(struct task_struct *task)
{
	kshim_current = task->parent;
}

/*
 * 0 at first; nonzero when a BUG has ended the work begun after it. Work with
 * locals of its own is kept out of the calling frame with noinline.
 */
#define kshim_oops(task) setjmp((task)->oops)

#endif
