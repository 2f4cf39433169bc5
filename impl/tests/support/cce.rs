//! CCE and CRC: META descriptors, reductions, limits, the two remaps.

use udma::op::combo::chain;
use udma::op::descriptor::front;
use udma::op::limits::{max_elements, packet_bytes};
use udma::op::reduce::{Constant, ReducePacket, Reduction, Scale};
use udma::op::{
    CceOp, Dtype, FmaDescriptor, GradientDescriptor, MinMaxDescriptor, OpError,
    ReplicationExtension, SeedInit,
};
use udma::packet::build_crc_copy;
use udma::{Arch, Desc, PairRequest};

use super::Findings;

pub fn check(findings: &mut Findings) {
    descriptors(findings);
    dtypes(findings);
    limits(findings);
    reductions(findings);
    gates(findings);
    several_destinations(findings);
    crc(findings);
}

fn descriptors(findings: &mut Findings) {
    let seed = SeedInit {
        front: front(0x1ff, false),
        seeding: true,
        seed: 0x0123_4567_89ab_cdef,
    };
    // 0xff keeps eight bits of the index.
    findings.same("CCE-1", "index 0x1ff", seed.emit().word0(), 0xff80_0000);
    findings.same("CCE-1", "index 0, barrier", word0(0, true), 0x0480_0000);
    findings.same("CCE-1", "index 3", word0(3, false), 0x0380_0000);
    findings.same("CCE-7", "seeding", seed.emit().word1(), 0x0600_0000);
    let idle = SeedInit {
        seeding: false,
        ..seed
    };
    findings.same("CCE-7", "not seeding", idle.emit().word1(), 0);

    for (mode, word1) in [(0, 0x04a0_0000), (2, 0x44a0_0000), (7, 0xe4a0_0000)] {
        let op = ReplicationExtension {
            mode,
            ..ReplicationExtension::default()
        };
        findings.same(
            "OPC-5",
            format!("replication {mode}"),
            op.emit().word1(),
            word1,
        );
    }
    for (x, word1) in [(0, 0x0650_0001), (7, 0xe650_0001)] {
        let op = GradientDescriptor {
            x,
            ..GradientDescriptor::default()
        };
        findings.same("OPC-5", format!("gradient {x}"), op.emit().word1(), word1);
    }

    let fma = FmaDescriptor {
        length: 0x00ab_cdef,
        scale: 0x4000_0000,
        ..FmaDescriptor::default()
    };
    let words = [0x0080_0000, 0x0210_0000, 0x09ab_cdef, 0x4000_0000];
    findings.same("CCE-2", "default selectors", fma.emit().words(), words);
    let fma = FmaDescriptor {
        sub: 7,
        more: true,
        x: 7,
        length: 0x0100_0001,
        select: [2, 0, 1],
        ..fma
    };
    let words = [0x0080_0000, 0xe610_0007, 0x1200_0001, 0x4000_0000];
    findings.same("CCE-2", "every operand", fma.emit().words(), words);

    let bare = MinMaxDescriptor {
        length: 0x0100_0040,
        ..MinMaxDescriptor::default()
    };
    let words = [0x0080_0000, 0, 0x0200_0040, 0];
    findings.same("CCE-4", "no constant", bare.emit().words(), words);
    let constant = MinMaxDescriptor {
        constant: Some((10, 0x3f80_0000)),
        ..bare
    };
    let words = [0x0080_0000, 0x0620_0000, 0x0200_0040, 0x3f80_0000];
    findings.same("CCE-4", "constant of fp32", constant.emit().words(), words);
}

fn word0(index: u32, barrier: bool) -> u32 {
    SeedInit {
        front: front(index, barrier),
        ..SeedInit::default()
    }
    .emit()
    .word0()
}

