//! Transposition (TRN).

use super::operation::{Call, Of, Operation, Outcome, Rules, plain};
use super::pair::Pair;
use crate::family::Family;
use crate::law::compute;
use crate::line::Line;
use crate::subject::Tape;
use crate::subject::ops::{Flush, Ops, Transpose as Case, Window as WindowCase};
use crate::wire::{Desc, FILL, PairIn, PairOut};

/// A transpose descriptor.
pub type Transpose = Of<TransposeOperation>;
/// A transpose by its name.
pub type Name = Of<NameOperation>;
/// A state-buffer address.
pub type Window = Of<WindowOperation>;
/// The flush after a transpose.
pub type FlushPair = Of<FlushOperation>;

fn written(slot: Desc) -> Option<Desc> {
    (slot != FILL).then_some(slot)
}

/// See [`Transpose`].
pub struct TransposeOperation;

fn case(call: &Call) -> Case {
    let at = |index: usize| call.args[index] as u32;
    Case {
        arch: at(0),
        dtype: at(1),
        dims: [at(2), at(3), at(4), at(5)],
        shape: at(6),
        ring_byte: at(7),
        length: at(8),
        source: call.args[9],
        unused: 0,
    }
}

impl Operation for TransposeOperation {
    const NAME: &'static str = "transpose";
    const ARGS: &'static [&'static str] = &[
        "arch",
        "dtype",
        "w",
        "x",
        "y",
        "z",
        "shape",
        "ring_byte",
        "length",
        "source",
    ];
    const VALUES: &'static [&'static str] = &["ret"];
    const SIMPLER: &'static [&'static str] = &[
        "dtype",
        "w",
        "x",
        "y",
        "z",
        "shape",
        "ring_byte",
        "length",
        "source",
    ];

    fn ask(ops: &dyn Ops, call: &Call, _tape: &Tape) -> Option<Outcome> {
        let (case, mut slot) = (case(call), FILL);
        let ret = ops.transpose(&case, &mut slot)?;
        // No rule gives the code for a bad length.
        let any_code = compute::transpose(&case) == Err(1);
        let ret = if any_code { i32::from(ret != 0) } else { ret };
        Some(Outcome {
            values: vec![ret.into()],
            descs: vec![written(slot)],
            ..Outcome::default()
        })
    }

    fn required(line: Line, call: &Call) -> Option<Outcome> {
        let built = compute::transpose(&case(call));
        (line == Line::Hal).then(|| Outcome {
            values: vec![built.as_ref().err().copied().unwrap_or(0).into()],
            descs: vec![built.ok()],
            ..Outcome::default()
        })
    }

    fn rules(_line: Line, call: &Call) -> Rules {
        match compute::transpose(&case(call)) {
            Err(1) => plain(&["TRN-2"]),
            Err(_) => plain(&["TRN-1"]),
            Ok(_) => plain(&["TRN-1", "TRN-2"]),
        }
    }

    fn broken(line: Line, call: &Call, want: &Outcome, got: &Outcome) -> Vec<&'static str> {
        if want.values == got.values && want.descs[0].is_some() {
            return vec!["TRN-2"];
        }
        let rules = Self::rules(line, call);
        rules.into_iter().map(|(rule, _)| rule).collect()
    }
}

/// See [`Name`].
pub struct NameOperation;

/// A name of at most 8 letters as a call; the first letter is the lowest byte.
pub fn name_call(name: &str) -> Call {
    let letters = name.bytes().rev();
    Call::of([letters.fold(0, |packed, letter| packed << 8 | u64::from(letter))])
}

fn name(call: &Call) -> String {
    let bytes = call.args[0].to_le_bytes();
    let letters = bytes.into_iter().take_while(|byte| *byte != 0);
    letters.map(|byte| char::from(byte & 0x7f)).collect()
}

impl Operation for NameOperation {
    const NAME: &'static str = "transpose_name";
    const ARGS: &'static [&'static str] = &["name"];
    const VALUES: &'static [&'static str] = &["refused"];
    const SIMPLER: &'static [&'static str] = &[];

    fn ask(ops: &dyn Ops, call: &Call, _tape: &Tape) -> Option<Outcome> {
        let ret = ops.transpose_name(&name(call))?;
        Some(Outcome::of([i64::from(ret != 0)]))
    }

    fn required(line: Line, call: &Call) -> Option<Outcome> {
        let refused = !compute::is_permutation(&name(call));
        (line == Line::Hal).then(|| Outcome::of([refused.into()]))
    }

    fn rules(_line: Line, _call: &Call) -> Rules {
        plain(&["TRN-3"])
    }

    fn broken(_line: Line, _call: &Call, _want: &Outcome, _got: &Outcome) -> Vec<&'static str> {
        vec!["TRN-3"]
    }
}

