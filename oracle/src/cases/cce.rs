//! dtypes, combos and reductions (CCE-8 to CCE-13).

use super::operation::{Call, Of, Operation, Outcome, Rules, plain};
use crate::law::compute::{self, Role};
use crate::line::Line;
use crate::subject::Tape;
use crate::subject::ops::{DtypeCase, Ops, Reduction as Case, Remap as RemapCase};
use crate::wire::{Desc, FILL};

/// Sizes and limits of a dtype.
pub type Dtype = Of<DtypeOperation>;
/// A runtime's number.
pub type Remap = Of<RemapOperation>;
/// A combo.
pub type Combo = Of<ComboOperation>;
/// A reduction.
pub type Reduction = Of<ReductionOperation>;

/// See [`Dtype`].
pub struct DtypeOperation;

impl Operation for DtypeOperation {
    const NAME: &'static str = "dtype";
    const ARGS: &'static [&'static str] = &["arch", "dtype", "cap"];
    const VALUES: &'static [&'static str] = &["bytes", "cce_bytes", "max_elements", "packet_bytes"];
    const SIMPLER: &'static [&'static str] = &["dtype", "cap"];

    fn ask(ops: &dyn Ops, call: &Call, _tape: &Tape) -> Option<Outcome> {
        let mut case = DtypeCase {
            arch: call.args[0] as u32,
            dtype: call.args[1] as u32,
            cap: call.args[2],
            ..DtypeCase::default()
        };
        ops.dtype(&mut case)?;
        Some(Outcome::of([
            case.bytes.into(),
            case.cce_bytes.into(),
            case.max_elements.into(),
            case.packet_bytes.max(-1),
        ]))
    }

    fn required(line: Line, call: &Call) -> Option<Outcome> {
        let (arch, dtype) = (call.args[0] as u32, call.args[1] as u32);
        let packet = compute::packet_bytes(arch, dtype, call.args[2]);
        (line == Line::Hal).then(|| {
            Outcome::of([
                compute::bytes(dtype).into(),
                compute::cce_bytes(dtype).into(),
                compute::max_elements(arch).into(),
                packet.map_or(-1, |bytes| bytes as i64),
            ])
        })
    }

    fn rules(_line: Line, _call: &Call) -> Rules {
        plain(&["CCE-12"])
    }

    fn broken(_line: Line, _call: &Call, _want: &Outcome, _got: &Outcome) -> Vec<&'static str> {
        vec!["CCE-12"]
    }
}

/// See [`Remap`].
pub struct RemapOperation;

impl Operation for RemapOperation {
    const NAME: &'static str = "remap";
    const ARGS: &'static [&'static str] = &["kind", "value"];
    const VALUES: &'static [&'static str] = &["result"];
    const SIMPLER: &'static [&'static str] = &["value"];

    fn ask(ops: &dyn Ops, call: &Call, _tape: &Tape) -> Option<Outcome> {
        let mut case = RemapCase {
            kind: call.args[0] as u32,
            value: call.args[1] as u32,
            ..RemapCase::default()
        };
        ops.remap(&mut case)?;
        Some(Outcome::of([case.result.max(-1).into()]))
    }

    fn required(line: Line, call: &Call) -> Option<Outcome> {
        let number = compute::remap(call.args[0] as u32, call.args[1] as u32);
        (line == Line::Hal).then(|| Outcome::of([number.map_or(-1, i64::from)]))
    }

    fn rules(_line: Line, _call: &Call) -> Rules {
        plain(&["CCE-10"])
    }

    fn broken(_line: Line, _call: &Call, _want: &Outcome, _got: &Outcome) -> Vec<&'static str> {
        vec!["CCE-10"]
    }
}

/// See [`Combo`].
pub struct ComboOperation;

/// Members: as many as asked, each with the words given and its number in word 3.
fn members(call: &Call) -> Vec<Desc> {
    let words = [call.args[1] as u32, call.args[2] as u32];
    (0..call.args[0] as u32)
        .map(|number| Desc {
            word: [words[0], words[1], !number, number],
        })
        .collect()
}

fn slots(descs: Vec<Desc>) -> Outcome {
    Outcome {
        descs: descs.into_iter().map(Some).collect(),
        ..Outcome::default()
    }
}

