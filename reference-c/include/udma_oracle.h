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
    /* For the operations of "the ring cycle" alone; see there. Others leave them alone. */
    uint32_t (*load32)(void *ctx, uint64_t address);
    void (*store32)(void *ctx, uint64_t address, uint32_t value);
    void (*fill)(void *ctx, uint64_t address, uint32_t byte, uint64_t len);
    uint64_t (*now)(void *ctx);
    void (*delay)(void *ctx, uint64_t us);
    uint32_t (*in_reset_window)(void *ctx, uint64_t started);
    void (*acked)(void *ctx, uint32_t qid, uint32_t ring, uint32_t next_desc_idx,
                  uint32_t next_cdesc_idx, uint32_t desc_ring_id);
    int32_t (*pin)(void *ctx, uint64_t page, uint32_t count, uint64_t *frames);
    void (*unpin)(void *ctx, uint64_t page, uint32_t count);
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

/* ---- the ring cycle ----------------------------------------------------
 *
 * Stage, mark, ring, wait, acknowledge, on a queue of an engine object; and what
 * the HAL line has of it. A run is compared event for event: every store, load,
 * barrier, register access, delay and acknowledge must come in the order and the
 * number that the rules give, and no other.
 *
 * Addresses are of three kinds. "DMA": as the engine sees it and as it stands in
 * a descriptor; a device address, or host memory with the window bit set
 * (HOST-1). "CPU": CPU physical, without the bit; the library ORs the bit in where
 * such an address goes into a descriptor. "User": of a user buffer; only handed to
 * pin and unpin. Sizes are bytes, times microseconds.
 *
 * Callbacks of struct udma_host, all of them given for these operations:
 *
 *   load32, store32  One 32-bit access of host memory at a CPU address: the words
 *                    of completion buffers. Every look at a poll word is one load32.
 *   fill             Sets len bytes of host memory at a CPU address to byte
 *                    (0..255): the host buffer of a fill, one call (MSET-1); for
 *                    size 0 with len 0, or not at all.
 *   now              Time, for nothing but in_reset_window. Called once when a
 *                    transfer is submitted, before anything is staged, and once
 *                    when it is retried, before anything is written.
 *   delay            One wait. A poll makes one call for the first wait, then one
 *                    of 1 us after each miss (POLL-1).
 *   in_reset_window  1 if what began at `started`, a value of now, began inside a
 *                    reset window. Asked once after each timeout of a batch of
 *                    copy, copy_async, wait or memset, on SUNDA alone; never by
 *                    zerocopy.
 *   acked            Called right after the consumer index of a ring moved, with
 *                    the ring's three cursors as they are then: RX, then TX
 *                    (ACK-1). It is how an acknowledge is seen.
 *   pin              Pins `count` pages of 4096 bytes of the user buffer from the
 *                    page-aligned user address `page` on and writes the CPU
 *                    address of each to frames[0..count]. 0: done. Not 0: nothing
 *                    is pinned, and the copy fails with -14.
 *   unpin            Gives the pages of one call of pin back.
 *
 * Barriers and registers are reached through barrier and write32 as before, each
 * doorbell by one of each. Descriptors are written straight into tx_mem and rx_mem
 * of the queue's udma_queue_cfg. A callback may call queue_sw on the engine, and no
 * other function.
 *
 * Nothing that is handed over is kept beyond the call, but for tx_mem and rx_mem,
 * which stay the caller's and are used until the queue is initialised anew, and
 * struct udma_host, which is copied.
 */

/* Platforms (POLL-3). */
#define UDMA_PLATFORM_HW 0u
#define UDMA_PLATFORM_QEMU 1u
#define UDMA_PLATFORM_EMU 2u

/* Handles (ASYN-1). */
#define UDMA_HANDLE_NONE (-1)
#define UDMA_HANDLE_SYNC 0
#define UDMA_HANDLE_ASYNC1 1
#define UDMA_HANDLE_ASYNC2 2

/* Codes beside 0, -1, -22 and -12: -2 (ENOENT, ZC-7), -14 (EFAULT: pin failed),
 * -16 (EBUSY, ZC-8), -110 (ETIMEDOUT, from 2.27.4.0 on, POLL-1). */

