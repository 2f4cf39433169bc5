//! One queue: two rings, the packet at their heads, and writes that are not visible.

use std::collections::VecDeque;

use super::ring::State;
use super::schedule::Mood;
use super::trace::{Cause, StreamError};
use super::write::{Source, Write};
use crate::wire::Ring;

/// What stands at the heads of the two rings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Front {
    /// The rest of a packet is not fetched.
    NeedsTx,
    /// A whole packet, and not all that takes it is fetched.
    NeedsRx,
    /// A whole packet whose data memory barrier waits for earlier writes.
    Barred,
    /// A whole packet of so many TX and RX descriptors.
    Packet(usize, usize),
    /// An error, on the descriptor at this place of the ring's fetched ones.
    Broken(Cause, Ring, usize),
}

#[derive(Clone, Debug)]
pub(super) struct Queue {
    pub(super) tx: State,
    pub(super) rx: State,
    /// Started and not visible, in ring order.
    pub(super) writes: VecDeque<Write>,
    /// Later writes wait for those below this RX index: the last write or data memory barrier.
    pub(super) barrier: u64,
    pub(super) stopped: Option<Cause>,
    pub(super) mood: Mood,
}

impl Default for Queue {
    fn default() -> Self {
        Self {
            tx: State::default(),
            rx: State::default(),
            writes: VecDeque::new(),
            barrier: 0,
            stopped: None,
            mood: Mood::PROMPT,
        }
    }
}

impl Queue {
    pub(super) fn ring(&self, ring: Ring) -> &State {
        match ring {
            Ring::Tx => &self.tx,
            Ring::Rx => &self.rx,
        }
    }

    pub(super) fn ring_mut(&mut self, ring: Ring) -> &mut State {
        match ring {
            Ring::Tx => &mut self.tx,
            Ring::Rx => &mut self.rx,
        }
    }

    /// MODL-3 over what was fetched.
    #[inline]
    pub(super) fn front(&self) -> Front {
        let (Some(tx), rx) = (self.tx.list.front(), self.rx.list.front()) else {
            return Front::NeedsTx;
        };
        if let Some(rx) = rx
            && tx.alone()
            && tx.length() == rx.length()
            && tx.plain
            && rx.plain
        {
            return if tx.dmb() && !self.writes.is_empty() {
                Front::Barred
            } else {
                Front::Packet(1, 1)
            };
        }
        self.packet()
    }

    /// The general form of [`Queue::front`].
    fn packet(&self) -> Front {
        let (mut total, mut count, mut barred, mut whole) = (0, 0, false, false);
        for tx in &self.tx.list {
            let broken = |cause| Front::Broken(cause, Ring::Tx, count);
            let stream = |error| broken(Cause::Stream(error));
            if !tx.plain {
                return broken(Cause::NotModelled);
            }
            match (count == 0, tx.first(), tx.last(), tx.concat()) {
                (true, false, _, _) => return stream(StreamError::NoFirst),
                (false, true, _, _) => return stream(StreamError::FirstInside),
                (_, _, false, false) => return stream(StreamError::Unjoined),
                (_, _, true, true) => return stream(StreamError::JoinedLast),
                _ => {}
            }
            total += u64::from(tx.length());
            count += 1;
            barred |= tx.dmb();
            if tx.last() {
                whole = true;
                break;
            }
        }
        if !whole {
            return Front::NeedsTx;
        }
        let (mut taken, mut takers) = (0, 0);
        for rx in &self.rx.list {
            if !rx.plain {
                return Front::Broken(Cause::NotModelled, Ring::Rx, takers);
            }
            taken += u64::from(rx.length());
            takers += 1;
            if taken >= total {
                break;
            }
        }
        if taken < total {
            Front::NeedsRx
        } else if taken > total {
            let cause = Cause::Stream(StreamError::Totals);
            Front::Broken(cause, Ring::Rx, takers - 1)
        } else if barred && !self.writes.is_empty() {
            Front::Barred
        } else {
            Front::Packet(count, takers)
        }
    }

    /// Takes a packet off the rings and puts its writes up, each with what MODL-5 makes it wait
    /// for. `feeds` is told which TX index feeds which RX index, in stream order.
    #[inline]
    pub(super) fn take(
        &mut self,
        (tx_count, rx_count): (usize, usize),
        strong: bool,
        mut feeds: impl FnMut(u64, u64),
    ) {
        if (tx_count, rx_count) == (1, 1)
            && let (Some(tx), Some(rx)) = (self.tx.list.pop_front(), self.rx.list.pop_front())
        {
            feeds(tx.index, rx.index);
            if tx.dmb() {
                self.barrier = rx.index;
            }
            let source = Source::Range(tx.pointer);
            self.put(
                rx.index,
                strong && rx.sow(),
                rx.pointer,
                rx.length(),
                source,
            );
            if tx.write_barrier() {
                self.barrier = rx.index + 1;
            }
            return;
        }
        let mut sources = self.tx.list.drain(..tx_count).collect::<VecDeque<_>>();
        let takers: Vec<_> = self.rx.list.drain(..rx_count).collect();
        let mut used = 0;
        for rx in takers {
            let (mut ranges, mut left, mut barrier) = (Vec::new(), rx.length(), None);
            while left > 0 {
                let Some(tx) = sources.front() else { break };
                feeds(tx.index, rx.index);
                if used == 0 && tx.dmb() {
                    self.barrier = rx.index;
                }
                let part = left.min(tx.length() - used);
                ranges.push((tx.pointer + u64::from(used), part));
                left -= part;
                used += part;
                if used == tx.length() {
                    if tx.write_barrier() {
                        barrier = Some(rx.index + 1);
                    }
                    sources.pop_front();
                    used = 0;
                }
            }
            let source = match ranges[..] {
                [(source, _)] => Source::Range(source),
                _ => Source::Ranges(ranges.into()),
            };
            self.put(
                rx.index,
                strong && rx.sow(),
                rx.pointer,
                rx.length(),
                source,
            );
            self.barrier = barrier.unwrap_or(self.barrier);
        }
    }

    #[inline]
    fn put(&mut self, index: u64, sow: bool, address: u64, length: u32, source: Source) {
        let in_place = matches!(source, Source::Range(from) if from == address);
        self.writes.push_back(Write {
            index,
            after: if sow { index } else { self.barrier },
            address,
            length,
            source,
            in_place,
        });
    }

    /// RX descriptors, from the reset on, whose writes are all visible.
    pub(super) fn visible(&self) -> u64 {
        self.writes
            .front()
            .map_or_else(|| self.rx.started(), |write| write.index)
    }

    /// Whether a fetched or waiting thing is left.
    pub(super) fn idle(&self) -> bool {
        self.writes.is_empty()
            && self.tx.started() == self.tx.rung
            && self.rx.started() == self.rx.rung
    }
}
