//! States and steps, as `stateright` searches them.

use std::hash::{Hash, Hasher};

use stateright::{Model, Property};
use udma::io::Side;
use udma::ring::Ring;

use super::belief::Belief;
use super::code::{Code, What, distance, on, phase, slot};
use super::driver::{self, BATCHES, Effect, free};
use super::engine::{Engine, Fault};
use super::{POSITIONS, SIZE, property};

/// How large the batches of the slots may be, and where the rings begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Choices of the synchronous slot, then of the two asynchronous ones: data pairs, to which the
    /// marker comes.
    pub pairs: [&'static [u8]; BATCHES],
    /// Slots between the positions that the rings may begin at, over all four laps: 1..=128.
    pub step: u8,
    /// Whether the completion buffers were never used at the start.
    pub fresh: bool,
}

impl Shape {
    /// Batches of one data pair.
    pub const SMALL: Self = Self {
        pairs: [&[1], &[1], &[1]],
        step: 1,
        fresh: false,
    };
    /// Batches of several sizes that fill the ring to its guard gap, and would pass it by one.
    pub const FULL: Self = Self {
        pairs: [&[2, 3], &[6], &[5]],
        step: 1,
        fresh: false,
    };
    /// The same from a fresh queue and from shortly before each wrap.
    pub const FRESH: Self = Self {
        pairs: [&[2, 3], &[6], &[5]],
        step: 30,
        fresh: true,
    };
    /// Batches that do not fit beside each other.
    pub const LARGE: Self = Self {
        pairs: [&[13], &[13], &[13]],
        step: 128,
        fresh: true,
    };
}

impl Shape {
    /// Steps after which a search is given up: several times as many as a right cycle has. Cursors
    /// that do not stay within the ring and its four laps never come to an end (RING-4).
    pub(super) fn most_steps(self) -> usize {
        if self.pairs == Self::SMALL.pairs {
            3_200_000
        } else {
            320_000_000
        }
    }
}

/// The cycle to be searched.
#[derive(Clone, Debug)]
pub struct Cycle {
    shape: Shape,
    pub(super) belief: Option<Belief>,
    /// The one property that is looked at, if not all.
    pub(super) sought: Option<&'static str>,
}

impl Cycle {
    /// A cycle; with a belief, what it breaks first of [`Belief::breaks`] is looked at alone.
    pub fn new(shape: Shape, belief: Option<Belief>) -> Self {
        Self {
            shape,
            belief,
            sought: belief.map(|belief| belief.breaks()[0]),
        }
    }

    /// Its shape.
    pub(super) const fn shape(&self) -> Shape {
        self.shape
    }

    /// The same with another property looked at alone, by its name.
    #[must_use]
    pub fn seeking(self, property: &'static str) -> Self {
        Self {
            sought: Some(property),
            ..self
        }
    }

    /// Whether some choice of batches takes all slots but the guard gap.
    pub(super) fn fills_the_ring(&self) -> bool {
        let [sync, first, second] = self.shape.pairs;
        let sums = sync.iter().flat_map(|sync| {
            first
                .iter()
                .flat_map(move |first| second.iter().map(move |second| sync + first + second + 3))
        });
        sums.into_iter().any(|sum| sum == SIZE - 16)
    }

    /// Free slots of a ring with nothing out.
    fn whole(&self) -> u8 {
        SIZE - 16 + u8::from(self.belief == Some(Belief::Guard15))
    }

    /// What a batch asks of the outside once it is staged.
    pub(super) fn call(&self, state: &State, slot: u8, pairs: u8) -> Vec<Effect> {
        let mut rings = state.rings.clone();
        let mut effects = driver::submit(&mut rings, slot.into(), pairs, self.belief);
        effects.retain(|effect| !effect.is_store());
        effects
    }
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// The driver stages a batch of so many data pairs and goes on to the first doorbell.
    Submit { slot: u8, pairs: u8 },
    /// The driver goes on to the next doorbell, or to the end of its call.
    Go,
    /// The driver sees a slot's marker, re-arms and acknowledges.
    Complete { slot: u8 },
    /// The engine fetches a descriptor; `published` is false where it misses a store.
    Fetch { side: Side, published: bool },
    /// A write becomes visible. `late`: before the stores to a marker's words are seen.
    Show { at: u8, late: bool },
}

/// A batch that is out, or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Out {
    /// Position of its first pair.
    pub(super) first: u8,
    /// Pairs, marker included; 0 for none.
    pub(super) pairs: u8,
}

