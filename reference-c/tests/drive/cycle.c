/*
 * The ring cycle over a host whose markers are always seen, and what works on registers alone.
 */
#include "drive.h"

#define MARKER 0xabcdef01u
#define RING 64u

struct outside {
    uint64_t time;
    uint32_t doorbells;
    uint32_t acked;
    int64_t pinned;
    uint32_t refuse_pin;
    uint32_t marker; /* what every word reads as */
};

static uint32_t read32(void *ctx, uint32_t space, uint64_t offset)
{
    (void)ctx;
    return space ? UINT32_MAX : (uint32_t)offset;
}

static void write32(void *ctx, uint32_t space, uint64_t offset, uint32_t value)
{
    (void)space;
    (void)offset;
    (void)value;
    ((struct outside *)ctx)->doorbells++;
}

static void barrier(void *ctx)
{
    (void)ctx;
}

static uint32_t load32(void *ctx, uint64_t address)
{
    (void)address;
    return ((struct outside *)ctx)->marker;
}

static void store32(void *ctx, uint64_t address, uint32_t value)
{
    (void)ctx;
    (void)address;
    (void)value;
}

static void fill(void *ctx, uint64_t address, uint32_t byte, uint64_t len)
{
    (void)ctx;
    (void)address;
    HOLD(byte < 256 && len <= 65536);
}

static uint64_t now(void *ctx)
{
    return ((struct outside *)ctx)->time++;
}

static void delay(void *ctx, uint64_t us)
{
    ((struct outside *)ctx)->time += us;
}

static uint32_t in_reset_window(void *ctx, uint64_t started)
{
    (void)ctx;
    (void)started;
    return 0;
}

static void acked(void *ctx, uint32_t qid, uint32_t ring, uint32_t next, uint32_t consumed,
                  uint32_t id)
{
    (void)qid;
    HOLD(ring <= UDMA_RING_RX && next < 4096 && consumed < 4096 && id < 4);
    ((struct outside *)ctx)->acked++;
}

static int32_t pin(void *ctx, uint64_t page, uint32_t count, uint64_t *frames)
{
    struct outside *outside = ctx;

    HOLD(page % 4096u == 0);
    if (outside->refuse_pin)
        return -14;
    for (uint32_t i = 0; i < count; i++)
        frames[i] = UINT64_C(0x1000000) + UINT64_C(8192) * i;
    outside->pinned += count;
    return 0;
}

static void unpin(void *ctx, uint64_t page, uint32_t count)
{
    (void)page;
    ((struct outside *)ctx)->pinned -= count;
}

static struct udma_host host(struct outside *outside)
{
    return (struct udma_host){outside, read32, write32, barrier,         load32, store32, fill,
                              now,     delay,  in_reset_window, acked,  pin,     unpin};
}

static void zero_copies(void *engine, struct outside *outside)
{
    struct udma_contexts_cfg cfg = {.completion = 0x8000, .budget = 64, .capacity = 8, .entries = 4};
    struct udma_zerocopy_in in = {.user = 0x7ff123, .device = 0x100, .completion = {64, 72}};
    struct udma_contexts_state state;
    struct udma_completion done = {0, 7, 0};
    uint32_t number, rounds = 0;
    int32_t ret;

    for (uint32_t to = 0; to < 2; to++)
        for (in.size = 0; in.size < 90000; in.size += 30011) {
            in.to_device = to;
            HOLD(CALL(zerocopy)(engine, 0, &in, &ret) == 0 && ret == 0);
        }
    outside->refuse_pin = 1;
    HOLD(CALL(zerocopy)(engine, 0, &in, &ret) == 0 && ret == -14);
    outside->refuse_pin = 0;
    in.core = 1;
    HOLD(CALL(zerocopy)(engine, 0, &in, &ret) == 0 && ret == -2);
    in.core = 0;
    HOLD(outside->pinned == 0);

    HOLD(CALL(contexts_open)(engine, 0, &cfg) == 0);
    in.size = 9000;
    HOLD(CALL(contexts_submit)(engine, 0, &in, UINT64_MAX, &ret) == 0 && ret == 0);
    HOLD(CALL(contexts_copy)(engine, 0, &in, &ret) == 0 && ret == 0);
    do
        HOLD(CALL(contexts_advance)(engine, 0, &number) == 0 && rounds++ < 64);
    while (number);
    HOLD(CALL(completion_pop)(engine, 0, &done, &number) == 0 && number == 1);
    HOLD(done.tag == UINT64_MAX && done.result == 0);
    HOLD(CALL(completion_pop)(engine, 0, &done, &number) == 0 && number == 0);
    for (uint32_t i = 0; i < cfg.capacity; i++)
        HOLD(CALL(contexts_at)(engine, 0, i, &number) == 0 && number <= UDMA_CONTEXT_COMPLETED);
    HOLD(CALL(contexts_state)(engine, 0, &state) == 0 && state.head == state.tail);
    HOLD(state.pinned == 0 && outside->pinned == 0);
}

