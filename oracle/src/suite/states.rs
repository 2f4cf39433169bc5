//! The ring cycle searched completely. States count as cases.

use super::{Check, CheckError, Level};
use crate::cases::states::{RULES, States, on};
use crate::session::Session;
use crate::state::Shape;

pub const CHECKS: &[Check] = &[
    Check {
        suite: "states",
        name: "small",
        rules: RULES,
        level: Level::Heavy,
        run: small,
    },
    Check {
        suite: "states",
        name: "whole",
        rules: RULES,
        level: Level::Deep,
        run: whole,
    },
];

fn states(session: &mut Session, name: &str, shape: Shape) {
    let subjects = session.subjects;
    if !session.next_case() {
        return;
    }
    for (index, subject) in subjects.iter().enumerate() {
        let Some(found) = on(subject.as_ref(), shape) else {
            continue;
        };
        if found.holds() {
            for rule in RULES {
                session.count(rule, index, found.unique, 0);
            }
        } else {
            // Once more, as a case that is blamed, made simpler and kept.
            session.try_on::<States>(index, &|| name.into(), &shape, None);
        }
    }
}

/// Batches of one pair.
fn small(session: &mut Session) -> Result<(), CheckError> {
    states(session, "small", Shape::SMALL);
    Ok(())
}

/// Batches that fill the ring, from every position of all four laps; from fresh queues; and
/// batches that do not fit beside each other.
fn whole(session: &mut Session) -> Result<(), CheckError> {
    for (name, shape) in [
        ("full", Shape::FULL),
        ("fresh", Shape::FRESH),
        ("large", Shape::LARGE),
    ] {
        states(session, name, shape);
    }
    Ok(())
}