/// Bits of a completion buffer: the poll word holds the marker; a 0 stored to it is not published.
const POLL: u8 = 1;
const POLL_STORE: u8 = 2;
/// The source word holds the marker; one stored to it is not published.
const SOURCE: u8 = 4;
const SOURCE_STORE: u8 = 8;

/// Everything.
#[derive(Clone, Debug)]
pub struct State {
    pub(super) rings: [Ring; 2],
    /// Codes in the slots as the engine sees them, TX and RX.
    pub(super) memory: [[u8; SIZE as usize]; 2],
    /// Codes stored and not published; 0 for none.
    pub(super) stores: [[u8; SIZE as usize]; 2],
    pub(super) words: [u8; BATCHES],
    pub(super) engine: Engine,
    pub(super) out: [Out; BATCHES],
    /// What is left of the driver's call, last thing first.
    pub(super) todo: Vec<Effect>,
    pub(super) fault: Option<Fault>,
}

impl State {
    fn key(&self) -> impl Hash + PartialEq {
        let cursors = |ring: &Ring| [ring.next_desc_idx(), ring.next_cdesc_idx(), ring.ring_id()];
        [cursors(&self.rings[0]), cursors(&self.rings[1])]
    }

    /// Position of the producers.
    pub(super) fn position(&self) -> u8 {
        driver::position(&self.rings[0])
    }

    /// Slots with a batch out.
    pub(super) fn slots_out(&self) -> impl Iterator<Item = usize> {
        (0..BATCHES).filter(|slot| self.out[*slot].pairs != 0)
    }

    /// The slot whose batch was staged first.
    fn oldest(&self) -> Option<usize> {
        let end = self.position();
        self.slots_out()
            .max_by_key(|slot| distance(self.out[*slot].first, end))
    }

    /// Descriptors of a ring that were staged and whose marker was not seen.
    pub(super) fn outstanding(&self) -> u8 {
        self.out.iter().map(|out| out.pairs).sum()
    }

    /// Whether a look at a slot's poll word would find the marker: the CPU sees its own stores.
    pub(super) fn readable(&self, slot: usize) -> bool {
        self.words[slot] & (POLL | POLL_STORE) == POLL
    }

    /// What the engine may do.
    pub(super) fn engine_actions(&self, actions: &mut Vec<Action>) {
        for side in [Side::Tx, Side::Rx] {
            if self.engine.rung[side as usize] == 0 {
                continue;
            }
            let at = slot(self.engine.next[side as usize]);
            let stored = self.stores[side as usize][at] != 0;
            actions.push(Action::Fetch {
                side,
                published: true,
            });
            if stored {
                actions.push(Action::Fetch {
                    side,
                    published: false,
                });
            }
        }
        for at in self.engine.may_show() {
            actions.push(Action::Show { at, late: false });
            let code = self.engine.code(Side::Tx, at);
            if let What::Marker(slot) = code.what()
                && self.words[slot] & (POLL_STORE | SOURCE_STORE) != 0
            {
                actions.push(Action::Show { at, late: true });
            }
        }
    }

    fn store(&mut self, effect: Effect) {
        match effect {
            Effect::Publish { side, slot, code } => {
                if self.engine.owns(side, slot.into()) {
                    self.fault = Some(Fault::Overwritten);
                }
                self.stores[side as usize][usize::from(slot)] = code;
            }
            Effect::Word { slot, poll, set } => {
                debug_assert_ne!(poll, set, "the source is set and the poll word is cleared");
                self.words[usize::from(slot)] |= if poll { POLL_STORE } else { SOURCE_STORE };
            }
            Effect::Barrier | Effect::Doorbell { .. } | Effect::Ack { .. } => {
                self.todo.push(effect);
            }
        }
    }

    fn publish_words(word: &mut u8) {
        if *word & POLL_STORE != 0 {
            *word &= !(POLL | POLL_STORE);
        }
        if *word & SOURCE_STORE != 0 {
            *word = *word & !SOURCE_STORE | SOURCE;
        }
    }

    fn barrier(&mut self) {
        for (stores, memory) in self.stores.iter_mut().zip(&mut self.memory) {
            for (store, word) in stores.iter_mut().zip(memory) {
                if *store != 0 {
                    *word = std::mem::take(store);
                }
            }
        }
        self.words.iter_mut().for_each(Self::publish_words);
    }

