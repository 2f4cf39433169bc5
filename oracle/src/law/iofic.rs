//! The interrupt controller as the rules describe it (IOFC).

use udma_reference::abi;

use super::engine::{UNMASK_M2S, UNMASK_S2M, read, write};
use crate::line::Line;
use crate::subject::Event;
use crate::subject::ops::Iofic;
use crate::wire::{Registers, register};

/// Base of a group (IOFC-1, IOFC-2).
pub fn group(level: u32, number: u32) -> u64 {
    let level = if level == abi::UDMA_LEVEL_PRIMARY {
        0x38000
    } else {
        0x3a000
    };
    level + 0x40 * u64::from(number)
}

/// Groups of a level (IOFC-2).
pub fn groups(revision: u32, level: u32) -> u32 {
    match (level, revision) {
        (abi::UDMA_LEVEL_PRIMARY, _) => 4,
        (_, 0..=3) => 2,
        _ => 3,
    }
}

/// Whether a call belongs to a line.
pub fn offered(line: Line, call: u32) -> bool {
    match call {
        0..=abi::UDMA_IOFIC_ARM_ABORT => true,
        abi::UDMA_IOFIC_READ_AND_CLEAR..=abi::UDMA_IOFIC_SUMMARY_BIT => line == Line::Hal,
        _ => line == Line::Kernel,
    }
}

/// The rule of a call.
pub fn rule(call: u32) -> &'static str {
    match call {
        abi::UDMA_IOFIC_CONFIG => "IOFC-3",
        abi::UDMA_IOFIC_ARM_ABORT => "IOFC-5",
        abi::UDMA_IOFIC_READ_AND_CLEAR | abi::UDMA_IOFIC_CLEAR_VERIFY => "IOFC-7",
        abi::UDMA_IOFIC_SUMMARY_BIT => "IOFC-8",
        abi::UDMA_IOFIC_UNMASK_ONE => "IOFC-10",
        abi::UDMA_IOFIC_UNMASK_M2S | abi::UDMA_IOFIC_UNMASK_S2M => "IOFC-6",
        abi::UDMA_IOFIC_AXI_ERROR_ABORT => "IOFC-11",
        abi::UDMA_IOFIC_MASK_RING_ID_ERROR => "IOFC-12",
        _ => "IOFC-4",
    }
}

/// What a call gives and does: refused or not, value, accesses. `held` is whether the cause
/// register keeps its value whatever is written.
pub fn call(line: Line, case: &Iofic, registers: &Registers, held: bool) -> (i32, u32, Vec<Event>) {
    let base = group(case.level, case.group);
    let at = |offset: u64| register(registers, abi::UDMA_SPACE_ENGINE, offset);
    let (mut ret, mut value) = (0, 0);
    let events = match case.call {
        abi::UDMA_IOFIC_CONFIG => vec![write(base + 0x28, 0x28)],
        abi::UDMA_IOFIC_UNMASK if case.group >= groups(case.revision, case.level) => {
            ret = 1;
            Vec::new()
        }
        abi::UDMA_IOFIC_UNMASK => vec![write(base + 0x18, !case.bits)],
        abi::UDMA_IOFIC_MASK => {
            let mask = at(base + 0x10);
            vec![
                read(base + 0x10, mask),
                write(base + 0x10, mask | case.bits),
            ]
        }
        abi::UDMA_IOFIC_CLEAR_CAUSE => vec![write(base, !case.bits)],
        abi::UDMA_IOFIC_ARM_ABORT if line == Line::Kernel => vec![write(base + 0x30, !case.bits)],
        abi::UDMA_IOFIC_ARM_ABORT => {
            let abort = at(base + 0x30);
            vec![
                read(base + 0x30, abort),
                write(base + 0x30, abort & !case.bits),
            ]
        }
        abi::UDMA_IOFIC_READ_AND_CLEAR => {
            let (cause, control) = (at(base), at(base + 0x28));
            value = cause;
            let mut events = vec![read(base, cause), read(base + 0x28, control)];
            if control & 1 == 0 {
                events.push(write(base, !(cause & case.bits)));
            }
            events
        }
        abi::UDMA_IOFIC_CLEAR_VERIFY => {
            let after = if held { at(base) } else { !case.bits };
            if after & case.bits != 0 {
                ret = -5;
            }
            vec![write(base, !case.bits), read(base, after)]
        }
        abi::UDMA_IOFIC_SUMMARY_BIT => {
            let valid = if case.revision <= 3 { 2 } else { 4 };
            if case.group < valid {
                value = 0x100 << case.group;
            }
            Vec::new()
        }
        abi::UDMA_IOFIC_UNMASK_ONE => unmask_one(case.group_base, case.bits).into(),
        abi::UDMA_IOFIC_UNMASK_M2S => unmask_errors(&UNMASK_M2S),
        abi::UDMA_IOFIC_UNMASK_S2M => unmask_errors(&UNMASK_S2M),
        abi::UDMA_IOFIC_AXI_ERROR_ABORT => axi_error_abort(),
        _ => mask_ring_id_error(registers),
    };
    (ret, value, events)
}

