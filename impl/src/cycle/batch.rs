//! Batches: a transfer cut into chunks, staged as data pairs and one marker pair, and rung (BTCH).

use super::marker::CompletionBuffer;
use crate::Arch;
use crate::copy::PairRequest;
use crate::desc::MAX_LENGTH;
use crate::engine::Udma;
use crate::engine::layout::HOST_RING_REQUEST;
use crate::error::Error;
use crate::fault::mutant;
use crate::io::{Host, Memory, RingMemory};
use crate::ordering::Ordering;
use crate::ring::GUARD_GAP;

/// How a transfer is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Batching {
    /// Bytes of a chunk, one data pair: 1..=65536 (BTCH-1).
    pub chunk: u32,
    /// Compared before a chunk is staged, so that a full batch holds `threshold + 1` data pairs and
    /// the marker (BTCH-2).
    pub threshold: u32,
}

impl Default for Batching {
    /// The driver's: 65536 bytes, 2031 (BTCH-2).
    fn default() -> Self {
        Self {
            chunk: MAX_LENGTH,
            threshold: HOST_RING_REQUEST as u32 / 2 - GUARD_GAP - 1,
        }
    }
}

impl Batching {
    /// The largest batches of which `in_flight` fit a ring of `size` descriptors at a time beside
    /// its guard gap: 14 on a ring of 32 for one in flight. At least two pairs a batch.
    #[must_use]
    pub const fn filling(size: u32, in_flight: u32) -> Self {
        let pairs = size.saturating_sub(GUARD_GAP) / in_flight;
        Self {
            chunk: MAX_LENGTH,
            threshold: pairs.saturating_sub(2),
        }
    }

    /// Most pairs of a batch, marker included.
    pub const fn pairs(&self) -> u32 {
        self.threshold + 2
    }
}

/// A transfer, by addresses as the engine sees them (HOST-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Source.
    pub src: u64,
    /// Destination.
    pub dst: u64,
    /// Bytes. 0 stages one pair of size 0, which moves 65536 bytes (BTCH-6, ERR-14).
    pub size: u64,
    /// Whether the source advances with each chunk, or stays (BTCH-5).
    pub src_moves: bool,
    /// Whether the destination advances with each chunk, or stays (BTCH-5).
    pub dst_moves: bool,
}

impl Transfer {
    /// A copy: both addresses advance.
    pub const fn copy(src: u64, dst: u64, size: u64) -> Self {
        Self {
            src,
            dst,
            size,
            src_moves: true,
            dst_moves: true,
        }
    }

    /// The pair request of `size` bytes from `offset` on.
    fn chunk(&self, offset: u64, size: u64, mode: Ordering) -> PairRequest {
        let moved = |address: u64, moves| {
            if moves {
                address.wrapping_add(offset)
            } else {
                address
            }
        };
        PairRequest {
            src: moved(self.src, self.src_moves || mutant(135)),
            dst: moved(self.dst, self.dst_moves),
            size,
            mode: mode as i32,
            ..PairRequest::default()
        }
    }
}

/// What a batch holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Staged {
    /// Pairs, marker included: the number rung and acknowledged (BTCH-4, ACK-2).
    pub pairs: u32,
    /// Bytes of the transfer that are in it.
    pub bytes: u64,
}

/// One batch to be staged.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// Queue.
    pub qid: u32,
    /// Decides the ordering modes (BTCH-3).
    pub arch: Arch,
    /// How the transfer is cut.
    pub batching: Batching,
    /// The whole transfer.
    pub transfer: &'a Transfer,
    /// Bytes of it that earlier batches moved.
    pub offset: u64,
    /// Where its marker goes.
    pub completion: CompletionBuffer,
}

