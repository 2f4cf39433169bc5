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

/* ---- compute descriptors (HAL line) ------------------------------------ */

/* Operands of the op-class words (OPC, CCE-3..6). Each is cut to its field; flags are 0 or 1.
 * dtypes are SDMA numbers. The architecture does not move a bit (OPC-4). */
struct udma_op_split {
    uint32_t arch; /* UDMA_ARCH_*, here and below */
    uint32_t split;
    uint32_t shape; /* 0..255; above 1 sets bit 5 too */
    uint32_t dtype;
};

struct udma_op_transpose {
    uint32_t arch;
    uint32_t elem_bytes;
    uint32_t shape; /* as in udma_op_split */
    uint32_t dtype;
};

struct udma_op_replication {
    uint32_t arch;
    uint32_t count;
};

struct udma_op_add {
    uint32_t arch;
    uint32_t sub;
    uint32_t flag;          /* bit 4 */
    uint32_t write_barrier; /* bit 6 */
    uint32_t last;          /* bit 7 */
    uint32_t out_dtype;
    uint32_t accum_dtype;
};

/* With use_const 0, out_dtype and const_dtype are written as 0 whatever they are. */
struct udma_op_min_max {
    uint32_t arch;
    uint32_t sub;
    uint32_t last;          /* bit 4 */
    uint32_t use_const;     /* bit 5 */
    uint32_t write_barrier; /* bit 6 */
    uint32_t notification;  /* bit 7 */
    uint32_t in_dtype;
    uint32_t out_dtype;
    uint32_t accum_dtype;
    uint32_t const_dtype; /* its low three bits are used */
};

/* Also the operands of gradient. */
struct udma_op_fma {
    uint32_t arch;
    uint32_t sub;
    uint32_t flag;          /* bit 4: f6 of CCE-3, f of CCE-6 */
    uint32_t write_barrier; /* bit 6: f5 of CCE-3 */
    uint32_t last;          /* bit 7: f4 of CCE-3 */
    uint32_t in_dtype;
    uint32_t scale_dtype;
    uint32_t accum_dtype;
};

struct udma_op_cce_ext {
    uint32_t arch;
    uint32_t sub;
    uint32_t src_dtype;
    uint32_t dst_dtype;
};

/* Operations, as bits of a set: what may have given some bits. */
#define UDMA_OP_PLAIN_COPY 0x001u /* 0x01080003, notification (bit 28) allowed on top */
#define UDMA_OP_STRIDING_SPLIT 0x002u
#define UDMA_OP_TRANSPOSE 0x004u
#define UDMA_OP_REPLICATION 0x008u
#define UDMA_OP_ADD 0x010u
#define UDMA_OP_MIN_MAX 0x020u
#define UDMA_OP_FMA 0x040u
#define UDMA_OP_CCE_EXT 0x080u
#define UDMA_OP_GRADIENT 0x100u

/* META descriptors, likewise. */
#define UDMA_DESC_FMA 0x01u
#define UDMA_DESC_MIN_MAX 0x02u
#define UDMA_DESC_SEED_INIT 0x04u
#define UDMA_DESC_REPLICATION 0x08u
#define UDMA_DESC_GRADIENT 0x10u
#define UDMA_DESC_TRANSPOSE 0x20u

/* META descriptors. word0 of the first five is that of CCE-1: META, meta_index in bits 31:24, and
 * 0x04000000 ORed in if write_barrier is 1. */
struct udma_desc_fma {
    uint32_t meta_index;
    uint32_t write_barrier;
    uint32_t sub;
    uint32_t more;
    uint32_t x;
    uint32_t length;
    uint32_t a_sel;
    uint32_t b_sel;
    uint32_t c_sel;
    uint32_t scale; /* word3 */
    uint32_t use_default; /* 1: the selectors of CCE-2, whatever a_sel, b_sel, c_sel are */
};

struct udma_desc_min_max {
    uint32_t meta_index;
    uint32_t write_barrier;
    uint32_t length;
    uint32_t use_const;
    uint32_t const_dtype; /* its low three bits are used; unused with use_const 0 */
    uint32_t constant;    /* word3; 0 is written with use_const 0 */
};

/* payload goes into words 2 and 3, low half first. x is the replication's mode, the gradient's x
 * (three bits), or whether the seed init seeds (0 or 1). */
struct udma_desc_payload {
    uint64_t payload;
    uint32_t meta_index;
    uint32_t write_barrier;
    uint32_t x;
    uint32_t unused;
};

