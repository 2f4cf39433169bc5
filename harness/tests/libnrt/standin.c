/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Stands in for libnrt: functions of its names and signatures (spec 12), all of them local, written from the
 * rules alone. FAULT_* plants a fault; STANDIN_ARCH is the architecture it works for.
 *
 * Where the environment names a file as STANDIN_LOG, each process adds its number and the names of the functions it
 * called, once each.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef STANDIN_ARCH
#define STANDIN_ARCH 4
#endif

#define LOCAL static __attribute__((used, noinline))

static void called(const char *name)
{
    const char *file = getenv("STANDIN_LOG");
    char line[128];
    int fd;

    if (file == NULL)
        return;
    fd = open(file, O_WRONLY | O_APPEND | O_CREAT, 0600);
    snprintf(line, sizeof line, "%d %s\n", (int)getpid(), name);
    if (fd < 0 || write(fd, line, strlen(line)) < 0)
        abort();
    close(fd);
}

#define CALLED()                                                                                   \
    do {                                                                                           \
        static bool told;                                                                          \
        if (!told)                                                                                 \
            called(__func__);                                                                      \
        told = true;                                                                               \
    } while (0)

/* ---- word0 and meta_ctrl (02) ---- */

LOCAL bool al_udma_m2m_is_meta(const uint32_t *w0) { CALLED(); return *w0 >> 23 & 1; }
LOCAL bool al_udma_m2m_is_first(const uint32_t *w0) { CALLED(); return *w0 >> 26 & 1; }
LOCAL bool al_udma_m2m_is_last(const uint32_t *w0) { CALLED(); return *w0 >> 27 & 1; }
LOCAL bool al_udma_m2m_is_concat(const uint32_t *w0) { CALLED(); return *w0 >> 31; }
LOCAL bool al_udma_m2m_is_cme_desc(const uint32_t *meta) { CALLED(); return (*meta >> 23 & 7) == 2; }
LOCAL void al_udma_m2m_set_first(uint32_t *w0) { CALLED(); *w0 |= 1u << 26; }
LOCAL void al_udma_m2m_set_last(uint32_t *w0) { CALLED(); *w0 |= 1u << 27; }
LOCAL void al_udma_m2m_set_concat(uint32_t *w0) { CALLED(); *w0 |= 1u << 31; }
LOCAL void al_udma_m2m_clear_first(uint32_t *w0) { CALLED(); *w0 &= ~(1u << 26); }
LOCAL void al_udma_m2m_clear_last(uint32_t *w0) { CALLED(); *w0 &= ~(1u << 27); }
LOCAL void al_udma_m2m_clear_concat(uint32_t *w0) { CALLED(); *w0 &= ~(1u << 31); }
LOCAL void al_sdma_m2s_set_write_barrier(uint32_t *meta) { CALLED(); *meta |= 1u << 26; }
LOCAL void al_sdma_m2s_set_notification_mask(uint32_t *meta) { CALLED(); *meta |= 1u << 28; }
LOCAL void al_udma_m2m_set_dmb(uint32_t *desc) { CALLED(); desc[1] |= 1u << 26; } /* ERR-4 */

LOCAL uint32_t al_udma_m2m_get_tx_desc_size(const uint32_t *w0)
{
    CALLED();
    return (*w0 & 0xffff) == 0 ? 65536 : *w0 & 0xffff;
}

LOCAL uint32_t al_hal_tpb_get_arch_type(void)
{
    CALLED();
    return STANDIN_ARCH;
}

/* ---- builders ---- */

static bool bad_size(uint64_t size)
{
    return size == 0 || size > 65536;
}

static void store(uint32_t *desc, uint32_t word0, uint32_t word1, uint64_t pointer)
{
    desc[0] = word0;
    desc[1] = word1;
    desc[2] = (uint32_t)pointer;
    desc[3] = (uint32_t)(pointer >> 32);
}

static uint32_t id(uint32_t ring_id)
{
    return ring_id << 24 & 0x03000000; /* BLDR-6 */
}

