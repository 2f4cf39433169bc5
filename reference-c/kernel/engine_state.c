/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The state of an engine's two directions: read (REGS-3, 4) and set (REGS-5). */
#include <linux/io.h>
#include <linux/kernel.h>

#include "engine.h"
#include "window.h"

#define STATE_FIELD 3u
#define STATE_FIELD_NORMAL 1u
#define STATE_FIELD_ABORT 2u
#define STATE_FIELD_STREAM 4u /* shift of the stream interface's field */

#define CHANGE_NORMAL 1u
#define CHANGE_DISABLE 2u
#define CHANGE_ABORT 4u

#define S2M_STREAM_OFF (BIT(0) | BIT(4) | BIT(8))

/* REGS-3: the shifts of the four fields. */
static const u32 state_fields[] = { 0, STATE_FIELD_STREAM, 8, 12 };

/* REGS-4: whether an RX queue that is in use takes its data from the stream. */
static bool udma_s2m_queues_stream(void)
{
	bool stream = false;

	for (u32 qid = 0; qid < UDMA_QUEUES; qid++) {
		u32 cfg = readl(&udma_window.s2m.s2m_q[qid].cfg);

		if (!(cfg & (UDMA_Q_PREFETCH | UDMA_Q_SCHEDULING)))
			continue;
		if (cfg & UDMA_Q_SCHEDULING)
			stream = true;
	}
	return stream;
}

/* REGS-4: off only if the configuration and the queues agree on it. */
static bool udma_s2m_stream_off(void)
{
	u32 off = UDMA_MUTANT(353) ? BIT(0) : S2M_STREAM_OFF;
	bool cfg_off = (readl(&udma_window.s2m.s2m.stream_cfg) & off) == off;

	if (UDMA_MUTANT(352))
		return cfg_off;
	return !udma_s2m_queues_stream() && cfg_off;
}

/* REGS-3 */
static enum udma_state udma_state_of(u32 word, bool without_stream)
{
	bool normal = false;
	bool abort = false;

	for (size_t i = 0; i < ARRAY_SIZE(state_fields); i++) {
		u32 field = (word >> state_fields[i]) & STATE_FIELD;

		if (without_stream && state_fields[i] == STATE_FIELD_STREAM)
			continue;
		if (field == STATE_FIELD_ABORT)
			abort = true;
		if (field == STATE_FIELD_NORMAL || (UDMA_MUTANT(349) && field == 3))
			normal = true;
	}
	if (UDMA_MUTANT(350) && normal)
		return UDMA_NORMAL;
	if (abort)
		return UDMA_ABORT;
	return normal ? UDMA_NORMAL : UDMA_IDLE;
}

static enum udma_state udma_state_get(enum udma_type type)
{
	bool without_stream = false;
	u32 word;

	if (type == UDMA_TX) {
		word = readl(&udma_window.m2s.m2s.state);
	} else {
		word = readl(&udma_window.s2m.s2m.state);
		without_stream = udma_s2m_stream_off() && !UDMA_MUTANT(351);
	}
	return udma_state_of(word, without_stream);
}

/* REGS-5: a state that cannot be asked for is passed over. */
static void udma_state_set(s32 state)
{
	u32 __iomem *m2s = &udma_window.m2s.m2s.change_state;
	u32 __iomem *s2m = &udma_window.s2m.s2m.change_state;
	u32 word;

	switch (state) {
	case UDMA_DISABLE:
		word = CHANGE_DISABLE;
		break;
	case UDMA_NORMAL:
		word = CHANGE_NORMAL;
		break;
	case UDMA_ABORT:
		word = UDMA_MUTANT(355) ? 3 : CHANGE_ABORT;
		break;
	case UDMA_IDLE:
		if (!UDMA_MUTANT(356))
			return;
		word = 0;
		break;
	default:
		return;
	}
	writel(word, UDMA_MUTANT(354) ? s2m : m2s);
	writel(word, UDMA_MUTANT(354) ? m2s : s2m);
}

int32_t UDMA_SYM(engine_state)(const struct udma_host *host, uint32_t num_queues,
			       struct udma_engine_state *out)
{
	struct udma_host copy = *host;
	struct kshim_hooks hooks;
	struct task_struct task;

	udma_engine_hooks(&hooks, &copy);
	kshim_begin(&task, &hooks);
	out->revision_id = UDMA_REV_ID;
	out->max_queues = UDMA_QUEUES;
	out->num_queues = num_queues;
	out->tx_state = (u32)udma_state_get(UDMA_TX);
	out->rx_state = (u32)udma_state_get(UDMA_RX);
	kshim_end(&task);
	return 0;
}

int32_t UDMA_SYM(set_state)(const struct udma_host *host, int32_t state, int32_t *ret)
{
	struct udma_host copy = *host;
	struct kshim_hooks hooks;
	struct task_struct task;

	udma_engine_hooks(&hooks, &copy);
	kshim_begin(&task, &hooks);
	udma_state_set(state);
	kshim_end(&task);
	*ret = 0; /* REGS-5: in every case */
	return 0;
}
