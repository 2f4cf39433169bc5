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

/* ---- virtual rings (HAL line) ------------------------------------------ */

/* A vring is a handle; its two halves are named by UDMA_RING_TX and UDMA_RING_RX.
 *
 * Codes of this layer, in every `ret` below: 0; -1: the packet builder refused
 * the request (whatever its own code, BLDR-12); -12: a page was refused; -22:
 * where a comment says so; and the three that follow, whose numbers are this
 * header's own. Unless a comment says otherwise a call that does not give 0
 * leaves the vring, and everything else it was handed, as it was.
 *
 * Everything authored carries ring id 1 (XFER-1). Addresses and totals count
 * modulo 2^64. META descriptors (word0 bit 23) of the TX half hold no pointer
 * (DESC-2): no operation takes their words 2 and 3 for one. */
#define UDMA_VRING_QUEUE_FULL (-1000011)       /* XFER-4 */
#define UDMA_VRING_VARIABLE_ABOVE (-1000012)   /* TMPL-2: above max_var_id */
#define UDMA_VRING_VARIABLE_MISSING (-1000013) /* TMPL-2: without an address */

#define UDMA_VRING_CAP 16777200u     /* descriptors of a half (VRNG-4) */
#define UDMA_VRING_PAGE_DESCS 65536u /* descriptors of a page (VRNG-3) */
#define UDMA_VRING_SET_VRINGS 16u    /* vrings of a set (VRNG-6) */

/* Types of a pring (PRNG-1). */
#define UDMA_PRING_INVALID 0u
#define UDMA_PRING_TX 1u
#define UDMA_PRING_RX 2u

/* Kinds of a poke; the descriptors are the same (XFER-5). */
#define UDMA_POKE_EVENT 0u
#define UDMA_POKE_SEMAPHORE 1u

/* The documented layouts, for 64-bit pointers. A library need not keep its
 * vrings in this form, only show them in it (vring_image). */

/* 0x100010 bytes (VRNG-3). Descriptor i is page i >> 16, slot i & 0xffff. */
struct udma_vring_page {
    struct udma_desc desc[UDMA_VRING_PAGE_DESCS];
    struct udma_vring_page *next; /* 0x100000 */
    struct udma_vring_page *prev; /* 0x100008 */
};

/* 32 bytes (VRNG-2). */
struct udma_vring_half {
    uint32_t used_desc_count;     /* 0x00 */
    uint32_t unused;              /* 0 */
    struct udma_vring_page *head; /* 0x08 */
    struct udma_vring_page *tail; /* 0x10 */
    uint8_t is_template;          /* 0x18: 0 or 1 */
    uint8_t unused2[3];           /* 0 */
    uint32_t max_var_id;          /* 0x1c */
};

/* 344 bytes (VRNG-1). */
struct udma_vring_image {
    char name[256];              /* 0x000: with its NUL, zero to the end */
    struct udma_vring_half tx;   /* 0x100 */
    struct udma_vring_half rx;   /* 0x120 */
    uint64_t total_tx_size;      /* 0x140: bytes */
    uint64_t total_rx_size;      /* 0x148: bytes */
    uint8_t stochastic_rounding; /* 0x150: 0 or 1 */
    uint8_t unused[7];           /* 0 */
};

/* 32 bytes (PRNG-1). Slot 0 is `offset` bytes into `memory`, which the caller
 * makes large enough for `allocated` slots from there. */
struct udma_pring {
    uint32_t type;            /* 0x00: UDMA_PRING_* or any other number */
    uint32_t unused;          /* left as it is */
    struct udma_desc *memory; /* 0x08 */
    uint64_t offset;          /* 0x10: bytes, a multiple of 256 */
    uint32_t used;            /* 0x18: slots filled by the last dump */
    uint32_t allocated;       /* 0x1c: slots */
};

/* Asked once before each page of descriptors is allocated, and for nothing
 * else; 0 refuses the page, which has the effect of failed memory. After a
 * refusal the operation asks no more. ctx is handed back unchanged. */
struct udma_page_gate {
    void *ctx;
    int32_t (*grant)(void *ctx);
};

struct udma_transfer {
    uint64_t src;
    uint64_t dst;
    uint64_t size;   /* bytes, any number */
    uint8_t ordered; /* 0: no ordering bit; 1: the last chunk is ordered (XFER-2) */
    uint8_t arch;    /* UDMA_ARCH_* */
    uint8_t unused[6];
};

struct udma_packed {
    int64_t delta;    /* PACK-3 */
    uint32_t over_rx; /* packets above the RX maximum, see vring_pack */
    int32_t ret;
};

struct udma_resolved {
    uint64_t count;    /* pointers resolved; 0 if ret is not 0 */
    uint32_t variable; /* the variable at fault; 0 if there is none */
    int32_t ret;
};

