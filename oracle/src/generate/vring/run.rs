//! Scripts whose rings can be run.

use super::{Draw, mix};
use crate::cases::vring::{REGION, SCRATCH, SOURCES, Script, TARGET};
use crate::law::vring::CHUNK;
use crate::law::word::meta;
use crate::subject::vring::{Op, Packet, Transfer};
use crate::wire::{Block, Desc, Ring};

/// A script of plain copies in the address space of [`crate::cases::vring::Run`], unpacked, ending
/// with the dump of both halves; and the same, packed.
pub fn runnable(seed: u64, number: u64) -> [Script; 2] {
    let mut draw = Draw::new(mix(seed, number));
    let arch = 2 + draw.below(3) as u8;
    let mut ops = Vec::new();
    let mut used = 0;
    for _ in 0..=draw.below(40) {
        let place = |draw: &mut Draw, size: u64| {
            let room = REGION - size;
            (SOURCES[0] + draw.below(room), TARGET + draw.below(room))
        };
        let size = draw.of(&[1, 4, 64, 4096, 65_535, 65_536, 65_537, 150_000]);
        let (src, dst) = place(&mut draw, size);
        let transfer = Transfer {
            src,
            dst,
            size,
            ordered: draw.one_in(3),
        };
        let op = match draw.below(6) {
            0 | 1 => Op::Transfer(transfer),
            2 => Op::TransferEx(transfer),
            3 => Op::Poke {
                event: draw.one_in(2),
                src,
                dst,
            },
            4 => {
                let mut blocks = Vec::new();
                for _ in 0..=draw.below(9) {
                    let size = 1 + draw.below(5000);
                    let (src, dst) = place(&mut draw, size);
                    blocks.push(Block { src, dst, size });
                }
                Op::Packet(Packet {
                    mode: draw.below(3) as i32,
                    sow: arch > 2 && draw.one_in(3),
                    dst_int: draw.one_in(4),
                    notify: arch == 4 && draw.one_in(4),
                    blocks,
                })
            }
            // A pair with a symbolic source: variable 1 is the region (TMPL-1).
            _ => {
                let size = 1 + draw.below(9000) as u32;
                let (src, dst) = place(&mut draw, size.into());
                let symbol = 1 << 61 | 1 << 36 | (src - SOURCES[0]);
                let raw = |half, word: [u32; 2], pointer: u64| Op::Raw {
                    half,
                    desc: Desc {
                        word: [word[0], word[1], pointer as u32, (pointer >> 32) as u32],
                    },
                };
                ops.push(raw(
                    Ring::Tx,
                    [0x0d00_0000 | size, meta::PLAIN_COPY],
                    symbol,
                ));
                raw(Ring::Rx, [0x0100_0000 | size, 0], dst)
            }
        };
        used += match &op {
            Op::Transfer(transfer) | Op::TransferEx(transfer) => transfer.size.div_ceil(CHUNK),
            Op::Packet(packet) => packet.blocks.len() as u64,
            _ => 1,
        } as u32;
        ops.push(op);
    }
    ops.extend([
        Op::Template { max_var_id: 1 },
        Op::Resolve {
            addresses: vec![0, SOURCES[0]],
        },
    ]);
    if draw.one_in(2) {
        ops.push(Op::AddrRewrite {
            base: SOURCES[0] + draw.below(1 << 19),
            size: draw.below(1 << 19),
            new_base: SOURCES[1] + draw.below(1 << 18),
        });
    }
    if draw.one_in(3) {
        ops.push(Op::DeepCopy);
    }
    let mut packed = ops.clone();
    packed.push(Op::Pack {
        start: 0,
        end: used,
        max_bytes: draw.of(&[0, 4096, 65_536, 200_000, 1 << 20, u64::MAX]),
    });
    packed.push(Op::DmbOnLastPacket);
    let padding = draw.below(5) as u32;
    let wrap = draw.one_in(2);
    [ops, packed].map(|mut ops| {
        ops.extend(Ring::BOTH.map(|half| Op::Pring {
            half,
            descriptors: used + padding,
            wrap,
            offset: 0,
        }));
        ops.push(Op::DumpBoth {
            tx_padded: Some(used + padding),
            rx_padded: Some(used + padding),
            scratch: SCRATCH,
            free: false,
        });
        Script { arch, ops }
    })
}
