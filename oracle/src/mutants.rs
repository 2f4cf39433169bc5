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
