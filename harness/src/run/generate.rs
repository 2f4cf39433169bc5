//! Random valid programs, and the smallest one that still shows a difference.
//!
//! A plan is a list of batches; a program is written from it. What comes of the program is what the
//! reference interpreter says, so a plan holds nothing that the rules leave open: a copy that reads
//! what an earlier one of its batch writes has a data memory barrier, and every batch is ordered
//! before its marker.

use std::path::Path;

use udma_oracle::generate::mix;

use crate::interpret::interpret;
use crate::outcome::Outcome;
use crate::program::build::{Author, Mode, stream};
use crate::program::step::Op;
use crate::program::{Arch, At, Expected, Fill, Number, Patch, Piece, Place, Program, Ring};

/// A stretch of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    buffer: usize,
    start: u64,
}

impl Stretch {
    fn overlaps(self, size: u64, other: Self, other_size: u64) -> bool {
        self.buffer == other.buffer
            && self.start < other.start + other_size
            && other.start < self.start + size
    }

    fn at(self) -> At {
        At::start(&format!("b{}", self.buffer)).plus(self.start)
    }
}

/// One copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Move {
    src: Stretch,
    dst: Stretch,
    size: u64,
    /// Joined to the copy before it in one packet.
    joined: bool,
    interrupt: bool,
}

/// How the data of a batch are kept before its marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Barrier {
    OnMarker(Mode),
    OnLast,
}

/// One part of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Batch {
        ring: usize,
        copies: Vec<Move>,
        barrier: Barrier,
    },
    Driver(Move),
    Memset {
        dst: Stretch,
        size: u64,
        value: u32,
    },
    Write {
        dst: Stretch,
        size: u64,
        seed: u64,
    },
    Again {
        ring: usize,
    },
}

/// A program that can be made smaller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    name: String,
    buffers: Vec<(Place, u64)>,
    rings: Vec<(u32, u32, Place)>,
    parts: Vec<Part>,
}

struct Dice {
    seed: u64,
    thrown: u64,
}

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.thrown += 1;
        mix(self.seed, self.thrown) % bound.max(1)
    }

    fn of<T: std::marker::Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len() as u64) as usize]
    }

    /// Small numbers more often than large ones.
    fn size(&mut self, most: u64) -> u64 {
        let bits = self.below(u64::from(most.max(1).ilog2()) + 1);
        (1 + self.below(1 << (bits + 1))).min(most)
    }
}

const PAIR: u64 = 0x1_0000;
const LARGEST: u64 = 200_000;

impl Plan {
    /// The `index`th plan of a seed, for an architecture.
    pub fn new(seed: u64, index: u64, arch: Arch) -> Self {
        let mut dice = Dice {
            seed: mix(seed, index),
            thrown: 0,
        };
        let places = [Place::Host, Place::Device];
        let buffers: Vec<_> = (0..2 + dice.below(3))
            .map(|_| (dice.of(&places), 64 + dice.size(LARGEST)))
            .collect();
        let sizes = [32, 64, 128, 512];
        let rings: Vec<_> = (0..=dice.below(2))
            .map(|_| (dice.of(&sizes), dice.of(&sizes), dice.of(&places)))
            .collect();
        let mut plan = Self {
            name: format!("generated-{seed}-{index}"),
            buffers,
            rings,
            parts: Vec::new(),
        };
        for _ in 0..=dice.below(10) {
            let part = plan.part(&mut dice, arch);
            plan.parts.push(part);
        }
        plan
    }

    fn stretch(&self, dice: &mut Dice, size: u64) -> Stretch {
        let fits: Vec<usize> = (0..self.buffers.len())
            .filter(|at| self.buffers[*at].1 >= size)
            .collect();
        let buffer = dice.of(&fits);
        let room = self.buffers[buffer].1 - size;
        // Borders more often than anything else.
        let start = match dice.below(4) {
            0 => 0,
            1 => room,
            _ => dice.below(room + 1),
        };
        Stretch { buffer, start }
    }

    fn copy(&self, dice: &mut Dice) -> Move {
        let most = self
            .buffers
            .iter()
            .map(|(_, size)| *size)
            .min()
            .unwrap_or(1);
        loop {
            let size = dice.size(most.min(PAIR));
            let copy = Move {
                src: self.stretch(dice, size),
                dst: self.stretch(dice, size),
                size,
                joined: dice.below(4) == 0,
                interrupt: dice.below(8) == 0,
            };
            if !copy.src.overlaps(size, copy.dst, size) {
                return copy;
            }
        }
    }

