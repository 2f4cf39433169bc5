//! IOFC: golden iofic, and the calls that it does not hold.

use std::collections::BTreeMap;

use serde_json::Value;
use udma::engine::axi::{abort_on_axi_errors, mask_ring_id_errors};
use udma::engine::iofic::{
    Group, Iofic, IoficError, Level, unmask_m2s_errors, unmask_one, unmask_s2m_errors,
};
use udma::io::Space;
use udma::{DriverVersion, Line};

use super::{Access, Findings, Registers, events, golden, hex, label, number};

const KERNEL: Iofic = Iofic::new(Line::Kernel(DriverVersion::V2_26_5), 4);
const HAL: Iofic = Iofic::new(Line::Hal, 4);

pub fn check(findings: &mut Findings) {
    groups(findings);
    masks(findings);
    aborts(findings);
    causes(findings);
    one(findings);
    replay(findings);
}

/// IOFC-10 by itself, before the set-up that is made of it (IOFC-11).
fn one(findings: &mut Findings) {
    let actual = accesses(&[], |regs| unmask_one(regs, 0x3ad00, 0xf0));
    let expected = vec![
        write(0x3ad28, 0x28),
        write(0x3ad30, 0xffff_ff0f),
        write(0x3ad18, 0xffff_ff0f),
    ];
    findings.same("IOFC-10", "bits 0xf0 at 3ad00", actual, expected);
}

fn write(offset: u64, value: u32) -> Access {
    Access::Write(Space::Engine, offset, value)
}

fn read(offset: u64, value: u32) -> Access {
    Access::Read(Space::Engine, offset, value)
}

/// Accesses of a call on registers that hold `contents`.
fn accesses(contents: &[(u64, u32)], call: impl FnOnce(&mut Registers)) -> Vec<Access> {
    let mut registers = Registers::default();
    for (offset, value) in contents {
        registers.set(Space::Engine, *offset, *value);
    }
    call(&mut registers);
    registers.accesses
}

fn groups(findings: &mut Findings) {
    for (group, base) in [
        (Group::A, 0x3a000),
        (Group::B, 0x3a040),
        (Group::C, 0x3a080),
        (Group::D, 0x380c0),
    ] {
        findings.same("IOFC-2", format!("{group:?}"), group.base(), base);
    }
    for (revision, primary, secondary) in [(3, 4, 2), (4, 4, 3), (5, 4, 3)] {
        let iofic = Iofic::new(Line::default(), revision);
        for number in 0..6 {
            for (level, count) in [(Level::Primary, primary), (Level::Secondary, secondary)] {
                let valid = iofic.check(Group { level, number }).is_ok();
                let case = format!("{level:?} {number} at revision {revision}");
                findings.same("IOFC-2", case, valid, number < count);
            }
        }
    }
    for (revision, bits) in [
        (3, [Some(0x100), Some(0x200), None, None]),
        (4, [Some(0x100), Some(0x200), Some(0x400), Some(0x800)]),
    ] {
        let iofic = Iofic::new(Line::Hal, revision);
        let actual = [0, 1, 2, 3].map(|group| iofic.summary_bit(group));
        findings.same("IOFC-8", format!("revision {revision}"), actual, bits);
    }
    findings.same("IOFC-8", "group 4", HAL.summary_bit(4), None);
}

fn masks(findings: &mut Findings) {
    for iofic in [KERNEL, HAL] {
        let line = format!("{:?}", iofic.line);
        let actual = accesses(&[], |regs| iofic.config(regs, Group::B));
        findings.same("IOFC-3", line.as_str(), actual, vec![write(0x3a068, 0x28)]);
        // One bit and its neighbours: what is written must be the complement (IOFC-4), at 18
        // (IOFC-1).
        let actual = accesses(&[], |regs| {
            iofic.unmask(regs, Group::A, 0x6).expect("group A is valid");
        });
        let offsets: Vec<u64> = actual.iter().map(|access| offset_of(*access)).collect();
        findings.same("IOFC-1", format!("{line} unmask"), offsets, vec![0x3a018]);
        let expected = vec![write(0x3a018, 0xffff_fff9)];
        findings.same("IOFC-4", format!("{line} unmask"), actual, expected);
        let actual = accesses(&[], |regs| iofic.clear_cause(regs, Group::D, 0x10));
        let expected = vec![write(0x380c0, 0xffff_ffef)];
        findings.same("IOFC-4", format!("{line} clear"), actual, expected);
        let actual = accesses(&[(0x3a090, 0x0000_00f0)], |regs| {
            iofic.mask(regs, Group::C, 0x0000_0102);
        });
        let expected = vec![read(0x3a090, 0xf0), write(0x3a090, 0x1f2)];
        findings.same("IOFC-4", format!("{line} mask"), actual, expected);
    }
}

fn offset_of(access: Access) -> u64 {
    match access {
        Access::Read(_, offset, _) | Access::Write(_, offset, _) => offset,
    }
}

