//! The rules that programs name: those of the suite's catalogue, and those of the families that the
//! harness alone tries.

use udma_oracle::catalogue::{Catalogue, Rule, rules_in};

/// Those of the calls, which only a device can be held to.
const DEVICE: &str = include_str!("../../rules/dev.toml");

/// Every rule, the catalogue's first.
///
/// # Panics
/// If a file of the build is not a rule file; a test keeps that from happening.
pub fn all() -> Vec<Rule> {
    let mut rules = Catalogue::load().rules;
    rules.extend(rules_in("dev", DEVICE));
    rules
}
