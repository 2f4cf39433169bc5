//! Op-class words and META descriptors, built and read back (OPC, CCE-1 to CCE-7).

use super::operation::{Call, Of, Operation, Outcome, Rules, plain};
use crate::law::opclass;
use crate::line::Line;
use crate::subject::Tape;
use crate::subject::ops::{
    Add, CceExt, Fma, FmaDesc, Front, MinMax, MinMaxDesc, Ops, PayloadDesc, Replication, Split,
    TransposeWord, Word,
};
use crate::wire::Desc;

/// The plain-copy word, from which no op word starts (OPC-1).
const PLAIN_COPY: u32 = 0x0108_0003;
const ARCHES: [u32; 3] = [2, 3, 4];

/// The words of all three architectures.
fn words(ask: impl Fn(u32) -> Option<u32>) -> Option<Outcome> {
    let words: Option<Vec<i64>> = ARCHES
        .iter()
        .map(|arch| ask(*arch).map(i64::from))
        .collect();
    words.map(Outcome::of)
}

/// Rules that wrong words break.
fn wrong_words(own: &'static str, want: &Outcome, got: &Outcome) -> Vec<&'static str> {
    let (want, seen) = (want.values[0] as u32, &got.values);
    if seen.windows(2).any(|pair| pair[0] != pair[1]) {
        return vec!["OPC-4"];
    }
    if seen.first() == Some(&i64::from(want | PLAIN_COPY)) {
        return vec!["OPC-1", own];
    }
    vec![own]
}

macro_rules! word {
    ($name:literal, $family:ident, $operation:ident, $variant:ident, $type:ident, $rule:literal:
     $($operand:ident)*) => {
        #[doc = concat!("The ", $name, " of operands.")]
        pub type $family = Of<$operation>;

        #[doc = concat!("See [`", stringify!($family), "`].")]
        pub struct $operation;

        impl $operation {
            fn operands(call: &Call, arch: u32) -> Word {
                let mut args = call.args.iter().map(|arg| *arg as u32);
                Word::$variant($type {
                    arch,
                    $($operand: args.next().unwrap_or_default(),)*
                })
            }
        }

        impl Operation for $operation {
            const NAME: &'static str = $name;
            const ARGS: &'static [&'static str] = &[$(stringify!($operand)),*];
            const VALUES: &'static [&'static str] = &["v2", "v3", "v4"];

            fn ask(ops: &dyn Ops, call: &Call, _tape: &Tape) -> Option<Outcome> {
                words(|arch| ops.word(&Self::operands(call, arch)))
            }

            fn required(line: Line, call: &Call) -> Option<Outcome> {
                let word = |arch| Some(opclass::word(&Self::operands(call, arch)));
                (line == Line::Hal).then(|| words(word))?
            }

            fn rules(_line: Line, _call: &Call) -> Rules {
                let mut rules = plain(&["OPC-1", "OPC-4"]);
                if $rule != "OPC-1" {
                    rules.push(($rule, false));
                }
                rules
            }

            fn broken(_: Line, _: &Call, want: &Outcome, got: &Outcome) -> Vec<&'static str> {
                wrong_words($rule, want, got)
            }
        }
    };
}

word!("word_split", SplitWord, SplitWordOperation, Split, Split, "OPC-1": split shape dtype);
word!("word_transpose", TransposeWordOf, TransposeWordOperation, Transpose, TransposeWord, "TRN-2":
    elem_bytes shape dtype);
word!("word_replication", ReplicationWord, ReplicationWordOperation, Replication, Replication,
    "OPC-1": count);
word!("word_add", AddWord, AddWordOperation, Add, Add, "CCE-5":
    sub flag write_barrier last out_dtype accum_dtype);
word!("word_min_max", MinMaxWord, MinMaxWordOperation, MinMax, MinMax, "CCE-4":
    sub last use_const write_barrier notification in_dtype out_dtype accum_dtype const_dtype);
