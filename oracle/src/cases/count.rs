//! Rounding of descriptor counts (RING-9).

use serde_json::{Value, json};

use super::json;
use crate::family::{Family, simpler_number};
use crate::law::ring;
use crate::line::Line;
use crate::subject::Subject;

/// The ring size for a wanted count.
pub struct Count;

impl Family for Count {
    type Case = u32;
    type Answer = u32;
    const NAME: &'static str = "desc_count";

    fn ask(subject: &dyn Subject, case: &u32) -> Option<u32> {
        let mut out = [0];
        subject.ring_size(&[*case], &mut out)?;
        Some(out[0])
    }

    fn required(line: Line, case: &u32) -> Option<u32> {
        (line == Line::Kernel).then(|| ring::ring_size(*case))
    }

    fn rules(_line: Line, _case: &u32) -> Vec<(&'static str, bool)> {
        vec![("RING-9", false)]
    }

    fn broken(_line: Line, _case: &u32, want: &u32, got: &u32) -> Vec<&'static str> {
        if want == got {
            Vec::new()
        } else {
            vec!["RING-9"]
        }
    }

    fn simpler(case: &u32) -> Vec<u32> {
        simpler_number((*case).into())
            .map(|value| value as u32)
            .collect()
    }

    fn to_json(case: &u32) -> Value {
        json!({ "v": case })
    }

    fn from_json(value: &Value) -> Result<u32, String> {
        json::get32(value, "v")
    }

    fn show(_case: &u32, answer: &u32) -> Vec<String> {
        vec![format!("count {answer}")]
    }
}