/* A queue that carries host transfers. */
struct udma_transfer_cfg {
    uint64_t completion; /* CPU address of 24 bytes: SYNC, ASYNC1, ASYNC2 (MARK-4) */
    uint32_t core;       /* the core that the queue belongs to (ZC-7) */
    uint32_t platform;   /* UDMA_PLATFORM_* */
    uint32_t chunk;      /* bytes of a chunk, 1..65536; the driver's is 65536 (BTCH-1) */
    uint32_t threshold;  /* the driver's is 2031 (BTCH-2) */
};

struct udma_transfer {
    uint64_t src; /* DMA address */
    uint64_t dst; /* DMA address */
    uint64_t size;
    uint32_t src_moves; /* 1: advances with each chunk; 0: stays (BTCH-5) */
    uint32_t dst_moves;
};

struct udma_memset_in {
    uint64_t buffer; /* CPU address of 65536 bytes of host memory */
    uint64_t dst;    /* DMA address */
    uint64_t size;
    uint32_t value; /* its low byte is the fill */
    uint32_t unused;
};

struct udma_zerocopy_in {
    uint64_t user;          /* user address; its low 12 bits are the page offset */
    uint64_t device;        /* DMA address */
    uint64_t size;          /* 0: nothing is staged, 0 is returned */
    uint64_t completion[2]; /* CPU addresses of 8 bytes each; step n uses n mod 2 (ZC-6) */
    uint32_t core;          /* the core that asks */
    uint32_t to_device;     /* 1: user buffer to device; 0: device to user buffer */
};

/* The context queue of 2.27.4.0 (ZC-8). */
struct udma_contexts_cfg {
    uint64_t completion; /* CPU address of 8 bytes a context; context i uses +8*i */
    uint64_t budget;     /* pages that may be pinned at a time; the driver's is 524288 */
    uint32_t capacity;   /* contexts; the driver's are 1024 */
    uint32_t entries;    /* of the completion ring, a power of two; the driver's are 1024 */
};

#define UDMA_CONTEXT_INVALID 0u /* not used, or a tombstone */
#define UDMA_CONTEXT_UNPINNED 1u
#define UDMA_CONTEXT_PINNED_UNSUBMITTED 2u
#define UDMA_CONTEXT_SUBMITTED 3u
#define UDMA_CONTEXT_COMPLETED 4u

/* Cursors count up without end; the context at cursor c has index c mod capacity. */
struct udma_contexts_state {
    uint64_t head;                     /* oldest context that is not released */
    uint64_t first_pinned_unsubmitted; /* first_unpinned where there is none */
    uint64_t first_unpinned;           /* tail where there is none */
    uint64_t tail;                     /* where the next context goes */
    uint64_t pinned;                   /* pages counted against the budget */
};

struct udma_completion {
    uint64_t tag;   /* as submitted */
    int32_t result; /* 0 or the code of the copy */
    uint32_t unused;
};

struct udma_wait_in {
    uint32_t arch;
    uint32_t driver;
    uint32_t platform;
    uint32_t count; /* pairs, marker included; any value */
    uint32_t is_async;
    uint32_t unused;
};

struct udma_wait_out {
    uint64_t first_wait;
    uint64_t following_wait;
};

/* Where the host transfers of a core go (HOST-1, HOST-2). */
struct udma_host_place {
    uint64_t window; /* the architecture's host window bit */
    uint32_t engine;
    uint32_t queue;
    uint32_t ring_size; /* descriptors of each ring */
    uint32_t unused;
};

/* A shadow queue, 12 bytes, the caller's (SWQ). */
struct udma_shadow {
    uint32_t next_desc_idx;
    uint32_t desc_ring_id;
    uint32_t desc_count;
};

/* Reserved descriptors on their way into a ring (SWQ-4). */
struct udma_commit_in {
    struct udma_desc *ring;    /* ring_count slots */
    struct udma_desc *descs;   /* n descriptors with ring id 0; may be changed in place */
    const uint64_t *addresses; /* n pointers that replace the descriptors' own; or NULL */
    uint32_t ring_count;
    uint32_t n;
    uint32_t first; /* slot of descs[0] */
    uint32_t phase; /* of that slot */
};

