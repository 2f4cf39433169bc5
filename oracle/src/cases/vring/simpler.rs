//! Simpler scripts: fewer steps, then smaller numbers.

use super::Script;
use crate::family::simpler_number;
use crate::subject::vring::{Op, Packet, Transfer};

/// Scripts that author more chunks than this are left as they are: each try would take seconds.
const MOST_CHUNKS: u64 = 1 << 20;

/// The boldest step first.
pub(super) fn scripts(script: &Script) -> Vec<Script> {
    if script.chunks() > MOST_CHUNKS {
        return Vec::new();
    }
    let count = script.ops.len();
    let without = |from: usize, to: usize| {
        let mut ops = script.ops.clone();
        ops.drain(from..to);
        Script { ops, ..*script }
    };
    let mut out = Vec::new();
    let mut piece = count / 2;
    while piece > 0 {
        // From the end, where what comes after the fault lies.
        let mut to = count;
        while to >= piece {
            out.push(without(to - piece, to));
            to -= piece;
        }
        piece /= 2;
    }
    for (index, op) in script.ops.iter().enumerate() {
        out.extend(simpler(op).into_iter().map(|op| {
            let mut ops = script.ops.clone();
            ops[index] = op;
            Script { ops, ..*script }
        }));
    }
    out
}

fn numbers(value: u64, with: impl Fn(u64) -> Op) -> Vec<Op> {
    simpler_number(value).map(with).collect()
}

fn small(value: u32, with: impl Fn(u32) -> Op) -> Vec<Op> {
    simpler_number(value.into())
        .map(|value| with(value as u32))
        .collect()
}

fn transfers(transfer: &Transfer, with: impl Fn(Transfer) -> Op) -> Vec<Op> {
    let mut out = numbers(transfer.size, |size| with(Transfer { size, ..*transfer }));
    out.extend(numbers(transfer.src, |src| {
        with(Transfer { src, ..*transfer })
    }));
    out.extend(numbers(transfer.dst, |dst| {
        with(Transfer { dst, ..*transfer })
    }));
    if transfer.ordered {
        out.push(with(Transfer {
            ordered: false,
            ..*transfer
        }));
    }
    out
}

fn packets(packet: &Packet) -> Vec<Op> {
    let mut out = Vec::new();
    let count = packet.blocks.len();
    for keep in [1, count / 2, count.saturating_sub(1)] {
        if keep < count {
            let blocks = packet.blocks[..keep].to_vec();
            out.push(Packet {
                blocks,
                ..packet.clone()
            });
        }
    }
    for (index, block) in packet.blocks.iter().enumerate() {
        let plain = crate::wire::Block {
            src: 0,
            dst: 0,
            size: block.size.min(1),
        };
        if *block != plain {
            let mut simple = packet.clone();
            simple.blocks[index] = plain;
            out.push(simple);
        }
    }
    out.push(Packet {
        blocks: packet.blocks.clone(),
        ..Packet::default()
    });
    out.into_iter().map(Op::Packet).collect()
}

fn lists(addresses: &[u64], with: impl Fn(Vec<u64>) -> Op) -> Vec<Op> {
    let mut out = Vec::new();
    for keep in [0, addresses.len() / 2, addresses.len().saturating_sub(1)] {
        if keep < addresses.len() {
            out.push(with(addresses[..keep].to_vec()));
        }
    }
    if addresses.len() <= 16 {
        for index in 0..addresses.len() {
            out.extend(simpler_number(addresses[index]).map(|value| {
                let mut list = addresses.to_vec();
                list[index] = value;
                with(list)
            }));
        }
    } else if addresses.iter().any(|address| *address != 0) {
        out.push(with(vec![0; addresses.len()]));
    }
    out
}

/// Simpler forms of one operation.
fn simpler(op: &Op) -> Vec<Op> {
    match op {
        Op::Transfer(transfer) => transfers(transfer, Op::Transfer),
        Op::TransferEx(transfer) => transfers(transfer, Op::TransferEx),
        Op::Packet(packet) => packets(packet),
        Op::Poke { event, src, dst } => {
            let (event, src, dst) = (*event, *src, *dst);
            let mut out = numbers(src, |src| Op::Poke { event, src, dst });
            out.extend(numbers(dst, |dst| Op::Poke { event, src, dst }));
            out
        }
        Op::Pack {
            start,
            end,
            max_bytes,
        } => {
            let (start, end, max_bytes) = (*start, *end, *max_bytes);
            let with = |start, end, max_bytes| Op::Pack {
                start,
                end,
                max_bytes,
            };
            let mut out = small(end, |end| with(start, end, max_bytes));
            out.extend(small(start, |start| with(start, end, max_bytes)));
            out.extend(numbers(max_bytes, |max| with(start, end, max)));
            out
        }
        Op::AddrRewrite {
            base,
            size,
            new_base,
        } => {
            let (base, size, new_base) = (*base, *size, *new_base);
            let with = |base, size, new_base| Op::AddrRewrite {
                base,
                size,
                new_base,
            };
            let mut out = numbers(base, |base| with(base, size, new_base));
            out.extend(numbers(size, |size| with(base, size, new_base)));
            out.extend(numbers(new_base, |new_base| with(base, size, new_base)));
            out
        }
        Op::Resolve { addresses } => lists(addresses, |addresses| Op::Resolve { addresses }),
        Op::Acquire { addresses } => lists(addresses, |addresses| Op::Acquire { addresses }),
        Op::PringSize { descriptors, wrap } => small(*descriptors, |descriptors| Op::PringSize {
            descriptors,
            wrap: *wrap,
        }),
        Op::Pring {
            half,
            descriptors,
            wrap,
            offset,
        } => small(*descriptors, |descriptors| Op::Pring {
            half: *half,
            descriptors,
            wrap: *wrap,
            offset: *offset,
        }),
        Op::Template { max_var_id } => small(*max_var_id, |max_var_id| Op::Template { max_var_id }),
        _ => Vec::new(),
    }
}
