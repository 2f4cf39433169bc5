//! The Rust implementation as a subject, in either line.

use udma::desc::View;
use udma::engine::layout;
use udma::error::Error;
use udma::io::{Mmio, RingMemory as Slots, Side, Space};
use udma::packet::{self, PacketRequest};
use udma::{Arch, DriverVersion, MetaCtrl, PairBuilder, PairRequest, bits, explain, meta, ring};

use super::rust_engine::RustEngine;
use crate::line::Line;
use crate::subject::cycle::Cycle;
use crate::subject::ops::Ops;
use crate::subject::vring::Vrings;
use crate::subject::{
    Engine, EngineCfg, NamedField, PacketIn, QueueCfg, RingMemory, Subject, Tape,
};
use crate::wire::{
    BUG, BitCase, Desc, Fields, MetaFields, PairIn, PairOut, Place, QueueSw, Ring, RingState,
};

/// The Rust implementation.
pub struct Rust {
    pub(super) line: Line,
}

impl Rust {
    /// In a line.
    pub const fn new(line: Line) -> Self {
        Self { line }
    }
}

/// Driver version of a number of the ABI.
#[inline]
pub(crate) fn version(driver: u8) -> DriverVersion {
    match u32::from(driver) {
        udma_reference::abi::UDMA_DRIVER_2_15_9 => DriverVersion::V2_15_9,
        udma_reference::abi::UDMA_DRIVER_2_18_20 => DriverVersion::V2_18_20,
        udma_reference::abi::UDMA_DRIVER_2_25_4 => DriverVersion::V2_25_4,
        udma_reference::abi::UDMA_DRIVER_2_27_4 => DriverVersion::V2_27_4,
        _ => DriverVersion::V2_26_5,
    }
}

/// Architecture of a number of the ABI.
#[inline]
pub fn arch(number: u8) -> Arch {
    match u32::from(number) {
        udma_reference::abi::UDMA_ARCH_CAYMAN => Arch::Cayman,
        udma_reference::abi::UDMA_ARCH_MARIANA => Arch::Mariana,
        _ => Arch::Sunda,
    }
}

#[inline]
pub(super) fn request(case: &PairIn) -> PairRequest {
    PairRequest {
        src: case.src,
        dst: case.dst,
        size: case.size,
        rx_ring_id: case.rx_ring_id,
        tx_ring_id: case.tx_ring_id,
        mode: case.mode,
        dst_int: case.dst_int != 0,
        sow: case.sow != 0,
    }
}

fn desc(desc: &Desc) -> udma::Desc {
    udma::Desc::from_words(desc.word)
}

fn view(number: u32) -> View {
    match number {
        udma_reference::abi::UDMA_VIEW_RX => View::Rx,
        udma_reference::abi::UDMA_VIEW_TX_META => View::TxMeta,
        _ => View::Tx,
    }
}

pub(super) fn code<T>(result: Result<T, Error>, line: udma::Line) -> i32 {
    match result {
        Ok(_) => 0,
        Err(error) => error.code(line).unwrap_or(BUG),
    }
}

/// Builds a batch, each pair with the builder of its own device.
#[inline]
fn build(cases: &[PairIn], out: &mut [PairOut], builder: impl Fn(&PairIn) -> PairBuilder) {
    for (case, out) in cases.iter().zip(out) {
        if let Some((tx, rx)) = builder(case).plain_pair(&request(case)) {
            (out.tx.word, out.rx.word, out.ret) = (tx.words(), rx.words(), 0);
        } else {
            build_checked(&builder, case, out);
        }
    }
}

/// Builds one pair of any kind. Cold and with a builder of its own, so that the loop above works
/// out no more than it needs.
#[cold]
#[inline(never)]
fn build_checked(builder: &impl Fn(&PairIn) -> PairBuilder, case: &PairIn, out: &mut PairOut) {
    let builder = builder(case);
    let (mut tx, mut rx) = (desc(&out.tx), desc(&out.rx));
    let result = builder.build(&request(case), &mut tx, &mut rx);
    (out.tx.word, out.rx.word) = (tx.words(), rx.words());
    out.ret = code(result, builder.line);
}

