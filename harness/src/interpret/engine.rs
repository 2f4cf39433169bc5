//! The engine, one packet after another.

use super::wire::Desc;
use super::{Half, Machine};
use crate::outcome::StepPath;

/// What stands at the head of a queue.
enum Front {
    /// TX descriptors, RX descriptors.
    Packet(Vec<Desc>, Vec<Desc>),
    /// Not all of it was rung.
    Incomplete,
    /// An error that stops the queue.
    Broken,
}

impl Machine<'_> {
    /// Runs what was rung on a queue until nothing more can run.
    pub(super) fn run(&mut self, ring: &str) {
        loop {
            if self.queues.get(ring).is_none_or(|queue| queue.stopped) {
                return;
            }
            match self.front(ring) {
                Front::Incomplete => return,
                Front::Broken => {
                    let owner = self.owner(ring, 1);
                    self.stop(ring, owner);
                }
                Front::Packet(tx, rx) => {
                    let owner = self.owner(ring, rx.len());
                    for (side, count) in [("tx", tx.len()), ("rx", rx.len())] {
                        for _ in 0..count {
                            self.half(ring, side).fetched();
                        }
                    }
                    if !self.packet(&tx, &rx, &owner) {
                        self.stop(ring, owner);
                    }
                }
            }
        }
    }

    fn stop(&mut self, ring: &str, owner: StepPath) {
        self.refused.get_or_insert(owner);
        if let Some(queue) = self.queues.get_mut(ring) {
            queue.stopped = true;
        }
    }

    /// The step that staged the last RX descriptor of a packet.
    fn owner(&mut self, ring: &str, count: usize) -> StepPath {
        let half = *self.half(ring, "rx");
        let slot = (half.fetch + count as u32 - 1) % half.size.max(1);
        let area = self.find(&format!("{ring}.rx")).unwrap_or_default();
        let owners = self.owners.get(&area);
        owners
            .and_then(|owners| owners.get(slot as usize))
            .cloned()
            .unwrap_or_default()
    }

    fn slot(&self, ring: &str, side: &str, half: &Half, ahead: u32) -> Desc {
        let area = self.find(&format!("{ring}.{side}")).unwrap_or_default();
        let slot = (half.fetch + ahead) % half.size.max(1);
        let offset = slot as usize * 16;
        Desc::parse(&self.areas[area].bytes[offset..offset + 16])
    }

    /// MODL-2, MODL-3: the packet at the head. Every descriptor is looked at before any is obeyed.
    fn front(&self, ring: &str) -> Front {
        let Some(queue) = self.queues.get(ring).copied() else {
            return Front::Incomplete;
        };
        let phase_is_right = |half: &Half, ahead: u32, desc: &Desc| {
            let laps = (half.fetch + ahead) / half.size.max(1);
            desc.phase() == (half.wanted_phase + laps) % 4
        };
        let (mut tx, mut total) = (Vec::new(), 0);
        loop {
            if tx.len() as u32 >= queue.tx.rung {
                return Front::Incomplete;
            }
            let desc = self.slot(ring, "tx", &queue.tx, tx.len() as u32);
            let joined = desc.concat() != desc.last();
            if !phase_is_right(&queue.tx, tx.len() as u32, &desc)
                || desc.first() != tx.is_empty()
                || !joined
            {
                return Front::Broken;
            }
            total += desc.length();
            tx.push(desc);
            if desc.last() {
                break;
            }
        }
        let (mut rx, mut taken) = (Vec::new(), 0);
        while taken < total {
            if rx.len() as u32 >= queue.rx.rung {
                return Front::Incomplete;
            }
            let desc = self.slot(ring, "rx", &queue.rx, rx.len() as u32);
            if !phase_is_right(&queue.rx, rx.len() as u32, &desc) {
                return Front::Broken;
            }
            taken += desc.length();
            rx.push(desc);
        }
        if taken == total {
            Front::Packet(tx, rx)
        } else {
            Front::Broken
        }
    }

    /// Moves a packet's bytes; false, with nothing moved, where one is outside of memory (MODL-7).
    fn packet(&mut self, tx: &[Desc], rx: &[Desc], owner: &StepPath) -> bool {
        let mut stream = Vec::new();
        for desc in tx {
            let Some((area, offset)) = self.range(desc.pointer, desc.length()) else {
                return false;
            };
            let end = offset + desc.length() as usize;
            stream.extend_from_slice(&self.areas[area].bytes[offset..end]);
        }
        if rx
            .iter()
            .any(|desc| self.range(desc.pointer, desc.length()).is_none())
        {
            return false;
        }
        let mut rest = stream.as_slice();
        for desc in rx {
            let (bytes, behind) = rest.split_at(desc.length() as usize);
            rest = behind;
            if let Some((area, offset)) = self.range(desc.pointer, desc.length()) {
                self.write(area, offset, bytes, owner);
            }
        }
        true
    }
}

impl Half {
    /// The engine has taken one descriptor.
    fn fetched(&mut self) {
        self.rung -= 1;
        self.fetch += 1;
        if self.fetch == self.size {
            self.fetch = 0;
            self.wanted_phase = (self.wanted_phase + 1) % 4;
        }
    }
}