/// IOFC-10.
fn unmask_one(base: u64, bits: u32) -> [Event; 3] {
    [
        write(base + 0x28, 0x28),
        write(base + 0x30, !bits),
        write(base + 0x18, !bits),
    ]
}

/// Whether the outcome is open: IOFC-6 below revision 4, where there is no group C to unmask
/// (docs/errata.md).
pub fn open(case: &Iofic) -> bool {
    let program = [abi::UDMA_IOFIC_UNMASK_M2S, abi::UDMA_IOFIC_UNMASK_S2M];
    program.contains(&case.call) && case.revision < 4
}

/// IOFC-6.
fn unmask_errors(program: &[(u64, u32); 7]) -> Vec<Event> {
    program
        .iter()
        .map(|(offset, value)| write(*offset, *value))
        .collect()
}

/// IOFC-11.
fn axi_error_abort() -> Vec<Event> {
    let mut events = Vec::new();
    for table in 0..6 {
        for word in [1, 2, 3, 9, 10, 11] {
            events.push(write(0x3a900 + 0x40 * table + 4 * word, 0xf));
        }
    }
    for table in 0..6 {
        for entry in 0..16 {
            events.push(write(0x3ab00 + 8 * table, 8 * entry + 7));
            events.push(write(0x3ab04 + 8 * table, 0x10));
        }
    }
    for base in [0x3ad00, 0x3ae00, 0x3af00, 0x3b000, 0x3b100, 0x3b200] {
        events.extend(unmask_one(base, 0xffff_ffff));
    }
    events.push(write(0x3a300, 0xffff_ffff));
    events
}

/// IOFC-12.
fn mask_ring_id_error(registers: &Registers) -> Vec<Event> {
    let (engine, top) = (abi::UDMA_SPACE_ENGINE, abi::UDMA_SPACE_INTC);
    let mut events = Vec::new();
    for (space, offset, bit, abort) in [
        (engine, 0x3a010, 17, Some(0x3a030)),
        (engine, 0x3a050, 11, Some(0x3a070)),
        (top, 0x90, 11, None),
        (top, 0xd0, 2, None),
        (engine, 0x20c, 17, None),
        (engine, 0x2020c, 11, None),
    ] {
        let before = register(registers, space, offset);
        let masked = before | 1 << bit;
        events.push(Event::Read(space, offset, before));
        events.push(Event::Write(space, offset, masked));
        events.extend(abort.map(|abort| write(abort, masked)));
    }
    events
}

/// Causes of a level: the groups that are read, and what the iterator gives (IOFC-7).
pub fn causes(revision: u32, level: u32, registers: &Registers) -> (Vec<u32>, Vec<Event>) {
    let (mut pending, mut events) = (Vec::new(), Vec::new());
    for number in 0..groups(revision, level) {
        let offset = group(level, number);
        let cause = register(registers, abi::UDMA_SPACE_ENGINE, offset);
        events.push(read(offset, cause));
        pending.extend(
            (0..32)
                .filter(|bit| cause >> bit & 1 == 1)
                .map(|bit| number << 8 | bit),
        );
    }
    (pending, events)
}
