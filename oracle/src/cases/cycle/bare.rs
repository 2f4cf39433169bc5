//! What the HAL line has without an engine object: starts and the software poll (TRIG, POLL-4).

use std::cell::RefCell;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::cycle::machine::MARKER;
use crate::cycle::trace::{Act, Trace};
use crate::family::{Family, simpler_number};
use crate::law::program::block;
use crate::line::Line;
use crate::subject::cycle::Host;
use crate::subject::{RingMemory, Subject};
use crate::whole::{self, Whole};
use crate::wire::Ring;

/// A call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Call {
    /// A start of TX and RX descriptors on a queue.
    Start {
        /// Queue.
        qid: u32,
        /// TX descriptors.
        m2s_count: u32,
        /// RX descriptors.
        s2m_count: u32,
    },
    /// A poll of at most so many looks.
    Poll {
        /// CPU address of the poll word.
        word: u64,
        /// Looks.
        looks: u64,
        /// Looks that find something else.
        misses: u64,
    },
}

/// The family.
pub struct Bare;

/// Registers that take what is written, and a poll word that shows the marker after some looks.
struct Bench {
    acts: RefCell<Vec<Act>>,
    misses: RefCell<u64>,
    word: u64,
    rings: RingMemory,
}

impl Host for Bench {
    fn read32(&self, _space: u32, offset: u64) -> u32 {
        self.acts.borrow_mut().push(Act::Read(offset));
        0
    }
    fn write32(&self, _space: u32, offset: u64, value: u32) {
        self.acts.borrow_mut().push(Act::Write(offset, value));
    }
    fn barrier(&self) {
        self.acts.borrow_mut().push(Act::Barrier);
    }
    fn load32(&self, address: u64) -> u32 {
        self.acts.borrow_mut().push(Act::Poll(address, 1));
        let mut misses = self.misses.borrow_mut();
        if *misses == 0 && address == self.word {
            return MARKER;
        }
        *misses = misses.saturating_sub(1);
        !MARKER
    }
    fn store32(&self, address: u64, value: u32) {
        self.acts.borrow_mut().push(Act::Store(address, value));
    }
    fn fill(&self, address: u64, byte: u8, _length: u64) {
        self.store32(address, byte.into());
    }
    fn now(&self) -> u64 {
        0
    }
    fn delay(&self, us: u64) {
        self.acts.borrow_mut().push(Act::Delay(us));
    }
    fn in_reset_window(&self, _started: u64) -> bool {
        false
    }
    fn acked(&self, ring: Ring, cursors: [u32; 3]) {
        self.acts.borrow_mut().push(Act::Ack(ring, cursors));
    }
    fn pin(&self, _page: u64, _frames: &mut [u64]) -> bool {
        false
    }
    fn unpin(&self, _page: u64, _count: u32) {}
    fn rings(&self) -> &RingMemory {
        &self.rings
    }
}

impl Whole for Bare {
    type Seen = (i32, Vec<Act>);

    fn see(subject: &dyn Subject, call: &Call) -> Option<(i32, Vec<Act>)> {
        let cycle = subject.cycle()?;
        let mut bench = Bench {
            acts: RefCell::default(),
            misses: RefCell::default(),
            word: 0,
            rings: RingMemory::default(),
        };
        let code = match *call {
            Call::Start {
                qid,
                m2s_count,
                s2m_count,
            } => cycle.bare_copy_start(qid, m2s_count, s2m_count, &bench)?,
            Call::Poll {
                word,
                looks,
                misses,
            } => {
                bench.misses = RefCell::new(misses);
                bench.word = word;
                cycle.software_poll(word, looks, &bench)?
            }
        };
        Some((code, bench.acts.into_inner()))
    }
}

impl Family for Bare {
    type Case = Call;
    type Answer = (i32, Vec<Act>);
    const NAME: &'static str = "bare";

    fn operations(call: &Call) -> u64 {
        match call {
            Call::Start { .. } => 1,
            Call::Poll { .. } => 2,
        }
    }

    fn ask(subject: &dyn Subject, call: &Call) -> Option<(i32, Vec<Act>)> {
        whole::see::<Self>(subject, call)
    }