/* Operations, line by line of what follows in UDMA_ORACLE_FUNCTIONS.
 *
 * transfer_open   Kernel line. Queue qid of the engine, initialised by queue_init
 *                 before, carries host transfers from now on, with nothing out. Makes
 *                 no access. The library remembers the udma_queue_cfg of the last
 *                 queue_init, for a retry (RTRY-1). Needed once before copy,
 *                 copy_async, wait, memset, zerocopy and contexts_open on that queue.
 * copy            BTCH, POLL, ACK, RTRY: the whole transfer, synchronously. Staging
 *                 goes through prepare's checks: a batch that the ring has no room for
 *                 fails with -12, nothing rung, the slots taken so far lost. The
 *                 marker's two stores come after the last data pair was staged.
 * copy_async      ASYN: submits after handle `previous`. *handle gets the transfer's
 *                 handle where *ret is 0 and is left alone otherwise. Order: handle step
 *                 (-22), previous in use (-22), stage and ring, more than one batch
 *                 (-22), wait for previous. Whether its own slot is in use is not looked
 *                 at. The slot is in use from its doorbell on, until its marker was seen;
 *                 so it is after -22 for a transfer too large and after a timeout, and is
 *                 not after a failure to stage. The batch of a transfer too large can be
 *                 waited for. previous SYNC: as copy, *handle gets 0.
 * wait            ASYN-4: waits for the batch of an asynchronous handle that is in use, in
 *                 the asynchronous form; -22 for NONE, SYNC and any other. On a retry the
 *                 batch of the other asynchronous handle, if it is in use and was submitted
 *                 later, is staged and rung again after the awaited one. A retry restarts
 *                 the clock of every batch that it rings again.
 * memset          MSET.
 * zerocopy        ZC-1 to ZC-7 with two contexts, every driver version. Per step: pin,
 *                 stage, marker, ring; then the wait for the step before, then its
 *                 unpin. A step that cannot be pinned or staged is given back unrung, the
 *                 step before it waited for, and its code returned whatever that wait
 *                 gave. After a timeout the pages of every step that is out stay pinned.
 * contexts_open   ZC-8, version 2.27.4.0 or any: a context queue and a completion ring on
 *                 a queue that transfer_open opened, with nothing in flight.
 * contexts_submit Takes an asynchronous copy in, one context a step, makes no access.
 *                 -2 (ZC-7), -16 unless there is a place for every step. A copy of 0
 *                 bytes writes its completion at once; -16 where there is no room for it.
 *                 completion[] of `in` is not used.
 * contexts_copy   A synchronous copy behind what is in flight: takes steps in as places
 *                 come free and goes through contexts_advance until all its steps are
 *                 completed or it failed. No completion is written for it. -16 when steps
 *                 are left and nothing moves: completions that nobody reads hold the queue.
 * contexts_advance One round: (1) releases completed contexts from head on, writing the
 *                 completion {tag, 0} of a copy whose last step it is, and stops where the
 *                 completion ring is full; (2) pins contexts in order while the budget
 *                 holds the whole of the next one; (3) stages and rings pinned contexts in
 *                 order while both rings have room for all pairs of the next one, which
 *                 fails with -12 where there is none although nothing is submitted; (4)
 *                 waits, in the asynchronous form, for the oldest submitted one, unpins
 *                 it and marks it completed; (5) as (1). *moved gets 1 if something was
 *                 waited for or a cursor moved, else 0.
 *                 A context whose pin, staging or wait fails ends its copy: all its
 *                 contexts become tombstones, the pinned ones are unpinned, those that
 *                 were rung keep their pages pinned and counted, and the completion
 *                 {tag, code} is written at once, or lost where there is no room.
 * contexts_state  Cursors and pinned pages.
 * contexts_at     *state gets UDMA_CONTEXT_* of the context with that index.
 * completion_pop  The runtime's side: the oldest unread completion, *got 1; or *got 0.
 * zerocopy_offered RTRY-2: *offered gets 0 or 1.
 * wait_estimate   POLL-2, POLL-3 for n cases: the architecture's own estimate. 2.27.4.0
 *                 stretches in the poller, so not here; up to 2.24.7.0 (UDMA_DRIVER_2_15_9,
 *                 UDMA_DRIVER_2_18_20) the budget on CAYMAN is 100 estimates.
 * host_queue      HOST-2. *ret -1 for a core that the architecture does not have: v2 has
 *                 0 and 1, v3 and v4 have 0 to 7.
 * shadow_*        HAL line: SWQ. shadow_reserve gives the first slot of each ring; with *ret
 *                 -1 nothing moves and neither index is written. shadow_commit: *runs gets
 *                 the contiguous runs that it copied, 0 to 2; *ret -1 and nothing copied
 *                 for n > ring_count, and for first >= ring_count where n is not 0.
 * bare_copy_start HAL line, no engine object: TRIG-2, TRIG-3, TRIG-5 through host. -1 for
 *                 qid above 15 and for s2m_count 0; counts are not compared with a ring.
 * software_poll   HAL line: POLL-4. Up to `looks` times one load32 of the poll word at a CPU
 *                 address and, after a miss, one delay of 10. *ret 0 on a match, with
 *                 nothing stored and nothing acknowledged; -1 otherwise.
 */

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

