//! The virtual rings of the Rust implementation.

use udma::io::Side;
use udma::packet::{Block, PacketRequest};
use udma::vring::script::{self, Machine as Script, Poke};
use udma::vring::{self, Semaphore, VringSet, layout};

use super::Rust;
use super::rust::arch;
use crate::law::word::EINVAL;
use crate::subject::vring::{
    CacheStats, Dump, FRESH, HalfState, Header, Machine, Member, Op, Outcome, Packet, PringState,
    Transfer, Vrings,
};
use crate::wire::{Desc, Place, Ring};

fn side(ring: Ring) -> Side {
    match ring {
        Ring::Tx => Side::Tx,
        Ring::Rx => Side::Rx,
    }
}

fn transfer(transfer: &Transfer) -> vring::Transfer {
    vring::Transfer {
        src: transfer.src,
        dst: transfer.dst,
        size: transfer.size,
        ordered: transfer.ordered,
    }
}

fn packet(packet: &Packet) -> script::Op {
    script::Op::Packet {
        request: PacketRequest {
            mode: packet.mode,
            sow: packet.sow,
            dst_int: packet.dst_int,
            notify: packet.notify,
            ..PacketRequest::default()
        },
        blocks: packet
            .blocks
            .iter()
            .map(|block| Block {
                src: block.src,
                dst: block.dst,
                size: block.size,
            })
            .collect(),
    }
}

fn dump(padded: Option<u32>, scratch: u64, free: bool) -> vring::Dump {
    vring::Dump {
        padded,
        scratch,
        free,
    }
}

fn operation(op: &Op) -> script::Op {
    use script::Op as To;
    match op {
        Op::Transfer(given) => To::Transfer(transfer(given)),
        Op::TransferEx(given) => To::TransferEx(transfer(given)),
        Op::Poke { event, src, dst } => To::Poke {
            kind: if *event { Poke::Event } else { Poke::Semaphore },
            src: *src,
            dst: *dst,
        },
        Op::Packet(given) => packet(given),
        Op::Raw { half, desc } => To::Raw {
            half: side(*half),
            desc: udma::Desc::from_words(desc.word),
        },
        Op::Pack {
            start,
            end,
            max_bytes,
        } => To::Pack {
            start: *start,
            end: *end,
            max_bytes: *max_bytes,
        },
        Op::DmbOnLastPacket => To::DmbOnLastPacket,
        Op::AddrRewrite {
            base,
            size,
            new_base,
        } => To::AddrRewrite {
            base: *base,
            size: *size,
            new_base: *new_base,
        },
        Op::SemaphoreWanted { enabled } => To::SemaphoreWanted { enabled: *enabled },
        Op::EmbedSemaphore {
            enabled,
            set_sow,
            csr_index,
            semaphore,
        } => To::EmbedSemaphore {
            enabled: *enabled,
            fields: Semaphore {
                set_sow: *set_sow,
                csr_index: *csr_index,
                semaphore: *semaphore,
            },
        },
        Op::Template { max_var_id } => To::Template {
            max_var_id: *max_var_id,
        },
        Op::Resolve { addresses } => To::Resolve {
            addresses: addresses.clone(),
        },
        Op::DeepCopy => To::DeepCopy,
        Op::Free => To::Free,
        Op::Pring {
            half,
            descriptors,
            wrap,
            offset,
        } => To::Pring {
            half: side(*half),
            descriptors: *descriptors,
            wrap: *wrap,
            offset: *offset,
        },
        Op::PringSize { descriptors, wrap } => To::PringSize {
            descriptors: *descriptors,
            wrap: *wrap,
        },
        Op::Dump {
            half,
            pring,
            dump: how,
        } => To::Dump {
            half: side(*half),
            pring: side(*pring),
            dump: dump(how.padded, how.scratch, how.free),
        },
        Op::DumpBoth {
            tx_padded,
            rx_padded,
            scratch,
            free,
        } => To::DumpBoth {
            tx: dump(*tx_padded, *scratch, *free),
            rx: dump(*rx_padded, *scratch, *free),
        },
        Op::PageBudget { pages } => To::PageBudget(*pages),
        Op::Cache { capacity } => To::Cache {
            capacity: *capacity as usize,
        },
        Op::Acquire { addresses } => To::Acquire {
            addresses: addresses.clone(),
        },
        Op::Release { holding } => To::Release {
            holding: *holding as usize,
        },
    }
}

struct RustMachine {
    script: Script,
    /// Prings that could not be made for their offset, TX and RX: what a caller holds then.
    refused: [Option<PringState>; 2],
}

impl RustMachine {
    fn run(&mut self, op: &Op) -> Outcome {
        let outcome = self.script.step(&operation(op));
        Outcome {
            code: outcome.code,
            value: outcome.value,
            over_rx: outcome.over_rx,
        }
    }