/// See [`Window`].
pub struct WindowOperation;

/// Outputs are what nothing gives, so that one that is kept shows.
fn window(call: &Call) -> WindowCase {
    WindowCase {
        dst: call.args[0],
        dtype: call.args[1] as u32,
        base: call.args[2] as u32,
        window: 1,
        packed: 0xdead_beef,
        partition: 0xdead,
        offset: 0xdead_beef,
        ..WindowCase::default()
    }
}

fn taken_apart(case: &WindowCase) -> Outcome {
    Outcome::of([
        case.ret.into(),
        case.window as i64,
        case.partition.into(),
        case.offset.into(),
        case.packed as i64,
    ])
}

impl Operation for WindowOperation {
    const NAME: &'static str = "transpose_window";
    const ARGS: &'static [&'static str] = &["dst", "dtype", "base"];
    const VALUES: &'static [&'static str] = &["ret", "window", "partition", "offset", "packed"];
    const SIMPLER: &'static [&'static str] = &["dst", "base"];

    fn ask(ops: &dyn Ops, call: &Call, _tape: &Tape) -> Option<Outcome> {
        let mut case = window(call);
        ops.window(&mut case)?;
        Some(taken_apart(&case))
    }

    fn required(line: Line, call: &Call) -> Option<Outcome> {
        let mut case = window(call);
        compute::window(&mut case);
        (line == Line::Hal).then(|| taken_apart(&case))
    }

    fn rules(_line: Line, call: &Call) -> Rules {
        let mut case = window(call);
        compute::window(&mut case);
        if case.ret == 0 {
            plain(&["TRN-4", "TRN-5"])
        } else {
            plain(&["TRN-4"])
        }
    }

    fn broken(_line: Line, _call: &Call, want: &Outcome, got: &Outcome) -> Vec<&'static str> {
        if want.values[..4] == got.values[..4] {
            vec!["TRN-5"]
        } else {
            vec!["TRN-4"]
        }
    }
}

/// See [`FlushPair`].
pub struct FlushOperation;

fn flush(call: &Call) -> Flush {
    let at = |index: usize| call.args[index] as u32;
    Flush {
        source: call.args[3],
        tpb_base: call.args[4],
        rx_ring_id: at(1),
        tx_ring_id: at(2),
        arch: at(0),
        unused: 0,
    }
}

impl Operation for FlushOperation {
    const NAME: &'static str = "transpose_flush";
    const ARGS: &'static [&'static str] =
        &["arch", "rx_ring_id", "tx_ring_id", "source", "tpb_base"];
    const VALUES: &'static [&'static str] = &["refused"];
    const SIMPLER: &'static [&'static str] = &["rx_ring_id", "tx_ring_id", "source", "tpb_base"];

    fn ask(ops: &dyn Ops, call: &Call, _tape: &Tape) -> Option<Outcome> {
        let mut out = PairOut {
            tx: FILL,
            rx: FILL,
            ..PairOut::default()
        };
        ops.flush(&flush(call), &mut out)?;
        Some(Outcome {
            values: vec![i64::from(out.ret != 0)],
            descs: vec![written(out.tx), written(out.rx)],
            ..Outcome::default()
        })
    }

    fn required(line: Line, call: &Call) -> Option<Outcome> {
        if line != Line::Hal {
            return None;
        }
        let flush = flush(call);
        if flush.arch == udma_reference::abi::UDMA_ARCH_SUNDA {
            return Some(Outcome {
                values: vec![1],
                descs: vec![None, None],
                ..Outcome::default()
            });
        }
        let copy = PairIn {
            src: flush.source,
            dst: flush.tpb_base.wrapping_add(0x0200_0000_0400_0000),
            size: 4,
            rx_ring_id: flush.rx_ring_id,
            tx_ring_id: flush.tx_ring_id,
            arch: flush.arch as u8,
            ..PairIn::default()
        };
        Pair::required(Line::Hal, &copy).map(|answer| Outcome {
            values: vec![0],
            descs: answer.slots.into(),
            ..Outcome::default()
        })
    }

    fn rules(_line: Line, _call: &Call) -> Rules {
        plain(&["TRN-6"])
    }

    fn broken(_line: Line, _call: &Call, _want: &Outcome, _got: &Outcome) -> Vec<&'static str> {
        vec!["TRN-6"]
    }
}
