//! The list of planted wrong beliefs, `mutants.toml`. They are compiled into the implementations
//! under the `mutants` feature alone; the list itself is always there.

use serde::Deserialize;

/// One wrong belief.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutant {
    /// Number by which it is chosen.
    pub number: u32,
    /// Short name.
    pub id: String,
    /// The belief, in one line.
    pub belief: String,
    /// Where it is planted: `rust`, `c-kernel`, `c-hal`.
    pub planted: Vec<String>,
    /// Rules of which the first finding must name one.
    pub rules: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    mutant: Vec<Mutant>,
}

/// Every wrong belief.
///
/// # Panics
/// If the file of the build is malformed; a test keeps that from happening.
pub fn all() -> Vec<Mutant> {
    let text = include_str!("../mutants.toml");
    toml::from_str::<File>(text).expect("mutants.toml").mutant
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;

    #[test]
    fn every_rule_that_can_fail_has_a_mutant() {
        let all = all();
        for rule in Catalogue::load()
            .rules
            .iter()
            .filter(|rule| !rule.informative())
        {
            assert!(
                all.iter().any(|mutant| mutant.rules.contains(&rule.id)),
                "{} has no mutant",
                rule.id
            );
        }
    }

    #[test]
    fn mutants_name_known_rules_and_places() {
        let (catalogue, all) = (Catalogue::load(), all());
        for mutant in &all {
            for rule in &mutant.rules {
                assert!(
                    catalogue.index(rule).is_some(),
                    "{} names {rule}",
                    mutant.id
                );
            }
            assert!(
                !mutant.rules.is_empty() && !mutant.planted.is_empty(),
                "{}",
                mutant.id
            );
            for place in &mutant.planted {
                assert!(
                    ["rust", "c-kernel", "c-hal"].contains(&place.as_str()),
                    "{place}"
                );
            }
            assert_eq!(
                all.iter()
                    .filter(|other| other.number == mutant.number)
                    .count(),
                1,
                "number {} is given twice",
                mutant.number
            );
        }
    }
}
