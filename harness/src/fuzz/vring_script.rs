//! Any script on a virtual ring, with the whole state looked at after every step.

use udma_oracle::cases::vring::{Script, Vring};
use udma_oracle::subject::vring::{Dump, Op, Packet, Transfer};
use udma_oracle::wire::{Block, Desc, Ring};

use super::input::{self, input};
use super::vring_large::large;
use super::{Assert, Judge, hash};

input! {
    /// A script.
    struct Input {
        /// Architecture.
        arch: u8,
        /// The operations.
        ops: Vec<Step>,
    }
}

input! {
    /// An operation.
    enum Step {
        /// A transfer.
        Transfer { ex: bool, src: Address, dst: Address, size: Size, ordered: bool },
        /// A poke.
        Poke { event: bool, src: Address, dst: Address },
        /// A packet.
        Packet { mode: i8, sow: bool, dst_int: bool, notify: bool, blocks: Vec<Piece> },
        /// One descriptor.
        Raw { rx: bool, flags: u8, length: u16, word1: Option<u32>, address: Address },
        /// Packs.
        Pack { start: u16, count: u16, max_bytes: Size },
        /// A barrier on the last packet.
        DmbOnLastPacket {},
        /// Moves pointers.
        AddrRewrite { base: Address, size: Size, new_base: u64 },
        /// A semaphore.
        SemaphoreWanted { enabled: bool },
        /// A semaphore with its register.
        EmbedSemaphore { enabled: bool, set_sow: bool, csr_index: u8, semaphore: u16 },
        /// Both halves become templates.
        Template { max_var_id: u32 },
        /// Variables get addresses.
        Resolve { addresses: Vec<u64> },
        /// A deep copy.
        DeepCopy {},
        /// Frees both halves.
        Free {},
        /// A pring.
        Pring { rx: bool, descriptors: u16, wrap: bool, offset: u16 },
        /// Descriptors of a pring.
        PringSize { descriptors: u32, wrap: bool },
        /// A dump of a half.
        Dump { rx: bool, other: bool, padded: Option<u16>, scratch: u64, free: bool },
        /// A dump of both.
        DumpBoth { padded: [Option<u16>; 2], scratch: u64, free: bool },
        /// Pages that are granted.
        PageBudget { pages: Option<u8> },
        /// A cache.
        Cache { capacity: u8 },
        /// Takes a ring from the cache.
        Acquire { addresses: Vec<u64> },
        /// Gives one back.
        Release { holding: u8 },
    }
}

input! {
    /// A block of a packet.
    struct Piece {
        /// Source.
        src: Address,
        /// Destination.
        dst: Address,
        /// Bytes.
        size: Size,
    }
}

input! {
    /// An address.
    enum Address {
        /// A low one.
        Plain { at: u32 },
        /// A variable with an offset (TMPL-1).
        Symbol { variable: u8, offset: u32 },
        /// Any number.
        Any { at: u64 },
        /// One of few: a window's end is likely another one (EDIT-2).
        Chunk { number: u8 },
    }
}

input! {
    /// A number of bytes.
    enum Size {
        /// Few.
        Small { bytes: u16 },
        /// Whole chunks and a rest.
        Chunks { chunks: u8, rest: u8 },
        /// Any number.
        Any { bytes: u64 },
    }
}

/// Most operations.
const MOST_OPS: usize = 64;
/// Most chunks that a script authors.
const MOST_CHUNKS: u64 = 600;
/// Most blocks of a packet; from 129 on all are refused.
const MOST_BLOCKS: usize = 130;
/// Most descriptors of a pring.
const MOST_SLOTS: u16 = 4096;
/// Slots that stay free in a ring (RING-2, PRNG-2).
pub(super) const GUARD: u32 = 16;
/// Bytes of a chunk.
const CHUNK: u64 = 65_536;

fn ring(rx: bool) -> Ring {
    if rx { Ring::Rx } else { Ring::Tx }
}

impl Address {
    fn value(&self) -> u64 {
        match *self {
            Self::Plain { at } => at.into(),
            Self::Symbol { variable, offset } => {
                1 << 61 | u64::from(variable) << 36 | u64::from(offset)
            }
            Self::Any { at } => at,
            Self::Chunk { number } => u64::from(number) * CHUNK,
        }
    }

    fn of(at: u64) -> Self {
        u32::try_from(at).map_or(Self::Any { at }, |at| Self::Plain { at })
    }
}

impl Size {
    fn value(&self) -> u64 {
        match *self {
            Self::Small { bytes } => bytes.into(),
            Self::Chunks { chunks, rest } => u64::from(chunks) * CHUNK + u64::from(rest),
            Self::Any { bytes } => bytes,
        }
    }

    /// The same for a window of addresses, which ends between two chunks or a byte behind.
    fn window(&self) -> u64 {
        match *self {
            Self::Chunks { chunks, rest } => u64::from(chunks) * CHUNK + u64::from(rest & 1),
            _ => self.value(),
        }
    }

    fn of(bytes: u64) -> Self {
        u16::try_from(bytes).map_or(Self::Any { bytes }, |bytes| Self::Small { bytes })
    }
}

