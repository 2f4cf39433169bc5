//! Wrong beliefs of a driver, put between the implementation and its outside.

use std::fmt;
use std::str::FromStr;

use super::cycle::Shape;
use super::property;

/// What a driver may believe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Belief {
    /// The last data pair needs no write barrier (BTCH-3).
    NoWriteBarrier,
    /// A doorbell needs no barrier before it (TRIG-5).
    NoDoorbellBarrier,
    /// TX is rung first (TRIG-2).
    TxFirst,
    /// Slots may be acknowledged once they are rung (ACK-1).
    AckBeforePoll,
    /// The marker is not counted by the ack (ACK-2).
    AckShort,
    /// 15 slots are guard enough (RING-2).
    Guard15,
    /// The last slot of a lap carries the next lap's phase (RING-4).
    PhaseEarly,
    /// The poll word need not be cleared (MARK-1, MARK-3).
    PollWordKept,
}

/// A name that is no belief.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("belief {name:?} is not known: {}", Belief::ALL.map(Belief::name).join(", "))]
pub struct UnknownBelief {
    /// The name given.
    pub name: String,
}

impl Belief {
    /// Every belief.
    pub const ALL: [Self; 8] = [
        Self::NoWriteBarrier,
        Self::NoDoorbellBarrier,
        Self::TxFirst,
        Self::AckBeforePoll,
        Self::AckShort,
        Self::Guard15,
        Self::PhaseEarly,
        Self::PollWordKept,
    ];

    /// Name, as [`FromStr`] takes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoWriteBarrier => "no-write-barrier",
            Self::NoDoorbellBarrier => "no-doorbell-barrier",
            Self::TxFirst => "tx-first",
            Self::AckBeforePoll => "ack-before-poll",
            Self::AckShort => "ack-short",
            Self::Guard15 => "guard-15",
            Self::PhaseEarly => "phase-early",
            Self::PollWordKept => "poll-word-kept",
        }
    }

    /// The smallest shape in which it is found out.
    pub const fn shape(self) -> Shape {
        match self {
            Self::AckBeforePoll => Shape::LARGE,
            _ => Shape::FRESH,
        }
    }

    /// Names of the properties that it breaks.
    pub const fn breaks(self) -> &'static [&'static str] {
        match self {
            Self::NoWriteBarrier | Self::PollWordKept => &[property::MARKER_LAST],
            Self::NoDoorbellBarrier => &[property::PHASE, property::NO_DEADLOCK],
            Self::TxFirst => &[property::ARMED],
            Self::AckBeforePoll => &[property::GUARD, property::NOT_OVERWRITTEN],
            Self::AckShort => &[property::AVAILABLE],
            Self::Guard15 => &[property::GUARD],
            Self::PhaseEarly => &[property::PHASE],
        }
    }
}

impl fmt::Display for Belief {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Belief {
    type Err = UnknownBelief;

    fn from_str(name: &str) -> Result<Self, UnknownBelief> {
        Self::ALL
            .into_iter()
            .find(|belief| belief.name() == name)
            .ok_or_else(|| UnknownBelief {
                name: name.to_owned(),
            })
    }
}
