//! TRN: refusals, the CAYMAN builder, the flush.

use udma::op::transpose::{TransposeRequest, build, flush, packed_destination, permutation, place};
use udma::op::{Dtype, OpError};
use udma::{Arch, Desc};

use super::Findings;

pub fn check(findings: &mut Findings) {
    let request = TransposeRequest {
        dtype: 10,
        dims: [1, 2, 3, 4],
        shape: 3,
        ring_byte: 0x0d,
        length: 65536,
        source: 0x1234_5678_9abc_def0,
    };
    let code = |request: &TransposeRequest| build(request).err().map_or(0, OpError::code);
    for dtype in [0, 16, u32::MAX] {
        let request = TransposeRequest { dtype, ..request };
        findings.same("TRN-1", format!("dtype {dtype}"), code(&request), -22);
    }
    for dimension in 0..4 {
        let mut request = request;
        request.dims[dimension] = 0;
        findings.same(
            "TRN-1",
            format!("dimension {dimension}"),
            code(&request),
            -22,
        );
    }
    let expected = Desc::new(0x0d80_0000, 0x009a_0324, 0x1234_5678_9abc_def0);
    findings.same("TRN-2", "fp32", build(&request), Ok(expected));
    for (dtype, word1) in [(1, 0x0091_0328), (2, 0x0092_0321), (11, 0x009b_0324)] {
        let request = TransposeRequest {
            dtype,
            length: 5,
            ..request
        };
        let expected = Desc::new(0x0d80_0005, word1, request.source);
        findings.same(
            "TRN-2",
            format!("dtype {dtype}"),
            build(&request),
            Ok(expected),
        );
    }
    names(findings);
    windows(findings);
    flushes(findings);
}

fn names(findings: &mut Findings) {
    findings.same("TRN-3", "WXYZ", permutation("WXYZ"), Ok([0, 1, 2, 3]));
    findings.same("TRN-3", "ZYXW", permutation("ZYXW"), Ok([3, 2, 1, 0]));
    for name in ["", "W", "WXYZW", "WXYW", "wxyz", "WXYA"] {
        let refused = Err(OpError::TransposeName);
        findings.same("TRN-3", name, permutation(name), refused);
    }
}

fn windows(findings: &mut Findings) {
    let low = [0x20, 0x30, 0x60, 0x70].map(|byte| byte << 32);
    let bases = low
        .into_iter()
        .chain(low.map(|base| base + 0x8000_0000_0000));
    for base in bases {
        for (relative, partition, offset) in [
            (0, 0, 0),
            (0x3_ffff, 0, 0x3_ffff),
            (0x4_0000, 1, 0),
            (0x01ff_ffff, 127, 0x3_ffff),
        ] {
            let at = place(base + relative).map(|at| (at.window, at.partition, at.offset));
            let expected = Ok((base, partition, offset));
            findings.same("TRN-4", format!("{:#x}", base + relative), at, expected);
        }
        for outside in [base - 1, base + 0x0200_0000] {
            let code = place(outside).err().map_or(0, OpError::code);
            findings.same("TRN-4", format!("{outside:#x}"), code, -22);
        }
        // Worked from TRN-5 for partition 65 and offset 0x123, then for partition 2.
        for (partition, dtype, extra, packed) in [
            (65, Dtype::Int8, 0, 0x0000_0401_2341),
            (65, Dtype::Fp16, 0, 0x0000_0401_2382),
            (65, Dtype::Fp32, 0, 0x0084_0401_2304),
            (63, Dtype::Fp32, 0, 0x0004_fc01_23fc),
            (2, Dtype::Fp32, 1, 0x0004_0c01_2308),
            (2, Dtype::Int64, 0, 0x0000_0801_2310),
        ] {
            let dst = base + (partition << 18) + 0x123;
            let expected = Ok(base + packed);
            let actual = packed_destination(dst, dtype, extra);
            findings.same(
                "TRN-5",
                format!("{dst:#x} {}", dtype.name()),
                actual,
                expected,
            );
        }
    }
}

fn flushes(findings: &mut Findings) {
    let refused = flush(Arch::Sunda, 0x1000, 0x20, [1, 2]);
    let expected = Err(OpError::NoFlush { arch: Arch::Sunda });
    findings.same("TRN-6", "SUNDA", refused, expected);
    for arch in [Arch::Cayman, Arch::Mariana] {
        let expected = Ok([
            Desc::new(0x0d00_0004, 0x0108_0003, 0x1000),
            Desc::new(0x0200_0004, 0, 0x0200_0000_0400_0020),
        ]);
        let actual = flush(arch, 0x1000, 0x20, [1, 2]);
        findings.same("TRN-6", arch.short(), actual, expected);
    }
}
