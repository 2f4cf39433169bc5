//! Inputs without a preference: what has few values (a mode, an architecture) is one of them, every
//! other number is any of its width, and bytes of a block are any that a descriptor can say. Suites do
//! not draw from these: they show how rarely a wrong belief would be met by chance alone.

use std::collections::BTreeSet;

use serde_json::Value;

use super::mix;
use crate::cases::abi::{Abi, AbiCase};
use crate::cases::bar0::{self, Gate};
use crate::cases::bits::Bits;
use crate::cases::cce::{Combo, Dtype, Remap};
use crate::cases::count::Count;
use crate::cases::crc::{Crc, CrcCase};
use crate::cases::descriptor::{DescCase, Descriptor};
use crate::cases::engine;
use crate::cases::iofic::{self, Causes, Iofic};
use crate::cases::meta::Meta;
use crate::cases::operation::{Call, Of, Operation};
use crate::cases::opword::{
    AddWordOperation, CceExtWordOperation, FmaFrontOperation, FmaWordOperation, FrontSetOperation,
    GradientFrontOperation, GradientWordOperation, MinMaxFrontOperation, MinMaxWordOperation,
    ReplicationFrontOperation, ReplicationWordOperation, SeedFrontOperation, SplitWordOperation,
    TransposeWordOperation, WordSetOperation, width,
};
use crate::cases::packet::Packet;
use crate::cases::pair::Pair;
use crate::cases::queue::{Queue, QueueCase};
use crate::cases::start::{Start, StartCase};
use crate::cases::state::{State, StateCase};
use crate::cases::transpose::{FlushPair, Transpose, Window};
use crate::family::Family;
use crate::law::engine::StateRegisters;
use crate::line::Line;
use crate::subject::{EngineCfg, PacketIn, QueueCfg, Subject};
use crate::wire::{BitCase, Block, Desc, PairIn};
use udma_reference::abi;

/// Numbers one after another.
#[derive(Clone, Debug)]
pub struct Uniform {
    seed: u64,
    index: u64,
}

impl Uniform {
    /// Those of a seed.
    pub fn new(seed: u64) -> Self {
        Self { seed, index: 0 }
    }

    /// Any 64 bits.
    pub fn long(&mut self) -> u64 {
        self.index += 1;
        mix(self.seed, self.index)
    }

    /// Any 32 bits.
    pub fn word(&mut self) -> u32 {
        (self.long() >> 32) as u32
    }

    /// One of `0..count`, of 2^32 at most; the bias of a count far below that is not seen.
    pub fn below(&mut self, count: u64) -> u64 {
        ((self.long() >> 32) * count) >> 32
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 1
    }

    fn arch(&mut self) -> u8 {
        2 + self.below(3) as u8
    }

    fn words<const N: usize>(&mut self) -> [u32; N] {
        std::array::from_fn(|_| self.word())
    }

    fn bytes(&mut self) -> u64 {
        1 + self.below(65536)
    }
}

/// How often a subject answers otherwise with a belief planted than without.
#[derive(Clone, Debug)]
pub struct Share {
    /// Family of the inputs.
    pub family: &'static str,
    /// Rules about them.
    pub rules: BTreeSet<&'static str>,
    /// Inputs that the subject answered.
    pub inputs: u64,
    /// Of these, those that it answered otherwise.
    pub wrong: u64,
    /// Whether the known input is of this family and is answered otherwise.
    pub shown: bool,
}

/// Inputs at a time.
const BATCH: u64 = 100;
/// Inputs whose rules are looked at.
const LOOKED_AT: u64 = 500;

/// What is measured.
pub struct Measure<'a> {
    /// The subject.
    pub subject: &'a dyn Subject,
    /// Its line.
    pub line: Line,
    /// Rules of which one must have something to say about the inputs.
    pub rules: BTreeSet<&'a str>,
    /// Inputs of each family of cases.
    pub inputs: u64,
    /// An input that is known to be answered otherwise, as in the vector format.
    pub known: &'a Value,
    /// Plants the belief, or takes it out.
    pub plant: &'a mut dyn FnMut(bool),
    shares: Vec<Share>,
}

impl<'a> Measure<'a> {
    /// Nothing measured yet.
    pub fn new(
        subject: &'a dyn Subject,
        line: Line,
        rules: BTreeSet<&'a str>,
        inputs: u64,
        known: &'a Value,
        plant: &'a mut dyn FnMut(bool),
    ) -> Self {
        Self {
            subject,
            line,
            rules,
            inputs,
            known,
            plant,
            shares: Vec::new(),
        }
    }

