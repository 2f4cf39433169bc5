//! Scripts on virtual rings: every operation in its turn, with arguments near the state that it
//! meets, so that most succeed and the rest fail in a way of interest.

mod draw;
mod run;

use super::mix;
use crate::cases::vring::Script;
use crate::law::vring::{CHUNK, PAGE, pring_size};
use crate::law::word::{meta, word0};
use crate::subject::vring::{Dump, Op, Packet, Transfer};
use crate::wire::{Block, Desc, Ring};

pub use draw::Draw;
pub use run::runnable;

/// Every so many scripts one begins at the end of a page.
const CROSSING: u64 = 40;

/// Kinds by the order of [`Op::NAMES`], in thousandths or a little more.
const WEIGHTS: [u64; 22] = [
    120, 40, 40, 70, 90, 70, 38, 38, 36, 36, 38, 42, 36, 35, 45, 36, 45, 40, 36, 36, 48, 38,
];

/// What a script in the making has done so far; refusals are not foreseen.
struct Making {
    draw: Draw,
    used: [u64; 2],
    allocated: [u64; 2],
    holdings: u64,
    lists: [Vec<u64>; 3],
    ops: Vec<Op>,
}

/// Scripts of a deep run.
pub const DEEP_SCRIPTS: u64 = 100_000;

/// Script `number` of a run with this seed.
pub fn script_of_run(seed: u64, number: u64) -> Script {
    script(mix(seed, 40), number)
}

/// Script `number` of a seed: 1 to 200 operations.
pub fn script(seed: u64, number: u64) -> Script {
    let mut draw = Draw::new(mix(seed, number));
    let arch = 2 + draw.below(3) as u8;
    let most = if draw.one_in(4) { 200 } else { 100 };
    let wanted = 1 + draw.below(most) as usize;
    let lists = [(); 3].map(|()| (0..3 + draw.below(6)).map(|_| draw.any()).collect());
    let mut making = Making {
        draw,
        used: [0; 2],
        allocated: [0; 2],
        holdings: 0,
        lists,
        ops: Vec::new(),
    };
    if number % CROSSING == CROSSING - 1 {
        making.cross();
    }
    while making.ops.len() < wanted {
        making.step();
    }
    making.ops.truncate(200);
    Script {
        arch,
        ops: making.ops,
    }
}

impl Making {
    /// Over the end of a page, in one transfer or at its border.
    fn cross(&mut self) {
        let first = PAGE - 3 + self.draw.below(6);
        for chunks in [first, 7] {
            let transfer = Transfer {
                src: self.draw.below(1 << 32),
                dst: self.draw.below(1 << 32),
                size: chunks * CHUNK,
                ordered: self.draw.one_in(2),
            };
            self.ops.push(Op::Transfer(transfer));
            self.used = self.used.map(|used| used + chunks);
        }
    }

    fn step(&mut self) {
        let mut at = self.draw.below(WEIGHTS.iter().sum());
        let kind = WEIGHTS.iter().position(|weight| {
            let found = at < *weight;
            at = at.saturating_sub(*weight);
            found
        });
        let op = match kind.unwrap_or_default() {
            0 => Op::Transfer(self.transfer()),
            1 => Op::TransferEx(self.transfer()),
            2 => {
                self.used = self.used.map(|used| used + 1);
                Op::Poke {
                    event: self.draw.one_in(2),
                    src: self.address(),
                    dst: self.address(),
                }
            }
            3 => Op::Packet(self.packet()),
            4 => self.raw(),
            5 => self.pack(),
            6 => Op::DmbOnLastPacket,
            7 => self.rewrite(),
            8 => Op::SemaphoreWanted {
                enabled: !self.draw.one_in(4),
            },
            9 => Op::EmbedSemaphore {
                enabled: !self.draw.one_in(4),
                set_sow: self.draw.one_in(2),
                csr_index: self.draw.any() as u8,
                semaphore: self.draw.any() as u16,
            },
            10 => Op::Template {
                max_var_id: self.draw.of(&[0, 3, 4, 4, 7, 7, 0x7_ffff]),
            },
            11 => Op::Resolve {
                addresses: self.list(),
            },
            12 => Op::DeepCopy,
            13 => {
                self.used = [0; 2];
                Op::Free
            }
            14 => self.pring(),
            15 => Op::PringSize {
                descriptors: self.count(),
                wrap: self.draw.one_in(2),
            },
            16 => self.dump(),
            17 => self.dump_both(),
            18 => Op::PageBudget {
                pages: (!self.draw.one_in(2)).then(|| self.draw.below(5) as u32),
            },
            19 => Op::Cache {
                capacity: self.draw.below(4) as u32,
            },
            20 => {
                self.holdings += 1;
                Op::Acquire {
                    addresses: self.list(),
                }
            }
            _ => Op::Release {
                holding: self.draw.below(self.holdings + 1) as u32,
            },
        };
        // Packing twice has to settle (PACK-5).
        if matches!(op, Op::Pack { .. }) && self.draw.one_in(3) {
            self.ops.push(op.clone());
        }
        self.ops.push(op);
    }

