//! Worked answers: what a function must give before it is asked anything. By hand from the tables of the
//! specification (02, 03, 04), and two pairs that were recorded (golden/copy_pair).

use super::call::UNTOUCHED;

/// What a function gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// Nothing that is looked at.
    Nothing,
    /// This number.
    Number(u32),
    /// Any code but 0.
    Refusal,
    /// The number of an architecture.
    Arch,
}

/// One call and what must come of it.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// The function.
    pub symbol: &'static str,
    /// Its arguments by name.
    pub values: &'static [(&'static str, u64)],
    /// The first slots beforehand.
    pub before: &'static [[u32; 4]],
    /// The first slots afterwards; further ones are untouched.
    pub after: &'static [[u32; 4]],
    /// What it gives.
    pub given: Given,
}

const U: [u32; 4] = UNTOUCHED;
/// A payload, or an address.
const PAYLOAD: u64 = 0x1122_3344_5566_7788;

const fn on(
    symbol: &'static str,
    before: &'static [[u32; 4]],
    after: &'static [[u32; 4]],
) -> Answer {
    Answer {
        symbol,
        values: &[],
        before,
        after,
        given: Given::Nothing,
    }
}

const fn reads(symbol: &'static str, before: &'static [[u32; 4]], number: u32) -> Answer {
    Answer {
        symbol,
        values: &[],
        before,
        after: before,
        given: Given::Number(number),
    }
}

const fn word(symbol: &'static str, values: &'static [(&'static str, u64)], number: u32) -> Answer {
    Answer {
        symbol,
        values,
        before: &[],
        after: &[],
        given: Given::Number(number),
    }
}

const fn builds(
    symbol: &'static str,
    values: &'static [(&'static str, u64)],
    after: &'static [[u32; 4]],
    given: Given,
) -> Answer {
    Answer {
        symbol,
        values,
        before: &[],
        after,
        given,
    }
}

const fn queue(
    symbol: &'static str,
    values: &'static [(&'static str, u64)],
    before: &'static [[u32; 4]],
    after: &'static [[u32; 4]],
    given: Given,
) -> Answer {
    Answer {
        symbol,
        values,
        before,
        after,
        given,
    }
}