impl Operation for ComboOperation {
    const NAME: &'static str = "combo";
    const ARGS: &'static [&'static str] = &["count", "word0", "word1"];
    const VALUES: &'static [&'static str] = &[];

    fn ask(ops: &dyn Ops, call: &Call, _tape: &Tape) -> Option<Outcome> {
        let mut linked = members(call);
        ops.combo(&mut linked)?;
        Some(slots(linked))
    }

    fn required(line: Line, call: &Call) -> Option<Outcome> {
        let mut linked = members(call);
        compute::combo(&mut linked);
        (line == Line::Hal).then(|| slots(linked))
    }

    fn rules(_line: Line, _call: &Call) -> Rules {
        plain(&["CCE-9"])
    }

    fn broken(_line: Line, _call: &Call, _want: &Outcome, _got: &Outcome) -> Vec<&'static str> {
        vec!["CCE-9"]
    }
}

/// See [`Reduction`].
pub struct ReductionOperation;

/// Distance between two sources and two destinations of a case.
const STEP: u64 = 0x1_0000;

/// A reduction as a call: its addresses are a first one and as many as there are, 64 KiB apart.
pub fn call(case: &Case) -> Call {
    let (scale, constant) = (
        case.scale.unwrap_or_default(),
        case.constant.unwrap_or_default(),
    );
    let first = |addresses: &[u64]| addresses.first().copied().unwrap_or_default();
    let small = [
        case.arch,
        case.op,
        case.sub,
        case.in_dtype,
        case.out_dtype,
        case.accum_dtype,
        case.sources.len() as u32,
        case.destinations.len() as u32,
        case.scale.is_some().into(),
        scale.0,
        scale.1,
        case.constant.is_some().into(),
        constant.0,
        constant.1,
        case.seed.is_some().into(),
        case.meta_index,
        case.tx_ring_id,
        case.rx_ring_id,
    ];
    let mut args = small.map(u64::from).to_vec();
    args.extend([
        case.seed.unwrap_or_default(),
        case.size,
        first(&case.sources),
        first(&case.destinations),
    ]);
    Call::of(args)
}

/// Addresses that a case's are made of.
pub fn addresses(first: u64, count: u32) -> Vec<u64> {
    (0..u64::from(count))
        .map(|index| first.wrapping_add(STEP * index))
        .collect()
}

fn case(call: &Call) -> Case {
    let at = |index: usize| call.args[index] as u32;
    let pair = |index: usize| (at(index) != 0).then(|| (at(index + 1), at(index + 2)));
    Case {
        sources: addresses(call.args[20], at(6)),
        destinations: addresses(call.args[21], at(7)),
        seed: (at(14) != 0).then_some(call.args[18]),
        size: call.args[19],
        arch: at(0),
        op: at(1),
        sub: at(2),
        in_dtype: at(3),
        out_dtype: at(4),
        accum_dtype: at(5),
        scale: pair(8),
        constant: pair(11),
        meta_index: at(15),
        tx_ring_id: at(16),
        rx_ring_id: at(17),
    }
}

