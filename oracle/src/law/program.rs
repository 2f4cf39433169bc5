//! Register programs and read-backs as the rules list them: queue initialisation, doorbells,
//! reported state.

use super::version::Version;
use super::word::EINVAL;
use crate::subject::{Event, QueueCfg};
use crate::wire::{QueueSw, Ring, RingState};
use udma_reference::abi;

/// Where the block of a queue starts (REGS-1).
pub fn block(ring: Ring, qid: u32) -> u64 {
    let first = match ring {
        Ring::Tx => 0x1000,
        Ring::Rx => 0x21000,
    };
    first + 0x1000 * u64::from(qid)
}

fn write(ring: Ring, qid: u32, offset: u64, value: u32) -> Event {
    Event::Write(abi::UDMA_SPACE_ENGINE, block(ring, qid) + offset, value)
}

/// State of a queue that engine initialisation leaves (QINI-6).
pub fn after_engine_init(ring: Ring) -> QueueSw {
    QueueSw {
        status: 2,
        cfg: 0x0300_0000,
        rlimit_mask: if ring == Ring::Tx { 7 } else { 0 },
        ..QueueSw::default()
    }
}

/// What a queue initialisation returns and does (QINI-1 to QINI-8). `states` are the two sides
/// before and after; those of a queue beyond 15 do not exist and are left alone.
pub fn queue_init(
    queues: u32,
    engine_id: u32,
    qid: u32,
    cfg: &QueueCfg,
    states: &mut [QueueSw; 2],
) -> (i32, Vec<Event>) {
    for side in 0..2 {
        if !cfg.base[side].is_multiple_of(256) || !cfg.size[side].is_multiple_of(16) {
            return (-1, Vec::new()); // QINI-1
        }
    }
    if cfg.completion_ring {
        return (-1, Vec::new()); // QINI-2
    }
    let mut events = Vec::new();
    for ring in Ring::BOTH {
        let (size, base) = (cfg.size[ring as usize], cfg.base[ring as usize]);
        if qid >= queues || !(32..=16_777_200).contains(&size) {
            return (EINVAL, events); // QINI-3, QINI-4, QINI-7
        }
        let step = |offset, value| write(ring, qid, offset, value);
        let (reset, completion) = match ring {
            Ring::Tx => (0xb0, 0xa0),
            Ring::Rx => (0x64, 0x54),
        };
        if ring == Ring::Tx {
            events.push(step(0x74, 3));
        }
        events.extend([
            step(0x20, 0x0300_0000),
            step(reset, 0x100),
            step(0x28, base as u32),
            step(0x2c, (base >> 32) as u32),
            step(0x30, size),
            step(completion, 0),
            step(0x20, 0x0303_0000),
        ]);
        states[ring as usize] = QueueSw {
            desc_phy_base: base,
            size_mask: size.wrapping_sub(1),
            next_desc_idx: 0,
            desc_ring_id: 1,
            next_cdesc_idx: 0,
            size,
            status: 2,
            qid,
            type_: ring as u32,
            cfg: 0x0303_0000,
            rlimit_mask: if ring == Ring::Tx { 7 } else { 0 },
            is_allocatable: cfg.allocatable.into(),
            flags: 2,
            cdesc_size: 0,
            comp_ring_id: 1,
            engine_id: if ring == Ring::Tx { engine_id } else { 0 },
            unused: 0,
        };
    }
    (0, events)
}

/// What a start of `m2s` TX and `s2m` RX descriptors returns and does (TRIG-1 to TRIG-7).
pub fn copy_start(
    version: &Version,
    queues: u32,
    qid: u32,
    sizes: [u32; 2],
    m2s: u32,
    s2m: u32,
) -> (i32, Vec<Event>) {
    if qid >= queues {
        return (-1, Vec::new());
    }
    if version.counts_first && (m2s > sizes[0] || s2m > sizes[1]) {
        return (-1, Vec::new());
    }
    let mut events = Vec::new();
    if s2m == 0 || s2m > sizes[1] {
        return (version.bad_count, events);
    }
    events.extend([Event::Barrier, write(Ring::Rx, qid, 0x38, s2m)]);
    if m2s == 0 {
        return (0, events); // TRIG-3
    }
    if m2s > sizes[0] {
        return (version.bad_count, events); // TRIG-7
    }
    events.extend([Event::Barrier, write(Ring::Tx, qid, 0x38, m2s)]);
    (0, events)
}

/// Registers of one ring in the order of [`RING_REGISTERS`].
pub type RingRegisters = [u32; 9];

/// Offsets in a queue block and names of the registers that are reported (REGS-1, REGS-2).
pub const RING_REGISTERS: [(u64, &str); 9] = [
    (0x24, "status"),
    (0x28, "drbp_low"),
    (0x2c, "drbp_high"),
    (0x30, "drl"),
    (0x34, "drhp"),
    (0x3c, "drtp"),
    (0x44, "crbp_low"),
    (0x48, "crbp_high"),
    (0x4c, "crhp"),
];

/// What is reported of a ring (REGS-2).
pub fn ring_state(registers: &RingRegisters, sw_status: u32) -> RingState {
    let [
        status,
        base_low,
        base_high,
        length,
        head,
        tail,
        comp_low,
        comp_high,
        comp_head,
    ] = *registers;
    let raw_base = u64::from(base_high) * 0x1_0000_0000 + u64::from(base_low);
    RingState {
        base_addr: raw_base - raw_base % 64,
        completion_base_addr: u64::from(comp_high) * 0x1_0000_0000 + u64::from(comp_low),
        raw_base,
        hw_status: status,
        sw_status,
        length: length % 0x100_0000,
        head_pointer: head % 0x100_0000,
        tail_pointer: tail % 0x100_0000,
        completion_head: comp_head % 0x100_0000,
        raw_length: length,
        unused: 0,
    }
}