    fn part(&self, dice: &mut Dice, arch: Arch) -> Part {
        match dice.below(10) {
            0 => Part::Driver(self.copy(dice)),
            1 => {
                let copy = self.copy(dice);
                let value = dice.below(1 << 16) as u32;
                Part::Memset {
                    dst: copy.dst,
                    size: copy.size,
                    value,
                }
            }
            2 => {
                let copy = self.copy(dice);
                Part::Write {
                    dst: copy.dst,
                    size: copy.size,
                    seed: dice.below(1000),
                }
            }
            3 => Part::Again {
                ring: dice.below(self.rings.len() as u64) as usize,
            },
            _ => {
                let ring = dice.below(self.rings.len() as u64) as usize;
                let (tx, rx, _) = self.rings[ring];
                let most = u64::from(tx.min(rx)) - 1;
                let count = dice.size(most.min(40));
                let copies = (0..count).map(|_| self.copy(dice)).collect();
                let barrier = match dice.below(3) {
                    0 => Barrier::OnLast,
                    1 if arch != Arch::V2 => Barrier::OnMarker(Mode::Sow),
                    _ => Barrier::OnMarker(Mode::Dmb),
                };
                Part::Batch {
                    ring,
                    copies,
                    barrier,
                }
            }
        }
    }

    /// The program, with the outcome that the interpreter gives.
    ///
    /// # Errors
    /// Those of the interpreter.
    pub fn program(&self, arch: Arch) -> Result<Program, String> {
        let mut author = Author::new(
            &self.name,
            "A generated program.",
            &["MODL-3", "MODL-5", "BLDR-1", "RING-4"],
        );
        for (at, (place, size)) in self.buffers.iter().enumerate() {
            author.buffer(&format!("b{at}"), *place, *size, stream(at as u64 + 1));
        }
        for (at, (tx, rx, place)) in self.rings.iter().enumerate() {
            author.ring_as(Ring {
                name: format!("q{at}"),
                engine: at as u32 % 2,
                queue: at as u32,
                tx: *tx,
                rx: *rx,
                place: *place,
                init: true,
            });
        }
        author.only(&[arch]);
        for part in &self.parts {
            write_part(&mut author, part);
        }
        let mut program = author.done();
        let made = interpret(&program, arch, Path::new("."))?;
        program.outcomes = vec![expected(&program, &made.outcome)?];
        Ok(program)
    }

    /// Smaller plans, the smallest first.
    pub fn smaller(&self) -> Vec<Self> {
        let mut plans = Vec::new();
        let mut with = |parts: Vec<Part>| {
            plans.push(Self {
                parts,
                ..self.clone()
            });
        };
        let count = self.parts.len();
        if count > 1 {
            with(self.parts[count / 2..].to_vec());
            with(self.parts[..count / 2].to_vec());
        }
        for at in 0..count {
            let mut parts = self.parts.clone();
            let part = parts.remove(at);
            if count > 1 {
                with(parts.clone());
            }
            for part in part.smaller() {
                let mut parts = parts.clone();
                parts.insert(at, part);
                with(parts);
            }
        }
        plans
    }
}

impl Part {
    fn smaller(&self) -> Vec<Self> {
        let halved = |copy: &Move| Move {
            size: copy.size / 2,
            joined: false,
            interrupt: false,
            ..*copy
        };
        match self {
            Self::Batch {
                ring,
                copies,
                barrier,
            } => {
                let with = |copies: Vec<Move>| Self::Batch {
                    ring: *ring,
                    copies,
                    barrier: *barrier,
                };
                let mut parts = Vec::new();
                let count = copies.len();
                if count > 1 {
                    parts.push(with(copies[count / 2..].to_vec()));
                    parts.push(with(copies[..count / 2].to_vec()));
                }
                for at in 0..count {
                    if count > 1 {
                        let mut fewer = copies.clone();
                        fewer.remove(at);
                        parts.push(with(fewer));
                    }
                    if copies[at].size > 1 {
                        let mut shorter = copies.clone();
                        shorter[at] = halved(&copies[at]);
                        parts.push(with(shorter));
                    }
                }
                parts
            }
            Self::Driver(copy) if copy.size > 1 => vec![Self::Driver(halved(copy))],
            Self::Memset { dst, size, value } if *size > 1 => vec![Self::Memset {
                dst: *dst,
                size: size / 2,
                value: *value,
            }],
            Self::Write { dst, size, seed } if *size > 1 => vec![Self::Write {
                dst: *dst,
                size: size / 2,
                seed: *seed,
            }],
            _ => Vec::new(),
        }
    }
}

