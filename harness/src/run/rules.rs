//! The rules that programs name: those of the suite's catalogue, and those of the families that the
//! harness alone tries.

use serde::Deserialize;
use udma_oracle::catalogue::{Catalogue, Rule};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rule: Vec<Rule>,
}

const FILES: [&str; 8] = [
    include_str!("../../rules/mark.toml"),
    include_str!("../../rules/btch.toml"),
    include_str!("../../rules/ack.toml"),
    include_str!("../../rules/asyn.toml"),
    include_str!("../../rules/mset.toml"),
    include_str!("../../rules/zc.toml"),
    include_str!("../../rules/dev.toml"),
    include_str!("../../rules/modl.toml"),
];

/// Every rule, the catalogue's first.
///
/// # Panics
/// If a file of the build is not a rule file; a test keeps that from happening.
pub fn all() -> Vec<Rule> {
    let mut rules = Catalogue::load().rules;
    for text in FILES {
        let file: File = toml::from_str(text).unwrap_or_else(|error| panic!("{error}"));
        for rule in file.rule {
            if rules.iter().all(|known| known.id != rule.id) {
                rules.push(rule);
            }
        }
    }
    rules
}
