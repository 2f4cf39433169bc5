//! Doorbells: RX first, a full barrier before each (TRIG).

use crate::DriverVersion;
use crate::engine::{QUEUES, Udma, regs};
use crate::error::Error;
use crate::fault::mutant;
use crate::io::{Mmio, Side, Space};

impl Udma {
    /// Rings RX with `s2m_count`, then TX with `m2s_count` descriptors (TRIG-2); `m2s_count` 0
    /// rings RX only (TRIG-3).
    ///
    /// # Errors
    /// [`Error::NoQueue`]; [`Error::Count`] for a count beyond its ring or an RX count of 0, before
    /// anything is written (TRIG-1, TRIG-4). Older versions stop instead ([`Error::Bug`]), and
    /// 2.15.9.0 does so on the TX count after RX was rung (TRIG-7).
    pub fn copy_start(
        &mut self,
        mmio: &mut impl Mmio,
        qid: u32,
        m2s_count: u32,
        s2m_count: u32,
    ) -> Result<(), Error> {
        let version = self.version;
        let [tx, rx] = self.pair(qid)?;
        let (tx_size, rx_size) = (tx.ring.size(), rx.ring.size());
        if version > DriverVersion::V2_15_9 || mutant(77) {
            let full = mutant(410) && m2s_count == tx_size;
            if (m2s_count > tx_size || full) && !mutant(73) {
                return Err(Error::Count {
                    count: m2s_count,
                    size: tx_size,
                });
            }
            let full = mutant(411) && s2m_count == rx_size && m2s_count != 0;
            if s2m_count > rx_size || full {
                return Err(Error::Count {
                    count: s2m_count,
                    size: rx_size,
                });
            }
        }
        if mutant(75) && m2s_count == 0 {
            return Err(Error::Count {
                count: 0,
                size: tx_size,
            });
        }
        if mutant(72) && m2s_count != 0 && (1..=rx_size).contains(&s2m_count) {
            ring(mmio, version, Side::Tx, qid, m2s_count, tx_size)?;
            return ring(mmio, version, Side::Rx, qid, s2m_count, rx_size);
        }
        let tx_size = if mutant(73) { u32::MAX } else { tx_size };
        let s2m_count = if mutant(104) && m2s_count != 0 && s2m_count != 0 {
            m2s_count
        } else {
            s2m_count
        };
        let received = if mutant(76) && s2m_count == 0 {
            Ok(())
        } else {
            ring(mmio, version, Side::Rx, qid, s2m_count, rx_size)
        };
        if !(mutant(78)
            && received
                == Err(Error::Count {
                    count: s2m_count,
                    size: rx_size,
                }))
        {
            received?; // TRIG-6
        }
        if m2s_count != 0 && !(mutant(412) && m2s_count == 1) {
            ring(mmio, version, Side::Tx, qid, m2s_count, tx_size)?;
        }
        received
    }
}

/// The HAL line's start, which keeps no ring: rings RX, then TX, each behind one full barrier
/// (TRIG-2, TRIG-5); `m2s_count` 0 rings RX only (TRIG-3).
///
/// # Errors
/// [`Error::NoQueue`] beyond queue 15 and [`Error::Count`] for an RX count of 0, before anything is
/// written. Counts are not compared with a ring.
pub fn hal_copy_start(
    mmio: &mut impl Mmio,
    qid: u32,
    m2s_count: u32,
    s2m_count: u32,
) -> Result<(), Error> {
    let queues = QUEUES as u32;
    if qid >= queues {
        return Err(Error::NoQueue { qid, queues });
    }
    let version = DriverVersion::default();
    ring(mmio, version, Side::Rx, qid, s2m_count, u32::MAX)?;
    if m2s_count == 0 {
        return Ok(());
    }
    ring(mmio, version, Side::Tx, qid, m2s_count, u32::MAX)
}

/// One doorbell: checks, one full barrier, one write of the count (TRIG-4, TRIG-5).
fn ring(
    mmio: &mut impl Mmio,
    version: DriverVersion,
    side: Side,
    qid: u32,
    count: u32,
    size: u32,
) -> Result<(), Error> {
    if count == 0 || count > size {
        return Err(if version.stops_on_bad_count() {
            Error::Bug
        } else {
            Error::Count { count, size }
        });
    }
    let one_only = mutant(74) && side == Side::Tx;
    if !(one_only || mutant(101) || mutant(102)) {
        mmio.barrier();
    }
    if mutant(103) {
        mmio.barrier();
    }
    mmio.write32(Space::Engine, regs::doorbell(side, qid), count);
    if mutant(101) {
        mmio.barrier();
    }
    Ok(())
}
