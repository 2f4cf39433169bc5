//! Pairs (BLDR).

use serde_json::{Value, json};
use udma_reference::abi;
use udma_report::model::DescriptorDiff;

use super::json;
use crate::family::{Family, Held, simpler_number};
use crate::law::{names, pair};
use crate::line::{Line, driver_name};
use crate::subject::Subject;
use crate::wire::{Desc, FILL, OTHER_FILL, PairIn, PairOut, hex};

/// A pair built into two fills; slots of a refused request keep them.
pub struct Pair;

/// The answer to a pair: the code and the bytes, `None` for a slot that was left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairAnswer {
    /// Code; any refusal is -1 on the HAL line (BLDR-12).
    pub ret: i32,
    /// TX, RX.
    pub slots: [Option<Desc>; 2],
}

/// Slots filled with a pattern.
pub const fn filled(fill: Desc) -> PairOut {
    PairOut {
        tx: fill,
        rx: fill,
        ret: 0,
        unused: 0,
    }
}

/// The code as it is judged on a line.
#[inline]
pub fn judged(line: Line, ret: i32) -> i32 {
    match line {
        Line::Hal if ret < 0 => -1,
        _ => ret,
    }
}

impl PairAnswer {
    /// From slots that held [`FILL`].
    #[inline]
    pub fn of(out: &PairOut) -> Self {
        let slot = |desc: Desc| (desc != FILL).then_some(desc);
        Self {
            ret: out.ret,
            slots: [slot(out.tx), slot(out.rx)],
        }
    }

    /// Back to slots that held [`FILL`].
    pub fn out(&self) -> PairOut {
        PairOut {
            tx: self.slots[0].unwrap_or(FILL),
            rx: self.slots[1].unwrap_or(FILL),
            ret: self.ret,
            unused: 0,
        }
    }
}

impl Family for Pair {
    type Case = PairIn;
    type Answer = PairAnswer;
    const NAME: &'static str = "pair";

    /// Builds twice over different fills: what comes out equal to both fills was not written, and
    /// what differs between them was kept in part.
    #[inline]
    fn ask(subject: &dyn Subject, case: &PairIn) -> Option<PairAnswer> {
        let cases = [*case, *case];
        let mut out = [filled(FILL), filled(OTHER_FILL)];
        subject.build_pairs(&cases[..1], &mut out[..1])?;
        subject.build_pairs(&cases[1..], &mut out[1..])?;
        let slot = |first: Desc, second: Desc| {
            if first == FILL && second == OTHER_FILL {
                None
            } else {
                Some(first)
            }
        };
        Some(PairAnswer {
            ret: judged(subject.line(), out[0].ret),
            slots: [slot(out[0].tx, out[1].tx), slot(out[0].rx, out[1].rx)],
        })
    }

    #[inline]
    fn required(line: Line, case: &PairIn) -> Option<PairAnswer> {
        let kind = pair::kind_of(line, case);
        Some(PairAnswer::of(&pair::required(
            line,
            case,
            kind,
            &filled(FILL),
        )))
    }

    fn held_to(case: &PairIn, held: Held) -> Option<PairIn> {
        Some(PairIn {
            arch: held.arch.unwrap_or(case.arch),
            driver: held.driver.unwrap_or(case.driver),
            ..*case
        })
    }

    fn rules(line: Line, case: &PairIn) -> Vec<(&'static str, bool)> {
        pair::rules_of(line, pair::kind_of(line, case))
    }

    fn broken(line: Line, case: &PairIn, want: &PairAnswer, got: &PairAnswer) -> Vec<&'static str> {
        pair::broken(line, case, &filled(FILL), &want.out(), &got.out())
    }

    fn simpler(case: &PairIn) -> Vec<PairIn> {
        let mut cases = Vec::new();
        for size in [64, 4, 65536, 65537]
            .into_iter()
            .chain(simpler_number(case.size))
        {
            if size < case.size {
                cases.push(PairIn { size, ..*case });
            }
        }
        cases.extend(simpler_number(case.src).map(|src| PairIn { src, ..*case }));
        cases.extend(simpler_number(case.dst).map(|dst| PairIn { dst, ..*case }));
        let ids = |id: u32| simpler_number(id.into()).map(|id| id as u32);
        cases.extend(ids(case.rx_ring_id).map(|rx_ring_id| PairIn {
            rx_ring_id,
            ..*case
        }));
        cases.extend(ids(case.tx_ring_id).map(|tx_ring_id| PairIn {
            tx_ring_id,
            ..*case
        }));
        for mode in [0i32, 1, 2, 3, 4, -1] {
            if (mode, case.mode) != (-1, 4) && mode.unsigned_abs() < case.mode.unsigned_abs() {
                cases.push(PairIn { mode, ..*case });
            }
        }
        if case.dst_int != 0 {
            cases.push(PairIn {
                dst_int: 0,
                ..*case
            });
        }
        if case.sow != 0 {
            cases.push(PairIn { sow: 0, ..*case });
        }
        if case.driver != 0 {
            cases.push(PairIn { driver: 0, ..*case });
        }
        if case.arch > 2 {
            cases.push(PairIn {
                arch: case.arch - 1,
                ..*case
            });
        }
        cases
    }

    fn to_json(case: &PairIn) -> Value {
        json!({
            "rx_ring_id": case.rx_ring_id,
            "tx_ring_id": case.tx_ring_id,
            "src": json::hex(case.src),
            "dst": json::hex(case.dst),
            "size": case.size,
            "barrier": case.mode,
            "dst_int": case.dst_int != 0,
            "sow": case.sow != 0,
            "arch": format!("v{}", case.arch),
            "driver": driver_name(case.driver),
        })
    }

    fn from_json(value: &Value) -> Result<PairIn, String> {
        let optional = |name: &str| value.get(name).is_some();
        Ok(PairIn {
            src: json::get(value, "src")?,
            dst: json::get(value, "dst")?,
            size: json::get(value, "size")?,
            rx_ring_id: json::get32(value, "rx_ring_id")?,
            tx_ring_id: json::get32(value, "tx_ring_id")?,
            mode: json::get_signed(value, "barrier")?,
            dst_int: json::get_flag(value, "dst_int")?.into(),
            sow: (optional("sow") && json::get_flag(value, "sow")?).into(),
            arch: if optional("arch") {
                json::get_arch(value)?
            } else {
                abi::UDMA_ARCH_CAYMAN as u8
            },
            driver: json::get_driver(value)?,
        })
    }

    fn show(_case: &PairIn, answer: &PairAnswer) -> Vec<String> {
        let slot = |desc: Option<Desc>| desc.map_or("left alone".into(), |desc| hex(&desc));
        vec![
            format!("ret {}", answer.ret),
            format!("tx {}", slot(answer.slots[0])),
            format!("rx {}", slot(answer.slots[1])),
        ]
    }

    fn diffs(_case: &PairIn, want: &PairAnswer, got: &PairAnswer) -> Vec<DescriptorDiff> {
        let side = |label, view, index: usize| {
            names::diff(
                label,
                view,
                want.slots[index].as_ref(),
                got.slots[index].as_ref(),
            )
        };
        vec![
            side("TX", abi::UDMA_VIEW_TX, 0),
            side("RX", abi::UDMA_VIEW_RX, 1),
        ]
    }
}
