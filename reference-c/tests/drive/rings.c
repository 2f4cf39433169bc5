/*
 * Virtual rings: edge inputs, refused pages, exact memory, every order of closing.
 */
#include "drive.h"

static const uint64_t sizes[] = {0u, 1u, 65535u, 65536u, 65537u, UINT64_C(0x100001)};

struct gate {
    uint32_t left;
    uint32_t asked;
};

static int32_t grant(void *ctx)
{
    struct gate *gate = ctx;

    gate->asked++;
    if (gate->left == 0)
        return 0;
    gate->left--;
    return 1;
}

static void author(void *vring)
{
    int32_t ret;

    for (uint32_t i = 0; i < COUNT(sizes); i++) {
        struct udma_vring_copy copy = {
            .src = edges64[i],
            .dst = edges64[COUNT(edges64) - 1 - i],
            .size = sizes[i],
            .ordered = i & 1u,
            .arch = (uint8_t)(UDMA_ARCH_SUNDA + i % 4u),
        };

        HOLD(CALL(vring_transfer)(vring, &copy, &ret) == 0);
        HOLD(CALL(vring_transfer_ex)(vring, &copy, &ret) == 0);
        HOLD(CALL(vring_poke)(vring, UDMA_ARCH_CAYMAN, i & 1u, copy.src, copy.dst, &ret) == 0);
    }
}

static void packets(void *vring)
{
    for (uint32_t count = 0; count < 70; count += 23) {
        struct udma_block *blocks = room(count + 1u, sizeof(*blocks));
        struct udma_packet_in in = {.blocks = blocks, .count = count, .arch = UDMA_ARCH_MARIANA};
        int32_t ret = 1;

        for (uint32_t i = 0; i < count; i++)
            blocks[i] = (struct udma_block){edges64[i % COUNT(edges64)], i, 1u + i};
        HOLD(CALL(vring_packet)(vring, &in, &ret) == 0 && ret != 1);
        free(blocks);
    }
}

static void edit(void *vring)
{
    struct udma_vring_image *image = room(1, sizeof(*image));
    struct udma_packed packed;
    uint32_t set;
    uint64_t moved;
    int32_t ret;

    HOLD(CALL(vring_image)(vring, image) == 0);
    for (uint32_t i = 0; i < COUNT(edges32); i++)
        HOLD(CALL(vring_pack)(vring, UDMA_ARCH_CAYMAN, edges32[i], image->tx.used_desc_count,
                              edges64[i % COUNT(edges64)], &packed) == 0);
    for (uint32_t arch = UDMA_ARCH_SUNDA; arch <= UDMA_ARCH_MARIANA + 1u; arch++) {
        struct udma_semaphore in = {.arch = (uint8_t)arch, .enabled = 1, .csr_index = 255};

        HOLD(CALL(vring_dmb_on_last_packet)(vring, arch, &set, &ret) == 0);
        HOLD(CALL(vring_semaphore_wanted)(vring, &in, &set) == 0);
        HOLD(CALL(vring_embed_semaphore)(vring, &in, &set) == 0);
    }
    for (uint32_t i = 0; i < COUNT(edges64); i++)
        HOLD(CALL(vring_addr_rewrite)(vring, edges64[i], 65536, UINT64_MAX, &moved) == 0);
    free(image);
}

/* Into memory of exactly the slots there are. */
static void dump(void *vring, uint32_t half, uint64_t offset, uint32_t free_it)
{
    struct udma_vring_image *image = room(1, sizeof(*image));
    struct udma_pring pring = {.type = half + UDMA_PRING_TX, .offset = offset, .used = 77};
    struct udma_dump in = {.scratch = 64, .plain = 1, .free = (uint8_t)free_it};
    uint32_t used, count;
    uint64_t slots;
    int32_t ret = 1;

    HOLD(CALL(vring_image)(vring, image) == 0);
    used = half ? image->rx.used_desc_count : image->tx.used_desc_count;
    HOLD(CALL(pring_size)(used, 1, &slots) == 0 && slots >= used + 16u);
    pring.allocated = (uint32_t)slots;
    pring.memory = room((size_t)(offset + 15u) / 16u + slots, sizeof(*pring.memory));
    HOLD(CALL(vring_dump)(vring, half, &pring, &in, &ret) == 0);
    HOLD(ret == (offset % 256u ? -22 : 0) && pring.used == (offset % 256u ? 77u : used));
    HOLD(CALL(vring_read)(vring, half, 0, 1, pring.memory, &count) == 0);
    HOLD(count == (used && (!free_it || ret) ? 1u : 0u));
    free(pring.memory);
    free(image);
}

