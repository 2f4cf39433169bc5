//! Worked vectors of the HAL line: derived by hand from the rules, with the arithmetic beside them.

use std::path::PathBuf;

use serde_json::Value;
use udma_reference::abi;

use super::CheckError;
use crate::cases::json;
use crate::cases::operation::{Call, Of, Operation, Outcome};
use crate::cases::opword::{
    AddWordOperation, CceExtWordOperation, FmaFrontOperation, FmaWordOperation,
    GradientFrontOperation, GradientWordOperation, MinMaxFrontOperation, MinMaxWordOperation,
    ReplicationFrontOperation, ReplicationWordOperation, SeedFrontOperation, SplitWordOperation,
    TransposeWordOperation, WordSetOperation,
};
use crate::cases::pair::Pair;
use crate::family::Family;
use crate::line::Line;
use crate::session::Session;
use crate::wire::{PairIn, hex};

/// Format tag of worked vectors.
const FORMAT: &str = "udma-worked/1";

/// Why worked vectors cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {reason}", file.display())]
pub struct WorkedError {
    file: PathBuf,
    reason: String,
}

/// Replays `opclass.json`; nothing where the run goes without vectors.
pub fn opclass(session: &mut Session) -> Result<(), CheckError> {
    each(session, "opclass", replay)
}

/// Hands every case of a file to `replay`: id, input, outcome. Nothing where the run goes without
/// vectors.
pub fn each(
    session: &mut Session,
    suite: &str,
    mut replay: impl FnMut(&mut Session, &str, &Value, &Value) -> Result<(), String>,
) -> Result<(), CheckError> {
    let Some(corpora) = &session.options.corpora else {
        return Ok(());
    };
    let file = corpora.join(format!("worked/{suite}.json"));
    let failed = |reason: String| WorkedError {
        file: file.clone(),
        reason,
    };
    let text = std::fs::read_to_string(&file).map_err(|error| failed(error.to_string()))?;
    let whole: Value = serde_json::from_str(&text).map_err(|error| failed(error.to_string()))?;
    if json::get_text(&whole, "format").map_err(failed)? != FORMAT {
        return Err(failed(format!("format is not {FORMAT:?}")).into());
    }
    for case in json::get_list(&whole, "cases").map_err(failed)? {
        let id = json::get_text(case, "id").map_err(failed)?;
        replay(session, id, &case["in"], &case["out"])
            .map_err(|reason| failed(format!("case {id:?}: {reason}")))?;
    }
    Ok(())
}

/// Tries a case whose outcome by the rules is `holds`.
fn attempt<O: Operation>(
    session: &mut Session,
    id: &str,
    args: Vec<u64>,
    holds: impl Fn(&Outcome) -> Result<(), String>,
) -> Result<(), String> {
    let call = Call::of(args);
    let required = O::required(Line::Hal, &call).ok_or("no rule gives an outcome")?;
    // The vector wins: where the rules as coded part from it, they are wrong.
    holds(&required)?;
    session.try_case::<Of<O>>(&|| format!("worked/opclass {id}"), &call, None);
    Ok(())
}