struct udma_vring_copy {
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
    /* The ring cycle; each is described there. */                                                 \
    int32_t P##transfer_open(void *engine, uint32_t qid, const struct udma_transfer_cfg *cfg);     \
    int32_t P##copy(void *engine, uint32_t qid, const struct udma_transfer *in, int32_t *ret);     \
    int32_t P##copy_async(void *engine, uint32_t qid, const struct udma_transfer *in,              \
                          int32_t previous, int32_t *handle, int32_t *ret);                        \
    int32_t P##wait(void *engine, uint32_t qid, int32_t handle, int32_t *ret);                     \
    int32_t P##memset(void *engine, uint32_t qid, const struct udma_memset_in *in, int32_t *ret);  \
    int32_t P##zerocopy(void *engine, uint32_t qid, const struct udma_zerocopy_in *in,             \
                        int32_t *ret);                                                             \
    int32_t P##contexts_open(void *engine, uint32_t qid, const struct udma_contexts_cfg *cfg);     \
    int32_t P##contexts_submit(void *engine, uint32_t qid, const struct udma_zerocopy_in *in,      \
                               uint64_t tag, int32_t *ret);                                        \
    int32_t P##contexts_copy(void *engine, uint32_t qid, const struct udma_zerocopy_in *in,        \
                             int32_t *ret);                                                        \
    int32_t P##contexts_advance(void *engine, uint32_t qid, uint32_t *moved);                      \
    int32_t P##contexts_state(void *engine, uint32_t qid, struct udma_contexts_state *out);        \
    int32_t P##contexts_at(void *engine, uint32_t qid, uint32_t index, uint32_t *state);           \
    int32_t P##completion_pop(void *engine, uint32_t qid, struct udma_completion *out,             \
                              uint32_t *got);                                                      \
    int32_t P##zerocopy_offered(uint32_t arch, uint32_t overridden, uint32_t *offered);            \
    int32_t P##wait_estimate(const struct udma_wait_in *in, struct udma_wait_out *out, uint32_t n); \
    int32_t P##host_queue(uint32_t arch, uint32_t core, struct udma_host_place *out, int32_t *ret); \
    int32_t P##shadow_init(struct udma_shadow *queue, uint32_t count);                             \
    int32_t P##shadow_reserve(struct udma_shadow *tx, struct udma_shadow *rx, uint32_t n,          \
                              uint32_t *tx_idx, uint32_t *rx_idx, int32_t *ret);                   \
    int32_t P##shadow_ring_id_at(const struct udma_shadow *queue, uint32_t index, uint32_t *id);   \
    int32_t P##shadow_commit(const struct udma_commit_in *in, uint32_t *runs, int32_t *ret);       \
    int32_t P##bare_copy_start(const struct udma_host *host, uint32_t qid, uint32_t m2s_count,     \
                               uint32_t s2m_count, int32_t *ret);                                  \
    int32_t P##software_poll(const struct udma_host *host, uint64_t poll_word, uint64_t looks,     \
                             int32_t *ret);                                                        \
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
    int32_t P##bar0(struct udma_bar0_case *inout, uint32_t n);                                     \
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
    int32_t P##vring_transfer(void *vring, const struct udma_vring_copy *in, int32_t *ret);        \
    int32_t P##vring_transfer_ex(void *vring, const struct udma_vring_copy *in, int32_t *ret);     \
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
