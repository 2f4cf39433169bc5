//! Descriptors taken apart and put together (DESC-1 to DESC-3, BITS-1).

use serde_json::{Value, json};

use super::json;
use crate::family::Family;
use crate::law::word::word0;
use crate::line::Line;
use crate::subject::Subject;
use crate::wire::{Desc, Fields, from_hex, hex};
use udma_reference::abi;

/// Takes any 16 bytes apart under a view, and puts the parts together again.
pub struct Descriptor;

/// Bytes under a view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DescCase {
    /// View, as in the ABI.
    pub view: u32,
    /// The descriptor.
    pub desc: Desc,
}

/// The parts, and what the right parts are put together to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DescAnswer {
    /// Taken apart.
    pub fields: Fields,
    /// Put together.
    pub encoded: Desc,
}

/// Views by name.
pub const VIEWS: [(u32, &str); 3] = [
    (abi::UDMA_VIEW_TX, "TX"),
    (abi::UDMA_VIEW_RX, "RX"),
    (abi::UDMA_VIEW_TX_META, "TX meta"),
];

/// Number of a view by its name.
///
/// # Errors
/// The name.
pub fn view_of(name: &str) -> Result<u32, String> {
    VIEWS
        .iter()
        .find(|(_, known)| *known == name)
        .map(|(view, _)| *view)
        .ok_or_else(|| format!("field \"view\" is {name:?}: TX, RX or TX meta"))
}

/// Name of a view.
pub fn view_name(view: u32) -> &'static str {
    VIEWS
        .iter()
        .find(|(known, _)| *known == view)
        .map_or("unknown", |(_, name)| name)
}

/// Fields of a descriptor by the tables.
#[inline]
pub fn fields(case: &DescCase) -> Fields {
    let w = case.desc.word;
    let bit = |mask: u32| u32::from(w[0] & mask != 0);
    let meta_view = case.view == abi::UDMA_VIEW_TX_META;
    let length = w[0] & word0::LENGTH;
    Fields {
        view: case.view,
        length: if length == 0 { 65536 } else { length },
        ring_id: (w[0] & word0::RING_ID) >> 24,
        reserved: (w[0] & word0::RESERVED) >> 16,
        concat: bit(word0::CONCAT),
        dmb: bit(word0::DMB),
        sow: bit(word0::SOW),
        int_en: bit(word0::INT_EN),
        last: bit(word0::LAST),
        first: bit(word0::FIRST),
        meta: bit(word0::META),
        word1: w[1],
        meta1: if meta_view { w[2] } else { 0 },
        meta2: if meta_view { w[3] } else { 0 },
        pointer: if meta_view {
            0
        } else {
            crate::wire::pointer(&case.desc)
        },
    }
}

impl Family for Descriptor {
    type Case = DescCase;
    type Answer = DescAnswer;
    const NAME: &'static str = "descriptor";

    #[inline]
    fn ask(subject: &dyn Subject, case: &DescCase) -> Option<DescAnswer> {
        let mut parts = [Fields {
            view: case.view,
            ..Fields::default()
        }];
        subject.decode(&[case.desc], &mut parts)?;
        // Put together from the right parts, so that a wrong decoding does not hide a wrong
        // encoding or make up for it.
        let mut encoded = [crate::wire::FILL];
        subject.encode(&[fields(case)], &mut encoded)?;
        Some(DescAnswer {
            fields: parts[0],
            encoded: encoded[0],
        })
    }

    #[inline]
    fn required(_line: Line, case: &DescCase) -> Option<DescAnswer> {
        Some(DescAnswer {
            fields: fields(case),
            encoded: case.desc,
        })
    }

    fn rules(_line: Line, _case: &DescCase) -> Vec<(&'static str, bool)> {
        ["DESC-1", "DESC-2", "DESC-3", "BITS-1"]
            .map(|rule| (rule, false))
            .to_vec()
    }

    fn broken(
        _line: Line,
        _case: &DescCase,
        want: &DescAnswer,
        got: &DescAnswer,
    ) -> Vec<&'static str> {
        let mut rules = Vec::new();
        let (in_word, in_place) = (want.encoded.word[0], got.encoded.word[0]);
        let length_only = want.encoded.word[1..] == got.encoded.word[1..]
            && (in_word ^ in_place) & !(word0::LENGTH | word0::RESERVED) == 0;
        if want.encoded != got.encoded {
            rules.push(if length_only { "DESC-3" } else { "DESC-1" });
        }
        let (w, g) = (want.fields, got.fields);
        if w.length != g.length && !rules.contains(&"DESC-3") {
            rules.push("DESC-3");
        }
        if (w.word1, w.meta1, w.meta2, w.pointer) != (g.word1, g.meta1, g.meta2, g.pointer) {
            rules.push("DESC-2");
        }
        if rules.is_empty() && want != got {
            rules.push("BITS-1");
        }
        rules
    }

    fn simpler(case: &DescCase) -> Vec<DescCase> {
        let mut cases = Vec::new();
        for word in 0..4 {
            if case.desc.word[word] != 0 {
                let mut simpler = *case;
                simpler.desc.word[word] = 0;
                cases.push(simpler);
            }
            for bit in 0..32 {
                if case.desc.word[word] & 1 << bit != 0 {
                    let mut simpler = *case;
                    simpler.desc.word[word] &= !(1 << bit);
                    cases.push(simpler);
                }
            }
        }
        cases
    }

    fn to_json(case: &DescCase) -> Value {
        json!({ "view": view_name(case.view), "desc": hex(&case.desc) })
    }

    fn from_json(value: &Value) -> Result<DescCase, String> {
        let text = json::get_text(value, "desc")?;
        let desc =
            from_hex(text).ok_or_else(|| format!("field \"desc\" is {text:?}: 32 hex digits"))?;
        Ok(DescCase {
            view: view_of(json::get_text(value, "view")?)?,
            desc,
        })
    }

    fn show(_case: &DescCase, answer: &DescAnswer) -> Vec<String> {
        let mut lines: Vec<String> = format!("{:#?}", answer.fields)
            .lines()
            .map(|line| line.trim().to_string())
            .collect();
        lines.retain(|line| line.contains(':'));
        lines.push(format!("put together {}", hex(&answer.encoded)));
        lines
    }
}
