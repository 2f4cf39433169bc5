//! Queue bring-up and read-back (QINI, REGS).

use proptest::prelude::*;

use super::{Check, CheckError, Level, vectors};
use crate::cases::queue::{Queue, QueueCase};
use crate::cases::state::{State, StateCase};
use crate::generate::{mix, sample};
use crate::session::Session;
use crate::subject::{EngineCfg, QueueCfg};

const INIT_RULES: &[&str] = &[
    "QINI-1", "QINI-2", "QINI-3", "QINI-4", "QINI-5", "QINI-6", "QINI-7", "QINI-8", "REGS-1",
    "RING-1", "RING-10",
];

pub const CHECKS: &[Check] = &[
    Check {
        suite: "queue_init",
        name: "queue_init",
        rules: INIT_RULES,
        level: Level::Recorded,
        run: recorded,
    },
    Check {
        suite: "queue_init",
        name: "edges",
        rules: INIT_RULES,
        level: Level::Quick,
        run: edges,
    },
    Check {
        suite: "queue_init",
        name: "random",
        rules: INIT_RULES,
        level: Level::Quick,
        run: random,
    },
    Check {
        suite: "queue_init",
        name: "queue_state",
        rules: &["REGS-1", "REGS-2"],
        level: Level::Recorded,
        run: recorded_state,
    },
    Check {
        suite: "queue_init",
        name: "read_back",
        rules: &["REGS-1", "REGS-2"],
        level: Level::Quick,
        run: read_back,
    },
];

fn recorded(session: &mut Session) -> Result<(), CheckError> {
    vectors(session, "queue_init")
}

fn recorded_state(session: &mut Session) -> Result<(), CheckError> {
    vectors(session, "queue_state")
}

/// Ring sizes where verdicts change.
const SIZES: [u32; 16] = [
    0,
    16,
    31,
    32,
    33,
    48,
    64,
    4096,
    8192,
    65536,
    65552,
    16_777_200,
    16_777_201,
    16_777_216,
    0x8000_0000,
    0xffff_fff0,
];
/// Ring bases: aligned, and off by each power of two.
const BASES: [u64; 9] = [
    0x1_0000_0000,
    0,
    0xffff_ffff_ffff_ff00,
    0x100,
    0x80,
    0x40,
    0x10,
    1,
    0x1234_5678_9abc_de80,
];

fn case(qid: u32, size: [u32; 2], base: [u64; 2]) -> QueueCase {
    QueueCase {
        engine: EngineCfg {
            arch: 3,
            driver: 0,
            num_queues: 16,
            engine_id: 53,
        },
        qid,
        queue: QueueCfg {
            size,
            base,
            has_memory: [true; 2],
            allocatable: true,
            completion_ring: false,
        },
        repeat: 1,
        used_between: 0,
    }
}

fn edges(session: &mut Session) -> Result<(), CheckError> {
    let mut number = 0;
    let mut attempt = |session: &mut Session, case: QueueCase| {
        number += 1;
        session.try_case::<Queue>(&|| format!("edges#{number}"), &case, None);
    };
    let good = BASES[0];
    for tx in SIZES {
        for rx in SIZES {
            attempt(session, case(3, [tx, rx], [good; 2]));
        }
    }
    for tx in BASES {
        for rx in BASES {
            attempt(session, case(15, [64, 128], [tx, rx]));
        }
    }
    for num_queues in 0..=16 {
        for qid in (0..=17).chain([255, 256, u32::MAX]) {
            let mut case = case(qid, [64, 64], [good, 2 * good]);
            case.engine.num_queues = num_queues.max(1);
            attempt(session, case);
        }
    }
    for (at, flags) in (0..16u8).enumerate() {
        let mut case = case(at as u32, [64, 96], [good, 3 * good]);
        case.queue.completion_ring = flags & 1 != 0;
        case.queue.allocatable = flags & 2 != 0;
        if flags & 4 != 0 {
            case.queue.has_memory = [false; 2];
            case.queue.base = [0; 2];
        }
        case.repeat = if flags & 8 != 0 { 3 } else { 1 };
        case.used_between = 20;
        attempt(session, case);
    }
    for arch in 2..=4 {
        for (driver, _) in crate::line::DRIVERS {
            for engine_id in [0, 1, 131, u32::MAX] {
                let mut case = case(7, [4096, 8192], [good, 2 * good]);
                case.engine = EngineCfg {
                    arch,
                    driver,
                    num_queues: 16,
                    engine_id,
                };
                attempt(session, case);
            }
        }
    }
    Ok(())
}

fn random(session: &mut Session) -> Result<(), CheckError> {
    let size = prop_oneof![
        4 => (2u32..6000).prop_map(|n| n * 16),
        1 => any::<u32>(),
        1 => any::<u32>().prop_map(|n| n & !15),
    ];
    let base = prop_oneof![5 => any::<u64>().prop_map(|base| base & !0xff), 1 => any::<u64>()];
    let sizes = (size.clone(), size);
    let bases = (base.clone(), base);
    let engine = (2u8..=4, 0u8..5, 1u32..=16, any::<u32>());
    let other = (0u32..20, any::<bool>(), 0u8..12, 1u32..4, 0u32..70);
    let (seed, count) = (mix(session.options.seed, 10), session.options.cases / 10);
    let strategy = (sizes, bases, engine, other);
    sample(
        seed,
        count,
        strategy,
        |index, ((tx, rx), bases, engine, other)| {
            let (qid, allocatable, ring, repeat, used_between) = other;
            let (arch, driver, num_queues, engine_id) = engine;
            let mut case = case(qid, [tx, rx], [bases.0, bases.1]);
            case.engine = EngineCfg {
                arch,
                driver,
                num_queues,
                engine_id,
            };
            case.queue.allocatable = allocatable;
            case.queue.completion_ring = ring == 0;
            // Taking descriptors needs rings whose cursors do not stop old drivers.
            let even = tx.is_power_of_two() && rx.is_power_of_two() && qid < num_queues.min(16);
            (case.repeat, case.used_between) = if even { (repeat, used_between) } else { (1, 0) };
            session.try_case::<Queue>(&|| format!("random#{index}"), &case, None);
        },
    );
    Ok(())
}

/// Every single bit of every register, and random register files.
fn read_back(session: &mut Session) -> Result<(), CheckError> {
    for side in 0..2 {
        for register in 0..9 {
            for bit in 0..32 {
                let mut case = StateCase {
                    qid: bit % 16,
                    sw_status: [2, 1],
                    registers: [[0; 9]; 2],
                };
                case.registers[side][register] = 1 << bit;
                let origin = || format!("bits {side}/{register}#{bit}");
                session.try_case::<State>(&origin, &case, None);
            }
        }
    }
    let (seed, count) = (mix(session.options.seed, 11), session.options.cases / 4);
    let strategy = (0u32..16, any::<[u32; 2]>(), any::<[[u32; 9]; 2]>());
    sample(
        seed,
        count,
        strategy,
        |index, (qid, sw_status, registers)| {
            let case = StateCase {
                qid,
                sw_status,
                registers,
            };
            session.try_case::<State>(&|| format!("random#{index}"), &case, None);
        },
    );
    Ok(())
}