impl Operation for ReductionOperation {
    const NAME: &'static str = "reduction";
    const ARGS: &'static [&'static str] = &[
        "arch",
        "op",
        "sub",
        "in_dtype",
        "out_dtype",
        "accum_dtype",
        "sources",
        "destinations",
        "use_scale",
        "scale_dtype",
        "scale",
        "use_const",
        "const_dtype",
        "constant",
        "use_seed",
        "meta_index",
        "tx_ring_id",
        "rx_ring_id",
        "seed",
        "size",
        "source",
        "destination",
    ];
    const VALUES: &'static [&'static str] = &["ret", "tx_count", "rx_count"];
    // dtypes of an accumulator and a constant stay as they are: 0 is not one.
    const SIMPLER: &'static [&'static str] = &[
        "sub",
        "sources",
        "destinations",
        "scale",
        "constant",
        "use_seed",
        "meta_index",
        "tx_ring_id",
        "rx_ring_id",
        "seed",
        "size",
        "source",
        "destination",
    ];

    fn ask(ops: &dyn Ops, call: &Call, _tape: &Tape) -> Option<Outcome> {
        let case = case(call);
        let (ret, tx, rx) = ops.reduction(&case)?;
        // Where no rule gives the code, any will do.
        let any_code = matches!(compute::refusal(&case), Some((_, false)));
        let ret = if any_code { -i32::from(ret != 0) } else { ret };
        let counts = [tx.len() as i64, rx.len() as i64];
        let written = |desc: Desc| (desc != FILL).then_some(desc);
        Some(Outcome {
            values: vec![ret.into(), counts[0], counts[1]],
            descs: tx.into_iter().chain(rx).map(written).collect(),
            ..Outcome::default()
        })
    }

    fn required(line: Line, call: &Call) -> Option<Outcome> {
        if line != Line::Hal {
            return None;
        }
        let case = case(call);
        if compute::refusal(&case).is_some() {
            return Some(Outcome::of([-1, 0, 0]));
        }
        let (tx, rx) = compute::reduction(&case);
        let counts = [tx.len() as i64, rx.len() as i64];
        let tx = tx.into_iter().map(|(_, desc)| desc);
        Some(Outcome {
            values: vec![0, counts[0], counts[1]],
            descs: tx.chain(rx).map(Some).collect(),
            ..Outcome::default()
        })
    }

    fn rules(_line: Line, call: &Call) -> Rules {
        let case = case(call);
        if let Some((rule, _)) = compute::refusal(&case) {
            return plain(&[rule]);
        }
        let mut rules = plain(&["CCE-8", "CCE-10", "CCE-12"]);
        rules.push((own(&case), false));
        for (concerned, rule) in [
            (case.seed.is_some(), "CCE-7"),
            (case.destinations.len() > 1, "CCE-9"),
            (compute::promoted(&case), "CCE-11"),
            (compute::crosses_band(&case), "CCE-13"),
        ] {
            if concerned {
                rules.push((rule, false));
            }
        }
        rules
    }

    fn broken(_line: Line, call: &Call, want: &Outcome, got: &Outcome) -> Vec<&'static str> {
        let case = case(call);
        if let Some((rule, _)) = compute::refusal(&case) {
            return vec![rule];
        }
        if got.values[0] != 0 {
            return vec![wrongly_refused(&case), "CCE-10"];
        }
        let (tx, _) = compute::reduction(&case);
        let mut places = want.descs.iter().zip(&got.descs).enumerate();
        let differing = places.find(|(_, (want, got))| want != got);
        let Some((index, (Some(want), Some(got)))) = differing else {
            return vec!["CCE-8"];
        };
        let Some((role, _)) = tx.get(index) else {
            return vec!["CCE-8"];
        };
        let changed = want.word[1] ^ got.word[1];
        match role {
            Role::Seed => vec!["CCE-7", "CCE-1"],
            Role::Replication => vec!["CCE-9", "CCE-1"],
            Role::Operands if want.word[0] != got.word[0] => vec!["CCE-1"],
            Role::Operands if case.op == 1 => vec!["CCE-2"],
            Role::Operands => vec!["CCE-4"],
            Role::Data if want.word[0] != got.word[0] => vec!["CCE-8"],
            // last is bit 4 of min/max and bit 7 of the others.
            Role::Data if changed & !0x90 == 0 && case.sources.len() > 1 => vec!["CCE-8"],
            Role::Data if compute::promoted(&case) && changed & !0xff00 == 0 => {
                vec!["CCE-11", own(&case)]
            }
            Role::Data => vec![own(&case), "CCE-8"],
        }
    }
}

/// The rule of an operation's meta word.
fn own(case: &Case) -> &'static str {
    match case.op {
        0 => "CCE-5",
        1 => "CCE-3",
        _ => "CCE-4",
    }
}

/// Why a subject may have refused what must be accepted.
fn wrongly_refused(case: &Case) -> &'static str {
    if case.sources.len() == 32 {
        "CCE-8"
    } else if case.destinations.len() > 1 {
        "CCE-9"
    } else if compute::crosses_band(case) {
        "CCE-13"
    } else if compute::promoted(case) {
        "CCE-11"
    } else {
        "CCE-12"
    }
}