LOCAL int al_udma_m2m_build_tx_descriptor(uint32_t *desc, uint32_t ring_id, uint64_t src,
                                          uint64_t size, uint32_t meta_ctrl, uint32_t flags)
{
    CALLED();
    if (bad_size(size))
        return -1;
    store(desc, flags | id(ring_id) | (size & 0xffff), meta_ctrl, src);
    return 0;
}

LOCAL int al_udma_m2m_build_rx_descriptor(uint32_t *desc, uint32_t ring_id, uint64_t dst,
                                          uint64_t size, uint32_t flags)
{
    CALLED();
    if (bad_size(size))
        return -1;
    store(desc, flags | id(ring_id) | (size & 0xffff), 0, dst);
    return 0;
}

#ifdef FAULT_SHIFTED
#define SHIFT uint64_t handle,
#else
#define SHIFT
#endif

LOCAL int al_udma_m2m_build_copy_descriptor(SHIFT uint32_t *rx, uint32_t *tx, uint32_t rx_ring_id,
                                            uint32_t tx_ring_id, uint64_t src, uint64_t dst,
                                            uint64_t size, int mode, bool sow, bool dst_int)
{
    uint32_t word0 = 0x0c000000; /* BLDR-1 */
    uint32_t meta = 0x01080003;  /* META-1 */

    CALLED();
#ifdef FAULT_SHIFTED
    if (handle != 0)
        return -1;
#endif
    if (mode < 0 || mode > 2)
        return -22;
    if (sow && STANDIN_ARCH == 2)
        return -1; /* BARR-4 */
    if (bad_size(size))
        return -1;
    if (mode == 1)
#ifdef FAULT_DMB
        word0 |= 1u << 29;
#else
        word0 |= 1u << 30;
#endif
    if (mode == 2)
        meta |= 1u << 26;
    store(tx, word0 | id(tx_ring_id) | (size & 0xffff), meta, src);
    store(rx, (uint32_t)sow << 29 | (uint32_t)dst_int << 28 | id(rx_ring_id) | (size & 0xffff), 0,
          dst);
    return 0;
}

/* ---- op-class words and META descriptors (03) ---- */

static uint32_t shaped(uint32_t shape)
{
    return (shape & 0xff) << 8 | ((shape & 0xff) > 1 ? 0x20 : 0);
}

static uint32_t bit(uint32_t value, int at)
{
    return (value & 1) << at;
}

static uint32_t dtype_at(uint32_t dtype, int at)
{
    return (dtype & 15) << at;
}

LOCAL uint32_t al_sdma_m2s_build_transpose_meta_ctrl(uint32_t elem_bytes, uint32_t shape,
                                                     uint32_t dtype)
{
    CALLED();
    return 0x00900000 | (elem_bytes & 31) | shaped(shape) | dtype_at(dtype, 16);
}

LOCAL uint32_t al_sdma_m2s_build_striding_split_meta_ctrl(uint32_t split, uint32_t shape,
                                                          uint32_t dtype)
{
    CALLED();
    return 0x00800000 | (split & 7) | shaped(shape) | dtype_at(dtype, 16);
}

LOCAL uint32_t al_sdma_m2s_build_replication_meta_ctrl(uint32_t count)
{
    CALLED();
    return 0x00a00000 | (count & 0xffff);
}

LOCAL uint32_t al_sdma_m2s_build_add_meta_ctrl(uint32_t sub, uint32_t flag, uint32_t write_barrier,
                                               uint32_t last, uint32_t out_dtype,
                                               uint32_t accum_dtype)
{
    CALLED();
    return 0x02000000 | (sub & 7) | bit(flag, 4) | bit(write_barrier, 6) | bit(last, 7) |
           dtype_at(out_dtype, 12) | dtype_at(accum_dtype, 16);
}

static uint32_t scaled(uint32_t base, uint32_t sub, uint32_t flag, uint32_t write_barrier,
                       uint32_t last, uint32_t in_dtype, uint32_t scale_dtype, uint32_t accum_dtype)
{
    return base | (sub & 7) | bit(flag, 4) | bit(write_barrier, 6) | bit(last, 7) |
           dtype_at(in_dtype, 8) | dtype_at(scale_dtype, 12) | dtype_at(accum_dtype, 16);
}