word!("word_fma", FmaWord, FmaWordOperation, Fma, Fma, "CCE-3":
    sub flag write_barrier last in_dtype scale_dtype accum_dtype);
word!("word_cce_ext", CceExtWord, CceExtWordOperation, CceExt, CceExt, "OPC-1":
    sub src_dtype dst_dtype);
word!("word_gradient", GradientWord, GradientWordOperation, Gradient, Fma, "CCE-6":
    sub flag write_barrier last in_dtype scale_dtype accum_dtype);

macro_rules! front {
    ($name:literal, $family:ident, $operation:ident, $variant:ident, $type:ident, $rules:expr;
     $($operand:ident: $kind:ty),*) => {
        #[doc = concat!("The ", $name, " of operands.")]
        pub type $family = Of<$operation>;

        #[doc = concat!("See [`", stringify!($family), "`].")]
        pub struct $operation;

        impl $operation {
            // Payload descriptors alone have a member more than operands.
            #[allow(clippy::needless_update)]
            fn operands(call: &Call) -> Front {
                let mut args = call.args.iter().copied();
                Front::$variant($type {
                    $($operand: args.next().unwrap_or_default() as $kind,)*
                    ..$type::default()
                })
            }
        }

        impl Operation for $operation {
            const NAME: &'static str = $name;
            const ARGS: &'static [&'static str] = &[$(stringify!($operand)),*];
            const VALUES: &'static [&'static str] = &[];

            fn ask(ops: &dyn Ops, call: &Call, _tape: &Tape) -> Option<Outcome> {
                ops.front(&Self::operands(call)).map(one)
            }

            fn required(line: Line, call: &Call) -> Option<Outcome> {
                (line == Line::Hal).then(|| one(opclass::front(&Self::operands(call))))
            }

            fn rules(_line: Line, _call: &Call) -> Rules {
                let mut rules = plain(&$rules);
                rules.push(("CCE-1", false));
                rules
            }

            fn broken(_: Line, _: &Call, want: &Outcome, got: &Outcome) -> Vec<&'static str> {
                let word0 = |outcome: &Outcome| outcome.descs[0].map(|desc| desc.word[0]);
                if word0(want) == word0(got) {
                    $rules.to_vec()
                } else {
                    vec!["CCE-1"]
                }
            }
        }
    };
}

fn one(desc: Desc) -> Outcome {
    Outcome {
        descs: vec![Some(desc)],
        ..Outcome::default()
    }
}

front!("desc_fma", FmaFront, FmaFrontOperation, Fma, FmaDesc, ["CCE-2"];
    meta_index: u32, write_barrier: u32, sub: u32, more: u32, x: u32, length: u32, a_sel: u32,
    b_sel: u32, c_sel: u32, scale: u32, use_default: u32);
front!("desc_min_max", MinMaxFront, MinMaxFrontOperation, MinMax, MinMaxDesc, ["CCE-4"];
    meta_index: u32, write_barrier: u32, length: u32, use_const: u32, const_dtype: u32,
    constant: u32);
front!("desc_seed_init", SeedFront, SeedFrontOperation, SeedInit, PayloadDesc, ["CCE-7", "OPC-5"];
    payload: u64, meta_index: u32, write_barrier: u32, x: u32);
front!("desc_replication", ReplicationFront, ReplicationFrontOperation, Replication, PayloadDesc,
    ["OPC-5"]; payload: u64, meta_index: u32, write_barrier: u32, x: u32);
front!("desc_gradient", GradientFront, GradientFrontOperation, Gradient, PayloadDesc, ["OPC-5"];
    payload: u64, meta_index: u32, write_barrier: u32, x: u32);

/// The operations of a word, without and with a write barrier on top.
pub type WordSet = Of<WordSetOperation>;

/// See [`WordSet`].
pub struct WordSetOperation;