static void drive_queue(void *engine, struct outside *outside, uint32_t ring)
{
    struct udma_transfer in = {.src = 0x1000, .dst = 0x9000, .src_moves = 1, .dst_moves = 1};
    struct udma_memset_in set = {.buffer = 0x10000, .dst = 0x77, .value = 0xffffffa5u};
    int32_t handle = 9, ret;

    /* As much as the guard gap and the marker leave room for. */
    for (in.size = 0; in.size <= (ring - 17u) * UINT64_C(65536); in.size = in.size * 5u + 1u) {
        HOLD(CALL(copy)(engine, 0, &in, &ret) == 0 && ret == 0);
        set.size = in.size;
        HOLD(CALL(memset)(engine, 0, &set, &ret) == 0 && ret == 0);
    }
    in.size = 1;
    HOLD(CALL(copy_async)(engine, 0, &in, UDMA_HANDLE_NONE, &handle, &ret) == 0);
    HOLD(ret == 0 && handle == UDMA_HANDLE_ASYNC1);
    HOLD(CALL(copy_async)(engine, 0, &in, handle, &handle, &ret) == 0);
    HOLD(ret == 0 && handle == UDMA_HANDLE_ASYNC2);
    HOLD(CALL(wait)(engine, 0, handle, &ret) == 0 && ret == 0);
    handle = 9;
    HOLD(CALL(copy_async)(engine, 0, &in, INT32_MIN, &handle, &ret) == 0);
    HOLD(ret == -22 && handle == 9);
    HOLD(CALL(wait)(engine, 0, INT32_MAX, &ret) == 0 && ret == -22);
    HOLD(outside->acked && outside->doorbells);
    zero_copies(engine, outside);
}

static void stand_alone(uint32_t line)
{
    struct udma_wait_in *waits = room(COUNT(edges32), sizeof(*waits));
    struct udma_wait_out *out = room(COUNT(edges32), sizeof(*out));
    struct udma_host_place place;
    struct udma_shadow tx, rx;
    uint32_t number, first[2];
    int32_t ret;

    for (uint32_t i = 0; i < COUNT(edges32); i++)
        waits[i] = (struct udma_wait_in){UDMA_ARCH_SUNDA + i % 3u, i % 5u, i % 3u, edges32[i], i & 1u, 0};
    HOLD(CALL(wait_estimate)(waits, out, COUNT(edges32)) == offered(line, UDMA_LINE_KERNEL));
    for (uint32_t core = 0; core < 10; core++) {
        HOLD(CALL(host_queue)(UDMA_ARCH_CAYMAN, core, &place, &ret) ==
             offered(line, UDMA_LINE_KERNEL));
        HOLD(line != UDMA_LINE_KERNEL || ret == (core < 8 ? 0 : -1));
    }
    HOLD(CALL(zerocopy_offered)(UDMA_ARCH_SUNDA, 1, &number) == offered(line, UDMA_LINE_KERNEL));
    HOLD(CALL(shadow_init)(&tx, RING) == offered(line, UDMA_LINE_HAL));
    HOLD(CALL(shadow_init)(&rx, RING) == offered(line, UDMA_LINE_HAL));
    for (uint32_t i = 0; line == UDMA_LINE_HAL && i < COUNT(edges32); i++) {
        HOLD(CALL(shadow_reserve)(&tx, &rx, edges32[i], &first[0], &first[1], &ret) == 0);
        HOLD(CALL(shadow_ring_id_at)(&tx, edges32[i], &number) == 0);
    }
    for (uint32_t n = 0; n <= RING; n += 16) {
        struct udma_desc *ring = room(RING, sizeof(*ring));
        struct udma_desc *descs = room(n + 1u, sizeof(*descs));
        uint64_t *addresses = room(n + 1u, sizeof(*addresses));
        struct udma_commit_in in = {ring, descs, n % 32u ? addresses : NULL, RING, n, 50, 2};

        HOLD(CALL(shadow_commit)(&in, &number, &ret) == offered(line, UDMA_LINE_HAL));
        HOLD(line != UDMA_LINE_HAL || (ret == 0 && number == (n == 0 ? 0u : n > 14 ? 2u : 1u)));
        free(addresses);
        free(descs);
        free(ring);
    }
    free(out);
    free(waits);
}