LOCAL uint32_t al_sdma_m2s_build_fma_meta_ctrl(uint32_t sub, uint32_t flag, uint32_t write_barrier,
                                               uint32_t last, uint32_t in_dtype,
                                               uint32_t scale_dtype, uint32_t accum_dtype)
{
    CALLED();
#ifdef FAULT_DTYPE
    in_dtype &= 7;
#endif
    return scaled(0x02100000, sub, flag, write_barrier, last, in_dtype, scale_dtype, accum_dtype);
}

LOCAL uint32_t al_sdma_m2s_build_gradient_meta_ctrl(uint32_t sub, uint32_t flag,
                                                    uint32_t write_barrier, uint32_t last,
                                                    uint32_t in_dtype, uint32_t scale_dtype,
                                                    uint32_t accum_dtype)
{
    CALLED();
    return scaled(0x02500000, sub, flag, write_barrier, last, in_dtype, scale_dtype, accum_dtype);
}

LOCAL uint32_t al_sdma_m2s_build_min_max_meta_ctrl(uint32_t sub, uint32_t last, uint32_t use_const,
                                                   uint32_t write_barrier, uint32_t notification,
                                                   uint32_t in_dtype, uint32_t out_dtype,
                                                   uint32_t accum_dtype, uint32_t const_dtype)
{
    uint32_t with_const = dtype_at(out_dtype, 12) | (const_dtype & 7) << 20;

    CALLED();
    return 0x02000000 | (sub & 7) | bit(last, 4) | bit(use_const, 5) | bit(write_barrier, 6) |
           bit(notification, 7) | dtype_at(in_dtype, 8) | dtype_at(accum_dtype, 16) |
           ((use_const & 1) != 0 ? with_const : 0);
}

LOCAL uint32_t al_sdma_m2s_build_cce_ext_meta_ctrl(uint32_t sub, uint32_t src_dtype,
                                                   uint32_t dst_dtype)
{
    CALLED();
    return 0x02400000 | (sub & 7) | dtype_at(src_dtype, 12) | dtype_at(dst_dtype, 16);
}

LOCAL int al_sdma_m2s_build_transpose_descriptor(uint32_t *desc, uint32_t ring_byte,
                                                 uint64_t source, uint32_t length, uint32_t dtype,
                                                 uint32_t w, uint32_t x, uint32_t y, uint32_t z,
                                                 uint32_t shape)
{
    static const uint8_t bytes[16] = {0, 8, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 8, 1, 1, 1};

    CALLED();
    if (dtype < 1 || dtype > 15 || w == 0 || x == 0 || y == 0 || z == 0)
        return -22;
    if (bad_size(length))
        return -1;
    store(desc, 0x00800000 | ring_byte << 24 | (length & 0xffff),
          0x00900000 | bytes[dtype] | shaped(shape) | dtype_at(dtype, 16), source);
    return 0;
}

static uint32_t front(uint32_t meta_index, uint32_t write_barrier)
{
    return 0x00800000 | (meta_index & 0xff) << 24 | bit(write_barrier, 26); /* CCE-1 */
}

LOCAL void al_sdma_m2s_build_replication_descriptor(uint32_t *desc, uint32_t meta_index,
                                                    uint32_t write_barrier, uint32_t x,
                                                    uint64_t payload)
{
    CALLED();
    store(desc, front(meta_index, write_barrier), x << 29 | 0x04a00000, payload);
}

LOCAL void al_sdma_m2s_build_gradient_descriptor(uint32_t *desc, uint32_t meta_index,
                                                 uint32_t write_barrier, uint32_t x,
                                                 uint64_t payload)
{
    CALLED();
    store(desc, front(meta_index, write_barrier), x << 29 | 0x06500001, payload);
}

LOCAL void al_sdma_m2s_build_seed_init_descriptor(uint32_t *desc, uint32_t meta_index,
                                                  uint32_t write_barrier, uint32_t x,
                                                  uint64_t payload)
{
    CALLED();
    store(desc, front(meta_index, write_barrier), (x & 1) != 0 ? 0x06000000 : 0, payload);
}

