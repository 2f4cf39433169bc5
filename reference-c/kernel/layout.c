/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Where registers and members lie, answered from the structures themselves. */
#include <linux/string.h>

#include "engine.h"

struct layout_entry {
	const char *name;
	const char *field; /* "" for the whole */
	u64 offset;
	u64 size;
	u64 count;
	u64 stride;
};

struct layout_kind {
	const char *kind;
	const struct layout_entry *entries;
	size_t count;
};

#define WHOLE(name, type) { name, "", 0, sizeof(type), 0, 0 }
#define MEMBER(name, type, member)                                                                 \
	{ name, #member, offsetof(type, member), sizeof_field(type, member), 0, 0 }
#define CONSTANT(what, value) { what, "", value, 0, 0, 0 }

#include "layout_blocks.h"
#include "layout_places.h"

static const struct layout_entry constants[] = {
	CONSTANT("tx descriptor: barrier (DMB) bit", UDMA_CTRL_DMB),
	CONSTANT("tx descriptor: interrupt bit", UDMA_CTRL_INT_EN),
	CONSTANT("tx descriptor: last bit", UDMA_CTRL_LAST),
	CONSTANT("tx descriptor: first bit", UDMA_CTRL_FIRST),
	CONSTANT("tx descriptor: ring id shift", UDMA_CTRL_RING_ID_SHIFT),
	CONSTANT("tx descriptor: ring id mask", UDMA_CTRL_RING_ID),
	CONSTANT("tx descriptor: length mask", UDMA_CTRL_LEN),
	CONSTANT("rx descriptor: interrupt bit", UDMA_CTRL_INT_EN),
	CONSTANT("rx descriptor: strong-order write bit", UDMA_CTRL_SOW),
	CONSTANT("rx descriptor: ring id shift", UDMA_CTRL_RING_ID_SHIFT),
	CONSTANT("rx descriptor: ring id mask", UDMA_CTRL_RING_ID),
	CONSTANT("largest transfer of one descriptor (bytes)", UDMA_MAX_TRANSFER),
	CONSTANT("smallest ring (descriptors)", UDMA_MIN_RING),
	CONSTANT("largest ring (descriptors)", UDMA_MAX_RING),
	CONSTANT("ring base and end alignment (bytes)", UDMA_RING_ALIGN),
	CONSTANT("guard gap (descriptors)", UDMA_RING_GUARD),
	CONSTANT("first ring id", UDMA_FIRST_RING_ID),
	CONSTANT("ring id wrap mask", UDMA_RING_ID_WRAP),
	CONSTANT("queues per engine", UDMA_QUEUES),
	CONSTANT("host-transfer ring request (descriptors)", UDMA_HOST_RING_REQUEST),
	CONSTANT("engines per device (table size)", UDMA_ENGINES_PER_DEVICE),
	CONSTANT("most descriptors per packet", UDMA_MAX_DESCS_PER_PACKET),
	CONSTANT("completion descriptor size (bytes)", UDMA_CDESC_SIZE),
	CONSTANT("all queues marker for engine initialisation", UDMA_ALL_QUEUES),
};

#define KIND(name, table) { name, table, ARRAY_SIZE(table) }

static const struct layout_kind kinds[] = {
	KIND("register_block", register_blocks),
	KIND("region", regions),
	KIND("queue_block", queue_blocks),
	KIND("software_struct", software_structs),
	KIND("constant", constants),
};

static const struct layout_entry *layout_find(const char *kind, const char *name, const char *field)
{
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
		if (strcmp(kinds[k].kind, kind) != 0)
			continue;
		for (size_t i = 0; i < kinds[k].count; i++) {
			const struct layout_entry *e = &kinds[k].entries[i];

			if (strcmp(e->name, name) == 0 && strcmp(e->field, field) == 0)
				return e;
		}
	}
	return NULL;
}

int32_t UDMA_SYM(layout)(const char *kind, const char *name, const char *field,
			 struct udma_place *out)
{
	const struct layout_entry *e = layout_find(kind, name, field);

	if (!e)
		return UDMA_NOT_OFFERED;
	out->offset = e->offset;
	out->size = e->size;
	out->count = e->count;
	out->stride = e->stride;
	return 0;
}
