//! `udma rules`.

use std::process::ExitCode;

use udma_oracle::catalogue::Catalogue;
use udma_oracle::suite::checks_of;

use crate::cli::{RulesArgs, print};
use crate::failure::Failure;

/// Runs the command.
///
/// # Errors
/// A family that does not exist.
pub fn run(args: &RulesArgs) -> Result<ExitCode, Failure> {
    let catalogue = Catalogue::load();
    if let Some(family) = &args.family {
        let known = catalogue.families();
        if !known.iter().any(|name| name.eq_ignore_ascii_case(family)) {
            return Err(Failure::Input(format!(
                "family {family:?} is not known: {}",
                known.join(", ")
            )));
        }
    }
    let mut text = String::new();
    for rule in &catalogue.rules {
        if args
            .family
            .as_ref()
            .is_some_and(|name| !name.eq_ignore_ascii_case(rule.family()))
        {
            continue;
        }
        let confidence = format!("{:?}", rule.confidence).to_lowercase();
        text += &format!(
            "{} ({}, {}, {confidence}) {}\n",
            rule.id,
            rule.lines.join(" and "),
            rule.evidence,
            rule.statement
        );
        for divergence in &rule.divergence {
            text += &format!(
                "    known divergence: {}: kernel {}; HAL {}\n",
                divergence.when, divergence.kernel, divergence.hal
            );
        }
        if args.why {
            text += &format!("    why: {}\n", rule.why);
            text += &format!("    checks: {}\n", checks_of(&rule.id).join(", "));
        }
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