    /// Does what is left of a call up to a doorbell: the engine sees nothing of what comes before.
    fn go(&mut self) {
        while let Some(effect) = self.todo.pop() {
            match effect {
                Effect::Barrier => self.barrier(),
                Effect::Ack { count } => driver::ack(&self.rings, count),
                Effect::Publish { .. } | Effect::Word { .. } => self.store(effect),
                Effect::Doorbell { side, count } => {
                    let fault = self.engine.ring(side, count);
                    self.fault = self.fault.or(fault);
                    return;
                }
            }
        }
    }

    fn fetch(&mut self, side: Side, published: bool) {
        let at = slot(self.engine.next[side as usize]);
        let store = &mut self.stores[side as usize][at];
        if published && *store != 0 {
            self.memory[side as usize][at] = std::mem::take(store);
        }
        let code = Code(self.memory[side as usize][at]);
        self.fault = self.engine.fetch(side, code);
    }

    fn show(&mut self, at: u8, late: bool) {
        if let What::Marker(slot) = self.engine.code(Side::Tx, at).what() {
            let word = &mut self.words[slot];
            if !late {
                Self::publish_words(word);
            }
            *word = if *word & SOURCE != 0 {
                *word | POLL
            } else {
                *word & !POLL
            };
        }
        for (position, codes) in self.engine.show(at) {
            let at = slot(position);
            for (memory, code) in self.memory.iter_mut().zip(codes) {
                if memory[at] == code.0 {
                    memory[at] = Code::old(code.phase()).0;
                }
            }
        }
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
            && (&self.memory, &self.stores, &self.words)
                == (&other.memory, &other.stores, &other.words)
            && (&self.engine, &self.out, &self.todo, &self.fault)
                == (&other.engine, &other.out, &other.todo, &other.fault)
    }
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.key().hash(hasher);
        (&self.memory, &self.stores, &self.words).hash(hasher);
        (&self.engine, &self.out, &self.todo, &self.fault).hash(hasher);
    }
}

impl Model for Cycle {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let at = |position: u8| {
            // What the laps before have left in a slot; 0 where there were none.
            let left = |slot: u8| {
                let mut before = (0..position).rev();
                before.find(|at| at % SIZE == slot).map_or(0, phase)
            };
            let memory = std::array::from_fn(|slot| Code::old(left(slot as u8)).0);
            State {
                rings: driver::rings(position, self.belief),
                memory: [memory; 2],
                stores: [[0; SIZE as usize]; 2],
                words: [if self.shape.fresh { 0 } else { SOURCE }; BATCHES],
                engine: Engine::new(position),
                out: [Out::default(); BATCHES],
                todo: Vec::new(),
                fault: None,
            }
        };
        (0..POSITIONS)
            .step_by(self.shape.step.into())
            .map(at)
            .collect()
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        if state.fault.is_some() {
            return;
        }
        if state.todo.is_empty() {
            let free = free(&state.rings);
            for (slot, out) in state.out.iter().enumerate() {
                if out.pairs != 0 {
                    if state.oldest() == Some(slot) && state.readable(slot) {
                        actions.push(Action::Complete { slot: slot as u8 });
                    }
                    continue;
                }
                for &pairs in self.shape.pairs[slot] {
                    if pairs < free {
                        actions.push(Action::Submit {
                            slot: slot as u8,
                            pairs,
                        });
                    }
                }
            }
        } else {
            actions.push(Action::Go);
        }
        state.engine_actions(actions);
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut next = state.clone();
        match action {
            Action::Submit { slot, pairs } => {
                let first = state.position();
                let at = usize::from(slot);
                for effect in driver::submit(&mut next.rings, at, pairs, self.belief) {
                    next.store(effect);
                }
                next.todo.reverse();
                next.out[at] = Out {
                    first,
                    pairs: pairs + 1,
                };
                next.go();
            }
            Action::Go => next.go(),
            Action::Complete { slot } => {
                let at = usize::from(slot);
                let out = std::mem::take(&mut next.out[at]);
                for effect in driver::complete(&mut next.rings, at, out.pairs, self.belief) {
                    next.store(effect);
                }
                // Nothing reads the words before they are stored anew.
                State::publish_words(&mut next.words[at]);
                let data = (0..out.pairs - 1).map(|by| on(out.first, by));
                if data
                    .into_iter()
                    .any(|position| !state.engine.done(position))
                {
                    next.fault = Some(Fault::MarkerEarly);
                } else if self.whole().checked_sub(next.outstanding()) != Some(free(&next.rings)) {
                    next.fault = Some(Fault::Available);
                }
            }
            Action::Fetch { side, published } => next.fetch(side, published),
            Action::Show { at, late } => next.show(at, late),
        }
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        property::of(self)
    }
}
