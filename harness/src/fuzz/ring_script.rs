//! Any script of ring operations on a small queue, or of reserves and a commit on a shadow queue.

use udma_oracle::cases::count::Count;
use udma_oracle::cases::cycle::question::Of;
use udma_oracle::cases::cycle::shadow;
use udma_oracle::cases::ring_script::{Op, Script};
use udma_oracle::cases::rings::Rings;
use udma_oracle::wire::{PairIn, Ring};

use super::input::{self, input};
use super::{Assert, Judge, hash};

input! {
    /// Which cursors.
    enum Any {
        /// Those of the kernel's ring.
        Queue { queue: Input },
        /// Those of the shadow queue in user space (SWQ).
        Shadow { shadow: Shadow },
        /// How many descriptors a ring gets (RING-9).
        Count { wanted: u32 },
    }
}

input! {
    /// A shadow queue and what is done with it.
    struct Shadow {
        /// Slots of TX and RX.
        size: [u8; 2],
        /// Slots that are reserved, one time after the other.
        reserves: Vec<u8>,
        /// First slot of a commit.
        first: u8,
        /// Phase of that slot.
        phase: u8,
        /// Descriptors that are committed.
        descs: u8,
        /// Addresses beside them.
        addresses: bool,
        /// Ring id that they bear.
        ring_id: u8,
    }
}

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

/// Most slots of a shadow queue.
const SLOTS: u64 = 40;
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

impl Shadow {
    fn counts(&self) -> [u64; 2] {
        self.size.map(|size| 1 + u64::from(size) % SLOTS)
    }

    /// Reserves, some of more slots than there are.
    fn reserves(&self) -> Vec<u64> {
        let wanted = self.reserves.iter().take(MOST);
        let wanted = wanted.map(|wanted| u64::from(*wanted) % (SLOTS + 2));
        self.counts().into_iter().chain(wanted).collect()
    }

    /// The commit, of more descriptors than there are slots now and then.
    fn commit(&self) -> Vec<u64> {
        let count = self.counts()[0];
        vec![
            count,
            u64::from(self.first) % (count + 1),
            u64::from(self.phase) % 4,
            u64::from(self.descs) % (count + 2),
            self.addresses.into(),
            u64::from(self.ring_id) % 4,
        ]
    }
}

/// A count as it is, or of one in two inputs one near a power of two less the guard gap, where the
/// size of the ring changes (RING-9).
fn count(wanted: u32, hash: u64) -> u32 {
    if !hash.is_multiple_of(2) {
        return wanted;
    }
    let power = 1u32.checked_shl(wanted % 33).unwrap_or(0);
    power.wrapping_sub(18).wrapping_add(wanted >> 8 & 3)
}

/// Runs the target.
pub fn run<J: Judge>(bytes: &[u8], judge: &mut J) {
    match input::read::<Any>(bytes) {
        Some(Any::Queue { queue }) => judge.hold::<Rings>(&queue.script()),
        Some(Any::Shadow { shadow }) => {
            judge.hold::<Of<shadow::Script>>(&shadow.reserves());
            judge.hold::<Of<shadow::Commits>>(&shadow.commit());
        }
        Some(Any::Count { wanted }) => judge.hold::<Count>(&count(wanted, hash(bytes))),
        None => {}
    }
}

/// Runs it as the fuzzer does.
pub fn fuzz(bytes: &[u8]) {
    run(bytes, &mut Assert::all());
}