static void both(void *vring)
{
    struct udma_pring tx = {.type = UDMA_PRING_TX, .allocated = 32, .used = 7};
    struct udma_pring rx = {.type = UDMA_PRING_RX, .allocated = 32, .used = 9};
    struct udma_dump in = {.padded = 5};
    int32_t ret;

    tx.memory = room(32, sizeof(*tx.memory));
    rx.memory = room(48, sizeof(*rx.memory));
    HOLD(CALL(vring_free)(vring) == 0);
    HOLD(CALL(vring_dump_both)(vring, &tx, &in, &rx, &in, &ret) == 0);
    HOLD(ret == 0 && tx.used == 5 && rx.used == 5);
    /* RX is refused: TX is dumped all the same. */
    rx.offset = 8;
    in.padded = 0;
    HOLD(CALL(vring_dump_both)(vring, &tx, &in, &rx, &in, &ret) == 0);
    HOLD(ret == -22 && tx.used == 0 && rx.used == 5);
    tx.offset = 8;
    tx.allocated = 16;
    tx.used = 7;
    HOLD(CALL(vring_dump_both)(vring, &tx, &in, &rx, &in, &ret) == 0);
    HOLD(ret == -22 && tx.used == 7);
    free(tx.memory);
    free(rx.memory);
}

static void templates(void)
{
    static const uint64_t addresses[] = {0x1000, 0x2000, UINT64_MAX};
    struct udma_desc desc = {{0x0d000004u, 0x01080003u, 0x40u, 0x20000000u}};
    struct udma_resolved out;
    struct udma_cache_stats stats;
    void *vring, *cache, *rings[3], *again;
    uint32_t count;
    int32_t ret;

    HOLD(CALL(vring_open)("template", &vring) == 0);
    HOLD(CALL(vring_raw)(vring, UDMA_RING_TX, &desc, 1, &ret) == 0 && ret == 0);
    HOLD(CALL(vring_template)(vring, 0) == 0);
    HOLD(CALL(cache_open)(vring, 1, &cache, &ret) == 0 && ret == 0);
    HOLD(CALL(vring_close)(vring) == 0);
    HOLD(CALL(cache_acquire)(cache, addresses, 0, &again, &out) == 0);
    HOLD(again == NULL && out.ret == UDMA_VRING_VARIABLE_MISSING && out.variable == 0);
    for (uint32_t i = 0; i < 3; i++)
        HOLD(CALL(cache_acquire)(cache, addresses + i, 1, &rings[i], &out) == 0 && out.ret == 0);
    HOLD(CALL(cache_acquire)(cache, addresses, 1, &again, &out) == 0 && again == rings[0]);
    HOLD(CALL(cache_stats)(cache, &stats) == 0);
    HOLD(stats.hits == 1 && stats.misses == 4 && stats.entries == 1 && stats.live == 2);
    HOLD(CALL(vring_read)(rings[2], UDMA_RING_TX, 0, 1, &desc, &count) == 0 && count == 1);
    dump(rings[1], UDMA_RING_TX, 0, 0);
    HOLD(CALL(cache_release)(cache, rings[2]) == 0);
#ifdef DRIVE_GUARDED
    REFUSED(cache_release(cache, rings[2]));
    REFUSED(vring_read(rings[2], UDMA_RING_TX, 0, 1, &desc, &count));
    REFUSED(vring_free(rings[1]));
    REFUSED(vring_close(rings[1]));
#endif
    HOLD(CALL(cache_release)(cache, rings[1]) == 0);
    HOLD(CALL(cache_release)(cache, rings[0]) == 0);
    HOLD(CALL(cache_release)(cache, rings[0]) == 0);
    HOLD(CALL(cache_close)(cache) == 0);
#ifdef DRIVE_GUARDED
    REFUSED(cache_close(cache));
#endif
}

static void sets(void)
{
    struct udma_vring_image *image = room(1, sizeof(*image));
    void *set, *vring;
    int32_t ret;

    HOLD(CALL(set_open)("load", 1, &set) == 0);
    for (uint32_t i = 0; i < UDMA_VRING_SET_VRINGS; i++) {
        HOLD(CALL(set_add)(set, &vring, &ret) == 0 && ret == 0);
        author(vring);
        HOLD(CALL(vring_image)(vring, image) == 0 && strncmp(image->name, "load_", 5) == 0);
    }
    HOLD(CALL(set_add)(set, &vring, &ret) == 0 && ret == -22);
#ifdef DRIVE_GUARDED
    HOLD(CALL(set_add)(set, &vring, &ret) == 0 && vring == NULL);
#endif
    HOLD(CALL(set_close)(set) == 0);
#ifdef DRIVE_GUARDED
    REFUSED(set_close(set));
#endif
    free(image);
}

