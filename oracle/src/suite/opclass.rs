//! Op-class words and META descriptors (OPC, CCE-1 to CCE-7).

use proptest::prelude::*;

use super::{Check, CheckError, Level, worked};
use crate::cases::operation::{Call, Of, Operation};
use crate::cases::opword::{
    AddWordOperation, CceExtWordOperation, FmaFrontOperation, FmaWordOperation, FrontSet,
    GradientFrontOperation, GradientWordOperation, MinMaxFrontOperation, MinMaxWordOperation,
    ReplicationFrontOperation, ReplicationWordOperation, SeedFrontOperation, SplitWordOperation,
    TransposeWordOperation, WordSet, front_call, is_cut, width, width_in,
};
use crate::family::Family;
use crate::generate::{mix, sample};
use crate::line::Line;
use crate::session::Session;
use crate::wire::Desc;

const WORD_RULES: &[&str] = &[
    "OPC-1", "OPC-4", "CCE-3", "CCE-4", "CCE-5", "CCE-6", "TRN-2",
];

pub const CHECKS: &[Check] = &[
    Check {
        suite: "opclass",
        name: "worked",
        rules: &[
            "OPC-1", "OPC-2", "OPC-3", "OPC-4", "OPC-5", "CCE-1", "CCE-2", "CCE-3", "CCE-4",
            "CCE-5", "CCE-6", "CCE-7", "TRN-2", "META-1",
        ],
        level: Level::Recorded,
        run: worked::opclass,
    },
    Check {
        suite: "opclass",
        name: "words",
        rules: WORD_RULES,
        level: Level::Quick,
        run: words,
    },
    Check {
        suite: "opclass",
        name: "descriptors",
        rules: &["OPC-5", "CCE-1", "CCE-2", "CCE-4", "CCE-7"],
        level: Level::Quick,
        run: descriptors,
    },
    Check {
        suite: "opclass",
        name: "decode_words",
        rules: &["OPC-2", "OPC-3"],
        level: Level::Quick,
        run: decode_words,
    },
    Check {
        suite: "opclass",
        name: "decode_descriptors",
        rules: &["OPC-3"],
        level: Level::Quick,
        run: decode_descriptors,
    },
    Check {
        suite: "opclass",
        name: "every_operand",
        rules: WORD_RULES,
        level: Level::Heavy,
        run: every_operand,
    },
];

/// Arguments of an operation, drawn from a seed.
fn drawn<O: Operation>(seed: u64) -> Vec<u64> {
    let operands = O::ARGS.iter().zip(0..);
    let draw = |(operand, at): (&&str, u64)| {
        let random = mix(seed, at);
        // One in four is wider than its field.
        let width = if is_cut(operand) && random >> 62 == 0 {
            32
        } else {
            width_in::<O>(operand)
        };
        random & (u64::MAX >> (64 - width))
    };
    operands.map(draw).collect()
}

/// Each operand's bits one at a time, over nothing and over everything; then drawn operands.
fn edges<O: Operation>(seed: u64, count: u64) -> Vec<Call> {
    let full: Vec<u64> = O::ARGS
        .iter()
        .map(|operand| u64::MAX >> (64 - width_in::<O>(operand)))
        .collect();
    let mut calls = vec![Call::of(vec![0; full.len()]), Call::of(full.clone())];
    for (index, operand) in O::ARGS.iter().enumerate() {
        for bit in 0..width_in::<O>(operand) {
            for base in [vec![0; full.len()], full.clone()] {
                let mut args = base;
                args[index] ^= 1 << bit;
                calls.push(Call::of(args));
            }
        }
        if is_cut(operand) {
            let mut args = vec![0; full.len()];
            args[index] = u32::MAX.into();
            calls.push(Call::of(args));
        }
    }
    calls.extend((0..count).map(|index| Call::of(drawn::<O>(mix(seed, index)))));
    calls
}

fn try_edges<O: Operation>(session: &mut Session, salt: u64) {
    let (seed, count) = (mix(session.options.seed, salt), session.options.cases / 20);
    for (index, call) in edges::<O>(seed, count).iter().enumerate() {
        let origin = || format!("{}#{index}", O::NAME);
        session.try_case::<Of<O>>(&origin, call, None);
    }
}

fn words(session: &mut Session) -> Result<(), CheckError> {
    try_edges::<SplitWordOperation>(session, 40);
    try_edges::<TransposeWordOperation>(session, 41);
    try_edges::<ReplicationWordOperation>(session, 42);
    try_edges::<AddWordOperation>(session, 43);
    try_edges::<MinMaxWordOperation>(session, 44);
    try_edges::<FmaWordOperation>(session, 45);
    try_edges::<CceExtWordOperation>(session, 46);
    try_edges::<GradientWordOperation>(session, 47);
    Ok(())
}

fn descriptors(session: &mut Session) -> Result<(), CheckError> {
    try_edges::<FmaFrontOperation>(session, 50);
    try_edges::<MinMaxFrontOperation>(session, 51);
    try_edges::<SeedFrontOperation>(session, 52);
    try_edges::<ReplicationFrontOperation>(session, 53);
    try_edges::<GradientFrontOperation>(session, 54);
    Ok(())
}