/* TRN-1, TRN-2. The element's bytes come from the descriptor size table; words 2 and 3 are the
 * source. Refusals: TRN-1, then a length outside 1..65536 (any code). */
struct udma_transpose_in {
    uint64_t source;
    uint32_t arch;
    uint32_t dtype;
    uint32_t dims[4]; /* w, x, y, z */
    uint32_t shape;   /* 0..255 */
    uint32_t ring_byte; /* 0..255: word0 bits 31:24 */
    uint32_t length;
    uint32_t unused;
};

/* TRN-4, TRN-5: an address taken apart and packed. The packed one is the window's base plus
 *   (elem_bytes * partition) & 0xff | offset << 8 | ((partition + base) << 26) & 0xffffffff
 * and, for a dtype of 4 bytes, plus 0x400000000, and 0x8000000000 more if partition > 63. */
struct udma_window_case {
    uint64_t dst;    /* in */
    uint32_t dtype;  /* in: 1..15 */
    uint32_t base;   /* in */
    uint64_t window; /* out: base of the window dst lies in */
    uint64_t packed; /* out */
    uint32_t partition; /* out */
    uint32_t offset;    /* out */
    int32_t ret;        /* out: 0, or -22: then the other outputs stay as they are */
    uint32_t unused;
};

/* TRN-6: a pair from source to tpb_base + 0x200000004000000, 4 bytes, mode NONE. */
struct udma_flush_in {
    uint64_t source;
    uint64_t tpb_base;
    uint32_t rx_ring_id;
    uint32_t tx_ring_id;
    uint32_t arch;
    uint32_t unused;
};

/* Sizes of an SDMA dtype, its limits on an architecture (CCE-12). */
struct udma_dtype_case {
    uint32_t arch;         /* in */
    uint32_t dtype;        /* in */
    uint64_t cap;          /* in: most bytes of the packet */
    uint32_t bytes;        /* out: descriptor size tables; 0 for an invalid dtype */
    uint32_t cce_bytes;    /* out: CCE packet-size table; 0 for fp32r and for an invalid dtype */
    uint32_t max_elements; /* out */
    uint32_t unused;
    int64_t packet_bytes; /* out: CCE-12; negative where it is an error */
};

#define UDMA_REMAP_DTYPE 0u /* runtime dtype to SDMA dtype */
#define UDMA_REMAP_OP 1u    /* runtime op to SDMA CCE op */

struct udma_remap_case {
    uint32_t kind;  /* in: UDMA_REMAP_* */
    uint32_t value; /* in */
    int32_t result; /* out: the SDMA number, negative where it is an error */
    uint32_t unused;
};

/* A reduction (CCE-8..13). TX, in this order:
 *   seed init, if use_seed (CCE-7);
 *   with several destinations one replication extension each, payload the destination, linked
 *   as a combo (CCE-9);
 *   fma: its descriptor with sub, length size and the default selectors;
 *   min, max: its descriptor with length size, if use_const;
 *   one data descriptor a source: ring id (two bits kept) and length as BLDR-1, FIRST on the first,
 *   LAST on the last, CONCAT on all but the last (BLDR-9); word1 is the op's meta word with sub, the
 *   dtypes (scale and constant included), and last on the final source; the other flags 0.
 * RX: one descriptor a destination, ring id and length as BLDR-2.
 * What stands in front has meta_index and no write barrier. CCE-11 is applied before words and
 * limits. Refused, with any code but where a rule gives one, and nothing written: an op other than
 * 0..3 (-1), sources not 1..32, no destination, several on SUNDA (-1), an invalid dtype, fma
 * without use_scale or with a scale_dtype other than fp32, CCE-13 (SUNDA), an input dtype of CCE
 * size 0, a size of 0 or above max elements * CCE bytes. scale is looked at by fma alone, constant by
 * min and max alone. */
struct udma_reduction_in {
    const uint64_t *sources;
    const uint64_t *destinations;
    uint64_t seed;
    uint64_t size; /* bytes of each source and destination */
    uint32_t num_sources;
    uint32_t num_destinations;
    uint32_t arch;
    uint32_t op; /* SDMA CCE op: add 0, fma 1, max 2, min 3 */
    uint32_t sub;
    uint32_t in_dtype;
    uint32_t out_dtype;
    uint32_t accum_dtype;
    uint32_t use_scale; /* 1: the fma's info block is given */
    uint32_t scale_dtype;
    uint32_t scale;
    uint32_t use_const;
    uint32_t const_dtype;
    uint32_t constant;
    uint32_t use_seed;
    uint32_t meta_index;
    uint32_t tx_ring_id;
    uint32_t rx_ring_id;
};

