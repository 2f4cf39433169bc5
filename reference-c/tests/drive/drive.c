/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Calls every function of one library over edge inputs, with every buffer just
 * as large as the header asks, so that a tool that watches memory sees each
 * step outside. Built with DRIVE_PREFIX; with DRIVE_GUARDED for a library that
 * also refuses null pointers, absurd counts and stale handles.
 */
#include "drive.h"

/* ---- descriptors --------------------------------------------------------- */

static void drive_descriptors(uint32_t line)
{
    const uint32_t n = COUNT(edges32);
    struct udma_desc *descs = room(n, sizeof(*descs));
    struct udma_desc *again = room(n, sizeof(*again));
    struct udma_fields *fields = room(n, sizeof(*fields));
    uint32_t *words = room(n, sizeof(*words));
    struct udma_meta_fields *metas = room(n, sizeof(*metas));
    struct udma_bit_case *bits = room(UDMA_BIT_OPS + 2u, sizeof(*bits));

    for (uint32_t view = UDMA_VIEW_TX; view <= UDMA_VIEW_TX_META + 1u; view++) {
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t w = 0; w < 4; w++)
                descs[i].word[w] = edges32[(i + w * 3u) % n];
            fields[i].view = view;
        }
        HOLD(CALL(decode)(descs, fields, n) == 0);
        HOLD(CALL(encode)(fields, again, n) == 0);
        if (view <= UDMA_VIEW_TX_META)
            HOLD(memcmp(descs, again, n * sizeof(*descs)) == 0);
        memset(fields, 0xff, n * sizeof(*fields));
        for (uint32_t i = 0; i < n; i++)
            fields[i].view = view;
        HOLD(CALL(encode)(fields, again, n) == 0);
    }
    HOLD(CALL(meta_decode)(edges32, metas, n) == 0);
    HOLD(CALL(meta_encode)(metas, words, n) == 0);
    HOLD(memcmp(words, edges32, sizeof(edges32)) == 0);
    memset(metas, 0xff, n * sizeof(*metas));
    HOLD(CALL(meta_encode)(metas, words, n) == 0);
    HOLD(words[0] == UINT32_MAX);

    for (uint32_t op = 0; op < UDMA_BIT_OPS + 2u; op++) {
        memset(&bits[op].desc, op & 1u ? 0xff : 0, sizeof(bits[op].desc));
        bits[op].op = op < UDMA_BIT_OPS ? op : UINT32_MAX - op;
    }
    HOLD(CALL(bits)(bits, UDMA_BIT_OPS + 2u) == offered(line, UDMA_LINE_HAL));

    free(bits);
    free(metas);
    free(words);
    free(fields);
    free(again);
    free(descs);
}

/* ---- builders ------------------------------------------------------------ */

static struct udma_pair_in edge_pair(uint32_t i)
{
    struct udma_pair_in in = {
        .src = edges64[i % COUNT(edges64)],
        .dst = edges64[(i + 3u) % COUNT(edges64)],
        .size = edges64[(i / 2u) % COUNT(edges64)],
        .rx_ring_id = i % 9u == 8u ? UINT32_MAX : i % 9u,
        .tx_ring_id = i % 7u == 6u ? UINT32_MAX : i % 7u,
        .mode = i % 13u == 12u ? INT32_MIN : (int32_t)(i % 13u) - 2,
        .dst_int = i % 2u,
        .sow = i % 3u == 1u,
        .arch = (uint8_t)(i % 6u),
        .driver = (uint8_t)(i % 6u),
    };

    return in;
}

static void drive_pairs(void)
{
    const uint32_t n = 4096;
    struct udma_pair_in *in = room(n, sizeof(*in));
    struct udma_pair_out *out = room(n, sizeof(*out));
    uint32_t built = 0;

    for (uint32_t i = 0; i < n; i++) {
        in[i] = edge_pair(i);
        memset(&out[i], 0x5a, sizeof(out[i]));
    }
    HOLD(CALL(build_pairs)(in, out, n) == 0);
    for (uint32_t i = 0; i < n; i++) {
        HOLD(out[i].unused == 0x5a5a5a5au);
        if (out[i].ret == 0)
            built++;
        else
            HOLD(out[i].tx.word[0] == 0x5a5a5a5au && out[i].rx.word[3] == 0x5a5a5a5au);
    }
    HOLD(built > 0 && built < n);
    free(out);
    free(in);
}

