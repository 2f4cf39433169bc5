//! OPC: words and decoding.

use udma::op::{
    self, Add, CceExt, Fma, Gradient, MinMax, Op, PlainCopy, Replication, StridingSplit,
    TransposeWord,
};
use udma::{Arch, Desc};

use super::Findings;

/// One operation with every operand at its largest, and what the specification's table says.
struct Row {
    rule: &'static str,
    op: Op,
    word: u32,
}

/// Worked from the table of file 03: each operand alone, then all of them.
fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut row = |rule, op, word| rows.push(Row { rule, op, word });

    row("META-1", Op::PlainCopy(PlainCopy::default()), 0x0108_0003);
    let split = |split, shape, dtype| {
        Op::StridingSplit(StridingSplit {
            split,
            shape,
            dtype,
        })
    };
    row("OPC-1", split(0, 0, 0), 0x0080_0000);
    row("OPC-1", split(7, 0, 0), 0x0080_0007);
    row("OPC-1", split(0, 1, 0), 0x0080_0100);
    row("OPC-1", split(0, 2, 0), 0x0080_0220);
    row("OPC-1", split(0, 255, 0), 0x0080_ff20);
    row("OPC-1", split(0, 0, 15), 0x008f_0000);
    row("OPC-1", split(7, 255, 15), 0x008f_ff27);
    for (count, word) in [
        (0, 0x00a0_0000),
        (1, 0x00a0_0001),
        (0x8000, 0x00a0_8000),
        (0xffff, 0x00a0_ffff),
    ] {
        row("OPC-1", Op::Replication(Replication { count }), word);
    }
    let ext = |sub, src_dtype, dst_dtype| {
        Op::CceExt(CceExt {
            sub,
            src_dtype,
            dst_dtype,
        })
    };
    row("OPC-1", ext(0, 0, 0), 0x0240_0000);
    row("OPC-1", ext(7, 0, 0), 0x0240_0007);
    row("OPC-1", ext(0, 15, 0), 0x0240_f000);
    row("OPC-1", ext(0, 0, 15), 0x024f_0000);
    row("OPC-1", ext(7, 6, 10), 0x024a_6007);

    let transpose = |elem_bytes, shape, dtype| {
        Op::Transpose(TransposeWord {
            elem_bytes,
            shape,
            dtype,
        })
    };
    row("TRN-2", transpose(0, 0, 0), 0x0090_0000);
    row("TRN-2", transpose(31, 0, 0), 0x0090_001f);
    row("TRN-2", transpose(8, 1, 12), 0x009c_0108);
    row("TRN-2", transpose(0, 2, 0), 0x0090_0220);
    row("TRN-2", transpose(0, 255, 15), 0x009f_ff20);
    rows.extend(cce_rows());
    rows
}

fn cce_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut row = |rule, op, word| rows.push(Row { rule, op, word });

    let fma = Fma::default();
    row("CCE-3", Op::Fma(fma), 0x0210_0000);
    row("CCE-3", Op::Fma(Fma { sub: 7, ..fma }), 0x0210_0007);
    row("CCE-3", Op::Fma(Fma { flag: 1, ..fma }), 0x0210_0010);
    row(
        "CCE-3",
        Op::Fma(Fma {
            write_barrier: 1,
            ..fma
        }),
        0x0210_0040,
    );
    row("CCE-3", Op::Fma(Fma { last: 1, ..fma }), 0x0210_0080);
    row(
        "CCE-3",
        Op::Fma(Fma {
            in_dtype: 15,
            ..fma
        }),
        0x0210_0f00,
    );
    row(
        "CCE-3",
        Op::Fma(Fma {
            scale_dtype: 15,
            ..fma
        }),
        0x0210_f000,
    );
    row(
        "CCE-3",
        Op::Fma(Fma {
            accum_dtype: 15,
            ..fma
        }),
        0x021f_0000,
    );

    let min_max = MinMax::default();
    let constant = MinMax {
        use_const: 1,
        ..min_max
    };
    row("CCE-4", Op::MinMax(min_max), 0x0200_0000);
    row(
        "CCE-4",
        Op::MinMax(MinMax { sub: 7, ..min_max }),
        0x0200_0007,
    );
    row(
        "CCE-4",
        Op::MinMax(MinMax { last: 1, ..min_max }),
        0x0200_0010,
    );
    row("CCE-4", Op::MinMax(constant), 0x0200_0020);
    row(
        "CCE-4",
        Op::MinMax(MinMax {
            write_barrier: 1,
            ..min_max
        }),
        0x0200_0040,
    );
    row(
        "CCE-4",
        Op::MinMax(MinMax {
            notification: 1,
            ..min_max
        }),
        0x0200_0080,
    );
    row(
        "CCE-4",
        Op::MinMax(MinMax {
            in_dtype: 15,
            ..min_max
        }),
        0x0200_0f00,
    );
    row(
        "CCE-4",
        Op::MinMax(MinMax {
            out_dtype: 15,
            ..constant
        }),
        0x0200_f020,
    );
    row(
        "CCE-4",
        Op::MinMax(MinMax {
            accum_dtype: 15,
            ..min_max
        }),
        0x020f_0000,
    );
    row(
        "CCE-4",
        Op::MinMax(MinMax {
            const_dtype: 7,
            ..constant
        }),
        0x0270_0020,
    );
    row(
        "CCE-4",
        Op::MinMax(MinMax {
            const_dtype: 10,
            ..constant
        }),
        0x0220_0020,
    );
    // Without a constant its dtype and the output's are 0.
    row(
        "CCE-4",
        Op::MinMax(MinMax {
            const_dtype: 7,
            ..min_max
        }),
        0x0200_0000,
    );
    row(
        "CCE-4",
        Op::MinMax(MinMax {
            out_dtype: 7,
            ..min_max
        }),
        0x0200_0000,
    );

    let add = Add::default();
    row("CCE-5", Op::Add(add), 0x0200_0000);
    row("CCE-5", Op::Add(Add { sub: 7, ..add }), 0x0200_0007);
    row("CCE-5", Op::Add(Add { flag: 1, ..add }), 0x0200_0010);
    row(
        "CCE-5",
        Op::Add(Add {
            write_barrier: 1,
            ..add
        }),
        0x0200_0040,
    );
    row("CCE-5", Op::Add(Add { last: 1, ..add }), 0x0200_0080);
    row(
        "CCE-5",
        Op::Add(Add {
            out_dtype: 15,
            ..add
        }),
        0x0200_f000,
    );
    row(
        "CCE-5",
        Op::Add(Add {
            accum_dtype: 15,
            ..add
        }),
        0x020f_0000,
    );

    let gradient = Gradient::default();
    row("CCE-6", Op::Gradient(gradient), 0x0250_0000);
    row(
        "CCE-6",
        Op::Gradient(Gradient { sub: 7, ..gradient }),
        0x0250_0007,
    );
    row(
        "CCE-6",
        Op::Gradient(Gradient {
            flag: 1,
            ..gradient
        }),
        0x0250_0010,
    );
    row(
        "CCE-6",
        Op::Gradient(Gradient {
            write_barrier: 1,
            ..gradient
        }),
        0x0250_0040,
    );
    row(
        "CCE-6",
        Op::Gradient(Gradient {
            last: 1,
            ..gradient
        }),
        0x0250_0080,
    );
    row(
        "CCE-6",
        Op::Gradient(Gradient {
            in_dtype: 15,
            ..gradient
        }),
        0x0250_0f00,
    );
    row(
        "CCE-6",
        Op::Gradient(Gradient {
            scale_dtype: 15,
            ..gradient
        }),
        0x0250_f000,
    );
    row(
        "CCE-6",
        Op::Gradient(Gradient {
            accum_dtype: 15,
            ..gradient
        }),
        0x025f_0000,
    );
    rows
}

