//! The report of a run of the UDMA conformance suite: its model, and its renderers for the
//! terminal, JSON, JUnit XML and HTML.

pub mod model;