    fn of<F: Family>(&mut self, mut make: impl FnMut(&mut Uniform) -> F::Case) {
        let mut random = Uniform::new(11);
        let rules: BTreeSet<&'static str> = (0..LOOKED_AT)
            .flat_map(|_| F::rules(self.line, &make(&mut random)))
            .map(|(rule, _)| rule)
            .collect();
        if rules.is_disjoint(&self.rules) {
            return;
        }
        let (mut inputs, mut wrong) = (0, 0);
        for _ in 0..self.inputs.div_ceil(BATCH) {
            let cases: Vec<F::Case> = (0..BATCH).map(|_| make(&mut random)).collect();
            let ask = |case| F::ask(self.subject, case);
            (self.plant)(false);
            let right: Vec<_> = cases.iter().map(ask).collect();
            (self.plant)(true);
            let planted: Vec<_> = cases.iter().map(ask).collect();
            (self.plant)(false);
            inputs += right.iter().filter(|answer| answer.is_some()).count() as u64;
            wrong += right
                .iter()
                .zip(&planted)
                .filter(|(right, planted)| right.is_some() && right != planted)
                .count() as u64;
        }
        let shown = F::from_json(self.known).is_ok_and(|case| {
            let right = F::ask(self.subject, &case);
            (self.plant)(true);
            let planted = F::ask(self.subject, &case);
            (self.plant)(false);
            right != planted
        });
        if inputs > 0 {
            self.shares.push(Share {
                family: F::NAME,
                rules,
                inputs,
                wrong,
                shown,
            });
        }
    }

    /// An operation whose arguments are any of 32 bits, but for flags and data types.
    fn words<O: Operation>(&mut self) {
        self.of::<Of<O>>(|random| {
            Call::of(
                O::ARGS
                    .iter()
                    .map(|name| match *name {
                        name if width(name) == 1 => random.below(2),
                        name if name.ends_with("dtype") => random.below(16),
                        _ => random.word().into(),
                    })
                    .collect::<Vec<_>>(),
            )
        });
    }

    /// Measures every family that has to do with the rules.
    pub fn all(mut self) -> Vec<Share> {
        self.builders();
        self.compute();
        self.engine();
        self.shares
    }

    fn builders(&mut self) {
        self.of::<Pair>(pair);
        self.of::<Packet>(|random| PacketIn {
            blocks: (0..random.below(130))
                .map(|_| Block {
                    src: random.long(),
                    dst: random.long(),
                    size: random.bytes(),
                })
                .collect(),
            rx_ring_id: random.word(),
            tx_ring_id: random.word(),
            mode: random.below(5) as i32,
            dst_int: random.coin(),
            sow: random.coin(),
            notify: random.coin(),
            arch: random.arch(),
        });
        self.of::<Crc>(|random| CrcCase {
            index: random.word(),
            copy: random.coin().then(|| pair(random)),
        });
        self.of::<Descriptor>(|random| DescCase {
            view: random.below(3) as u32,
            desc: Desc {
                word: random.words(),
            },
        });
        self.of::<Bits>(|random| BitCase {
            op: random.below(abi::UDMA_BIT_OPS.into()) as u32,
            desc: Desc {
                word: random.words(),
            },
            ..BitCase::default()
        });
        self.of::<Meta>(Uniform::word);
        self.of::<Count>(Uniform::word);
        self.of::<Abi>(|random| {
            if random.coin() {
                AbiCase::Number(random.word())
            } else {
                AbiCase::Compose(
                    random.below(4) as u32,
                    random.below(1 << 14) as u32,
                    random.below(256) as u32,
                )
            }
        });
    }