impl Operation for WordSetOperation {
    const NAME: &'static str = "op_decode";
    const ARGS: &'static [&'static str] = &["word"];
    const VALUES: &'static [&'static str] = &["set", "with_barrier"];

    fn ask(ops: &dyn Ops, call: &Call, _tape: &Tape) -> Option<Outcome> {
        let word = call.args[0] as u32;
        let bare = ops.word_set(word & !opclass::BARRIER)?;
        let on_top = ops.word_set(word | opclass::BARRIER)?;
        Some(Outcome::of([bare.into(), on_top.into()]))
    }

    fn required(line: Line, call: &Call) -> Option<Outcome> {
        let set = opclass::word_set(call.args[0] as u32);
        (line == Line::Hal).then(|| Outcome::of([set.into(), set.into()]))
    }

    fn rules(_line: Line, _call: &Call) -> Rules {
        plain(&["OPC-2", "OPC-3"])
    }

    fn broken(_line: Line, _call: &Call, want: &Outcome, got: &Outcome) -> Vec<&'static str> {
        if want.values[0] == got.values[0] {
            vec!["OPC-3"]
        } else {
            vec!["OPC-2"]
        }
    }
}

/// The META descriptors of some bits.
pub type FrontSet = Of<FrontSetOperation>;

/// See [`FrontSet`].
pub struct FrontSetOperation;

fn desc(call: &Call) -> Desc {
    Desc {
        word: std::array::from_fn(|index| call.args[index] as u32),
    }
}

/// A descriptor as a call of [`FrontSet`].
pub fn front_call(desc: &Desc) -> Call {
    Call::of(desc.word.map(u64::from))
}

/// The set, without what is open of it.
fn judged(call: &Call, set: u32) -> Outcome {
    let open = if opclass::is_open_transpose(&desc(call)) {
        udma_reference::abi::UDMA_DESC_TRANSPOSE
    } else {
        0
    };
    Outcome::of([i64::from(set & !open)])
}

impl Operation for FrontSetOperation {
    const NAME: &'static str = "desc_decode";
    const ARGS: &'static [&'static str] = &["word0", "word1", "word2", "word3"];
    const VALUES: &'static [&'static str] = &["set"];

    fn ask(ops: &dyn Ops, call: &Call, _tape: &Tape) -> Option<Outcome> {
        let set = ops.front_set(&desc(call))?;
        Some(judged(call, set))
    }

    fn required(line: Line, call: &Call) -> Option<Outcome> {
        let set = opclass::front_set(&desc(call));
        (line == Line::Hal).then(|| judged(call, set))
    }

    fn rules(_line: Line, _call: &Call) -> Rules {
        plain(&["OPC-3"])
    }

    fn broken(_line: Line, _call: &Call, _want: &Outcome, _got: &Outcome) -> Vec<&'static str> {
        vec!["OPC-3"]
    }
}

/// Bits that an operand of a word has; more are cut off, except of flags and shape indices.
pub fn width(operand: &str) -> u32 {
    match operand {
        "flag" | "write_barrier" | "last" | "use_const" | "notification" | "more"
        | "use_default" => 1,
        "sub" | "split" | "x" | "const_dtype" => 3,
        "a_sel" | "b_sel" | "c_sel" => 2,
        "elem_bytes" => 5,
        "shape" | "meta_index" => 8,
        "count" => 16,
        "length" => 24,
        "payload" => 64,
        "constant" | "scale" => 32,
        _ => 4,
    }
}

/// Whether values above the field's width may be passed.
pub fn is_cut(operand: &str) -> bool {
    width(operand) > 1 && !matches!(operand, "shape" | "payload" | "constant" | "scale" | "x")
}

/// Bits of an operand of an operation: a seed init seeds or does not.
pub fn width_in<O: Operation>(operand: &str) -> u32 {
    if O::NAME == SeedFrontOperation::NAME && operand == "x" {
        1
    } else {
        width(operand)
    }
}
