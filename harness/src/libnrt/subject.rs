//! What the suite asks, as calls of the library's functions.

use udma_oracle::line::Line;
use udma_oracle::subject::Subject;
use udma_oracle::subject::cycle::{Cycle, Shadow};
use udma_oracle::subject::ops::{Front, Ops, Remap, Transpose, Word};
use udma_oracle::wire::{BitCase, Desc, PairIn, PairOut};
use udma_reference::abi;

use super::call::{FIRST, FIRST_INDEX, Memory, SECOND, SECOND_INDEX, UNTOUCHED};
use super::{Libnrt, overrun};

/// Bit helpers by their numbers in the C ABI, and whether they give something.
const HELPERS: [(&str, bool); abi::UDMA_BIT_OPS as usize] = [
    ("al_udma_m2m_set_first", false),
    ("al_udma_m2m_set_last", false),
    ("al_udma_m2m_set_concat", false),
    ("al_udma_m2m_clear_first", false),
    ("al_udma_m2m_clear_last", false),
    ("al_udma_m2m_clear_concat", false),
    ("al_udma_m2m_is_meta", true),
    ("al_udma_m2m_is_first", true),
    ("al_udma_m2m_is_last", true),
    ("al_udma_m2m_is_concat", true),
    ("al_udma_m2m_get_tx_desc_size", true),
    ("al_udma_m2m_is_cme_desc", true),
    ("al_sdma_m2s_set_write_barrier", false),
    ("al_sdma_m2s_set_notification_mask", false),
    ("al_udma_m2m_set_dmb", false),
];

// Modes as cases carry them.
const MODE_NONE: i32 = abi::UDMA_MODE_NONE as i32;
const MODE_DMB: i32 = abi::UDMA_MODE_DMB as i32;
const MODE_WRITE_BARRIER: i32 = abi::UDMA_MODE_WRITE_BARRIER as i32;
const MODE_SOW: i32 = abi::UDMA_MODE_SOW as i32;

/// A code: `int` as it came.
fn code(given: u32) -> i32 {
    given as i32
}

impl Subject for Libnrt {
    fn name(&self) -> &str {
        &self.name
    }

    fn line(&self) -> Line {
        Line::Hal
    }

    fn arch(&self) -> Option<u8> {
        self.arch
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn bits(&self, cases: &mut [BitCase]) -> Option<()> {
        for case in cases {
            let (name, gives) = *HELPERS.get(case.op as usize)?;
            let mut memory = Memory::of(&[case.desc.word]);
            let given = self.call(name, &mut memory, &[])?;
            case.desc.word = *memory.slot(FIRST);
            case.value = if gives { given } else { 0 };
        }
        Some(())
    }

    /// Outside of their ranges the originals stop, and some need an architecture.
    fn leaves_out(&self) -> bool {
        true
    }

    fn build_pairs(&self, cases: &[PairIn], out: &mut [PairOut]) -> Option<()> {
        for (case, out) in cases.iter().zip(out) {
            // The strong-ordered write depends on the architecture that the library works for.
            let sow = case.mode == MODE_SOW || case.sow != 0;
            if sow && self.arch != Some(case.arch) {
                return None;
            }
            let (tx, rx, ret) = if is_single(case) {
                self.two_singles(case, out)?
            } else {
                self.pair(case, out)?
            };
            (out.tx, out.rx, out.ret) = (tx, rx, ret);
        }
        Some(())
    }

    fn ops(&self) -> Option<&dyn Ops> {
        Some(self)
    }

    fn cycle(&self) -> Option<&dyn Cycle> {
        Some(self)
    }
}

/// Whether a pair goes through the two builders of single descriptors: what those cannot refuse, and of that
/// every pair to an odd destination, so that both ways are tried.
fn is_single(case: &PairIn) -> bool {
    case.dst & 1 != 0
        && (1..=65536).contains(&case.size)
        && (0..=2).contains(&case.mode)
        && case.sow == 0
}

impl Libnrt {
    /// A pair by the copy builder: TX, RX, code.
    fn pair(&self, case: &PairIn, slots: &PairOut) -> Option<(Desc, Desc, i32)> {
        // Mode 3 is mode NONE with the flag set (BLDR-12).
        let (mode, sow) = match case.mode {
            MODE_SOW => (MODE_NONE, 1),
            mode => (mode, u64::from(case.sow)),
        };
        let values = [
            ("rx_ring_id", u64::from(case.rx_ring_id)),
            ("tx_ring_id", u64::from(case.tx_ring_id)),
            ("src", case.src),
            ("dst", case.dst),
            ("size", case.size),
            ("mode", u64::from(mode as u32)),
            ("sow", sow),
            ("dst_int", u64::from(case.dst_int)),
        ];
        let mut memory = Memory::of(&[slots.tx.word, slots.rx.word]);
        let given = self.call("al_udma_m2m_build_copy_descriptor", &mut memory, &values)?;
        let (tx, rx) = (*memory.slot(FIRST), *memory.slot(SECOND));
        Some((Desc { word: tx }, Desc { word: rx }, code(given)))
    }