/// All of them, at least one a function.
pub const ANSWERS: &[Answer] = &[
    // BITS-2: bit 23, 26, 27, 31 of word0; alone, and all others.
    reads("al_udma_m2m_is_meta", &[[0x0080_0000, 0, 0, 0]], 1),
    reads("al_udma_m2m_is_meta", &[[0xff7f_ffff, !0, !0, !0]], 0),
    reads("al_udma_m2m_is_first", &[[0x0400_0000, 0, 0, 0]], 1),
    reads("al_udma_m2m_is_first", &[[0xfbff_ffff, !0, !0, !0]], 0),
    reads("al_udma_m2m_is_last", &[[0x0800_0000, 0, 0, 0]], 1),
    reads("al_udma_m2m_is_last", &[[0xf7ff_ffff, !0, !0, !0]], 0),
    reads("al_udma_m2m_is_concat", &[[0x8000_0000, 0, 0, 0]], 1),
    reads("al_udma_m2m_is_concat", &[[0x7fff_ffff, !0, !0, !0]], 0),
    // META-4: a plain copy's word, and a transpose's.
    reads("al_udma_m2m_is_cme_desc", &[[0, 0x0108_0003, 0, 0]], 1),
    reads("al_udma_m2m_is_cme_desc", &[[!0, 0x0096_0102, !0, !0]], 0),
    // ERR-4, META-2: bit 26 of the meta word.
    on(
        "al_udma_m2m_set_dmb",
        &[[0x0c00_0040, 0x0108_0003, 1, 2]],
        &[[0x0c00_0040, 0x0508_0003, 1, 2]],
    ),
    // BITS-2.
    on(
        "al_udma_m2m_set_first",
        &[[0x0100_0040, 7, 8, 9]],
        &[[0x0500_0040, 7, 8, 9]],
    ),
    on(
        "al_udma_m2m_set_last",
        &[[0x0100_0040, 7, 8, 9]],
        &[[0x0900_0040, 7, 8, 9]],
    ),
    on(
        "al_udma_m2m_set_concat",
        &[[0x0100_0040, 7, 8, 9]],
        &[[0x8100_0040, 7, 8, 9]],
    ),
    on(
        "al_udma_m2m_clear_first",
        &[[!0, !0, !0, !0]],
        &[[0xfbff_ffff, !0, !0, !0]],
    ),
    on(
        "al_udma_m2m_clear_last",
        &[[!0, !0, !0, !0]],
        &[[0xf7ff_ffff, !0, !0, !0]],
    ),
    on(
        "al_udma_m2m_clear_concat",
        &[[!0, !0, !0, !0]],
        &[[0x7fff_ffff, !0, !0, !0]],
    ),
    reads(
        "al_udma_m2m_get_tx_desc_size",
        &[[0x0d00_ffff, 1, 2, 3]],
        65535,
    ),
    reads(
        "al_udma_m2m_get_tx_desc_size",
        &[[0x0d00_0000, 1, 2, 3]],
        65536,
    ),
    // META-2, META-3.
    on(
        "al_sdma_m2s_set_write_barrier",
        &[[1, 0x0108_0003, 2, 3]],
        &[[1, 0x0508_0003, 2, 3]],
    ),
    on(
        "al_sdma_m2s_set_notification_mask",
        &[[1, 0x0108_0003, 2, 3]],
        &[[1, 0x1108_0003, 2, 3]],
    ),
    // BLDR-1: golden/copy_pair 2, TX; FIRST and LAST are 0x0c000000.
    builds(
        "al_udma_m2m_build_tx_descriptor",
        &[
            ("ring_id", 1),
            ("src", 0xa798_a52d_3778_d454),
            ("size", 65535),
            ("meta_ctrl", 0x0108_0003),
            ("flags", 0x0c00_0000),
        ],
        &[[0x0d00_ffff, 0x0108_0003, 0x3778_d454, 0xa798_a52d]],
        Given::Number(0),
    ),
    // BLDR-4, DESC-5.
    builds(
        "al_udma_m2m_build_tx_descriptor",
        &[
            ("ring_id", 1),
            ("src", PAYLOAD),
            ("size", 65537),
            ("meta_ctrl", 0x0108_0003),
            ("flags", 0x0c00_0000),
        ],
        &[],
        Given::Refusal,
    ),
    // BLDR-2: the same pair, RX; and one with an interrupt, 65536 bytes (DESC-3), phase 2.
    builds(
        "al_udma_m2m_build_rx_descriptor",
        &[
            ("ring_id", 0),
            ("dst", 0x0fe7_4be4_bd4a_b979),
            ("size", 65535),
            ("flags", 0),
        ],
        &[[0x0000_ffff, 0, 0xbd4a_b979, 0x0fe7_4be4]],
        Given::Number(0),
    ),
    builds(
        "al_udma_m2m_build_rx_descriptor",
        &[
            ("ring_id", 2),
            ("dst", PAYLOAD),
            ("size", 65536),
            ("flags", 0x1000_0000),
        ],
        &[[0x1200_0000, 0, 0x5566_7788, 0x1122_3344]],
        Given::Number(0),
    ),
    // The whole pair, recorded; then write barrier and interrupt with a phase each (BARR-2, BLDR-3).
    builds(
        "al_udma_m2m_build_copy_descriptor",
        &[
            ("rx_ring_id", 0),
            ("tx_ring_id", 1),
            ("src", 0xa798_a52d_3778_d454),
            ("dst", 0x0fe7_4be4_bd4a_b979),
            ("size", 65535),
            ("mode", 0),
            ("sow", 0),
            ("dst_int", 0),
        ],
        &[
            [0x0d00_ffff, 0x0108_0003, 0x3778_d454, 0xa798_a52d],
            [0x0000_ffff, 0, 0xbd4a_b979, 0x0fe7_4be4],
        ],
        Given::Number(0),
    ),
    builds(
        "al_udma_m2m_build_copy_descriptor",
        &[
            ("rx_ring_id", 2),
            ("tx_ring_id", 3),
            ("src", PAYLOAD),
            ("dst", 0x99aa_bbcc_ddee_ff00),
            ("size", 64),
            ("mode", 2),
            ("sow", 0),
            ("dst_int", 1),
        ],
        &[
            [0x0f00_0040, 0x0508_0003, 0x5566_7788, 0x1122_3344],
            [0x1200_0040, 0, 0xddee_ff00, 0x99aa_bbcc],
        ],
        Given::Number(0),
    ),
    // BLDR-5: size 0.
    builds(
        "al_udma_m2m_build_copy_descriptor",
        &[
            ("rx_ring_id", 2),
            ("tx_ring_id", 3),
            ("src", PAYLOAD),
            ("dst", 1),
            ("size", 0),
            ("mode", 0),
            ("sow", 0),
            ("dst_int", 0),
        ],
        &[],
        Given::Refusal,
    ),
    // TRN-2: 2 | shape 2 << 8 | bit 5, as 2 > 1 | dtype 6 << 16 | 0x00900000.
    word(
        "al_sdma_m2s_build_transpose_meta_ctrl",
        &[("elem_bytes", 2), ("shape", 2), ("dtype", 6)],
        0x0096_0222,
    ),
    // OPC-1: 3 | shape 2 << 8 | bit 5 | dtype 10 << 16 | 0x00800000.
    word(
        "al_sdma_m2s_build_striding_split_meta_ctrl",
        &[("split", 3), ("shape", 2), ("dtype", 10)],
        0x008a_0223,
    ),
    word(
        "al_sdma_m2s_build_replication_meta_ctrl",
        &[("count", 0x1234)],
        0x00a0_1234,
    ),
    // CCE-5: 1 | 1 << 4 | 1 << 7 | 7 << 12 | 10 << 16 | 0x02000000.
    word(
        "al_sdma_m2s_build_add_meta_ctrl",
        &[
            ("sub", 1),
            ("flag", 1),
            ("write_barrier", 0),
            ("last", 1),
            ("out_dtype", 7),
            ("accum_dtype", 10),
        ],
        0x020a_7091,
    ),
    // CCE-3: 3 | 1 << 4 | 1 << 7 | 7 << 8 | 10 << 12 | 6 << 16 | 0x02100000.
    word(
        "al_sdma_m2s_build_fma_meta_ctrl",
        &[
            ("sub", 3),
            ("flag", 1),
            ("write_barrier", 0),
            ("last", 1),
            ("in_dtype", 7),
            ("scale_dtype", 10),
            ("accum_dtype", 6),
        ],
        0x0216_a793,
    ),
    // CCE-4: 2 | 1 << 4 | 1 << 5 | 1 << 7 | 7 << 8 | 9 << 12 | 10 << 16 | 6 << 20 | 0x02000000.
    word(
        "al_sdma_m2s_build_min_max_meta_ctrl",
        &[
            ("sub", 2),
            ("last", 1),
            ("use_const", 1),
            ("write_barrier", 0),
            ("notification", 1),
            ("in_dtype", 7),
            ("out_dtype", 9),
            ("accum_dtype", 10),
            ("const_dtype", 6),
        ],
        0x026a_97b2,
    ),
    // CCE-6: 5 | 1 << 6 | 1 << 7 | 3 << 8 | 10 << 12 | 7 << 16 | 0x02500000.
    word(
        "al_sdma_m2s_build_gradient_meta_ctrl",
        &[
            ("sub", 5),
            ("flag", 0),
            ("write_barrier", 1),
            ("last", 1),
            ("in_dtype", 3),
            ("scale_dtype", 10),
            ("accum_dtype", 7),
        ],
        0x0257_a3c5,
    ),
    // OPC-1: 4 | 7 << 12 | 10 << 16 | 0x02400000.
    word(
        "al_sdma_m2s_build_cce_ext_meta_ctrl",
        &[("sub", 4), ("src_dtype", 7), ("dst_dtype", 10)],
        0x024a_7004,
    ),
    // TRN-2: META | 3 << 24 | 256; the word as above.
    builds(
        "al_sdma_m2s_build_transpose_descriptor",
        &[
            ("ring_byte", 3),
            ("source", PAYLOAD),
            ("length", 256),
            ("dtype", 6),
            ("w", 4),
            ("x", 5),
            ("y", 6),
            ("z", 7),
            ("shape", 2),
        ],
        &[[0x0380_0100, 0x0096_0222, 0x5566_7788, 0x1122_3344]],
        Given::Number(0),
    ),
    // TRN-1: a dimension of 0.
    builds(
        "al_sdma_m2s_build_transpose_descriptor",
        &[
            ("ring_byte", 3),
            ("source", PAYLOAD),
            ("length", 256),
            ("dtype", 6),
            ("w", 4),
            ("x", 5),
            ("y", 0),
            ("z", 7),
            ("shape", 2),
        ],
        &[],
        Given::Refusal,
    ),
    // CCE-1: META | index << 24, and 0x04000000 for the barrier. OPC-5: mode 3 << 29 | 0x04a00000.
    builds(
        "al_sdma_m2s_build_replication_descriptor",
        &[
            ("meta_index", 2),
            ("write_barrier", 0),
            ("x", 3),
            ("payload", PAYLOAD),
        ],
        &[[0x0280_0000, 0x64a0_0000, 0x5566_7788, 0x1122_3344]],
        Given::Nothing,
    ),
    // CCE-2: word1 3 | 1 << 26 | 2 << 29 | 0x02100000; word2 0x1234 | 1 << 24 | 2 << 26 | 0 << 28.
    builds(
        "al_sdma_m2s_build_fma_descriptor",
        &[
            ("meta_index", 5),
            ("write_barrier", 0),
            ("sub", 3),
            ("more", 1),
            ("x", 2),
            ("length", 0x1234),
            ("a_sel", 1),
            ("b_sel", 2),
            ("c_sel", 0),
            ("scale", 0x3f80_0000),
        ],
        &[[0x0580_0000, 0x4610_0003, 0x0900_1234, 0x3f80_0000]],
        Given::Nothing,
    ),
    // CCE-4: word1 6 << 20 | 0x06000000; word2 64 | 0x02000000.
    builds(
        "al_sdma_m2s_build_min_max_descriptor",
        &[
            ("meta_index", 9),
            ("write_barrier", 1),
            ("length", 64),
            ("use_const", 1),
            ("const_dtype", 6),
            ("constant", 0xdead_beef),
        ],
        &[[0x0d80_0000, 0x0660_0000, 0x0200_0040, 0xdead_beef]],
        Given::Nothing,
    ),
    // OPC-5: 5 << 29 | 0x06500001.
    builds(
        "al_sdma_m2s_build_gradient_descriptor",
        &[
            ("meta_index", 0x40),
            ("write_barrier", 0),
            ("x", 5),
            ("payload", PAYLOAD),
        ],
        &[[0x4080_0000, 0xa650_0001, 0x5566_7788, 0x1122_3344]],
        Given::Nothing,
    ),
    // CCE-7: seeding, and not.
    builds(
        "al_sdma_m2s_build_seed_init_descriptor",
        &[
            ("meta_index", 1),
            ("write_barrier", 0),
            ("x", 1),
            ("payload", PAYLOAD),
        ],
        &[[0x0180_0000, 0x0600_0000, 0x5566_7788, 0x1122_3344]],
        Given::Nothing,
    ),
    builds(
        "al_sdma_m2s_build_seed_init_descriptor",
        &[
            ("meta_index", 8),
            ("write_barrier", 0),
            ("x", 0),
            ("payload", PAYLOAD),
        ],
        &[[0x0880_0000, 0, 0x5566_7788, 0x1122_3344]],
        Given::Nothing,
    ),
    // SWQ-1. The queue is 12 bytes: the fourth word is not its.
    queue(
        "sw_dma_queue_init",
        &[("count", 5)],
        &[U],
        &[[0, 1, 5, U[3]]],
        Given::Nothing,
    ),
    // SWQ-2, SWQ-5: to the end of the ring is the next lap; more than there are is refused.
    queue(
        "sw_dma_queue_inc_next_desc_idx",
        &[("count", 2)],
        &[[3, 3, 5, 77]],
        &[[0, 0, 5, 77]],
        Given::Number(0),
    ),
    queue(
        "sw_dma_queue_inc_next_desc_idx",
        &[("count", 1)],
        &[[3, 1, 5, 77]],
        &[[4, 1, 5, 77]],
        Given::Number(0),
    ),
    queue(
        "sw_dma_queue_inc_next_desc_idx",
        &[("count", 6)],
        &[[3, 1, 5, 77]],
        &[[3, 1, 5, 77]],
        Given::Refusal,
    ),
    // SWQ-3: slots from the next one on are of the lap before.
    queue(
        "sw_dma_queue_ring_id_get_at_idx",
        &[("idx", 7)],
        &[[3, 2, 5, 77]],
        &[[3, 2, 5, 77]],
        Given::Number(2),
    ),
    queue(
        "sw_dma_queue_ring_id_get_at_idx",
        &[("idx", 3)],
        &[[3, 0, 5, 77]],
        &[[3, 0, 5, 77]],
        Given::Number(3),
    ),
    // SWQ-2: both rings, each from where it is.
    queue(
        "sw_dma_queue_reserve_descriptors",
        &[("count", 2)],
        &[[3, 1, 5, 77], [1, 2, 8, 78]],
        &[
            [0, 2, 5, 77],
            [3, 2, 8, 78],
            [3, U[1], U[2], U[3]],
            [1, U[1], U[2], U[3]],
        ],
        Given::Number(0),
    ),
    // 03, dtypes: fma 1, max 4; uint8 8, fp16 4.
    word("kbin_cce_op_to_sdma_cce_op", &[("value", 1)], 1),
    word("kbin_cce_op_to_sdma_cce_op", &[("value", 4)], 2),
    word("kbin_dtype_to_sdma_dtype", &[("value", 8)], 3),
    word("kbin_dtype_to_sdma_dtype", &[("value", 4)], 7),
    // 01: SUNDA 2, CAYMAN 3, MARIANA 4.
    builds("al_hal_tpb_get_arch_type", &[], &[], Given::Arch),
];