static void drive_packet(uint32_t line, uint32_t count, uint32_t variant)
{
    const uint32_t slots = count ? count : 1;
    struct udma_block *blocks = room(slots, sizeof(*blocks));
    struct udma_desc *tx = room(slots, sizeof(*tx));
    struct udma_desc *rx = room(slots, sizeof(*rx));
    struct udma_packet_in in = {
        .blocks = blocks,
        .count = count,
        .rx_ring_id = variant,
        .tx_ring_id = UINT32_MAX - variant,
        .mode = (int32_t)(variant % 6u) - 1,
        .dst_int = variant & 1u,
        .sow = variant % 3u == 0,
        .notify = variant % 5u == 0,
        .arch = (uint8_t)(UDMA_ARCH_SUNDA + variant % 3u),
    };
    int32_t ret = 12345;

    for (uint32_t i = 0; i < count; i++) {
        blocks[i].src = edges64[i % COUNT(edges64)];
        blocks[i].dst = edges64[(i + 1u) % COUNT(edges64)];
        blocks[i].size = i % 65536u + 1u;
    }
    if (count && variant % 7u == 6u)
        blocks[count - 1].size = 65537;
    HOLD(CALL(build_packet)(&in, tx, rx, &ret) == offered(line, UDMA_LINE_HAL));
    HOLD((ret == 12345) == (line != UDMA_LINE_HAL));
    free(rx);
    free(tx);
    free(blocks);
}

static void drive_packets(uint32_t line)
{
    static const uint32_t counts[] = {0, 1, 2, 3, 64, 65, 66, 127, 128, 129, 1000};
    struct udma_desc *tx = room(2, sizeof(*tx));
    struct udma_desc *rx = room(1, sizeof(*rx));
    int32_t ret;

    for (uint32_t c = 0; c < COUNT(counts); c++)
        for (uint32_t variant = 0; variant < 42; variant++)
            drive_packet(line, counts[c], variant);
    for (uint32_t i = 0; i < 256; i++) {
        struct udma_pair_in in = edge_pair(i);

        HOLD(CALL(build_crc_copy)(&in, edges32[i % COUNT(edges32)], tx, rx, &ret) ==
             offered(line, UDMA_LINE_HAL));
        HOLD(CALL(build_cme_meta)(edges32[i % COUNT(edges32)], rx) == offered(line, UDMA_LINE_HAL));
    }
    free(rx);
    free(tx);
}

/* ---- engines ------------------------------------------------------------- */

struct registers {
    uint32_t reads, writes, barriers;
    void *engine; /* called back into, once it is known */
};

static uint32_t read32(void *ctx, uint32_t space, uint64_t offset)
{
    struct registers *registers = ctx;

    registers->reads++;
    return (uint32_t)offset ^ space ^ 0xa5a5a5a5u;
}

static void write32(void *ctx, uint32_t space, uint64_t offset, uint32_t value)
{
    struct registers *registers = ctx;

    (void)space;
    (void)offset;
    (void)value;
    registers->writes++;
    if (registers->engine) {
        int64_t available = 0;
        int32_t code = CALL(ring_available)(registers->engine, 0, UDMA_RING_TX, &available);

        HOLD(code == 0 || code == UDMA_NOT_OFFERED);
    }
}

static void barrier(void *ctx)
{
    struct registers *registers = ctx;

    registers->barriers++;
}

