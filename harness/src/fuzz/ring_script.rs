//! Any script of ring operations on a small queue.

use udma_oracle::cases::ring_script::{Op, Script};
use udma_oracle::cases::rings::Rings;
use udma_oracle::wire::{PairIn, Ring};

use super::input::{self, input};
use super::{Assert, Judge};

input! {
    /// A queue and what is done to it.
    struct Input {
        /// Driver version.
        driver: u8,
        /// Queue.
        qid: u8,
        /// Descriptors of TX.
        tx_size: u8,
        /// Descriptors of RX.
        rx_size: u8,
        /// Whether TX and RX have memory.
        has_memory: [bool; 2],
        /// Whether slots may be handed out.
        allocatable: bool,
        /// The operations.
        ops: Vec<Step>,
    }
}

input! {
    /// An operation.
    enum Step {
        /// Takes a slot.
        Get { rx: bool },
        /// Asks the ring id.
        RingId { rx: bool },
        /// Acknowledges.
        Ack { rx: bool, count: u32 },
        /// Counts the free slots.
        Available { rx: bool },
        /// Builds a pair; on another queue where one is given.
        Prepare { qid: Option<u32>, src: u64, dst: u64, size: u64, mode: i8, dst_int: bool },
        /// Takes and ring ids in turn.
        Lap { rx: bool, count: u8 },
    }
}

/// Most operations.
const MOST: usize = 256;

/// 32 to 512 descriptors; one in eight is no power of two.
fn size(byte: u8) -> u32 {
    if byte & 7 == 7 {
        48 + 16 * u32::from(byte >> 3)
    } else {
        32 << (byte % 5)
    }
}

fn ring(rx: bool) -> Ring {
    if rx { Ring::Rx } else { Ring::Tx }
}

impl Input {
    /// The script.
    pub fn script(&self) -> Script {
        let qid = u32::from(self.qid % 16);
        let mut ops = Vec::new();
        for step in self.ops.iter().take(MOST) {
            match *step {
                Step::Get { rx } => ops.push(Op::Get(ring(rx))),
                Step::RingId { rx } => ops.push(Op::RingId(ring(rx))),
                Step::Ack { rx, count } => ops.push(Op::Ack(ring(rx), count)),
                Step::Available { rx } => ops.push(Op::Available(ring(rx))),
                Step::Lap { rx, count } => {
                    for _ in 0..count {
                        ops.extend([Op::Get(ring(rx)), Op::RingId(ring(rx))]);
                    }
                }
                Step::Prepare {
                    qid: other,
                    src,
                    dst,
                    size,
                    mode,
                    dst_int,
                } => {
                    let pair = PairIn {
                        src,
                        dst,
                        size: if size & 1 == 0 { size >> 47 } else { size },
                        mode: mode.into(),
                        dst_int: dst_int.into(),
                        arch: 3,
                        ..PairIn::default()
                    };
                    ops.push(Op::Prepare(other.map_or(qid, |other| other | 16), pair));
                }
            }
        }
        Script {
            driver: self.driver % 5,
            qid,
            size: [size(self.tx_size), size(self.rx_size)],
            has_memory: self.has_memory,
            allocatable: self.allocatable,
            ops,
        }
    }

    /// The input of a script; none where no input is one.
    pub fn of(script: &Script) -> Option<Self> {
        let byte = |wanted: u32| (0..=255).find(|byte| size(*byte) == wanted);
        let is_rx = |ring: Ring| ring == Ring::Rx;
        let mut ops = Vec::new();
        let mut rest = script.ops.as_slice();
        while let Some((first, behind)) = rest.split_first() {
            rest = behind;
            ops.push(match *first {
                Op::Get(ring) => {
                    let pair = [Op::Get(ring), Op::RingId(ring)];
                    let more = behind.get(1..).unwrap_or_default();
                    let laps = more
                        .chunks(2)
                        .take_while(|ops| **ops == pair)
                        .count()
                        .min(254);
                    if behind.first() == Some(&pair[1]) {
                        rest = &behind[1 + 2 * laps..];
                        let count = 1 + laps as u8;
                        let rx = is_rx(ring);
                        Step::Lap { rx, count }
                    } else {
                        Step::Get { rx: is_rx(ring) }
                    }
                }
                Op::RingId(ring) => Step::RingId { rx: is_rx(ring) },
                Op::Ack(ring, count) => Step::Ack {
                    rx: is_rx(ring),
                    count,
                },
                Op::Available(ring) => Step::Available { rx: is_rx(ring) },
                Op::Prepare(qid, pair) => Step::Prepare {
                    qid: (qid != script.qid).then_some(qid),
                    src: pair.src,
                    dst: pair.dst,
                    size: if pair.size & 1 == 0 {
                        pair.size << 47
                    } else {
                        pair.size
                    },
                    mode: pair.mode as i8,
                    dst_int: pair.dst_int != 0,
                },
            });
        }
        let input = Self {
            driver: script.driver,
            qid: script.qid as u8,
            tx_size: byte(script.size[0])?,
            rx_size: byte(script.size[1])?,
            has_memory: script.has_memory,
            allocatable: script.allocatable,
            ops,
        };
        (input.script() == *script).then_some(input)
    }
}

/// Runs the target.
pub fn run<J: Judge>(bytes: &[u8], judge: &mut J) {
    if let Some(input) = input::read::<Input>(bytes) {
        judge.hold::<Rings>(&input.script());
    }
}

/// Runs it as the fuzzer does.
pub fn fuzz(bytes: &[u8]) {
    run(bytes, &mut Assert::all());
}
