//! Rules, checks and planted beliefs name each other.

use std::collections::BTreeSet;

use udma_oracle::catalogue::{Catalogue, Rule};
use udma_oracle::mutants::all;
use udma_oracle::suite::{Check, checks, checks_of};

#[test]
fn ids_are_unique_and_complete() {
    let catalogue = Catalogue::load();
    for (index, rule) in catalogue.rules.iter().enumerate() {
        assert_eq!(catalogue.index(&rule.id), Some(index), "{} twice", rule.id);
        assert!(
            !rule.statement.is_empty() && !rule.why.is_empty(),
            "{}",
            rule.id
        );
        assert!(!rule.lines.is_empty(), "{}", rule.id);
    }
}

#[test]
fn every_family_is_listed_once() {
    let catalogue = Catalogue::load();
    let families = catalogue.families();
    let listed: BTreeSet<&str> = families.iter().copied().collect();
    assert_eq!(listed.len(), families.len());
    let rules = catalogue.rules.iter();
    assert_eq!(listed, rules.map(Rule::family).collect());
}

#[test]
fn a_pattern_that_matches_nothing_is_an_error() {
    let catalogue = Catalogue::load();
    assert!(catalogue.select(&["NOPE-*".into()]).is_err());
    let desc = catalogue.select(&["desc-*".into()]).unwrap();
    assert_eq!(desc.iter().filter(|selected| **selected).count(), 5);
}

#[test]
fn every_rule_has_a_check_and_every_check_names_known_rules() {
    let catalogue = Catalogue::load();
    for check in checks() {
        assert!(!check.rules.is_empty(), "{} tries nothing", check.id());
        for rule in check.rules {
            assert!(
                catalogue.index(rule).is_some(),
                "{} names {rule}",
                check.id()
            );
        }
    }
    for rule in &catalogue.rules {
        assert!(!checks_of(&rule.id).is_empty(), "{} has no check", rule.id);
    }
}

#[test]
fn check_ids_are_unique() {
    let mut ids: Vec<String> = checks().iter().map(Check::id).collect();
    ids.sort();
    let count = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

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