    fn required(line: Line, call: &Call) -> Option<(i32, Vec<Act>)> {
        if line != Line::Hal {
            return None;
        }
        let mut acts = Vec::new();
        let code = match *call {
            Call::Start { qid, s2m_count, .. } if qid > 15 || s2m_count == 0 => -1,
            Call::Start {
                qid,
                m2s_count,
                s2m_count,
            } => {
                for (ring, count) in [(Ring::Rx, s2m_count), (Ring::Tx, m2s_count)] {
                    if count != 0 {
                        acts.extend([Act::Barrier, Act::Write(block(ring, qid) + 0x38, count)]);
                    }
                }
                0
            }
            Call::Poll {
                word,
                looks,
                misses,
            } => {
                for _ in 0..looks.min(misses) {
                    acts.extend([Act::Poll(word, 1), Act::Delay(10)]);
                }
                if misses < looks {
                    acts.push(Act::Poll(word, 1));
                    0
                } else {
                    -1
                }
            }
        };
        Some((code, acts))
    }

    fn rules(line: Line, call: &Call) -> Vec<(&'static str, bool)> {
        match (line, call) {
            (Line::Kernel, _) => Vec::new(),
            (_, Call::Start { .. }) => {
                vec![("TRIG-2", false), ("TRIG-5", false), ("REGS-1", false)]
            }
            // POLL-4: the kernel line looks every microsecond.
            (_, Call::Poll { .. }) => vec![("POLL-4", true), ("POLL-5", false)],
        }
    }

    fn broken(
        _line: Line,
        call: &Call,
        want: &(i32, Vec<Act>),
        got: &(i32, Vec<Act>),
    ) -> Vec<&'static str> {
        if want == got {
            return Vec::new();
        }
        let Call::Start { .. } = call else {
            let reads = got.1.iter().any(|act| matches!(act, Act::Read(_)));
            return vec![if reads { "POLL-5" } else { "POLL-4" }];
        };
        let writes = |acts: &[Act]| {
            let writes = acts.iter().filter(|act| matches!(act, Act::Write(..)));
            writes.cloned().collect::<Vec<Act>>()
        };
        if writes(&want.1) == writes(&got.1) && want.0 == got.0 {
            vec!["TRIG-5"]
        } else {
            vec!["TRIG-2", "REGS-1"]
        }
    }

    fn simpler(call: &Call) -> Vec<Call> {
        let mut calls = Vec::new();
        match *call {
            Call::Start {
                qid,
                m2s_count,
                s2m_count,
            } => {
                let of = |qid, m2s_count, s2m_count| Call::Start {
                    qid,
                    m2s_count,
                    s2m_count,
                };
                let less = |value: u32| simpler_number(value.into()).map(|value| value as u32);
                calls.extend(less(qid).map(|qid| of(qid, m2s_count, s2m_count)));
                calls.extend(less(m2s_count).map(|m2s| of(qid, m2s, s2m_count)));
                calls.extend(less(s2m_count).map(|s2m| of(qid, m2s_count, s2m)));
            }
            Call::Poll {
                word,
                looks,
                misses,
            } => {
                calls.extend(simpler_number(looks).map(|looks| Call::Poll {
                    word,
                    looks,
                    misses,
                }));
                calls.extend(simpler_number(misses).map(|misses| Call::Poll {
                    word,
                    looks,
                    misses,
                }));
            }
        }
        calls
    }

    fn to_json(call: &Call) -> Value {
        serde_json::to_value(call).expect("a call is plain data")
    }

    fn from_json(value: &Value) -> Result<Call, String> {
        let call: Call =
            serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
        match call {
            Call::Poll { looks, .. } if looks > 1 << 16 => {
                Err(format!("{looks} looks: at most 65536"))
            }
            call => Ok(call),
        }
    }

    fn show(_call: &Call, (code, acts): &(i32, Vec<Act>)) -> Vec<String> {
        let trace = Trace {
            results: vec![vec![(*code).into()]],
            acts: acts.clone(),
            ..Trace::default()
        };
        let mut lines = trace.lines();
        lines.pop(); // cursors, which the HAL line does not keep
        lines
    }
}
