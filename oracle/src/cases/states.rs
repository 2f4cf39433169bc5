//! All states of the ring cycle on the implementation's own code (RING, BTCH, ACK, MODL).

use serde_json::{Value, json};

use crate::family::Family;
use crate::line::Line;
use crate::state::{Cycle, Search, Shape, property, search};
use crate::subject::Subject;

/// A search of all states of a shape.
pub struct States;

/// Shapes by the name that a kept case gives them.
const SHAPES: [(&str, Shape); 4] = [
    ("small", Shape::SMALL),
    ("full", Shape::FULL),
    ("fresh", Shape::FRESH),
    ("large", Shape::LARGE),
];

/// Each property with the rules that it rests on, the first of which is blamed.
const PROPERTIES: [(&str, &[&str]); 8] = [
    (
        property::MARKER_LAST,
        &["BTCH-3", "TRIG-5", "MARK-1", "MODL-5", "MODL-8"],
    ),
    (property::NOT_OVERWRITTEN, &["ACK-1", "RING-5"]),
    (property::GUARD, &["RING-2"]),
    (property::PHASE, &["RING-4", "MODL-6"]),
    (property::ARMED, &["TRIG-2"]),
    (property::AVAILABLE, &["ACK-2", "RING-5"]),
    (property::NO_DEADLOCK, &["MARK-3"]),
    (property::WITHIN, &["TRIG-4"]),
];

/// Rules that the search tries.
pub const RULES: &[&str] = &[
    "BTCH-3", "TRIG-5", "MARK-1", "MODL-5", "MODL-8", "ACK-1", "RING-5", "RING-2", "RING-4",
    "MODL-6", "TRIG-2", "ACK-2", "MARK-3", "TRIG-4",
];

/// What a search found, as far as it is right or wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The property that does not hold, and the shortest way to a state that shows it.
    pub broken: Option<(&'static str, String)>,
    /// What had to be reached and never was.
    pub missed: Vec<&'static str>,
    /// Whether the search came to an end.
    pub ended: bool,
}

impl Found {
    /// Of a search.
    pub fn of(found: &Search) -> Self {
        let broken = found.broken.as_ref();
        Self {
            broken: broken.map(|(property, timeline)| (*property, timeline.text())),
            missed: found.missed.clone(),
            ended: found.ended || found.broken.is_some(),
        }
    }
}

/// Searches on the code of a subject, if it is the code that the search steps through.
pub fn on(subject: &dyn Subject, shape: Shape) -> Option<Search> {
    subject
        .steps_of_the_search()
        .then(|| search(&Cycle::new(shape, None)))
}

impl Family for States {
    type Case = Shape;
    type Answer = Found;

    const NAME: &'static str = "states";

    fn ask(subject: &dyn Subject, case: &Shape) -> Option<Found> {
        on(subject, *case).map(|found| Found::of(&found))
    }

    fn required(_: Line, _: &Shape) -> Option<Found> {
        Some(Found {
            broken: None,
            missed: Vec::new(),
            ended: true,
        })
    }

    fn rules(line: Line, _: &Shape) -> Vec<(&'static str, bool)> {
        match line {
            Line::Kernel => RULES.iter().map(|rule| (*rule, false)).collect(),
            Line::Hal => Vec::new(),
        }
    }

    fn broken(_: Line, _: &Shape, _: &Found, got: &Found) -> Vec<&'static str> {
        let rules = PROPERTIES.iter().find(|(property, _)| {
            got.broken
                .as_ref()
                .is_some_and(|(name, _)| name == property)
        });
        match rules {
            Some((_, rules)) => rules.to_vec(),
            // Cursors or phases that never come back to where they were.
            None if !got.ended => vec!["RING-4"],
            // What is never reached was refused or lost on the way.
            None => vec!["TRIG-4"],
        }
    }

    fn simpler(case: &Shape) -> Vec<Shape> {
        let smaller = SHAPES.iter().map(|(_, shape)| *shape);
        smaller.take_while(|shape| shape != case).collect()
    }

    fn to_json(case: &Shape) -> Value {
        let name = SHAPES.iter().find(|(_, shape)| shape == case);
        json!({ "shape": name.map_or("small", |(name, _)| name) })
    }

    fn from_json(value: &Value) -> Result<Shape, String> {
        let name = value["shape"].as_str().ok_or("shape is no text")?;
        let shape = SHAPES.iter().find(|(known, _)| *known == name);
        shape.map(|(_, shape)| *shape).ok_or_else(|| {
            let known = SHAPES.map(|(name, _)| name).join(", ");
            format!("shape {name:?} is none of {known}")
        })
    }

    fn show(_: &Shape, answer: &Found) -> Vec<String> {
        let mut lines = Vec::new();
        match &answer.broken {
            None => lines.push("every property holds in every state".into()),
            Some((property, timeline)) => {
                lines.push(format!("does not hold: {property}"));
                lines.extend(timeline.lines().map(String::from));
            }
        }
        let missed = answer.missed.iter();
        lines.extend(missed.map(|what| format!("never reached: {what}")));
        if !answer.ended {
            lines.push("more states than a ring of four laps has".into());
        }
        lines
    }
}
