//! Virtual rings as the rules require them, in the plainest way: a half is a list of descriptors.

mod dump;
mod edit;
mod pack;
mod template;

use std::cell::Cell;
use std::rc::Rc;

use super::pair::desc;
use super::word::{ENOMEM, meta, word0};
use crate::cases::packet::Packet;
use crate::family::Family;
use crate::line::Line;
use crate::subject::PacketIn;
use crate::subject::vring::{
    self, CacheStats, HalfState, Header, Machine, Op, Outcome, PringState, QUEUE_FULL, Transfer,
};
use crate::wire::{Desc, Ring};
use template::Cache;
use udma_reference::abi;

pub use pack::{is_joinable, packet_limits};
pub use template::{symbol, variable_at_fault};

/// Most descriptors of a half (VRNG-4).
pub const CAP: u64 = 16_777_200;
/// Descriptors of a page (VRNG-3).
pub const PAGE: u64 = 65_536;
/// Bytes of a full chunk (XFER-1).
pub const CHUNK: u64 = 65_536;
/// What the offset of a pring is a multiple of (PRNG-1).
const PRING_ALIGN: u64 = 256;

/// PRNG-2.
pub fn pring_size(want: u32, wrap: bool) -> u64 {
    let guarded = u64::from(want) + 16;
    if want <= 31 {
        64
    } else if wrap {
        let mut size = 1;
        while size < guarded {
            size *= 2;
        }
        size
    } else {
        guarded.div_ceil(16) * 16
    }
}

/// Whether the architecture has strong-ordered writes (XFER-2, EDIT-1).
fn has_sow(arch: u8) -> bool {
    u32::from(arch) != abi::UDMA_ARCH_SUNDA
}

/// How the last chunk of an ordered transfer is ordered (XFER-2, XFER-7).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Dmb,
    Sow,
}

/// A half.
#[derive(Clone, Debug, Default)]
pub struct Half {
    /// Its descriptors in order.
    pub descs: Vec<Desc>,
    /// Bytes of all transfers and packets (XFER-3).
    pub total: u64,
    /// Whether it is a template.
    pub is_template: bool,
    /// Largest variable.
    pub max_var_id: u32,
}

impl Half {
    fn room(&self) -> u64 {
        CAP.saturating_sub(self.descs.len() as u64)
    }

    /// Pages that `more` descriptors need beyond those that are there (VRNG-4).
    fn pages_for(&self, more: u64) -> u64 {
        let used = self.descs.len() as u64;
        (used + more).div_ceil(PAGE) - used.div_ceil(PAGE)
    }
}

/// How many more pages are granted; none: any number. Copies of a vring share it.
#[derive(Clone, Debug, Default)]
struct Gate(Rc<Cell<Option<u64>>>);

impl Gate {
    /// Asks for so many pages, one after the other.
    fn grants(&self, pages: u64) -> bool {
        let Some(left) = self.0.get() else {
            return true;
        };
        self.0.set(Some(left.saturating_sub(pages)));
        pages <= left
    }
}

/// A vring.
#[derive(Clone, Debug, Default)]
pub struct LawVring {
    /// TX and RX.
    pub halves: [Half; 2],
    gate: Gate,
}

impl LawVring {
    fn pages(&self) -> u64 {
        let pages = |half: &Half| (half.descs.len() as u64).div_ceil(PAGE);
        self.halves.iter().map(pages).sum()
    }

    /// VRNG-7; none where a page is refused.
    fn deep_copy(&self) -> Option<Self> {
        self.gate.grants(self.pages()).then(|| self.clone())
    }
}

/// A pring and its memory.
#[derive(Clone, Debug)]
struct LawPring {
    offset: u64,
    used: u32,
    allocated: u32,
    memory: Vec<Desc>,
}

/// The state that a script works on.
#[derive(Debug, Default)]
pub struct LawMachine {
    arch: u8,
    vring: LawVring,
    prings: [Option<LawPring>; 2],
    cache: Option<Cache>,
    /// Resolved rings by holding; none once released.
    holdings: Vec<Option<Rc<LawVring>>>,
}

impl LawMachine {
    /// An empty vring, and nothing else.
    pub fn new(arch: u8) -> Self {
        Self {
            arch,
            ..Self::default()
        }
    }

    /// The vring.
    pub fn vring(&self) -> &LawVring {
        &self.vring
    }

    /// The vring that the cache resolves.
    pub fn template(&self) -> Option<&LawVring> {
        self.cache.as_ref().map(Cache::template)
    }

    /// Runs one operation.
    pub fn run(&mut self, op: &Op) -> Outcome {
        self.authored(op)
            .or_else(|| self.edited(op))
            .unwrap_or_else(|| self.laid_out(op))
    }

    /// XFER, BLDR-9, VRNG-4.
    fn authored(&mut self, op: &Op) -> Option<Outcome> {
        let sow = if has_sow(self.arch) {
            Form::Sow
        } else {
            Form::Dmb
        };
        Some(match op {
            Op::Transfer(transfer) => self.transfer(transfer, sow),
            Op::TransferEx(transfer) => self.transfer(transfer, Form::Dmb),
            Op::Poke { src, dst, .. } => {
                let poke = Transfer {
                    src: *src,
                    dst: *dst,
                    size: 4,
                    ordered: true,
                };
                self.transfer(&poke, sow)
            }
            Op::Packet(packet) => self.packet(packet),
            Op::Raw { half, desc } => {
                let half = &mut self.vring.halves[*half as usize];
                if half.room() == 0 {
                    Outcome::refused(QUEUE_FULL)
                } else if self.vring.gate.grants(half.pages_for(1)) {
                    half.descs.push(*desc);
                    Outcome::of(0)
                } else {
                    Outcome::refused(ENOMEM)
                }
            }
            _ => return None,
        })
    }