impl Subject for Rust {
    fn name(&self) -> &str {
        match self.line {
            Line::Kernel => "rust-kernel",
            Line::Hal => "rust-hal",
        }
    }

    fn line(&self) -> Line {
        self.line
    }

    fn steps_of_the_search(&self) -> bool {
        self.line == Line::Kernel
    }

    fn decode(&self, descs: &[Desc], fields: &mut [Fields]) -> Option<()> {
        for (raw, out) in descs.iter().zip(fields) {
            let parsed = udma::desc::Fields::parse(view(out.view), &desc(raw));
            *out = Fields {
                view: out.view,
                length: parsed.length,
                ring_id: parsed.ring_id,
                reserved: parsed.reserved,
                concat: parsed.concat.into(),
                dmb: parsed.dmb.into(),
                sow: parsed.sow.into(),
                int_en: parsed.int_en.into(),
                last: parsed.last.into(),
                first: parsed.first.into(),
                meta: parsed.meta.into(),
                word1: parsed.word1,
                meta1: parsed.meta1,
                meta2: parsed.meta2,
                pointer: parsed.pointer,
            };
        }
        Some(())
    }

    fn encode(&self, fields: &[Fields], descs: &mut [Desc]) -> Option<()> {
        for (parts, out) in fields.iter().zip(descs) {
            let typed = udma::desc::Fields {
                view: view(parts.view),
                length: parts.length,
                ring_id: parts.ring_id,
                reserved: parts.reserved,
                concat: parts.concat & 1 != 0,
                dmb: parts.dmb & 1 != 0,
                sow: parts.sow & 1 != 0,
                int_en: parts.int_en & 1 != 0,
                last: parts.last & 1 != 0,
                first: parts.first & 1 != 0,
                meta: parts.meta & 1 != 0,
                word1: parts.word1,
                meta1: parts.meta1,
                meta2: parts.meta2,
                pointer: parts.pointer,
            };
            out.word = typed.emit().words();
        }
        Some(())
    }

    fn meta_decode(&self, word: u32) -> Option<MetaFields> {
        Some(meta_out(&meta::MetaFields::parse(MetaCtrl(word))))
    }

    fn meta_encode(&self, fields: &MetaFields) -> Option<u32> {
        Some(meta_in(fields).emit().0)
    }

    fn bits(&self, cases: &mut [BitCase]) -> Option<()> {
        use udma_reference::abi as op;
        if self.line != Line::Hal {
            return None;
        }
        for case in cases {
            let mut value = desc(&case.desc);
            case.value = 0;
            match case.op {
                op::UDMA_BIT_SET_FIRST => bits::set_first(&mut value),
                op::UDMA_BIT_SET_LAST => bits::set_last(&mut value),
                op::UDMA_BIT_SET_CONCAT => bits::set_concat(&mut value),
                op::UDMA_BIT_CLEAR_FIRST => bits::clear_first(&mut value),
                op::UDMA_BIT_CLEAR_LAST => bits::clear_last(&mut value),
                op::UDMA_BIT_CLEAR_CONCAT => bits::clear_concat(&mut value),
                op::UDMA_BIT_IS_META => case.value = value.meta().into(),
                op::UDMA_BIT_IS_FIRST => case.value = value.first().into(),
                op::UDMA_BIT_IS_LAST => case.value = value.last().into(),
                op::UDMA_BIT_IS_CONCAT => case.value = value.concat().into(),
                op::UDMA_BIT_TX_DESC_SIZE => case.value = bits::tx_desc_size(value.word0()),
                op::UDMA_BIT_IS_CME_DESC => case.value = MetaCtrl(value.word1()).is_cme().into(),
                op::UDMA_BIT_SET_WRITE_BARRIER => bits::set_write_barrier(&mut value),
                op::UDMA_BIT_SET_NOTIFICATION => bits::set_notification(&mut value),
                op::UDMA_BIT_SET_DMB_HELPER => bits::set_dmb_helper(&mut value),
                _ => {}
            }
            case.desc.word = value.words();
        }
        Some(())
    }