    /// The same by the builders of single descriptors, TX first (BLDR-8).
    fn two_singles(&self, case: &PairIn, slots: &PairOut) -> Option<(Desc, Desc, i32)> {
        const FIRST_AND_LAST: u64 = 0x0c00_0000; // BLDR-1
        const DMB: u64 = 0x4000_0000; // BARR-2
        const INT_EN: u64 = 0x1000_0000; // BLDR-2
        const PLAIN_COPY: u64 = 0x0108_0003; // META-1
        const WRITE_BARRIER: u64 = 0x0400_0000; // META-2
        let when = |holds: bool, bits: u64| if holds { bits } else { 0 };
        let values = [
            ("ring_id", u64::from(case.tx_ring_id)),
            ("src", case.src),
            ("size", case.size),
            (
                "meta_ctrl",
                PLAIN_COPY | when(case.mode == MODE_WRITE_BARRIER, WRITE_BARRIER),
            ),
            ("flags", FIRST_AND_LAST | when(case.mode == MODE_DMB, DMB)),
        ];
        let mut tx = Memory::of(&[slots.tx.word]);
        let given = self.call("al_udma_m2m_build_tx_descriptor", &mut tx, &values)?;
        let built = Desc {
            word: *tx.slot(FIRST),
        };
        if given != 0 {
            return Some((built, slots.rx, code(given)));
        }
        let values = [
            ("ring_id", u64::from(case.rx_ring_id)),
            ("dst", case.dst),
            ("size", case.size),
            ("flags", when(case.dst_int != 0, INT_EN)),
        ];
        let mut rx = Memory::of(&[slots.rx.word]);
        let given = self.call("al_udma_m2m_build_rx_descriptor", &mut rx, &values)?;
        let word = *rx.slot(FIRST);
        Some((built, Desc { word }, code(given)))
    }

    fn word_of(&self, name: &str, values: &[(&str, u32)]) -> Option<u32> {
        let values: Vec<(&str, u64)> = values
            .iter()
            .map(|(name, value)| (*name, u64::from(*value)))
            .collect();
        self.call(name, &mut Memory::default(), &values)
    }