fn replay(session: &mut Session, id: &str, input: &Value, out: &Value) -> Result<(), String> {
    let arg = |name: &str| json::get(input, name);
    let args = |names: &[&str]| names.iter().map(|name| arg(name)).collect::<Result<_, _>>();
    let word = |outcome: &Outcome| {
        let word1 = outcome
            .descs
            .first()
            .copied()
            .flatten()
            .map_or(outcome.values.first().copied(), |desc| {
                Some(desc.word[1].into())
            });
        let want = json::get(out, "word1")?;
        if word1 == Some(want as i64) {
            Ok(())
        } else {
            Err(format!("word1 is {want:#x}, but the rules give {word1:x?}"))
        }
    };
    match json::get_text(input, "op")? {
        "copy" => copy(session, id, json::get32(out, "word1")?),
        "striding_split" => {
            let args = args(&["split_count", "shape_index", "dtype"])?;
            attempt::<SplitWordOperation>(session, id, args, word)
        }
        "transpose" => {
            let args = args(&["elem_bytes", "shape", "dtype"])?;
            attempt::<TransposeWordOperation>(session, id, args, word)
        }
        "replication" => attempt::<ReplicationWordOperation>(session, id, args(&["count"])?, word),
        "add" => {
            let names = [
                "sub",
                "f",
                "write_barrier",
                "last",
                "out_dtype",
                "accum_dtype",
            ];
            attempt::<AddWordOperation>(session, id, args(&names)?, word)
        }
        "min_max" => {
            let args = args(MinMaxWordOperation::ARGS)?;
            attempt::<MinMaxWordOperation>(session, id, args, word)
        }
        "fma" => {
            let names = [
                "sub",
                "f6",
                "f5",
                "f4",
                "in_dtype",
                "scale_dtype",
                "accum_dtype",
            ];
            attempt::<FmaWordOperation>(session, id, args(&names)?, word)
        }
        "cce_ext" => {
            attempt::<CceExtWordOperation>(session, id, args(CceExtWordOperation::ARGS)?, word)
        }
        "gradient" => {
            let mut names = GradientWordOperation::ARGS.to_vec();
            names[1] = "f";
            attempt::<GradientWordOperation>(session, id, args(&names)?, word)
        }
        "decode" => decode(session, id, json::get32(input, "word1")?, out),
        "seed_init_descriptor" => {
            attempt::<SeedFrontOperation>(session, id, vec![0, 0, 0, 1], word)
        }
        "min_max_constant_descriptor" => {
            let args = vec![0, 0, 64, 1, arg("const_dtype")?, 0];
            attempt::<MinMaxFrontOperation>(session, id, args, word)
        }
        "replication_extension" => {
            let args = vec![0, 0, 0, arg("mode")?];
            attempt::<ReplicationFrontOperation>(session, id, args, word)
        }
        "gradient_descriptor" => {
            attempt::<GradientFrontOperation>(session, id, vec![0, 0, 0, arg("x")?], word)
        }
        "fma_descriptor" => {
            let names = [
                "meta_index",
                "write_barrier",
                "sub",
                "more",
                "x",
                "length",
                "a",
                "b",
                "c",
                "scale_bits",
            ];
            let mut args: Vec<u64> = args(&names)?;
            args.push(0);
            let want = json::get_text(out, "desc")?;
            attempt::<FmaFrontOperation>(session, id, args, |outcome| {
                let desc = outcome.descs[0].as_ref().map(hex).unwrap_or_default();
                if desc == want {
                    Ok(())
                } else {
                    Err(format!("desc is {want}, but the rules give {desc}"))
                }
            })
        }
        other => Err(format!("field \"op\" is {other:?}, which is not known")),
    }
}

/// A plain copy's word, in a pair.
fn copy(session: &mut Session, id: &str, word1: u32) -> Result<(), String> {
    let case = PairIn {
        src: 0x1000,
        dst: 0x2000,
        size: 64,
        arch: abi::UDMA_ARCH_CAYMAN as u8,
        ..PairIn::default()
    };
    let required = Pair::required(Line::Hal, &case);
    let built = required.and_then(|answer| answer.slots[0]);
    if built.is_none_or(|tx| tx.word[1] != word1) {
        return Err(format!(
            "word1 is {word1:#x}, but the rules give {built:x?}"
        ));
    }
    session.try_case::<Pair>(&|| format!("worked/opclass {id}"), &case, None);
    Ok(())
}

/// A word's operation by its name; the constant's dtype and the barrier where they are listed.
fn decode(session: &mut Session, id: &str, word: u32, out: &Value) -> Result<(), String> {
    let set = match json::get_text(out, "name")? {
        "min/max with a constant" => abi::UDMA_OP_MIN_MAX,
        "add or min/max" => abi::UDMA_OP_ADD | abi::UDMA_OP_MIN_MAX,
        "fma" => abi::UDMA_OP_FMA,
        "transpose" => abi::UDMA_OP_TRANSPOSE,
        other => return Err(format!("field \"name\" is {other:?}, which is not known")),
    };
    for (name, value) in [
        ("const_dtype", word >> 20 & 7),
        ("write_barrier", word >> 26 & 1),
    ] {
        if out.get(name).is_some() && json::get32(out, name)? != value {
            return Err(format!("{name} is not {value}"));
        }
    }
    attempt::<WordSetOperation>(session, id, vec![word.into()], |outcome| {
        if outcome.values.iter().all(|value| *value == i64::from(set)) {
            Ok(())
        } else {
            Err(format!(
                "the set is {set:#x}, but the rules give {outcome:x?}"
            ))
        }
    })
}