    fn explain(&self, number: u32, raw: &Desc) -> Option<Vec<NamedField>> {
        let fields = explain::fields(view(number), &desc(raw));
        Some(
            fields
                .into_iter()
                .map(|field| NamedField {
                    word: field.word.name().into(),
                    name: field.name.into(),
                    high: field.high,
                    low: field.low,
                    value: field.value,
                })
                .collect(),
        )
    }

    fn build_pairs(&self, cases: &[PairIn], out: &mut [PairOut]) -> Option<()> {
        // One loop a line: which one is followed is decided once, not per pair.
        match self.line {
            Line::Kernel => build(cases, out, |case| {
                PairBuilder::new(udma::Line::Kernel(version(case.driver)), arch(case.arch))
            }),
            Line::Hal => build(cases, out, |case| {
                PairBuilder::new(udma::Line::Hal, arch(case.arch))
            }),
        }
        Some(())
    }

    fn build_packet(&self, case: &PacketIn, tx: &mut [Desc], rx: &mut [Desc]) -> Option<i32> {
        if self.line != Line::Hal {
            return None;
        }
        let packet = PacketRequest {
            rx_ring_id: case.rx_ring_id,
            tx_ring_id: case.tx_ring_id,
            mode: case.mode,
            sow: case.sow,
            dst_int: case.dst_int,
            notify: case.notify,
        };
        let blocks: Vec<packet::Block> = case
            .blocks
            .iter()
            .map(|block| packet::Block {
                src: block.src,
                dst: block.dst,
                size: block.size,
            })
            .collect();
        let mut built = [&*tx, &*rx].map(|slots| slots.iter().map(desc).collect::<Vec<_>>());
        let [tx_built, rx_built] = &mut built;
        let result = packet::build_packet(arch(case.arch), &packet, &blocks, tx_built, rx_built);
        for (slots, built) in [(tx, &built[0]), (rx, &built[1])] {
            for (slot, desc) in slots.iter_mut().zip(built) {
                slot.word = desc.words();
            }
        }
        Some(code(result, udma::Line::Hal))
    }

    fn build_cme_meta(&self, index: u32) -> Option<Desc> {
        (self.line == Line::Hal).then(|| Desc {
            word: packet::cme_meta(index).words(),
        })
    }

    fn build_crc_copy(
        &self,
        case: &PairIn,
        index: u32,
        tx: &mut [Desc; 2],
        rx: &mut Desc,
    ) -> Option<i32> {
        if self.line != Line::Hal {
            return None;
        }
        let mut sent = [desc(&tx[0]), desc(&tx[1])];
        let mut received = desc(rx);
        let arch = arch(case.arch);
        let result = packet::build_crc_copy(arch, &request(case), index, &mut sent, &mut received);
        for (slot, desc) in tx.iter_mut().zip(sent) {
            slot.word = desc.words();
        }
        rx.word = received.words();
        Some(code(result, udma::Line::Hal))
    }

    fn ring_size(&self, want: &[u32], out: &mut [u32]) -> Option<()> {
        if self.line != Line::Kernel {
            return None;
        }
        for (want, out) in want.iter().zip(out) {
            *out = ring::ring_size(*want);
        }
        Some(())
    }

    fn open(&self, cfg: &EngineCfg, tape: &Tape) -> Option<Box<dyn Engine>> {
        Some(Box::new(Taped {
            engine: RustEngine::open(self.line, cfg)?,
            tape: tape.clone(),
            memory: RingMemory::default(),
        }))
    }

