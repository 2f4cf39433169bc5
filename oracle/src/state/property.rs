//! What holds in every state, and what must be reached.

use stateright::Property;

use super::cycle::{Cycle, State};
use super::engine::Fault;
use super::{SIZE, code};

/// MODL-5: what a driver may conclude from a marker.
pub const MARKER_LAST: &str = "a marker is seen only after all data of its batch are visible";
/// RING-5: a slot is its descriptor's until the ack.
pub const NOT_OVERWRITTEN: &str =
    "no descriptor is overwritten before it was executed and acknowledged";
/// RING-2.
pub const GUARD: &str = "the guard gap of 16 slots is kept";
/// RING-4.
pub const PHASE: &str = "a fetched descriptor carries the phase of its lap";
/// TRIG-2.
pub const ARMED: &str = "RX is armed before TX";
/// RING-5.
pub const AVAILABLE: &str = "after an ack, available is what it was before the batch";
/// Every run ends.
pub const NO_DEADLOCK: &str = "when nothing more can happen, every batch out has its marker";
const WITHIN: &str = "no more is rung than the ring holds, and pairs are of one kind";

fn without(state: &State, fault: Fault) -> bool {
    state.fault != Some(fault)
}

/// Everything that holds.
fn always() -> Vec<Property<Cycle>> {
    vec![
        Property::always(MARKER_LAST, |_, state| without(state, Fault::MarkerEarly)),
        Property::always(NOT_OVERWRITTEN, |_, state| {
            without(state, Fault::Overwritten)
        }),
        Property::always(GUARD, |_, state: &State| state.outstanding() <= SIZE - 16),
        Property::always(PHASE, |_, state| without(state, Fault::Phase)),
        Property::always(ARMED, |_, state| without(state, Fault::Unarmed)),
        Property::always(AVAILABLE, |_, state| without(state, Fault::Available)),
        Property::always(NO_DEADLOCK, |_, state: &State| {
            if !state.todo.is_empty() || state.fault.is_some() {
                return true;
            }
            let mut actions = Vec::new();
            state.engine_actions(&mut actions);
            !actions.is_empty() || state.slots_out().all(|slot| state.readable(slot))
        }),
        Property::always(WITHIN, |_, state| {
            without(state, Fault::TooMany) && without(state, Fault::Stream)
        }),
    ]
}

/// What gives the others a meaning.
fn reached() -> Vec<Property<Cycle>> {
    fn lap<const LAP: u8>(_: &Cycle, state: &State) -> bool {
        state.position() / SIZE == LAP
    }
    vec![
        Property::sometimes("lap 1", lap::<0>),
        Property::sometimes("lap 2", lap::<1>),
        Property::sometimes("lap 3", lap::<2>),
        Property::sometimes("lap 4", lap::<3>),
        Property::sometimes("all three slots are out", |_, state: &State| {
            state.slots_out().count() == 3
        }),
        Property::sometimes("a later write is visible first", |_, state: &State| {
            state.engine.visible != 0
        }),
        Property::sometimes("a batch lies across the wrap", |_, state: &State| {
            let batch = |out: &super::cycle::Out| {
                out.pairs != 0 && code::slot(out.first) + usize::from(out.pairs) > SIZE.into()
            };
            state.out.iter().any(batch)
        }),
        Property::sometimes(
            "markers of two batches wait to be seen",
            |_, state: &State| {
                state
                    .slots_out()
                    .filter(|slot| state.readable(*slot))
                    .count()
                    >= 2
            },
        ),
    ]
}

/// The properties of a cycle: all, or those that its belief breaks.
pub(super) fn of(cycle: &Cycle) -> Vec<Property<Cycle>> {
    let mut properties = always();
    if let Some(sought) = cycle.sought {
        properties.retain(|property| property.name == sought);
        return properties;
    }
    properties.extend(reached());
    if cycle.fills_the_ring() {
        let filled = |_: &Cycle, state: &State| state.outstanding() == SIZE - 16;
        properties.push(Property::sometimes("16 slots are out", filled));
    }
    properties
}