pub fn check(findings: &mut Findings) {
    for Row { rule, op, word } in rows() {
        findings.same(rule, format!("{op:?}"), op::word(Arch::Sunda, &op), word);
    }
    for Row { op, .. } in rows() {
        let words = Arch::ALL.map(|arch| op::word(arch, &op));
        findings.same("OPC-4", format!("{op:?}"), words, [words[0]; 3]);
    }
    decoding(findings);
}

fn decoding(findings: &mut Findings) {
    let names = |word| op::name(word).unwrap_or_default();
    for (word, expected) in [
        (0x0200_0000, "add or min/max"),
        (0x020a_a080, "add or min/max"),
        (0x020a_0700, "add or min/max"),
        // Bit 5 with bit 25: a constant, whatever 22:20 holds.
        (0x0200_0020, "min/max"),
        (0x0210_0020, "min/max"),
        (0x0240_0020, "min/max"),
        (0x0250_0020, "min/max"),
        (0x0270_f720, "min/max"),
        (0x0210_0000, "fma"),
        (0x0240_0000, "cce_ext"),
        (0x0250_0000, "gradient"),
        (0x0080_0220, "striding split"),
        (0x0090_0220, "transpose"),
        (0x00a0_0220, "replication"),
        (0x0108_0003, "plain copy"),
        (0x1108_0003, "plain copy"),
        (0x0220_0000, ""),
        (0x0000_0000, ""),
    ] {
        findings.same(
            "OPC-2",
            format!("{word:#010x}"),
            names(word),
            expected.into(),
        );
        findings.same(
            "OPC-3",
            format!("{word:#010x} with bit 26"),
            names(word | 1 << 26),
            expected.into(),
        );
    }
    for (word1, word2, word3, expected) in [
        (0x0600_0000, 0x1234_5678, 7, "seed init"),
        (0x0630_0000, 0x0200_0040, 7, "min/max descriptor"),
        (0x44a0_0000, 1, 2, "replication extension"),
        (0x2650_0001, 1, 2, "gradient descriptor"),
        (0xe610_0007, 0x2900_0040, 7, "fma descriptor"),
        (
            0x0600_0000,
            0x0200_0040,
            7,
            "min/max descriptor or seed init",
        ),
        (
            0x0000_0000,
            0x0200_0040,
            0,
            "min/max descriptor or seed init",
        ),
        (0x0000_0000, 0x0200_0040, 1, "seed init"),
        // const_dtype 1 gives the bits of an FMA descriptor with more behind it.
        (
            0x0610_0000,
            0x0200_0040,
            7,
            "fma descriptor or min/max descriptor",
        ),
    ] {
        let desc = Desc::from_words([0x0380_0000, word1, word2, word3]);
        let name = op::decode::descriptor_name(&desc).unwrap_or_default();
        findings.same(
            "OPC-3",
            format!("{:x?}", desc.words()),
            name,
            expected.into(),
        );
    }
}