    fn layout(&self, kind: &str, name: &str, field: &str) -> Option<Place> {
        if self.line != Line::Kernel {
            return None;
        }
        layout::place(kind, name, field).map(|place| Place {
            offset: place.offset,
            size: place.size,
            count: place.count,
            stride: place.stride,
        })
    }

    fn ops(&self) -> Option<&dyn Ops> {
        Some(self)
    }

    fn cycle(&self) -> Option<&dyn Cycle> {
        Some(self)
    }

    fn vrings(&self) -> Option<&dyn Vrings> {
        if self.line == Line::Hal {
            Some(self)
        } else {
            None
        }
    }
}

/// An engine on the suite's own registers and memory.
struct Taped {
    engine: RustEngine,
    tape: Tape,
    memory: RingMemory,
}

impl Mmio for &Tape {
    fn read32(&mut self, space: Space, offset: u64) -> u32 {
        self.read(space as u32, offset)
    }

    fn write32(&mut self, space: Space, offset: u64, value: u32) {
        self.write(space as u32, offset, value);
    }

    fn barrier(&mut self) {
        Tape::barrier(self);
    }
}

impl Slots for &RingMemory {
    fn publish(&mut self, side: Side, slot: u32, desc: &udma::Desc) {
        let ring = if side == Side::Tx { Ring::Tx } else { Ring::Rx };
        self.set(ring, slot, Desc { word: desc.words() });
    }
}

impl Engine for Taped {
    fn queue_init(&mut self, qid: u32, cfg: &QueueCfg) -> Option<i32> {
        self.memory = RingMemory::new(cfg.size);
        Some(self.engine.queue_init(&mut &self.tape, qid, cfg))
    }

    fn queue_sw(&self, qid: u32, ring: Ring) -> Option<QueueSw> {
        self.engine.queue_sw(qid, ring)
    }

    fn get(&mut self, qid: u32, ring: Ring) -> Option<i64> {
        self.engine.get(qid, ring)
    }

    fn ring_id(&mut self, qid: u32, ring: Ring) -> Option<u32> {
        self.engine.ring_id(qid, ring)
    }

    fn ack(&mut self, qid: u32, ring: Ring, count: u32) -> Option<i32> {
        self.engine.ack(qid, ring, count)
    }

    fn available(&mut self, qid: u32, ring: Ring) -> Option<i64> {
        self.engine.available(qid, ring)
    }

    fn prepare(&mut self, qid: u32, pair: &PairIn) -> Option<i32> {
        Some(self.engine.prepare(&mut &self.memory, qid, pair))
    }

    fn copy_start(&mut self, qid: u32, m2s_count: u32, s2m_count: u32) -> Option<i32> {
        let tape = &mut &self.tape;
        Some(self.engine.copy_start(tape, qid, m2s_count, s2m_count))
    }

    fn queue_state(&mut self, qid: u32, sw_status: [u32; 2]) -> Option<[RingState; 2]> {
        RustEngine::queue_state(&mut &self.tape, qid, sw_status)
    }

    fn memory(&self) -> &RingMemory {
        &self.memory
    }
}

macro_rules! meta_fields {
    ($($name:ident)*) => {
        fn meta_out(fields: &meta::MetaFields) -> MetaFields {
            MetaFields { $($name: fields.$name,)* }
        }

        fn meta_in(fields: &MetaFields) -> meta::MetaFields {
            meta::MetaFields { $($name: fields.$name,)* }
        }
    };
}

meta_fields! {
    is_last_block is_first_block block_attribute cached_crc_iv_index result_byte_swap
    result_bit_swap interim_byte_swap interim_bit_swap source_byte_swap source_bit_swap
    init_byte_swap init_bit_swap validate_crc use_stored_crc_iv send_crc_result store_crc_result
    store_source_crc copy_source_data op_type ssmae_op write_barrier reserved27 notification
    reserved31_29
}