#ifdef DRIVE_GUARDED
static void guards(uint32_t line)
{
    struct udma_vring_copy copy = {.size = 1};
    struct udma_packet_in packet = {.count = UINT32_MAX};
    struct udma_pring pring = {.type = UDMA_PRING_TX, .allocated = UINT32_MAX};
    struct udma_dump in = {.plain = 1};
    struct udma_desc desc = {{0}};
    struct udma_resolved out;
    void *stale = &copy, *vring = NULL;
    uint32_t number;
    uint64_t wide;
    int32_t ret;

    REFUSED(vring_open(NULL, &vring));
    REFUSED(vring_open("v", NULL));
    REFUSED(vring_open("\xff\xfe", &vring));
    REFUSED(vring_close(stale));
    REFUSED(vring_transfer(stale, &copy, &ret));
    REFUSED(vring_read(stale, 0, 0, 1, &desc, &number));
    REFUSED(set_open(NULL, 0, &vring));
    REFUSED(set_add(stale, &vring, &ret));
    REFUSED(cache_open(stale, 1, &vring, &ret));
    REFUSED(cache_acquire(stale, &wide, 0, &vring, &out));
    REFUSED(pring_size(1, 1, NULL));
    REFUSED(vring_layout(NULL, "", NULL));
    if (line != UDMA_LINE_HAL)
        return;
    HOLD(CALL(vring_open)("v", &vring) == 0);
    REFUSED(engine_close(vring));
    REFUSED(set_close(vring));
    REFUSED(cache_close(vring));
    REFUSED(vring_transfer(vring, NULL, &ret));
    REFUSED(vring_transfer(vring, &copy, NULL));
    REFUSED(vring_packet(vring, &packet, &ret));
    packet.count = 1;
    REFUSED(vring_packet(vring, &packet, &ret));
    REFUSED(vring_raw(vring, 2, &desc, 1, &ret));
    REFUSED(vring_raw(vring, 0, &desc, UINT32_MAX, &ret));
    REFUSED(vring_read(vring, 0, 0, UINT32_MAX, &desc, &number));
    REFUSED(vring_resolve(vring, NULL, 1, &out));
    REFUSED(vring_dump(vring, 0, NULL, &in, &ret));
    REFUSED(vring_dump(vring, 0, &pring, &in, &ret));
    pring.memory = &desc;
    REFUSED(vring_dump(vring, 0, &pring, &in, &ret));
    pring.allocated = 1;
    pring.offset = UINT64_MAX;
    REFUSED(vring_dump(vring, 0, &pring, &in, &ret));
    pring.offset = 0;
    REFUSED(vring_dump(vring, 0, &pring, NULL, &ret));
    REFUSED(vring_dump(vring, 2, &pring, &in, &ret));
    HOLD(CALL(vring_close)(vring) == 0);
    REFUSED(vring_close(vring));
}
#endif

void drive_vrings(uint32_t line)
{
    struct gate gate = {.left = 2};
    struct udma_page_gate asked = {&gate, grant};
    void *vring = NULL, *copy = NULL;
    int32_t ret;

#ifdef DRIVE_GUARDED
    guards(line);
#endif
    HOLD(CALL(vring_open)("v", &vring) == offered(line, UDMA_LINE_HAL));
    if (line != UDMA_LINE_HAL)
        return;
    HOLD(CALL(vring_page_gate)(vring, &asked) == 0);
    author(vring);
    packets(vring);
    HOLD(gate.asked == 2);
    HOLD(CALL(vring_deep_copy)(vring, &copy, &ret) == 0 && ret == -12 && copy == NULL);
    HOLD(CALL(vring_page_gate)(vring, NULL) == 0);
    HOLD(CALL(vring_deep_copy)(vring, &copy, &ret) == 0 && ret == 0);
    edit(vring);
    for (uint32_t half = UDMA_RING_TX; half <= UDMA_RING_RX; half++) {
        dump(vring, half, 0, 0);
        dump(vring, half, 512, 0);
        dump(vring, half, 24, 1);
        dump(vring, half, 256, 1);
    }
    HOLD(CALL(vring_close)(vring) == 0);
    edit(copy);
    both(copy);
    HOLD(CALL(vring_close)(copy) == 0);
    templates();
    sets();
}
