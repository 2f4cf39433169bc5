/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Software state of an engine and its queues, and how a queue is found. */
#ifndef UDMA_ENGINE_H
#define UDMA_ENGINE_H

#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "desc.h"
#include "faults.h"
#include "regs.h"

#define UDMA_ALL_QUEUES 0xffu /* asks for every queue (EINI-1) */
#define UDMA_NAME_LEN 25
#define UDMA_ENGINES_PER_DEVICE 132u
#define UDMA_MAX_DESCS_PER_PACKET 128u
#define UDMA_MIN_DESCS_PER_PACKET 8u
#define UDMA_CDESC_SIZE 16u
#define UDMA_REV_ID 4u /* EINI-4: a constant, not read */
#define UDMA_HOST_RING_REQUEST 4096u

#define UDMA_MIN_RING 32u
#define UDMA_MAX_RING 16777200u
#define UDMA_RING_ALIGN 256u
#define UDMA_RING_GUARD 16u
#define UDMA_FIRST_RING_ID 1u
#define UDMA_RING_ID_WRAP 3u

#define UDMA_Q_PREFETCH BIT(16)
#define UDMA_Q_SCHEDULING BIT(17)
#define UDMA_Q_CFG_RESET 0x03000000u
#define UDMA_Q_RESET 0x100u
#define UDMA_Q_NO_COMPLETION_RING BIT(1)
#define UDMA_RLIMIT_MASK_RESET 7u
#define UDMA_RLIMIT_DMB_PAUSE BIT(2)

enum udma_type { UDMA_TX = 0, UDMA_RX = 1 };

enum udma_state { UDMA_DISABLE = 0, UDMA_IDLE, UDMA_NORMAL, UDMA_ABORT, UDMA_RESET };

enum udma_queue_status { UDMA_QUEUE_DISABLED = 1, UDMA_QUEUE_ENABLED = 2 };

struct udma_desc_comp_tx {
	__le32 ctrl;
};

struct udma_desc_comp_rx {
	__le32 ctrl;
};

union udma_cdesc {
	struct udma_desc_comp_tx desc_comp_tx;
	struct udma_desc_comp_rx desc_comp_rx;
};

struct udma;

struct udma_q {
	_Alignas(64) u32 size_mask;
	union udma_q_regs __iomem *q_regs;
	struct udma_desc *desc_base_ptr;
	u32 is_allocatable;
	u32 next_desc_idx; /* producer */
	u32 desc_ring_id;  /* phase */
	union udma_cdesc *cdesc_base_ptr;
	u32 cdesc_size;
	atomic_t next_cdesc_idx; /* consumer, moved by acks of any thread */
	union udma_cdesc *end_cdesc_ptr;
	u32 comp_head_idx;
	union udma_cdesc *comp_head_ptr;
	u32 pkt_crnt_descs;
	u32 comp_ring_id;
	dma_addr_t desc_phy_base;
	dma_addr_t cdesc_phy_base;
	u32 flags;
	u32 size;
	enum udma_queue_status status;
	struct udma *udma;
	u32 qid;
	u32 eng_id;
	enum udma_type type;
	u8 adapter_rev_id;
	u32 cfg;
	u32 rlimit_mask;
#ifdef UDMA_MUTANTS
	bool phase_asked; /* the phase stepped at the present index */
#endif
};

struct udma {
	char name[UDMA_NAME_LEN];
	enum udma_state state_m2s;
	enum udma_state state_s2m;
	u8 num_of_queues_max;
	u8 num_of_queues;
	struct unit_regs_v4 __iomem *unit_regs_base;
	struct udma_m2s_regs_v4 __iomem *udma_regs_m2s;
	struct udma_s2m_regs_v4 __iomem *udma_regs_s2m;
	struct udma_gen_regs_v4 __iomem *gen_regs;
	struct udma_gen_axi __iomem *gen_axi_regs;
	struct udma_iofic_regs __iomem *gen_int_regs;
	struct udma_gen_ex_regs __iomem *gen_ex_regs;
	struct udma_q udma_q_m2s[UDMA_QUEUES];
	struct udma_q udma_q_s2m[UDMA_QUEUES];
	u32 rev_id;
	u32 cdesc_size;
	bool reserve_max_read_axi_id;
};

/* What a queue is set up from, one per direction. */
struct udma_q_params {
	u32 size;
	u32 allocatable;
	struct udma_desc *desc_base;
	dma_addr_t desc_phy_base;
	union udma_cdesc *cdesc_base;
	dma_addr_t cdesc_phy_base;
	u8 adapter_rev_id;
	enum udma_type type;
	u32 eng_id;
};

struct udma_params {
	struct unit_regs_v4 __iomem *udma_regs_base;
	u32 cdesc_size;
	u8 num_of_queues;
	u32 flags;
	const char *name;
	bool reserve_max_read_axi_id;
};

struct udma_xfer;

struct udma_ring_ptr {
	dma_addr_t addr;
	void *ptr;
};

static_assert(sizeof(struct udma_q) == 192);
static_assert(sizeof(struct udma) == 6336);

/* An opened engine: the driver's state and the host it reaches registers by. */
struct udma_dev {
	struct udma udma;
	struct udma_host host;
	struct kshim_hooks hooks;
	u32 arch;
	u32 driver;
	u32 eng_id;
	struct udma_queue_cfg queue_cfg[UDMA_QUEUES]; /* of the last queue_init */
	bool queue_ready[UDMA_QUEUES];
	struct udma_xfer *xfer[UDMA_QUEUES]; /* NULL: carries no host transfers */
#ifdef UDMA_MUTANTS
	struct udma_q past_end[2];
#endif
};

/* Used across files: the name carries the library's prefix. */
#define udma_handle_init UDMA_SYM(handle_init)

/*
 * EINI-4: the state of an engine of that many queues, the count as its caller
 * gave it. -EINVAL for a refused count: what depends on it stays as it was.
 * dev is zeroed beforehand.
 */
int udma_handle_init(struct udma_dev *dev, u32 count, bool reserve_max_read_axi_id) __hidden;

static inline struct udma_dev *udma_to_dev(struct udma *udma)
{
	return container_of(udma, struct udma_dev, udma);
}

/* Whether the engine was set up with this queue (TRIG-1, QINI-3, RING-8). */
static inline bool udma_has_queue(const struct udma_dev *dev, u32 qid)
{
	if (UDMA_MUTANT(61))
		return qid <= dev->udma.num_of_queues;
	return qid < dev->udma.num_of_queues;
}

/* The caller has checked qid. */
static inline struct udma_q *udma_get_q(struct udma_dev *dev, u32 qid, enum udma_type type)
{
#ifdef UDMA_MUTANTS
	if (qid >= UDMA_QUEUES)
		return &dev->past_end[type];
#endif
	return type == UDMA_TX ? &dev->udma.udma_q_m2s[qid] : &dev->udma.udma_q_s2m[qid];
}

/* For a caller's numbers: NULL outside the 16 queues and the two rings. */
static inline struct udma_q *udma_find_q(void *engine, u32 qid, u32 ring)
{
	if (!engine || qid >= UDMA_QUEUES || ring > UDMA_RING_RX)
		return NULL;
	return udma_get_q(engine, qid, ring == UDMA_RING_TX ? UDMA_TX : UDMA_RX);
}

#endif
