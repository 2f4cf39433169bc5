//! Scripts: lists of operations on one vring, and what runs them.
//!
//! The operations are those of `corpora/worked/README.md`, name for name; a serialised form is the
//! caller's. The same scripts author a vring, try the rules and compare implementations.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::error::Error;
use super::{
    Dump, PageGate, Pring, PringType, Semaphore, TemplateCache, Transfer, Vring, pring_size,
};
use crate::Arch;
use crate::desc::Desc;
use crate::io::Side;
use crate::packet::{Block, PacketRequest};

/// Kind of a poke; the descriptors are the same (XFER-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Poke {
    /// An event.
    Event,
    /// A semaphore.
    Semaphore,
}

/// One operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    /// [`Vring::add_transfer`].
    Transfer(Transfer),
    /// [`Vring::add_transfer_ex`].
    TransferEx(Transfer),
    /// [`Vring::add_poke`].
    Poke {
        /// Kind.
        kind: Poke,
        /// Address of the constant.
        src: u64,
        /// Address of the target.
        dst: u64,
    },
    /// [`Vring::add_packet`].
    Packet {
        /// The request; its ring ids are not looked at.
        request: PacketRequest,
        /// The blocks.
        blocks: Vec<Block>,
    },
    /// [`Vring::add_raw`].
    Raw {
        /// Half.
        half: Side,
        /// Descriptor.
        desc: Desc,
    },
    /// [`Vring::pack`]; gives the difference, and the packets above the RX maximum.
    Pack {
        /// First index.
        start: u32,
        /// Index after the last.
        end: u32,
        /// Most bytes of a packet.
        max_bytes: u64,
    },
    /// [`Vring::dmb_on_last_packet`]; gives 1 or 0.
    DmbOnLastPacket,
    /// [`Vring::rewrite_addresses`]; gives the pointers moved.
    AddrRewrite {
        /// Start of the window.
        base: u64,
        /// Bytes of the window.
        size: u64,
        /// Where its start moves to.
        new_base: u64,
    },
    /// [`Vring::wants_semaphore`]; gives 1 or 0.
    SemaphoreWanted {
        /// Whether it is enabled.
        enabled: bool,
    },
    /// [`Vring::embed_semaphore`]; gives 1 or 0.
    EmbedSemaphore {
        /// Whether it is enabled.
        enabled: bool,
        /// Fields.
        fields: Semaphore,
    },
    /// [`Vring::mark_template`].
    Template {
        /// Largest variable.
        max_var_id: u32,
    },
    /// [`Vring::resolve`]; gives the pointers resolved, or the variable at fault.
    Resolve {
        /// Addresses of variables 0, 1, and so on.
        addresses: Vec<u64>,
    },
    /// Goes on with a deep copy.
    DeepCopy,
    /// [`Vring::free`].
    Free,
    /// A pring for `descriptors` of them, its memory full of a5 bytes; gives what is allocated.
    Pring {
        /// Half it is for.
        half: Side,
        /// Descriptors wanted.
        descriptors: u32,
        /// Whether it wraps around.
        wrap: bool,
        /// Byte offset.
        offset: u64,
    },
    /// [`pring_size`]; gives it.
    PringSize {
        /// Descriptors wanted.
        descriptors: u32,
        /// Whether it wraps around.
        wrap: bool,
    },
    /// [`Vring::dump`].
    Dump {
        /// Half.
        half: Side,
        /// Which pring; none was made: invalid.
        pring: Side,
        /// How.
        dump: Dump,
    },
    /// [`Vring::dump_both`].
    DumpBoth {
        /// How TX is dumped.
        tx: Dump,
        /// How RX is dumped.
        rx: Dump,
    },
    /// How many more pages are granted; none: any number.
    PageBudget(Option<u32>),
    /// A cache whose template is a copy of the vring.
    Cache {
        /// Most entries.
        capacity: usize,
    },
    /// [`TemplateCache::acquire`]; gives the number of the holding, or the variable at fault.
    /// Without a cache: invalid.
    Acquire {
        /// Addresses of variables 0, 1, and so on.
        addresses: Vec<u64>,
    },
    /// Drops a holding; one that is not held: invalid.
    Release {
        /// Its number.
        holding: usize,
    },
}

/// What a step gave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// 0, or the code of [`Error::code`].
    pub code: i32,
    /// The operation's own value; with a template error, the variable at fault.
    pub value: i64,
    /// Packets above the RX maximum, of `pack`.
    pub over_rx: u32,
}

impl Outcome {
    const fn of(value: i64) -> Self {
        Self {
            code: 0,
            value,
            over_rx: 0,
        }
    }

    const INVALID: Self = Self {
        code: crate::error::EINVAL,
        value: 0,
        over_rx: 0,
    };
}

impl From<Error> for Outcome {
    fn from(error: Error) -> Self {
        Self {
            code: error.code(),
            value: error.variable().into(),
            over_rx: 0,
        }
    }
}

