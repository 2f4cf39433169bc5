/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the kernel line does not do: virtual rings belong to the HAL line. */
#include "names.h"

int32_t UDMA_SYM(vring_open)(const char *name, void **vring)
{
	(void)name;
	(void)vring;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_close)(void *vring)
{
	(void)vring;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_page_gate)(void *vring, const struct udma_page_gate *gate)
{
	(void)vring;
	(void)gate;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_transfer)(void *vring, const struct udma_vring_copy *in, int32_t *ret)
{
	(void)vring;
	(void)in;
	(void)ret;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_transfer_ex)(void *vring, const struct udma_vring_copy *in, int32_t *ret)
{
	(void)vring;
	(void)in;
	(void)ret;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_poke)(void *vring, uint32_t arch, uint32_t kind, uint64_t src,
		uint64_t dst, int32_t *ret)
{
	(void)vring;
	(void)arch;
	(void)kind;
	(void)src;
	(void)dst;
	(void)ret;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_packet)(void *vring, const struct udma_packet_in *in, int32_t *ret)
{
	(void)vring;
	(void)in;
	(void)ret;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_raw)(void *vring, uint32_t ring, const struct udma_desc *desc, uint32_t n,
		int32_t *ret)
{
	(void)vring;
	(void)ring;
	(void)desc;
	(void)n;
	(void)ret;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_deep_copy)(void *vring, void **copy, int32_t *ret)
{
	(void)vring;
	(void)copy;
	(void)ret;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_free)(void *vring)
{
	(void)vring;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_image)(void *vring, struct udma_vring_image *out)
{
	(void)vring;
	(void)out;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_read)(void *vring, uint32_t ring, uint32_t first, uint32_t n,
		struct udma_desc *out, uint32_t *count)
{
	(void)vring;
	(void)ring;
	(void)first;
	(void)n;
	(void)out;
	(void)count;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_pack)(void *vring, uint32_t arch, uint32_t start, uint32_t end,
		uint64_t max_bytes, struct udma_packed *out)
{
	(void)vring;
	(void)arch;
	(void)start;
	(void)end;
	(void)max_bytes;
	(void)out;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_dmb_on_last_packet)(void *vring, uint32_t arch, uint32_t *set,
		int32_t *ret)
{
	(void)vring;
	(void)arch;
	(void)set;
	(void)ret;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_addr_rewrite)(void *vring, uint64_t base, uint64_t size,
		uint64_t new_base, uint64_t *moved)
{
	(void)vring;
	(void)base;
	(void)size;
	(void)new_base;
	(void)moved;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_semaphore_wanted)(void *vring, const struct udma_semaphore *in,
		uint32_t *wanted)
{
	(void)vring;
	(void)in;
	(void)wanted;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_embed_semaphore)(void *vring, const struct udma_semaphore *in,
		uint32_t *set)
{
	(void)vring;
	(void)in;
	(void)set;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_template)(void *vring, uint32_t max_var_id)
{
	(void)vring;
	(void)max_var_id;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_resolve)(void *vring, const uint64_t *addresses, uint32_t n,
		struct udma_resolved *out)
{
	(void)vring;
	(void)addresses;
	(void)n;
	(void)out;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(pring_size)(uint32_t descriptors, uint32_t wrap, uint64_t *out)
{
	(void)descriptors;
	(void)wrap;
	(void)out;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_dump)(void *vring, uint32_t ring, struct udma_pring *pring,
		const struct udma_dump *in, int32_t *ret)
{
	(void)vring;
	(void)ring;
	(void)pring;
	(void)in;
	(void)ret;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_dump_both)(void *vring, struct udma_pring *tx,
		const struct udma_dump *tx_in, struct udma_pring *rx,
		const struct udma_dump *rx_in, int32_t *ret)
{
	(void)vring;
	(void)tx;
	(void)tx_in;
	(void)rx;
	(void)rx_in;
	(void)ret;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(cache_open)(void *vring, uint32_t capacity, void **cache, int32_t *ret)
{
	(void)vring;
	(void)capacity;
	(void)cache;
	(void)ret;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(cache_acquire)(void *cache, const uint64_t *addresses, uint32_t n, void **ring,
		struct udma_resolved *out)
{
	(void)cache;
	(void)addresses;
	(void)n;
	(void)ring;
	(void)out;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(cache_release)(void *cache, void *ring)
{
	(void)cache;
	(void)ring;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(cache_stats)(void *cache, struct udma_cache_stats *out)
{
	(void)cache;
	(void)out;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(cache_close)(void *cache)
{
	(void)cache;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(set_open)(const char *name, uint32_t stochastic_rounding, void **set)
{
	(void)name;
	(void)stochastic_rounding;
	(void)set;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(set_add)(void *set, void **vring, int32_t *ret)
{
	(void)set;
	(void)vring;
	(void)ret;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(set_close)(void *set)
{
	(void)set;
	return UDMA_NOT_OFFERED;
}

int32_t UDMA_SYM(vring_layout)(const char *name, const char *field, struct udma_place *out)
{
	(void)name;
	(void)field;
	(void)out;
	return UDMA_NOT_OFFERED;
}
