//! Descriptors of any flags and lengths, packed again and again (PACK).

use udma_oracle::cases::vring::Vring;
use udma_oracle::subject::vring::{Op, Transfer};
use udma_oracle::wire::{Desc, Ring};

use super::input::{self, input};
use super::vring_script::script;
use super::{Assert, Judge};

input! {
    /// What is packed, and how.
    struct Input {
        /// Architecture.
        arch: u8,
        /// What is authored first.
        parts: Vec<Part>,
        /// The packs.
        packs: Vec<Pack>,
    }
}

input! {
    /// What goes into both halves.
    enum Part {
        /// A transfer.
        Transfer { place: u8, size: u32, ordered: bool },
        /// A descriptor each, with any flags.
        Pair { place: u8, tx: u8, rx: u8, length: u16, word1: Option<u32> },
        /// A descriptor in one half alone.
        Single { rx: bool, flags: u8, length: u16 },
        /// A poke.
        Poke { event: bool, place: u8 },
    }
}

input! {
    /// One pack.
    struct Pack {
        /// First index.
        start: u8,
        /// Descriptors; none for all from there on.
        count: Option<u8>,
        /// Most bytes of a packet, in kibibytes less one; 255 for any.
        most: u8,
        /// Once more, which has to settle (PACK-5).
        twice: bool,
        /// A barrier on the last packet afterwards.
        barrier: bool,
    }
}

/// Most parts, packs and chunks.
const MOST: [usize; 3] = [32, 6, 200];

fn raw(half: Ring, flags: u8, length: u16, word1: u32, address: u64) -> Op {
    Op::Raw {
        half,
        desc: Desc {
            word: [
                u32::from(flags) << 24 | u32::from(length),
                word1,
                address as u32,
                (address >> 32) as u32,
            ],
        },
    }
}

impl Part {
    fn ops(&self) -> Vec<Op> {
        let at = |place: u8| 0x10_0000 + u64::from(place) * 0x1_0000;
        match *self {
            Self::Transfer {
                place,
                size,
                ordered,
            } => vec![Op::Transfer(Transfer {
                src: at(place),
                dst: at(place) << 4,
                size: u64::from(size % 0x60_0001),
                ordered,
            })],
            Self::Pair {
                place,
                tx,
                rx,
                length,
                word1,
            } => vec![
                raw(
                    Ring::Tx,
                    tx,
                    length,
                    word1.unwrap_or(0x0108_0003),
                    at(place),
                ),
                raw(Ring::Rx, rx, length, 0, at(place) << 4),
            ],
            Self::Single { rx, flags, length } => {
                let half = if rx { Ring::Rx } else { Ring::Tx };
                let word1 = if rx { 0 } else { 0x0108_0003 };
                vec![raw(half, flags, length, word1, at(flags))]
            }
            Self::Poke { event, place } => vec![Op::Poke {
                event,
                src: at(place),
                dst: at(place) << 4,
            }],
        }
    }
}

impl Pack {
    fn ops(&self) -> Vec<Op> {
        let start = u32::from(self.start) % 64;
        let pack = Op::Pack {
            start,
            end: self.count.map_or(64, |count| start + u32::from(count)),
            max_bytes: match self.most {
                u8::MAX => u64::MAX,
                most => u64::from(most) << 10,
            },
        };
        let mut ops = vec![pack.clone()];
        ops.extend(self.twice.then_some(pack));
        ops.extend(self.barrier.then_some(Op::DmbOnLastPacket));
        ops
    }
}

/// Runs the target.
pub fn run<J: Judge>(bytes: &[u8], judge: &mut J) {
    let Some(input) = input::read::<Input>(bytes) else {
        return;
    };
    let parts = input.parts.iter().take(MOST[0]).flat_map(Part::ops);
    let packs = input.packs.iter().take(MOST[1]).flat_map(Pack::ops);
    judge.hold::<Vring>(&script(input.arch, parts.chain(packs), MOST[2] as u64));
}

/// Runs it as the fuzzer does.
pub fn fuzz(bytes: &[u8]) {
    run(bytes, &mut Assert::all());
}