    fn transfer(&mut self, transfer: &Transfer, form: Form) -> Outcome {
        let chunks = transfer.size.div_ceil(CHUNK);
        let [tx, rx] = &mut self.vring.halves;
        let fit = chunks.min(tx.room()).min(rx.room());
        let full = fit < chunks;
        // XFER-4: the TX slot of the pair that does not fit is taken before RX refuses.
        let ahead = full && tx.room() > fit;
        let pages = tx.pages_for(fit + u64::from(ahead)) + rx.pages_for(fit);
        if !self.vring.gate.grants(pages) {
            return Outcome::refused(ENOMEM);
        }
        let pair = |index: u64| {
            let last = index + 1 == chunks;
            let bytes = if last {
                transfer.size - index * CHUNK
            } else {
                CHUNK
            };
            let ordered = |wanted: Form| last && transfer.ordered && form == wanted;
            let when = |set: bool, bit: u32| if set { bit } else { 0 };
            let common = 1 << 24 | (bytes & 0xffff) as u32;
            let advanced = |address: u64| address.wrapping_add(index * CHUNK);
            (
                desc(
                    common | word0::FIRST | word0::LAST | when(ordered(Form::Dmb), word0::DMB),
                    meta::PLAIN_COPY,
                    advanced(transfer.src),
                ),
                desc(
                    common | when(ordered(Form::Sow), word0::SOW),
                    0,
                    advanced(transfer.dst),
                ),
                bytes,
            )
        };
        for index in 0..fit {
            let (sent, received, bytes) = pair(index);
            tx.descs.push(sent);
            rx.descs.push(received);
            tx.total = tx.total.wrapping_add(bytes);
            rx.total = rx.total.wrapping_add(bytes);
        }
        if ahead {
            tx.descs.push(pair(fit).0);
        }
        if full {
            Outcome::refused(QUEUE_FULL)
        } else {
            Outcome::of(0)
        }
    }

    fn packet(&mut self, packet: &vring::Packet) -> Outcome {
        let count = packet.blocks.len() as u64;
        let case = packet_in(packet, self.arch);
        let built = Packet::required(Line::Hal, &case).filter(|built| built.ret == 0);
        let Some(built) = built else {
            return Outcome::refused(-1);
        };
        let LawVring { halves, gate } = &mut self.vring;
        if halves.iter().any(|half| half.room() < count) {
            return Outcome::refused(QUEUE_FULL);
        }
        if !gate.grants(halves.iter().map(|half| half.pages_for(count)).sum()) {
            return Outcome::refused(ENOMEM);
        }
        let bytes: u64 = packet.blocks.iter().map(|block| block.size).sum();
        for (half, built) in halves.iter_mut().zip([built.tx, built.rx]) {
            half.descs.extend(built.into_iter().flatten());
            half.total = half.total.wrapping_add(bytes);
        }
        Outcome::of(0)
    }
}

/// The packet builder's request for a packet of a vring (XFER-1).
pub fn packet_in(packet: &vring::Packet, arch: u8) -> PacketIn {
    PacketIn {
        blocks: packet.blocks.clone(),
        rx_ring_id: 1,
        tx_ring_id: 1,
        mode: packet.mode,
        dst_int: packet.dst_int,
        sow: packet.sow,
        notify: packet.notify,
        arch,
    }
}

fn read(descs: &[Desc], first: u32, out: &mut [Desc]) -> u32 {
    let from = descs.get(first as usize..).unwrap_or_default();
    let count = from.len().min(out.len());
    out[..count].copy_from_slice(&from[..count]);
    count as u32
}

impl Machine for LawMachine {
    fn step(&mut self, op: &Op) -> Option<Outcome> {
        Some(self.run(op))
    }

    fn header(&self) -> Option<Header> {
        Some(Header {
            name: b"v".to_vec(),
            halves: [0, 1].map(|ring| {
                let half = &self.vring.halves[ring];
                HalfState {
                    used: half.descs.len() as u32,
                    pages: [!half.descs.is_empty(); 2],
                    is_template: half.is_template.into(),
                    max_var_id: half.max_var_id,
                    total: half.total,
                }
            }),
            stochastic_rounding: 0,
        })
    }

    fn read(&self, half: Ring, first: u32, out: &mut [Desc]) -> u32 {
        read(&self.vring.halves[half as usize].descs, first, out)
    }

    fn pring(&self, ring: Ring) -> Option<PringState> {
        self.prings[ring as usize].as_ref().map(|pring| PringState {
            used: pring.used,
            allocated: pring.allocated,
            memory: pring.memory.len() as u64,
        })
    }

    fn read_pring(&self, ring: Ring, first: u64, out: &mut [Desc]) {
        if let Some(pring) = &self.prings[ring as usize] {
            let first = first as usize;
            out.copy_from_slice(&pring.memory[first..first + out.len()]);
        }
    }

    fn cache(&self) -> Option<CacheStats> {
        self.cache.as_ref().map(Cache::stats)
    }

    fn read_held(&self, holding: u32, half: Ring, first: u32, out: &mut [Desc]) -> u32 {
        match self.holdings.get(holding as usize) {
            Some(Some(ring)) => read(&ring.halves[half as usize].descs, first, out),
            _ => 0,
        }
    }
}
