//! One pair into the two rings of a queue (RING-8, RING-11).

use super::Udma;
use crate::Arch;
use crate::copy::{PairBuilder, PairRequest};
use crate::desc::Desc;
use crate::error::Error;
use crate::fault::mutant;
use crate::io::{RingMemory, Side};
use crate::line::Line;

impl Udma {
    /// Takes a slot of each ring, RX first, and builds one pair into them; the ring ids of
    /// `request` are replaced by the rings' phases.
    ///
    /// # Errors
    /// In this order: [`Error::NoQueue`], [`Error::Oversize`], [`Error::RingFull`] (TX, then RX; a
    /// ring that is not a power of two counts as full), [`Error::NoSlot`], after which a slot that
    /// the other ring gave is lost, and [`Error::UnknownMode`], after which both rings have lost
    /// a slot (ERR-16).
    pub fn prepare(
        &mut self,
        memory: &mut impl RingMemory,
        qid: u32,
        request: &PairRequest,
    ) -> Result<(), Error> {
        let line = Line::Kernel(self.version);
        // Any architecture: the kernel line does not look at it (BARR-4).
        let builder = PairBuilder::new(line, Arch::Mariana);
        let pair = self.pair(qid)?;
        let size = builder.check_size(request.size);
        if !mutant(54) {
            if mutant(55) && size.is_err() {
                for queue in pair.iter_mut() {
                    queue.ring.take()?;
                }
            }
            size?;
        }
        let [tx, rx] = pair;
        for ring in [&tx.ring, &rx.ring] {
            let ignored = mutant(84) && core::ptr::eq(ring, &raw const tx.ring);
            if ring.available()? < 1 && !ignored {
                let odd = mutant(99) && !ring.size().is_power_of_two();
                return Err(if odd { Error::NoSlot } else { Error::RingFull });
            }
        }
        size?;

        #[cfg(feature = "mutants")]
        let before = (tx.ring.save(), rx.ring.save());
        let slots = (rx.ring.take()?, tx.ring.take()?);
        let (Some(rx_slot), Some(tx_slot)) = slots else {
            #[cfg(feature = "mutants")]
            if mutant(86) {
                tx.ring.restore(before.0);
                rx.ring.restore(before.1);
            }
            return Err(Error::NoSlot); // RING-11
        };
        let request = PairRequest {
            rx_ring_id: rx.ring.take_phase(),
            tx_ring_id: tx.ring.take_phase(),
            sow: false,
            ..*request
        };
        let (mut tx_desc, mut rx_desc) = (Desc::default(), Desc::default());
        let result = builder.build(&request, &mut tx_desc, &mut rx_desc);
        if result.is_ok() {
            memory.publish(Side::Tx, tx_slot, &tx_desc); // BLDR-8
            memory.publish(Side::Rx, rx_slot, &rx_desc);
        }
        #[cfg(feature = "mutants")]
        if mutant(11) && result.is_err() {
            tx.ring.restore(before.0);
            rx.ring.restore(before.1);
        }
        result
    }

    /// Driver version of this engine as a line.
    pub const fn line(&self) -> Line {
        Line::Kernel(self.version)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::DriverVersion;
    use crate::engine::queue::QueueParams;
    use crate::io::{Mmio, Space};
    use alloc::vec;

    struct Sink;
    impl Mmio for Sink {
        fn read32(&mut self, _: Space, _: u64) -> u32 {
            0
        }
        fn write32(&mut self, _: Space, _: u64, _: u32) {}
        fn barrier(&mut self) {}
    }

    #[test]
    fn a_refused_mode_costs_a_slot_on_both_rings() {
        let mut engine = Udma::initialised(DriverVersion::V2_26_5, 16, 0);
        let params = QueueParams {
            size: [32, 32],
            has_memory: [true, true],
            allocatable: true,
            ..QueueParams::default()
        };
        engine.init_queue(&mut Sink, 0, &params).unwrap();
        let mut memory = [vec![Desc::default(); 32], vec![Desc::default(); 32]];
        let refused = PairRequest {
            size: 64,
            mode: 4,
            ..PairRequest::default()
        };
        assert_eq!(
            engine.prepare(&mut memory, 0, &refused),
            Err(Error::UnknownMode { mode: 4 })
        );
        for side in [Side::Tx, Side::Rx] {
            assert_eq!(engine.queue(0, side).unwrap().ring.next_desc_idx(), 1); // ERR-16
        }
        let oversize = PairRequest {
            size: 65537,
            ..PairRequest::default()
        };
        assert!(engine.prepare(&mut memory, 0, &oversize).is_err());
        assert_eq!(engine.queue(0, Side::Tx).unwrap().ring.next_desc_idx(), 1);
        assert_eq!(memory[0], [Desc::default(); 32]);
    }
}
