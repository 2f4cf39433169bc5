//! The list of planted wrong beliefs, `mutants.toml`. They are compiled into the implementations
//! under the `mutants` feature alone; the list itself is always there.

use serde::Deserialize;
#[cfg(feature = "mutants")]
use serde_json::Value;

#[cfg(feature = "mutants")]
use crate::{
    catalogue::Catalogue,
    regressions::try_kept,
    session::{Options, Session},
    subject::Subject,
};

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

/// Chooses a belief in one place alone; 0 for none.
///
/// # Panics
/// On a place that is not known.
#[cfg(feature = "mutants")]
pub fn plant(number: u32, place: &str) {
    match place {
        "rust" => udma::fault::choose(number),
        "c-hal" => udma_reference::mutants::choose_hal(number),
        "c-kernel" => udma_reference::mutants::choose_kernel(number),
        other => panic!("{other:?} is not rust, c-hal or c-kernel"),
    }
}

/// Chooses a belief in every implementation of this build; 0 for none.
#[cfg(feature = "mutants")]
pub fn choose(number: u32) {
    for place in ["rust", "c-hal", "c-kernel"] {
        plant(number, place);
    }
}

/// A run in which one kept case alone was put to subjects with a belief wrong in one place, 0 for none;
/// whichever rules are asked.
///
/// # Errors
/// What is no kept case.
#[cfg(feature = "mutants")]
pub fn put<'a>(
    catalogue: &'a Catalogue,
    subjects: &'a [Box<dyn Subject>],
    (number, place): (u32, &str),
    kept: &Value,
) -> Result<Session<'a>, String> {
    let selected = vec![true; catalogue.rules.len()];
    let mut session = Session::new(catalogue, subjects, selected, Options::default());
    plant(number, place);
    let tried = try_kept(&mut session, kept, "kept");
    plant(0, place);
    tried.map(|()| session)
}

/// Subjects that a belief planted in `place` shows in.
pub fn shown_by(place: &str) -> &'static [&'static str] {
    match place {
        "rust" => &["rust-kernel", "rust-hal"],
        "c-kernel" => &["c-kernel"],
        "c-hal" => &["c-hal"],
        _ => &[],
    }
}
