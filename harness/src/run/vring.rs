//! A `vring` step as calls of a device: the script on the implementation's virtual ring, its dump,
//! and the copy of both halves to a ring that begins.

use udma::io::Side;
use udma::packet::{Block, PacketRequest};
use udma::ring::FIRST_PHASE;
use udma::vring::{Dump, Pring, PringType, Transfer, Vring};
use udma::{Arch, Desc};

use super::client::Client;
use super::port::Port;
use crate::program::At;
use crate::program::script::{self, Authored};
use crate::program::step::Mode;

/// What a step gives that the library refuses before any call.
const REFUSED: i64 = -22;

/// Ordering of a packet: SOW is a flag of its own there.
pub(super) fn packet_request(mode: Mode) -> PacketRequest {
    let sow = mode == Mode::Sow;
    PacketRequest {
        mode: if sow { 0 } else { mode.number() },
        sow,
        ..PacketRequest::default()
    }
}

impl<P: Port> Client<'_, P> {
    pub(super) fn block(&self, block: &crate::program::step::Block) -> Block {
        Block {
            src: self.address(&block.src),
            dst: self.address(&block.dst),
            size: block.size.0,
        }
    }

    fn author(&self, vring: &mut Vring, step: &Authored) -> Result<(), udma::vring::Error> {
        let arch = Arch::from(self.arch);
        let resolved = |transfer: &script::Transfer| Transfer {
            src: self.address(&transfer.src),
            dst: self.address(&transfer.dst),
            size: transfer.size.0,
            ordered: transfer.ordered,
        };
        match step {
            Authored::Transfer(transfer) => vring.add_transfer(arch, &resolved(transfer)),
            Authored::TransferEx(transfer) => vring.add_transfer_ex(arch, &resolved(transfer)),
            Authored::Poke { src, dst } => {
                vring.add_poke(arch, self.address(src), self.address(dst))
            }
            Authored::Packet { blocks, mode } => {
                let blocks: Vec<Block> = blocks.iter().map(|block| self.block(block)).collect();
                vring.add_packet(arch, &packet_request(*mode), &blocks)
            }
            Authored::Pack { max_bytes } => {
                let all = 0..vring.half(Side::Tx).used();
                vring.pack(arch, all, max_bytes.0).map(drop)
            }
            Authored::DmbOnLastPacket => vring.dmb_on_last_packet(arch).map(drop),
            Authored::AddrRewrite {
                base,
                size,
                new_base,
            } => {
                vring.rewrite_addresses(self.address(base), size.0, self.address(new_base));
                Ok(())
            }
            Authored::Template { max_var_id } => {
                vring.mark_template(*max_var_id);
                Ok(())
            }
            Authored::Resolve { addresses } => {
                let addresses: Vec<u64> = addresses.iter().map(|at| self.address(at)).collect();
                vring.resolve(&addresses).map(drop)
            }
        }
    }

    /// The descriptors of a half as its dump leaves them in a ring of `size`.
    fn dumped(
        vring: &mut Vring,
        side: Side,
        size: u32,
        dump: &Dump,
    ) -> Result<Vec<Desc>, udma::vring::Error> {
        let memory = vec![Desc::default(); size as usize];
        let mut pring = Pring::new(PringType::of(side), memory, 0, size)?;
        vring.dump(side, &mut pring, dump)?;
        Ok(pring.slots()[..pring.used() as usize].to_vec())
    }

    /// Authors a virtual ring, dumps it, and puts both halves at the start of a ring's memory.
    pub(super) fn vring(
        &mut self,
        ring: &str,
        script: &[Authored],
        padded: Option<u32>,
        scratch: Option<&At>,
    ) -> i64 {
        // XFER-1: what is dumped has ring id 1, which is right at slot 0 of the first lap alone.
        let Some(queue) = self.queues.get(ring).cloned() else {
            return REFUSED;
        };
        let begins = [&queue.tx, &queue.rx]
            .iter()
            .all(|half| (half.next_desc_idx, half.desc_ring_id) == (0, FIRST_PHASE));
        if !begins {
            return REFUSED;
        }
        let mut vring = Vring::new(ring);
        let authored = script
            .iter()
            .try_for_each(|step| self.author(&mut vring, step));
        let dump = Dump {
            padded,
            scratch: scratch.map_or(0, |at| self.address(at)),
            free: false,
        };
        let halves = authored.and_then(|()| {
            let tx = Self::dumped(&mut vring, Side::Tx, queue.tx.desc_count, &dump)?;
            let rx = Self::dumped(&mut vring, Side::Rx, queue.rx.desc_count, &dump)?;
            Ok((tx, rx))
        });
        match halves {
            Ok((tx, rx)) => self.stage(ring, &tx, &rx, false),
            Err(_) => REFUSED,
        }
    }
}