    fn desc_of(&self, name: &str, values: &[(&str, u64)]) -> Option<Desc> {
        let mut memory = Memory::default();
        self.call(name, &mut memory, values)?;
        let word = *memory.slot(FIRST);
        Some(Desc { word })
    }
}

impl Ops for Libnrt {
    // The architecture is no operand: the words of all are the words of the one that the library works for.
    fn word(&self, word: &Word) -> Option<u32> {
        match word {
            Word::Split(op) => self.word_of(
                "al_sdma_m2s_build_striding_split_meta_ctrl",
                &[
                    ("split", op.split),
                    ("shape", op.shape),
                    ("dtype", op.dtype),
                ],
            ),
            Word::Transpose(op) => self.word_of(
                "al_sdma_m2s_build_transpose_meta_ctrl",
                &[
                    ("elem_bytes", op.elem_bytes),
                    ("shape", op.shape),
                    ("dtype", op.dtype),
                ],
            ),
            Word::Replication(op) => self.word_of(
                "al_sdma_m2s_build_replication_meta_ctrl",
                &[("count", op.count)],
            ),
            Word::Add(op) => self.word_of(
                "al_sdma_m2s_build_add_meta_ctrl",
                &[
                    ("sub", op.sub),
                    ("flag", op.flag),
                    ("write_barrier", op.write_barrier),
                    ("last", op.last),
                    ("out_dtype", op.out_dtype),
                    ("accum_dtype", op.accum_dtype),
                ],
            ),
            Word::MinMax(op) => self.word_of(
                "al_sdma_m2s_build_min_max_meta_ctrl",
                &[
                    ("sub", op.sub),
                    ("last", op.last),
                    ("use_const", op.use_const),
                    ("write_barrier", op.write_barrier),
                    ("notification", op.notification),
                    ("in_dtype", op.in_dtype),
                    ("out_dtype", op.out_dtype),
                    ("accum_dtype", op.accum_dtype),
                    ("const_dtype", op.const_dtype),
                ],
            ),
            Word::Fma(op) => self.scaled("al_sdma_m2s_build_fma_meta_ctrl", op),
            Word::Gradient(op) => self.scaled("al_sdma_m2s_build_gradient_meta_ctrl", op),
            Word::CceExt(op) => self.word_of(
                "al_sdma_m2s_build_cce_ext_meta_ctrl",
                &[
                    ("sub", op.sub),
                    ("src_dtype", op.src_dtype),
                    ("dst_dtype", op.dst_dtype),
                ],
            ),
        }
    }

    fn front(&self, front: &Front) -> Option<Desc> {
        let payload = |name, desc: &abi::udma_desc_payload| {
            let values = [
                ("meta_index", u64::from(desc.meta_index)),
                ("write_barrier", u64::from(desc.write_barrier)),
                ("x", u64::from(desc.x)),
                ("payload", desc.payload),
            ];
            self.desc_of(name, &values)
        };
        match front {
            // Its operands are given in full; the standard ones are the caller's affair there.
            Front::Fma(desc) if desc.use_default != 0 => None,
            Front::Fma(desc) => self.desc_of(
                "al_sdma_m2s_build_fma_descriptor",
                &[
                    ("meta_index", desc.meta_index.into()),
                    ("write_barrier", desc.write_barrier.into()),
                    ("sub", desc.sub.into()),
                    ("more", desc.more.into()),
                    ("x", desc.x.into()),
                    ("length", desc.length.into()),
                    ("a_sel", desc.a_sel.into()),
                    ("b_sel", desc.b_sel.into()),
                    ("c_sel", desc.c_sel.into()),
                    ("scale", desc.scale.into()),
                ],
            ),
            Front::MinMax(desc) => self.desc_of(
                "al_sdma_m2s_build_min_max_descriptor",
                &[
                    ("meta_index", desc.meta_index.into()),
                    ("write_barrier", desc.write_barrier.into()),
                    ("length", desc.length.into()),
                    ("use_const", desc.use_const.into()),
                    ("const_dtype", desc.const_dtype.into()),
                    ("constant", desc.constant.into()),
                ],
            ),
            Front::SeedInit(desc) => payload("al_sdma_m2s_build_seed_init_descriptor", desc),
            Front::Replication(desc) => payload("al_sdma_m2s_build_replication_descriptor", desc),
            Front::Gradient(desc) => payload("al_sdma_m2s_build_gradient_descriptor", desc),
        }
    }

    fn transpose(&self, case: &Transpose, slot: &mut Desc) -> Option<i32> {
        let [w, x, y, z] = case.dims;
        let values = [
            ("ring_byte", u64::from(case.ring_byte)),
            ("source", case.source),
            ("length", case.length.into()),
            ("dtype", case.dtype.into()),
            ("w", w.into()),
            ("x", x.into()),
            ("y", y.into()),
            ("z", z.into()),
            ("shape", case.shape.into()),
        ];
        let mut memory = Memory::of(&[slot.word]);
        let given = self.call(
            "al_sdma_m2s_build_transpose_descriptor",
            &mut memory,
            &values,
        )?;
        slot.word = *memory.slot(FIRST);
        Some(code(given))
    }

