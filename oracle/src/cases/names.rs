//! Printed decodings: every field by word and name (BITS-1).

use serde_json::Value;

use super::descriptor::{DescCase, Descriptor};
use crate::family::Family;
use crate::law::names;
use crate::line::Line;
use crate::subject::{NamedField, Subject};

/// The printed fields of any 16 bytes under a view.
pub struct Names;

impl Family for Names {
    type Case = DescCase;
    type Answer = Vec<NamedField>;
    const NAME: &'static str = "names";

    fn ask(subject: &dyn Subject, case: &DescCase) -> Option<Vec<NamedField>> {
        subject.explain(case.view, &case.desc)
    }

    fn required(_line: Line, case: &DescCase) -> Option<Vec<NamedField>> {
        let fields = names::words(case.view)
            .into_iter()
            .flat_map(|(word, index, fields)| {
                fields.iter().map(move |&(name, high, low)| NamedField {
                    word: word.into(),
                    name: name.into(),
                    high: high.into(),
                    low: low.into(),
                    value: names::value(&case.desc, index, high, low),
                })
            });
        Some(fields.collect())
    }

    fn rules(_line: Line, _case: &DescCase) -> Vec<(&'static str, bool)> {
        vec![("BITS-1", false)]
    }

    fn broken(
        _line: Line,
        _case: &DescCase,
        want: &Vec<NamedField>,
        got: &Vec<NamedField>,
    ) -> Vec<&'static str> {
        if want == got {
            Vec::new()
        } else {
            vec!["BITS-1"]
        }
    }

    fn simpler(case: &DescCase) -> Vec<DescCase> {
        Descriptor::simpler(case)
    }

    fn to_json(case: &DescCase) -> Value {
        Descriptor::to_json(case)
    }

    fn from_json(value: &Value) -> Result<DescCase, String> {
        Descriptor::from_json(value)
    }

    fn show(_case: &DescCase, answer: &Vec<NamedField>) -> Vec<String> {
        answer
            .iter()
            .map(|f| format!("{} {}:{} {} {:#x}", f.word, f.high, f.low, f.name, f.value))
            .collect()
    }
}
