//! The ring cycle searched completely: every order in which a driver of three slots and an engine
//! can do their steps, over all four laps of a ring of 32 with its guard gap of 16.
//!
//! The driver's side of each step is the implementation's own code on cloned rings:
//! [`udma::cycle::batch::Batch::send`] stages and rings a batch, [`udma::cycle::poll::complete`]
//! sees its marker, re-arms and acknowledges. What it asks of the outside is recorded and done one
//! thing after another, with the engine at work in between. The engine is the weakest of MODL-1..8:
//! it fetches what was rung at any time, in ring order; a store that no barrier has published may
//! be seen or not; writes of started pairs become visible in any order that MODL-5 leaves.
//!
//! Any slot that is free may be submitted next; batches are waited for in the order in which they
//! were submitted (ASYN-2). In another order the ring's free count would still hold, but not the
//! slots: acks are by number (RING-5), and the slots given back are those at the consumer.
//!
//! What the states leave out, and why nothing is lost: a miss of a poll changes nothing; staging
//! and the barrier after it are one step with the first doorbell, as the engine sees nothing of
//! them before; what re-arms a buffer is stored again before anything reads it; sources of data
//! never change, so that starting a pair and seeing its write are one step; a descriptor that was
//! executed is kept by its phase alone, as a second fetch of it is a fault whatever it holds; the
//! three slots have destinations of their own, so that no two writes out overlap.
//!
//! ```
//! use udma_oracle::state::{Belief, Cycle, Shape, search};
//!
//! // The smallest batches: some thousand states.
//! let found = search(&Cycle::new(Shape::SMALL, None));
//! assert!(found.holds(), "{:?}", found.broken);
//! let found = search(&Cycle::new(Shape::SMALL, Some(Belief::TxFirst)));
//! let (_, timeline) = found.broken.expect("TX is rung before RX");
//! println!("{}", timeline.text());
//! ```

mod belief;
mod code;
mod cycle;
mod driver;
mod engine;
pub mod property;
mod timeline;

use std::collections::BTreeSet;

use stateright::{Checker as _, Expectation, Model as _};
use udma_report::timeline::Timeline;

pub use belief::{Belief, UnknownBelief};
pub use cycle::{Cycle, Shape};

/// Slots of the ring.
const SIZE: u8 = 32;
/// Positions of a cursor: slots of all four laps.
const POSITIONS: u8 = 4 * SIZE;

/// What a search found.
#[derive(Clone, Debug)]
pub struct Search {
    /// States that differ.
    pub unique: u64,
    /// States, with repetitions: one for each step from each state.
    pub generated: u64,
    /// Steps to the farthest state.
    pub depth: u64,
    /// Names of the properties that hold in every state.
    pub held: Vec<&'static str>,
    /// Whether there were no more states. There are too many for a right cycle otherwise.
    pub ended: bool,
    /// What was to be reached and never was; the search proves little then.
    pub missed: Vec<&'static str>,
    /// A property that does not hold, and the shortest way to a state that shows it.
    pub broken: Option<(&'static str, Timeline)>,
}

impl Search {
    /// Whether every property holds in every state, and everything was reached that makes that
    /// mean something.
    pub fn holds(&self) -> bool {
        self.broken.is_none() && self.missed.is_empty() && self.ended
    }
}

/// Searches all states of a cycle, or, if it has a wrong belief, until that is found out. Too many
/// states end it, too.
pub fn search(cycle: &Cycle) -> Search {
    // One thread: the shortest way is found, and the same one every time.
    let most = cycle.shape().most_steps();
    let checker = cycle.clone().checker().target_state_count(most);
    let checker = checker.spawn_bfs().join();
    let found: BTreeSet<_> = checker.discoveries().into_keys().collect();
    let properties = cycle.properties();
    let names = |expectation: Expectation, in_found: bool| {
        properties
            .iter()
            .filter(|property| property.expectation == expectation)
            .map(|property| property.name)
            .filter(|name| found.contains(name) == in_found)
            .collect::<Vec<_>>()
    };
    let broken = names(Expectation::Always, true)
        .into_iter()
        .filter_map(|name| Some((name, checker.discovery(name)?)))
        .map(|(name, path)| (name, timeline::of(cycle, name, path.into_vec())))
        .min_by_key(|(_, timeline)| timeline.rows.len());
    Search {
        unique: checker.unique_state_count() as u64,
        generated: checker.state_count() as u64,
        depth: checker.max_depth() as u64,
        held: names(Expectation::Always, false),
        ended: checker.state_count() < most,
        missed: names(Expectation::Sometimes, false),
        broken,
    }
}
