//! Rules tried on the Rust implementation: each check adds what it finds to a list. The vectors are
//! those of `corpora/golden`; expected values elsewhere are worked from the specification by hand.

#![allow(dead_code)] // Each test binary uses a part.

pub mod abi;
pub mod bar0;
pub mod cce;
pub mod init;
pub mod iofic;
pub mod op;
pub mod state;
pub mod transpose;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

use serde_json::Value;
use udma::Arch;
use udma::io::{Mmio, Space};

/// What was seen instead of what a rule asks for.
#[derive(Debug)]
pub struct Finding {
    pub rule: &'static str,
    pub case: String,
    pub expected: String,
    pub actual: String,
}

/// Findings of a run, and how much was compared.
#[derive(Debug, Default)]
pub struct Findings {
    pub list: Vec<Finding>,
    pub compared: usize,
}

impl Findings {
    /// Compares under a rule.
    pub fn same<T: PartialEq + Debug>(
        &mut self,
        rule: &'static str,
        case: impl Into<String>,
        actual: T,
        expected: T,
    ) {
        self.compared += 1;
        if actual != expected {
            self.list.push(Finding {
                rule,
                case: case.into(),
                expected: format!("{expected:x?}"),
                actual: format!("{actual:x?}"),
            });
        }
    }

    /// Fails the test with the first findings, or when nothing was compared.
    pub fn done(self) -> usize {
        assert!(self.compared > 0, "nothing was compared");
        let first = &self.list[..self.list.len().min(5)];
        assert!(
            first.is_empty(),
            "{} findings, first: {first:#?}",
            self.list.len()
        );
        self.compared
    }
}

/// A file of this repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// The cases of a golden file.
pub fn golden(suite: &str) -> Vec<Value> {
    let path = repository(&format!("corpora/golden/{suite}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{suite}: {error}"));
    let mut file: Value = serde_json::from_str(&text).expect(suite);
    assert_eq!(file["format"], "udma-golden/1");
    match file["cases"].take() {
        Value::Array(cases) => cases,
        other => panic!("{suite}: cases are {other}"),
    }
}

/// A number of a vector: a JSON number or a `0x…` string.
pub fn number(value: &Value) -> u64 {
    match value {
        Value::String(text) => hex(text),
        Value::Number(number) => number
            .as_u64()
            .or_else(|| number.as_i64().map(|signed| signed as u64))
            .unwrap_or_else(|| panic!("{number}")),
        Value::Bool(flag) => u64::from(*flag),
        other => panic!("not a number: {other}"),
    }
}

/// `0x…`.
pub fn hex(text: &str) -> u64 {
    u64::from_str_radix(text.trim_start_matches("0x"), 16).unwrap_or_else(|_| panic!("{text}"))
}

/// An array of numbers.
pub fn numbers(value: &Value) -> Vec<u64> {
    value
        .as_array()
        .expect("array")
        .iter()
        .map(number)
        .collect()
}

/// The architecture of a vector.
pub fn arch(value: &Value) -> Arch {
    let name = value.as_str().expect("arch");
    Arch::ALL
        .into_iter()
        .find(|arch| arch.short() == name)
        .unwrap_or_else(|| panic!("{name}"))
}

/// `suite 12`.
pub fn label(suite: &str, case: &Value) -> String {
    format!("golden {suite} {}", case["id"])
}

/// One register access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read(Space, u64, u32),
    Write(Space, u64, u32),
}

/// Registers that remember what is written, and the accesses in order. Registers that nobody set
/// read 0.
#[derive(Debug, Default)]
pub struct Registers {
    pub values: BTreeMap<(bool, u64), u32>,
    pub accesses: Vec<Access>,
}

impl Registers {
    /// Registers with contents.
    pub fn set(&mut self, space: Space, offset: u64, value: u32) {
        self.values
            .insert((space == Space::Interrupt, offset), value);
    }

    /// Contents from a vector's `{"0x3a010": "0x0", …}`.
    pub fn load(&mut self, space: Space, contents: &Value) {
        for (offset, value) in contents.as_object().into_iter().flatten() {
            self.set(space, hex(offset), number(value) as u32);
        }
    }

    /// The contents of a register.
    pub fn get(&self, space: Space, offset: u64) -> u32 {
        let key = (space == Space::Interrupt, offset);
        self.values.get(&key).copied().unwrap_or(0)
    }

    /// The writes as (offset, value).
    pub fn writes(&self) -> Vec<(u64, u32)> {
        self.accesses
            .iter()
            .filter_map(|access| match access {
                Access::Write(_, offset, value) => Some((*offset, *value)),
                Access::Read(..) => None,
            })
            .collect()
    }
}

impl Mmio for Registers {
    fn read32(&mut self, space: Space, offset: u64) -> u32 {
        let value = self.get(space, offset);
        self.accesses.push(Access::Read(space, offset, value));
        value
    }

    fn write32(&mut self, space: Space, offset: u64, value: u32) {
        self.accesses.push(Access::Write(space, offset, value));
        self.set(space, offset, value);
    }

    fn barrier(&mut self) {}
}

/// Events of a vector: `[w|r, offset, value]` or `[w|r, space, offset, value]`.
pub fn events(value: &Value) -> Vec<Access> {
    value
        .as_array()
        .expect("events")
        .iter()
        .map(|event| {
            let event = event.as_array().expect("event");
            let (space, rest) = match event[1].as_str() {
                Some("eng") => (Space::Engine, &event[2..]),
                Some("intc") => (Space::Interrupt, &event[2..]),
                _ => (Space::Engine, &event[1..]),
            };
            let (offset, value) = (number(&rest[0]), number(&rest[1]) as u32);
            match event[0].as_str() {
                Some("w") => Access::Write(space, offset, value),
                Some("r") => Access::Read(space, offset, value),
                other => panic!("{other:?}"),
            }
        })
        .collect()
}

/// Every check, in the order in which basic rules come before those that build on them.
pub const EVERYTHING: [fn(&mut Findings); 8] = [
    op::check,
    cce::check,
    transpose::check,
    state::check,
    iofic::check,
    init::check,
    abi::check,
    bar0::check,
];
