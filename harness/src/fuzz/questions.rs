//! What a driver asks once, and what is asked of a layout: bring-up of engines and queues, starts,
//! states, waits, places, sets; and a copy whose batches get lost.

use udma_oracle::cases::abi::{Abi, AbiCase};
use udma_oracle::cases::bar0::{self, Gate};
use udma_oracle::cases::cycle::Program;
use udma_oracle::cases::cycle::bare::{Bare, Call as BareCall};
use udma_oracle::cases::cycle::question::{Estimate, Of, Offered, Place};
use udma_oracle::cases::engine::{self, init_call, state_call};
use udma_oracle::cases::operation::Call;
use udma_oracle::cases::queue::{Queue, QueueCase};
use udma_oracle::cases::start::{Start, StartCase};
use udma_oracle::cases::state::{State, StateCase};
use udma_oracle::cases::vring::{
    Layout, LayoutCase, PLACES, RingLimit, RingLimitCase, Set, SetCase,
};
use udma_oracle::law::engine::StateRegisters;
use udma_oracle::law::vring::CAP;
use udma_oracle::subject::ops::EngineInit;
use udma_oracle::subject::{EngineCfg, QueueCfg};

use super::input::{self, input};
use super::run_script::{self, Script};
use super::{Assert, Judge, hash};

input! {
    /// A question.
    enum Question {
        /// An engine's initialisation.
        Engine { arch: u8, queues: Number, packet: Number, reserve: bool, outstanding: u32, spare: u32 },
        /// An engine's state from its registers.
        EngineState { m2s: u32, s2m: u32, stream: u32, queues: [u32; 16], count: u8 },
        /// The name of a state.
        StateName { state: u32 },
        /// A queue's initialisation, perhaps not the first one.
        Queue { arch: u8, driver: u8, queues: u8, id: u32, qid: u8, sides: [Side; 2], closed: bool, completion: bool, again: u8, used: u8 },
        /// A queue's registers.
        QueueState { qid: u8, sw_status: [u32; 2], registers: [[u32; 9]; 2] },
        /// A start.
        Start { driver: u8, queues: u8, qid: u8, size: [u16; 2], count: [Number; 2] },
        /// A start without an engine object.
        Bare { qid: u8, count: [Number; 2] },
        /// The software poll.
        Poll { word: u32, looks: u8, misses: u8 },
        /// An access through BAR0.
        Gate { arch: u8, base: u64, offset: u64, one: bool },
        /// How long a batch is waited for.
        Wait { arch: u8, driver: u8, platform: u8, count: Number, is_async: bool },
        /// Where a core's transfers go, and whether zero-copy is offered.
        Core { arch: u8, core: u8, overridden: bool },
        /// A place in the documented layout.
        Place { at: u8, stray: bool },
        /// A set of rings.
        Set { length: u16, rounding: bool },
        /// The ring for so many descriptors.
        Ring { descriptors: Number, below_cap: bool, wrap: bool },
        /// The number of a request.
        Request { dir: u8, size: u16, nr: u8, constant: u8 },
        /// A queue's run.
        Run { script: Script },
    }
}

input! {
    /// A number, most often a small one.
    enum Number {
        /// Below 256.
        Small { value: u8 },
        /// Any.
        Any { value: u32 },
    }
}

input! {
    /// One ring of a queue.
    struct Side {
        /// Its descriptors: 16 times so many, or this number.
        size: Number,
        /// Its address.
        base: u64,
        /// Whether it has a ring, and how its address is aligned.
        flags: u8,
    }
}

impl Number {
    fn value(&self) -> u32 {
        match *self {
            Self::Small { value } => value.into(),
            Self::Any { value } => value,
        }
    }
}

impl Side {
    fn size(&self) -> u32 {
        match self.size {
            Number::Small { value } => 16 * u32::from(value),
            Number::Any { value } => value,
        }
    }

    fn base(&self) -> u64 {
        let align = [0xff, 0, 0x3f, 0x7f][usize::from(self.flags >> 1 & 3)]; // QINI-1
        self.base & !align
    }
}

/// One input in so many may lose some: that takes a thousand times as long as the rest.
pub(super) const LOSES: u64 = 256;