void drive_transfers(uint32_t line)
{
    struct outside outside = {.marker = MARKER};
    struct udma_host own = host(&outside);
    struct udma_engine_cfg cfg = {.arch = UDMA_ARCH_CAYMAN, .driver = UDMA_DRIVER_2_27_4, .num_queues = 1};
    struct udma_transfer_cfg carried = {.completion = 0x4000, .chunk = 65536, .threshold = 2031};
    struct udma_transfer in = {.size = 1};
    int32_t ret;
    void *engine;

    stand_alone(line);
    HOLD(CALL(bare_copy_start)(&own, 0, 1, 1, &ret) == offered(line, UDMA_LINE_HAL));
    HOLD(CALL(software_poll)(&own, 4, 3, &ret) == offered(line, UDMA_LINE_HAL));
    outside.marker = 0;
    HOLD(CALL(software_poll)(&own, 4, 3, &ret) == offered(line, UDMA_LINE_HAL));
    HOLD(line != UDMA_LINE_HAL || ret == -1);
    outside.marker = MARKER;
    if (line != UDMA_LINE_KERNEL)
        return;
    for (uint32_t size = RING; size <= 4096; size *= 8) {
        struct udma_desc *tx = room(size, sizeof(*tx));
        struct udma_desc *rx = room(size, sizeof(*rx));
        struct udma_queue_cfg queue = {.tx_size = size, .rx_size = size, .tx_mem = tx, .rx_mem = rx,
                                       .tx_base = 0x100000, .rx_base = 0x200000, .allocatable = 1};

        cfg.host = own;
        HOLD(CALL(engine_open)(&cfg, &engine) == 0);
        HOLD(CALL(queue_init)(engine, 0, &queue, &ret) == 0 && ret == 0);
#ifdef DRIVE_GUARDED
        REFUSED(copy(engine, 0, &in, &ret));
        REFUSED(transfer_open(engine, 1, &carried));
        carried.platform = 3;
        REFUSED(transfer_open(engine, 0, &carried));
        carried.platform = 0;
#endif
        HOLD(CALL(transfer_open)(engine, 0, &carried) == 0);
#ifdef DRIVE_GUARDED
        REFUSED(contexts_state(engine, 0, NULL));
        REFUSED(contexts_copy(engine, 0, NULL, &ret));
        REFUSED(copy(engine, 0, NULL, &ret));
        REFUSED(copy(engine, UINT32_MAX, &in, &ret));
#endif
        drive_queue(engine, &outside, size);
        /* What there is no room for. */
        in.size = UINT64_MAX;
        if (size < carried.threshold)
            HOLD(CALL(copy)(engine, 0, &in, &ret) == 0 && ret == -12);
        HOLD(CALL(engine_close)(engine) == 0);
        free(rx);
        free(tx);
    }
#ifdef DRIVE_GUARDED
    /* Without a hook that transfers need. */
    cfg.host.pin = NULL;
    HOLD(CALL(engine_open)(&cfg, &engine) == 0);
    REFUSED(transfer_open(engine, 0, &carried));
    HOLD(CALL(engine_close)(engine) == 0);
    REFUSED(copy(engine, 0, &in, &ret));
#endif
}

void drive_registers(uint32_t line)
{
    struct outside outside = {0};
    struct udma_engine_init_in in = {.host = host(&outside), .arch = UDMA_ARCH_CAYMAN, .max_desc = 128};
    struct udma_engine_init_out out;
    struct udma_engine_state state;
    struct udma_bar0_case cases[COUNT(edges64)];
    uint32_t *pending = room(128, sizeof(*pending)), count;
    int32_t ret;

    for (uint32_t i = 0; i < COUNT(edges32); i++) {
        in.num_queues = edges32[i];
        HOLD(CALL(engine_init)(&in, &out) == offered(line, UDMA_LINE_KERNEL));
        HOLD(CALL(engine_state)(&in.host, edges32[i], &state) == offered(line, UDMA_LINE_KERNEL));
        HOLD(CALL(set_state)(&in.host, (int32_t)edges32[i], &ret) == offered(line, UDMA_LINE_KERNEL));
    }
    for (uint32_t call = 0; call <= UDMA_IOFIC_CALLS; call++)
        for (uint32_t i = 0; i < COUNT(edges32); i++) {
            struct udma_iofic_in asked = {.host = in.host,      .call = call, .revision = i,
                                          .level = i & 1u, .group = edges32[i], .bits = edges32[i]};
            struct udma_iofic_out value;

            (void)CALL(iofic)(&asked, &value);
        }
    for (uint32_t level = 0; level < 2; level++)
        HOLD(CALL(iofic_causes)(&in.host, 4, level, pending, &count) == offered(line, UDMA_LINE_HAL));
    memset(cases, 0, sizeof(cases));
    for (uint32_t i = 0; i < COUNT(edges64); i++)
        cases[i].offset = edges64[i], cases[i].arch = UDMA_ARCH_SUNDA + i % 4u, cases[i].one_engine = i & 1u;
    HOLD(CALL(bar0)(cases, COUNT(edges64)) == offered(line, UDMA_LINE_KERNEL));
#ifdef DRIVE_GUARDED
    REFUSED(engine_init(NULL, &out));
    REFUSED(engine_init(&in, NULL));
    REFUSED(engine_state(NULL, 1, &state));
    REFUSED(iofic(NULL, NULL));
    REFUSED(iofic_causes(&in.host, 4, 0, NULL, &count));
    REFUSED(bar0(cases, UINT32_MAX));
    in.host.read32 = NULL;
    REFUSED(engine_init(&in, &out));
    REFUSED(set_state(&in.host, 0, &ret));
#endif
    free(pending);
}