fn aborts(findings: &mut Findings) {
    // Bits 0..3 are armed already: the kernel line forgets them.
    let before = [(0x3a030, 0xffff_fff0)];
    let actual = accesses(&before, |regs| KERNEL.arm_abort(regs, Group::A, 0xff00));
    findings.same(
        "IOFC-5",
        "kernel",
        actual,
        vec![write(0x3a030, 0xffff_00ff)],
    );
    let actual = accesses(&before, |regs| HAL.arm_abort(regs, Group::A, 0xff00));
    let expected = vec![read(0x3a030, 0xffff_fff0), write(0x3a030, 0xffff_00f0)];
    findings.same("IOFC-5", "hal", actual, expected);

    // IOFC-9: group C does not exist at revision 3.
    let old = Iofic::new(KERNEL.line, 3);
    let actual = accesses(&[], |regs| old.arm_abort(regs, Group::C, 1));
    let expected = vec![write(0x3a0b0, 0xffff_fffe)];
    findings.same("IOFC-9", "arming group C at revision 3", actual, expected);
    let mut registers = Registers::default();
    let refused = old.unmask(&mut registers, Group::C, 1).is_err();
    findings.same("IOFC-9", "unmasking group C at revision 3", refused, true);
    findings.same("IOFC-9", "refused", registers.accesses, vec![]);
}

fn causes(findings: &mut Findings) {
    for (control, cleared) in [(0x28, true), (0x29, false)] {
        let mut registers = Registers::default();
        registers.set(Space::Engine, 0x3a000, 0xf0f0);
        registers.set(Space::Engine, 0x3a028, control);
        let cause = HAL.read_and_clear(&mut registers, Group::A, 0x0ff0);
        findings.same("IOFC-7", format!("control {control:#x}"), cause, 0xf0f0);
        let expected = if cleared {
            vec![(0x3a000, 0xffff_ff0f)]
        } else {
            vec![]
        };
        let case = format!("control {control:#x}: writes");
        findings.same("IOFC-7", case, registers.writes(), expected);
    }
    for (bits, survives) in [(0x0f0, true), (0xe00, false)] {
        let mut registers = Sticky(0x1f0);
        let actual = HAL.clear_verify(&mut registers, Group::A, bits);
        let code = actual.err().map_or(0, IoficError::code);
        let expected = if survives { -5 } else { 0 };
        findings.same("IOFC-7", format!("verify {bits:#x}"), code, expected);
    }
    let mut registers = Registers::default();
    for (offset, cause) in [(0x3a000, 0x8000_0005), (0x3a080, 0x30)] {
        registers.set(Space::Engine, offset, cause);
    }
    let pending: Vec<_> = HAL.causes(&mut registers, Level::Secondary).collect();
    let expected = vec![(0, 0), (0, 2), (0, 31), (2, 4), (2, 5)];
    findings.same("IOFC-7", "iterator", pending, expected);
    let snapshot = vec![
        read(0x3a000, 0x8000_0005),
        read(0x3a040, 0),
        read(0x3a080, 0x30),
    ];
    findings.same("IOFC-7", "snapshot", registers.accesses, snapshot);
}

/// A cause register of which some bits cannot be cleared.
struct Sticky(u32);

impl udma::io::Mmio for Sticky {
    fn read32(&mut self, _: Space, _: u64) -> u32 {
        self.0
    }
    fn write32(&mut self, _: Space, _: u64, _: u32) {}
    fn barrier(&mut self) {}
}

/// Every case of golden iofic; gives how many of each call ran.
pub fn replay(findings: &mut Findings) -> BTreeMap<String, usize> {
    let mut calls = BTreeMap::new();
    for case in golden("iofic") {
        let input = &case["in"];
        let call = input["call"].as_str().expect("call").to_owned();
        let mut registers = Registers::default();
        registers.load(Space::Engine, &input["regs"]);
        registers.load(Space::Interrupt, &input["intc_regs"]);
        let rule = run(&call, input, &mut registers);
        let expected = events(&case["out"]["events"]);
        findings.same(rule, label("iofic", &case), registers.accesses, expected);
        *calls.entry(call).or_default() += 1;
    }
    calls
}

fn run(call: &str, input: &Value, registers: &mut Registers) -> &'static str {
    match call {
        "m2s_error_ints_unmask" => {
            unmask_m2s_errors(&KERNEL, registers);
            "IOFC-6"
        }
        "s2m_error_ints_unmask" => {
            unmask_s2m_errors(&KERNEL, registers);
            "IOFC-6"
        }
        "error_ints_unmask_one" => {
            let base = hex(input["group_base"].as_str().expect("group_base"));
            unmask_one(registers, base, number(&input["mask"]) as u32);
            "IOFC-10"
        }
        "set_axi_error_abort" => {
            abort_on_axi_errors(registers);
            "IOFC-11"
        }
        "mask_ring_id_error" => {
            mask_ring_id_errors(registers);
            "IOFC-12"
        }
        other => panic!("call {other}"),
    }
}