    /// Inside their ranges alone: the originals stop at anything else.
    fn remap(&self, case: &mut Remap) -> Option<()> {
        let (name, most) = match case.kind {
            abi::UDMA_REMAP_DTYPE => ("kbin_dtype_to_sdma_dtype", 15),
            abi::UDMA_REMAP_OP => ("kbin_cce_op_to_sdma_cce_op", 4),
            _ => return None,
        };
        if !(1..=most).contains(&case.value) {
            return None;
        }
        let given = self.word_of(name, &[("value", case.value)])?;
        case.result = code(given);
        Some(())
    }
}

impl Libnrt {
    /// FMA and gradient have the same operands (CCE-3, CCE-6).
    fn scaled(&self, name: &str, op: &abi::udma_op_fma) -> Option<u32> {
        self.word_of(
            name,
            &[
                ("sub", op.sub),
                ("flag", op.flag),
                ("write_barrier", op.write_barrier),
                ("last", op.last),
                ("in_dtype", op.in_dtype),
                ("scale_dtype", op.scale_dtype),
                ("accum_dtype", op.accum_dtype),
            ],
        )
    }
}

/// What stands behind a queue: it has 12 bytes of the 16 of a slot.
const BEHIND: u32 = 0x600d_f00d;

/// A queue in a slot.
fn words(queue: &Shadow) -> [u32; 4] {
    [
        queue.next_desc_idx,
        queue.desc_ring_id,
        queue.desc_count,
        BEHIND,
    ]
}

/// A queue out of a slot; the process ends where what stands behind it was written.
fn shadow(name: &str, words: [u32; 4], behind: u32) -> Shadow {
    if words[3] != behind {
        overrun(name);
    }
    Shadow {
        next_desc_idx: words[0],
        desc_ring_id: words[1],
        desc_count: words[2],
    }
}

impl Cycle for Libnrt {
    fn shadow(&self, count: u32) -> Option<Shadow> {
        const NAME: &str = "sw_dma_queue_init";
        let mut memory = Memory::default();
        self.call(NAME, &mut memory, &[("count", count.into())])?;
        Some(shadow(NAME, *memory.slot(FIRST), UNTOUCHED[3]))
    }

    /// Odd counts that both rings have go through the function that moves one queue, so that both are tried.
    fn shadow_reserve(
        &self,
        tx: &mut Shadow,
        rx: &mut Shadow,
        count: u32,
    ) -> Option<(i32, [u32; 2])> {
        const ONE: &str = "sw_dma_queue_inc_next_desc_idx";
        const BOTH: &str = "sw_dma_queue_reserve_descriptors";
        let values = [("count", u64::from(count))];
        if count % 2 == 1 && count <= tx.desc_count.min(rx.desc_count) {
            let first = [tx.next_desc_idx, rx.next_desc_idx];
            for queue in [tx, rx] {
                let mut memory = Memory::of(&[words(queue)]);
                let given = self.call(ONE, &mut memory, &values)?;
                *queue = shadow(ONE, *memory.slot(FIRST), BEHIND);
                if given != 0 {
                    return Some((code(given), [0; 2]));
                }
            }
            return Some((0, first));
        }
        let mut memory = Memory::of(&[words(tx), words(rx)]);
        let given = self.call(BOTH, &mut memory, &values)?;
        *tx = shadow(BOTH, *memory.slot(FIRST), BEHIND);
        *rx = shadow(BOTH, *memory.slot(SECOND), BEHIND);
        let first = [memory.slot(FIRST_INDEX)[0], memory.slot(SECOND_INDEX)[0]];
        Some((code(given), first))
    }

    fn shadow_ring_id_at(&self, queue: &Shadow, index: u32) -> Option<u32> {
        const NAME: &str = "sw_dma_queue_ring_id_get_at_idx";
        let mut memory = Memory::of(&[words(queue)]);
        self.call(NAME, &mut memory, &[("idx", index.into())])
    }
}
