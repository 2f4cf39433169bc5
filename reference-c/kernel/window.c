/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* From a register access to its host: space and offset instead of an address. */
#include "window.h"

struct unit_regs_v4 udma_window;
struct iofic_regs udma_intc_window;

static u64 udma_engine_offset(const volatile void __iomem *addr)
{
	return (u64)((uintptr_t)addr - (uintptr_t)&udma_window);
}

static u32 udma_engine_readl(void *ctx, const volatile void __iomem *addr)
{
	const struct udma_host *host = ctx;

	return host->read32(host->ctx, UDMA_SPACE_ENGINE, udma_engine_offset(addr));
}

static void udma_engine_writel(void *ctx, u32 value, volatile void __iomem *addr)
{
	const struct udma_host *host = ctx;

	host->write32(host->ctx, UDMA_SPACE_ENGINE, udma_engine_offset(addr), value);
}

static u64 udma_intc_offset(const volatile void __iomem *addr)
{
	return (u64)((uintptr_t)addr - (uintptr_t)&udma_intc_window);
}

static u32 udma_intc_readl(void *ctx, const volatile void __iomem *addr)
{
	const struct udma_host *host = ctx;

	return host->read32(host->ctx, UDMA_SPACE_INTC, udma_intc_offset(addr));
}

static void udma_intc_writel(void *ctx, u32 value, volatile void __iomem *addr)
{
	const struct udma_host *host = ctx;

	host->write32(host->ctx, UDMA_SPACE_INTC, udma_intc_offset(addr), value);
}

static void udma_host_mb(void *ctx)
{
	const struct udma_host *host = ctx;

	host->barrier(host->ctx);
}

void udma_engine_hooks(struct kshim_hooks *hooks, struct udma_host *host)
{
	hooks->ctx = host;
	hooks->readl = udma_engine_readl;
	hooks->writel = udma_engine_writel;
	hooks->mb = udma_host_mb;
}

void udma_intc_hooks(struct kshim_hooks *hooks, struct udma_host *host)
{
	hooks->ctx = host;
	hooks->readl = udma_intc_readl;
	hooks->writel = udma_intc_writel;
	hooks->mb = udma_host_mb;
}