    /// A pring is made with its memory, so that a bad offset shows before any dump.
    fn make(&mut self, op: &Op, half: Ring, descriptors: u32, wrap: bool, offset: u64) -> Outcome {
        let outcome = self.run(op);
        let at = half as usize;
        self.refused[at] = None;
        if outcome.code != EINVAL {
            return outcome;
        }
        let allocated = vring::pring_size(descriptors, wrap);
        self.script.prings[at] = None;
        self.refused[at] = Some(PringState {
            used: 0,
            allocated: allocated as u32,
            memory: offset.div_ceil(16) + allocated,
        });
        Outcome::of(allocated as i64)
    }
}

fn copy_out(from: &[udma::Desc], out: &mut [Desc]) {
    for (from, out) in from.iter().zip(out) {
        out.word = from.words();
    }
}

/// By the runs of the half; a single descriptor by its index, as a caller would.
fn read(half: &vring::Half, first: u32, out: &mut [Desc]) -> u32 {
    if let [only] = out {
        return half.get(first).map_or(0, |desc| {
            only.word = desc.words();
            1
        });
    }
    let end = first.saturating_add(out.len() as u32);
    let mut done = 0;
    for run in half.runs(first..end) {
        copy_out(run, &mut out[done..]);
        done += run.len();
    }
    done as u32
}

impl Machine for RustMachine {
    fn step(&mut self, op: &Op) -> Option<Outcome> {
        Some(match op {
            Op::Pring {
                half,
                descriptors,
                wrap,
                offset,
            } => self.make(op, *half, *descriptors, *wrap, *offset),
            // The pring whose offset was refused is the RX one: TX goes first (DUMP-5).
            Op::DumpBoth {
                tx_padded,
                scratch,
                free,
                ..
            } if self.refused[1].is_some() && self.script.prings[0].is_some() => {
                let tx = self.run(&Op::Dump {
                    half: Ring::Tx,
                    pring: Ring::Tx,
                    dump: Dump {
                        padded: *tx_padded,
                        scratch: *scratch,
                        free: *free,
                    },
                });
                if tx.code == 0 {
                    Outcome::refused(EINVAL)
                } else {
                    tx
                }
            }
            _ => self.run(op),
        })
    }

    fn header(&self) -> Option<Header> {
        let image = self.script.vring.image();
        let half = |half: &layout::HalfImage, total| HalfState {
            used: half.used_desc_count,
            pages: [half.head != 0, half.tail != 0],
            is_template: half.is_template,
            max_var_id: half.max_var_id,
            total,
        };
        Some(Header {
            name: text(&image.name),
            halves: [
                half(&image.tx, image.total_tx_size),
                half(&image.rx, image.total_rx_size),
            ],
            stochastic_rounding: image.stochastic_rounding,
        })
    }

    fn read(&self, half: Ring, first: u32, out: &mut [Desc]) -> u32 {
        read(self.script.vring.half(side(half)), first, out)
    }

    fn pring(&self, ring: Ring) -> Option<PringState> {
        let made = self.script.prings[ring as usize].as_ref();
        made.map(|pring| PringState {
            used: pring.used(),
            allocated: pring.allocated(),
            memory: pring.memory().len() as u64,
        })
        .or(self.refused[ring as usize])
    }

    fn read_pring(&self, ring: Ring, first: u64, out: &mut [Desc]) {
        match &self.script.prings[ring as usize] {
            Some(pring) => copy_out(&pring.memory()[first as usize..], out),
            None => out.fill(FRESH),
        }
    }

    fn cache(&self) -> Option<CacheStats> {
        self.script.cache.as_ref().map(|cache| CacheStats {
            hits: cache.hits(),
            misses: cache.misses(),
            evictions: cache.evictions(),
            entries: cache.len() as u64,
            live: cache.live() as u64,
        })
    }

    fn read_held(&self, holding: u32, half: Ring, first: u32, out: &mut [Desc]) -> u32 {
        match self.script.holdings.get(holding as usize) {
            Some(Some(ring)) => read(ring.half(side(half)), first, out),
            _ => 0,
        }
    }
}

/// Up to the NUL.
fn text(name: &[u8]) -> Vec<u8> {
    name.iter().copied().take_while(|byte| *byte != 0).collect()
}

impl Vrings for Rust {
    fn machine(&self, number: u8) -> Option<Box<dyn Machine + '_>> {
        Some(Box::new(RustMachine {
            script: Script::new(arch(number)),
            refused: [None; 2],
        }))
    }

    fn place(&self, structure: &str, field: &str) -> Option<Option<Place>> {
        Some(layout::place(structure, field).map(|place| Place {
            offset: place.offset,
            size: place.size,
            count: place.count,
            stride: place.stride,
        }))
    }

    fn set(&self, name: &str, rounding: bool, most: usize) -> Option<(Vec<Member>, i32)> {
        let mut set = VringSet::new(name, rounding);
        let mut members = Vec::new();
        while members.len() < most {
            match set.add() {
                Ok(vring) => members.push(Member {
                    name: text(vring.name().raw()),
                    stochastic_rounding: vring.image().stochastic_rounding,
                }),
                Err(error) => return Some((members, error.code())),
            }
        }
        Some((members, 0))
    }
}
