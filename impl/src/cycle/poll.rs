//! Waiting for a marker, and what follows a match (POLL, ACK).

use super::marker::{CompletionBuffer, MARKER};
use super::wait::Wait;
use crate::engine::{Udma, regs};
use crate::error::Error;
use crate::fault::mutant;
use crate::io::{Clock, Cursors, Host, Memory, Mmio, Observer, Side, Space};

/// Microseconds between two looks of the kernel line (POLL-1).
const INTERVAL: u64 = 1;
/// Microseconds between two looks of the HAL line (POLL-4).
pub const HAL_INTERVAL: u64 = 10;

/// Waits for the marker of a batch of `pairs` pairs (POLL-1); on a match re-arms the buffer
/// (MARK-3) and acknowledges RX, then TX, by that count (ACK-1, ACK-2). A timeout stores nothing,
/// acknowledges nothing, and the slots stay taken.
///
/// # Errors
/// [`Error::Timeout`], and those of [`crate::ring::Ring::ack`].
pub fn complete(
    udma: &mut Udma,
    host: &mut impl Host,
    qid: u32,
    completion: &CompletionBuffer,
    pairs: u32,
    wait: Wait,
) -> Result<(), Error> {
    if mutant(152) {
        ack(udma, host, qid, pairs)?;
    }
    let found = if mutant(150) {
        head_reached(udma, host, qid, wait)
    } else {
        poll(host, completion, wait)
    };
    if !found {
        if mutant(151) {
            ack(udma, host, qid, pairs)?;
        }
        return Err(Error::Timeout);
    }
    completion.rearm(host);
    if mutant(152) {
        return Ok(());
    }
    ack(udma, host, qid, pairs)
}

/// One delay, then at most `following + 2` looks, a microsecond after each miss, the last one too.
fn poll(host: &mut (impl Memory + Clock), completion: &CompletionBuffer, wait: Wait) -> bool {
    if !mutant(139) {
        host.delay(wait.first);
    }
    // following + 2 looks: 0 up to and including this one.
    let last = wait.following.saturating_add(u64::from(!mutant(140)));
    for look in 0..=last {
        if completion.is_complete(host) {
            return true;
        }
        if !(mutant(141) && look == last) {
            host.delay(INTERVAL);
        }
    }
    false
}

/// The belief of POLL-5's mutant: the engine's RX head tells that the batch is done.
fn head_reached(udma: &Udma, host: &mut (impl Mmio + Clock), qid: u32, wait: Wait) -> bool {
    let head = regs::queue_block(Side::Rx, qid) + regs::ring::HEAD;
    let end = udma
        .queue(qid, Side::Rx)
        .map_or(0, |queue| queue.ring.next_desc_idx());
    host.delay(wait.first);
    for _ in 0..=wait.following {
        if host.read32(Space::Engine, head) == end {
            return true;
        }
        host.delay(INTERVAL);
    }
    false
}

/// Acknowledges RX, then TX (ACK-1).
fn ack(udma: &Udma, host: &mut impl Observer, qid: u32, pairs: u32) -> Result<(), Error> {
    let count = if mutant(156) { pairs - 1 } else { pairs };
    let sides: &[Side] = if mutant(153) {
        &[Side::Tx]
    } else if mutant(155) {
        &[Side::Tx, Side::Rx]
    } else {
        &[Side::Rx, Side::Tx]
    };
    for &side in sides {
        let queue = udma.queue(qid, side).ok_or(Error::NoQueue {
            qid,
            queues: udma.num_queues(),
        })?;
        queue.ring.ack(count)?;
        let cursors = Cursors {
            next_desc: queue.ring.next_desc_idx(),
            next_cdesc: queue.ring.next_cdesc_idx(),
            ring_id: queue.ring.ring_id(),
        };
        host.acked(qid, side, cursors);
    }
    Ok(())
}

/// The HAL line's software poll (POLL-4): looks at the poll word at CPU address `poll_word` at most
/// `looks` times, 10 µs after each miss. Nothing is stored: the shadow queue has no consumer to
/// acknowledge, and the caller arms the buffer.
///
/// # Errors
/// [`Error::Timeout`].
pub fn software_poll(
    host: &mut (impl Memory + Clock),
    poll_word: u64,
    looks: u64,
) -> Result<(), Error> {
    for _ in 0..looks {
        if host.load32(poll_word) == MARKER {
            return Ok(());
        }
        host.delay(if mutant(149) { INTERVAL } else { HAL_INTERVAL });
    }
    Err(Error::Timeout)
}
