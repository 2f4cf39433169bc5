/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The C ABI that every library under test exports.
 *
 * Flat structures, fixed-width integers, one function per operation. A library
 * that does not do an operation returns UDMA_NOT_OFFERED from it, or leaves the
 * function out when it is loaded at run time.
 *
 * Every function returns 0 when the operation was carried out (whatever the
 * operation's own result was: that is in the output), or UDMA_NOT_OFFERED,
 * unless its comment says that it returns the operation's own code. Codes of
 * operations are the original's: 0, -1, -22 (EINVAL), -12 (ENOMEM); UDMA_BUG
 * stands for an assertion that ends the call (kernel BUG).
 *
 * "Slot" means 16 bytes of descriptor memory. The caller fills slots before the
 * call; a slot whose request is refused must keep its bytes.
 */
#ifndef UDMA_ORACLE_H
#define UDMA_ORACLE_H

#include <stdint.h>

#define UDMA_ABI_VERSION 1u
#define UDMA_NOT_OFFERED (-1000001)
#define UDMA_BUG (-1000002)

/* Lines. */
#define UDMA_LINE_KERNEL 1u
#define UDMA_LINE_HAL 2u

/* Driver versions whose behaviour differs (kernel line; the HAL line ignores them). */
#define UDMA_DRIVER_2_26_5 0u  /* 2.26.5.0, the recorded one */
#define UDMA_DRIVER_2_15_9 1u  /* 2.15.9.0 */
#define UDMA_DRIVER_2_18_20 2u /* 2.18.20.0 to 2.24.7.0 */
#define UDMA_DRIVER_2_25_4 3u  /* 2.25.4.0 */
#define UDMA_DRIVER_2_27_4 4u  /* 2.27.4.0, as described */

/* Architectures. */
#define UDMA_ARCH_SUNDA 2u
#define UDMA_ARCH_CAYMAN 3u
#define UDMA_ARCH_MARIANA 4u

/* Ordering modes (BARR-1). */
#define UDMA_MODE_NONE 0
#define UDMA_MODE_DMB 1
#define UDMA_MODE_WRITE_BARRIER 2
#define UDMA_MODE_SOW 3

/* Rings. */
#define UDMA_RING_TX 0u
#define UDMA_RING_RX 1u

/* Views of one descriptor (DESC-2). */
#define UDMA_VIEW_TX 0u
#define UDMA_VIEW_RX 1u
#define UDMA_VIEW_TX_META 2u

/* One descriptor: four 32-bit words, each little-endian in memory. */
struct udma_desc {
    uint32_t word[4];
};

struct udma_info {
    uint32_t abi_version; /* UDMA_ABI_VERSION */
    uint32_t line;        /* UDMA_LINE_* */
};

/* ---- the descriptor ---------------------------------------------------- */

/* A descriptor taken apart. Flags are 0 or 1 and give the raw bit of word0,
 * whatever the view; word1 is meta_ctrl (TX, TX_META) or buf2_ptr_lo (RX). */
struct udma_fields {
    uint32_t view;     /* UDMA_VIEW_* */
    uint32_t length;   /* bytes, 1..65536: 0 in the word reads as 65536 (DESC-3) */
    uint32_t ring_id;  /* 0..3 */
    uint32_t reserved; /* word0 bits 22:16 */
    uint32_t concat;   /* bit 31 */
    uint32_t dmb;      /* bit 30 */
    uint32_t sow;      /* bit 29 */
    uint32_t int_en;   /* bit 28 */
    uint32_t last;     /* bit 27 */
    uint32_t first;    /* bit 26 */
    uint32_t meta;     /* bit 23 */
    uint32_t word1;
    uint32_t meta1; /* word2 and word3 in the TX_META view, else 0 */
    uint32_t meta2;
    uint64_t pointer; /* address in the TX and RX views, else 0 */
};

/* meta_ctrl taken apart; one member a field, low bits first. */
struct udma_meta_fields {
    uint32_t is_last_block;
    uint32_t is_first_block;
    uint32_t block_attribute;
    uint32_t cached_crc_iv_index;
    uint32_t result_byte_swap;
    uint32_t result_bit_swap;
    uint32_t interim_byte_swap;
    uint32_t interim_bit_swap;
    uint32_t source_byte_swap;
    uint32_t source_bit_swap;
    uint32_t init_byte_swap;
    uint32_t init_bit_swap;
    uint32_t validate_crc;
    uint32_t use_stored_crc_iv;
    uint32_t send_crc_result;
    uint32_t store_crc_result;
    uint32_t store_source_crc;
    uint32_t copy_source_data;
    uint32_t op_type;
    uint32_t ssmae_op;
    uint32_t write_barrier;
    uint32_t reserved27;
    uint32_t notification;
    uint32_t reserved31_29;
};

/* Helpers on one descriptor (BITS-2, META-2..4, ERR-4). */
#define UDMA_BIT_SET_FIRST 0u
#define UDMA_BIT_SET_LAST 1u
#define UDMA_BIT_SET_CONCAT 2u
#define UDMA_BIT_CLEAR_FIRST 3u
#define UDMA_BIT_CLEAR_LAST 4u
#define UDMA_BIT_CLEAR_CONCAT 5u
#define UDMA_BIT_IS_META 6u
#define UDMA_BIT_IS_FIRST 7u
#define UDMA_BIT_IS_LAST 8u
#define UDMA_BIT_IS_CONCAT 9u
#define UDMA_BIT_TX_DESC_SIZE 10u
#define UDMA_BIT_IS_CME_DESC 11u
#define UDMA_BIT_SET_WRITE_BARRIER 12u
#define UDMA_BIT_SET_NOTIFICATION 13u
#define UDMA_BIT_SET_DMB_HELPER 14u /* the edit helper of ERR-4 */
#define UDMA_BIT_OPS 15u

struct udma_bit_case {
    struct udma_desc desc; /* in: the descriptor; out: what it is afterwards */
    uint32_t op;           /* in: UDMA_BIT_* */
    uint32_t value;        /* out: result of the readers, 0 for the setters */
};

/* ---- builders ---------------------------------------------------------- */

struct udma_pair_in {
    uint64_t src;
    uint64_t dst;
    uint64_t size;       /* bytes */
    uint32_t rx_ring_id; /* as the caller passes it: not limited to two bits (BLDR-6) */
    uint32_t tx_ring_id;
    int32_t mode;    /* UDMA_MODE_* or an unknown value; the HAL line takes 3 as NONE with sow */
    uint8_t dst_int; /* 0 or 1 */
    uint8_t sow;     /* HAL line only: strong-ordered write asked for beside the mode */
    uint8_t arch;    /* UDMA_ARCH_* */
    uint8_t driver;  /* UDMA_DRIVER_*, kernel line only */
};

struct udma_pair_out {
    struct udma_desc tx; /* filled by the caller beforehand */
    struct udma_desc rx;
    int32_t ret;
    uint32_t unused; /* left as it is */
};

struct udma_block {
    uint64_t src;
    uint64_t dst;
    uint64_t size; /* bytes */
};

struct udma_packet_in {
    const struct udma_block *blocks;
    uint32_t count;
    uint32_t rx_ring_id;
    uint32_t tx_ring_id;
    int32_t mode; /* as in udma_pair_in */
    uint8_t dst_int;
    uint8_t sow;
    uint8_t notify; /* notification mask asked for */
    uint8_t arch;
};

/* ---- the host that a library drives ------------------------------------ */

#define UDMA_SPACE_ENGINE 0u /* offset from the engine base */
#define UDMA_SPACE_INTC 1u   /* offset from the separate top-level interrupt controller */

/* What the library reaches the outside through. ctx is handed back unchanged. */
struct udma_host {
    void *ctx;
    uint32_t (*read32)(void *ctx, uint32_t space, uint64_t offset);
    void (*write32)(void *ctx, uint32_t space, uint64_t offset, uint32_t value);
    void (*barrier)(void *ctx); /* full memory barrier */
};

/* ---- engine, queues, rings (kernel line) ------------------------------- */

/* An engine as it is right after a successful engine initialisation. Opening
 * it makes no register access. */
struct udma_engine_cfg {
    uint32_t arch;
    uint32_t driver;
    uint32_t num_queues; /* 1..16 */
    uint32_t engine_id;
    struct udma_host host;
};

struct udma_queue_cfg {
    uint32_t tx_size; /* descriptors */
    uint32_t rx_size;
    struct udma_desc *tx_mem; /* the ring as the CPU sees it; NULL: no ring handed over */
    struct udma_desc *rx_mem;
    uint64_t tx_base; /* DMA address of the ring, programmed as given */
    uint64_t rx_base;
    uint32_t allocatable;     /* 0 or 1 */
    uint32_t completion_ring; /* 1: one is asked for (refused, QINI-2) */
};

/* Software state of one queue (names of the register-map vectors). */
struct udma_queue_sw {
    uint64_t desc_phy_base;
    uint32_t size_mask;
    uint32_t next_desc_idx;
    uint32_t desc_ring_id;
    uint32_t next_cdesc_idx;
    uint32_t size;
    uint32_t status; /* 1 disabled, 2 enabled */
    uint32_t qid;
    uint32_t type; /* 0 tx, 1 rx */
    uint32_t cfg;
    uint32_t rlimit_mask;
    uint32_t is_allocatable;
    uint32_t flags; /* 2 = no completion ring */
    uint32_t cdesc_size;
    uint32_t comp_ring_id;
    uint32_t engine_id;
    uint32_t unused;
};

/* What is reported of one ring from its registers (REGS-2). */
struct udma_ring_state {
    uint64_t base_addr;
    uint64_t completion_base_addr;
    uint64_t raw_base; /* the copy-out path: unmasked */
    uint32_t hw_status;
    uint32_t sw_status;
    uint32_t length;
    uint32_t head_pointer;
    uint32_t tail_pointer;
    uint32_t completion_head;
    uint32_t raw_length; /* the copy-out path: unmasked drl */
    uint32_t unused;
};

/* Where something lies: a register in its block, a region in the engine, a
 * member of a structure, or a constant (value in offset). */
struct udma_place {
    uint64_t offset;
    uint64_t size;
    uint64_t count;  /* arrays of regions, else 0 */
    uint64_t stride; /* arrays of regions, else 0 */
};

/* ---- functions --------------------------------------------------------- */

/* P is the prefix of the library's symbols: udma_ for one that is loaded. */
#define UDMA_ORACLE_FUNCTIONS(P)                                                                   \
    int32_t P##info(struct udma_info *out);                                                        \
    /* DESC: take apart and put together n descriptors; `view` in fields[i].view. */               \
    int32_t P##decode(const struct udma_desc *in, struct udma_fields *inout, uint32_t n);          \
    int32_t P##encode(const struct udma_fields *in, struct udma_desc *out, uint32_t n);            \
    int32_t P##meta_decode(const uint32_t *in, struct udma_meta_fields *out, uint32_t n);          \
    int32_t P##meta_encode(const struct udma_meta_fields *in, uint32_t *out, uint32_t n);          \
    int32_t P##bits(struct udma_bit_case *inout, uint32_t n);                                      \
    /* BLDR: n independent pairs. */                                                               \
    int32_t P##build_pairs(const struct udma_pair_in *in, struct udma_pair_out *inout, uint32_t n); \
    /* BLDR-9, 10: tx and rx hold max(count, 1) slots. *ret gets the builder's code. */            \
    int32_t P##build_packet(const struct udma_packet_in *in, struct udma_desc *tx,                 \
                            struct udma_desc *rx, int32_t *ret);                                   \
    /* BLDR-11: the meta descriptor; a CRC copy with tx[2], rx[1]. */                              \
    int32_t P##build_cme_meta(uint32_t index, struct udma_desc *out);                              \
    int32_t P##build_crc_copy(const struct udma_pair_in *in, uint32_t index, struct udma_desc *tx, \
                              struct udma_desc *rx, int32_t *ret);                                 \
    /* RING-9: n descriptor counts rounded. */                                                     \
    int32_t P##ring_size(const uint32_t *want, uint32_t *out, uint32_t n);                         \
    /* An engine object. */                                                                        \
    int32_t P##engine_open(const struct udma_engine_cfg *cfg, void **engine);                      \
    int32_t P##engine_close(void *engine);                                                         \
    /* QINI, through the host's registers. *ret gets the code. */                                  \
    int32_t P##queue_init(void *engine, uint32_t qid, const struct udma_queue_cfg *cfg,            \
                          int32_t *ret);                                                           \
    /* State of queue qid (0..15) of one ring. */                                                  \
    int32_t P##queue_sw(void *engine, uint32_t qid, uint32_t ring, struct udma_queue_sw *out);     \
    /* RING-3: *slot gets the index of the slot handed out, or -1 for none. */                     \
    int32_t P##ring_get(void *engine, uint32_t qid, uint32_t ring, int64_t *slot);                 \
    /* RING-4 */                                                                                   \
    int32_t P##ring_id(void *engine, uint32_t qid, uint32_t ring, uint32_t *id);                   \
    /* RING-5 */                                                                                   \
    int32_t P##ring_ack(void *engine, uint32_t qid, uint32_t ring, uint32_t count, int32_t *ret);  \
    /* RING-2: free slots; UDMA_BUG in *out where the version stops. */                            \
    int32_t P##ring_available(void *engine, uint32_t qid, uint32_t ring, int64_t *out);            \
    /* RING-8, RING-11: one pair into the two rings; ring ids, arch and driver of `in` unused. */  \
    int32_t P##prepare(void *engine, uint32_t qid, const struct udma_pair_in *in, int32_t *ret);   \
    /* TRIG */                                                                                     \
    int32_t P##copy_start(void *engine, uint32_t qid, uint32_t m2s_count, uint32_t s2m_count,      \
                          int32_t *ret);                                                           \
    /* REGS-2, from the registers, sw_status given. */                                             \
    int32_t P##queue_state(void *engine, uint32_t qid, uint32_t tx_sw_status,                      \
                           uint32_t rx_sw_status, struct udma_ring_state *tx,                      \
                           struct udma_ring_state *rx);                                            \
    /* REGS-1. kind: "register_block", "region", "queue_block", "software_struct", "constant";     \
     * name: the block, path, ring or structure, or what the constant is; field: a member, or ""   \
     * for the whole (its size in `size`; align of a structure in `stride`). The names are those   \
     * of the register_map vectors. An unknown name is UDMA_NOT_OFFERED. */                        \
    int32_t P##layout(const char *kind, const char *name, const char *field, struct udma_place *out);

UDMA_ORACLE_FUNCTIONS(udma_)

#endif