LOCAL void al_sdma_m2s_build_fma_descriptor(uint32_t *desc, uint32_t meta_index,
                                            uint32_t write_barrier, uint32_t sub, uint32_t more,
                                            uint32_t x, uint32_t length, uint32_t a_sel,
                                            uint32_t b_sel, uint32_t c_sel, uint32_t scale)
{
    uint32_t word2 =
        (length & 0xffffff) | (a_sel & 3) << 24 | (b_sel & 3) << 26 | (c_sel & 3) << 28;

    CALLED();
    store(desc, front(meta_index, write_barrier),
          (sub & 7) | bit(more, 26) | x << 29 | 0x02100000, (uint64_t)scale << 32 | word2);
}

LOCAL void al_sdma_m2s_build_min_max_descriptor(uint32_t *desc, uint32_t meta_index,
                                                uint32_t write_barrier, uint32_t length,
                                                uint32_t use_const, uint32_t const_dtype,
                                                uint32_t constant)
{
    uint32_t word2 = (length & 0xffffff) | 0x02000000;

    CALLED();
    if ((use_const & 1) != 0)
        store(desc, front(meta_index, write_barrier), (const_dtype & 7) << 20 | 0x06000000,
              (uint64_t)constant << 32 | word2);
    else
        store(desc, front(meta_index, write_barrier), 0, word2);
}

/* ---- shadow queues (04) ---- */

struct queue {
    uint32_t next_desc_idx;
    uint32_t desc_ring_id;
    uint32_t desc_count;
};

LOCAL void sw_dma_queue_init(struct queue *queue, uint32_t count)
{
    CALLED();
    queue->next_desc_idx = 0;
    queue->desc_ring_id = 1;
    queue->desc_count = count;
}

static void advance(struct queue *queue, uint32_t count)
{
    uint64_t next = (uint64_t)queue->next_desc_idx + count;

    if (count == 0)
        return;
    if (next >= queue->desc_count)
        queue->desc_ring_id = (queue->desc_ring_id + 1) & 3;
    queue->next_desc_idx = (uint32_t)(next % queue->desc_count);
}

LOCAL int sw_dma_queue_inc_next_desc_idx(struct queue *queue, uint32_t count)
{
    CALLED();
    if (count > queue->desc_count)
        return -1;
    advance(queue, count);
    return 0;
}

LOCAL uint32_t sw_dma_queue_ring_id_get_at_idx(const struct queue *queue, uint32_t idx)
{
    CALLED();
    if (idx % queue->desc_count >= queue->next_desc_idx)
        return (queue->desc_ring_id - 1) & 3;
    return queue->desc_ring_id;
}

LOCAL int sw_dma_queue_reserve_descriptors(struct queue *tx, struct queue *rx, uint32_t *tx_idx,
                                           uint32_t *rx_idx, uint32_t count)
{
    CALLED();
    if (count > tx->desc_count || count > rx->desc_count)
        return -1;
    *tx_idx = tx->next_desc_idx;
    *rx_idx = rx->next_desc_idx;
    advance(tx, count);
    if (count == 6) {
#ifdef FAULT_RESERVE
        rx->desc_ring_id ^= 1;
#endif
#ifdef FAULT_DIES
        abort();
#endif
#ifdef FAULT_OVERRUNS
        ((volatile uint32_t *)tx)[3] = 0x1234; /* a queue has 12 bytes */
#endif
    }
    advance(rx, count);
    return 0;
}

/* ---- the runtime's numbers (03): outside of them the original stops ---- */

LOCAL uint32_t kbin_dtype_to_sdma_dtype(uint32_t dtype)
{
    static const uint8_t sdma[16] = {0, 13, 14, 15, 7, 10, 11, 6, 3, 5, 9, 1, 2, 4, 8, 12};

    CALLED();
    if (dtype < 1 || dtype > 15)
        abort();
    return sdma[dtype];
}

LOCAL uint32_t kbin_cce_op_to_sdma_cce_op(uint32_t op)
{
    CALLED();
    switch (op) {
    case 1:
        return 1;
    case 2:
        return 0;
    case 3:
        return 3;
    case 4:
        return 2;
    default:
        abort();
    }
}

/* What a loader finds. */
__attribute__((visibility("default"))) int nrt_init(void)
{
    return 0;
}
