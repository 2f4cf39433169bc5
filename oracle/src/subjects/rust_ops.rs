//! The further operations of the Rust implementation.

use udma::engine::bar0;
use udma::op::descriptor::front;
use udma::op::reduce::{Constant, Reduction as Request, Scale};
use udma::op::transpose::{self, TransposeRequest};
use udma::op::{self, CceOp, DescriptorOp, Dtype, Op, OpError, limits};
use udma_reference::abi;

use super::rust::arch;
use super::{Rust, rust_abi};
use crate::line::Line;
use crate::subject::Tape;
use crate::subject::ops::{
    self, Bar0, DtypeCase, EngineInit, EngineReport, EngineSw, Flush, Front, Iofic, Ops, Reduced,
    Reduction, Remap, Transpose, Window, Word,
};
use crate::wire::{Desc, PairOut};

fn wire(desc: udma::Desc) -> Desc {
    Desc { word: desc.words() }
}

fn code<T>(result: &Result<T, OpError>) -> i32 {
    result.as_ref().err().map_or(0, |error| error.code())
}

/// The implementation's operation for operands of the ABI; members have the same names.
macro_rules! operands {
    ($type:ident, $from:expr; $($member:ident)*) => {
        op::Op::$type(op_type::$type { $($member: $from.$member,)* })
    };
}

mod op_type {
    pub use udma::op::{
        Add, CceExt, Fma, Gradient, MinMax, Replication, StridingSplit, TransposeWord as Transpose,
    };
}

impl Ops for Rust {
    fn word(&self, word: &Word) -> Option<u32> {
        self.only(Line::Hal)?;
        let (number, op) = match word {
            Word::Split(w) => (w.arch, operands!(StridingSplit, w; split shape dtype)),
            Word::Transpose(w) => (w.arch, operands!(Transpose, w; elem_bytes shape dtype)),
            Word::Replication(w) => (w.arch, operands!(Replication, w; count)),
            Word::Add(w) => (
                w.arch,
                operands!(Add, w; sub flag write_barrier last out_dtype accum_dtype),
            ),
            Word::MinMax(w) => (
                w.arch,
                operands!(MinMax, w; sub last use_const write_barrier notification in_dtype
                    out_dtype accum_dtype const_dtype),
            ),
            Word::Fma(w) => (
                w.arch,
                operands!(Fma, w; sub flag write_barrier last in_dtype scale_dtype accum_dtype),
            ),
            Word::CceExt(w) => (w.arch, operands!(CceExt, w; sub src_dtype dst_dtype)),
            Word::Gradient(w) => (
                w.arch,
                operands!(Gradient, w; sub flag write_barrier last in_dtype scale_dtype accum_dtype),
            ),
        };
        Some(op::word(arch(number as u8), &op))
    }

    fn word_set(&self, word: u32) -> Option<u32> {
        self.only(Line::Hal)?;
        let bit = |op: &Op| match op {
            Op::PlainCopy(_) => abi::UDMA_OP_PLAIN_COPY,
            Op::StridingSplit(_) => abi::UDMA_OP_STRIDING_SPLIT,
            Op::Transpose(_) => abi::UDMA_OP_TRANSPOSE,
            Op::Replication(_) => abi::UDMA_OP_REPLICATION,
            Op::Add(_) => abi::UDMA_OP_ADD,
            Op::MinMax(_) => abi::UDMA_OP_MIN_MAX,
            Op::Fma(_) => abi::UDMA_OP_FMA,
            Op::CceExt(_) => abi::UDMA_OP_CCE_EXT,
            Op::Gradient(_) => abi::UDMA_OP_GRADIENT,
        };
        Some(op::decode(word).iter().map(|member| bit(&member.op)).sum())
    }