fn ask<J: Judge>(question: &Question, may_lose: bool, judge: &mut J) {
    let arch = |number: u8| 2 + number % 3;
    match question {
        Question::Engine {
            arch: number,
            queues,
            packet,
            reserve,
            outstanding,
            spare,
        } => {
            let init = EngineInit {
                arch: arch(*number).into(),
                num_queues: queues.value(),
                max_desc: packet.value(),
                reserve_read_id: *reserve,
            };
            judge.hold::<engine::Init>(&init_call(&init, *outstanding, *spare));
        }
        Question::EngineState {
            m2s,
            s2m,
            stream,
            queues,
            count,
        } => {
            let registers = StateRegisters {
                m2s: *m2s,
                s2m: *s2m,
                stream: *stream,
                queues: *queues,
            };
            judge.hold::<engine::State>(&state_call(&registers, u32::from(*count) % 17));
        }
        Question::StateName { state } => {
            // Most numbers are none of a state.
            let state = if state & 1 == 0 {
                state >> 1 & 0xf
            } else {
                *state
            };
            judge.hold::<engine::SetState>(&Call::of([state.into()]));
        }
        Question::Queue {
            arch: number,
            driver,
            queues,
            id,
            qid,
            sides,
            closed,
            completion,
            again,
            used,
        } => {
            let (size, qid) = (sides.each_ref().map(Side::size), u32::from(qid % 20));
            let num_queues = 1 + u32::from(queues % 16);
            // Taking descriptors needs rings whose cursors do not stop old drivers.
            let even = size.iter().all(|size| size.is_power_of_two()) && qid < num_queues;
            let queue = QueueCfg {
                size,
                base: sides.each_ref().map(Side::base),
                has_memory: sides.each_ref().map(|side| side.flags & 1 == 0),
                allocatable: !closed,
                completion_ring: *completion,
            };
            let even = even && queue.has_memory == [true; 2];
            judge.hold::<Queue>(&QueueCase {
                engine: EngineCfg {
                    arch: arch(*number),
                    driver: driver % 5,
                    num_queues,
                    engine_id: *id,
                },
                qid,
                queue,
                repeat: if even { u32::from(again % 3) + 1 } else { 1 },
                used_between: if even { u32::from(used % 70) } else { 0 },
            });
        }
        Question::QueueState {
            qid,
            sw_status,
            registers,
        } => {
            judge.hold::<State>(&StateCase {
                qid: u32::from(qid % 16),
                sw_status: *sw_status,
                registers: *registers,
            });
        }
        Question::Start {
            driver,
            queues,
            qid,
            size,
            count,
        } => {
            judge.hold::<Start>(&StartCase {
                driver: driver % 5,
                num_queues: 1 + u32::from(queues % 16),
                qid: u32::from(qid % 18),
                size: size.map(|size| 16 * (2 + u32::from(size % 1000))),
                count: count.each_ref().map(Number::value),
            });
        }
        Question::Bare { qid, count } => {
            let [m2s_count, s2m_count] = count.each_ref().map(Number::value);
            judge.hold::<Bare>(&BareCall::Start {
                qid: u32::from(qid % 18),
                m2s_count,
                s2m_count,
            });
        }
        Question::Poll {
            word,
            looks,
            misses,
        } => {
            judge.hold::<Bare>(&BareCall::Poll {
                word: 1 << 32 | u64::from(*word),
                looks: u64::from(looks % 16),
                misses: u64::from(misses % 18),
            });
        }
        Question::Gate {
            arch: number,
            base,
            offset,
            one,
        } => {
            let number = arch(*number).into();
            judge.hold::<Gate>(&bar0::call(&if *one {
                bar0::one_engine(number, *base, base.wrapping_add(*offset))
            } else {
                bar0::gate(number, *offset)
            }));
        }
        Question::Wait {
            arch: number,
            driver,
            platform,
            count,
            is_async,
        } => {
            let numbers = [arch(*number), driver % 5, platform % 3].map(u64::from);
            let mut numbers = numbers.to_vec();
            numbers.extend([count.value().into(), u64::from(*is_async)]);
            judge.hold::<Of<Estimate>>(&numbers);
        }
        Question::Core {
            arch: number,
            core,
            overridden,
        } => {
            let number = u64::from(arch(*number));
            judge.hold::<Of<Place>>(&vec![number, (core % 10).into()]);
            judge.hold::<Of<Offered>>(&vec![number, u64::from(*overridden)]);
        }
        Question::Place { at, stray } => {
            let (structure, field, ..) = PLACES[usize::from(*at) % PLACES.len()];
            judge.hold::<Layout>(&LayoutCase {
                structure: structure.into(),
                field: if *stray { "no such member" } else { field }.into(),
            });
        }
        Question::Set { length, rounding } => {
            judge.hold::<Set>(&SetCase {
                name: "s".repeat(usize::from(length % 300)),
                rounding: *rounding,
            });
        }
        Question::Ring {
            descriptors,
            below_cap,
            wrap,
        } => {
            let descriptors = descriptors.value();
            let descriptors = if *below_cap {
                CAP as u32 - descriptors % 64
            } else {
                descriptors % (CAP as u32 + 1)
            };
            judge.hold::<RingLimit>(&RingLimitCase {
                descriptors,
                wrap: *wrap,
            });
        }
        Question::Request {
            dir,
            size,
            nr,
            constant,
        } => {
            let (dir, size) = (u32::from(dir % 4), u32::from(size % 0x4000));
            judge.hold::<Abi>(&AbiCase::Compose(dir, size, (*nr).into()));
            let types = ["queue type tx", "queue type rx", "queue type completion"];
            let constant = types[usize::from(*constant) % types.len()];
            judge.hold::<Abi>(&AbiCase::Constant(constant.into()));
        }
        Question::Run { script } => judge.hold::<Program>(&script.run(may_lose)),
    }
}