struct udma_reduction_out {
    uint32_t tx_count; /* descriptors written; 0 where refused */
    uint32_t rx_count;
    int32_t ret;
    uint32_t unused;
};

/* ---- engine initialisation, state, interrupts, BAR0 (kernel line unless said) ---- */

/* EINI: counts as the caller passes them. */
struct udma_engine_init_in {
    struct udma_host host;
    uint32_t arch;
    uint32_t driver; /* UDMA_DRIVER_*; the program is that of 2.26.5.0 */
    uint32_t num_queues;
    uint32_t max_desc;
    uint32_t reserve_read_id; /* 0 or 1 */
    uint32_t unused;
};

/* EINI-4, also after a refusal. A refused queue count leaves cdesc_size and the offsets 0. */
struct udma_engine_init_out {
    int32_t ret;
    uint32_t num_of_queues;
    uint32_t num_of_queues_max;
    uint32_t rev_id;
    uint32_t state_m2s;
    uint32_t state_s2m;
    uint32_t cdesc_size;
    uint32_t reserve_max_read_axi_id;
    uint64_t m2s_offset; /* of the register regions, from the engine base */
    uint64_t s2m_offset;
    uint64_t gen_offset;
    uint64_t gen_ex_offset;
};

/* REGS-3, REGS-4. */
struct udma_engine_state {
    uint32_t revision_id;
    uint32_t max_queues;
    uint32_t num_queues;
    uint32_t tx_state;
    uint32_t rx_state;
};

#define UDMA_LEVEL_PRIMARY 0u
#define UDMA_LEVEL_SECONDARY 1u

/* Calls of the interrupt controller. Both lines: */
#define UDMA_IOFIC_CONFIG 0u      /* IOFC-3 */
#define UDMA_IOFIC_UNMASK 1u      /* IOFC-4; ret nonzero for an invalid group (any code) */
#define UDMA_IOFIC_MASK 2u        /* IOFC-4 */
#define UDMA_IOFIC_CLEAR_CAUSE 3u /* IOFC-4 */
#define UDMA_IOFIC_ARM_ABORT 4u   /* IOFC-5, IOFC-9 */
/* HAL line: */
#define UDMA_IOFIC_READ_AND_CLEAR 5u /* IOFC-7: cause is read, then control; value: what was read;
                                      * cause & bits is cleared unless control bit 0 is set */
#define UDMA_IOFIC_CLEAR_VERIFY 6u   /* IOFC-7: clear_cause(bits), cause is read; ret 0 or -5 */
#define UDMA_IOFIC_SUMMARY_BIT 7u    /* IOFC-8: value: the bit of secondary `group`, 0 for invalid */
/* Kernel line: */
#define UDMA_IOFIC_UNMASK_ONE 8u          /* IOFC-10: at group_base */
#define UDMA_IOFIC_UNMASK_M2S 9u          /* IOFC-6 */
#define UDMA_IOFIC_UNMASK_S2M 10u         /* IOFC-6 */
#define UDMA_IOFIC_AXI_ERROR_ABORT 11u    /* IOFC-11 */
#define UDMA_IOFIC_MASK_RING_ID_ERROR 12u /* IOFC-12 */
#define UDMA_IOFIC_CALLS 13u

struct udma_iofic_in {
    struct udma_host host;
    uint64_t group_base; /* UNMASK_ONE alone, from the engine base */
    uint32_t call;       /* UDMA_IOFIC_* */
    uint32_t revision;   /* of the engine (IOFC-2) */
    uint32_t level;      /* UDMA_LEVEL_* */
    uint32_t group;
    uint32_t bits;
    uint32_t unused;
};

struct udma_iofic_out {
    int32_t ret;
    uint32_t value; /* of the calls that say so, else 0 */
};