/// What the memory of a script's prings holds at first.
pub const FRESH: Desc = Desc::from_words([0xa5a5_a5a5; 4]);

/// The state that a script works on.
#[derive(Debug)]
pub struct Machine {
    /// Architecture.
    pub arch: Arch,
    /// The vring.
    pub vring: Vring,
    /// Prings made so far, TX and RX.
    pub prings: [Option<Pring<Vec<Desc>>>; 2],
    /// The cache made last.
    pub cache: Option<TemplateCache>,
    /// Resolved rings by holding; none once released.
    pub holdings: Vec<Option<Arc<Vring>>>,
}

impl Machine {
    /// An empty vring named `v`, and nothing else.
    pub fn new(arch: Arch) -> Self {
        Self {
            arch,
            vring: Vring::new("v"),
            prings: [None, None],
            cache: None,
            holdings: Vec::new(),
        }
    }

    /// Runs one operation.
    pub fn step(&mut self, op: &Op) -> Outcome {
        self.run(op).unwrap_or_else(Outcome::from)
    }

    fn run(&mut self, op: &Op) -> Result<Outcome, Error> {
        let (arch, vring) = (self.arch, &mut self.vring);
        let done = Outcome::of(0);
        Ok(match op {
            Op::Transfer(transfer) => vring.add_transfer(arch, transfer).map(|()| done)?,
            Op::TransferEx(transfer) => vring.add_transfer_ex(arch, transfer).map(|()| done)?,
            Op::Poke { src, dst, .. } => vring.add_poke(arch, *src, *dst).map(|()| done)?,
            Op::Packet { request, blocks } => {
                vring.add_packet(arch, request, blocks).map(|()| done)?
            }
            Op::Raw { half, desc } => vring.add_raw(*half, *desc).map(|()| done)?,
            Op::Pack {
                start,
                end,
                max_bytes,
            } => {
                let packed = vring.pack(arch, *start..*end, *max_bytes)?;
                Outcome {
                    over_rx: packed.over_rx,
                    ..Outcome::of(packed.delta)
                }
            }
            Op::DmbOnLastPacket => Outcome::of(vring.dmb_on_last_packet(arch)?.into()),
            Op::AddrRewrite {
                base,
                size,
                new_base,
            } => Outcome::of(vring.rewrite_addresses(*base, *size, *new_base) as i64),
            Op::SemaphoreWanted { enabled } => {
                Outcome::of(vring.wants_semaphore(arch, *enabled).into())
            }
            Op::EmbedSemaphore { enabled, fields } => {
                Outcome::of(vring.embed_semaphore(arch, *enabled, *fields).into())
            }
            Op::Template { max_var_id } => {
                vring.mark_template(*max_var_id);
                done
            }
            Op::Resolve { addresses } => Outcome::of(vring.resolve(addresses)? as i64),
            Op::DeepCopy => {
                *vring = vring.deep_copy()?;
                done
            }
            Op::Free => {
                vring.free();
                done
            }
            Op::PringSize { descriptors, wrap } => {
                Outcome::of(pring_size(*descriptors, *wrap) as i64)
            }
            Op::PageBudget(pages) => {
                vring.set_page_gate(pages.map_or_else(PageGate::open, PageGate::budget));
                done
            }
            Op::Pring {
                half,
                descriptors,
                wrap,
                offset,
            } => {
                let allocated = pring_size(*descriptors, *wrap);
                let memory = vec![FRESH; (offset.div_ceil(16) + allocated) as usize];
                let pring = Pring::new(PringType::of(*half), memory, *offset, allocated as u32)?;
                self.prings[*half as usize] = Some(pring);
                Outcome::of(allocated as i64)
            }
            Op::Dump { half, pring, dump } => match &mut self.prings[*pring as usize] {
                Some(pring) => vring.dump(*half, pring, dump).map(|()| done)?,
                None => Outcome::INVALID,
            },
            Op::DumpBoth {
                tx: tx_dump,
                rx: rx_dump,
            } => match &mut self.prings {
                [Some(tx), Some(rx)] => vring
                    .dump_both((tx, tx_dump), (rx, rx_dump))
                    .map(|()| done)?,
                _ => Outcome::INVALID,
            },
            Op::Cache { capacity } => {
                self.cache = Some(TemplateCache::new(vring.deep_copy()?, *capacity));
                done
            }
            Op::Acquire { addresses } => match &mut self.cache {
                Some(cache) => {
                    self.holdings.push(Some(cache.acquire(addresses)?));
                    Outcome::of(self.holdings.len() as i64 - 1)
                }
                None => Outcome::INVALID,
            },
            Op::Release { holding } => match self.holdings.get_mut(*holding).map(Option::take) {
                Some(Some(_)) => done,
                _ => Outcome::INVALID,
            },
        })
    }
}