/// Runs the target.
pub fn run<J: Judge>(bytes: &[u8], judge: &mut J) {
    if let Some(question) = input::read(bytes) {
        ask(&question, hash(bytes).is_multiple_of(LOSES), judge);
    }
}

/// Runs it as the fuzzer does.
pub fn fuzz(bytes: &[u8]) {
    run(bytes, &mut Assert::all());
}

/// A question of each kind.
pub fn each() -> Vec<Question> {
    let small = |value| Number::Small { value };
    let side = |base| Side {
        size: small(4),
        base,
        flags: 0,
    };
    let mut each = vec![
        Question::Engine {
            arch: 1,
            queues: small(16),
            packet: small(64),
            reserve: true,
            outstanding: 0,
            spare: 0,
        },
        Question::EngineState {
            m2s: 0x1111,
            s2m: 0x1111,
            stream: 0,
            queues: [0x1_0000; 16],
            count: 16,
        },
        Question::StateName { state: 2 },
        Question::Queue {
            arch: 1,
            driver: 0,
            queues: 15,
            id: 53,
            qid: 3,
            sides: [side(0x1000), side(0x2000)],
            closed: false,
            completion: false,
            again: 1,
            used: 5,
        },
        Question::QueueState {
            qid: 3,
            sw_status: [2, 1],
            registers: [[1; 9]; 2],
        },
        Question::Start {
            driver: 0,
            queues: 15,
            qid: 3,
            size: [2, 2],
            count: [small(3), small(3)],
        },
        Question::Bare {
            qid: 3,
            count: [small(3), small(3)],
        },
        Question::Poll {
            word: 4,
            looks: 3,
            misses: 1,
        },
        Question::Gate {
            arch: 1,
            base: 0,
            offset: 0x1000,
            one: false,
        },
        Question::Gate {
            arch: 1,
            base: 0x100_0000,
            offset: 0x1038,
            one: true,
        },
        Question::Wait {
            arch: 1,
            driver: 0,
            platform: 0,
            count: small(64),
            is_async: false,
        },
        Question::Core {
            arch: 1,
            core: 1,
            overridden: false,
        },
        Question::Place {
            at: 3,
            stray: false,
        },
        Question::Set {
            length: 3,
            rounding: true,
        },
        Question::Ring {
            descriptors: small(16),
            below_cap: true,
            wrap: true,
        },
        Question::Request {
            dir: 3,
            size: 8,
            nr: 35,
            constant: 0,
        },
    ];
    let runs = run_script::each().into_iter();
    each.extend(runs.map(|script| Question::Run { script }));
    each
}
