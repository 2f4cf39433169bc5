//! Where registers, regions and structures lie (REGS-1): only the vectors tell.

use serde_json::{Value, json};

use super::json;
use crate::family::Family;
use crate::line::Line;
use crate::subject::Subject;
use crate::wire::Place;

/// The place of a name.
pub struct Layout;

/// Kind, name and member as in the register map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutCase {
    /// Kind of thing.
    pub kind: String,
    /// Its name.
    pub name: String,
    /// Its member; empty for the whole.
    pub field: String,
    /// Which of offset, size, count and stride are compared.
    pub compared: [bool; 4],
}

/// Offset, size, count, stride; 0 where not compared.
pub type Places = [u64; 4];

fn cut(case: &LayoutCase, place: &Place) -> Places {
    let all = [place.offset, place.size, place.count, place.stride];
    std::array::from_fn(|index| if case.compared[index] { all[index] } else { 0 })
}

impl Family for Layout {
    type Case = LayoutCase;
    type Answer = Places;
    const NAME: &'static str = "register_map";

    fn operations(_case: &LayoutCase) -> u64 {
        0
    }

    fn ask(subject: &dyn Subject, case: &LayoutCase) -> Option<Places> {
        subject
            .layout(&case.kind, &case.name, &case.field)
            .map(|place| cut(case, &place))
    }

    fn required(_line: Line, _case: &LayoutCase) -> Option<Places> {
        None
    }

    fn rules(_line: Line, case: &LayoutCase) -> Vec<(&'static str, bool)> {
        let descriptor = case.name.starts_with("udma_desc");
        vec![(if descriptor { "DESC-1" } else { "REGS-1" }, false)]
    }

    fn broken(line: Line, case: &LayoutCase, want: &Places, got: &Places) -> Vec<&'static str> {
        if want == got {
            Vec::new()
        } else {
            Self::rules(line, case)
                .into_iter()
                .map(|(rule, _)| rule)
                .collect()
        }
    }

    fn simpler(_case: &LayoutCase) -> Vec<LayoutCase> {
        Vec::new()
    }

    fn to_json(case: &LayoutCase) -> Value {
        json!({ "kind": case.kind, "name": case.name, "field": case.field })
    }

    fn from_json(value: &Value) -> Result<LayoutCase, String> {
        Ok(LayoutCase {
            kind: json::get_text(value, "kind")?.into(),
            name: json::get_text(value, "name")?.into(),
            field: json::get_text(value, "field")?.into(),
            compared: [true; 4],
        })
    }

    fn show(case: &LayoutCase, answer: &Places) -> Vec<String> {
        ["offset", "size", "count", "stride"]
            .iter()
            .zip(answer)
            .zip(case.compared)
            .filter(|(_, compared)| *compared)
            .map(|((name, value), _)| format!("{name} {value:#x}"))
            .collect()
    }
}
