//! Engine bring-up and state as the rules list them (EINI, REGS-3 to REGS-5).

use udma_reference::abi;

use super::program::block;
use super::word::EINVAL;
use crate::subject::Event;
use crate::subject::ops::{EngineInit, EngineReport, EngineSw};
use crate::wire::Ring;

/// A write in the engine's space.
pub fn write(offset: u64, value: u32) -> Event {
    Event::Write(abi::UDMA_SPACE_ENGINE, offset, value)
}

/// A read in the engine's space.
pub fn read(offset: u64, value: u32) -> Event {
    Event::Read(abi::UDMA_SPACE_ENGINE, offset, value)
}

/// The `spare` register, step 15.
pub const SPARE: u64 = 0x3b460;
/// S2M outstanding write cfg 2, step 14.
pub const OUTSTANDING_2: u64 = 0x2012c;

/// Arms and unmasks the errors of M2S, then of S2M (IOFC-6).
pub const UNMASK_M2S: [(u64, u32); 7] = [
    (0x3a028, 0x28),
    (0x380e8, 0x28),
    (0x3a030, 0xf000_0000),
    (0x3a0b0, 0xffff_ffc0),
    (0x3a018, 0xf000_0000),
    (0x3a098, 0xffff_ffc0),
    (0x380d8, 0xffff_faff),
];
/// See [`UNMASK_M2S`].
pub const UNMASK_S2M: [(u64, u32); 7] = [
    (0x3a068, 0x28),
    (0x380e8, 0x28),
    (0x3a070, 0x0000_10f8),
    (0x3a0b0, 0xffff_f03f),
    (0x3a058, 0x0000_10f8),
    (0x3a098, 0xffff_f03f),
    (0x380d8, 0xffff_f9ff),
];

/// State and accesses of an engine initialisation; `outstanding` and `spare` are what the two
/// registers that are read hold.
pub fn engine_init(case: &EngineInit, outstanding: u32, spare: u32) -> (EngineSw, Vec<Event>) {
    let mut queues = case.num_queues & 0xff; // EINI-1
    if queues == 0xff {
        queues = 16;
    }
    let mut state = EngineSw {
        num_of_queues: queues,
        num_of_queues_max: 16,
        rev_id: 4,
        reserve_max_read_axi_id: case.reserve_read_id.into(),
        ..EngineSw::default()
    };
    if queues > 16 {
        state.ret = EINVAL;
        return (state, Vec::new());
    }
    state.cdesc_size = 16;
    state.s2m_offset = 0x20000;
    state.gen_offset = 0x38000;
    state.gen_ex_offset = 0x3c000;
    let mut events = before_the_packet_limit(case, outstanding, spare);
    let packet = case.max_desc & 0xff; // EINI-2
    if !(8..=128).contains(&packet) {
        state.ret = -1;
        return (state, events);
    }
    events.extend([
        write(0x304, 0x10000 | packet),
        write(0x308, packet << 8 | 0x81),
        write(0x20308, packet << 8 | 0x81),
        write(0x11c, 0x0001_0008),
        write(0x2011c, 0x0001_0008),
    ]);
    (state, events)
}

/// Steps 1 to 18 of EINI-3.
fn before_the_packet_limit(case: &EngineInit, outstanding: u32, spare: u32) -> Vec<Event> {
    let reserve = |with: u32, without: u32| {
        if case.reserve_read_id { with } else { without }
    };
    let mut events = Vec::new();
    for qid in 0..16 {
        events.push(write(block(Ring::Tx, qid) + 0x20, 0x0003_0000));
        events.push(write(block(Ring::Rx, qid) + 0x20, 0x0003_0000));
    }
    let data_cfg = if case.arch == abi::UDMA_ARCH_SUNDA {
        0x0100_0400
    } else {
        0x0100_08f8
    };
    events.extend([
        write(0x310, data_cfg),
        write(0x124, reserve(0x0000_086f, 0x2080_8080)),
        write(0x3a300, 100_000_000),
        write(0x408, 0),
        write(0x254, 0x010f_ffff),
        write(0x258, 0x102),
    ]);
    events.extend((0..16).map(|qid| write(0x3c400 + 0x40 * qid, 0xffff_ffff)));
    events.push(write(0x118, 0x0001_0008));
    events.push(write(0x2038c, 0));
    for qid in 0..16 {
        for select in [0x3c404, 0x3c408, 0x3c40c] {
            events.push(write(select + 0x40 * qid, 0xffff_ffff));
        }
    }
    events.push(write(0x20124, reserve(0x0040_0008, 0x0040_0080)));
    events.push(write(0x20128, 0x4080_4080));
    if case.arch == abi::UDMA_ARCH_MARIANA {
        events.push(read(OUTSTANDING_2, outstanding));
        events.push(write(OUTSTANDING_2, outstanding / 0x400 * 0x400 + 0x100));
    }
    events.push(read(SPARE, spare));
    events.push(write(SPARE, spare & 0xffff_fffe));
    events.extend(
        UNMASK_M2S
            .iter()
            .chain(&UNMASK_S2M)
            .map(|(offset, value)| write(*offset, *value)),
    );
    events.push(write(0x20380, 0x1004));
    events
}

/// Registers that tell an engine's state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StateRegisters {
    /// M2S `state`, 200.
    pub m2s: u32,
    /// S2M `state`, 20200.
    pub s2m: u32,
    /// S2M `stream_cfg`, 20250.
    pub stream: u32,
    /// `cfg` of the 16 RX queues.
    pub queues: [u32; 16],
}

/// What is reported of an engine (REGS-3, REGS-4).
pub fn engine_state(registers: &StateRegisters, num_queues: u32) -> EngineReport {
    let bit = |word: u32, bit: u32| word >> bit & 1 == 1;
    let stream_off = [0, 4, 8].iter().all(|at| bit(registers.stream, *at))
        && !registers.queues.iter().any(|cfg| bit(*cfg, 17));
    let s2m_fields: &[u32] = if stream_off {
        &[0, 8, 12]
    } else {
        &[0, 4, 8, 12]
    };
    EngineReport {
        revision_id: 4,
        max_queues: 16,
        num_queues,
        tx_state: direction(registers.m2s, &[0, 4, 8, 12]),
        rx_state: direction(registers.s2m, s2m_fields),
    }
}

fn direction(state: u32, fields: &[u32]) -> u32 {
    let values: Vec<u32> = fields.iter().map(|low| state >> low & 3).collect();
    if values.contains(&2) {
        3
    } else if values.contains(&1) {
        2
    } else {
        1
    }
}

/// What a request for a state writes (REGS-5).
pub fn set_state(state: i32) -> Vec<Event> {
    let value = match state {
        0 => 2,
        2 => 1,
        3 => 4,
        _ => return Vec::new(),
    };
    vec![write(0x204, value), write(0x20204, value)]
}
