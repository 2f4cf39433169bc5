//! Vrings that are dumped, programmed into a queue and run on the weakest engine: memory then holds
//! what the copies, one after another, would have left.

use serde_json::{Value, json};
use udma::io::{Mmio, Space};

use super::{Script, Vring, form};
use crate::cases::json;
use crate::family::Family;
use crate::law::vring::{CHUNK, symbol};
use crate::law::word::word0;
use crate::line::{DRIVERS, Line};
use crate::model::{Arch, Config, Engine, Memory, Outside, Pattern, RegionError, Schedule};
use crate::subject::vring::{Machine, Op};
use crate::subject::{EngineCfg, QueueCfg, Subject};
use crate::subjects::RustEngine;
use crate::whole::{self, Whole};
use crate::wire::{Desc, Ring, pointer};

/// Bytes that sources are read from, and those that a rewrite moves them to: device memory.
pub const SOURCES: [u64; 2] = [0x1000_0000, 0x5000_0000];
/// Bytes that are written.
pub const TARGET: u64 = 0x2000_0000;
/// Where no-ops read and write.
pub const SCRATCH: u64 = 0x3000_0000;
/// Length of each region of data.
pub const REGION: u64 = 1 << 20;
/// Where the rings are in host memory.
const RINGS: [u64; 2] = [0x10_0000, 0x80_0000];

/// Runs a script's last dump.
pub struct Run;

/// A script that ends with the dump of both halves, in the address space above, and the seed of the
/// engine's choices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunCase {
    /// The script.
    pub script: Script,
    /// Seed.
    pub seed: u64,
}

/// What came of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// Code of the last step, and of the queue's initialisation.
    pub codes: [i32; 2],
    /// What the engine found wrong.
    pub found: Vec<String>,
    /// First address that does not hold what it should.
    pub difference: Option<u64>,
}

/// The engine's registers, for the program of the queue.
struct Registers<'e>(&'e mut Engine);

impl Mmio for Registers<'_> {
    fn read32(&mut self, space: Space, offset: u64) -> u32 {
        match space {
            Space::Engine => self.0.read32(offset),
            Space::Interrupt => 0,
        }
    }

    fn write32(&mut self, space: Space, offset: u64, value: u32) {
        if space == Space::Engine {
            self.0.write32(offset, value);
        }
    }

    fn barrier(&mut self) {
        self.0.barrier();
    }
}

const fn arch(number: u8) -> Arch {
    match number {
        2 => Arch::V2,
        4 => Arch::V4,
        _ => Arch::V3,
    }
}

/// Data as it is before a run.
fn data() -> Result<Memory, RegionError> {
    let mut memory = Memory::new();
    for (seed, source) in (7..).zip(SOURCES) {
        memory.add_extents(source, REGION, Pattern::stream(seed))?;
    }
    memory.add_bytes(TARGET, REGION)?;
    memory.add_bytes(SCRATCH, 64)?;
    Ok(memory)
}

/// A piece that one descriptor names: address and bytes.
type Piece = (u64, u64);

fn piece(desc: &Desc) -> Piece {
    let length = u64::from(desc.word[0] & word0::LENGTH);
    (pointer(desc), if length == 0 { CHUNK } else { length })
}

/// Sources and destinations of a script's copies in order, from the operations alone.
fn copies(script: &Script) -> [Vec<Piece>; 2] {
    let [mut sources, mut targets] = [Vec::new(), Vec::new()];
    for op in &script.ops {
        let mut copy = |src: u64, dst: u64, bytes: u64| {
            let mut done = 0;
            while done < bytes {
                let part = CHUNK.min(bytes - done);
                sources.push((src.wrapping_add(done), part));
                targets.push((dst.wrapping_add(done), part));
                done += part;
            }
        };
        match op {
            Op::Transfer(transfer) | Op::TransferEx(transfer) => {
                copy(transfer.src, transfer.dst, transfer.size);
            }
            Op::Poke { src, dst, .. } => copy(*src, *dst, 4),
            Op::Packet(packet) => {
                for block in &packet.blocks {
                    copy(block.src, block.dst, block.size);
                }
            }
            Op::Raw { half, desc } => match half {
                Ring::Tx => sources.push(piece(desc)),
                Ring::Rx => targets.push(piece(desc)),
            },
            Op::AddrRewrite {
                base,
                size,
                new_base,
            } => {
                for (address, _) in &mut sources {
                    if address.wrapping_sub(*base) < *size {
                        *address = address.wrapping_sub(*base).wrapping_add(*new_base);
                    }
                }
            }
            Op::Resolve { addresses } => {
                for (address, _) in sources.iter_mut().chain(&mut targets) {
                    if let Some((variable, offset)) = symbol(*address)
                        && let Some(base) = addresses.get(variable as usize)
                    {
                        *address = base.wrapping_add(offset);
                    }
                }
            }
            Op::Free => {
                sources.clear();
                targets.clear();
            }
            _ => {}
        }
    }
    [sources, targets]
}

/// What the written bytes hold after the copies, one after another.
fn expected(script: &Script) -> Result<Vec<u8>, Outside> {
    let Ok(mut memory) = data() else {
        return Ok(Vec::new());
    };
    let [sources, targets] = copies(script);
    for ((from, bytes), (to, _)) in sources.into_iter().zip(targets) {
        memory.copy(from, to, bytes)?;
    }
    let mut out = vec![0; REGION as usize];
    memory.read(TARGET, &mut out)?;
    Ok(out)
}

/// Slots of a pring that the last dump filled.
fn dumped(machine: &dyn Machine, ring: Ring) -> Option<(u32, Vec<Desc>)> {
    let state = machine.pring(ring)?;
    let first = state.memory - u64::from(state.allocated);
    let mut slots = vec![Desc::default(); state.used as usize];
    machine.read_pring(ring, first, &mut slots);
    Some((state.allocated, slots))
}