    /// Plain, symbolic, or of any width.
    fn address(&mut self) -> u64 {
        let any = self.draw.any();
        match self.draw.below(8) {
            0..=3 => any & 0xf_ffff,
            4 | 5 => {
                let ignored = if self.draw.one_in(4) {
                    any & 0xdf80_0000_0000_0000
                } else {
                    0
                };
                let variable = self.draw.below(6);
                ignored | 1 << 61 | variable << 36 | any >> 28
            }
            6 => any >> (any & 63),
            _ => u64::MAX - (any & 0xf_ffff),
        }
    }

    fn size(&mut self) -> u64 {
        match self.draw.below(8) {
            0 => 0,
            1 => self
                .draw
                .of(&[1, 4, 65_535, 65_536, 65_537, 131_072, 131_073]),
            2..=5 => self.draw.below(5 * CHUNK),
            6 => self.draw.below(4096),
            _ => self.draw.below(100) * CHUNK,
        }
    }

    fn transfer(&mut self) -> Transfer {
        let transfer = Transfer {
            src: self.address(),
            dst: self.address(),
            size: self.size(),
            ordered: self.draw.one_in(2),
        };
        let chunks = transfer.size.div_ceil(CHUNK);
        self.used = self.used.map(|used| used + chunks);
        transfer
    }

    fn packet(&mut self) -> Packet {
        let count = match self.draw.below(8) {
            0 => self.draw.of(&[0, 64, 65, 66, 127, 128, 129]),
            _ => 1 + self.draw.below(12),
        };
        let mut blocks = Vec::new();
        for _ in 0..count {
            blocks.push(Block {
                src: self.address(),
                dst: self.address(),
                size: 1 + self.draw.below(CHUNK),
            });
        }
        if self.draw.one_in(12)
            && let Some(block) = blocks.first_mut()
        {
            block.size = self.draw.of(&[0, 65_537, u64::MAX]);
        }
        self.used = self.used.map(|used| used + count);
        Packet {
            mode: self.draw.of(&[0, 0, 0, 1, 2, 3, 4]),
            sow: self.draw.one_in(4),
            dst_int: self.draw.one_in(4),
            notify: self.draw.one_in(8),
            blocks,
        }
    }

    fn raw(&mut self) -> Op {
        let half = self.draw.of(&Ring::BOTH);
        self.used[half as usize] += 1;
        let any = self.draw.any();
        let length = (any >> 8) as u32 & self.draw.of(&[0, 0xff, 0xffff]);
        let flags = word0::FIRST
            | word0::LAST
            | word0::CONCAT
            | word0::DMB
            | word0::INT_EN
            | word0::SOW
            | word0::RING_ID;
        let rare = if self.draw.one_in(5) { word0::META } else { 0 };
        let word1 = match half {
            Ring::Rx => 0,
            Ring::Tx => match self.draw.below(6) {
                0 => self.draw.any() as u32,
                1 => 0x0210_0000,
                2 => meta::PLAIN_COPY | meta::WRITE_BARRIER,
                _ => meta::PLAIN_COPY,
            },
        };
        let address = self.address();
        Op::Raw {
            half,
            desc: Desc {
                word: [
                    (any >> 32) as u32 & flags | rare | length,
                    word1,
                    address as u32,
                    (address >> 32) as u32,
                ],
            },
        }
    }

