//! Reductions: one packet that combines several sources (CCE-8..13).
//!
//! The packet, in this order: seed init where one is asked for (CCE-7); the combo of replication
//! extensions where there is more than one destination (CCE-9), one a destination with its address
//! as payload; the FMA or min/max descriptor where there is a scale or a constant; one data
//! descriptor a source. RX: one descriptor a destination. FIRST, LAST and CONCAT lie on the data
//! descriptors as in a copy packet (BLDR-9). What stands in front of the data when there are
//! several destinations, beyond its linking, is informative.

use alloc::vec::Vec;

use super::combo;
use super::descriptor::{FmaDescriptor, MinMaxDescriptor, ReplicationExtension, SeedInit, front};
use super::dtype::{BAND, CceOp, Dtype};
use super::error::OpError;
use super::limits::{MAX_SOURCES, max_bytes};
use super::words::{Add, Fma, MinMax};
use super::{Op, word};
use crate::Arch;
use crate::copy::length_bits;
use crate::desc::{Desc, MAX_LENGTH, field};
use crate::fault::mutant;

/// The scale of an FMA: its information block (CCE-10).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Scale {
    /// SDMA dtype; fp32 is the only one.
    pub dtype: u32,
    /// The scale's bits.
    pub bits: u32,
}

/// The constant operand of a min/max.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Constant {
    /// SDMA dtype.
    pub dtype: u32,
    /// The constant's bits.
    pub bits: u32,
}

/// What a reduction is asked to be. Everything is as a caller passes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reduction<'a> {
    /// SDMA CCE operation by number: add 0, fma 1, max 2, min 3.
    pub op: u32,
    /// Sub-operation, put into every word as it is.
    pub sub: u32,
    /// SDMA dtype of the input.
    pub in_dtype: u32,
    /// SDMA dtype of the output.
    pub out_dtype: u32,
    /// SDMA dtype of the accumulator.
    pub accum_dtype: u32,
    /// Source addresses, 1..32.
    pub sources: &'a [u64],
    /// Destination addresses.
    pub destinations: &'a [u64],
    /// Bytes of every source and destination.
    pub size: u64,
    /// FMA's information block; the other operations do not look at it.
    pub scale: Option<Scale>,
    /// Constant of a min/max; the other operations do not look at it.
    pub constant: Option<Constant>,
    /// Seed of a seed init in front (CCE-7).
    pub seed: Option<u64>,
    /// Meta index of what stands in front (CCE-1).
    pub meta_index: u32,
    /// Phase of the TX ring, two bits kept.
    pub tx_ring_id: u32,
    /// Phase of the RX ring, two bits kept.
    pub rx_ring_id: u32,
}

/// The descriptors of a reduction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReducePacket {
    /// TX ring.
    pub tx: Vec<Desc>,
    /// RX ring.
    pub rx: Vec<Desc>,
}

/// An accepted request.
struct Accepted {
    op: CceOp,
    in_dtype: u32,
    out_dtype: u32,
    size: u32,
}