/* Slots of a ring from its very first to its very last, three times round. */
static void drive_ring(void *engine, uint32_t size)
{
    for (uint32_t i = 0; i < 3 * size; i++) {
        struct udma_pair_in in = edge_pair(i);
        uint32_t id = 0;
        int64_t slot = 0, available = 0;
        int32_t ret = 1;

        in.size = i % 65536u + 1u;
        in.mode = i % 5u == 4u ? 9 : 0;
        HOLD(CALL(prepare)(engine, 0, &in, &ret) == 0);
        HOLD(ret == 0 || ret == -22 || ret == -12 || ret == -1 || ret == UDMA_BUG);
        HOLD(CALL(ring_available)(engine, 0, i & 1u, &available) == 0);
        HOLD(CALL(ring_ack)(engine, 0, UDMA_RING_TX, 1, &ret) == 0);
        HOLD(CALL(ring_ack)(engine, 0, UDMA_RING_RX, 1, &ret) == 0);
        if (i % 8u == 7u) {
            HOLD(CALL(ring_get)(engine, 0, UDMA_RING_TX, &slot) == 0);
            HOLD(CALL(ring_id)(engine, 0, UDMA_RING_TX, &id) == 0 && id < 4);
            HOLD(slot < (int64_t)size);
        }
    }
}

/* Everything that can be asked of a queue, whether it exists or not. */
static void drive_queue(void *engine, uint32_t qid)
{
    struct udma_pair_in in = edge_pair(1);

    for (uint32_t i = 0; i < COUNT(edges32); i++) {
        struct udma_ring_state tx, rx;
        struct udma_queue_sw sw;
        uint32_t id;
        int64_t number;
        int32_t ret;

        (void)CALL(queue_sw)(engine, qid, edges32[i], &sw);
        (void)CALL(ring_get)(engine, qid, edges32[i], &number);
        (void)CALL(ring_id)(engine, qid, edges32[i], &id);
        (void)CALL(ring_available)(engine, qid, edges32[i], &number);
        (void)CALL(ring_ack)(engine, qid, edges32[i] & 1u, edges32[i], &ret);
        (void)CALL(copy_start)(engine, qid, edges32[i], edges32[(i + 1u) % COUNT(edges32)], &ret);
        (void)CALL(prepare)(engine, qid, &in, &ret);
        (void)CALL(queue_state)(engine, qid, edges32[i], i, &tx, &rx);
    }
}

static void drive_queue_init(void *engine)
{
    static const uint32_t sizes[] = {0, 16, 31, 32, 48, 64, 0x00fffff0u, 0x01000000u, 0xfffffff0u};
    int32_t ret;

    /* Larger rings are programmed without memory. */
    for (uint32_t t = 0; t < COUNT(sizes); t++)
        for (uint32_t r = 0; r < COUNT(sizes); r++) {
            struct udma_queue_cfg cfg = {
                .tx_size = sizes[t],
                .rx_size = sizes[r],
                .tx_base = (uint64_t)t << 8,
                .rx_base = (uint64_t)r << 60 | (t == 3),
                .allocatable = r & 1u,
                .completion_ring = t == 5,
            };

            HOLD(CALL(queue_init)(engine, (t + r) % 18u, &cfg, &ret) == 0);
        }
    for (uint32_t size = 32; size <= 128; size *= 2) {
        struct udma_desc *tx = room(size, sizeof(*tx));
        struct udma_desc *rx = room(size / 2u + 16u, sizeof(*rx));
        struct udma_queue_cfg cfg = {
            .tx_size = size,
            .rx_size = size / 2u + 16u, /* 32, then one that is no power of two */
            .tx_mem = tx,
            .rx_mem = rx,
            .tx_base = UINT64_C(0xfeedface00),
            .rx_base = UINT64_MAX << 8,
            .allocatable = 1,
        };

        HOLD(CALL(queue_init)(engine, 0, &cfg, &ret) == 0 && ret == 0);
        drive_ring(engine, size);
        for (uint32_t qid = 0; qid < 20; qid++)
            drive_queue(engine, qid);
        drive_queue(engine, UINT32_MAX);
        /* TX gets its ring, RX is refused and keeps the old one (QINI-7). */
        cfg.rx_size = 16;
        HOLD(CALL(queue_init)(engine, 0, &cfg, &ret) == 0 && ret == -22);
        drive_ring(engine, size);
        /* Neither has memory when the slots are given back. */
        cfg.rx_size = 32;
        cfg.tx_mem = NULL;
        cfg.rx_mem = NULL;
        HOLD(CALL(queue_init)(engine, 0, &cfg, &ret) == 0 && ret == 0);
        drive_ring(engine, size);
        free(rx);
        free(tx);
    }
}

