//! The bit helpers of the HAL line (BITS-2, META-2 to META-4, ERR-4).

use serde_json::{Value, json};
use udma_report::model::DescriptorDiff;

use super::descriptor::{DescCase, Descriptor};
use super::json;
use crate::family::Family;
use crate::law::names;
use crate::law::word::{meta, word0};
use crate::line::Line;
use crate::subject::Subject;
use crate::wire::{BitCase, Desc, from_hex, hex};
use udma_reference::abi as op;

/// One helper on one descriptor.
pub struct Bits;

/// Helpers by number: name, and the rules about it.
const HELPERS: [(&str, &str); op::UDMA_BIT_OPS as usize] = [
    ("set_first", "BITS-2"),
    ("set_last", "BITS-2"),
    ("set_concat", "BITS-2"),
    ("clear_first", "BITS-2"),
    ("clear_last", "BITS-2"),
    ("clear_concat", "BITS-2"),
    ("is_meta", "BITS-2"),
    ("is_first", "BITS-2"),
    ("is_last", "BITS-2"),
    ("is_concat", "BITS-2"),
    ("tx_desc_size", "BITS-2"),
    ("is_cme_desc", "META-4"),
    ("set_write_barrier", "META-2"),
    ("set_notification_mask", "META-3"),
    ("set_dmb", "META-2"),
];

impl Family for Bits {
    type Case = BitCase;
    type Answer = BitCase;
    const NAME: &'static str = "bits";

    fn operations(case: &BitCase) -> u64 {
        1_u64.checked_shl(case.op).unwrap_or(0)
    }

    fn ask(subject: &dyn Subject, case: &BitCase) -> Option<BitCase> {
        let mut cases = [BitCase {
            value: 0xdead_beef,
            ..*case
        }];
        subject.bits(&mut cases)?;
        Some(cases[0])
    }

    fn required(line: Line, case: &BitCase) -> Option<BitCase> {
        if line != Line::Hal {
            return None;
        }
        let mut out = BitCase { value: 0, ..*case };
        let [w0, w1, ..] = case.desc.word;
        let flag = |mask: u32| u32::from(w0 & mask != 0);
        match case.op {
            op::UDMA_BIT_SET_FIRST => out.desc.word[0] |= word0::FIRST,
            op::UDMA_BIT_SET_LAST => out.desc.word[0] |= word0::LAST,
            op::UDMA_BIT_SET_CONCAT => out.desc.word[0] |= word0::CONCAT,
            op::UDMA_BIT_CLEAR_FIRST => out.desc.word[0] &= !word0::FIRST,
            op::UDMA_BIT_CLEAR_LAST => out.desc.word[0] &= !word0::LAST,
            op::UDMA_BIT_CLEAR_CONCAT => out.desc.word[0] &= !word0::CONCAT,
            op::UDMA_BIT_IS_META => out.value = flag(word0::META),
            op::UDMA_BIT_IS_FIRST => out.value = flag(word0::FIRST),
            op::UDMA_BIT_IS_LAST => out.value = flag(word0::LAST),
            op::UDMA_BIT_IS_CONCAT => out.value = flag(word0::CONCAT),
            op::UDMA_BIT_TX_DESC_SIZE => {
                out.value = if w0 & word0::LENGTH == 0 {
                    65536
                } else {
                    w0 & word0::LENGTH
                };
            }
            op::UDMA_BIT_IS_CME_DESC => out.value = u32::from((w1 >> 23) & 7 == 2),
            op::UDMA_BIT_SET_WRITE_BARRIER | op::UDMA_BIT_SET_DMB_HELPER => {
                out.desc.word[1] |= meta::WRITE_BARRIER;
            }
            op::UDMA_BIT_SET_NOTIFICATION => out.desc.word[1] |= meta::NOTIFICATION,
            _ => return None,
        }
        Some(out)
    }

    fn rules(_line: Line, case: &BitCase) -> Vec<(&'static str, bool)> {
        HELPERS
            .get(case.op as usize)
            .map(|(_, rule)| (*rule, false))
            .into_iter()
            .collect()
    }

    fn broken(_line: Line, case: &BitCase, want: &BitCase, got: &BitCase) -> Vec<&'static str> {
        if want == got {
            Vec::new()
        } else {
            vec![HELPERS[case.op as usize].1]
        }
    }

    fn simpler(case: &BitCase) -> Vec<BitCase> {
        let plain = DescCase {
            view: op::UDMA_VIEW_TX,
            desc: case.desc,
        };
        Descriptor::simpler(&plain)
            .into_iter()
            .map(|c| BitCase {
                desc: c.desc,
                ..*case
            })
            .collect()
    }

    fn to_json(case: &BitCase) -> Value {
        json!({ "helper": HELPERS[case.op as usize].0, "desc": hex(&case.desc) })
    }

    fn from_json(value: &Value) -> Result<BitCase, String> {
        let helper = json::get_text(value, "helper")?;
        let op = HELPERS
            .iter()
            .position(|(name, _)| *name == helper)
            .ok_or_else(|| {
                let known: Vec<&str> = HELPERS.iter().map(|(name, _)| *name).collect();
                format!(
                    "field \"helper\" is {helper:?}: one of {}",
                    known.join(", ")
                )
            })?;
        let text = json::get_text(value, "desc")?;
        let desc =
            from_hex(text).ok_or_else(|| format!("field \"desc\" is {text:?}: 32 hex digits"))?;
        Ok(BitCase {
            desc,
            op: op as u32,
            value: 0,
        })
    }

    fn show(_case: &BitCase, answer: &BitCase) -> Vec<String> {
        vec![
            format!("value {:#x}", answer.value),
            format!("desc {}", hex(&answer.desc)),
        ]
    }

    fn diffs(_case: &BitCase, want: &BitCase, got: &BitCase) -> Vec<DescriptorDiff> {
        let desc = |case: &BitCase| -> Desc { case.desc };
        vec![names::diff(
            "TX",
            op::UDMA_VIEW_TX,
            Some(&desc(want)),
            Some(&desc(got)),
        )]
    }
}