    fn pack(&mut self) -> Op {
        let used = self.used[0];
        let (start, end) = match self.draw.below(8) {
            0 => (self.draw.below(used + 4), self.draw.below(used + 4)),
            1..=3 => {
                let start = self.draw.below(used + 1);
                (start, start + self.draw.below(used - start + 1))
            }
            _ => (0, used),
        };
        let max_bytes = match self.draw.below(4) {
            0 => self.draw.below(4 * CHUNK),
            1 => u64::MAX,
            _ => self.draw.of(&[
                0,
                1,
                4096,
                65_535,
                65_536,
                65_537,
                131_072,
                196_608,
                1 << 20,
                1 << 22,
                1 << 23,
            ]),
        };
        Op::Pack {
            start: start as u32,
            end: end as u32,
            max_bytes,
        }
    }

    fn rewrite(&mut self) -> Op {
        let base = self.address();
        Op::AddrRewrite {
            base,
            size: match self.draw.below(4) {
                0 => u64::MAX - base,
                1 => self.draw.any() >> 1,
                2 => self.draw.below(0x20_0000),
                _ => u64::MAX,
            },
            new_base: self.address(),
        }
    }

    fn list(&mut self) -> Vec<u64> {
        let which = self.draw.below(3) as usize;
        let mut list = self.lists[which].clone();
        match self.draw.below(8) {
            0 => list.truncate(self.draw.below(4) as usize),
            // The first address alone does not tell the lists apart.
            1 => {
                if let Some(last) = list.last_mut() {
                    *last ^= 1;
                }
            }
            _ => {}
        }
        list
    }

    fn count(&mut self) -> u32 {
        match self.draw.below(4) {
            0 => self.draw.any() as u32,
            1 => (1 << self.draw.below(32)) as u32,
            2 => self
                .draw
                .of(&[31, 32, 47, 48, 49, 16_777_199, 16_777_200, 16_777_201]),
            _ => self.draw.below(500) as u32,
        }
    }

    fn pring(&mut self) -> Op {
        let half = self.draw.of(&Ring::BOTH);
        let used = self.used[half as usize] as u32;
        let descriptors = match self.draw.below(4) {
            0 => self.draw.below(200) as u32,
            _ => used,
        };
        let wrap = self.draw.one_in(2);
        self.allocated[half as usize] = pring_size(descriptors, wrap);
        Op::Pring {
            half,
            descriptors,
            wrap,
            offset: self.draw.of(&[0, 0, 0, 256, 512, 4096, 16, 255]),
        }
    }

    fn padded(&mut self, half: Ring) -> Option<u32> {
        let (used, allocated) = (self.used[half as usize], self.allocated[half as usize]);
        match self.draw.below(8) {
            0 => Some(self.draw.below(80) as u32),
            1 => Some(allocated as u32),
            2 => Some(allocated as u32 + 1),
            3..=5 => Some((used + self.draw.below(8)) as u32),
            _ => None,
        }
    }

    fn dump(&mut self) -> Op {
        let half = self.draw.of(&Ring::BOTH);
        let pring = if self.draw.one_in(8) {
            self.draw.of(&Ring::BOTH)
        } else {
            half
        };
        let dump = Dump {
            padded: self.padded(half),
            scratch: self.draw.any(),
            free: self.draw.one_in(6),
        };
        Op::Dump { half, pring, dump }
    }

    fn dump_both(&mut self) -> Op {
        Op::DumpBoth {
            tx_padded: self.padded(Ring::Tx),
            rx_padded: self.padded(Ring::Rx),
            scratch: self.draw.any(),
            free: self.draw.one_in(6),
        }
    }
}
