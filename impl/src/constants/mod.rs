//! The named constants and bit positions of compute descriptors, engine bring-up and ioctls, as the
//! code has them, under the names of `oracle/rules/constants.toml`. Nothing is defined here.

mod abi;
mod engine;
mod op;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A constant of the specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its value; of a field, its bits in the word.
    pub value: u64,
    /// The rule that gives it.
    pub rule: &'static str,
}

/// Every constant.
pub fn constants() -> Vec<Constant> {
    let mut list = List(Vec::new());
    op::list(&mut list);
    engine::list(&mut list);
    abi::list(&mut list);
    list.0
}

struct List(Vec<Constant>);

impl List {
    fn one(&mut self, rule: &'static str, name: impl Into<String>, value: impl Into<u64>) {
        self.0.push(Constant {
            name: name.into(),
            value: value.into(),
            rule,
        });
    }

    /// Several under one rule, each name behind a common beginning.
    fn all<V: Into<u64>>(
        &mut self,
        rule: &'static str,
        beginning: &str,
        values: impl IntoIterator<Item = (&'static str, V)>,
    ) {
        for (name, value) in values {
            self.one(rule, format!("{beginning}{name}"), value);
        }
    }

    /// An array, its names numbered from `first`.
    fn numbered<V: Into<u64>>(
        &mut self,
        rule: &'static str,
        beginning: &str,
        first: usize,
        values: impl IntoIterator<Item = V>,
    ) {
        for (number, value) in (first..).zip(values) {
            self.one(rule, format!("{beginning}{number}"), value);
        }
    }
}
