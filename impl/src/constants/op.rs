//! File 03.

use alloc::format;

use super::List;
use crate::Arch;
use crate::desc::field;
use crate::meta::{PLAIN_COPY, WRITE_BARRIER};
use crate::op::descriptor as desc;
use crate::op::dtype::BAND;
use crate::op::words::SHAPE_ABOVE_ONE;
use crate::op::{
    Add, CceExt, CceOp, Dtype, Field, Fma, Gradient, MinMax, Replication, StridingSplit,
    TransposeWord, combo, limits, transpose,
};

pub(super) fn list(list: &mut List) {
    words(list);
    dtypes(list);
    descriptors(list);
    limits_of_packets(list);
    transposes(list);
}

fn words(list: &mut List) {
    let words: [(&str, u32, &str, &[Field]); 8] = [
        (
            "striding_split",
            StridingSplit::BASE,
            "OPC-1",
            StridingSplit::LAYOUT,
        ),
        (
            "transpose",
            TransposeWord::BASE,
            "TRN-2",
            TransposeWord::LAYOUT,
        ),
        (
            "replication",
            Replication::BASE,
            "OPC-1",
            Replication::LAYOUT,
        ),
        ("add", Add::BASE, "CCE-5", Add::LAYOUT),
        ("min_max", MinMax::BASE, "CCE-4", MinMax::LAYOUT),
        ("fma", Fma::BASE, "CCE-3", Fma::LAYOUT),
        ("cce_ext", CceExt::BASE, "OPC-1", CceExt::LAYOUT),
        ("gradient", Gradient::BASE, "CCE-6", Gradient::LAYOUT),
    ];
    for (op, base, rule, layout) in words {
        list.one("OPC-1", format!("op.{op}.base"), base);
        for field in layout {
            list.one(rule, format!("op.{op}.{}", field.name), field.mask());
        }
    }
    for (op, rule) in [("striding_split", "OPC-1"), ("transpose", "TRN-2")] {
        list.one(rule, format!("op.{op}.shape_above_one"), SHAPE_ABOVE_ONE);
    }
    list.one("META-1", "op.plain_copy", PLAIN_COPY);
    list.one("OPC-3", "op.write_barrier", WRITE_BARRIER);
}

fn dtypes(list: &mut List) {
    for dtype in Dtype::ALL {
        let name = dtype.name();
        list.one("TRN-1", format!("dtype.{name}"), dtype.number());
        list.one("TRN-2", format!("dtype.{name}.bytes"), dtype.bytes());
    }
    list.one("CCE-12", "dtype.fp32r.cce_bytes", Dtype::Fp32r.cce_bytes());
    let runtime = (1..).map_while(|number| Dtype::from_runtime(number).ok());
    list.numbered("CCE-10", "runtime_dtype.", 1, runtime.map(Dtype::number));
    list.all(
        "CCE-10",
        "cce_op.",
        [
            ("add", CceOp::Add.number()),
            ("fma", CceOp::Fma.number()),
            ("max", CceOp::Max.number()),
            ("min", CceOp::Min.number()),
            ("ext", CceOp::Ext.number()),
            ("gce", CceOp::Gce.number()),
        ],
    );
    let runtime = (1..5).map_while(|number| CceOp::from_runtime(number).ok());
    list.numbered("CCE-10", "runtime_op.", 1, runtime.map(CceOp::number));
}

fn descriptors(list: &mut List) {
    list.all(
        "CCE-1",
        "front.",
        [
            ("meta", field::META),
            ("meta_index", 0xff << field::RING_ID_SHIFT),
            ("write_barrier", WRITE_BARRIER),
        ],
    );
    list.all(
        "CCE-2",
        "",
        [
            ("desc.fma.word1", desc::FMA),
            ("desc.fma.more", desc::FMA_MORE),
            ("desc.length", desc::META_LENGTH),
            ("desc.fma.a_sel", 3 << desc::SELECT_A_SHIFT),
            ("desc.fma.b_sel", 3 << desc::SELECT_B_SHIFT),
            ("desc.fma.c_sel", 3 << desc::SELECT_C_SHIFT),
            ("select.stored", desc::Select::Stored as u32),
            ("select.input", desc::Select::Input as u32),
            ("select.scale", desc::Select::Scale as u32),
        ],
    );
    list.all(
        "CCE-4",
        "desc.min_max.",
        [
            ("word1", desc::MIN_MAX_CONSTANT),
            ("const_dtype", 7 << desc::CONST_DTYPE_SHIFT),
            ("tag", desc::MIN_MAX_TAG),
        ],
    );
    list.one("CCE-7", "desc.seed_init.word1", desc::SEED_INIT);
    list.all(
        "OPC-5",
        "desc.",
        [
            ("x", 7 << desc::X_SHIFT),
            ("replication.word1", desc::REPLICATION_EXTENSION),
            ("gradient.word1", desc::GRADIENT),
        ],
    );
}

fn limits_of_packets(list: &mut List) {
    list.one("CCE-8", "reduce.max_sources", limits::MAX_SOURCES as u64);
    list.one("CCE-9", "combo.more_follows", combo::MORE_FOLLOWS);
    list.one("CCE-9", "combo.member", combo::MEMBER);
    list.all(
        "CCE-12",
        "reduce.max_elements.",
        [
            ("sunda", limits::max_elements(Arch::Sunda)),
            ("cayman", limits::max_elements(Arch::Cayman)),
            ("mariana", limits::max_elements(Arch::Mariana)),
        ],
    );
    list.one("CCE-12", "reduce.bytes_step", limits::BYTES_STEP);
    list.one("CCE-13", "band.first", *BAND.start());
    list.one("CCE-13", "band.last", *BAND.end());
}

fn transposes(list: &mut List) {
    list.numbered("TRN-4", "window.", 0, transpose::WINDOWS);
    list.all(
        "TRN-4",
        "window.",
        [
            ("high", transpose::HIGH_WINDOWS),
            ("bytes", transpose::WINDOW_BYTES),
            ("partition_shift", transpose::PARTITION_SHIFT.into()),
            ("offset_mask", transpose::OFFSET_MASK),
        ],
    );
    list.all(
        "TRN-5",
        "packed.",
        [
            ("offset_shift", transpose::PACKED_OFFSET_SHIFT.into()),
            ("partition_shift", transpose::PACKED_PARTITION_SHIFT.into()),
            ("four_bytes", transpose::PACKED_FOUR_BYTES),
            ("upper_half", transpose::PACKED_UPPER_HALF),
        ],
    );
    list.one("TRN-6", "flush.offset", transpose::FLUSH_OFFSET);
    list.one("TRN-6", "flush.bytes", transpose::FLUSH_BYTES);
}
