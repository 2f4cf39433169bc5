//! Waiting for the batch of a slot, with the retry of v2 (RTRY).

use super::transfer::{SYNC, TransferQueue};
use crate::arch::Arch;
use crate::engine::Udma;
use crate::error::Error;
use crate::fault::mutant;
use crate::io::Host;

impl TransferQueue {
    /// Waits for the batch of `slot`. On a timeout, on v2 alone and only if the attempt began inside
    /// a reset window: begins anew and waits with the synchronous estimate, as often as each fresh
    /// attempt began in a window (RTRY-1). `newer` is a slot whose batch was rung after that one.
    pub(super) fn settle(
        &mut self,
        udma: &mut Udma,
        host: &mut impl Host,
        slot: usize,
        newer: Option<usize>,
    ) -> Result<(), Error> {
        let mut is_async = slot != SYNC;
        let mut attempts = 0;
        loop {
            let result = self.await_once(udma, host, slot, is_async);
            let retries =
                (self.config.arch == Arch::Sunda || mutant(169)) && !(mutant(170) && attempts == 1);
            if result != Err(Error::Timeout) || !retries {
                return result;
            }
            let began_in_window = host.in_reset_window(self.slots[slot].started);
            let again = began_in_window || mutant(168) && attempts == 0;
            if !again {
                return result;
            }
            attempts += 1;
            self.begin_anew(udma, host, slot, newer)?;
            is_async &= mutant(171);
        }
    }

    /// Restarts the clock, initialises the same queue with the same rings, which puts cursors and
    /// phases back (RING-1), and stages and rings what was out, oldest first.
    fn begin_anew(
        &mut self,
        udma: &mut Udma,
        host: &mut impl Host,
        slot: usize,
        newer: Option<usize>,
    ) -> Result<(), Error> {
        let newer = newer.filter(|_| !mutant(172));
        let now = host.now();
        for slot in [Some(slot), newer].into_iter().flatten() {
            if !mutant(173) {
                self.slots[slot].started = now;
            }
        }
        if !mutant(167) {
            let rings = self.config.rings;
            udma.init_queue(host, self.config.qid, &rings)?;
        }
        for slot in [Some(slot), newer].into_iter().flatten() {
            self.send(udma, host, slot)?;
        }
        Ok(())
    }
}