static void drive_engines(uint32_t line)
{
    for (uint32_t driver = UDMA_DRIVER_2_26_5; driver <= UDMA_DRIVER_2_27_4 + 1u; driver++)
        for (uint32_t i = 0; i < 4; i++) {
            static const uint32_t queues[] = {0, 1, 16, 257};
            struct registers registers = {0, 0, 0, NULL};
            struct udma_engine_cfg cfg = {
                .arch = UDMA_ARCH_SUNDA + i,
                .driver = driver,
                .num_queues = queues[i],
                .engine_id = edges32[i],
                .host = {&registers, read32, write32, barrier},
            };
            void *engine = NULL;

            HOLD(CALL(engine_open)(&cfg, &engine) == offered(line, UDMA_LINE_KERNEL));
            if (line != UDMA_LINE_KERNEL)
                continue;
            HOLD(engine != NULL && registers.reads + registers.writes == 0);
            drive_queue(engine, 0); /* before any initialisation */
            if (queues[i]) {
                registers.engine = i & 1u ? engine : NULL;
                drive_queue_init(engine);
                HOLD(registers.reads && registers.writes && registers.barriers);
            }
            HOLD(CALL(engine_close)(engine) == 0);
#ifdef DRIVE_GUARDED
            HOLD(CALL(engine_close)(engine) == UDMA_NOT_OFFERED);
#endif
        }
}

static void drive_rest(uint32_t line)
{
    static const char *const names[] = {"",     "register_block", "region", "queue_block", "constant",
                                        "ring", "guard gap (descriptors)", "software_struct"};
    uint32_t *sizes = room(COUNT(edges32), sizeof(*sizes));
    struct udma_place place;

    HOLD(CALL(ring_size)(edges32, sizes, COUNT(edges32)) == offered(line, UDMA_LINE_KERNEL));
    free(sizes);
    for (uint32_t i = 0; i < COUNT(names); i++)
        for (uint32_t j = 0; j < COUNT(names); j++)
            (void)CALL(layout)(names[i], names[j], names[(i + j) % COUNT(names)], &place);
    HOLD(CALL(layout)("constant", "guard gap (descriptors)", "", &place) ==
         offered(line, UDMA_LINE_KERNEL));
    if (line == UDMA_LINE_KERNEL)
        HOLD(place.offset == 16);
}