fn write_part(author: &mut Author, part: &Part) {
    match part {
        Part::Driver(copy) => {
            author.step(Op::DriverCopy {
                src: copy.src.at(),
                dst: copy.dst.at(),
                size: Number(copy.size),
            });
        }
        Part::Memset { dst, size, value } => {
            author.step(Op::Memset {
                at: dst.at(),
                value: *value,
                size: Number(*size),
            });
        }
        Part::Write { dst, size, seed } => {
            author.step(Op::Write {
                at: dst.at(),
                fill: stream(*seed),
                size: Number(*size),
            });
        }
        Part::Again { ring } => {
            author.again(&format!("q{ring}"));
        }
        Part::Batch {
            ring,
            copies,
            barrier,
        } => batch(author, &format!("q{ring}"), copies, *barrier),
    }
}

fn batch(author: &mut Author, ring: &str, copies: &[Move], barrier: Barrier) {
    let reads_earlier = |at: usize| {
        let copy = &copies[at];
        let mut earlier = copies[..at].iter();
        earlier.any(|other| copy.src.overlaps(copy.size, other.dst, other.size))
    };
    let (mut at, mut hazard_last) = (0, false);
    while at < copies.len() {
        let mut end = at + 1;
        // A packet takes its source bytes at once: none of its blocks reads what another writes.
        while end < copies.len() && copies[end].joined && end - at < 16 && !reads_earlier(end) {
            end += 1;
        }
        let last = end == copies.len();
        let hazard = reads_earlier(at);
        hazard_last = hazard;
        let mode = match barrier {
            _ if hazard => Mode::Dmb,
            Barrier::OnLast if last => Mode::WriteBarrier,
            _ => Mode::None,
        };
        if end - at == 1 {
            author.step(Op::Copy {
                ring: ring.into(),
                src: copies[at].src.at(),
                dst: copies[at].dst.at(),
                size: Number(copies[at].size),
                mode,
                interrupt: copies[at].interrupt,
            });
        } else {
            let blocks: Vec<_> = copies[at..end]
                .iter()
                .map(|copy| (copy.src.at(), copy.dst.at(), copy.size))
                .collect();
            author.packet(ring, &blocks, mode);
        }
        at = end;
    }
    // Where the last mode had to be a barrier of another kind, the marker carries the order.
    let marker = match barrier {
        Barrier::OnMarker(mode) => mode,
        Barrier::OnLast if hazard_last => Mode::Dmb,
        Barrier::OnLast => Mode::None,
    };
    author.finish_as(ring, marker);
}

/// The outcome as a program states it: the ranges that changed, byte by byte.
fn expected(program: &Program, outcome: &Outcome) -> Result<Expected, String> {
    let mut expected = Expected {
        rings: outcome.rings.clone(),
        ..Expected::default()
    };
    for buffer in &program.buffers {
        let mut before = vec![0; buffer.size.0 as usize];
        buffer.fill.put(&mut before, Path::new("."))?;
        let after = outcome
            .memory
            .get(&buffer.name)
            .map_or(&[][..], Vec::as_slice);
        let differs = |at: &usize| before.get(*at) != after.get(*at);
        let Some(first) = (0..after.len()).find(differs) else {
            continue;
        };
        let last = (first..after.len()).rev().find(differs).unwrap_or(first);
        let hex: String = after[first..=last]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        expected.memory.push(Patch {
            at: At::start(&buffer.name).plus(first as u64),
            is: vec![Piece::fill(Fill::Hex(hex), (last - first + 1) as u64)],
        });
    }
    Ok(expected)
}

/// The smallest plan that a chain of smaller ones leads to and that still fails.
pub fn shrink(plan: &Plan, mut fails: impl FnMut(&Plan) -> bool) -> Plan {
    let mut smallest = plan.clone();
    'smaller: loop {
        for candidate in smallest.smaller() {
            if fails(&candidate) {
                smallest = candidate;
                continue 'smaller;
            }
        }
        return smallest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::check;

    #[test]
    fn plans_are_valid_programs_and_shrink() {
        for index in 0..50 {
            let plan = Plan::new(1, index, Arch::V3);
            assert_eq!(plan, Plan::new(1, index, Arch::V3));
            let program = plan.program(Arch::V3).unwrap();
            check::check(&program).unwrap_or_else(|bad| panic!("{index}: {bad:?}"));
        }
        // Anything that has a fill in it: one fill of one byte is left.
        let has_fill = |plan: &Plan| {
            plan.parts
                .iter()
                .any(|part| matches!(part, Part::Memset { .. }))
        };
        let plan = (0..100)
            .map(|index| Plan::new(2, index, Arch::V2))
            .find(has_fill)
            .unwrap();
        let smallest = shrink(&plan, has_fill);
        assert!(
            matches!(smallest.parts[..], [Part::Memset { size: 1, .. }]),
            "{smallest:?}"
        );
    }
}
