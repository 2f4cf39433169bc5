//! Templates: variables in any place, resolved from any lists, and a cache of resolved rings (TMPL).

use udma_oracle::cases::vring::Vring;
use udma_oracle::subject::vring::{Op, Transfer};

use super::input::{self, input};
use super::vring_script::script;
use super::{Assert, Judge};

input! {
    /// A template and what is done with it.
    struct Input {
        /// Architecture.
        arch: u8,
        /// Largest variable.
        max_var_id: u8,
        /// Transfers from and to variables.
        copies: Vec<Copy>,
        /// Lists of addresses that uses take theirs from.
        lists: [Vec<u64>; 3],
        /// What is done, in order.
        uses: Vec<Use>,
    }
}

input! {
    /// A transfer.
    struct Copy {
        /// Variable of the source; none for an address.
        src: Option<u8>,
        /// Variable of the destination.
        dst: Option<u8>,
        /// Offset, or address.
        at: u32,
        /// Bits that are no part of a symbol (TMPL-1).
        beside: u8,
        /// Bytes.
        size: u32,
    }
}

input! {
    /// One use.
    enum Use {
        /// Resolves in place.
        Resolve { list: u8 },
        /// Makes a cache.
        Cache { capacity: u8 },
        /// Takes a ring.
        Acquire { list: u8 },
        /// Gives one back.
        Release { holding: u8 },
        /// Goes on with a copy.
        DeepCopy {},
        /// Becomes a template once more.
        Template { max_var_id: u8 },
        /// One transfer more.
        Transfer { copy: Copy },
        /// Pages that are granted.
        PageBudget { pages: Option<u8> },
        /// Frees both halves.
        Free {},
        /// Makes a cache, takes eight rings and gives each back, lists by two bits each.
        Turns { capacity: u8, lists: u16 },
    }
}

/// Most chunks of a script.
const MOST_CHUNKS: u64 = 200;

impl Copy {
    fn op(&self) -> Op {
        let beside = u64::from(self.beside) << 55 & 0xdf80_0000_0000_0000;
        let address = |variable: Option<u8>| {
            let symbol = |variable| 1 << 61 | u64::from(variable) << 36 | beside;
            variable.map_or(0, symbol) | u64::from(self.at)
        };
        Op::Transfer(Transfer {
            src: address(self.src),
            dst: address(self.dst),
            size: u64::from(self.size % 0x4_0001),
            ordered: self.at & 1 != 0,
        })
    }
}

impl Input {
    fn ops(&self) -> Vec<Op> {
        let list = |number: u8| self.lists[usize::from(number) % self.lists.len()].clone();
        let template = |max_var_id: u8| Op::Template {
            max_var_id: max_var_id.into(),
        };
        let mut ops: Vec<Op> = self.copies.iter().map(Copy::op).collect();
        ops.push(template(self.max_var_id));
        for usage in &self.uses {
            ops.push(match usage {
                Use::Resolve { list: number } => Op::Resolve {
                    addresses: list(*number),
                },
                Use::Cache { capacity } => Op::Cache {
                    capacity: (capacity % 4).into(),
                },
                Use::Acquire { list: number } => Op::Acquire {
                    addresses: list(*number),
                },
                Use::Release { holding } => Op::Release {
                    holding: (*holding).into(),
                },
                Use::DeepCopy {} => Op::DeepCopy,
                Use::Template { max_var_id } => template(*max_var_id),
                Use::Transfer { copy } => copy.op(),
                Use::PageBudget { pages } => Op::PageBudget {
                    pages: pages.map(u32::from),
                },
                Use::Free {} => Op::Free,
                Use::Turns { capacity, lists } => {
                    let is_acquire = |op: &&Op| matches!(op, Op::Acquire { .. });
                    // As they are numbered where none is refused.
                    let before = ops.iter().filter(is_acquire).count() as u32;
                    ops.push(Op::Cache {
                        capacity: (capacity % 4).into(),
                    });
                    for turn in 0..8 {
                        ops.push(Op::Acquire {
                            addresses: list((lists >> (2 * turn) & 3) as u8),
                        });
                        ops.push(Op::Release {
                            holding: before + turn,
                        });
                    }
                    continue;
                }
            });
        }
        ops
    }
}

/// Runs the target.
pub fn run<J: Judge>(bytes: &[u8], judge: &mut J) {
    if let Some(input) = input::read::<Input>(bytes) {
        judge.hold::<Vring>(&script(input.arch, input.ops(), MOST_CHUNKS));
    }
}

/// Runs it as the fuzzer does.
pub fn fuzz(bytes: &[u8]) {
    run(bytes, &mut Assert::all());
}
