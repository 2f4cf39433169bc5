//! The report of a run of the UDMA conformance suite: its model, and its renderers for the
//! terminal, JSON, JUnit XML and HTML.
//!
//! The suite fills a [`model::Report`]; a [`writer::ReportWriter`] writes it in the chosen formats,
//! after each suite and at the end, so that a killed run leaves whole files behind. Equal reports
//! give equal bytes in every format.

pub mod descriptor;
pub mod html;
pub mod json;
pub mod junit;
pub mod merge;
pub mod model;
pub mod summary;
pub mod terminal;
pub mod text;
pub mod timeline;
mod validate;
pub mod writer;

// The sample report is shared with the tests in `tests/`, which know the crate by its name.
#[cfg(test)]
extern crate self as udma_report;
#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod common;