#ifdef DRIVE_GUARDED
static void drive_guards(void)
{
    struct udma_pair_in in = edge_pair(0);
    struct udma_engine_cfg no_hooks = {.num_queues = 16};
    struct udma_queue_cfg cfg = {.tx_size = 32, .rx_size = 32};
    struct udma_packet_in packet = {.count = UINT32_MAX};
    struct udma_desc desc = {{0}};
    union {
        uint32_t words[64];
        struct udma_fields fields;
        struct udma_pair_out out;
        struct udma_bit_case bits;
        struct udma_meta_fields metas;
        struct udma_queue_sw sw;
        struct udma_ring_state state;
        struct udma_place place;
        int64_t wide;
        int32_t ret;
    } any = {{0}};
    char misaligned[64] = {0};
    void *odd = misaligned + 1;
    void *engine = &any, *stale = &any;

    REFUSED(info(NULL));
    REFUSED(info(odd));
    REFUSED(decode(NULL, &any.fields, 1));
    REFUSED(decode(&desc, NULL, 1));
    REFUSED(decode(&desc, &any.fields, UINT32_MAX));
    REFUSED(encode(NULL, &desc, 1));
    REFUSED(encode(&any.fields, NULL, 1));
    REFUSED(encode(&any.fields, &desc, UINT32_MAX));
    REFUSED(meta_decode(NULL, &any.metas, 1));
    REFUSED(meta_decode(any.words, NULL, 1));
    REFUSED(meta_decode(any.words, &any.metas, UINT32_MAX));
    REFUSED(meta_encode(NULL, any.words, 1));
    REFUSED(meta_encode(&any.metas, NULL, 1));
    REFUSED(meta_encode(&any.metas, any.words, UINT32_MAX));
    REFUSED(bits(NULL, 1));
    REFUSED(bits(&any.bits, UINT32_MAX));
    REFUSED(build_pairs(NULL, &any.out, 1));
    REFUSED(build_pairs(&in, NULL, 1));
    REFUSED(build_pairs(&in, &any.out, UINT32_MAX));
    REFUSED(build_pairs(odd, &any.out, 1));
    REFUSED(build_packet(NULL, &desc, &desc, &any.ret));
    REFUSED(build_packet(&packet, &desc, &desc, &any.ret));
    packet.count = 1;
    REFUSED(build_packet(&packet, &desc, &desc, &any.ret));
    packet.count = 0;
    REFUSED(build_packet(&packet, NULL, &desc, &any.ret));
    REFUSED(build_packet(&packet, &desc, NULL, &any.ret));
    REFUSED(build_packet(&packet, &desc, &desc, NULL));
    REFUSED(build_cme_meta(0, NULL));
    REFUSED(build_crc_copy(NULL, 0, &desc, &desc, &any.ret));
    REFUSED(build_crc_copy(&in, 0, NULL, &desc, &any.ret));
    REFUSED(build_crc_copy(&in, 0, &desc, NULL, &any.ret));
    REFUSED(build_crc_copy(&in, 0, &desc, &desc, NULL));
    REFUSED(ring_size(NULL, any.words, 1));
    REFUSED(ring_size(any.words, NULL, 1));
    REFUSED(ring_size(any.words, any.words, UINT32_MAX));
    REFUSED(engine_open(NULL, &engine));
    REFUSED(engine_open(&no_hooks, NULL));
    REFUSED(engine_open(&no_hooks, &engine));
    REFUSED(engine_close(NULL));
    REFUSED(engine_close(stale));
    REFUSED(queue_init(NULL, 0, &cfg, &any.ret));
    REFUSED(queue_init(stale, 0, &cfg, &any.ret));
    REFUSED(queue_init(stale, 0, NULL, &any.ret));
    REFUSED(queue_init(stale, 0, &cfg, NULL));
    REFUSED(queue_sw(stale, 0, 0, &any.sw));
    REFUSED(queue_sw(stale, 0, 0, NULL));
    REFUSED(ring_get(NULL, 0, 0, &any.wide));
    REFUSED(ring_get(stale, 0, 0, NULL));
    REFUSED(ring_id(NULL, 0, 0, any.words));
    REFUSED(ring_id(stale, 0, 0, NULL));
    REFUSED(ring_ack(NULL, 0, 0, 0, &any.ret));
    REFUSED(ring_ack(stale, 0, 0, 0, NULL));
    REFUSED(ring_available(NULL, 0, 0, &any.wide));
    REFUSED(ring_available(stale, 0, 0, NULL));
    REFUSED(prepare(NULL, 0, &in, &any.ret));
    REFUSED(prepare(stale, 0, NULL, &any.ret));
    REFUSED(prepare(stale, 0, &in, NULL));
    REFUSED(copy_start(NULL, 0, 1, 1, &any.ret));
    REFUSED(copy_start(stale, 0, 1, 1, NULL));
    REFUSED(queue_state(NULL, 0, 0, 0, &any.state, &any.state));
    REFUSED(queue_state(stale, 0, 0, 0, NULL, NULL));
    REFUSED(layout(NULL, "", "", &any.place));
    REFUSED(layout("", NULL, "", &any.place));
    REFUSED(layout("", "", NULL, &any.place));
    REFUSED(layout("", "", "", NULL));
    REFUSED(layout("constant", "\xff\xfe", "", &any.place));
}
#endif

int main(void)
{
    struct udma_info info = {0, 0};

    HOLD(CALL(info)(&info) == 0);
    HOLD(info.abi_version == UDMA_ABI_VERSION);
    HOLD(info.line == UDMA_LINE_KERNEL || info.line == UDMA_LINE_HAL);
    drive_descriptors(info.line);
    drive_pairs();
    drive_packets(info.line);
    drive_rest(info.line);
    drive_engines(info.line);
    drive_transfers(info.line);
    drive_registers(info.line);
    drive_vrings(info.line);
#ifdef DRIVE_GUARDED
    drive_guards();
#endif
    printf("driven: line %u\n", info.line);
    return 0;
}