/// Words that an operation gives, by the rules.
fn built_words<O: Operation>(seed: u64) -> Vec<u32> {
    edges::<O>(seed, 40)
        .iter()
        .filter_map(|call| O::required(Line::Hal, call))
        .map(|outcome| outcome.values[0] as u32)
        .collect()
}

/// What every operation gives, with each bit turned; every class with and without bit 5; random
/// words.
fn decode_words(session: &mut Session) -> Result<(), CheckError> {
    let seed = mix(session.options.seed, 60);
    let mut words = vec![0x0108_0003, 0x1108_0003];
    words.extend((0..64).flat_map(|class| [class << 20, class << 20 | 0x20]));
    words.extend(built_words::<SplitWordOperation>(seed));
    words.extend(built_words::<TransposeWordOperation>(seed));
    words.extend(built_words::<ReplicationWordOperation>(seed));
    words.extend(built_words::<AddWordOperation>(seed));
    words.extend(built_words::<MinMaxWordOperation>(seed));
    words.extend(built_words::<FmaWordOperation>(seed));
    words.extend(built_words::<CceExtWordOperation>(seed));
    words.extend(built_words::<GradientWordOperation>(seed));
    words.sort_unstable();
    words.dedup();
    for word in words {
        for turned in (0..32).map(|bit| 1u32 << bit).chain([0]) {
            let call = Call::of([u64::from(word ^ turned)]);
            session.try_case::<WordSet>(&|| format!("word {word:#x}"), &call, None);
        }
    }
    let (seed, count) = (mix(seed, 1), session.options.cases);
    // Most random words are nothing: half of them are given a class.
    let word = prop_oneof![
        any::<u32>(),
        any::<u32>().prop_map(|word| word & 0x000f_ffff | 0x0200_0000 | word >> 9 & 0x0070_0000),
    ];
    sample(seed, count, word, |index, word| {
        let call = Call::of([u64::from(word)]);
        session.try_case::<WordSet>(&|| format!("random#{index}"), &call, None);
    });
    Ok(())
}

fn built_descs<O: Operation>(seed: u64) -> Vec<Desc> {
    edges::<O>(seed, 20)
        .iter()
        .filter_map(|call| Of::<O>::required(Line::Hal, call))
        .filter_map(|outcome| outcome.descs[0])
        .collect()
}

/// What every operation gives, with each bit of the first three words turned; random descriptors.
fn decode_descriptors(session: &mut Session) -> Result<(), CheckError> {
    let seed = mix(session.options.seed, 61);
    let mut descs = built_descs::<FmaFrontOperation>(seed);
    descs.extend(built_descs::<MinMaxFrontOperation>(seed));
    descs.extend(built_descs::<SeedFrontOperation>(seed));
    descs.extend(built_descs::<ReplicationFrontOperation>(seed));
    descs.extend(built_descs::<GradientFrontOperation>(seed));
    // Bits that two of them share: a seed that looks like a tagged length.
    for word1 in [0, 0x0600_0000, 0x0610_0000] {
        descs.push(Desc {
            word: [0x0080_0000, word1, 0x0200_0040, 7],
        });
    }
    descs.push(Desc {
        word: [0x0d80_0040, 0x009a_0424, 0x1000, 0],
    });
    for (number, desc) in descs.iter().enumerate() {
        let stride = if number % 8 == 0 { 1 } else { 7 };
        session.try_case::<FrontSet>(&|| format!("built#{number}"), &front_call(desc), None);
        for bit in (number % 7..97).step_by(stride) {
            let mut turned = *desc;
            if bit < 96 {
                turned.word[bit / 32] ^= 1 << (bit % 32);
            }
            let origin = || format!("built#{number} bit {bit}");
            session.try_case::<FrontSet>(&origin, &front_call(&turned), None);
        }
    }
    let (seed, count) = (mix(seed, 1), session.options.cases / 4);
    sample(seed, count, any::<[u32; 4]>(), |index, mut word| {
        word[0] = word[0] & 0xff00_ffff | 0x0080_0000;
        let call = front_call(&Desc { word });
        session.try_case::<FrontSet>(&|| format!("random#{index}"), &call, None);
    });
    Ok(())
}

/// Every value of every operand, for operations of at most 18 bits.
fn every_operand(session: &mut Session) -> Result<(), CheckError> {
    every::<SplitWordOperation>(session);
    every::<TransposeWordOperation>(session);
    every::<ReplicationWordOperation>(session);
    every::<AddWordOperation>(session);
    every::<FmaWordOperation>(session);
    every::<CceExtWordOperation>(session);
    every::<GradientWordOperation>(session);
    Ok(())
}

fn every<O: Operation>(session: &mut Session) {
    let widths: Vec<u32> = O::ARGS.iter().map(|operand| width(operand)).collect();
    let bits: u32 = widths.iter().sum();
    for number in 0..1u64 << bits {
        if session.done() {
            return;
        }
        let mut rest = number;
        let args: Vec<u64> = widths
            .iter()
            .map(|width| {
                let value = rest & ((1 << width) - 1);
                rest >>= width;
                value
            })
            .collect();
        let origin = || format!("{}#{number}", O::NAME);
        session.try_case::<Of<O>>(&origin, &Call::of(args), None);
    }
}