    fn front(&self, case: &Front) -> Option<Desc> {
        self.only(Line::Hal)?;
        let top = |index: u32, barrier: u32| front(index, barrier & 1 != 0);
        Some(wire(match case {
            Front::Fma(d) => {
                let select = if d.use_default == 1 {
                    op::FmaDescriptor::default().select
                } else {
                    [d.a_sel, d.b_sel, d.c_sel]
                };
                op::FmaDescriptor {
                    front: top(d.meta_index, d.write_barrier),
                    sub: d.sub,
                    more: d.more & 1 != 0,
                    x: d.x,
                    length: d.length,
                    select,
                    scale: d.scale,
                }
                .emit()
            }
            Front::MinMax(d) => op::MinMaxDescriptor {
                front: top(d.meta_index, d.write_barrier),
                length: d.length,
                constant: (d.use_const == 1).then_some((d.const_dtype, d.constant)),
            }
            .emit(),
            Front::SeedInit(d) => op::SeedInit {
                front: top(d.meta_index, d.write_barrier),
                seeding: d.x & 1 != 0,
                seed: d.payload,
            }
            .emit(),
            Front::Replication(d) => op::ReplicationExtension {
                front: top(d.meta_index, d.write_barrier),
                mode: d.x,
                payload: d.payload,
            }
            .emit(),
            Front::Gradient(d) => op::GradientDescriptor {
                front: top(d.meta_index, d.write_barrier),
                x: d.x,
                payload: d.payload,
            }
            .emit(),
        }))
    }

    fn front_set(&self, desc: &Desc) -> Option<u32> {
        self.only(Line::Hal)?;
        let bit = |op: &DescriptorOp| match op {
            DescriptorOp::Fma(_) => abi::UDMA_DESC_FMA,
            DescriptorOp::MinMax(_) => abi::UDMA_DESC_MIN_MAX,
            DescriptorOp::SeedInit(_) => abi::UDMA_DESC_SEED_INIT,
            DescriptorOp::Replication(_) => abi::UDMA_DESC_REPLICATION,
            DescriptorOp::Gradient(_) => abi::UDMA_DESC_GRADIENT,
            DescriptorOp::Transpose(_) => abi::UDMA_DESC_TRANSPOSE,
        };
        let set = op::decode_descriptor(&udma::Desc::from_words(desc.word));
        Some(set.iter().map(bit).sum())
    }

    fn transpose(&self, case: &Transpose, slot: &mut Desc) -> Option<i32> {
        self.only(Line::Hal)?;
        let built = transpose::build(&TransposeRequest {
            dtype: case.dtype,
            dims: case.dims,
            shape: case.shape as u8,
            ring_byte: case.ring_byte as u8,
            length: case.length,
            source: case.source,
        });
        if let Ok(desc) = built {
            *slot = wire(desc);
        }
        Some(code(&built))
    }

    fn transpose_name(&self, name: &str) -> Option<i32> {
        self.only(Line::Hal)?;
        Some(code(&transpose::permutation(name)))
    }

    fn window(&self, case: &mut Window) -> Option<()> {
        self.only(Line::Hal)?;
        let taken = transpose::place(case.dst).and_then(|place| {
            let dtype = Dtype::from_number(case.dtype)?;
            Ok((
                place,
                transpose::packed_destination(case.dst, dtype, case.base)?,
            ))
        });
        case.ret = code(&taken);
        if let Ok((place, packed)) = taken {
            case.window = place.window;
            case.packed = packed;
            case.partition = place.partition;
            case.offset = place.offset;
        }
        Some(())
    }

    fn flush(&self, case: &Flush, out: &mut PairOut) -> Option<()> {
        self.only(Line::Hal)?;
        let ids = [case.tx_ring_id, case.rx_ring_id];
        let built = transpose::flush(arch(case.arch as u8), case.source, case.tpb_base, ids);
        out.ret = code(&built);
        if let Ok([tx, rx]) = built {
            (out.tx, out.rx) = (wire(tx), wire(rx));
        }
        Some(())
    }

    fn dtype(&self, case: &mut DtypeCase) -> Option<()> {
        self.only(Line::Hal)?;
        let (device, dtype) = (arch(case.arch as u8), Dtype::from_number(case.dtype));
        case.bytes = dtype.map_or(0, Dtype::bytes);
        case.cce_bytes = dtype.map_or(0, Dtype::cce_bytes);
        case.max_elements = limits::max_elements(device);
        case.packet_bytes = dtype
            .and_then(|dtype| limits::packet_bytes(device, case.cap, dtype))
            .map_or(-1, |bytes| bytes as i64);
        Some(())
    }

