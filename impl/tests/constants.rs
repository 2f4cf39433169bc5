//! The constants of the code are those of `oracle/rules/constants.toml`, name by name.

mod support;

use std::collections::BTreeMap;

use udma::constants::{Constant, constants};

/// `  { name = "…", value = …, rule = "…" },`
fn row(line: &str) -> Option<(String, (u64, String))> {
    let line = line.trim().strip_prefix("{ name = ")?;
    let (name, rest) = line.split_once(", value = ")?;
    let (value, rest) = rest.split_once(", rule = ")?;
    let rule = rest.strip_suffix(" },")?;
    let value = match value.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => value.parse(),
    };
    let text = |quoted: &str| quoted.trim_matches('"').to_owned();
    Some((text(name), (value.expect("value"), text(rule))))
}

#[test]
fn named_constants_are_those_of_the_table() {
    let path = support::repository("oracle/rules/constants.toml");
    let text = std::fs::read_to_string(path).expect("constants.toml");
    let table: BTreeMap<_, _> = text.lines().filter_map(row).collect();
    assert_eq!(table.len(), text.matches("name = ").count());
    let list = constants();
    let code: BTreeMap<_, _> = list
        .iter()
        .map(|constant| {
            let Constant { name, value, rule } = constant.clone();
            (name, (value, rule.to_owned()))
        })
        .collect();
    assert_eq!(code.len(), list.len(), "a name is used twice");
    let differing: Vec<_> = table
        .iter()
        .filter(|(name, row)| code.get(*name) != Some(row))
        .chain(
            code.iter()
                .filter(|(name, row)| table.get(*name) != Some(row)),
        )
        .collect();
    assert!(differing.is_empty(), "{differing:#x?}");
}