struct udma_semaphore {
    uint8_t arch;    /* UDMA_ARCH_* */
    uint8_t enabled; /* 0 or 1 */
    uint8_t set_sow; /* 0 or 1 */
    uint8_t csr_index;
    uint16_t semaphore;
    uint16_t unused;
};

struct udma_dump {
    uint64_t scratch; /* address that the no-ops copy from and to (DUMP-3) */
    uint32_t padded;  /* slots to fill; unused if plain is 1 */
    uint8_t plain;    /* 1: as many as there are descriptors (DUMP-5) */
    uint8_t free;     /* 1: the half is freed after a dump that gave 0 (DUMP-4) */
    uint8_t unused[2];
};

struct udma_cache_stats {
    uint64_t hits;      /* acquisitions that found their ring */
    uint64_t misses;    /* all others, failed ones too */
    uint64_t evictions; /* entries given up for others */
    uint64_t entries;   /* entries kept now */
    uint64_t live;      /* holdings, not yet released, of the entries kept now */
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
    int32_t P##layout(const char *kind, const char *name, const char *field, struct udma_place *out); \
    /* Virtual rings: the vring layer of the HAL line. */                                          \
    /* An empty vring; a name of more than 255 bytes is cut (VRNG-1). NULL if there is no          \
     * memory. */                                                                                  \
    int32_t P##vring_open(const char *name, void **vring);                                         \
    /* Closes a vring of vring_open or vring_deep_copy, each by itself. */                         \
    int32_t P##vring_close(void *vring);                                                           \
    /* From now on `gate` is asked (it is copied); NULL: every page is granted, as at first. */    \
    int32_t P##vring_page_gate(void *vring, const struct udma_page_gate *gate);                    \
    /* XFER. At the cap: QUEUE_FULL, the pairs that fit stay, and the totals count them. Of the    \
     * pair that meets the cap the TX slot is taken first: if TX has room and RX has none, its     \
     * TX descriptor stays too, uncounted. If a page is refused nothing at all is added: -12. */   \
    int32_t P##vring_transfer(void *vring, const struct udma_transfer *in, int32_t *ret);          \
    int32_t P##vring_transfer_ex(void *vring, const struct udma_transfer *in, int32_t *ret);       \
    /* XFER-5: an ordered transfer of 4 bytes. kind: UDMA_POKE_*. */                               \
    int32_t P##vring_poke(void *vring, uint32_t arch, uint32_t kind, uint64_t src, uint64_t dst,   \
                          int32_t *ret);                                                           \
    /* BLDR-9, 10 with both ring ids 1 (those of `in` unused). All or nothing: -1, QUEUE_FULL      \
     * unless both halves have room for every block, -12. Both totals grow by the blocks'          \
     * bytes. */                                                                                   \
    int32_t P##vring_packet(void *vring, const struct udma_packet_in *in, int32_t *ret);           \
    /* VRNG-4: n descriptors as they are into one half, as by n calls with one, up to the first    \
     * that is refused (QUEUE_FULL, -12); those before it stay. No total grows. */                 \
    int32_t P##vring_raw(void *vring, uint32_t ring, const struct udma_desc *desc, uint32_t n,     \
                         int32_t *ret);                                                            \
    /* VRNG-7. A copy has the same name, flags, counters and gate. -12: *copy is NULL. Freeing     \
     * leaves name, totals, stochastic_rounding, is_template and max_var_id alone. */              \
    int32_t P##vring_deep_copy(void *vring, void **copy, int32_t *ret);                            \
    int32_t P##vring_free(void *vring);                                                            \
    /* The documented form. What head and tail point to is the library's own affair: NULL          \
     * exactly if there is no page. */                                                             \
    int32_t P##vring_image(void *vring, struct udma_vring_image *out);                             \
    /* Up to n descriptors of a half from index `first` on; *count gets how many there were. */    \
    int32_t P##vring_read(void *vring, uint32_t ring, uint32_t first, uint32_t n,                  \
                          struct udma_desc *out, uint32_t *count);                                 \
    /* PACK on TX descriptors start..end-1. -22 if end > used or start > end, also where both      \
     * are equal and beyond. Joined are descriptors whose META bit is clear and whose word1 has    \
     * ssmae_op 2 (META-4); whatever flags they had does not matter. Others close the open         \
     * packet. over_rx: packets, among those the packer closed, with more RX descriptors than      \
     * the RX maximum, where the RX descriptors of a packet are those at the indices of its TX     \
     * ones, as far as the RX half goes. */                                                        \
    int32_t P##vring_pack(void *vring, uint32_t arch, uint32_t start, uint32_t end,                \
                          uint64_t max_bytes, struct udma_packed *out);                            \
    /* EDIT-1: *set is 1 if the barrier was set, 0 where SOW is supported or TX is empty. -22      \
     * if no TX descriptor carries FIRST. */                                                       \
    int32_t P##vring_dmb_on_last_packet(void *vring, uint32_t arch, uint32_t *set, int32_t *ret);  \
    /* EDIT-2: *moved gets the number of pointers in the window. */                                \
    int32_t P##vring_addr_rewrite(void *vring, uint64_t base, uint64_t size, uint64_t new_base,    \
                                  uint64_t *moved);                                                \
    /* EDIT-3, MARIANA only: 1 or 0; arch and enabled of `in` used. */                             \
    int32_t P##vring_semaphore_wanted(void *vring, const struct udma_semaphore *in,                \
                                      uint32_t *wanted);                                           \
    /* EDIT-4 if wanted by EDIT-3, else nothing: *set is 1 or 0. Of the last RX descriptor bit     \
     * 31 of word0 is judged, and that its length, ring id, bits 28:26, 23 and pointer stay. */    \
    int32_t P##vring_embed_semaphore(void *vring, const struct udma_semaphore *in, uint32_t *set); \
    /* Both halves become templates: is_template 1, max_var_id as given. */                        \
    int32_t P##vring_template(void *vring, uint32_t max_var_id);                                   \
    /* TMPL-2, both halves: addresses[v] is the address of variable v, for v < n; others are       \
     * not found. Bit 61 alone makes a pointer symbolic, whatever is_template says. At fault is    \
     * the first symbolic pointer in the order TX 0, 1, .., RX 0, 1, ..; max_var_id is looked      \
     * at before the address. Afterwards is_template is 0 in both halves. */                       \
    int32_t P##vring_resolve(void *vring, const uint64_t *addresses, uint32_t n,                   \
                             struct udma_resolved *out);                                           \
    /* PRNG-2, without overflow: *out gets descriptors, of 16 bytes each. wrap: 1 or 0             \
     * (linear). */                                                                                \
    int32_t P##pring_size(uint32_t descriptors, uint32_t wrap, uint64_t *out);                     \
    /* DUMP-1..4 of one half; `used` of the pring is set, and the slots from 0 to padded; all      \
     * other memory stays. -22 as in DUMP-1, or if the offset is not a multiple of 256. */         \
    int32_t P##vring_dump(void *vring, uint32_t ring, struct udma_pring *pring,                    \
                          const struct udma_dump *in, int32_t *ret);                               \
    /* DUMP-5: a TX half that is refused ends it; if RX is refused, TX stays dumped (and           \
     * freed). */                                                                                  \
    int32_t P##vring_dump_both(void *vring, struct udma_pring *tx, const struct udma_dump *tx_in,  \
                               struct udma_pring *rx, const struct udma_dump *rx_in, int32_t *ret); \
    /* TMPL-3: resolved rings of one template, a deep copy of `vring`, kept under the whole        \
     * list of addresses, at most `capacity` of them. -12: *cache is NULL. */                      \
    int32_t P##cache_open(void *vring, uint32_t capacity, void **cache, int32_t *ret);             \
    /* The kept ring of this list (a hit), or the template copied and resolved (a miss; -12 and    \
     * the codes of vring_resolve, *ring is NULL then). A new ring is kept if there is room. If    \
     * not, the least recently acquired entry without live holdings is evicted; if all have        \
     * some, the new ring is handed out unkept. Each acquisition is one holding; acquiring a       \
     * kept ring again gives the same handle. `count` of *out is 0. The ring may be read and       \
     * dumped, not changed. */                                                                     \
    int32_t P##cache_acquire(void *cache, const uint64_t *addresses, uint32_t n, void **ring,      \
                             struct udma_resolved *out);                                           \
    /* Gives one holding back; with the last one an unkept ring is gone. */                        \
    int32_t P##cache_release(void *cache, void *ring);                                             \
    int32_t P##cache_stats(void *cache, struct udma_cache_stats *out);                             \
    /* All holdings must have been released. */                                                    \
    int32_t P##cache_close(void *cache);                                                           \
    /* VRNG-6. set_add: the next vring, named "<set>_<index>" and cut to 255 bytes; -22 beyond     \
     * 16. It lives as long as the set and is not closed by itself. */                             \
    int32_t P##set_open(const char *name, uint32_t stochastic_rounding, void **set);               \
    int32_t P##set_add(void *set, void **vring, int32_t *ret);                                     \
    int32_t P##set_close(void *set);                                                               \
    /* The documented layout of "vring", "half", "page", "pring", "set"; field: a member as it     \
     * is called in the structures above, or "" for the whole (its size in `size`, alignment in    \
     * `stride`; of "set" there is only that, 5520 bytes). Unknown: UDMA_NOT_OFFERED. */           \
    int32_t P##vring_layout(const char *name, const char *field, struct udma_place *out);

UDMA_ORACLE_FUNCTIONS(udma_)

#endif