    fn remap(&self, case: &mut Remap) -> Option<()> {
        self.only(Line::Hal)?;
        let number = if case.kind == abi::UDMA_REMAP_DTYPE {
            Dtype::from_runtime(case.value).map(Dtype::number)
        } else {
            CceOp::from_runtime(case.value).map(CceOp::number)
        };
        case.result = number.map_or(-1, |number| number as i32);
        Some(())
    }

    fn combo(&self, members: &mut [Desc]) -> Option<()> {
        self.only(Line::Hal)?;
        let mut typed: Vec<_> = members
            .iter()
            .map(|member| udma::Desc::from_words(member.word))
            .collect();
        op::combo::chain(&mut typed);
        for (member, linked) in members.iter_mut().zip(typed) {
            *member = wire(linked);
        }
        Some(())
    }

    fn reduction(&self, case: &Reduction) -> Option<Reduced> {
        self.only(Line::Hal)?;
        let request = Request {
            op: case.op,
            sub: case.sub,
            in_dtype: case.in_dtype,
            out_dtype: case.out_dtype,
            accum_dtype: case.accum_dtype,
            sources: &case.sources,
            destinations: &case.destinations,
            size: case.size,
            scale: case.scale.map(|(dtype, bits)| Scale { dtype, bits }),
            constant: case.constant.map(|(dtype, bits)| Constant { dtype, bits }),
            seed: case.seed,
            meta_index: case.meta_index,
            tx_ring_id: case.tx_ring_id,
            rx_ring_id: case.rx_ring_id,
        };
        let built = request.build(arch(case.arch as u8));
        let ret = code(&built);
        let packet = built.unwrap_or_default();
        let wired = |descs: Vec<udma::Desc>| descs.into_iter().map(wire).collect();
        Some((ret, wired(packet.tx), wired(packet.rx)))
    }

    fn engine_init(&self, case: &EngineInit, tape: &Tape) -> Option<EngineSw> {
        self.engine_init_on(&mut &*tape, case)
    }

    fn engine_state(&self, num_queues: u32, tape: &Tape) -> Option<EngineReport> {
        self.engine_state_on(&mut &*tape, num_queues)
    }

    fn set_state(&self, state: i32, tape: &Tape) -> Option<i32> {
        self.set_state_on(&mut &*tape, state)
    }

    fn iofic(&self, case: &Iofic, tape: &Tape) -> Option<(i32, u32)> {
        self.iofic_on(&mut &*tape, case)
    }

    fn causes(&self, revision: u32, level: u32, tape: &Tape) -> Option<Vec<u32>> {
        self.causes_on(&mut &*tape, revision, level)
    }

    fn bar0(&self, cases: &mut [Bar0]) -> Option<()> {
        self.only(Line::Kernel)?;
        for case in cases {
            let verdict = if case.one_engine == 0 {
                bar0::check(arch(case.arch as u8), case.offset)
            } else {
                bar0::check_engine(case.base, case.offset)
            };
            case.ret = verdict.err().map_or(0, bar0::Blocked::code);
        }
        Some(())
    }

    fn request(&self, name: &str) -> Option<Option<ops::Request>> {
        self.only(Line::Kernel)?;
        Some(rust_abi::request(name))
    }

    fn request_name(&self, number: u32) -> Option<Option<String>> {
        self.only(Line::Kernel)?;
        Some(rust_abi::request_name(number))
    }

    fn compose(&self, dir: u32, size: u32, nr: u32) -> Option<u32> {
        self.only(Line::Kernel)?;
        Some(rust_abi::compose(dir, size, nr))
    }

    fn structure(&self, name: &str) -> Option<Option<ops::Structure>> {
        self.only(Line::Kernel)?;
        Some(rust_abi::structure(name))
    }

    fn constant(&self, what: &str) -> Option<Option<i64>> {
        match self.line {
            Line::Hal => rust_abi::pring_type(what).map(Some),
            Line::Kernel => Some(rust_abi::constant(what)),
        }
    }
}