    fn compute(&mut self) {
        self.words::<SplitWordOperation>();
        self.words::<TransposeWordOperation>();
        self.words::<ReplicationWordOperation>();
        self.words::<AddWordOperation>();
        self.words::<MinMaxWordOperation>();
        self.words::<FmaWordOperation>();
        self.words::<CceExtWordOperation>();
        self.words::<GradientWordOperation>();
        self.words::<WordSetOperation>();
        self.words::<FrontSetOperation>();
        self.words::<FmaFrontOperation>();
        self.words::<MinMaxFrontOperation>();
        self.words::<SeedFrontOperation>();
        self.words::<ReplicationFrontOperation>();
        self.words::<GradientFrontOperation>();
        self.of::<Dtype>(|random| {
            let arch = random.arch();
            Call::of([arch.into(), random.below(16), random.word().into()])
        });
        self.of::<Remap>(|random| Call::of([random.below(4), random.word().into()]));
        self.of::<Combo>(|random| {
            Call::of([random.below(33), random.word().into(), random.word().into()])
        });
        self.of::<Transpose>(|random| {
            let mut args = vec![random.arch().into(), random.below(16)];
            args.extend((0..4).map(|_| u64::from(random.word())));
            args.extend([random.below(256), random.below(256)]);
            args.extend([random.bytes(), random.long()]);
            Call::of(args)
        });
        self.of::<Window>(|random| {
            Call::of([random.long(), 1 + random.below(15), random.word().into()])
        });
        self.of::<FlushPair>(|random| {
            let ids = [random.below(4), random.below(4)];
            Call::of([
                random.arch().into(),
                ids[0],
                ids[1],
                random.long(),
                random.long(),
            ])
        });
    }

    fn engine(&mut self) {
        self.of::<Gate>(|random| {
            // All of the largest BAR0.
            bar0::call(&bar0::gate(random.arch().into(), random.long() >> 28))
        });
        self.of::<Iofic>(|random| {
            let case = crate::subject::ops::Iofic {
                call: random.below(abi::UDMA_IOFIC_CALLS.into()) as u32,
                revision: random.below(8) as u32,
                level: random.below(2) as u32,
                group: random.below(6) as u32,
                group_base: u64::from(random.word() & !0x3f),
                bits: random.word(),
            };
            let held = random.coin();
            let registers = iofic::contents(case.level, case.group, random.words());
            iofic::call(&case, held, registers)
        });
        self.of::<Causes>(|random| {
            let (revision, level) = (random.below(8), random.below(2));
            let registers = (0..5)
                .map(|number| iofic::cause(level as u32, number, random.word()))
                .collect();
            Call {
                args: vec![revision, level],
                registers,
            }
        });
        self.of::<engine::Init>(|random| {
            let case = crate::subject::ops::EngineInit {
                arch: random.arch().into(),
                num_queues: random.word(),
                max_desc: random.word(),
                reserve_read_id: random.coin(),
            };
            engine::init_call(&case, random.word(), random.word())
        });
        self.of::<engine::State>(|random| {
            let registers = StateRegisters {
                m2s: random.word(),
                s2m: random.word(),
                stream: random.word(),
                queues: random.words(),
            };
            engine::state_call(&registers, random.below(17) as u32)
        });
        self.of::<engine::SetState>(|random| Call::of([random.below(8)]));
        self.of::<State>(|random| StateCase {
            qid: random.below(16) as u32,
            sw_status: random.words(),
            registers: [random.words(), random.words()],
        });
        self.of::<Queue>(|random| QueueCase {
            engine: EngineCfg {
                arch: random.arch(),
                driver: random.below(5) as u8,
                num_queues: 1 + random.below(16) as u32,
                engine_id: random.word(),
            },
            qid: random.below(17) as u32,
            queue: QueueCfg {
                size: [ring_size(random), ring_size(random)],
                base: [ring_base(random), ring_base(random)],
                has_memory: [random.coin(), random.coin()],
                allocatable: random.coin(),
                completion_ring: random.coin(),
            },
            repeat: 1,
            used_between: 0,
        });
        self.of::<Start>(|random| StartCase {
            driver: random.below(5) as u8,
            num_queues: 16,
            qid: random.below(16) as u32,
            size: [0, 1].map(|_| 16 * (2 + random.below(0x000f_fffe) as u32)),
            count: [ring_size(random), ring_size(random)],
        });
    }
}

/// Half of the sizes are any, half are such that a ring can have them.
fn ring_size(random: &mut Uniform) -> u32 {
    if random.coin() {
        random.word()
    } else {
        16 * (2 + random.below(0x000f_fffe) as u32)
    }
}

/// Half of the addresses are any, half are aligned as those of rings.
fn ring_base(random: &mut Uniform) -> u64 {
    let any = random.long();
    if random.coin() { any } else { any & !0xff }
}

fn pair(random: &mut Uniform) -> PairIn {
    PairIn {
        src: random.long(),
        dst: random.long(),
        // From 0 to twice of what a descriptor can say.
        size: random.below(1 << 17),
        rx_ring_id: random.below(4) as u32,
        tx_ring_id: random.below(4) as u32,
        mode: random.below(5) as i32,
        dst_int: random.coin().into(),
        sow: random.coin().into(),
        arch: random.arch(),
        driver: random.below(5) as u8,
    }
}