/// Descriptors of a pring or of a dump: one of two is any number, the others are a power of two, or
/// one that leaves the guard gap of a pring so large, so that a dump often is as long as its pring.
fn descriptors_of(number: u16) -> u32 {
    if number < 0x8000 {
        return (number % MOST_SLOTS).into();
    }
    let guard = if number & 0x100 == 0 { 0 } else { GUARD };
    (64 << (number % 3)) - guard
}

impl Step {
    /// The operation.
    pub fn op(&self) -> Op {
        let slots = |count: &Option<u16>| count.map(descriptors_of);
        match self {
            Self::Transfer {
                ex,
                src,
                dst,
                size,
                ordered,
            } => {
                let transfer = Transfer {
                    src: src.value(),
                    dst: dst.value(),
                    size: size.value(),
                    ordered: *ordered,
                };
                if *ex {
                    Op::TransferEx(transfer)
                } else {
                    Op::Transfer(transfer)
                }
            }
            Self::Poke { event, src, dst } => Op::Poke {
                event: *event,
                src: src.value(),
                dst: dst.value(),
            },
            Self::Packet {
                mode,
                sow,
                dst_int,
                notify,
                blocks,
            } => {
                let block = |piece: &Piece| Block {
                    src: piece.src.value(),
                    dst: piece.dst.value(),
                    size: piece.size.value(),
                };
                Op::Packet(Packet {
                    mode: (*mode).into(),
                    sow: *sow,
                    dst_int: *dst_int,
                    notify: *notify,
                    blocks: blocks.iter().take(MOST_BLOCKS).map(block).collect(),
                })
            }
            Self::Raw {
                rx,
                flags,
                length,
                word1,
                address,
            } => {
                let address = address.value();
                Op::Raw {
                    half: ring(*rx),
                    desc: Desc {
                        word: [
                            u32::from(*flags) << 24 | u32::from(*length),
                            word1.unwrap_or(if *rx { 0 } else { 0x0108_0003 }),
                            address as u32,
                            (address >> 32) as u32,
                        ],
                    },
                }
            }
            Self::Pack {
                start,
                count,
                max_bytes,
            } => Op::Pack {
                start: (*start).into(),
                end: u32::from(*start) + u32::from(*count),
                max_bytes: max_bytes.value(),
            },
            Self::DmbOnLastPacket {} => Op::DmbOnLastPacket,
            Self::AddrRewrite {
                base,
                size,
                new_base,
            } => Op::AddrRewrite {
                base: base.value(),
                size: size.window(),
                new_base: *new_base,
            },
            Self::SemaphoreWanted { enabled } => Op::SemaphoreWanted { enabled: *enabled },
            Self::EmbedSemaphore {
                enabled,
                set_sow,
                csr_index,
                semaphore,
            } => Op::EmbedSemaphore {
                enabled: *enabled,
                set_sow: *set_sow,
                csr_index: *csr_index,
                semaphore: *semaphore,
            },
            Self::Template { max_var_id } => Op::Template {
                max_var_id: max_var_id & 0x7_ffff,
            },
            Self::Resolve { addresses } => Op::Resolve {
                addresses: addresses.clone(),
            },
            Self::DeepCopy {} => Op::DeepCopy,
            Self::Free {} => Op::Free,
            Self::Pring {
                rx,
                descriptors,
                wrap,
                offset,
            } => Op::Pring {
                half: ring(*rx),
                descriptors: descriptors_of(*descriptors),
                wrap: *wrap,
                offset: (offset % 0x2000).into(),
            },
            // One of two is small: 31 and 32 are another thing each (PRNG-2).
            Self::PringSize { descriptors, wrap } => Op::PringSize {
                descriptors: if descriptors >> 31 == 0 {
                    *descriptors
                } else {
                    descriptors & 0x3f
                },
                wrap: *wrap,
            },
            Self::Dump {
                rx,
                other,
                padded,
                scratch,
                free,
            } => Op::Dump {
                half: ring(*rx),
                pring: ring(rx ^ other),
                dump: Dump {
                    padded: slots(padded),
                    scratch: *scratch,
                    free: *free,
                },
            },
            Self::DumpBoth {
                padded,
                scratch,
                free,
            } => Op::DumpBoth {
                tx_padded: slots(&padded[0]),
                rx_padded: slots(&padded[1]),
                scratch: *scratch,
                free: *free,
            },
            Self::PageBudget { pages } => Op::PageBudget {
                pages: pages.map(u32::from),
            },
            Self::Cache { capacity } => Op::Cache {
                capacity: (capacity % 8).into(),
            },
            Self::Acquire { addresses } => Op::Acquire {
                addresses: addresses.clone(),
            },
            Self::Release { holding } => Op::Release {
                holding: (*holding).into(),
            },
        }
    }