struct udma_bar0_case {
    uint64_t offset;      /* in: in BAR0 */
    uint64_t base;        /* in: of the engine, with one_engine */
    uint32_t arch;        /* in */
    uint32_t one_engine;  /* in: 0: the whole gate; 1: the check of one engine at `base` */
    int32_t ret;          /* out: 0 or -1 */
    uint32_t unused;
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
    /* OPC, CCE-3..6: n op-class words. */                                                         \
    int32_t P##op_split(const struct udma_op_split *in, uint32_t *out, uint32_t n);                \
    int32_t P##op_transpose(const struct udma_op_transpose *in, uint32_t *out, uint32_t n);        \
    int32_t P##op_replication(const struct udma_op_replication *in, uint32_t *out, uint32_t n);    \
    int32_t P##op_add(const struct udma_op_add *in, uint32_t *out, uint32_t n);                    \
    int32_t P##op_min_max(const struct udma_op_min_max *in, uint32_t *out, uint32_t n);            \
    int32_t P##op_fma(const struct udma_op_fma *in, uint32_t *out, uint32_t n);                    \
    int32_t P##op_cce_ext(const struct udma_op_cce_ext *in, uint32_t *out, uint32_t n);            \
    int32_t P##op_gradient(const struct udma_op_fma *in, uint32_t *out, uint32_t n);               \
    /* OPC-2, OPC-3: for n words the set of UDMA_OP_* that give their bits, bit 26 left aside. ADD \
     * and MIN_MAX come together where the word is that of either without a constant. */           \
    int32_t P##op_decode(const uint32_t *in, uint32_t *sets, uint32_t n);                          \
    /* CCE-1, 2, 4, 7, OPC-5: n META descriptors. */                                               \
    int32_t P##desc_fma(const struct udma_desc_fma *in, struct udma_desc *out, uint32_t n);        \
    int32_t P##desc_min_max(const struct udma_desc_min_max *in, struct udma_desc *out, uint32_t n); \
    int32_t P##desc_seed_init(const struct udma_desc_payload *in, struct udma_desc *out,           \
                              uint32_t n);                                                         \
    int32_t P##desc_replication(const struct udma_desc_payload *in, struct udma_desc *out,         \
                                uint32_t n);                                                       \
    int32_t P##desc_gradient(const struct udma_desc_payload *in, struct udma_desc *out, uint32_t n); \
    /* For n descriptors the set of UDMA_DESC_* that give their bits; none without META. Bit 26 of \
     * word1 is the operation's (OPC-3). MIN_MAX can come with SEED_INIT or with FMA. */           \
    int32_t P##desc_decode(const struct udma_desc *in, uint32_t *sets, uint32_t n);                \
    /* TRN-1, 2: one slot, kept where *ret is not 0. */                                            \
    int32_t P##build_transpose(const struct udma_transpose_in *in, struct udma_desc *inout,        \
                               int32_t *ret);                                                      \
    /* TRN-3: *ret is 0 for a permutation of "WXYZ". */                                            \
    int32_t P##transpose_name(const char *name, int32_t *ret);                                     \
    /* TRN-4, 5 */                                                                                 \
    int32_t P##transpose_window(struct udma_window_case *inout, uint32_t n);                       \
    /* TRN-6; inout->ret not 0 on SUNDA, and both slots kept. */                                   \
    int32_t P##transpose_flush(const struct udma_flush_in *in, struct udma_pair_out *inout);       \
    int32_t P##dtypes(struct udma_dtype_case *inout, uint32_t n);                                  \
    int32_t P##remap(struct udma_remap_case *inout, uint32_t n);                                   \
    /* CCE-9: links n descriptors, in word1. */                                                    \
    int32_t P##combo_chain(struct udma_desc *inout, uint32_t n);                                   \
    /* CCE-8..13: tx holds sources + destinations + 2 slots, rx one a destination. */              \
    int32_t P##build_reduction(const struct udma_reduction_in *in, struct udma_desc *tx,           \
                               struct udma_desc *rx, struct udma_reduction_out *out);              \
    /* EINI, through the host's registers. */                                                      \
    int32_t P##engine_init(const struct udma_engine_init_in *in, struct udma_engine_init_out *out); \
    /* REGS-3, 4, through the host's registers; num_queues is reported as given. */                \
    int32_t P##engine_state(const struct udma_host *host, uint32_t num_queues,                     \
                            struct udma_engine_state *out);                                        \
    /* REGS-5: *ret is the device-level call's code. */                                            \
    int32_t P##set_state(const struct udma_host *host, int32_t state, int32_t *ret);               \
    /* IOFC-1..12; a call of the other line is UDMA_NOT_OFFERED. */                                \
    int32_t P##iofic(const struct udma_iofic_in *in, struct udma_iofic_out *out);                  \
    /* IOFC-7 (HAL line): the causes of a level in the iterator's order, group << 8 | bit number;  \
     * pending holds 128. Every valid group's cause is read before the first one is given. */      \
    int32_t P##iofic_causes(const struct udma_host *host, uint32_t revision, uint32_t level,       \
                            uint32_t *pending, uint32_t *count);                                   \
    /* BAR0-1..3 */                                                                                \
    int32_t P##bar0(struct udma_bar0_case *inout, uint32_t n);

UDMA_ORACLE_FUNCTIONS(udma_)

#endif