/// The bytes of a ring: what its slots hold in memory.
pub fn image_of(descs: &[Desc]) -> Vec<u8> {
    let words = descs.iter().flat_map(|desc| desc.word);
    words.flat_map(u32::to_le_bytes).collect()
}

/// Programs a queue for two rings and runs all of it; gives the code of the initialisation and what
/// the engine found wrong.
fn execute(engine: &mut Engine, number: u8, rings: &[(u32, Vec<Desc>); 2]) -> (i32, Vec<String>) {
    let host = arch(number);
    let cfg = EngineCfg {
        arch: number,
        driver: DRIVERS[0].0,
        num_queues: 16,
        engine_id: 0,
    };
    let Some(mut driver) = RustEngine::open(Line::Kernel, &cfg) else {
        return (-1, Vec::new());
    };
    let queue = QueueCfg {
        size: [rings[0].0, rings[1].0],
        base: RINGS.map(|ring| host.host(ring)),
        has_memory: [true; 2],
        ..QueueCfg::default()
    };
    let code = driver.queue_init(&mut Registers(engine), 0, &queue);
    if code != 0 {
        return (code, Vec::new());
    }
    for (base, (_, slots)) in RINGS.into_iter().zip(rings) {
        if let Err(outside) = engine.store(base, &image_of(slots)) {
            return (code, vec![outside.to_string()]);
        }
    }
    let counts = [0, 1].map(|ring| rings[ring].1.len() as u32);
    driver.copy_start(&mut Registers(engine), 0, counts[0], counts[1]);
    engine.settle();
    let faults = engine
        .faults()
        .iter()
        .map(|fault| format!("{} #{}: {}", fault.ring.name(), fault.index, fault.cause));
    let mut found: Vec<String> = faults.collect();
    found.extend(engine.findings().iter().map(ToString::to_string));
    (code, found)
}

impl Whole for Run {
    /// Code of the last step, and both rings.
    type Seen = (i32, [(u32, Vec<Desc>); 2]);

    fn see(subject: &dyn Subject, case: &RunCase) -> Option<Self::Seen> {
        let mut machine = subject.vrings()?.machine(case.script.arch)?;
        let mut last = 0;
        for op in &case.script.ops {
            last = machine.step(op)?.code;
        }
        let ring = |ring| dumped(machine.as_ref(), ring);
        Some((last, [ring(Ring::Tx)?, ring(Ring::Rx)?]))
    }
}

impl Family for Run {
    type Case = RunCase;
    type Answer = Ran;
    const NAME: &'static str = "vring_run";
    const MESSAGES: u64 = super::SCRIPT;

    fn operations(case: &RunCase) -> u64 {
        case.script.operations()
    }

    fn ask(subject: &dyn Subject, case: &RunCase) -> Option<Ran> {
        let number = case.script.arch;
        let (last, rings) = whole::see::<Self>(subject, case)?;
        let mut memory = data().ok()?;
        for (base, (allocated, _)) in RINGS.into_iter().zip(&rings) {
            let bytes = u64::from(*allocated) * 16;
            memory.add_bytes(arch(number).host(base), bytes).ok()?;
        }
        let config = Config::new(arch(number), Schedule::Seeded(case.seed));
        let mut engine = Engine::new(memory, config);
        let (code, found) = execute(&mut engine, number, &rings);
        let mut written = vec![0; REGION as usize];
        engine.memory().read(TARGET, &mut written).ok()?;
        let want = expected(&case.script).ok()?;
        let differing = want
            .iter()
            .zip(&written)
            .position(|(want, got)| want != got);
        Some(Ran {
            codes: [last, code],
            found,
            difference: differing.map(|at| TARGET + at as u64),
        })
    }

    fn required(line: Line, _case: &RunCase) -> Option<Ran> {
        (line == Line::Hal).then(Ran::default)
    }

    fn rules(line: Line, case: &RunCase) -> Vec<(&'static str, bool)> {
        Vring::rules(line, &case.script)
    }

    fn broken(_line: Line, case: &RunCase, _want: &Ran, _got: &Ran) -> Vec<&'static str> {
        let packs = |op: &Op| matches!(op, Op::Pack { .. });
        if case.script.ops.iter().any(packs) {
            vec!["PACK-1", "XFER-1", "DUMP-3"]
        } else {
            vec!["XFER-1", "DUMP-3", "BLDR-9"]
        }
    }

    fn simpler(case: &RunCase) -> Vec<RunCase> {
        // The prings and the dump at the end stay.
        let authored = case.script.ops.len().saturating_sub(3);
        (0..authored)
            .rev()
            .map(|at| {
                let mut simple = case.clone();
                simple.script.ops.remove(at);
                simple
            })
            .collect()
    }

    fn to_json(case: &RunCase) -> Value {
        json!({"vring": form::script_to_json(&case.script), "seed": case.seed})
    }

    fn from_json(value: &Value) -> Result<RunCase, String> {
        Ok(RunCase {
            script: form::script_from_json(json::member(value, "vring")?)?,
            seed: json::get(value, "seed")?,
        })
    }

    fn show(_case: &RunCase, answer: &Ran) -> Vec<String> {
        let mut lines = vec![format!(
            "last step {}, queue init {}",
            answer.codes[0], answer.codes[1]
        )];
        lines.extend(answer.found.iter().cloned());
        lines.push(match answer.difference {
            None => "memory as after the copies in order".into(),
            Some(at) => format!("memory differs from {at:#x} on"),
        });
        lines
    }
}