    /// The step of an operation.
    pub fn of(op: &Op) -> Self {
        let is_rx = |ring: Ring| ring == Ring::Rx;
        let slots = |count: Option<u32>| count.map(|count| count as u16);
        let transfer = |ex, transfer: &Transfer| Self::Transfer {
            ex,
            src: Address::of(transfer.src),
            dst: Address::of(transfer.dst),
            size: Size::of(transfer.size),
            ordered: transfer.ordered,
        };
        match op {
            Op::Transfer(of) => transfer(false, of),
            Op::TransferEx(of) => transfer(true, of),
            Op::Poke { event, src, dst } => Self::Poke {
                event: *event,
                src: Address::of(*src),
                dst: Address::of(*dst),
            },
            Op::Packet(packet) => Self::Packet {
                mode: packet.mode as i8,
                sow: packet.sow,
                dst_int: packet.dst_int,
                notify: packet.notify,
                blocks: packet
                    .blocks
                    .iter()
                    .map(|block| Piece {
                        src: Address::of(block.src),
                        dst: Address::of(block.dst),
                        size: Size::of(block.size),
                    })
                    .collect(),
            },
            Op::Raw { half, desc } => Self::Raw {
                rx: is_rx(*half),
                flags: (desc.word[0] >> 24) as u8,
                length: desc.word[0] as u16,
                word1: Some(desc.word[1]),
                address: Address::of(u64::from(desc.word[3]) << 32 | u64::from(desc.word[2])),
            },
            Op::Pack {
                start,
                end,
                max_bytes,
            } => Self::Pack {
                start: *start as u16,
                count: end.saturating_sub(*start) as u16,
                max_bytes: Size::of(*max_bytes),
            },
            Op::DmbOnLastPacket => Self::DmbOnLastPacket {},
            Op::AddrRewrite {
                base,
                size,
                new_base,
            } => Self::AddrRewrite {
                base: Address::of(*base),
                size: Size::of(*size),
                new_base: *new_base,
            },
            Op::SemaphoreWanted { enabled } => Self::SemaphoreWanted { enabled: *enabled },
            Op::EmbedSemaphore {
                enabled,
                set_sow,
                csr_index,
                semaphore,
            } => Self::EmbedSemaphore {
                enabled: *enabled,
                set_sow: *set_sow,
                csr_index: *csr_index,
                semaphore: *semaphore,
            },
            Op::Template { max_var_id } => Self::Template {
                max_var_id: *max_var_id,
            },
            Op::Resolve { addresses } => Self::Resolve {
                addresses: addresses.clone(),
            },
            Op::DeepCopy => Self::DeepCopy {},
            Op::Free => Self::Free {},
            Op::Pring {
                half,
                descriptors,
                wrap,
                offset,
            } => Self::Pring {
                rx: is_rx(*half),
                descriptors: *descriptors as u16,
                wrap: *wrap,
                offset: *offset as u16,
            },
            Op::PringSize { descriptors, wrap } => Self::PringSize {
                descriptors: *descriptors,
                wrap: *wrap,
            },
            Op::Dump { half, pring, dump } => Self::Dump {
                rx: is_rx(*half),
                other: half != pring,
                padded: slots(dump.padded),
                scratch: dump.scratch,
                free: dump.free,
            },
            Op::DumpBoth {
                tx_padded,
                rx_padded,
                scratch,
                free,
            } => Self::DumpBoth {
                padded: [slots(*tx_padded), slots(*rx_padded)],
                scratch: *scratch,
                free: *free,
            },
            Op::PageBudget { pages } => Self::PageBudget {
                pages: pages.map(|pages| pages as u8),
            },
            Op::Cache { capacity } => Self::Cache {
                capacity: *capacity as u8,
            },
            Op::Acquire { addresses } => Self::Acquire {
                addresses: addresses.clone(),
            },
            Op::Release { holding } => Self::Release {
                holding: *holding as u8,
            },
        }
    }
}

/// Operations as a script: as many as stay within a number of chunks.
pub fn script(arch: u8, steps: impl IntoIterator<Item = Op>, chunks: u64) -> Script {
    let mut script = Script {
        arch: 2 + arch % 3,
        ops: Vec::new(),
    };
    for op in steps.into_iter().take(MOST_OPS) {
        script.ops.push(op);
        if script.chunks() > chunks {
            script.ops.pop();
        }
    }
    script
}

impl Input {
    /// The operations.
    pub fn ops(&self) -> impl Iterator<Item = Op> {
        self.ops.iter().map(Step::op)
    }

    /// The script.
    pub fn script(&self) -> Script {
        script(self.arch, self.ops(), MOST_CHUNKS)
    }

    /// The input of a script; none where no input is one.
    pub fn of(script: &Script) -> Option<Self> {
        let input = Self {
            arch: script.arch - 2,
            ops: script.ops.iter().map(Step::of).collect(),
        };
        (input.script() == *script).then_some(input)
    }
}

/// Runs the target.
pub fn run<J: Judge>(bytes: &[u8], judge: &mut J) {
    if let Some(input) = input::read::<Input>(bytes) {
        let script = large(&input, hash(bytes)).unwrap_or_else(|| input.script());
        judge.hold::<Vring>(&script);
    }
}

/// Runs it as the fuzzer does.
pub fn fuzz(bytes: &[u8]) {
    run(bytes, &mut Assert::all());
}