impl Batch<'_> {
    /// Stages the data pairs, then the marker, and rings both rings with their number (BTCH-4,
    /// MARK-2).
    ///
    /// # Errors
    /// Those of [`Udma::prepare`], with the pairs staged so far lost on the rings and no doorbell
    /// rung, and those of [`Udma::copy_start`].
    pub fn send(&self, udma: &mut Udma, host: &mut impl Host) -> Result<Staged, Error> {
        if mutant(105) {
            let mut staged = self.stage_data(udma, host)?;
            staged.pairs += 1;
            udma.copy_start(host, self.qid, staged.pairs, staged.pairs)?;
            self.stage_marker(udma, host)?;
            return Ok(staged);
        }
        let staged = self.stage(udma, host)?;
        let (mut m2s, mut s2m) = (staged.pairs, staged.pairs);
        if mutant(134) {
            m2s -= 1;
        }
        if mutant(112) {
            s2m -= 1;
        }
        if mutant(108) {
            (m2s, s2m) = (m2s + 1, s2m + 1);
        }
        udma.copy_start(host, self.qid, m2s, s2m)?;
        Ok(staged)
    }

    /// Stages the batch without ringing.
    ///
    /// # Errors
    /// Those of [`Udma::prepare`].
    pub fn stage(
        &self,
        udma: &mut Udma,
        host: &mut (impl Memory + RingMemory),
    ) -> Result<Staged, Error> {
        let mut staged = self.stage_data(udma, host)?;
        if !mutant(110) {
            self.stage_marker(udma, host)?;
        }
        staged.pairs += 1;
        Ok(staged)
    }

    fn stage_data(
        &self,
        udma: &mut Udma,
        host: &mut (impl Memory + RingMemory),
    ) -> Result<Staged, Error> {
        let mut staged = Staged::default();
        let whole = self.transfer.size - self.offset;
        if mutant(138) && whole == 0 {
            return Ok(staged);
        }
        let mut chunk = u64::from(self.batching.chunk);
        if mutant(133) && chunk == u64::from(MAX_LENGTH) {
            chunk -= 1;
        }
        loop {
            let left = whole - staged.bytes;
            let is_last = left <= chunk || self.is_full(staged.pairs);
            let mut size = left.min(chunk);
            if mutant(109) && size != 0 {
                size = chunk;
            }
            let mode = self.mode(staged.pairs == 0, is_last, left <= chunk);
            if mutant(110) && is_last {
                self.stage_marker(udma, host)?;
            }
            let request = self.transfer.chunk(self.offset + staged.bytes, size, mode);
            udma.prepare(host, self.qid, &request)?;
            staged.pairs += 1;
            staged.bytes += left.min(chunk);
            if is_last {
                return Ok(staged);
            }
        }
    }

    /// BTCH-2: looked at before a chunk is staged, so one more follows.
    fn is_full(&self, pairs: u32) -> bool {
        let threshold = self.batching.threshold;
        if mutant(127) {
            pairs > threshold
        } else if mutant(128) {
            pairs + 1 >= threshold
        } else {
            pairs >= threshold
        }
    }

    /// BTCH-3: the last data pair of each batch carries the write barrier, on every architecture.
    fn mode(&self, is_first: bool, is_last: bool, ends_transfer: bool) -> Ordering {
        let ordered = if mutant(130) {
            is_first
        } else if mutant(131) {
            ends_transfer
        } else {
            is_last
        };
        let no_barrier = mutant(129) || mutant(132) && self.arch != Arch::Sunda;
        if ordered && !no_barrier {
            Ordering::WriteBarrier
        } else {
            Ordering::None
        }
    }

    /// BTCH-3: the marker itself carries no mode.
    fn stage_marker(
        &self,
        udma: &mut Udma,
        host: &mut (impl Memory + RingMemory),
    ) -> Result<(), Error> {
        let mode = if mutant(132) && self.arch != Arch::Sunda {
            Ordering::Sow
        } else if mutant(120) {
            Ordering::WriteBarrier
        } else {
            Ordering::None
        };
        if mutant(137) && self.offset != 0 {
            // BTCH-6: every batch arms its marker anew.
            return self.completion.prepare(udma, host, self.qid, mode);
        }
        self.completion.stage(udma, host, self.qid, mode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_the_drivers() {
        let batching = Batching::default();
        assert_eq!((batching.chunk, batching.threshold), (65536, 2031)); // BTCH-2
        assert_eq!(batching.pairs(), 2033);
        assert_eq!(Batching::filling(32, 1).pairs(), 16);
        assert_eq!(Batching::filling(64, 2).pairs(), 24);
    }
}