impl Reduction<'_> {
    /// Builds the packet.
    ///
    /// # Errors
    /// In this order, with nothing built: [`OpError::CceOp`] (CCE-10), [`OpError::Sources`]
    /// (CCE-8), [`OpError::Destinations`] (none, or several on SUNDA, CCE-9), [`OpError::Dtype`],
    /// [`OpError::NoFmaInfo`], [`OpError::ScaleDtype`] (CCE-10), [`OpError::Band`] (CCE-13),
    /// [`OpError::NoCceSize`] and [`OpError::Size`] (CCE-12).
    pub fn build(&self, arch: Arch) -> Result<ReducePacket, OpError> {
        let accepted = self.check(arch)?;
        let mut tx = Vec::with_capacity(self.sources.len() + self.destinations.len() + 2);
        let seed = self.seed.map(|seed| {
            SeedInit {
                front: front(self.meta_index, false),
                seeding: true,
                seed,
            }
            .emit()
        });
        if !mutant(323) {
            tx.extend(seed);
        }
        self.in_front(&accepted, &mut tx);
        let last = self.sources.len() - 1;
        for (index, source) in self.sources.iter().enumerate() {
            tx.push(self.data(arch, &accepted, *source, index == 0, index == last));
        }
        if mutant(323) {
            tx.extend(seed);
        }
        let word0 = ring_bits(self.rx_ring_id) | length_bits(accepted.size.into());
        let rx = self
            .destinations
            .iter()
            .map(|dst| Desc::new(word0, 0, *dst))
            .collect();
        Ok(ReducePacket { tx, rx })
    }

    fn check(&self, arch: Arch) -> Result<Accepted, OpError> {
        let op = match CceOp::from_number(self.op) {
            Ok(op @ (CceOp::Add | CceOp::Fma | CceOp::Max | CceOp::Min)) => op,
            _ if mutant(329) => CceOp::Add,
            _ => return Err(OpError::CceOp { op: self.op }),
        };
        let max = if mutant(325) {
            MAX_SOURCES - 1
        } else {
            MAX_SOURCES
        };
        let count = self.sources.len();
        if count == 0 || count > max {
            return Err(OpError::Sources { count, max });
        }
        let count = self.destinations.len();
        if count == 0 || count > 1 && arch == Arch::Sunda && !mutant(326) {
            return Err(OpError::Destinations { count, arch });
        }
        let (mut input, mut output) = (
            Dtype::from_number(self.in_dtype)?,
            Dtype::from_number(self.out_dtype)?,
        );
        if op == CceOp::Fma && !mutant(328) {
            let scale = self.scale.ok_or(OpError::NoFmaInfo)?;
            if scale.dtype != Dtype::Fp32.number() {
                return Err(OpError::ScaleDtype { dtype: scale.dtype });
            }
        }
        check_band(arch, input, output)?;
        // CCE-11
        if self.sources.len() == 1 && input == output && input.bytes() == 1 && !mutant(330) {
            input = Dtype::Uint16;
            if !mutant(331) {
                output = Dtype::Uint16;
            }
        }
        let max = max_bytes(arch, input)?.min(MAX_LENGTH.into());
        if self.size == 0 || self.size > max {
            return Err(OpError::Size {
                size: self.size,
                max,
            });
        }
        Ok(Accepted {
            op,
            in_dtype: input.number(),
            out_dtype: output.number(),
            size: self.size as u32,
        })
    }

    /// Adds what stands before the data, but for the seed init.
    fn in_front(&self, accepted: &Accepted, tx: &mut Vec<Desc>) {
        let front = front(self.meta_index, false);
        if self.destinations.len() > 1 {
            let first = tx.len();
            tx.extend(self.destinations.iter().map(|dst| {
                ReplicationExtension {
                    front,
                    mode: 0,
                    payload: *dst,
                }
                .emit()
            }));
            combo::chain(&mut tx[first..]);
        }
        match (accepted.op, self.scale, self.constant) {
            (CceOp::Fma, Some(scale), _) => tx.push(
                FmaDescriptor {
                    front,
                    sub: self.sub,
                    length: accepted.size,
                    scale: scale.bits,
                    ..FmaDescriptor::default()
                }
                .emit(),
            ),
            (CceOp::Max | CceOp::Min, _, Some(constant)) => tx.push(
                MinMaxDescriptor {
                    front,
                    length: accepted.size,
                    constant: Some((constant.dtype, constant.bits)),
                }
                .emit(),
            ),
            _ => {}
        }
    }

    fn data(
        &self,
        arch: Arch,
        accepted: &Accepted,
        source: u64,
        is_first: bool,
        is_last: bool,
    ) -> Desc {
        let mut word0 = ring_bits(self.tx_ring_id) | length_bits(accepted.size.into());
        if is_first {
            word0 |= field::FIRST;
        }
        word0 |= if is_last { field::LAST } else { field::CONCAT };
        let last = u32::from(is_last || mutant(324)); // CCE-8
        let op = match accepted.op {
            CceOp::Fma => Op::Fma(Fma {
                sub: self.sub,
                last,
                in_dtype: accepted.in_dtype,
                scale_dtype: self.scale.map_or(0, |scale| scale.dtype),
                accum_dtype: self.accum_dtype,
                ..Fma::default()
            }),
            CceOp::Max | CceOp::Min => Op::MinMax(MinMax {
                sub: self.sub,
                last,
                use_const: self.constant.is_some().into(),
                in_dtype: accepted.in_dtype,
                out_dtype: accepted.out_dtype,
                accum_dtype: self.accum_dtype,
                const_dtype: self.constant.map_or(0, |constant| constant.dtype),
                ..MinMax::default()
            }),
            _ => Op::Add(Add {
                sub: self.sub,
                last,
                out_dtype: accepted.out_dtype,
                accum_dtype: self.accum_dtype,
                ..Add::default()
            }),
        };
        Desc::new(word0, word(arch, &op), source)
    }
}

/// CCE-13: on the oldest cores, those of SUNDA, both dtypes lie inside the band or both outside.
fn check_band(arch: Arch, input: Dtype, output: Dtype) -> Result<(), OpError> {
    let judged = arch == Arch::Sunda && !mutant(336) || mutant(335);
    let (input, output) = (input.number(), output.number());
    if judged && BAND.contains(&input) != BAND.contains(&output) {
        return Err(OpError::Band { input, output });
    }
    Ok(())
}

fn ring_bits(ring_id: u32) -> u32 {
    ring_id << field::RING_ID_SHIFT & field::RING_ID
}

#[cfg(test)]
mod tests {
    use super::*;

    // Worked from CCE-5, CCE-8 and BLDR-9: two sources, fp32, 64 bytes, phase 1.
    #[test]
    fn two_sources_added() {
        let request = Reduction {
            in_dtype: 10,
            out_dtype: 10,
            accum_dtype: 10,
            sources: &[0x1000, 0x2000],
            destinations: &[0x3000],
            size: 64,
            tx_ring_id: 1,
            rx_ring_id: 1,
            ..Reduction::default()
        };
        let packet = request.build(Arch::Sunda).unwrap();
        assert_eq!(
            packet.tx,
            [
                Desc::new(0x8500_0040, 0x020a_a000, 0x1000),
                Desc::new(0x0900_0040, 0x020a_a080, 0x2000),
            ]
        );
        assert_eq!(packet.rx, [Desc::new(0x0100_0040, 0, 0x3000)]);
    }

    // CCE-2, CCE-10: the FMA descriptor stands in front.
    #[test]
    fn a_scaled_source() {
        let request = Reduction {
            op: 1,
            in_dtype: 6,
            out_dtype: 6,
            accum_dtype: 10,
            sources: &[0x1000],
            destinations: &[0x3000],
            size: 32,
            scale: Some(Scale {
                dtype: 10,
                bits: 0x3f80_0000,
            }),
            meta_index: 2,
            ..Reduction::default()
        };
        let packet = request.build(Arch::Cayman).unwrap();
        assert_eq!(
            packet.tx,
            [
                Desc::from_words([0x0280_0000, 0x0210_0000, 0x0900_0020, 0x3f80_0000]),
                Desc::new(0x0c00_0020, 0x021a_a680, 0x1000),
            ]
        );
        let bare = Reduction {
            scale: None,
            ..request
        };
        assert_eq!(bare.build(Arch::Cayman), Err(OpError::NoFmaInfo));
    }
}
