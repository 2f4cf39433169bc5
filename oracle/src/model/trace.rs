//! What happened: errors of the engine, findings about the driver, and the events of a run.

use std::fmt;

use crate::wire::Ring;

/// How a packet breaks the stream (MODL-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StreamError {
    /// A packet begins with a TX descriptor that is not FIRST.
    NoFirst,
    /// FIRST inside a packet.
    FirstInside,
    /// Neither LAST nor CONCAT.
    Unjoined,
    /// LAST and CONCAT.
    JoinedLast,
    /// The RX descriptors that take the packet hold more bytes than it has.
    Totals,
}

/// What the engine was doing when an address was outside its memory (MODL-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Reading a descriptor.
    Fetch,
    /// Reading a source.
    Read,
    /// Writing a destination.
    Write,
}

/// An error cause. The first is the ring-id bit of IOFC-12 in the register file too; the others
/// have no known bit and are named by the model alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// A descriptor of another phase than its lap's (MODL-2).
    RingId,
    /// MODL-3.
    Stream(StreamError),
    /// MODL-7.
    Axi(Access),
    /// Not a plain copy. The model refuses it; that says nothing about the driver.
    NotModelled,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RingId => "ring-id error",
            Self::Stream(StreamError::NoFirst) => "stream error: packet without FIRST",
            Self::Stream(StreamError::FirstInside) => "stream error: FIRST inside a packet",
            Self::Stream(StreamError::Unjoined) => "stream error: neither LAST nor CONCAT",
            Self::Stream(StreamError::JoinedLast) => "stream error: CONCAT on LAST",
            Self::Stream(StreamError::Totals) => "stream error: totals differ",
            Self::Axi(Access::Fetch) => "AXI error on a descriptor read",
            Self::Axi(Access::Read) => "AXI error on a source read",
            Self::Axi(Access::Write) => "AXI error on a destination write",
            Self::NotModelled => "not modelled",
        })
    }
}

/// A latched error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// Queue.
    pub queue: u8,
    /// Side whose descriptor is to blame.
    pub ring: Ring,
    /// Index of that descriptor since the ring's reset.
    pub index: u64,
    /// What was wrong.
    pub cause: Cause,
    /// Whether the queue stopped.
    pub stopped: bool,
}

/// Something that a correct driver never brings about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The MODL rule that found it.
    pub rule: &'static str,
    /// Queue; none for the CPU side.
    pub queue: Option<u8>,
    /// What was seen.
    pub text: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.rule)?;
        if let Some(queue) = self.queue {
            write!(f, "queue {queue}: ")?;
        }
        f.write_str(&self.text)
    }
}

/// One thing that happened. Indices count the descriptors of a ring since its reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The CPU stored bytes.
    Store {
        /// Address as the engine sees it.
        address: u64,
        /// Bytes.
        length: u64,
    },
    /// Part of a store was seen by the engine without a barrier.
    Published {
        /// Address as the engine sees it.
        address: u64,
    },
    /// A full barrier; all stores are published.
    Barrier,
    /// A doorbell was accepted.
    Doorbell {
        /// Queue.
        queue: u8,
        /// Side.
        ring: Ring,
        /// Descriptors.
        count: u32,
    },
    /// A queue reset.
    Reset {
        /// Queue.
        queue: u8,
        /// Side.
        ring: Ring,
    },
    /// A descriptor was read from memory.
    Fetch {
        /// Queue.
        queue: u8,
        /// Side.
        ring: Ring,
        /// Which.
        index: u64,
        /// Its place in the ring.
        slot: u32,
    },
    /// A packet took its source bytes.
    Start {
        /// Queue.
        queue: u8,
        /// First TX descriptor.
        tx: u64,
        /// First RX descriptor.
        rx: u64,
    },
    /// A write became visible.
    Visible {
        /// Queue.
        queue: u8,
        /// RX descriptor.
        index: u64,
        /// Address as the engine sees it.
        address: u64,
        /// Bytes.
        length: u32,
        /// Earlier writes of the queue that are not visible.
        overtook: u32,
    },
    /// An error was latched.
    Fault(Fault),
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store { address, length } => write!(f, "cpu store {address:#x}, {length} bytes"),
            Self::Published { address } => write!(f, "cpu store {address:#x} seen, no barrier"),
            Self::Barrier => f.write_str("cpu barrier"),
            Self::Doorbell { queue, ring, count } => {
                write!(f, "q{queue} {} doorbell {count}", ring.name())
            }
            Self::Reset { queue, ring } => write!(f, "q{queue} {} reset", ring.name()),
            Self::Fetch {
                queue,
                ring,
                index,
                slot,
            } => write!(
                f,
                "q{queue} {} fetch #{index} from slot {slot}",
                ring.name()
            ),
            Self::Start { queue, tx, rx } => write!(f, "q{queue} start tx #{tx} rx #{rx}"),
            Self::Visible {
                queue,
                index,
                address,
                length,
                overtook,
            } => {
                write!(
                    f,
                    "q{queue} visible rx #{index} {address:#x}, {length} bytes"
                )?;
                match overtook {
                    0 => Ok(()),
                    by => write!(f, ", ahead of {by} earlier"),
                }
            }
            Self::Fault(fault) => {
                let stopped = if fault.stopped { ", queue stopped" } else { "" };
                write!(
                    f,
                    "q{} {} #{}: {}{stopped}",
                    fault.queue,
                    fault.ring.name(),
                    fault.index,
                    fault.cause
                )
            }
        }
    }
}

/// Findings kept; one mistake repeated a thousand times says no more.
const MOST_FINDINGS: usize = 256;

/// Everything that a run leaves behind.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    pub(super) events: Option<Vec<Event>>,
    pub(super) findings: Vec<Finding>,
    pub(super) faults: Vec<Fault>,
    pub(super) dropped: u64,
}

impl Log {
    #[inline]
    pub(super) fn event(&mut self, event: impl FnOnce() -> Event) {
        if let Some(events) = &mut self.events {
            events.push(event());
        }
    }

    #[cold]
    pub(super) fn finding(&mut self, rule: &'static str, queue: Option<u8>, text: String) {
        if self.findings.len() < MOST_FINDINGS {
            self.findings.push(Finding { rule, queue, text });
        } else {
            self.dropped += 1;
        }
    }
}