fn dtypes(findings: &mut Findings) {
    let bytes = [8, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 8, 1, 1, 1];
    for (number, bytes) in (1..).zip(bytes) {
        let dtype = Dtype::from_number(number).expect("1 to 15");
        findings.same("TRN-2", format!("bytes of {number}"), dtype.bytes(), bytes);
        let cce = if number == 11 { 0 } else { bytes };
        findings.same(
            "CCE-12",
            format!("CCE bytes of {number}"),
            dtype.cce_bytes(),
            cce,
        );
    }
    for number in [0, 16, u32::MAX] {
        let dtype = Dtype::from_number(number);
        findings.same(
            "TRN-1",
            format!("{number}"),
            dtype,
            Err(OpError::Dtype { dtype: number }),
        );
    }
    let sdma = [13, 14, 15, 7, 10, 11, 6, 3, 5, 9, 1, 2, 4, 8, 12];
    for (runtime, number) in (1..).zip(sdma) {
        let dtype = Dtype::from_runtime(runtime).map(Dtype::number);
        findings.same(
            "CCE-10",
            format!("runtime dtype {runtime}"),
            dtype,
            Ok(number),
        );
    }
    for runtime in [0, 16] {
        let dtype = Dtype::from_runtime(runtime);
        let refused = Err(OpError::RuntimeDtype { dtype: runtime });
        findings.same("CCE-10", format!("runtime dtype {runtime}"), dtype, refused);
    }
    let ops = [None, Some(1), Some(0), Some(3), Some(2), None, None];
    for (runtime, op) in (0..).zip(ops) {
        let actual = CceOp::from_runtime(runtime).ok().map(CceOp::number);
        findings.same("CCE-10", format!("runtime op {runtime}"), actual, op);
    }
}

fn limits(findings: &mut Findings) {
    for (arch, elements) in [
        (Arch::Sunda, 1024),
        (Arch::Cayman, 2048),
        (Arch::Mariana, 2048),
    ] {
        findings.same("CCE-12", arch.short(), max_elements(arch), elements);
        for (cap, dtype, bytes) in [
            (65536, Dtype::Fp32, 4 * u64::from(elements)),
            (65536, Dtype::Int8, u64::from(elements)),
            (65536, Dtype::Int64, 8 * u64::from(elements)),
            (1000, Dtype::Fp32, 992),
            (1024, Dtype::Fp32, 1024),
            (31, Dtype::Fp16, 0),
        ] {
            let case = format!("{} {cap} {}", arch.short(), dtype.name());
            findings.same("CCE-12", case, packet_bytes(arch, cap, dtype), Ok(bytes));
        }
        let refused = Err(OpError::NoCceSize { dtype: 11 });
        let actual = packet_bytes(arch, 65536, Dtype::Fp32r);
        findings.same("CCE-12", arch.short(), actual, refused);
    }
}

const SOURCES: [u64; 33] = [0x1000; 33];

fn sum(count: usize) -> Reduction<'static> {
    Reduction {
        in_dtype: 10,
        out_dtype: 10,
        accum_dtype: 10,
        sources: &SOURCES[..count],
        destinations: &[0x9000],
        size: 64,
        ..Reduction::default()
    }
}

fn reductions(findings: &mut Findings) {
    for count in [1, 2, 3, 31, 32] {
        let packet = sum(count).build(Arch::Cayman).unwrap_or_default();
        findings.same(
            "CCE-8",
            format!("{count} sources: TX"),
            packet.tx.len(),
            count,
        );
        findings.same("CCE-8", format!("{count} sources: RX"), packet.rx.len(), 1);
        for (index, desc) in packet.tx.iter().enumerate() {
            let last = index + 1 == count;
            let word1 = if last { 0x020a_a080 } else { 0x020a_a000 };
            let case = format!("source {index} of {count}");
            findings.same("CCE-8", case, desc.word1(), word1);
        }
    }
    for count in [0, 33] {
        let refused = Err(OpError::Sources { count, max: 32 });
        let actual = sum(count).build(Arch::Cayman);
        findings.same("CCE-8", format!("{count} sources"), actual, refused);
    }

    // What stands in front: the seed before everything, then the scale or the constant.
    let fma = Reduction {
        op: 1,
        scale: Some(Scale {
            dtype: 10,
            bits: 0x3f80_0000,
        }),
        seed: Some(0x55),
        meta_index: 1,
        ..sum(2)
    };
    let words = |packet: &ReducePacket| packet.tx.iter().map(Desc::words).collect::<Vec<_>>();
    let actual = fma.build(Arch::Sunda).map(|packet| words(&packet));
    let expected = vec![
        [0x0180_0000, 0x0600_0000, 0x55, 0],
        [0x0180_0000, 0x0210_0000, 0x0900_0040, 0x3f80_0000],
        [0x8400_0040, 0x021a_aa00, 0x1000, 0],
        [0x0800_0040, 0x021a_aa80, 0x1000, 0],
    ];
    findings.same("CCE-7", "seeded fma", actual, Ok(expected));
    let max = Reduction {
        op: 2,
        constant: Some(Constant { dtype: 10, bits: 7 }),
        ..sum(1)
    };
    let actual = max.build(Arch::Sunda).map(|packet| words(&packet));
    let expected = vec![
        [0x0080_0000, 0x0620_0000, 0x0200_0040, 7],
        [0x0c00_0040, 0x022a_aa30, 0x1000, 0],
    ];
    findings.same("CCE-4", "max with a constant", actual, Ok(expected));
}

