//! CME meta descriptors and CRC copies (BLDR-11, CRC-1): word0 of the meta descriptor and the number of
//! descriptors are judged; the rest is informative.

use serde_json::{Value, json};

use super::json;
use super::pair::Pair;
use crate::family::{Family, simpler_number};
use crate::law::pair;
use crate::line::Line;
use crate::subject::Subject;
use crate::wire::{Desc, FILL, PairIn, hex};

/// A CRC copy, or the meta descriptor alone.
pub struct Crc;

/// An index, and the copy that follows the meta descriptor if there is one.
#[derive(Clone, Debug, PartialEq)]
pub struct CrcCase {
    /// Index of the meta descriptor.
    pub index: u32,
    /// The data copy.
    pub copy: Option<PairIn>,
}

/// What is judged of the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CrcAnswer {
    /// Accepted.
    pub accepted: bool,
    /// word0 of the meta descriptor, where one was written.
    pub meta_word0: Option<u32>,
    /// Which of TX data and RX were written.
    pub written: [bool; 2],
}

impl Family for Crc {
    type Case = CrcCase;
    type Answer = CrcAnswer;
    const NAME: &'static str = "crc";

    fn operations(case: &CrcCase) -> u64 {
        1 << u32::from(case.copy.is_some())
    }

    fn ask(subject: &dyn Subject, case: &CrcCase) -> Option<CrcAnswer> {
        let Some(copy) = &case.copy else {
            let desc = subject.build_cme_meta(case.index)?;
            return Some(CrcAnswer {
                accepted: true,
                meta_word0: Some(desc.word[0]),
                written: [false; 2],
            });
        };
        let (mut tx, mut rx) = ([FILL; 2], FILL);
        let ret = subject.build_crc_copy(copy, case.index, &mut tx, &mut rx)?;
        let written = |desc: &Desc| *desc != FILL;
        Some(CrcAnswer {
            accepted: ret == 0,
            meta_word0: written(&tx[0]).then_some(tx[0].word[0]),
            written: [written(&tx[1]), written(&rx)],
        })
    }

    fn required(line: Line, case: &CrcCase) -> Option<CrcAnswer> {
        if line != Line::Hal {
            return None;
        }
        let accepted = case
            .copy
            .as_ref()
            .is_none_or(|copy| pair::kind_of(Line::Hal, copy) & pair::kind::ACCEPTED != 0);
        let data = case.copy.is_some() && accepted;
        Some(CrcAnswer {
            accepted,
            meta_word0: accepted.then_some(case.index << 24 | 0x0480_0000),
            written: [data; 2],
        })
    }

    fn rules(_line: Line, _case: &CrcCase) -> Vec<(&'static str, bool)> {
        vec![("BLDR-11", false), ("CRC-1", false)]
    }

    fn broken(
        _line: Line,
        _case: &CrcCase,
        want: &CrcAnswer,
        got: &CrcAnswer,
    ) -> Vec<&'static str> {
        if want == got {
            Vec::new()
        } else {
            vec!["BLDR-11", "CRC-1"]
        }
    }

    fn simpler(case: &CrcCase) -> Vec<CrcCase> {
        let mut cases = Vec::new();
        if let Some(copy) = &case.copy {
            cases.push(CrcCase {
                copy: None,
                ..case.clone()
            });
            cases.extend(Pair::simpler(copy).into_iter().map(|copy| CrcCase {
                copy: Some(copy),
                ..case.clone()
            }));
        }
        cases.extend(simpler_number(case.index.into()).map(|index| CrcCase {
            index: index as u32,
            ..case.clone()
        }));
        cases
    }

    fn to_json(case: &CrcCase) -> Value {
        json!({ "index": case.index, "copy": case.copy.as_ref().map(Pair::to_json) })
    }

    fn from_json(value: &Value) -> Result<CrcCase, String> {
        let copy = json::member(value, "copy")?;
        let copy = if copy.is_null() {
            None
        } else {
            Some(Pair::from_json(copy)?)
        };
        Ok(CrcCase {
            index: json::get32(value, "index")?,
            copy,
        })
    }

    fn show(_case: &CrcCase, answer: &CrcAnswer) -> Vec<String> {
        let meta = answer.meta_word0.map_or("left alone".into(), |word| {
            let word = Desc {
                word: [word, 0, 0, 0],
            };
            format!("word0 {}", &hex(&word)[..8])
        });
        vec![
            if answer.accepted {
                "accepted".into()
            } else {
                "refused".into()
            },
            format!("meta descriptor {meta}"),
            format!("data tx {}, rx {}", answer.written[0], answer.written[1]),
        ]
    }
}
