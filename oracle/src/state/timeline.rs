//! A way through the states, told.

use udma::io::Side;
use udma_report::timeline::{Kind, Timeline};

use super::code::{Code, What, on, phase, slot};
use super::cycle::{Action, Cycle, State};
use super::driver::{Effect, NAMES, free};

const LANES: [&str; 4] = ["driver", "tx ring", "rx ring", "memory"];
const DRIVER: usize = 0;
const MEMORY: usize = 3;

fn lane(side: Side) -> usize {
    match side {
        Side::Tx => 1,
        Side::Rx => 2,
    }
}

fn name(side: Side) -> &'static str {
    match side {
        Side::Tx => "tx",
        Side::Rx => "rx",
    }
}

fn what(code: Code) -> String {
    match code.what() {
        What::Old => "nothing new".into(),
        What::Data if code.write_barrier() => "data, write barrier".into(),
        What::Data => "data".into(),
        What::Marker(slot) => format!("marker of {}", NAMES[slot]),
    }
}

/// The steps of a path, and the property that does not hold at its end.
pub(super) fn of(cycle: &Cycle, property: &str, path: Vec<(State, Option<Action>)>) -> Timeline {
    let title = match cycle.belief {
        Some(belief) => format!("ring of 32, belief {belief}"),
        None => "ring of 32".into(),
    };
    let mut timeline = Timeline::new(title, &LANES);
    if let Some((first, _)) = path.first()
        && first.position() != 0
    {
        let position = first.position();
        let text = format!(
            "the rings begin at slot {}, phase {}",
            slot(position),
            phase(position)
        );
        timeline.push(DRIVER, Kind::Other, text);
    }
    for pair in path.windows(2) {
        if let (state, Some(action)) = &pair[0] {
            step(&mut timeline, cycle, state, *action, &pair[1].0);
        }
    }
    timeline.push(DRIVER, Kind::Wrong, format!("does not hold: {property}"));
    timeline
}

fn effects(timeline: &mut Timeline, effects: &[Effect], next: &State) {
    for effect in effects {
        match effect {
            Effect::Barrier => timeline.push(DRIVER, Kind::Barrier, "barrier"),
            Effect::Doorbell { side, count } => {
                let text = format!("{} doorbell {count}", name(*side));
                timeline.send(DRIVER, lane(*side), Kind::Doorbell, text);
            }
            Effect::Ack { count } => {
                let text = format!("ack {count}: {} free", free(&next.rings));
                timeline.push(DRIVER, Kind::Ack, text);
            }
            Effect::Publish { .. } | Effect::Word { .. } => {}
        }
    }
}

fn step(timeline: &mut Timeline, cycle: &Cycle, state: &State, action: Action, next: &State) {
    match action {
        Action::Submit { slot: at, pairs } => {
            let first = state.position();
            let last = on(first, pairs);
            let text = format!(
                "stage {}: {pairs} data + marker in slots {}..={}, {} free",
                NAMES[usize::from(at)],
                slot(first),
                slot(last),
                free(&next.rings)
            );
            timeline.push(DRIVER, Kind::Stage, text);
            let mut call = cycle.call(state, at, pairs);
            call.truncate(call.len() - next.todo.len());
            effects(timeline, &call, next);
        }
        Action::Go => {
            let mut call = state.todo.clone();
            call.reverse();
            call.truncate(call.len() - next.todo.len());
            effects(timeline, &call, next);
        }
        Action::Complete { slot } => {
            let at = usize::from(slot);
            let text = format!("poll {}: marker seen", NAMES[at]);
            timeline.send(DRIVER, MEMORY, Kind::Poll, text);
            let text = format!("re-arm, ack: {} free", free(&next.rings));
            timeline.push(DRIVER, Kind::Ack, text);
        }
        Action::Fetch { side, published } => {
            let position = state.engine.next[side as usize];
            let at = slot(position);
            let store = state.stores[side as usize][at];
            let seen = if published && store != 0 {
                Code(store)
            } else {
                Code(state.memory[side as usize][at])
            };
            let mut text = format!("fetch slot {at}: {}, phase {}", what(seen), seen.phase());
            if seen.phase() != phase(position) {
                text += &format!(" for {}", phase(position));
            }
            if store != 0 {
                text += if published {
                    ", no barrier"
                } else {
                    ", its store is not published"
                };
            }
            timeline.push(lane(side), Kind::Fetch, text);
        }
        Action::Show { at, late } => {
            let code = state.engine.code(Side::Rx, at);
            let place = slot(on(state.engine.base, at));
            let mut text = match code.what() {
                What::Marker(slot) => format!("marker of {} visible", NAMES[slot]),
                _ => format!("data of slot {place} visible"),
            };
            let ahead = (0..at).filter(|at| !state.engine.is_visible(*at)).count();
            if ahead != 0 {
                text += &format!(", ahead of {ahead} earlier");
            }
            if late {
                text += ", a store to its words is not published";
            }
            let kind = match code.what() {
                What::Marker(_) => Kind::Marker,
                _ => Kind::Data,
            };
            timeline.push(MEMORY, kind, text);
        }
    }
}