fn gates(findings: &mut Findings) {
    let code = |request: &Reduction, arch| request.build(arch).err().map_or(0, OpError::code);
    let fma = Reduction { op: 1, ..sum(1) };
    findings.same(
        "CCE-10",
        "fma without info",
        code(&fma, Arch::Cayman) != 0,
        true,
    );
    let half = Reduction {
        scale: Some(Scale { dtype: 7, bits: 0 }),
        ..fma
    };
    findings.same(
        "CCE-10",
        "fma scale of fp16",
        code(&half, Arch::Cayman) != 0,
        true,
    );
    for op in [0, 2, 3] {
        let bare = Reduction { op, ..sum(1) };
        findings.same(
            "CCE-10",
            format!("op {op} without info"),
            code(&bare, Arch::Cayman),
            0,
        );
    }
    for op in [4, 5, 6, u32::MAX] {
        let unknown = Reduction { op, ..sum(1) };
        findings.same(
            "CCE-10",
            format!("op {op}"),
            code(&unknown, Arch::Cayman),
            -1,
        );
    }

    // CCE-11: word1 of a sum holds the output's dtype, that of a max the input's too.
    for (count, op, dtype, expected) in [
        (1, 0, 2, 0x020a_5080),
        (1, 0, 13, 0x020a_5080),
        (2, 0, 2, 0x020a_2000),
        (1, 0, 7, 0x020a_7080),
        (1, 2, 2, 0x020a_0510),
    ] {
        let request = Reduction {
            op,
            in_dtype: dtype,
            out_dtype: dtype,
            ..sum(count)
        };
        let word1 = request
            .build(Arch::Cayman)
            .map(|packet| packet.tx[0].word1());
        let case = format!("{count} sources of dtype {dtype}, op {op}");
        findings.same("CCE-11", case, word1, Ok(expected));
    }
    let mixed = Reduction {
        in_dtype: 2,
        out_dtype: 3,
        ..sum(1)
    };
    let word1 = mixed.build(Arch::Cayman).map(|packet| packet.tx[0].word1());
    findings.same("CCE-11", "int8 to uint8", word1, Ok(0x020a_3080));

    for (input, output, same_side) in [(7, 8, false), (8, 11, true), (12, 10, false), (7, 12, true)]
    {
        for arch in Arch::ALL {
            let request = Reduction {
                in_dtype: input,
                out_dtype: output,
                ..sum(2)
            };
            let accepted = same_side || arch != Arch::Sunda;
            let case = format!("{input} to {output} on {}", arch.short());
            findings.same("CCE-13", case, code(&request, arch) == 0, accepted);
        }
    }
}

fn several_destinations(findings: &mut Findings) {
    let twice = Reduction {
        destinations: &[0x9000, 0xa000, 0xb000],
        ..sum(2)
    };
    let code = twice.build(Arch::Sunda).err().map_or(0, OpError::code);
    findings.same("CCE-9", "SUNDA", code, -1);
    for arch in [Arch::Cayman, Arch::Mariana] {
        let packet = twice.build(arch).unwrap_or_default();
        findings.same("CCE-9", arch.short(), packet.rx.len(), 3);
        let links: Vec<u32> = packet.tx.iter().take(3).map(Desc::word1).collect();
        let expected = vec![0x44a0_0000, 0x44a0_0000, 0x04a0_0000];
        findings.same("CCE-9", arch.short(), links, expected);
    }
    let mut members = [Desc::default(); 2];
    chain(&mut members);
    let words = members.map(|member| member.word1());
    findings.same("CCE-9", "chain", words, [0x4400_0000, 0x0400_0000]);
}

fn crc(findings: &mut Findings) {
    let request = PairRequest {
        src: 0x1000,
        dst: 0x2000,
        size: 64,
        ..PairRequest::default()
    };
    let (mut tx, mut rx) = ([Desc::default(); 2], Desc::default());
    let built = build_crc_copy(Arch::Cayman, &request, 3, &mut tx, &mut rx).is_ok();
    findings.same("CRC-1", "accepted", built, true);
    findings.same("CRC-1", "meta descriptor first", tx[0].word0(), 0x0780_0000);
    findings.same(
        "CRC-1",
        "data second",
        tx[1],
        Desc::new(0x0800_0040, 0x0108_0003, 0x1000),
    );
    findings.same("CRC-1", "one RX", rx, Desc::new(0x40, 0, 0x2000));
}
